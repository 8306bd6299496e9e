//! Tests every block of every document as written: commands are run, and configuration is parsed by the program that
//! reads it.
//!
//! The table says where each block runs, and a block without a row fails. `worlds` describes what is changed in a block
//! before it runs: addresses, system folders, and the identifier in examples.

mod block;
mod picture;
mod settings;
mod table;
mod worlds;

use std::fs;
use std::process::Command;

use formalize_tests::TestDatabase;

use self::block::Block;
use self::table::{Row, World as Place};
use self::worlds::{Ran, World};

/// The blocks that run in a kind of place, with their rows.
fn blocks_in(is_there: impl Fn(Place) -> bool) -> Vec<(Block, &'static Row)> {
    let placed = block::all().into_iter().filter_map(|block| {
        let row = table::row_for(&block)?;
        is_there(row.world).then_some((block, row))
    });
    let placed: Vec<_> = placed.collect();
    assert!(!placed.is_empty(), "no block runs there");
    placed
}

/// The only block in this language of a document.
pub(crate) fn example(document: &str, language: &str) -> String {
    let blocks = block::all().into_iter();
    let mut found = blocks.filter(|block| block.document == document && block.language == language);
    let example = found.next().unwrap();
    assert_eq!(found.next(), None, "the only one");
    example.text
}

/// Fails unless the expected text was printed and exactly the expected commands failed.
fn check(block: &Block, row: &Row, ran: &Ran) {
    let place = format!(
        "{}, {}:\n{}\n{}",
        block.document, block.section, block.text, ran.printed
    );
    assert_eq!(
        ran.exits, row.exits,
        "exit codes of failed commands, {place}"
    );
    for expected in row.shows {
        assert!(ran.printed.contains(expected), "no `{expected}`, {place}");
    }
}

#[test]
fn every_block_has_a_row() {
    let blocks = block::all();
    let missing: Vec<_> = blocks
        .iter()
        .filter(|block| !block.is_text() && !block.is_rust() && !block.is_manifest())
        .filter(|block| table::row_for(block).is_none())
        .map(|block| {
            format!(
                "row(\"{}\", \"{}\", ...) for `{}`",
                block.document, block.section, block.language
            )
        })
        .collect();
    assert!(
        missing.is_empty(),
        "tests/e2e/documents/table.rs lacks\n{}",
        missing.join("\n")
    );
    let idle = table::idle_rows(&blocks);
    assert!(idle.is_empty(), "rows without a block: {idle:#?}");
}

/// The sections of a document share a shell, as in a reader's terminal: a section sees the variables of earlier
/// sections.
#[tokio::test]
async fn commands_work_in_a_clone() {
    let blocks = sections(blocks_in(|place| place == Place::Clone));
    let texts: Vec<_> = blocks
        .iter()
        .map(|(block, _)| block.text.as_str())
        .collect();
    let world = World::of_clone().await;
    for ((block, row), ran) in blocks.iter().zip(world.run_in_turn(&texts)) {
        check(block, row, &ran);
    }
}

/// Joins the blocks of each section.
fn sections(blocks: Vec<(Block, &'static Row)>) -> Vec<(Block, &'static Row)> {
    let mut sections: Vec<(Block, &'static Row)> = Vec::new();
    for (block, row) in blocks {
        match sections.last_mut() {
            Some((last, _)) if last.section == block.section && last.document == block.document => {
                last.text.push_str("echo\n");
                last.text.push_str(&block.text);
            }
            _ => sections.push((block, row)),
        }
    }
    sections
}

#[test]
fn examples_work_with_installed_programs() {
    let installed = World::installed(None);
    for (block, row) in sections(blocks_in(|place| matches!(place, Place::Installed(_)))) {
        let Place::Installed(thing) = row.world else {
            continue;
        };
        let ran = installed
            .copy()
            .with(thing)
            .run(&format!("{}{}", row.before, block.text));
        check(&block, row, &ran);
    }
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn examples_work_on_postgresql() {
    for (block, row) in sections(blocks_in(|place| place == Place::Postgres)) {
        let database = TestDatabase::empty().await.unwrap();
        let world = World::installed(Some(&database));
        check(
            &block,
            row,
            &world.run(&format!("{}{}", row.before, block.text)),
        );
    }
}

#[test]
fn scripts_run_long_commands() {
    let read = |path: &str| fs::read_to_string(block::root().join(path)).unwrap();
    for (block, row) in blocks_in(|place| matches!(place, Place::Script(_))) {
        let Place::Script(script) = row.world else {
            continue;
        };
        let (from, to) = script.instead.unwrap_or_default();
        for line in block.text.lines() {
            let line = line.replacen(from, to, 1);
            let begins = |other: &str| {
                let rest = other.strip_prefix(&line);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            };
            assert!(
                read(script.path).lines().any(begins),
                "{block:?}: {} does not run `{line}`",
                script.path
            );
        }
        let runs = |line: &str| line == script.path;
        let is_run = script.path == table::CHECKS || read(table::CHECKS).lines().any(runs);
        assert!(is_run, "the checks do not run {}", script.path);
    }
}

#[test]
fn commands_that_are_not_run_are_valid_shell() {
    for (block, row) in blocks_in(|place| matches!(place, Place::Elsewhere(_))) {
        let Place::Elsewhere(reason) = row.world else {
            continue;
        };
        assert!(!reason.is_empty());
        let read = Command::new("bash")
            .args(["-n", "-c", &block.text])
            .output()
            .unwrap();
        assert!(read.status.success(), "{block:?}: {read:?}");
        for program in programs(&block.text) {
            assert!(
                block::root().join(program).is_file(),
                "{block:?}: no {program}"
            );
        }
    }
}

/// The programs of the repository that commands start: relative paths outside of the build folder.
fn programs(commands: &str) -> impl Iterator<Item = &str> {
    let words = commands
        .lines()
        .filter_map(|line| line.split_whitespace().find(|word| !word.contains('=')));
    words.filter(|word| {
        word.contains('/')
            && !word.starts_with(['/', '~', '-', '$', '"'])
            && !word.starts_with("target/")
    })
}
