//! What a request says besides its body: query parameters and conditions, checked against the tables of the contract.

mod conditions;
mod parameters;

pub use conditions::Conditions;
pub use parameters::Parameters;
