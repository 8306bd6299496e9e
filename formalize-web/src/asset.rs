//! The files that pages load.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// A file that pages load. Its name contains a hash of its content, so browsers may keep it for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asset {
    /// The style of all pages.
    Style,
    /// The script of pages on which a form is filled in.
    Script,
}

impl Asset {
    /// All files.
    pub const ALL: [Self; 2] = [Self::Style, Self::Script];

    /// The content.
    pub fn content(self) -> &'static str {
        match self {
            Self::Style => include_str!("../assets/page.css"),
            Self::Script => include_str!("../assets/form.js"),
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Style => "text/css; charset=utf-8",
            Self::Script => "text/javascript; charset=utf-8",
        }
    }

    /// The path from the base URL.
    ///
    /// ```
    /// let path = formalize_web::Asset::Style.path();
    /// assert!(path.starts_with("/assets/page.") && path.ends_with(".css"));
    /// ```
    pub fn path(self) -> String {
        let (name, extension) = match self {
            Self::Style => ("page", "css"),
            Self::Script => ("form", "js"),
        };
        let mut hash = String::new();
        for byte in Sha256::digest(self.content()).iter().take(8) {
            // Writing to a string cannot fail.
            let _ = write!(hash, "{byte:02x}");
        }
        format!("/assets/{name}.{hash}.{extension}")
    }
}
