//! The web pages, in process: requests as a browser without scripts sends them.

mod consent;
mod console;
mod cost;
mod editor;
mod files;
mod filling;
mod general;
mod links;
mod no_files;
mod not_found;
mod order;
mod provider;
mod reader;
mod rights;
#[cfg(formalize_schemas)]
mod schemas;
mod sign_in;
mod words;

use reader::{Page, Reader};

#[cfg(not(formalize_schemas))]
#[test]
#[ignore = "no schemas of other projects found"]
fn schemas_of_others_have_pages() {}
