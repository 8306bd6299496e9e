//! Races at the first start.

use formalize_core::{Formalize, PageRequest, ResourceFilter};
use formalize_tests::on_every_database;
use formalize_tests::stores::Database;
use formalize_tests::world::{World, everything, page_of, user, user_id};

use super::SYSTEM;

on_every_database! {
    only_one_server_has_the_first_start,
    servers_can_start_concurrently,
}

async fn only_one_server_has_the_first_start(database: &Database) {
    let mut tasks = Vec::new();
    for _ in 0..4 {
        let store = database.open().await;
        tasks.push(tokio::spawn(async move {
            let builder = Formalize::builder(store);
            builder.first_start(&user_id("admin")).await.unwrap()
        }));
    }
    let mut secrets = Vec::new();
    for task in tasks {
        secrets.extend(task.await.unwrap());
    }
    assert_eq!(secrets.len(), 1);
    let world = World::on(database.open().await).await;
    let known = world.tokens().authenticate(secrets[0].expose()).await;
    assert_eq!(known.unwrap(), Some(user("admin")));
    let tokens = world.tokens().list(SYSTEM, &everything()).await;
    assert_eq!(tokens.unwrap().items.len(), 1);
}

async fn servers_can_start_concurrently(database: &Database) {
    let mut tasks = Vec::new();
    for _ in 0..4 {
        let store = database.open().await;
        tasks.push(tokio::spawn(World::on(store)));
    }
    let mut servers = Vec::new();
    for task in tasks {
        servers.push(task.await.unwrap());
    }
    for name in ["one", "two"] {
        servers[0].thing(name).await;
    }
    let filter = ResourceFilter::default();
    let first = page_of(1);
    let page = servers[0].resources().list(SYSTEM, &filter, &first).await;
    let next = PageRequest::after(page.unwrap().next.unwrap(), first.size);
    for server in &servers {
        let page = server.resources().list(SYSTEM, &filter, &next).await;
        assert_eq!(
            page.unwrap().items.len(),
            1,
            "every server knows the cursor"
        );
        let page = server
            .resources()
            .list(SYSTEM, &filter, &everything())
            .await;
        let resources = page.unwrap().items;
        assert_eq!(resources.len(), 5 + 2, "a collection for each class");
    }
}
