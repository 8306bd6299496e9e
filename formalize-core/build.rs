//! Embedded migrations: a new file is noticed only if the folder is watched.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
