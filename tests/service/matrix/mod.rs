//! The policy matrix: tables of who may do what, to be reviewed against section 3 of the interface.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use formalize_core::{Caller, Store, authorization::Operation};
use formalize_tests::on_every_store;
use formalize_tests::world::World;

use actors::Actor;
use acts::{Act, Column};
use stage::Stage;

mod actors;
mod acts;
mod stage;

on_every_store! {
    acts_on_records,
    acts_on_resources_and_grants,
    acts_of_the_owner,
}

async fn acts_on_records(store: Arc<dyn Store>) {
    let table = table(store, &acts::on_records()).await;
    insta::assert_snapshot!("records", table);
}

async fn acts_on_resources_and_grants(store: Arc<dyn Store>) {
    let table = table(store, &acts::on_resources()).await;
    insta::assert_snapshot!("resources", table);
}

async fn acts_of_the_owner(store: Arc<dyn Store>) {
    let table = table(store, &acts::of_the_owner()).await;
    insta::assert_snapshot!("owner", table);
}

/// Tries every act as every actor. The table has a line for each actor and a letter for each act that is allowed.
async fn table(store: Arc<dyn Store>, columns: &[Column]) -> String {
    let world = World::with(store, actors::setup()).await;
    let mut numbers = 0..;
    let mut text = legend(columns);
    for actor in Actor::all() {
        let cells = row(&world, &mut numbers, &actor, columns).await;
        writeln!(text, "{:40}{}", actor.name, cells.join("  ").trim_end()).unwrap();
    }
    text
}

async fn row(
    world: &World,
    numbers: &mut impl Iterator<Item = u32>,
    actor: &Actor,
    columns: &[Column],
) -> Vec<String> {
    let mut entered = enter(world, numbers, actor).await;
    let mut cells = Vec::new();
    for (title, acts) in columns {
        let mut cell = String::new();
        for (letter, act) in acts {
            let (stage, caller) = &entered;
            let allowed = act.perform(stage, caller).await;
            cell.push(if allowed { *letter } else { '-' });
            if allowed && act.uses_up_the_stage() {
                entered.0.strike().await;
                entered = enter(world, numbers, actor).await;
            }
        }
        cells.push(format!("{cell:width$}", width = width(title, acts)));
    }
    entered.0.strike().await;
    cells
}

async fn enter<'a>(
    world: &'a World,
    numbers: &mut impl Iterator<Item = u32>,
    actor: &Actor,
) -> (Stage<'a>, Caller) {
    let stage = Stage::build(world, numbers.next().unwrap()).await;
    let caller = actor.enter(&stage).await;
    (stage, caller)
}

fn width(title: &str, acts: &[(char, Act)]) -> usize {
    title.len().max(acts.len())
}

fn legend(columns: &[Column]) -> String {
    let mut text = String::new();
    let same_acts = |a: &Column, b: &Column| meanings(&a.1) == meanings(&b.1);
    for alike in columns.chunk_by(same_acts) {
        let titles: Vec<&str> = alike.iter().map(|(title, _)| title.as_str()).collect();
        let meanings = meanings(&alike[0].1).join(", ");
        writeln!(text, "{}: {meanings}", titles.join(", ")).unwrap();
    }
    let titles: Vec<String> = columns
        .iter()
        .map(|(title, acts)| format!("{title:width$}", width = width(title, acts)))
        .collect();
    writeln!(text, "\n{:40}{}", "", titles.join("  ").trim_end()).unwrap();
    text
}

/// The legend of a column.
fn meanings(acts: &[(char, Act)]) -> Vec<String> {
    let meaning = |(letter, act): &(char, Act)| {
        let act = format!("{act:?}");
        let name = act.split('(').next().unwrap();
        format!("{letter} {name}")
    };
    acts.iter().map(meaning).collect()
}

#[test]
fn every_operation_is_in_a_table() {
    let columns = [
        acts::on_records(),
        acts::on_resources(),
        acts::of_the_owner(),
    ];
    let acts = columns.iter().flatten().flat_map(|(_, acts)| acts);
    let tried: BTreeSet<Operation> = acts.map(|(_, act)| act.operation()).collect();
    let all: BTreeSet<Operation> = Operation::ALL.into();
    assert_eq!(tried, all);
}
