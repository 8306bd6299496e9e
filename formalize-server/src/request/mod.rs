//! Query parameters, conditional headers and the idempotency key of a request, validated by the tables of the contract.

mod conditions;
mod keyed;
mod parameters;

pub use conditions::Conditions;
pub use keyed::{KeyRetention, keyed};
pub use parameters::Parameters;
