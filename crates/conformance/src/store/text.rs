//! Promise 5: strings are returned code point by code point, timestamps to the millisecond, and everything else
//! unchanged.

use std::sync::Arc;

use serde_json::json;

use formalize_core::store::scope::{ItemScope, ResourceScope, SubmissionScope};
use formalize_core::store::{Store, StoreResult, Window};
use formalize_core::{
    Action, Member, ResourceFilter, Subject, SubmissionRules, SubmissionState,
    forms::SubmissionStates,
};

use crate::store::list::List;
use crate::store::list::of_creator;
use crate::store::samples::{
    Ids, action, dynamic, form_name, group_name, holder, item, secret, subjects, user,
};
use crate::store::scene::Scene;
use formalize_core::internals::scopes::every_submission;

/// Names that databases might change, confuse with each other, or interpret.
const NAMES: [&str; 55] = [
    "Alice",
    "alice",
    "ALICE",
    "é",
    "e\u{301}",
    "É",
    "a",
    "a ",
    " a",
    "a  ",
    "a\u{a0}",
    "ß",
    "ss",
    "ẞ",
    "ı",
    "i",
    "I",
    "İ",
    "ﬁ",
    "fi",
    "ｆｉ",
    "Ω",
    "\u{2126}",
    "😀",
    "😁",
    "👩\u{200d}👧",
    "a\u{200b}",
    "\u{feff}a",
    "%",
    "_",
    "\\",
    "%_\\",
    "\\%",
    "a%",
    "?",
    "$1",
    ":a",
    "\"",
    "'",
    "''",
    "'; DROP TABLE formalize_groups; --",
    "{\"a\": [null]}",
    "[]",
    "null",
    "NULL",
    "true",
    "0",
    "00",
    "-0",
    "1e3",
    "1000",
    "user:alice",
    "group:alice",
    "\u{10ffff}",
    "\u{e000}",
];

/// [`NAMES`], and strings of maximum length: 255 characters of one to four bytes.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = NAMES.map(str::to_owned).into();
    for longest in ["x", "ä", "😀"] {
        texts.push(longest.repeat(255));
        texts.push(format!("{}y", longest.repeat(254)));
    }
    texts
}

/// Shortens a text to the maximum length of a group name.
fn short(text: &str) -> String {
    text.chars().take(128).collect()
}

/// Promise 5: names of groups and forms are returned exactly.
pub async fn names_come_back_exactly(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let mut written = Vec::new();
    for text in texts() {
        let group = scene.group(&short(&text)).await?.group;
        let mut form = ids.form(SubmissionRules::default());
        form.name = form_name(&text);
        let form = scene.insert_form(form).await?.form;
        written.push((group, form));
    }
    scene.commit().await?;
    let mut tx = store.read().await?;
    for (group, form) in written {
        let found = tx.find_group(group.id).await?;
        assert_eq!(found, Some(group), "promise 5: the name of a group");
        let found = tx.read_forms()?.find_form(form.id).await?;
        assert_eq!(found, Some(form), "promise 5: the name of a form");
    }
    Ok(())
}

/// Promise 5: the identifiers of creators are returned exactly, and only an identical one matches.
pub async fn creators_are_compared_exactly(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let form = scene.form(SubmissionRules::default()).await?.form;
    let mut written = Vec::new();
    for text in texts() {
        let creator = user(&text);
        let made = scene.submission(&form, &creator, SubmissionState::Draft);
        written.push(made.await?);
    }
    scene.commit().await?;
    let mut tx = store.read().await?;
    for submission in written {
        let creator = submission.creator.clone();
        let places = tx
            .read_submissions()?
            .places_taken(form.id, &creator)
            .await?;
        assert_eq!(places, 1, "promise 5: only {creator:?} took this place");
        let everything = every_submission();
        let expected = [submission];
        let by_filter = tx
            .read_submissions()?
            .submissions(
                form.id,
                &everything,
                of_creator(Some(creator.as_str())),
                Window::ALL,
            )
            .await?;
        assert_eq!(by_filter, expected, "promise 5: filter");
        let created = SubmissionScope {
            all: SubmissionStates::NONE,
            created: Some((creator, SubmissionState::ALL.iter().copied().collect())),
            granted: None,
        };
        let by_scope = tx
            .read_submissions()?
            .submissions(form.id, &created, of_creator(None), Window::ALL)
            .await?;
        assert_eq!(by_scope, expected, "promise 5: scope");
    }
    Ok(())
}

/// Promise 5: classes and identifiers are returned exactly, and only identical ones match.
pub async fn resources_are_compared_exactly(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let mut written = Vec::new();
    for text in texts() {
        written.push(scene.item("thing", &text).await?);
        written.push(scene.item(&text, "1").await?);
    }
    scene.commit().await?;
    let mut tx = store.read().await?;
    for resource in written {
        let found = tx.find_resource_of(&resource.resource).await?;
        assert_eq!(found, Some(resource.clone()), "promise 5: by reference");
        let filter = ResourceFilter::of(resource.resource.clone());
        let found = tx
            .resources(&ResourceScope::All, &filter, Window::ALL)
            .await?;
        assert_eq!(found, [resource], "promise 5: by filter");
    }
    let other = tx.find_resource_of(&item("THING", "1")).await?;
    assert_eq!(other, None, "promise 5: case is significant");
    Ok(())
}

