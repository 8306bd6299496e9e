use std::sync::Arc;

use formalize_core::{
    Caller, FormFilter, Formalize, GroupFilter, InvalidPageSize, PageRequest, PageSize, Position,
    ResourceClass, ResourceFilter, Store, SubmissionFilter, SubmissionRules, SubmissionState,
    submissions::OutputValidation,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, everything, page_of, user, user_with};

use super::{SYSTEM, fails};

on_every_store! {
    cursors_are_bound_to_caller_list_and_filters,
    cursors_are_bound_to_their_group_or_form,
    forged_cursors_are_rejected,
    cursors_remain_valid_after_a_restart,
    the_page_size_may_change_between_pages,
    remaining_items_are_listed_exactly_once_during_changes,
    pages_after_the_last_are_empty,
}

async fn groups(world: &World, names: &[&str]) {
    for name in names {
        world.group(name).await;
    }
}

async fn first_cursor(formalize: &Formalize, caller: &Caller, filter: &GroupFilter) -> String {
    let page = formalize.groups().list(caller, filter, &page_of(1)).await;
    page.unwrap().next.unwrap()
}

fn after(cursor: &str) -> PageRequest {
    PageRequest::after(cursor, PageSize::new(1).unwrap())
}

async fn cursors_are_bound_to_caller_list_and_filters(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    groups(&world, &["a1", "a2", "a3"]).await;
    let (none, search) = (
        GroupFilter::default(),
        GroupFilter {
            search: Some("a".to_owned()),
        },
    );
    let cursor = first_cursor(&world, SYSTEM, &search).await;
    let list = world.groups();
    assert!(list.list(SYSTEM, &search, &after(&cursor)).await.is_ok());
    let foreign = list.list(&user("alice"), &search, &after(&cursor)).await;
    fails(foreign, "InvalidCursor");
    fails(
        list.list(SYSTEM, &none, &after(&cursor)).await,
        "InvalidCursor",
    );
    let upper = GroupFilter {
        search: Some("A".to_owned()),
    };
    fails(
        list.list(SYSTEM, &upper, &after(&cursor)).await,
        "InvalidCursor",
    );
    let forms = world
        .forms()
        .list(SYSTEM, &FormFilter::default(), &after(&cursor))
        .await;
    fails(forms, "InvalidCursor");
    let resources = world.resources();
    let class = ResourceFilter {
        class: Some(ResourceClass::new("a").unwrap()),
        ..ResourceFilter::default()
    };
    fails(
        resources.list(SYSTEM, &class, &after(&cursor)).await,
        "InvalidCursor",
    );
    fails(
        world.tokens().list(SYSTEM, &after(&cursor)).await,
        "InvalidCursor",
    );
    fails(
        world.actions().list(SYSTEM, &after(&cursor)).await,
        "InvalidCursor",
    );

    let alice = user_with("alice", "roles", vec!["staff"]);
    let all = ResourceFilter::default();
    let collection = formalize_core::ResourceRef::collection(ResourceClass::GROUP);
    for action in ["create", "manage"] {
        let action = formalize_tests::world::action(action);
        world.grant_to("alice", &action, &collection).await;
    }
    let page = world
        .grants()
        .list(&alice, &all, &page_of(1))
        .await
        .unwrap();
    let cursor = page.next.unwrap();
    let plain = world
        .grants()
        .list(&user("alice"), &all, &after(&cursor))
        .await;
    assert!(plain.is_ok(), "another token of the same user");
}

async fn cursors_are_bound_to_their_group_or_form(store: Arc<dyn Store>) {
    const SUBMITTED: SubmissionState = SubmissionState::Submitted;
    let world = World::on(store).await;
    let (here, there) = (world.group("Here").await, world.group("There").await);
    world.member(here, "alice").await;
    world.member(here, "bob").await;
    let members = world.memberships();
    let page = members.list(SYSTEM, here, &page_of(1)).await.unwrap();
    let next = after(&page.next.unwrap());
    assert!(members.list(SYSTEM, here, &next).await.is_ok());
    fails(members.list(SYSTEM, there, &next).await, "InvalidCursor");

    let rules = SubmissionRules::default();
    let (here, there) = (world.form(rules).await, world.form(rules).await);
    world.submission("alice", here, SUBMITTED).await;
    world.submission("alice", here, SUBMITTED).await;
    let list = async |form, filter: SubmissionFilter, request: &PageRequest| {
        let submissions = world.submissions();
        submissions.list(SYSTEM, form, &filter, request).await
    };
    let all = SubmissionFilter::default;
    let page = list(here, all(), &page_of(1)).await.unwrap();
    let next = after(&page.next.unwrap());
    assert!(list(here, all(), &next).await.is_ok());
    let mut filters = [(); 5].map(|()| all());
    filters[0].creator = Some("alice".to_owned());
    filters[1].state = Some(SUBMITTED);
    filters[2].output = OutputValidation::Keys;
    let early = "2020-01-01T00:00:00Z".parse().unwrap();
    filters[3].created_from = Some(early);
    // The cursor must not be taken for one with the other bound.
    let from_early = filters[3].clone();
    filters[4].created_before = Some("2040-01-01T00:00:00Z".parse().unwrap());
    for filter in filters {
        fails(list(here, filter, &next).await, "InvalidCursor");
    }
    let page = list(here, from_early.clone(), &page_of(1)).await.unwrap();
    let next_from_early = after(&page.next.unwrap());
    let page = list(here, from_early, &next_from_early).await.unwrap();
    assert_eq!((page.items.len(), page.next), (1, None));
    let before_early = SubmissionFilter {
        created_before: Some(early),
        ..all()
    };
    fails(
        list(here, before_early, &next_from_early).await,
        "InvalidCursor",
    );
    fails(list(there, all(), &next).await, "InvalidCursor");
}

