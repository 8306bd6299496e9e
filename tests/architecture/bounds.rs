//! Measures that must not grow unnoticed. Each bound equals the current value, so a change in either direction updates it here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use crate::members::{folders, front_ends};
use crate::rings;
use crate::sources::{first_word, names_of_crate, product_code, root, sources};

/// The names that a user of the library meets first.
const NAMES_AT_THE_ROOT: usize = 106;

/// The methods that a store must implement.
const METHODS_OF_A_STORE: usize = 39;

/// The places outside of the library that name an action or check a permission by one, and why they may. All others ask the
/// library by `Operation`.
const RULES_IN_FRONT_ENDS: &[(&str, usize, &str)] = &[
    (
        "formalize-cli/src/command/check.rs",
        1,
        "the command that asks about whatever action people name",
    ),
    (
        "crates/relay/src/forms.rs",
        8,
        "the old client wants the actions on a form apart from those on its submissions, in other words",
    ),
    (
        "crates/relay/src/tags.rs",
        3,
        "the words of the old client for actions on tags",
    ),
];

/// The places in the use cases that begin a transaction that writes, and those that commit one.
const WRITES: usize = 1;

/// The packages that a program compiles with the library and these of its features, the library included.
const PACKAGES_BELOW_THE_LIBRARY: [(&str, usize); 2] = [("", 79), ("forms", 125)];

/// The modules of the library. Each uses only those before it.
const MODULES: &[&str] = &[
    "macros",
    "must_be",
    "time",
    "database_parameters",
    "id",
    "page",
    "fields",
    "model",
    "admission",
    "offload",
    "file_store",
    "statistics",
    "authz",
    "store",
    "invalid_value",
    "error",
    "listing",
    "authorizer",
    "internals",
    "export",
    "import",
    "summary",
    "service",
    "config",
];

/// The same for the crate below the library.
const MODULES_OF_SCHEMAS: &[&str] = &["suggestion", "schema", "questions", "editor", "internals"];

/// The same for what front ends over HTTP have in common.
const MODULES_OF_HTTP: &[&str] = &[
    "gzip",
    "percent",
    "tag",
    "readiness",
    "contract",
    "directory",
    "config",
    "connections",
    "failure",
    "observe",
    "rate",
    "auth",
    "request",
    "middleware",
    "exports",
    "files",
];

/// The same for the server.
const MODULES_OF_THE_SERVER: &[&str] =
    &["urls", "webhooks", "feed", "api", "openapi", "app", "serve"];

#[test]
fn the_library_has_no_more_names_at_its_root() {
    let root = crate_root("formalize-core/src");
    // A list such as `a::{b, c}` has a name before each comma, and one at its end.
    let lists = statements(&root, "pub use ");
    let names = lists.into_iter().flat_map(|list| list.split(','));
    let names = names.filter(|name| name.contains(char::is_alphanumeric));
    let names = names.count() + statements(&root, "pub mod ").len();
    assert_eq!(names, NAMES_AT_THE_ROOT);
}

#[test]
fn a_store_needs_no_more_methods() {
    let mut traits = BTreeMap::new();
    for (path, text) in sources("formalize-core/src/store") {
        let path = path.display().to_string();
        if !path.contains("/memory/") {
            traits.extend(traits_in(&text));
        }
    }
    let mut wanted = vec![
        "Store".to_owned(),
        "ReadTx".to_owned(),
        "WriteTx".to_owned(),
        "OwnedTx".to_owned(),
    ];
    let mut methods = 0;
    while let Some(name) = wanted.pop() {
        if let Some((above, required)) = traits.remove(&name) {
            wanted.extend(above);
            methods += required;
        }
    }
    assert_eq!(methods, METHODS_OF_A_STORE);
}

/// The traits in a text, as rustfmt writes it: the names of what each builds on, and the number of methods without a body.
fn traits_in(text: &str) -> Vec<(String, (Vec<String>, usize))> {
    let traits = text.split("\npub trait ").skip(1);
    let described = traits.map(|rest| {
        let (head, body) = rest.split_once('{').unwrap();
        let body = body.split("\n}").next().unwrap();
        let mut above = head.split(|letter: char| !letter.is_alphanumeric());
        let name = above.next().unwrap().to_owned();
        let above = above.filter(|word| !word.is_empty()).map(str::to_owned);
        // The signature of a method without a body ends with a semicolon at the end of a line.
        let methods = body.split("fn ").skip(1);
        let required = methods.filter(|method| {
            let mut ends = method.lines().map(str::trim_end);
            let end = ends.find(|line| line.ends_with([';', '{', '}']));
            end.is_some_and(|line| line.ends_with(';'))
        });
        (name, (above.collect(), required.count()))
    });
    described.collect()
}

#[test]
fn front_ends_hold_no_more_rules() {
    let asks = [".allows(", ".is_granted("];
    let mut found = BTreeMap::new();
    for folder in front_ends() {
        for (path, text) in sources(&folder) {
            let asked: usize = asks.iter().map(|word| text.matches(word).count()).sum();
            let rules = asked + actions_named(&text);
            if rules > 0
                && !path.ends_with("tests.rs")
                && !path.to_str().unwrap().contains("/tests/")
            {
                let inside = path.strip_prefix(root()).unwrap();
                found.insert(inside.to_str().unwrap().to_owned(), rules);
            }
        }
    }
    let expected = RULES_IN_FRONT_ENDS.iter();
    let expected = expected.map(|(path, rules, _)| ((*path).to_owned(), *rules));
    assert_eq!(found, expected.collect());
}

