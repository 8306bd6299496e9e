//! Statements about forms.

use async_trait::async_trait;
use formalize_core::forms::{
    AdditionalData, Availability, AvailableTags, FormContact, FormDetails, FrontendKey,
    FrontendKeys, LocalizedNames, SubmissionCap, SubmissionLimit, SubmissionStates,
    SubmittedActions, TagActions, TagPermissions,
};
use formalize_core::store::scope::{FormScope, Holding, ItemScope, Subjects, SubmissionReach};
use formalize_core::store::{
    FormFor, Inserted, Principal, ReadForms, StoreResult, Window, WriteForms,
};
use formalize_core::{
    Deletion, Form, FormId, FormName, Revision, SubmissionRules, SubmissionState, Timestamp,
};

use super::driver::{Dialect, FixedText, Lock, Row, Statement, Transaction, sql};
use super::kept_forms::{KEPT, is_kept};
use super::query::{FENCE, Query, Source};
use super::reach::{own_rights_count, state_bit};
use super::record::{Record, inserted, written};
use super::{deletions, grants};

const COLUMNS: &str = "forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, \
     forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, \
     forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, \
     forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact";

/// The columns that [`read_rules`] needs.
pub(super) const RULES: &str = "forms.grant_based, forms.allowed_actions, forms.allowed_states, \
     forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, \
     forms.tag_permissions";

pub(super) fn read(row: &Row) -> StoreResult<Form> {
    let record = Record::new("formalize_forms", row);
    Ok(Form {
        id: FormId::from_uuid(record.id()?),
        name: record.parsed("name", FormName::new)?,
        data_feed_schema: record.optional_text("data_feed_schema")?.map(Into::into),
        rules: read_rules(record)?,
        details: read_details(record)?,
        date_created: record.instant("date_created")?,
        revision: Revision::from_uuid(record.uuid("revision")?),
    })
}

fn read_details(record: Record<'_>) -> StoreResult<FormDetails> {
    let names = record.optional_text("localized_names")?;
    let names = names.as_deref().map(LocalizedNames::stored).transpose();
    let key = record.optional_text("frontend_key")?;
    let key = key.map(FrontendKey::new).transpose();
    let data = record.optional_text("additional_data")?;
    let contact = record.optional_text("contact")?;
    let contact = contact.map(FormContact::new).transpose();
    Ok(FormDetails {
        localized_names: record
            .checked("localized_names", names)?
            .unwrap_or_default(),
        frontend_key: record.checked("frontend_key", key)?,
        additional_data: data.map(AdditionalData::stored),
        available_tags: AvailableTags::stored(record.optional_text("available_tags")?),
        contact: record.checked("contact", contact)?,
    })
}

pub(super) fn read_rules(record: Record<'_>) -> StoreResult<SubmissionRules> {
    let availability = Availability::new(
        record.optional_instant("available_starts")?,
        record.optional_instant("availability_ends")?,
    );
    let cap = record.optional_int("max_per_creator")?;
    let cap = cap.map(SubmissionCap::new).transpose();
    let limit = record.optional_int("max_submissions")?;
    let limit = limit.map(SubmissionLimit::new).transpose();
    let tag_actions = TagActions::from_bits(record.bits("tag_permissions")?);
    Ok(SubmissionRules {
        grant_based: record.bool("grant_based")?,
        allowed_actions_when_submitted: SubmittedActions::from_bits(
            record.bits("allowed_actions")?,
        ),
        allowed_states: SubmissionStates::from_bits(record.bits("allowed_states")?),
        availability: record.checked("availability_ends", availability)?,
        cap: record.checked("max_per_creator", cap)?,
        limit: record.checked("max_submissions", limit)?,
        tag_permissions: record.checked("tag_permissions", TagPermissions::of(tag_actions))?,
    })
}

pub(super) async fn find(
    tx: &mut Transaction,
    id: FormId,
    lock: Option<Lock>,
) -> StoreResult<Option<Form>> {
    let select = tx.dialect().select_one(COLUMNS, "forms", KEPT, lock);
    let select = sql(select).bind(id.as_uuid()).brief();
    tx.read_one(select, read).await
}

#[async_trait]
impl ReadForms for Transaction {
    async fn deletion_of_form(&mut self, id: FormId) -> StoreResult<Deletion> {
        deletions::of_form(self, id).await
    }

    async fn find_form(&mut self, id: FormId) -> StoreResult<Option<Form>> {
        find(self, id, None).await
    }

