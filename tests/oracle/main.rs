//! Compares the service with a model in random scenarios.
//!
//! Each scenario is a random sequence of acts by random users. A model, written from the specification alone and meant
//! to be obviously correct, predicts the result of each act, including the reason of a rejection. Afterwards everything
//! is compared as seen by every user: lists, single items and granted actions must agree with the model, and so with
//! each other. Lists must be in order, without duplicates, and independent of the page size.
//!
//! `FORMALIZE_TEST_DEPTH` sets how many scenarios run; see `tests/run`. Each database runs a share of those in memory. A
//! failing scenario is minimized and printed. Its seed is stored in `regressions.txt` and tried first in later runs.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unreachable,
    reason = "a test fails by panicking"
)]

use std::env;
use std::sync::Arc;

use formalize_core::Store;
use formalize_core::store::memory::MemoryStore;
use formalize_tests::stores::Database;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, FileFailurePersistence, RngAlgorithm, TestRng, TestRunner};
use tokio::runtime::Runtime;

use act::Step;
use look::{Focus, List, Onlooker};
use model::{Actor, Model, USERS};
use service::Service;

mod act;
mod extremes;
mod look;
mod model;
mod pages;
mod paging;
mod relay;
mod service;

/// The seeds of scenarios that once failed.
const REGRESSIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/oracle/regressions.txt");

#[test]
fn memory() {
    try_worlds(1, async || Arc::new(MemoryStore::new()) as _);
}

#[test]
fn sqlite() {
    try_worlds_in(40, Database::sqlite);
}

#[test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
fn postgres() {
    try_worlds_in(50, Database::postgres);
}

/// Runs one in `share` scenarios, one after the other in the same database.
fn try_worlds_in(share: u32, database: impl AsyncFn() -> Database) {
    let runtime = runtime();
    let database = runtime.block_on(database());
    let store = runtime.block_on(database.open());
    try_worlds(share, async || {
        database.clear().await;
        Arc::clone(&store)
    });
}

fn runtime() -> Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().unwrap()
}

/// Runs one in `share` scenarios, each on an empty store.
fn try_worlds(share: u32, fresh_store: impl AsyncFn() -> Arc<dyn Store>) {
    let config = Config {
        cases: scenarios().div_ceil(share),
        max_shrink_iters: 2000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(REGRESSIONS))),
        ..Config::default()
    };
    let runtime = runtime();
    let tried = TestRunner::new(config).run(&(act::steps(), focus()), |(steps, focus)| {
        runtime.block_on(async { try_world(fresh_store().await, &steps, focus).await });
        Ok(())
    });
    if let Err(failure) = tried {
        panic!("{failure}");
    }
}

/// The number of scenarios in memory.
fn scenarios() -> u32 {
    match env::var("FORMALIZE_TEST_DEPTH").as_deref() {
        Err(_) | Ok("default") => 500,
        Ok("deep") => 1_500,
        Ok("nightly") => 100_000,
        Ok(other) => panic!("FORMALIZE_TEST_DEPTH must be default, deep or nightly, not {other}"),
    }
}

fn focus() -> impl Strategy<Value = Focus> {
    let focus = (select(&List::ALL[..]), 1..5_u32, 0..Focus::LOTS);
    focus.prop_map(|(list, page_size, lot)| Focus {
        list,
        page_size,
        lot,
    })
}

async fn try_world(store: Arc<dyn Store>, steps: &[Step], focus: Focus) {
    let mut service = Service::on(store).await;
    let mut model = Model::new();
    for step in steps {
        let (actor, act) = step.settle(&model);
        let answer = service.take(actor, &act, &model).await;
        let expected = model.take(actor, &act);
        assert_eq!(answer, expected, "{actor:?}: {act:?}");
        service.follow(&model);
    }
    let users = USERS.iter().map(Actor::User);
    let link = model.links.len().checked_sub(1).map(Actor::Link);
    for actor in users.chain([Actor::System]).chain(link) {
        Onlooker::new(&service, &model, actor, focus).look().await;
    }
}

/// One in `share` scenarios, with fixed seeds, so that every run has the same ones.
fn fixed_scenarios(share: u32) -> impl Iterator<Item = Vec<Step>> {
    (0..scenarios().div_ceil(share)).map(|seed| {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let steps = (act::steps(), act::grants_on_forms());
        let (steps, grants) = steps.new_tree(&mut runner).unwrap().current();
        [steps, grants].concat()
    })
}
