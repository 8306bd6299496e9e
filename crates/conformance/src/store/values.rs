//! Promise 5: timestamps are returned to the millisecond, JSON byte for byte, and everything else unchanged.

use std::sync::Arc;

use serde_json::json;

use formalize_core::store::{Inserted, Store, StoreResult};
use formalize_core::{
    Action, Form, Member, SubmissionRules, SubmissionState, Timestamp,
    forms::{
        Availability, FormDetails, SubmissionCap, SubmissionLimit, SubmissionStates,
        SubmittedActions, TagPermissions,
    },
};

use crate::store::samples::{
    Ids, additional_data, available_tags, cap, contact, form_name, frontend_key, holder, instant,
    item, language, limit, localized_names, secret, user,
};
use crate::store::scene::Scene;

/// Promise 5: attributes of tokens keep every kind of JSON value.
pub async fn attributes_keep_their_values(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut token = ids.token(&user("alice"));
    token.attributes = [
        ("null", json!(null)),
        ("boolean", json!([true, false])),
        ("small", json!(i64::MIN)),
        ("great", json!(u64::MAX)),
        ("fraction", json!(-0.5)),
        ("one", json!([1, 1.0])),
        (
            "text",
            json!(["", "\u{0}", "\n", "\"", "é", "e\u{301}", "😀"]),
        ),
        ("nested", json!({"b": {"a": []}, "a": {}, "": [[[]]]})),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let mut tx = store.write().await?;
    tx.write_tokens()?.insert_token(&token, &secret(1)).await?;
    tx.commit().await?;
    let found = store
        .read()
        .await?
        .read_tokens()?
        .find_token(&secret(1))
        .await?;
    assert_eq!(found, Some(token), "promise 5: attributes");
    Ok(())
}

/// Promise 5: schemas and data are strings that are returned byte for byte; a missing one differs from the text `null`.
pub async fn json_comes_back_byte_for_byte(store: Arc<dyn Store>) -> StoreResult<()> {
    let long = format!("{{\"long\": \"{}\"}}", "ä".repeat(500_000));
    let texts = [
        None,
        Some("null"),
        Some("{}"),
        Some(" { } "),
        Some("{\"b\":1,\"a\":2}"),
        Some("{\r\n\t\"a\" :\t1.0 }\n"),
        Some("[1e400, 1.10, 0.1e1, -0, 12345678901234567890123]"),
        Some(r#"{"\u0000": "\u00e9\ud83d\ude00", "é": "e\u0301/\/"}"#),
        Some("{\"😀\": \"e\u{301} é \u{7f}\u{2028}\"}"),
        Some(&long),
    ];
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let mut written = Vec::new();
    for text in texts {
        let mut form = ids.form(SubmissionRules::default());
        form.data_feed_schema = text.map(Into::into);
        let form = scene.insert_form(form).await?.form;
        let mut submission = ids.submission(&form, &user("alice"), SubmissionState::Draft);
        submission.data = text.map(Into::into);
        scene.insert_submission(&submission).await?;
        written.push((form, submission));
    }
    scene.commit().await?;
    let mut tx = store.read().await?;
    for (form, submission) in written {
        let found = tx.read_forms()?.find_form(form.id).await?;
        assert!(found == Some(form), "promise 5: a schema");
        let found = tx
            .read_submissions()?
            .find_submission(submission.id)
            .await?;
        assert!(found == Some(submission), "promise 5: data");
    }
    Ok(())
}

/// The limits of the range, the neighbours of the epoch, and recent timestamps.
fn instants() -> [Timestamp; 10] {
    [
        -62_167_219_200_000,
        -62_135_596_800_001,
        -1_000,
        -999,
        -1,
        0,
        1,
        1_795_000_000_123,
        1_795_000_000_124,
        253_402_300_799_999,
    ]
    .map(instant)
}

/// Promise 5: timestamps are returned to the millisecond, also those before 1970.
pub async fn instants_come_back_to_the_millisecond(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let alice = user("alice");
    let thing = scene.item("thing", "1").await?;
    let form = scene.form(SubmissionRules::default()).await?.form;
    let mut written = Vec::new();
    for (number, now) in (0..).zip(instants()) {
        let mut group = ids.group("a group");
        group.date_created = now;
        scene.tx.insert_group(&group).await?;
        let mut membership = ids.membership(group.id, Member::User(alice.clone()));
        membership.date_created = now;
        let _ = scene.tx.insert_membership(&membership).await?;
        let mut resource = ids.resource(item("dated", &now.to_string()), None);
        resource.date_created = now;
        let _ = scene.tx.insert_resource(&resource).await?;
        let mut grant = ids.grant(&holder(&now.to_string()), Action::READ, &thing);
        grant.date_created = now;
        let _ = scene.tx.insert_grant(&grant).await?;
        let mut submission = ids.submission(&form, &alice, SubmissionState::Submitted);
        submission.date_created = now;
        submission.date_last_modified = now;
        scene.insert_submission(&submission).await?;
        let mut token = ids.token(&alice);
        token.date_created = now;
        token.date_expires = Some(now);
        token.date_last_used = Some(now);
        scene.token(&token, number).await?;
        written.push((
            group, membership, resource, grant.id, submission, token, now,
        ));
    }
    scene.commit().await?;
    let mut tx = store.read().await?;
    for (number, written) in (0..).zip(written) {
        let (group, membership, resource, grant, submission, token, now) = written;
        assert_eq!(tx.find_group(group.id).await?, Some(group));
        assert_eq!(tx.find_membership(membership.id).await?, Some(membership));
        assert_eq!(tx.find_resource(resource.id).await?, Some(resource));
        let dated = tx.find_grant(grant).await?.map(|grant| grant.date_created);
        assert_eq!(dated, Some(now));
        assert_eq!(
            tx.read_submissions()?
                .find_submission(submission.id)
                .await?,
            Some(submission)
        );
        assert_eq!(
            tx.read_tokens()?.find_token(&secret(number)).await?,
            Some(token)
        );
    }
    Ok(())
}

/// Forms with every set of allowed actions and states, both kinds of authorization, the bounds of the cap and
/// the limit, and half-open windows.
fn forms_of_every_kind(ids: &Ids) -> Vec<Form> {
    let caps = [
        None,
        Some(cap(0)),
        Some(cap(1)),
        Some(cap(SubmissionCap::MAX)),
    ];
    let limits = [Some(limit(0)), Some(limit(SubmissionLimit::MAX)), None];
    let ends = instants();
    let mut forms = Vec::new();
    for number in 0..16_u8 {
        let turn = usize::from(number);
        let pick = |on: bool| ends.iter().copied().cycle().nth(turn).filter(|_| on);
        let (starts, until) = (pick(number & 1 != 0), pick(number & 2 != 0));
        let mut form = ids.form(SubmissionRules {
            grant_based: number % 3 == 0,
            allowed_actions_when_submitted: SubmittedActions::from_bits(number),
            allowed_states: SubmissionStates::from_bits(1 + number % 3),
            availability: Availability::new(starts, until).unwrap_or_default(),
            cap: caps.into_iter().cycle().nth(turn).flatten(),
            limit: limits.into_iter().cycle().nth(turn).flatten(),
            tag_permissions: TagPermissions::ALL
                .into_iter()
                .cycle()
                .nth(turn)
                .unwrap_or_default(),
        });
        form.details = details(number);
        forms.push(form);
    }
    forms
}

/// Each part of the details with and without a value.
fn details(number: u8) -> FormDetails {
    let names = [("de", "Anmeldung"), ("zh-Hant-TW", "e\u{301} \"\\ 報名")]
        .map(|(tag, name)| (language(tag), form_name(name)));
    FormDetails {
        localized_names: localized_names(names.into_iter().take(usize::from(number % 3))),
        frontend_key: (number & 1 != 0).then(|| frontend_key("a.B_c~d-9")),
        additional_data: (number & 2 != 0)
            .then(|| additional_data(&serde_json::json!({"ä": [1.5, null, {}], "b": "\n"}))),
        available_tags: available_tags(usize::from(number % 3)),
        contact: (number & 1 == 0).then(|| contact("Büro \u{1F4DE} 12, \"a\\b\"")),
    }
}

/// Promise 5: the rules of a form are returned unchanged after an insert and after an update.
pub async fn rules_come_back(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let forms = forms_of_every_kind(&ids);
    let mut tx = store.write().await?;
    for form in &forms {
        let inserted = tx.write_forms()?.insert_form(form).await?;
        assert_eq!(inserted, Inserted::Done, "promise 7: {form:?}");
    }
    tx.commit().await?;
    let mut tx = store.write().await?;
    for form in &forms {
        let found = tx.read_forms()?.find_form(form.id).await?;
        assert_eq!(found.as_ref(), Some(form), "promise 5: a form");
    }
    let mut changed = Vec::new();
    for (form, other) in forms.iter().zip(forms.iter().rev()) {
        let form = Form {
            id: form.id,
            name: form_name("renamed"),
            revision: ids.revision(),
            data_feed_schema: Some("true".into()),
            ..other.clone()
        };
        tx.write_forms()?.update_form(&form).await?;
        changed.push(form);
    }
    tx.commit().await?;
    let mut tx = store.read().await?;
    for form in changed {
        let found = tx.read_forms()?.find_form(form.id).await?;
        assert_eq!(found, Some(form), "promise 5: a form that was changed");
    }
    Ok(())
}