    async fn find_form_for(
        &mut self,
        id: FormId,
        principal: Principal<'_>,
    ) -> StoreResult<Option<FormFor>> {
        let select = select_for(self.dialect(), id, principal);
        self.read_one(select, |row| {
            Ok(FormFor {
                form: read(row)?,
                held: grants::read_held(row)?,
                places_taken: Record::new("formalize_submission_places", row).int("taken")?,
                form_places_taken: Record::new("formalize_form_places", row)
                    .optional_int("form_taken")?,
            })
        })
        .await
    }

    async fn forms(&mut self, scope: &FormScope, window: Window) -> StoreResult<Vec<Form>> {
        let select = select(self.dialect(), scope, window);
        self.read_list(select, read).await
    }
}

#[async_trait]
impl WriteForms for Transaction {
    async fn lock_form(&mut self, id: FormId) -> StoreResult<Option<Form>> {
        find(self, id, Some(Lock::Shared)).await
    }

    async fn lock_form_exclusive(&mut self, id: FormId) -> StoreResult<Option<Form>> {
        find(self, id, Some(Lock::Exclusive)).await
    }

    async fn insert_form(&mut self, form: &Form) -> StoreResult<Inserted> {
        let insert = "INSERT INTO formalize_forms (id, name, data_feed_schema, grant_based, allowed_actions, allowed_states, \
             available_starts, availability_ends, max_per_creator, max_submissions, revision, localized_names, \
             frontend_key, additional_data, tag_permissions, available_tags, contact, date_created) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) \
             ON CONFLICT (id) DO NOTHING";
        let insert = bind(sql(insert), form).bind(form.date_created.as_millis());
        let made = self.run(insert.brief()).await.map(inserted)?;
        if made == Inserted::Done && form.rules.limit.is_some() {
            let places = sql("INSERT INTO formalize_form_places (form_id, taken) VALUES ($1, 0)");
            self.run(places.bind(form.id.as_uuid()).brief()).await?;
        }
        Ok(made)
    }

    async fn update_form(&mut self, form: &Form) -> StoreResult<()> {
        let update = "UPDATE formalize_forms SET name = $2, data_feed_schema = $3, grant_based = $4, allowed_actions = $5, \
             allowed_states = $6, available_starts = $7, availability_ends = $8, max_per_creator = $9, \
             max_submissions = $10, revision = $11, localized_names = $12, frontend_key = $13, additional_data = $14, \
             tag_permissions = $15, available_tags = $16, contact = $17 WHERE id = $1";
        let is_limited = form.rules.limit.is_some();
        let places = if is_limited {
            count_places()
        } else {
            "DELETE FROM formalize_form_places WHERE form_id = $1".to_owned()
        };
        let update = bind(sql(self.dialect().together(&places, update)), form);
        let update = if is_limited { update } else { update.brief() };
        written(self.run(update).await?, "form")
    }

    async fn delete_form(&mut self, id: FormId) -> StoreResult<bool> {
        deletions::delete_form(self, id).await
    }

    async fn delete_remains(&mut self, limit: usize) -> StoreResult<u64> {
        deletions::delete_remains(self, limit).await
    }
}

pub(super) fn select_for(dialect: Dialect, id: FormId, principal: Principal<'_>) -> Statement<'_> {
    static TEXT: FixedText = FixedText::new();
    let mut query = Query::new(dialect);
    let (form, creator) = (
        query.bind(id.as_uuid()),
        query.bind(principal.user.as_str()),
    );
    let principal = grants::BoundPrincipal::new(&mut query, principal);
    let select = TEXT.get(dialect, || {
        let held = grants::held_value(dialect, "grants.anchor = forms.id", &principal);
        format!(
            "SELECT {COLUMNS}, {held} AS held, coalesce((SELECT taken FROM formalize_submission_places AS submission_places \
             WHERE form_id = forms.id AND creator = {creator}), 0) AS taken, \
             (SELECT taken FROM formalize_form_places AS form_places WHERE form_id = forms.id) AS form_taken \
             FROM formalize_forms AS forms \
             WHERE forms.id = {form} AND {KEPT}"
        )
    });
    query.statement(select).brief()
}

/// The statement of a list.
pub(super) fn select(dialect: Dialect, scope: &FormScope, window: Window) -> Option<Statement<'_>> {
    let mut query = Query::new(dialect);
    let sources = match (&scope.with_submissions, &scope.items) {
        (None, ItemScope::All) => vec![all(&mut query, &scope.keys)],
        (None, ItemScope::Granted { subjects, holdings }) => {
            let subjects = query.bind_subjects(subjects);
            let sources = Source::granted_any(&mut query, &subjects, holdings);
            with_keys(&mut query, sources, &scope.keys)
        }
        (Some(reach), items) => {
            let sources = with_submissions(&mut query, reach, items);
            with_keys(&mut query, sources, &scope.keys)
        }
    };
    let texts = &[
        "forms.data_feed_schema",
        "forms.localized_names",
        "forms.additional_data",
        "forms.available_tags",
    ];
    query.large_rows(COLUMNS, ("forms", texts), &sources, window)
}

