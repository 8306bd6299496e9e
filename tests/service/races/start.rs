//! Races at the first start.

use formalize_core::{Formalize, GroupId, PageRequest, ResourceFilter};
use formalize_tests::on_every_database;
use formalize_tests::stores::Database;
use formalize_tests::world::{World, everything, new_group, page_of, thing, user, user_id};
use uuid::Uuid;

use super::{ROUNDS, SYSTEM, Servers};

on_every_database! {
    only_one_server_has_the_first_start,
    servers_can_start_concurrently,
    programs_ensure_one_group_and_one_item,
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

async fn programs_ensure_one_group_and_one_item(database: &Database) {
    let servers = Servers::on(database).await;
    for round in 0..ROUNDS {
        let id = GroupId::from_uuid(Uuid::from_u128(1 + u128::try_from(round).unwrap()));
        let ensure = |_, formalize: Formalize| async move {
            let (groups, editors) = (formalize.groups(), new_group("Editors"));
            groups.ensure(SYSTEM, id, editors).await.unwrap()
        };
        let mut groups = servers.race(6, ensure).await;
        groups.dedup();
        assert_eq!(groups.len(), 1, "{groups:?}");

        let item = thing(&round.to_string());
        let ensure = |_, formalize: Formalize| {
            let item = item.clone();
            async move {
                let resources = formalize.resources();
                resources.ensure(SYSTEM, item, None).await.unwrap()
            }
        };
        let mut items = servers.race(6, ensure).await;
        items.dedup();
        assert_eq!(items.len(), 1, "{items:?}");
    }
}
