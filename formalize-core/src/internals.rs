//! Items that the tests and benchmarks of this project use. They are not part of the public interface and may change at
//! any time.

pub use crate::authz::decision::{Held, Target, effective_actions};
pub use crate::authz::policy::Operation;
