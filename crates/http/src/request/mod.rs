//! Query parameters, conditional headers and the idempotency key of a request, validated by the tables of the contract.

mod body;
mod conditions;
mod keyed;
mod multipart;
mod parameters;

pub use body::{read_body, read_members, read_object};
pub use conditions::Conditions;
pub use keyed::{KeyRetention, keyed};
pub use multipart::{Malformed, Multipart, Part, is_form_data};
pub use parameters::Parameters;
