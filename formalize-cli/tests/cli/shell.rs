//! Completions, manual pages, and output for terminals.

use crate::bench::Bench;

#[test]
fn every_shell_has_completions() {
    let bench = Bench::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = bench.run(&format!("completions {shell}")).expect(0).out;
        assert!(script.contains("delete-all"), "{shell}");
        assert!(script.contains("database-url"), "{shell}");
    }
}

#[test]
fn completions_and_manuals_need_no_valid_configuration() {
    let bench = Bench::empty();
    bench.write("formalize.toml", "administrators = 3\n");
    bench.run("completions bash").expect(0);
    bench.run("man pages").expect(0);
}

#[test]
fn every_command_has_a_manual_page() {
    let bench = Bench::empty();
    bench.run("man share/man1").expect(0).saying("share/man1");
    for (page, line) in [
        ("formalize.1", "First steps"),
        ("formalize-submissions-create.1", "--rejected"),
        ("formalize-migrate-up.1", "Example"),
    ] {
        let text = std::fs::read_to_string(bench.path("share/man1").join(page)).unwrap();
        // In roff, hyphens are escaped with a backslash.
        assert!(text.replace('\\', "").contains(line), "{page}: {text}");
    }
    bench.write("taken", "");
    bench.run("man taken").expect(1).saying("taken");
}

/// A pipe is not a terminal.
#[test]
fn output_to_a_pipe_has_no_escape_sequences() {
    let bench = Bench::new();
    let form = bench.id("forms create --name F");
    let create = format!("submissions create --form {form} --data -");
    for (line, input) in [
        (create.as_str(), "{}\n{}\n"),
        ("forms list", ""),
        ("forms lst", ""),
        ("--help", ""),
    ] {
        for variables in [&[][..], &[("NO_COLOR", "1")]] {
            let words: Vec<&str> = line.split(' ').collect();
            let ran = bench.start(&words, variables, input);
            assert!(
                !format!("{}{}", ran.out, ran.err).contains('\u{1b}'),
                "{ran:?}"
            );
            assert!(!ran.err.contains('\r'), "{ran:?}");
        }
    }
}
