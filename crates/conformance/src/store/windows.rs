//! Promise 6: lists are ordered by identifier, and windows apply after all filters.

use std::sync::Arc;

use uuid::Uuid;

use formalize_core::store::scope::{
    FormScope, GrantScope, ItemScope, Reached, ResourceScope, Subjects, SubmissionScope,
};
use formalize_core::store::{Selection, Store, StoreResult, Window};
use formalize_core::{
    Action, Member, Resource, ResourceClass, SubmissionState,
    forms::{FrontendKeys, SubmissionStates, SubmittedAction},
};

use crate::store::list::{ALL_FORMS, ANY, List, of_creator};
use crate::store::samples::{Ids, dynamic, grant_based, holder, states, subjects, user};
use crate::store::scene::{FormMade, GroupMade, Scene};
use formalize_core::internals::scopes::{
    any_access, any_access_of_managers, every_submission, items, readable_submissions,
};

/// The holders of the grants. Two of them hold the same ones, so that most rows match more than once.
fn holders() -> Subjects {
    subjects([holder("alice"), dynamic("everybody"), holder("nobody")])
}

async fn share(scene: &mut Scene, on: &Resource) -> StoreResult<()> {
    scene.grant(&holder("alice"), Action::READ, on).await?;
    scene.grant(&holder("alice"), Action::MANAGE, on).await?;
    scene.grant(&dynamic("everybody"), Action::READ, on).await?;
    Ok(())
}

/// Inserts seven rows for each list of [`lists`], and between them rows that scopes and filters exclude.
async fn write_rows(store: &dyn Store, ids: &Ids) -> StoreResult<(GroupMade, FormMade)> {
    let mut scene = Scene::begin(store, ids).await?;
    let outer = scene.group("outer").await?;
    let form = scene.form(grant_based(&[SubmittedAction::Read])).await?;
    for number in 0..7 {
        let creator = user(&format!("user {number}"));
        let row = scene.group(&format!("Row {number}")).await?;
        share(&mut scene, &row.resource).await?;
        let hidden = scene.group("hidden").await?;
        let member = Member::ChildGroup(row.id());
        scene.member(outer.id(), member.clone()).await?;
        scene.member(hidden.id(), member).await?;
        let other = scene.form(grant_based(&[])).await?;
        share(&mut scene, &other.resource).await?;
        share(&mut scene, &other.collection).await?;
        for state in [SubmissionState::Draft, SubmissionState::Submitted] {
            let made = scene.shared_submission(&form.form, &creator, state).await?;
            share(&mut scene, &made.resource).await?;
            scene.submission(&form.form, &creator, state).await?;
        }
        let token = scene.ids.token(&creator);
        scene.token(&token, number).await?;
    }
    scene.commit().await?;
    Ok((outer, form))
}

/// Lists of every kind, complete and through scopes.
fn lists(outer: &GroupMade, form: &FormMade) -> Vec<List> {
    let reached = Reached {
        subjects: holders(),
        ways: any_access(),
        managed_collections: vec![],
    };
    let everything = Reached {
        ways: any_access_of_managers(),
        ..reached.clone()
    };
    let readable = |class| items(holders(), &class, &Action::READ);
    let drafts = states(&[SubmissionState::Draft]);
    let granted = (holders(), vec![Action::READ, Action::MANAGE], drafts);
    let by_grants = SubmissionScope {
        all: SubmissionStates::NONE,
        created: None,
        granted: Some(granted.clone()),
    };
    let by_all_ways = SubmissionScope {
        all: states(&[SubmissionState::Submitted]),
        created: Some((user("user 3"), drafts)),
        granted: Some(granted),
    };
    vec![
        List::Groups(ItemScope::All, None),
        List::Groups(readable(ResourceClass::GROUP), None),
        List::Groups(ItemScope::All, Some("row".to_owned())),
        List::Groups(readable(ResourceClass::GROUP), Some("row".to_owned())),
        List::Memberships(outer.id()),
        List::Resources(ResourceScope::All, ANY),
        List::Resources(ResourceScope::Reached(reached.clone()), ANY),
        List::Grants(GrantScope::All, ANY),
        List::Grants(GrantScope::HeldOrOn(reached), ANY),
        List::Resources(ResourceScope::Reached(everything.clone()), ANY),
        List::Grants(GrantScope::HeldOrOn(everything), ANY),
        List::Forms(ALL_FORMS),
        List::Forms(FormScope {
            items: readable(ResourceClass::FORM),
            with_submissions: Some(readable_submissions(holders(), user("alice"))),
            keys: FrontendKeys::ALL,
        }),
        List::Submissions(form.id(), every_submission(), None),
        List::Submissions(form.id(), by_grants, None),
        List::Submissions(form.id(), by_all_ways, None),
        List::Tokens,
    ]
}

/// Promise 6: every list is in order of identifiers, and contains each row once.
pub async fn lists_are_in_the_order_of_identifiers(store: Arc<dyn Store>) -> StoreResult<()> {
    let (outer, form) = write_rows(&*store, &Ids::default()).await?;
    let mut tx = store.read().await?;
    for list in lists(&outer, &form) {
        let ids = list.ids(&mut *tx, Window::ALL).await?;
        assert!(ids.len() >= 7, "{list:?} holds only {}", ids.len());
        let rising = ids.windows(2).all(|pair| pair.first() < pair.last());
        assert!(rising, "promise 6: {list:?} is not in order: {ids:?}");
    }
    Ok(())
}

