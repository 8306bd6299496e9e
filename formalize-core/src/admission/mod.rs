//! Limits how much of something is in use at a time: a [`Quota`] counts and refuses, and in a [`FairQueue`] users wait and take
//! turns.

mod fair_queue;
mod quota;

pub use fair_queue::{FairQueue, Permit};
pub use quota::{InUse, Quota};
