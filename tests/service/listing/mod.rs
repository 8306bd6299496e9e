//! Lists and single reads agree, with each other and with the rules, in random worlds.
//!
//! A world is made by random steps, which a model follows that knows the rules from the interface alone. Then for every
//! caller and every list: what is listed is what can be read, with the actions that the model says; in order, without
//! doubles, and the same in whatever pages.
//!
//! `FORMALIZE_PROPTEST_CASES` sets how many worlds are tried. A world that fails is printed as the steps that make it.

use std::env;
use std::sync::Arc;

use formalize_core::{Policies, ResourceClass, ResourceRef, Store};
use formalize_tests::stores::Database;
use formalize_tests::world::{Setup, THING, World, catalog, class, condition};
use proptest::test_runner::{Config, TestRunner};

use checks::Onlooker;
use model::{Model, USERS};
use steps::Step;

mod checks;
mod model;
mod paging;
mod steps;

#[test]
fn memory() {
    try_worlds(150, async || Database::memory());
}

#[test]
fn sqlite() {
    try_worlds(25, Database::sqlite);
}

#[test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL binaries found")]
fn postgres() {
    try_worlds(15, Database::postgres);
}

fn try_worlds(cases: u32, database: impl AsyncFn() -> Database) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let cases = env::var("FORMALIZE_PROPTEST_CASES")
        .map_or(cases, |given| given.parse().expect("a number of cases"));
    let config = Config {
        cases,
        max_shrink_iters: 500,
        failure_persistence: None,
        ..Config::default()
    };
    let tried = TestRunner::new(config).run(&(steps::steps(), 1..6_u32), |(steps, page_size)| {
        runtime.block_on(async {
            let database = database().await;
            let store = database.open().await;
            try_world(Arc::clone(&store), &steps, page_size).await;
            store.close().await;
        });
        Ok(())
    });
    if let Err(failure) = tried {
        panic!("{failure}");
    }
}

async fn try_world(store: Arc<dyn Store>, steps: &[Step], page_size: u32) {
    let world = World::with(store, setup()).await;
    let mut model = Model::default();
    let collections = catalog();
    let collections = collections.iter();
    let collections = collections.map(|(class, _)| ResourceRef::collection(class.clone()));
    model.resources.extend(collections);
    for step in steps {
        step.take(&world, &mut model).await;
    }
    let users = USERS.map(|(name, _, _)| Some(name));
    for user in users.into_iter().chain([None]) {
        Onlooker::new(&world, &model, user, page_size).check().await;
    }
}

/// What the table of users in the model says.
fn setup() -> Setup {
    let policies = Policies {
        administrators: Some(condition(r#"user.id == "erin""#)),
        create_groups: Some(condition(r#"user.id == "dave""#)),
        create_forms: None,
        manage_collection: [
            (class(THING), condition(r#"user.id == "carol""#)),
            (ResourceClass::FORM, condition("false")),
        ]
        .into(),
    };
    let setup = Setup {
        policies,
        ..Setup::default()
    };
    setup
        .dynamic_group("staff", r#""staff" in user.attributes.groups"#)
        .dynamic_group("press", r#""press" in user.attributes.groups"#)
}
