//! What the tests and benchmarks of this project look at from outside. No part of the interface: it changes without notice.

pub use crate::authz::decision::{Held, Target, effective_actions};
pub use crate::authz::policy::Operation;
