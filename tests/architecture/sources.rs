//! The sources, as text.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// Every Rust file below a folder, with its product code.
pub(crate) fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, product_code(&text)));
            }
        }
    }
    assert!(!found.is_empty(), "no sources in {folder}");
    found.sort();
    found
}

/// The code of a file without comments and without the items that only tests compile.
pub(crate) fn product_code(text: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            let indent = line.len() - line.trim_start().len();
            skip_item(&mut lines, indent);
        } else if !line.trim_start().starts_with("//") {
            kept.push(line);
        }
    }
    kept.join("\n")
}

/// Skips an item as rustfmt writes it: to the line that closes it, at the indent at which it began.
fn skip_item<'a>(lines: &mut impl Iterator<Item = &'a str>, indent: usize) {
    for line in lines {
        let depth = line.len() - line.trim_start().len();
        let text = line.trim();
        let is_attribute = text.starts_with("#[") || text.starts_with("//");
        if depth == indent && !is_attribute && text.ends_with(['}', ';', ',']) {
            return;
        }
    }
}

/// The names that a text uses from the root of its crate: `a`, `b` and `c` in `use crate::{a::x, b::{y, z}}; crate::c::w`.
pub(crate) fn names_of_crate(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for rest in text.split("crate::").skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            names.push(first_word(rest));
            continue;
        };
        names.push(first_word(list));
        let mut depth = 1;
        for (index, character) in list.char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => names.push(first_word(list.split_at(index + 1).1)),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

pub(crate) fn first_word(text: &str) -> &str {
    let is_part_of_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut words = text
        .trim_start()
        .split(|character| !is_part_of_word(character));
    words.next().unwrap_or_default()
}

#[test]
fn what_follows_tests_is_product_code() {
    let text = "use a;\n#[cfg(test)]\n#[cfg(unix)]\nmod tests;\nuse b;\n\
        #[cfg(test)]\nmod more {\n    fn c() {}\n    mod d {\n    }\n}\n// comment\nfn e(\n) {\n}\n\
        #[cfg(test)]\nuse f::{\n    g,\n};\nstruct H {\n    #[cfg(test)]\n    i: u8,\n    j: u8,\n}";
    let code = "use a;\nuse b;\nfn e(\n) {\n}\nstruct H {\n    j: u8,\n}";
    assert_eq!(product_code(text), code);
}

#[test]
fn names_of_a_crate_are_found() {
    let text = "use crate::{\n    a::x,\n    b::{y, z},\n    c,\n};\nuse crate::d;\nlet e = crate::e::w(f);";
    assert_eq!(names_of_crate(text), ["a", "b", "c", "d", "e"]);
}
