//! The web pages, in process: requests as a browser without scripts sends them.

mod console;
mod editor;
mod filling;
mod general;
mod links;
mod provider;
mod reader;
mod rights;
mod sign_in;

use reader::{Page, Reader};