async fn forged_cursors_are_rejected(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    groups(&world, &["one", "two", "three"]).await;
    let filter = GroupFilter::default();
    let cursor = first_cursor(&world, SYSTEM, &filter).await;
    let mut forged: Vec<String> = ["", "x", "é", "%00", "0", "\0"].map(str::to_owned).into();
    for at in 0..cursor.len() {
        let mut digits: Vec<char> = cursor.chars().collect();
        digits[at] = if digits[at] == '0' { '1' } else { '0' };
        forged.push(digits.into_iter().collect());
    }
    forged.push(cursor[..cursor.len() - 1].to_owned());
    forged.push(format!("{cursor}0"));
    forged.push(format!("{cursor}00"));
    forged.push(cursor.to_uppercase());
    forged.push(cursor.repeat(10_000));
    for cursor in forged {
        let page = world.groups().list(SYSTEM, &filter, &after(&cursor)).await;
        fails(page, "InvalidCursor");
    }
}

async fn cursors_remain_valid_after_a_restart(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    groups(&world, &["one", "two"]).await;
    let filter = GroupFilter::default();
    let cursor = first_cursor(&world, SYSTEM, &filter).await;
    drop(world);
    let restarted = Formalize::builder(store).build().await.unwrap();
    let page = restarted
        .groups()
        .list(SYSTEM, &filter, &after(&cursor))
        .await;
    let page = page.unwrap();
    assert_eq!(page.items[0].item.name.as_str(), "two");
    assert_eq!(page.next, None);
}

async fn the_page_size_may_change_between_pages(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    groups(&world, &["1", "2", "3", "4"]).await;
    let filter = GroupFilter::default();
    let cursor = first_cursor(&world, SYSTEM, &filter).await;
    let rest = PageRequest::after(cursor, PageSize::new(3).unwrap());
    let page = world.groups().list(SYSTEM, &filter, &rest).await.unwrap();
    let names: Vec<_> = page.items.iter().map(|it| it.item.name.as_str()).collect();
    assert_eq!((names, page.next), (vec!["2", "3", "4"], None));
}

async fn remaining_items_are_listed_exactly_once_during_changes(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let mut ids = Vec::new();
    for name in 0..10 {
        ids.push(world.group(&name.to_string()).await);
    }
    let filter = GroupFilter::default();
    let mut seen = Vec::new();
    let mut request = page_of(2);
    let mut round = 0;
    loop {
        let page = world
            .groups()
            .list(SYSTEM, &filter, &request)
            .await
            .unwrap();
        seen.extend(page.items.into_iter().map(|it| it.item.id));
        // Deletes the item that the cursor refers to and one after it, and adds a new one.
        let stand = *seen.last().unwrap();
        world.groups().delete(SYSTEM, stand).await.unwrap();
        if round == 0 {
            world.groups().delete(SYSTEM, ids[4]).await.unwrap();
            ids.push(world.group("new").await);
        }
        round += 1;
        let Some(next) = page.next else { break };
        request = PageRequest::after(next, request.size);
    }
    ids.remove(4);
    assert_eq!(seen, ids);
}

async fn pages_after_the_last_are_empty(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    groups(&world, &["one", "two"]).await;
    let filter = GroupFilter::default();
    for number in [3, 1000, u32::MAX] {
        let request = PageRequest {
            position: Position::Number(number),
            ..page_of(1)
        };
        let page = world
            .groups()
            .list(SYSTEM, &filter, &request)
            .await
            .unwrap();
        assert_eq!((page.items, page.next), (vec![], None));
    }
    let request = PageRequest {
        position: Position::Number(u32::MAX),
        ..everything()
    };
    let page = world
        .groups()
        .list(SYSTEM, &filter, &request)
        .await
        .unwrap();
    assert_eq!(page.items, []);
}

#[test]
fn pages_have_1_to_10_000_items_and_usually_30() {
    assert_eq!(PageSize::new(0), Err(InvalidPageSize));
    assert_eq!(PageSize::new(10_001), Err(InvalidPageSize));
    assert_eq!(PageSize::new(10_000).map(PageSize::get), Ok(10_000));
    assert_eq!(PageRequest::default().size.get(), 30);
}
