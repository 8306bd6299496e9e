//! Blocks that are not commands: configuration and output.

use std::fs;
use std::path::Path;
use std::process::Command;

use formalize_core::{DataSchema, files::FileRules};
use formalize_tests::binary;

use super::table::{Thing, World as Place};
use super::worlds::World;
use super::{block, blocks_in};

#[test]
fn the_server_accepts_configuration_examples() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formalize.toml");
    for name in ["people.csv", "rooms.ndjson"] {
        let example = block::root().join("examples").join(name);
        fs::copy(example, folder.path().join(name)).unwrap();
    }
    for (block, _) in blocks_in(|place| place == Place::Configuration) {
        let text = block.text.replace("/etc/formalize/", "");
        fs::write(&file, text).unwrap();
        let checked = Command::new(binary("formalize-server").unwrap())
            .args(["config", "check", "--config"])
            .arg(&file)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(
            checked.status.success(),
            "{block:?}: {}",
            String::from_utf8_lossy(&checked.stderr)
        );
    }
}

/// Cargo parses them as parts of a manifest. Dependencies are not downloaded.
#[test]
fn cargo_accepts_manifest_examples() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = folder.path().join("Cargo.toml");
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), "").unwrap();
    for block in block::all().iter().filter(|block| block.is_manifest()) {
        let package = "[package]\nname = \"user\"\nedition = \"2024\"\n[workspace]\n";
        fs::write(&manifest, format!("{package}{}", block.text)).unwrap();
        let read = Command::new(env!("CARGO"))
            .args([
                "metadata",
                "--no-deps",
                "--format-version",
                "1",
                "--manifest-path",
            ])
            .arg(&manifest)
            .output()
            .unwrap();
        assert!(
            read.status.success(),
            "{block:?}: {}",
            String::from_utf8_lossy(&read.stderr)
        );
    }
}

/// Makes a certificate in `forms.pem` with its key in `key`.
fn make_certificate(folder: &Path, key: &str) {
    let made = Command::new("openssl")
        .args("req -x509 -newkey rsa:2048 -nodes -subj /CN=forms.example.org".split(' '))
        .args(["-keyout", key, "-out", "forms.pem"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
}

#[test]
#[cfg_attr(not(formalize_nginx), ignore = "no nginx found")]
fn nginx_accepts_its_configuration_example() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    make_certificate(folder.path(), "forms.key");
    for (block, _) in blocks_in(|place| place == Place::Nginx) {
        let text = block
            .text
            .replace("/etc/ssl/", &path(""))
            .replace("listen 443", &format!("listen unix:{}", path("socket")));
        let whole = format!("pid {};\nevents {{}}\nhttp {{\n{text}}}\n", path("pid"));
        fs::write(path("nginx.conf"), whole).unwrap();
        let programs = format!("{}:/usr/sbin", std::env::var("PATH").unwrap());
        let checked = Command::new("nginx")
            .env("PATH", programs)
            .args(["-t", "-e", &path("error.log"), "-p", &path("")])
            .args(["-c", &path("nginx.conf")])
            .output()
            .unwrap();
        assert!(checked.status.success(), "{block:?}: {checked:?}");
    }
}

#[test]
#[cfg_attr(not(formalize_haproxy), ignore = "no HAProxy found")]
fn haproxy_accepts_its_configuration_example() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    make_certificate(folder.path(), "forms.pem.key");
    for (block, _) in blocks_in(|place| place == Place::HaProxy) {
        let text = block.text.replace("/etc/ssl/", &path(""));
        fs::write(path("haproxy.cfg"), text).unwrap();
        let programs = format!("{}:/usr/sbin", std::env::var("PATH").unwrap());
        let checked = Command::new("haproxy")
            .env("PATH", programs)
            .args(["-c", "-f", &path("haproxy.cfg")])
            .output()
            .unwrap();
        assert!(checked.status.success(), "{block:?}: {checked:?}");
    }
}

#[test]
fn files_that_scripts_use_are_shown_unchanged() {
    for (block, row) in blocks_in(|place| matches!(place, Place::File(_))) {
        let Place::File(path) = row.world else {
            continue;
        };
        let file = fs::read_to_string(block::root().join(path)).unwrap();
        assert_eq!(block.text, file, "{}: {path}", block.document);
    }
}

/// The metrics in the Prometheus examples must be in the table of metrics, which another test compares with the server.
#[test]
fn prometheus_examples_use_existing_metrics() {
    let reference = include_str!("../../../docs/observability.md");
    for (block, _) in blocks_in(|place| place == Place::Prometheus) {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let words = block.text.split(|letter| !is_part(letter));
        for word in words.filter(|word| word.starts_with("formalize_")) {
            let mut endings = ["_bucket", "_count", "_sum"].into_iter();
            let name = endings
                .find_map(|ending| word.strip_suffix(ending))
                .unwrap_or(word);
            let row = |end: char| reference.contains(&format!("| `{name}{end}"));
            assert!(row('`') || row('{'), "{word}");
        }
    }
}

/// The second line must be rejected with the error in the document.
#[test]
fn rejected_lines_look_as_documented() {
    for (block, _) in blocks_in(|place| place == Place::Refusal) {
        let world = World::installed(None).with(Thing::Form);
        let ran = world.run(
            r#"
            . ./identifiers
            formalize forms update "$FORM" --schema newsletter.schema.json > updated
            printf '{"email":"alice@example.org"}\n{"email":"bob"}\n' > input
            formalize submissions create --form "$FORM" --data input --rejected refused > created
            "#,
        );
        assert_eq!(ran.exits, [7], "{}", ran.printed);
        let refused = fs::read_to_string(world.folder().join("refused")).unwrap();
        assert_eq!(refused, block.text);
    }
}

/// The example has the rules that the section is about.
#[test]
fn examples_of_schemas_are_valid() {
    let mut examples = 0;
    for (block, _) in blocks_in(|place| place == Place::Schema) {
        let schema = DataSchema::compile(&block.text).unwrap();
        assert_ne!(schema.file_rules(), &FileRules::default());
        examples += 1;
    }
    assert!(examples > 0);
}
