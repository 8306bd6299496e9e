//! The places in the sources that build statements.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use formalize_core::store::sql::DatabaseKind;

/// A file, by its path below `store/sql`, and a line number.
pub(super) type Place = (String, u32);

/// Functions that build statements record their caller, so they have this attribute.
const MARK: &str = "track_caller";
const FOLDER: &str = "formalize-core/src/store/sql";
/// The file that requests plans; it is not part of the product.
const ASKS: &str = "driver/explain.rs";

/// The folder of statements that only PostgreSQL receives.
const POSTGRES: &str = "batch/";

/// Every line that builds part of a statement for a kind of database.
pub(super) fn places(kind: DatabaseKind) -> BTreeSet<Place> {
    let files = files();
    let functions: Vec<Function> = files.iter().flat_map(|(_, text)| marked(text)).collect();
    assert!(functions.len() > 3, "no functions with the attribute");
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

/// The place for a file and line as the compiler reports them.
pub(super) fn place(file: &str, line: u32) -> Place {
    let (_, below) = file.split_once("store/sql/").unwrap();
    (below.to_owned(), line)
}

/// The product code of every file.
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

/// A function that records its caller.
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

/// Numbered lines. A call inside a marked function is recorded at the caller of that function.
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
