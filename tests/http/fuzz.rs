//! Replays the inputs in `fuzz/corpus` on their fuzz targets.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "the targets are compiled as a library")]
mod targets;

/// Runs a target on all of its inputs.
fn go_through(target: &str, run: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    let inputs: Vec<_> = fs::read_dir(corpus.join(target)).unwrap().collect();
    assert!(!inputs.is_empty(), "{target}");
    for input in inputs {
        let input = input.unwrap().path();
        let bytes = fs::read(&input).unwrap();
        let result = catch_unwind(|| run(&bytes));
        assert!(result.is_ok(), "{}", input.display());
    }
}

macro_rules! corpora {
    ($($target:ident)+) => {$(
        #[test]
        fn $target() {
            go_through(stringify!($target), targets::$target);
        }
    )+};
}

corpora!(cursor data_feed_schema data_feed_element cel config jwt form_data);

#[test]
fn every_fuzz_target_has_a_corpus_and_is_replayed() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let names = |folder: &str| {
        let entries = fs::read_dir(fuzz.join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut names: Vec<_> = paths
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("corpus"), names("fuzz_targets"));
    let script = fs::read_to_string(fuzz.join("run")).unwrap();
    for name in names("fuzz_targets") {
        assert!(script.contains(&name), "{name}");
    }
}
