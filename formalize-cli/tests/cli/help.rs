//! The help texts.

use clap::Command;

use crate::bench::Bench;

#[test]
fn without_arguments_the_program_prints_first_steps() {
    let bench = Bench::empty();
    let alone = bench.start(&[], &[], "").expect(0);
    assert!(alone.err.is_empty());
    insta::assert_snapshot!("formalize", alone.out);
    let no_command = bench.start(&["-o", "json"], &[], "").expect(0);
    assert_eq!(no_command.out, alone.out);
}

#[test]
fn every_command_has_help_with_an_example() {
    let mut texts = Vec::new();
    collect("formalize", formalize_cli::command(), &mut texts);
    for (name, text) in &texts {
        assert!(text.contains("Example:\n  "), "{name}");
    }
    let texts: Vec<String> = texts
        .into_iter()
        .map(|(name, text)| format!("=== {name}\n{}", without_global_options(&text)))
        .collect();
    insta::assert_snapshot!("commands", texts.join("\n"));
}

/// The short help of every command without subcommands.
fn collect(name: &str, mut command: Command, texts: &mut Vec<(String, String)>) {
    command.build();
    let below: Vec<Command> = command
        .get_subcommands()
        .filter(|below| below.get_name() != "help")
        .cloned()
        .collect();
    if below.is_empty() {
        texts.push((name.to_owned(), command.render_help().to_string()));
    }
    for command in below {
        collect(&format!("{name} {}", command.get_name()), command, texts);
    }
}

#[test]
fn global_options_are_explained_once_and_listed_for_every_command() {
    let mut texts = Vec::new();
    collect("formalize", formalize_cli::command(), &mut texts);
    let all = formalize_cli::command().render_help().to_string();
    assert!(all.contains("sqlite://FILE"), "{all}");
    for (name, text) in &texts {
        let mut lines = text.lines();
        let line = lines.find(|line| line.starts_with("Global options: "));
        let line = line.unwrap_or_default();
        for option in ["database-url", "config", "as", "attribute", "output", "yes"] {
            assert!(line.contains(&format!("--{option}")), "{name}: {option}");
        }
        for explained in ["sqlite://FILE", "Output format", "Attribute of the user"] {
            assert!(!text.contains(explained), "{name}: {explained}");
        }
    }
}

/// They are the same for every command, and are in the other snapshot.
fn without_global_options(text: &str) -> String {
    let mut paragraphs: Vec<&str> = text.split("\n\n").collect();
    paragraphs.retain(|paragraph| !paragraph.starts_with("Global options:"));
    paragraphs.join("\n\n")
}

#[test]
fn usage_errors_are_explained() {
    let bench = Bench::empty();
    bench.run("form list").expect(2).saying("forms");
    bench
        .run("groups list -o xml")
        .expect(2)
        .saying("table, wide, json, ndjson, csv");
    let version = bench.run("--version").expect(0);
    assert!(version.out.starts_with("formalize "), "{version:?}");
}
