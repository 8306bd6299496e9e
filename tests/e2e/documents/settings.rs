//! Blocks that are no commands: configuration, and what is printed.

use std::fs;
use std::process::Command;

use formalize_tests::binary;

use super::blocks_in;
use super::table::{Thing, World as Place};
use super::worlds::World;

#[test]
fn configurations_are_what_the_server_takes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formalize.toml");
    for (block, _) in blocks_in(|place| place == Place::Configuration) {
        fs::write(&file, &block.text).unwrap();
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

#[test]
#[cfg_attr(not(formalize_nginx), ignore = "no nginx found")]
fn nginx_takes_what_is_written_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let made = Command::new("openssl")
        .args("req -x509 -newkey rsa:2048 -nodes -subj /CN=forms.example.org".split(' '))
        .args(["-keyout", &path("forms.key"), "-out", &path("forms.pem")])
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
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

/// The second line is refused with what the document shows.
#[test]
fn refused_lines_look_as_they_are_shown() {
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