/// Promise 5: holders and actions of grants are returned exactly, and only identical ones match.
pub async fn holders_and_actions_are_compared_exactly(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let thing = scene.item("thing", "1").await?;
    let mut written = Vec::new();
    for text in texts() {
        for subject in [holder(&text), dynamic(&text)] {
            let kind = matches!(subject, Subject::User(_));
            let done = action(&format!("{}{kind}", short(&text)));
            written.push(scene.grant(&subject, done, &thing).await?);
        }
    }
    scene.commit().await?;
    let mut tx = store.read().await?;
    for grant in written {
        let found = tx.find_grant(grant.id).await?;
        assert_eq!(found.as_ref(), Some(&grant), "promise 5: a grant");
        let held = tx
            .held(&[thing.anchor()], &subjects([grant.subject.clone()]))
            .await?;
        let actions: Vec<&Action> = held.iter().map(|held| &held.action).collect();
        assert_eq!(actions, [&grant.action], "promise 5: {:?}", grant.subject);
    }
    Ok(())
}

/// Promise 5: members are returned exactly, and a membership matches only that user.
pub async fn members_are_compared_exactly(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let everyone = scene.group("everyone").await?;
    let mut written = Vec::new();
    for text in texts() {
        let member = user(&text);
        let alone = scene.group("alone").await?;
        scene
            .member(alone.id(), Member::User(member.clone()))
            .await?;
        let among = Member::User(member.clone());
        let among = scene.member(everyone.id(), among).await?;
        written.push((member, alone.id(), among));
    }
    scene.commit().await?;
    let mut tx = store.read().await?;
    for (member, alone, among) in written {
        let found = tx.find_membership(among.id).await?;
        assert_eq!(found, Some(among), "promise 5: a membership");
        let mut groups = tx.groups_of(&member).await?;
        groups.sort_unstable();
        let mut expected = [everyone.id(), alone];
        expected.sort_unstable();
        assert_eq!(groups, expected, "promise 5: the groups of {member:?}");
    }
    Ok(())
}

/// Promise 5: settings and tokens are returned exactly, and the name of a setting is matched exactly.
pub async fn settings_and_tokens_come_back_exactly(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let mut tokens = Vec::new();
    for (number, text) in (0..).zip(texts()) {
        scene.setting(&text, &format!("{text} {number}")).await?;
        let mut token = ids.token(&user(&text));
        token.attributes = [(text.clone(), json!({ &text: [&text] }))].into();
        scene.token(&token, number).await?;
        tokens.push(token);
    }
    scene.setting("empty", "").await?;
    scene.commit().await?;
    let mut tx = store.read().await?;
    for (number, (text, token)) in (0..).zip(texts().into_iter().zip(tokens)) {
        let value = tx.find_setting(&text).await?;
        assert_eq!(value, Some(format!("{text} {number}")), "promise 5");
        let found = tx.read_tokens()?.find_token(&secret(number)).await?;
        assert_eq!(found, Some(token), "promise 5: a token");
    }
    assert_eq!(tx.find_setting("empty").await?.as_deref(), Some(""));
    Ok(())
}

/// Promise 5: a search matches `%`, `_` and `\` literally, and ignores only differences in case.
pub async fn a_search_takes_every_character_for_itself(store: Arc<dyn Store>) -> StoreResult<()> {
    const GROUPS: [&str; 12] = [
        "100%",
        "100 percent",
        "a_b",
        "axb",
        "a\\b",
        "Äpfel",
        "äPFEL",
        "Apfel",
        "A\u{308}pfel",
        "Straße",
        "STRASSE",
        "ΣΊΣΥΦΟΣ",
    ];
    const SEARCHES: [(&str, &[&str]); 14] = [
        ("", &GROUPS),
        ("%", &["100%"]),
        ("0%", &["100%"]),
        ("_", &["a_b"]),
        ("a_b", &["a_b"]),
        ("\\", &["a\\b"]),
        ("a\\b", &["a\\b"]),
        ("äpf", &["Äpfel", "äPFEL"]),
        ("pfel", &["Äpfel", "äPFEL", "Apfel", "A\u{308}pfel"]),
        ("aß", &["Straße"]),
        ("ass", &["STRASSE"]),
        ("σίσυφοσ", &["ΣΊΣΥΦΟΣ"]),
        ("' or '1'='1", &[]),
        ("ä ", &[]),
    ];
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let mut named = Vec::new();
    for name in GROUPS {
        named.push((name, scene.group(name).await?.uuid()));
    }
    scene.commit().await?;
    for (search, names) in SEARCHES {
        let expected: Vec<_> = named
            .iter()
            .filter(|(name, _)| names.contains(name))
            .map(|(_, id)| *id)
            .collect();
        List::Groups(ItemScope::All, Some(search.to_owned()))
            .must_hold(&*store, &expected, "promise 5: a search is literal")
            .await?;
    }
    Ok(())
}

/// A search uses the new name after a change.
pub async fn a_search_follows_the_name(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let mut group = scene.group("Before").await?.group;
    scene.commit().await?;
    group.name = group_name("After");
    let mut tx = store.write().await?;
    tx.update_group(&group).await?;
    tx.commit().await?;
    let id = group.id.as_uuid();
    List::Groups(ItemScope::All, Some("before".to_owned()))
        .must_hold(&*store, &[], "the old name is not found")
        .await?;
    List::Groups(ItemScope::All, Some("after".to_owned()))
        .must_hold(&*store, &[id], "the new name is found")
        .await
}
