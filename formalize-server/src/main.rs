//! Server binary.
fn main() {}
