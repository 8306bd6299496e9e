//! Test support.

pub mod failing;
