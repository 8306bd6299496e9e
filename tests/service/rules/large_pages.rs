//! Pages of large items are limited in bytes.

use std::sync::Arc;

use formalize_core::{
    Error, FormFilter, NewForm, PageRequest, PageSize, Position, Store, SubmissionFilter,
    SubmissionRules, SubmissionState,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, everything, new_form, new_form_with, new_submission, page_of};

use super::{SYSTEM, fails};

on_every_store! {
    a_page_of_submissions_ends_after_8_mib,
    a_page_of_forms_ends_after_8_mib,
    pages_of_every_size_are_whole,
}

/// Ten items of 1 MiB each: eight of them fill a page.
const ITEMS: usize = 10;

fn first(size: u32) -> PageRequest {
    PageRequest {
        size: PageSize::new(size).unwrap(),
        position: Position::First,
    }
}

async fn a_page_of_submissions_ends_after_8_mib(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let data = format!("{{\"a\":\"{}\"}}", "x".repeat((1 << 20) - 8));
    for _ in 0..ITEMS {
        let new = new_submission(form, &data, SubmissionState::Submitted);
        world.submissions().create(SYSTEM, new).await.unwrap();
    }
    let list = async |request: PageRequest| {
        let filter = SubmissionFilter::default();
        let submissions = world.submissions();
        submissions.list(SYSTEM, form, &filter, &request).await
    };
    let page = list(first(100)).await.unwrap();
    assert_eq!(page.items.len(), 8);
    let rest = PageRequest::after(page.next.unwrap(), PageSize::new(100).unwrap());
    let rest = list(rest).await.unwrap();
    assert_eq!((rest.items.len(), rest.next), (2, None));
    let mut seen = page.items;
    seen.extend(rest.items);
    let mut ids: Vec<_> = seen.iter().map(|viewed| viewed.item.id).collect();
    ids.dedup();
    assert_eq!(ids.len(), ITEMS, "every submission is on one page");

    fails(list(page_of(100)).await, "PageTooLarge");
    let page = list(page_of(8)).await.unwrap();
    assert_eq!(page.items.len(), 8, "it ends where it was asked to");
    assert!(page.next.is_some());
    let second = PageRequest {
        position: Position::Number(2),
        ..page_of(8)
    };
    assert_eq!(list(second).await.unwrap().items.len(), 2);
}

async fn a_page_of_forms_ends_after_8_mib(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let schema = format!("{{\"title\":\"{}\"}}", "x".repeat((1 << 20) - 12));
    for _ in 0..ITEMS {
        let new = new_form_with(&schema, SubmissionRules::default());
        world.forms().create(SYSTEM, new).await.unwrap();
    }
    let list = async |request: &PageRequest| {
        let forms = world.forms();
        forms.list(SYSTEM, &FormFilter::default(), request).await
    };
    assert_eq!(list(&first(100)).await.unwrap().items.len(), 8);
    assert!(matches!(
        list(&everything()).await,
        Err(Error::PageTooLarge)
    ));
    let small = NewForm {
        data_feed_schema: None,
        ..new_form("Small", SubmissionRules::default())
    };
    world.forms().create(SYSTEM, small).await.unwrap();
    let page = list(&first(1)).await.unwrap();
    assert_eq!(page.items.len(), 1, "a page has at least one item");
}

/// Small pages are read in another way than large ones. Around 64 KiB and 128 items, both ways are taken.
async fn pages_of_every_size_are_whole(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let mut all = Vec::new();
    // With 512 bytes more for each item, the first 64 KiB end at the 64th and at the 191st item.
    for number in 0..200 {
        let length = if number < 64 { 512 } else { 8 };
        let data = format!("{{\"a\":\"{}\"}}", "x".repeat(length - 8));
        let new = new_submission(form, &data, SubmissionState::Submitted);
        let created = world.submissions().create(SYSTEM, new).await.unwrap();
        all.push(created.item.id);
    }
    for size in [1, 63, 64, 65, 127, 128, 129, 130, 199, 200, 201] {
        let mut request = first(size);
        let mut seen = Vec::new();
        loop {
            let filter = SubmissionFilter::default();
            let submissions = world.submissions();
            let page = submissions.list(SYSTEM, form, &filter, &request).await;
            let page = page.unwrap();
            assert!(page.items.len() == size as usize || page.next.is_none());
            seen.extend(page.items.iter().map(|viewed| viewed.item.id));
            let Some(next) = page.next else { break };
            request = PageRequest::after(next, PageSize::new(size).unwrap());
        }
        assert_eq!(seen, all, "in pages of {size}");
    }
}
