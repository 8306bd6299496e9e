//! Opaque strings are compared code point by code point, on every store.

use std::sync::Arc;

use formalize_core::{
    Action, Formalize, ResourceFilter, Store, SubmissionFilter, SubmissionRules, SubmissionState,
    UserId,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, class, everything, thing, user};

use super::SYSTEM;

on_every_store! {
    users_are_compared_code_point_by_code_point,
    creators_are_compared_code_point_by_code_point,
    resources_are_compared_code_point_by_code_point,
    classes_and_actions_are_compared_code_point_by_code_point,
    names_keep_every_character,
}

/// Strings that look the same to people.
fn look_alikes() -> Vec<String> {
    let long = "ä".repeat(255);
    let texts = [
        "alice",
        "Alice",
        "ALICE",
        " alice",
        "alice ",
        "al%ce",
        "al_ce",
        "alice\\",
        "caf\u{e9}",
        "cafe\u{301}",
        "straße",
        "strasse",
        "ﬀ",
        "ff",
        "\u{212a}",
        "K",
        "k",
        "😀",
        "0",
        "00",
        "null",
        "'; DROP TABLE users; --",
        "a\u{200d}b",
        "ab",
    ];
    let mut texts: Vec<String> = texts.map(str::to_owned).into();
    texts.push(long.clone());
    texts.push(long[..long.len() - 2].to_owned());
    texts
}

#[test]
fn opaque_strings_have_1_to_255_characters_and_no_control_characters() {
    for text in look_alikes() {
        assert_eq!(UserId::new(text.as_str()).unwrap().as_str(), text);
    }
    for text in ["", "\0", "a\tb", "a\u{85}", &"ä".repeat(256)] {
        assert!(UserId::new(text).is_err(), "{text:?}");
    }
}

async fn users_are_compared_code_point_by_code_point(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let mut things = Vec::new();
    for (number, name) in look_alikes().iter().enumerate() {
        let thing = world.thing(&number.to_string()).await;
        if number % 2 == 0 {
            world.grant_to(name, &Action::MANAGE, &thing).await;
        } else {
            let group = world.group("Group").await;
            world.member(group, name).await;
            let held = formalize_core::Subject::Group(group);
            world.grant(&held, &Action::MANAGE, &thing).await;
        }
        things.push(thing);
    }
    for (name, own) in look_alikes().iter().zip(&things) {
        let filter = ResourceFilter::default();
        let resources = world.resources();
        let listed = resources.list(&user(name), &filter, &everything()).await;
        let listed = listed.unwrap().items.into_iter();
        let listed: Vec<_> = listed.map(|it| it.item.resource).collect();
        assert_eq!(listed, std::slice::from_ref(own), "{name}");
    }
}

async fn creators_are_compared_code_point_by_code_point(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        cap: Some(formalize_core::forms::SubmissionCap::new(1).unwrap()),
        ..SubmissionRules::default()
    };
    let form = world.form(rules).await;
    for name in look_alikes() {
        let id = world.submission(&name, form, SubmissionState::Draft).await;
        let read = world.submissions().get(&user(&name), id).await.unwrap();
        assert_eq!(read.item.creator.as_str(), name);
        for other in look_alikes() {
            let read = world.submissions().get(&user(&other), id).await;
            assert_eq!(read.is_ok(), name == other, "{other} reads of {name}");
        }
    }
    for name in look_alikes() {
        let filter = SubmissionFilter {
            creator: Some(name.clone()),
            ..SubmissionFilter::default()
        };
        let submissions = world.submissions();
        let of_creator = submissions.list(SYSTEM, form, &filter, &everything()).await;
        let of_creator = of_creator.unwrap().items;
        assert_eq!(of_creator.len(), 1, "{name}");
        assert_eq!(of_creator[0].item.creator.as_str(), name);
    }
}

async fn resources_are_compared_code_point_by_code_point(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    for name in look_alikes() {
        world.thing(&name).await;
        world.grant_to(&name, &Action::MANAGE, &thing(&name)).await;
    }
    for name in look_alikes() {
        for other in look_alikes() {
            let actions = world.actions_on(&user(&name), &thing(&other)).await;
            assert_eq!(actions.is_empty(), name != other, "{name} on {other}");
        }
        let filter = ResourceFilter::of(thing(&name));
        let grants = world.grants().list(SYSTEM, &filter, &everything()).await;
        assert_eq!(grants.unwrap().items.len(), 1, "{name}");
    }
}

async fn classes_and_actions_are_compared_code_point_by_code_point(store: Arc<dyn Store>) {
    let mut catalog = formalize_core::authorization::ActionCatalog::default();
    for name in look_alikes() {
        let actions = look_alikes().into_iter();
        let actions = actions.map(|it| {
            (
                formalize_tests::world::action(&it),
                formalize_core::authorization::Labels::new(),
            )
        });
        let actions = formalize_core::authorization::ClassActions {
            item_actions: actions.collect(),
            ..formalize_core::authorization::ClassActions::default()
        };
        catalog = catalog.with_class(class(&name), actions).unwrap();
    }
    let formalize = Formalize::builder(store)
        .catalog(catalog)
        .build()
        .await
        .unwrap();
    let identifier = || formalize_core::ResourceIdentifier::new("item").unwrap();
    for name in look_alikes() {
        let item = formalize_core::ResourceRef::item(class(&name), identifier());
        let resources = formalize.resources();
        let registered = resources.register(SYSTEM, item.clone(), None).await;
        registered.unwrap();
        for action in look_alikes() {
            let subject = formalize_tests::world::holder(&action);
            let action = formalize_tests::world::action(&action);
            let new = formalize_tests::world::new_grant(&subject, &action, &item);
            formalize.grants().create(SYSTEM, new).await.unwrap();
        }
    }
    for name in look_alikes() {
        let item = formalize_core::ResourceRef::item(class(&name), identifier());
        for holder in look_alikes() {
            let resources = formalize.resources();
            let actions = resources
                .granted_actions(&user(&holder), &item)
                .await
                .unwrap();
            let actions: Vec<&str> = actions.iter().map(Action::as_str).collect();
            assert_eq!(actions, [&holder]);
        }
    }
}

async fn names_keep_every_character(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    for name in [" x ", "e\u{301}", "é", "'\"\\%_", "😀", &"ä".repeat(128)] {
        let group = world.group(name).await;
        let read = world.groups().get(SYSTEM, group).await.unwrap();
        assert_eq!(read.item.name.as_str(), name);
        let new = formalize_tests::world::new_form(name, SubmissionRules::default());
        let form = world.forms().create(SYSTEM, new).await.unwrap().item;
        let read = world.forms().get(SYSTEM, form.id).await.unwrap();
        assert_eq!(read.item.name.as_str(), name);
    }
}
