//! `docs/cli.md` matches the help of the program, and its examples are valid command lines.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command};

/// The rest of the file after this line is written by `the_reference_matches_the_program`.
const MARK: &str = "<!-- From here on generated from the program: see CONTRIBUTING.md. -->\n";

#[test]
fn the_reference_matches_the_program() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/cli.md");
    let text = std::fs::read_to_string(&file).unwrap();
    let (written, generated) = text.split_once(MARK).unwrap();
    let expected = reference();
    if std::env::var_os("FORMALIZE_UPDATE_DOCS").is_some() {
        std::fs::write(&file, format!("{written}{MARK}{expected}")).unwrap();
        return;
    }
    assert_eq!(
        generated, expected,
        "docs/cli.md is outdated; set FORMALIZE_UPDATE_DOCS=1 to regenerate it"
    );
}

#[test]
fn every_example_is_a_valid_command_line() {
    for (name, command) in commands() {
        let help = command.get_after_help().map(ToString::to_string);
        let lines = calls(&help.unwrap_or_default());
        assert!(!lines.is_empty(), "{name} has no example");
        for words in lines {
            let line = words.join(" ");
            let asked_for = words.get(..name.split(' ').count()).unwrap_or_default();
            assert_eq!(
                asked_for.join(" "),
                name,
                "the example is for a different command"
            );
            let parsed = formalize_cli::command().try_get_matches_from(words);
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
    }
}

#[test]
fn the_help_of_every_noun_has_an_example() {
    for noun in formalize_cli::command().get_subcommands() {
        let help = noun.get_after_help().map(ToString::to_string);
        let calls = calls(&help.unwrap_or_default());
        assert_eq!(calls[0][1], noun.get_name());
    }
}

#[test]
fn the_first_steps_are_valid_command_lines() {
    let help = formalize_cli::command()
        .get_after_help()
        .unwrap()
        .to_string();
    let steps = help.split("Exit codes:").next().unwrap();
    // The description of a step follows the command after several spaces.
    let steps: Vec<&str> = steps
        .lines()
        .filter(|line| line.starts_with("  formalize "))
        .map(|line| line.trim().split("   ").next().unwrap())
        .collect();
    assert!(steps.len() >= 4, "{steps:?}");
    for step in steps.into_iter().filter(|step| !step.contains(" help ")) {
        for words in calls(step) {
            let parsed = formalize_cli::command().try_get_matches_from(&words);
            assert!(parsed.is_ok(), "{step}: {}", parsed.unwrap_err());
        }
    }
}

/// Every command without subcommands, by its full name.
fn commands() -> Vec<(String, Command)> {
    let mut found = Vec::new();
    let mut root = formalize_cli::command();
    root.build();
    collect("formalize", &root, &mut found);
    found
}

fn collect(name: &str, command: &Command, found: &mut Vec<(String, Command)>) {
    let below = || {
        command
            .get_subcommands()
            .filter(|below| below.get_name() != "help")
    };
    if below().next().is_none() {
        found.push((name.to_owned(), command.clone()));
    }
    for command in below() {
        collect(&format!("{name} {}", command.get_name()), command, found);
    }
}

/// The words of every invocation of the program in a piece of shell.
fn calls(shell: &str) -> Vec<Vec<String>> {
    let mut calls: Vec<Vec<String>> = Vec::new();
    let mut inside = false;
    for word in words(
        &shell
            .replace("\\\n", " ")
            .replace("$(", " ")
            .replace(')', " "),
    ) {
        match word.as_str() {
            "|" | ">" | "\n" => inside = false,
            "formalize" if !inside => {
                inside = true;
                calls.push(vec![word]);
            }
            _ if inside => calls.last_mut().unwrap().push(word),
            _ => {}
        }
    }
    calls
}

/// Splits text into words like a shell: quotes protect spaces and are removed.
fn words(shell: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in shell.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, ' ' | '\n') => {
                words.extend(word.take());
                if character == '\n' {
                    words.push("\n".to_owned());
                }
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

fn reference() -> String {
    let mut root = formalize_cli::command();
    root.build();
    let mut text = String::new();
    writeln!(
        text,
        "\n## Global options\n\nThey may stand before or after the command.\n"
    )
    .unwrap();
    let globals = root.get_arguments().filter(|arg| is_global(arg));
    table(&mut text, globals);
    let help = root.get_after_help().unwrap().to_string();
    let codes = help.split_once("Exit codes:\n").unwrap().1;
    writeln!(text, "\n## Exit codes\n\n| code | meaning |\n|---|---|").unwrap();
    for line in codes.lines() {
        let (code, meaning) = line.trim().split_once("  ").unwrap();
        writeln!(text, "| {code} | {meaning} |").unwrap();
    }
    let mut noun = String::new();
    for (name, command) in commands() {
        let words: Vec<&str> = name.split(' ').collect();
        if words[1] != noun {
            words[1].clone_into(&mut noun);
            let about = root.find_subcommand(&noun).unwrap().get_about().unwrap();
            writeln!(text, "\n## {noun}\n\n{about}.").unwrap();
        }
        section(&mut text, &name, command);
    }
    text
}

fn is_global(arg: &Arg) -> bool {
    arg.get_help_heading() == Some("Global options")
}

fn section(text: &mut String, name: &str, mut command: Command) {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").trim();
    let about = command.get_about().unwrap().to_string();
    let long = command.get_long_about().map(ToString::to_string);
    let details = long.and_then(|long| Some(long.split_once("\n\n")?.1.to_owned()));
    writeln!(text, "\n### {name}\n\n{about}.\n").unwrap();
    if let Some(details) = details {
        writeln!(text, "{details}\n").unwrap();
    }
    writeln!(text, "```text\n{usage}\n```\n").unwrap();
    let own = |arg: &&Arg| !is_global(arg) && arg.get_id() != "help" && arg.get_id() != "version";
    if command.get_arguments().any(|arg| own(&arg)) {
        table(text, command.get_arguments().filter(own));
        writeln!(text).unwrap();
    }
    let example = command.get_after_help().unwrap().to_string();
    let example = example.trim_start_matches("Example:\n");
    let lines = example
        .lines()
        .map(|line| line.strip_prefix("  ").unwrap_or(line));
    let lines: Vec<&str> = lines.collect();
    writeln!(text, "```sh\n{}\n```", lines.join("\n")).unwrap();
}

fn table<'a>(text: &mut String, arguments: impl Iterator<Item = &'a Arg>) {
    writeln!(text, "| argument | meaning |\n|---|---|").unwrap();
    for argument in arguments {
        let help = argument.get_long_help().or(argument.get_help());
        let help = help.map(ToString::to_string).unwrap_or_default();
        let mut meaning = help
            .replace("\n\n", ". ")
            .replace('\n', " ")
            .replace('|', "\\|");
        let values: Vec<String> = argument
            .get_possible_values()
            .iter()
            .filter(|_| argument.get_action().takes_values())
            .map(|value| format!("`{}`", value.get_name()))
            .collect();
        if !values.is_empty() {
            write!(meaning, ": {}", values.join(", ")).unwrap();
        }
        let defaults = argument.get_default_values();
        if let (true, [default]) = (argument.get_action().takes_values(), defaults) {
            write!(meaning, " (default `{}`)", default.display()).unwrap();
        }
        for alias in argument.get_visible_aliases().unwrap_or_default() {
            write!(meaning, "; also `--{alias}`").unwrap();
        }
        writeln!(text, "| {} | {meaning} |", called(argument)).unwrap();
    }
}

fn called(argument: &Arg) -> String {
    let shown = argument.to_string().replace('|', "\\|");
    match (argument.get_short(), argument.get_long()) {
        (Some(short), Some(_)) => format!("`-{short}`, `{shown}`"),
        _ => format!("`{shown}`"),
    }
}
