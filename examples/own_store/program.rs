//! Runs the program as a reader would.

use std::process::Command;

#[test]
fn own_store_ends_well() {
    let output = Command::new(env!("CARGO_BIN_EXE_own_store"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    assert!(output.stdout.is_empty());
}