/// All forms; with any of several keys, one set for each of these, which an index has in order.
fn all<'a>(query: &mut Query<'a>, keys: &'a FrontendKeys) -> Source {
    let mut forms = Source::of("forms", "forms.id", vec![is_kept("forms.id")]);
    if let Some(condition) = none_of(query, keys, "forms") {
        forms = forms.and(condition);
    }
    match &keys.any_of {
        None => forms,
        Some(keys) => {
            let keys = query.bind(key_texts(keys));
            Source {
                each: vec![query.dialect().texts("frontend", &keys)],
                ..forms
                    .and("forms.frontend_key IS NOT NULL")
                    .led_by("forms.frontend_key", "frontend.value")
            }
        }
    }
}

/// Those of the forms that have the keys.
fn with_keys<'a>(
    query: &mut Query<'a>,
    sources: Vec<Source>,
    keys: &'a FrontendKeys,
) -> Vec<Source> {
    let any_of = keys.any_of.as_deref().map(|keys| {
        let keys = query.bind(key_texts(keys));
        query.dialect().any_text("keyed.frontend_key", &keys)
    });
    let conditions: Vec<_> = any_of
        .into_iter()
        .chain(none_of(query, keys, "keyed"))
        .collect();
    if conditions.is_empty() {
        return sources;
    }
    let conditions = conditions.join(" AND ");
    let with_keys = |source: Source| {
        let form = format!("keyed.id = {}", source.id);
        source.whose("formalize_forms AS keyed", &form, &conditions)
    };
    sources.into_iter().map(with_keys).collect()
}

/// The condition that a form in this table has none of the keys that are not wanted.
fn none_of<'a>(query: &mut Query<'a>, keys: &'a FrontendKeys, table: &str) -> Option<String> {
    if keys.none_of.is_empty() {
        return None;
    }
    let keys = query.bind(key_texts(&keys.none_of));
    let column = format!("{table}.frontend_key");
    let is_one = query.dialect().any_text(&column, &keys);
    Some(format!("({column} IS NULL OR NOT {is_one})"))
}

fn key_texts(keys: &[FrontendKey]) -> Vec<String> {
    keys.iter().map(|key| key.as_str().to_owned()).collect()
}

/// Those of the forms with reachable submissions, in each way. There are usually fewer of these than of the others.
fn with_submissions<'a>(
    query: &mut Query<'a>,
    reach: &'a SubmissionReach,
    items: &'a ItemScope,
) -> Vec<Source> {
    let subjects = query.bind_subjects(&reach.subjects);
    let mut sources = Source::granted_any(query, &subjects, &reach.through_form);
    sources.push(of_creator(query, reach));
    sources.push(of_grantee(query, &subjects, reach));
    match items {
        ItemScope::All => sources,
        ItemScope::Granted { holdings, .. } if holdings.is_empty() => Vec::new(),
        ItemScope::Granted { subjects, holdings } => {
            let held = held_on_form(query, subjects, holdings);
            sources
                .into_iter()
                .map(|source| {
                    let held = format!("EXISTS ({held} AND held.anchor = {}{FENCE})", source.id);
                    source.and(held)
                })
                .collect()
        }
    }
}

/// The grants that put a form in the scope.
pub(super) fn held_on_form<'a>(
    query: &mut Query<'a>,
    subjects: &Subjects,
    holdings: &'a [Holding],
) -> String {
    let subjects = query.bind_subjects(subjects);
    let any: Vec<String> = holdings
        .iter()
        .map(|holding| {
            let class = query.bind(holding.class.as_str());
            let actions = query.bind_actions(&holding.actions);
            let action = query.dialect().any_text("held.action", &actions);
            format!("held.class = {class} AND {action}")
        })
        .collect();
    let subject = query.dialect().any_text("held.subject", &subjects);
    let any = match any.join(" OR ") {
        none if none.is_empty() => "FALSE".to_owned(),
        any => any,
    };
    format!("SELECT 1 FROM formalize_grants AS held WHERE {subject} AND ({any})")
}

/// Creator-based forms with submissions of the creator that authorship gives access to. Drafts are looked for by themselves,
/// because the creator may have many other submissions that do not count.
fn of_creator<'a>(query: &mut Query<'a>, reach: &'a SubmissionReach) -> Source {
    let creator = query.bind(reach.creator.as_str());
    let draft = query.bind(state_bit(SubmissionState::Draft));
    let in_force = query.bind(i64::from(reach.in_force.bits()));
    let own = format!(
        "SELECT 1 FROM formalize_submissions AS submissions WHERE submissions.form_id = forms.id \
         AND submissions.creator = {creator}"
    );
    let counts = format!(
        "NOT forms.grant_based AND {} AND (EXISTS ({own} AND submissions.state = {draft}{FENCE}) \
         OR (forms.allowed_actions & {in_force}) <> 0 AND EXISTS ({own}{FENCE}))",
        is_kept("forms.id")
    );
    Source::of("submission_places", "submission_places.form_id", Vec::new())
        .led_by("submission_places.creator", creator)
        .whose(
            "formalize_forms AS forms",
            "forms.id = submission_places.form_id",
            &counts,
        )
}