/// Promise 6: a window is a part of the whole list, however it is requested.
pub async fn windows_are_parts_of_the_list(store: Arc<dyn Store>) -> StoreResult<()> {
    let (outer, form) = write_rows(&*store, &Ids::default()).await?;
    let mut tx = store.read().await?;
    for list in lists(&outer, &form) {
        let whole = list.ids(&mut *tx, Window::ALL).await?;
        for window in windows(&whole) {
            let shown = list.ids(&mut *tx, window).await?;
            let expected = part(&whole, window);
            assert_eq!(shown, expected, "promise 6: {window:?} of {list:?}");
        }
    }
    Ok(())
}

/// Promise 6: a selection of submissions is a part of the whole list in the order that it states.
pub async fn selections_are_parts_of_the_list(store: Arc<dyn Store>) -> StoreResult<()> {
    let (outer, form) = write_rows(&*store, &Ids::default()).await?;
    let mut tx = store.read().await?;
    for list in lists(&outer, &form) {
        let List::Submissions(form, scope, _) = &list else {
            continue;
        };
        for creator in [None, Some("user 3"), Some("nobody")] {
            let all = of_creator(creator);
            let whole = tx
                .read_submissions()?
                .submissions(*form, scope, all, Window::ALL)
                .await?;
            let whole: Vec<_> = whole.iter().map(|row| row.id.as_uuid()).collect();
            for selection in selections(all, &whole) {
                let mut selected = whole.clone();
                selected.retain(|id| selection.before.is_none_or(|before| *id < before));
                if selection.newest_first {
                    selected.reverse();
                }
                for window in windows(&whole) {
                    let shown = tx
                        .read_submissions()?
                        .submissions(*form, scope, selection, window)
                        .await?;
                    let shown: Vec<_> = shown.iter().map(|row| row.id.as_uuid()).collect();
                    let expected = part(&selected, window);
                    let what = (selection, window, &list);
                    assert_eq!(shown, expected, "promise 6: {what:?}");
                }
            }
        }
    }
    Ok(())
}

/// Both orders of rows that end at, between, before and after these.
fn selections<'a>(all: Selection<'a>, whole: &[Uuid]) -> Vec<Selection<'a>> {
    let fourth = whole.get(3).copied().unwrap_or_default();
    let between = Uuid::from_u128(fourth.as_u128() + 1);
    let ends = [Uuid::nil(), fourth, between, Uuid::max()].map(Some);
    let mut selections = Vec::new();
    for before in [None].into_iter().chain(ends) {
        for newest_first in [false, true] {
            selections.push(Selection {
                before,
                newest_first,
                ..all
            });
        }
    }
    selections
}

/// Windows into a list of these rows: at, between, before and after them, empty and huge ones.
fn windows(whole: &[Uuid]) -> Vec<Window> {
    const HUGE: [u64; 4] = [1 << 31, 1 << 32, i64::MAX as u64, u64::MAX];
    let length = u64::try_from(whole.len()).unwrap_or_default();
    let before_last = length.saturating_sub(1);
    let third = whole.get(2).copied().unwrap_or_default();
    let between = Uuid::from_u128(third.as_u128() + 1);
    let last = whole.last().copied().unwrap_or_default();
    let mut windows = Vec::new();
    for after in [Uuid::nil(), third, between, last, Uuid::max()] {
        for skip in [0, 1, before_last, length] {
            for limit in [0, 2, length] {
                windows.push(Window {
                    after,
                    skip,
                    limit,
                    ..Window::ALL
                });
            }
        }
    }
    for huge in HUGE {
        for (skip, limit) in [(huge, 2), (1, huge), (huge, huge)] {
            let after = third;
            windows.push(Window {
                after,
                skip,
                limit,
                ..Window::ALL
            });
        }
    }
    windows
}

/// The part of the whole list that is in the window.
pub(super) fn part(whole: &[Uuid], window: Window) -> Vec<Uuid> {
    let mut left = window.limit;
    let mut to_skip = window.skip;
    let mut part = Vec::new();
    for id in whole.iter().filter(|id| **id > window.after) {
        if to_skip > 0 {
            to_skip -= 1;
        } else if left > 0 {
            left -= 1;
            part.push(*id);
        }
    }
    part
}

/// Promise 6: paging through a list during inserts and deletions returns every remaining row exactly once.
pub async fn paging_survives_changes(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let mut stay = Vec::new();
    let mut go = Vec::new();
    for number in 0..30 {
        let group = scene.group("to be listed").await?;
        share(&mut scene, &group.resource).await?;
        if number % 3 == 0 {
            go.push(group.id());
        } else {
            stay.push(group.uuid());
        }
    }
    scene.commit().await?;
    let scope = items(holders(), &ResourceClass::GROUP, &Action::READ);
    let list = List::Groups(scope, None);
    let mut window = Window {
        limit: 4,
        ..Window::ALL
    };
    let mut seen: Vec<Uuid> = Vec::new();
    loop {
        let page = list.ids(&mut *store.read().await?, window).await?;
        let Some(end) = page.last() else { break };
        window.after = *end;
        seen.extend(&page);
        let mut scene = Scene::begin(&*store, &ids).await?;
        let added = scene.group("added meanwhile").await?;
        share(&mut scene, &added.resource).await?;
        for group in go.iter().filter(|group| page.contains(&group.as_uuid())) {
            scene.tx.delete_group(*group).await?;
        }
        if let Some(group) = go.pop() {
            scene.tx.delete_group(group).await?;
        }
        scene.commit().await?;
        assert!(seen.len() < 100, "paging terminates");
    }
    let rising = seen.windows(2).all(|pair| pair.first() < pair.last());
    assert!(rising, "promise 6: no row is repeated: {seen:?}");
    let missed: Vec<_> = stay.iter().filter(|id| !seen.contains(id)).collect();
    assert_eq!(
        missed,
        Vec::<&Uuid>::new(),
        "promise 6: every row is returned"
    );
    Ok(())
}
