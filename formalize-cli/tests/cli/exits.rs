//! Exit codes of the program itself. Code 4 requires a database with a password and is tested in `tests/e2e`.

use crate::bench::Bench;

const UNKNOWN: &str = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";

#[test]
fn every_exit_code_is_returned() {
    let bench = Bench::new();
    let form = bench.id("forms create --name F --max-num-submissions-per-creator 1");
    let submit = format!("submissions create --form {form} --data -");
    bench.run_with_input(&submit, "{}").expect(0);
    let table = [
        ("forms list".to_owned(), 0),
        ("help forms".to_owned(), 0),
        ("forms create --name F --schema missing.json".to_owned(), 1),
        ("forms list --output xml".to_owned(), 2),
        (format!("forms delete {form}"), 2),
        (format!("forms show {UNKNOWN}"), 3),
        (format!("forms show {form} --as bob"), 5),
        (submit, 6),
        ("groups create ''".to_owned(), 7),
        (
            "forms list --database-url sqlite://missing.db".to_owned(),
            8,
        ),
    ];
    for (line, code) in table {
        let words: Vec<&str> = line
            .split(' ')
            .map(|word| if word == "''" { "" } else { word })
            .collect();
        let ran = bench.start(&words, &[], "{}");
        assert_eq!(ran.code, code, "{line}: {ran:?}");
    }
}

/// `check` reports its result as an exit code; a denial is not an error.
#[test]
fn a_denied_check_is_not_an_error() {
    let bench = Bench::new();
    let line = "check --user bob --action create --resource DbpRelayFormalizeForm";
    let denied = bench.run(line);
    assert_eq!((denied.code, denied.out.as_str()), (5, "denied\n"));
    assert!(!denied.err.contains("error"), "{denied:?}");
}
