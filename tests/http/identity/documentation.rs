//! The configuration in `docs/identity.md` works.

use std::path::Path;

use super::issuers;

#[test]
fn every_example_of_the_documentation_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = std::fs::read_to_string(root.join("docs/identity.md")).unwrap();
    let blocks = text.split("```toml\n").skip(1);
    let examples: Vec<&str> = blocks
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(examples.len() >= 4, "{text}");
    for example in examples {
        assert_eq!(issuers(example).len(), 1, "{example}");
    }
}