/// How often a text names an action of the library, such as `Action::READ` or `TagAction::Read`.
fn actions_named(text: &str) -> usize {
    let named = text.split("Action::").skip(1).filter(|rest| {
        let name = first_word(rest);
        name.len() > 1
            && name
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter == '_')
    });
    let on_tags = text.split("TagAction::").skip(1);
    let on_tags = on_tags.filter(|rest| rest.starts_with(char::is_uppercase));
    named.count() + on_tags.count()
}

#[test]
fn use_cases_begin_no_more_transactions_by_themselves() {
    let sources = sources("formalize-core/src/service");
    for call in [".write()", ".commit()"] {
        let calls = sources.iter().map(|(_, text)| text.matches(call).count());
        assert_eq!(calls.sum::<usize>(), WRITES, "{call}");
    }
}

#[test]
fn no_more_packages_are_below_the_library() {
    let found = PACKAGES_BELOW_THE_LIBRARY.map(|(features, _)| (features, packages_with(features)));
    assert_eq!(found, PACKAGES_BELOW_THE_LIBRARY);
}

fn packages_with(features: &str) -> usize {
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--package",
            "formalize-core",
            "--no-default-features",
            "--locked",
            "--offline",
        ])
        .args(["--features", features])
        .args(["--edges", "normal", "--prefix", "none"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        tree.status.success(),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    let tree = String::from_utf8(tree.stdout).unwrap();
    let packages: BTreeSet<_> = tree
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    packages.len()
}

/// The number of files in the largest ring of each crate: files that use each other, so that none can be read alone.
const RINGS: &[(&str, usize)] = &[
    ("crates/conformance/src", 2),
    ("crates/http/src", 3),
    ("crates/pages/src", 3),
    ("crates/relay/src", 2),
    ("crates/schema/src", 3),
    ("crates/sql/src", 2),
    ("crates/views/src", 2),
    ("formalize-cli/src", 0),
    ("formalize-core/src", 0),
    ("formalize-server/src", 0),
    ("formalize-web/src", 3),
    ("formalize-webhook-sender/src", 2),
];

#[test]
fn no_ring_of_files_grows() {
    let found = folders().into_iter().map(|folder| {
        let ring = rings::largest(&folder);
        println!("{folder}: {}", ring.join(", "));
        (folder, ring.len())
    });
    let found: BTreeMap<_, _> = found.collect();
    let known = RINGS
        .iter()
        .map(|(folder, files)| ((*folder).to_owned(), *files));
    assert_eq!(found, known.collect());
}

#[test]
fn modules_of_the_library_depend_one_way() {
    assert_order("formalize-core/src", MODULES);
}

#[test]
fn modules_of_schemas_depend_one_way() {
    assert_order("crates/schema/src", MODULES_OF_SCHEMAS);
}

#[test]
fn modules_of_http_depend_one_way() {
    assert_order("crates/http/src", MODULES_OF_HTTP);
}

#[test]
fn modules_of_the_server_depend_one_way() {
    assert_order("formalize-server/src", MODULES_OF_THE_SERVER);
}

/// Fails if a module of a crate uses a later one.
fn assert_order(folder: &str, modules: &[&str]) {
    let mut seen = BTreeSet::new();
    let of_name = modules_of_names(folder, modules);
    for (path, text) in sources(folder) {
        let inside = path.strip_prefix(root().join(folder)).unwrap();
        let inside = inside.to_str().unwrap();
        let module = first_word(inside);
        let is_product = !["/tests/", "/hostile"]
            .iter()
            .any(|part| inside.contains(part));
        if ["lib", "main", "guide"].contains(&module) || inside.ends_with("tests.rs") || !is_product
        {
            continue;
        }
        let place = |name: &str| modules.iter().position(|other| *other == name);
        assert_ne!(place(module), None, "`{module}` has no place in the order");
        for name in names_of_crate(&text) {
            let used = of_name.get(name).map_or(name, String::as_str);
            assert_ne!(
                place(used),
                None,
                "{inside} uses `{used}`, which has no place in the order"
            );
            assert!(
                place(used) <= place(module),
                "{inside} uses the later `{used}`"
            );
        }
        seen.insert(module.to_owned());
    }
    assert_eq!(seen, modules.iter().map(|&name| name.to_owned()).collect());
}

/// The module of each name that a crate has at its root.
fn modules_of_names(folder: &str, modules: &[&str]) -> BTreeMap<String, String> {
    let root = crate_root(folder);
    let mut of_name = BTreeMap::new();
    for list in statements(&root, "pub use ") {
        let module = first_word(list);
        let words = list.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let names = words.filter(|word| !word.is_empty() && !modules.contains(word));
        of_name.extend(names.map(|name| (name.to_owned(), module.to_owned())));
    }
    of_name
}

/// The product code of the root of a crate.
fn crate_root(folder: &str) -> String {
    let text = fs::read_to_string(root().join(folder).join("lib.rs")).unwrap();
    product_code(&text)
}

/// What follows a word at the beginning of a line, up to the semicolon.
fn statements<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let begin = format!("\n{word}");
    let behind = text.split(begin.as_str()).skip(1);
    behind.filter_map(|rest| rest.split(';').next()).collect()
}
