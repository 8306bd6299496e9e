//! The fenced blocks of the documents.

use std::fs;
use std::path::{Path, PathBuf};

/// A fenced block and its position.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The path of the document below the root of the repository.
    pub(super) document: String,
    /// The last heading before it.
    pub(super) section: String,
    pub(super) language: String,
    pub(super) text: String,
}

impl Block {
    /// Whether it is code that rustdoc compiles, because the document is part of a crate's documentation.
    pub(super) fn is_rust(&self) -> bool {
        self.language.starts_with("rust") || self.language.starts_with("no_run")
    }

    /// Whether it is part of a Cargo manifest.
    pub(super) fn is_manifest(&self) -> bool {
        self.language == "toml" && self.text.lines().any(|line| line == "[dependencies]")
    }

    /// Whether it only shows output or a diagram.
    pub(super) fn is_text(&self) -> bool {
        ["", "text"].contains(&self.language.as_str())
    }
}

/// The root of the repository.
pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// All blocks of all documents, in order.
pub(super) fn all() -> Vec<Block> {
    let mut documents = Vec::new();
    collect(root(), &mut documents);
    documents.sort();
    let blocks = documents.iter().flat_map(|document| {
        let text = fs::read_to_string(root().join(document)).unwrap();
        blocks(document.to_str().unwrap(), &text)
    });
    blocks.collect()
}

/// Finds documents in a folder, except hidden folders, build output and installed packages.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_ours =
            !name.starts_with('.') && name != "node_modules" && !path.join("CACHEDIR.TAG").exists();
        if path.is_dir() && is_ours {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path.strip_prefix(root()).unwrap().to_owned());
        }
    }
}

fn blocks(document: &str, text: &str) -> Vec<Block> {
    let (mut found, mut section) = (Vec::new(), "");
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            let inside = lines.by_ref().take_while(|line| line.trim() != "```");
            found.push(Block {
                document: document.to_owned(),
                section: section.to_owned(),
                language: language.to_owned(),
                text: inside.flat_map(|line| [line, "\n"]).collect(),
            });
        } else if line.starts_with('#') {
            section = line.trim_start_matches('#').trim();
        }
    }
    found
}

#[test]
fn blocks_have_their_document_and_section() {
    let text = "# One\n```sh\n# no heading\n\nls\n```\n## Two\n\n```\nx\n```\n";
    let block = |section: &str, language: &str, text: &str| Block {
        document: "a.md".to_owned(),
        section: section.to_owned(),
        language: language.to_owned(),
        text: text.to_owned(),
    };
    let expected = [
        block("One", "sh", "# no heading\n\nls\n"),
        block("Two", "", "x\n"),
    ];
    assert_eq!(blocks("a.md", text), expected);
}
