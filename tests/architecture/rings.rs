//! Rings of files: files of a crate each of which uses the others, by itself or through them. Such files can only be understood
//! together. A module and those below it are one room, so that these may use each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::{root, sources};

/// The names of a module below the root of its crate.
type Module = Vec<String>;

/// The files of the largest ring of a crate; none if it has no ring.
pub(crate) fn largest(folder: &str) -> Vec<String> {
    let files = Files::read(folder);
    let modules = files.texts.keys();
    let uses: Uses = modules.map(|one| (one.clone(), files.used(one))).collect();
    let reached = uses.keys().map(|one| (one, reached(one, &uses)));
    let reached: BTreeMap<_, _> = reached.collect();
    let rings = reached.iter().map(|(one, others)| {
        let leads_back = |other: &&Module| reached.get(other).is_some_and(|it| it.contains(*one));
        let ring = others.iter().copied().filter(|other| leads_back(other));
        ring.map(|module| module.join("::")).collect::<Vec<_>>()
    });
    rings.max_by_key(Vec::len).unwrap_or_default()
}

/// What each module uses.
type Uses = BTreeMap<Module, BTreeSet<Module>>;

/// What a module uses, and what that uses, and so on.
fn reached<'u>(from: &'u Module, uses: &'u Uses) -> BTreeSet<&'u Module> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        let next = uses.get(module).into_iter().flatten();
        open.extend(next.filter(|other| found.insert(*other)));
    }
    found
}

/// The product code of a crate.
struct Files {
    texts: BTreeMap<Module, String>,
    /// The names that modules re-export, and what they mean.
    exported: BTreeMap<(Module, String), Module>,
}

impl Files {
    fn read(folder: &str) -> Self {
        let mut texts = BTreeMap::new();
        for (path, text) in sources(folder) {
            let inside = path.strip_prefix(root().join(folder)).unwrap();
            let names = inside.to_str().unwrap().trim_end_matches(".rs");
            let mut module: Module = names.split('/').map(str::to_owned).collect();
            if ["mod", "lib", "main"].contains(&module.last().unwrap().as_str()) {
                module.pop();
            }
            // The root only says what there is.
            if !module.is_empty() && !module.contains(&"tests".to_owned()) {
                texts.insert(module, text);
            }
        }
        let mut exported = BTreeMap::new();
        for (module, text) in &texts {
            let exports = text.split("pub").skip(1).filter_map(|rest| {
                let rest = rest
                    .strip_prefix('(')
                    .map_or(Some(rest), |it| Some(it.split_once(')')?.1));
                rest?.trim_start().strip_prefix("use ")?.split(';').next()
            });
            for (path, name) in exports.flat_map(leaves) {
                let meant =
                    absolute(&path, module).unwrap_or_else(|| [&module[..], &path[..]].concat());
                exported.insert((module.clone(), name), meant);
            }
        }
        Self { texts, exported }
    }

    /// The other modules whose names are in the text of a module.
    fn used(&self, module: &Module) -> BTreeSet<Module> {
        let text = self.texts.get(module).map_or("", String::as_str);
        let statements = text
            .split("use ")
            .skip(1)
            .filter_map(|rest| rest.split(';').next());
        let imported = statements.flat_map(leaves).map(|(path, _)| path);
        let words = text.split(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter));
        let inline = words.filter(|word| word.contains("::")).map(names);
        let paths = imported
            .chain(inline)
            .filter_map(|path| absolute(&path, module));
        let used = paths.filter_map(|path| self.resolve(path));
        let is_other = |other: &Module| !other.starts_with(module) && !module.starts_with(other);
        used.filter(is_other).collect()
    }

    /// The file in which something is that a path names.
    fn resolve(&self, mut path: Module) -> Option<Module> {
        // No name is re-exported through more modules.
        for _ in 0..8 {
            let mut file = path.clone();
            while !self.texts.contains_key(&file) {
                file.pop()?;
            }
            let length = file.len();
            let name = path.get(length).cloned();
            match name.and_then(|name| self.exported.get(&(file.clone(), name))) {
                Some(meant) if *meant != path => path.clone_from(meant),
                _ => return Some(file),
            }
        }
        None
    }
}

/// The paths in a tree of imports, each with the name by which it is known.
fn leaves(tree: &str) -> Vec<(Module, String)> {
    let mut found = Vec::new();
    for branch in branches(tree) {
        if let Some((before, inside)) = branch.split_once('{') {
            let inside = inside.rsplit_once('}').map_or(inside, |(inside, _)| inside);
            let below = leaves(inside).into_iter();
            found.extend(below.map(|(path, name)| ([names(before), path].concat(), name)));
        } else if !branch.trim().is_empty() {
            let (path, alias) = branch.split_once(" as ").unwrap_or((&branch, ""));
            let path = names(path);
            let known = [
                alias.trim().to_owned(),
                path.last().cloned().unwrap_or_default(),
            ];
            let known = known.into_iter().find(|name| !name.is_empty());
            found.push((path, known.unwrap_or_default()));
        }
    }
    found
}

/// The parts of a list between its commas, except for those in braces.
fn branches(list: &str) -> Vec<String> {
    let mut depth = 0;
    let parts = list.split_inclusive(['{', '}', ',']);
    let mut branches = vec![String::new()];
    for part in parts {
        match part.chars().last() {
            Some('{') => depth += 1,
            Some('}') => depth -= 1,
            _ => {}
        }
        let ends = depth == 0 && part.ends_with(',');
        if let Some(branch) = branches.last_mut() {
            branch.push_str(if ends {
                part.trim_end_matches(',')
            } else {
                part
            });
        }
        if ends {
            branches.push(String::new());
        }
    }
    branches
}

fn names(path: &str) -> Module {
    let names = path.split("::").map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A path from the root of the crate; `None` if it leads elsewhere.
fn absolute(path: &[String], module: &[String]) -> Option<Module> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some([module, rest].concat()),
        "super" => {
            let (_, above) = module.split_last()?;
            match rest.first().map(String::as_str) {
                Some("super") => absolute(rest, above),
                _ => Some([above, rest].concat()),
            }
        }
        _ => None,
    }
}