/// Grant-based forms with submissions that grants give access to: one set for each form with any grants. Forms that a
/// grant on the form puts in the list match, too. Otherwise the search for a submission that adds the form would read all grants
/// of a user who imported the submissions.
fn of_grantee<'a>(query: &mut Query<'a>, subjects: &str, reach: &'a SubmissionReach) -> Source {
    let dialect = query.dialect();
    let held = held_on_form(query, &reach.subjects, &reach.through_form);
    let actions = query.bind_actions(&reach.own);
    let own = own_rights_count(query, reach.in_force);
    let counting = format!(
        "(EXISTS ({held} AND held.anchor = forms.id{FENCE}) \
         OR EXISTS (SELECT 1 FROM formalize_grants AS grants CROSS JOIN formalize_submissions AS submissions \
         WHERE grants.form_id = forms.id \
         AND {} AND {} AND submissions.id = grants.anchor AND {own}{FENCE}))",
        dialect.any_text("grants.subject", subjects),
        dialect.any_text("grants.action", &actions)
    );
    Source {
        each: vec![format!("({}) AS shared", shared_with(dialect, subjects))],
        ..Source::of("forms", "forms.id", Vec::new())
    }
    .and("forms.id = shared.id AND forms.grant_based")
    .and(is_kept("forms.id"))
    .and(counting)
}

/// The forms with submissions on which subjects hold grants. Each one is looked up behind the one before, because there may be
/// very many grants in each.
fn shared_with(dialect: Dialect, subjects: &str) -> String {
    let subjects = dialect.texts("subject", subjects);
    let first = |of_subject: &str| {
        format!(
            "(SELECT grants.form_id FROM formalize_grants AS grants WHERE {of_subject} ORDER BY grants.form_id LIMIT 1)"
        )
    };
    format!(
        "WITH RECURSIVE shared (subject, id) AS (SELECT subject.value, {} FROM {subjects} \
         UNION ALL SELECT shared.subject, {} FROM shared WHERE shared.id IS NOT NULL) \
         SELECT DISTINCT shared.id FROM shared WHERE shared.id IS NOT NULL",
        first("grants.subject = subject.value AND grants.form_id IS NOT NULL"),
        first("grants.subject = shared.subject AND grants.form_id > shared.id")
    )
}

/// Counts the submissions of a form that has just got a limit. Others have their count, and counting again would take
/// longer the more submissions there are.
fn count_places() -> String {
    format!(
        "INSERT INTO formalize_form_places (form_id, taken) \
         SELECT forms.id, (SELECT count(*) FROM formalize_submissions AS submissions \
         WHERE submissions.form_id = forms.id AND submissions.state = {}) \
         FROM formalize_forms AS forms WHERE forms.id = $1 \
         AND NOT EXISTS (SELECT 1 FROM formalize_form_places AS form_places WHERE form_places.form_id = forms.id)",
        state_bit(SubmissionState::Submitted)
    )
}

/// Binds the arguments that insert and update share.
fn bind<'a>(statement: Statement<'a>, form: &'a Form) -> Statement<'a> {
    let rules = &form.rules;
    statement
        .bind(form.id.as_uuid())
        .bind(form.name.as_str())
        .bind(form.data_feed_schema.as_deref())
        .bind(rules.grant_based)
        .bind(i64::from(rules.allowed_actions_when_submitted.bits()))
        .bind(i64::from(rules.allowed_states.bits()))
        .bind(rules.availability.starts().map(Timestamp::as_millis))
        .bind(rules.availability.ends().map(Timestamp::as_millis))
        .bind(rules.cap.map(SubmissionCap::get))
        .bind(rules.limit.map(SubmissionLimit::get))
        .bind(form.revision.as_uuid())
        .bind(form.details.localized_names.to_json())
        .bind(form.details.frontend_key.as_ref().map(FrontendKey::as_str))
        .bind(
            form.details
                .additional_data
                .as_ref()
                .map(AdditionalData::as_str),
        )
        .bind(i64::from(rules.tag_permissions.actions().bits()))
        .bind(form.details.available_tags.to_json())
        .bind(form.details.contact.as_ref().map(FormContact::as_str))
}
