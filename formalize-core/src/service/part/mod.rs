//! Forms and everything that belongs to them: the part of the service that is built on its kernel.

mod forms;

pub(super) use forms::{FormsOptions, FormsPart, delete_remains, maintain};
