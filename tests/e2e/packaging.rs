//! The files that are installed with the programs are valid for the programs and for systemd.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use formalize_tests::binary;

fn packaged(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap().join("packaging").join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(packaged(name)).unwrap()
}

#[test]
fn packaged_configurations_are_accepted_and_print_no_token() {
    for name in ["formalize.toml", "compose.toml"] {
        let checked = Command::new(binary("formalize-server").unwrap())
            .args(["config", "check", "--config"])
            .arg(packaged(name))
            .output()
            .unwrap();
        assert!(checked.status.success(), "{name}: {checked:?}");
        // Without administrators in the configuration, the first start would print a token into a journal.
        assert!(text(name).contains("\nadministrators = "), "{name}");
    }
}

#[test]
#[cfg_attr(not(formalize_systemd), ignore = "no systemd-analyze found")]
fn the_unit_is_valid_and_confined() {
    let folder = tempfile::tempdir().unwrap();
    let unit = folder.path().join("formalize.service");
    let program = binary("formalize-server").unwrap();
    let installed = "/usr/local/bin/formalize-server";
    fs::write(
        &unit,
        text("formalize.service").replace(installed, program.to_str().unwrap()),
    )
    .unwrap();
    let analyze = |arguments: &[&str]| {
        let ran = Command::new("systemd-analyze")
            .args(arguments)
            .arg(&unit)
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(
            ran.status.success() && complaint.is_empty(),
            "{arguments:?}: {ran:?}"
        );
    };
    analyze(&["verify", "--man=no"]);
    // In tenths of systemd's exposure score, in which 10 is a service without any confinement.
    analyze(&["security", "--offline=true", "--no-pager", "--threshold=15"]);
}

#[test]
fn scripts_are_shell() {
    for name in ["build", "try"] {
        let read = Command::new("bash")
            .arg("-n")
            .arg(packaged(name))
            .output()
            .unwrap();
        assert!(read.status.success(), "{name}: {read:?}");
    }
}

/// The server writes exports to the folder that `TMPDIR` names. With a read-only root file system, only volumes can be written.
#[test]
fn exports_can_be_written_in_the_image() {
    let dockerfile = text("Dockerfile");
    let value = |instruction: &str| {
        let mut lines = dockerfile.lines();
        lines.find_map(|line| line.strip_prefix(instruction))
    };
    let folder = value("ENV TMPDIR=").unwrap();
    assert_eq!(value("VOLUME "), Some(folder));
    let copied = format!("COPY --from=build --chown=65532:65532 /state {folder}\n");
    assert!(dockerfile.contains(&copied));
    assert!(text("compose.yaml").contains("read_only: true"));
    let checked = Command::new(binary("formalize-server").unwrap())
        .args(["config", "check"])
        .env("TMPDIR", folder)
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&checked.stdout).into_owned();
    let line = shown.lines().find(|line| line.contains("export_folder"));
    assert!(line.is_some_and(|line| line.contains(folder)), "{shown}");
}

/// The command line in the container reads no configuration file. It must find the files of submissions, too.
#[test]
fn files_are_set_for_all_programs_of_the_container() {
    let setting = "FORMALIZE_FILES_URL: file:/var/lib/formalize/";
    assert!(text("compose.yaml").contains(setting));
    assert!(!text("compose.toml").contains("files_url"));
}

/// The files that the image is made of exist, and the Docker context includes everything that `packaging/build` reads.
#[test]
fn the_image_copies_existing_files() {
    let dockerfile = text("Dockerfile");
    assert!(dockerfile.contains("RUN packaging/build /package\n"));
    assert!(dockerfile.contains("\nUSER 65532:65532\n"));
    let given = text("Dockerfile.dockerignore");
    let members = fs::read_to_string(packaged("../Cargo.toml")).unwrap();
    let line = members
        .lines()
        .find(|line| line.starts_with("members = "))
        .unwrap();
    for member in line.split('"').skip(1).step_by(2) {
        let mut folders = given.lines().filter_map(|line| line.strip_prefix('!'));
        let given = folders.any(|folder| Path::new(member).starts_with(folder));
        assert!(given, "{member}");
    }
}
