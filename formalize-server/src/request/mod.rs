//! Query parameters and conditional headers of a request, validated by the tables of the contract.

mod conditions;
mod parameters;

pub use conditions::Conditions;
pub use parameters::Parameters;
