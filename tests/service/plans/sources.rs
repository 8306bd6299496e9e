//! The places in the sources where statements are put together.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use formalize_core::store::sql::DatabaseKind;

/// A file, by its path below `store/sql`, and a line of it.
pub(super) type Place = (String, u32);

/// The functions that statements are put together with note where they are called, so they have this attribute.
const MARK: &str = "track_caller";
const FOLDER: &str = "formalize-core/src/store/sql";
/// The file that asks for the plans of others, and is in no product.
const ASKS: &str = "driver/plan.rs";

/// The folder of what only PostgreSQL is sent.
const POSTGRES: &str = "batch/";

/// Every line on which a part of a statement is made that a kind of database is sent.
pub(super) fn places(kind: DatabaseKind) -> BTreeSet<Place> {
    let files = files();
    let functions: Vec<Function> = files.iter().flat_map(|(_, text)| marked(text)).collect();
    assert!(functions.len() > 3, "no marked functions found");
    let mut places = BTreeSet::new();
    let is_sent = |file: &str| kind == DatabaseKind::Postgres || !file.starts_with(POSTGRES);
    for (file, text) in files.iter().filter(|(file, _)| is_sent(file)) {
        for (number, line) in lines_outside_of_marked(text) {
            if functions.iter().any(|function| function.is_called(line)) {
                places.insert((file.clone(), number));
            }
        }
    }
    places
}

/// The place in a file that a compiler names.
pub(super) fn place(file: &str, line: u32) -> Place {
    let (_, below) = file.split_once("store/sql/").unwrap();
    (below.to_owned(), line)
}

/// The product's part of every file.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(FOLDER);
    let mut paths = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if !path.ends_with("tests.rs") && !path.ends_with(ASKS) {
            files.push((name(&path, &root), product_code(&path)));
        }
    }
    files
}

fn name(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap().display().to_string()
}

fn product_code(path: &PathBuf) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.split("\nmod tests {").next().unwrap().to_owned()
}

/// A function that notes where it is called.
#[derive(Debug)]
struct Function {
    name: String,
    is_method: bool,
}

impl Function {
    fn is_called(&self, line: &str) -> bool {
        let call = format!("{}(", self.name);
        line.match_indices(&call).any(|(at, _)| {
            let before = &line[..at];
            match before.chars().next_back() {
                Some('.') => self.is_method,
                Some(last) => {
                    let is_other = last.is_alphanumeric() || last == '_';
                    !(self.is_method || is_other || before.ends_with("fn "))
                }
                None => !self.is_method,
            }
        })
    }
}

fn marked(text: &str) -> Vec<Function> {
    let behind = text.split(MARK).skip(1);
    behind
        .map(|text| {
            let (_, function) = text.split_once("fn ").unwrap();
            let (head, _) = function.split_once('{').unwrap();
            let end = head.find(['<', '(']).unwrap();
            Function {
                name: head[..end].to_owned(),
                is_method: head.contains("self"),
            }
        })
        .collect()
}

/// Numbered lines. A call within a marked function is noted where that is called.
fn lines_outside_of_marked(text: &str) -> Vec<(u32, &str)> {
    let mut outside = Vec::new();
    let mut end_of_marked = None;
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.trim_start();
        if code.contains(MARK) {
            let indentation = &line[..line.len() - code.len()];
            end_of_marked = Some(format!("{indentation}}}"));
        }
        if end_of_marked.as_deref() == Some(line) {
            end_of_marked = None;
        }
        if end_of_marked.is_none() && !code.starts_with("//") {
            outside.push((number, line));
        }
    }
    outside
}
