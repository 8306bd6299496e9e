//! The files that pages load.

use std::fmt::Write;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

/// The paths of [`Asset::ALL`]. Hashing the files takes as long as a tenth of a page.
static PATHS: LazyLock<[(Asset, String); Asset::ALL.len()]> =
    LazyLock::new(|| Asset::ALL.map(|asset| (asset, asset.hashed_path())));

/// A file that pages load. Its name contains a hash of its content, so browsers may keep it forever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asset {
    /// The style of all pages.
    Style,
    /// The style of the console, besides that of all pages.
    ConsoleStyle,
    /// The script of pages on which a form is filled in.
    Script,
    /// The script of the console.
    ConsoleScript,
    /// The script of pages that other sites show in a frame.
    Frame,
    /// The picture that browsers show beside the title of a page.
    Icon,
    /// The script that shows a public link in a page of another site. It is served at an address that never changes.
    Embed,
}

impl Asset {
    /// All files that pages of this service load.
    pub const ALL: [Self; 6] = [
        Self::Style,
        Self::ConsoleStyle,
        Self::Script,
        Self::ConsoleScript,
        Self::Frame,
        Self::Icon,
    ];

    /// The content.
    pub fn content(self) -> &'static str {
        match self {
            Self::Style => include_str!("../assets/page.css"),
            Self::ConsoleStyle => include_str!("../assets/console.css"),
            Self::Script => include_str!("../assets/form.js"),
            Self::ConsoleScript => include_str!("../assets/console.js"),
            Self::Frame => include_str!("../assets/frame.js"),
            Self::Icon => include_str!("../assets/icon.svg"),
            Self::Embed => include_str!("../assets/embed.js"),
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Style | Self::ConsoleStyle => "text/css; charset=utf-8",
            Self::Script | Self::ConsoleScript | Self::Frame | Self::Embed => {
                "text/javascript; charset=utf-8"
            }
            Self::Icon => "image/svg+xml",
        }
    }

    /// The path from the base URL.
    ///
    /// ```
    /// let path = formalize_web::Asset::Style.path();
    /// assert!(path.starts_with("/assets/page.") && path.ends_with(".css"));
    /// ```
    pub fn path(self) -> &'static str {
        let found = PATHS.iter().find(|(asset, _)| *asset == self);
        found.map_or("/embed.js", |(_, path)| path)
    }

    fn hashed_path(self) -> String {
        let (name, extension) = match self {
            Self::Style => ("page", "css"),
            Self::ConsoleStyle => ("console", "css"),
            Self::Script => ("form", "js"),
            Self::ConsoleScript => ("console", "js"),
            Self::Frame => ("frame", "js"),
            Self::Icon => ("icon", "svg"),
            Self::Embed => ("embed", "js"),
        };
        let mut hash = String::new();
        for byte in Sha256::digest(self.content()).iter().take(8) {
            // Writing to a string cannot fail.
            let _ = write!(hash, "{byte:02x}");
        }
        format!("/assets/{name}.{hash}.{extension}")
    }
}
