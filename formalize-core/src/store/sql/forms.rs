//! Statements about forms.

use super::driver::{Lock, Row, Statement, Transaction, sql};
use super::query::{Query, Source};
use super::reach::own_rights_count;
use super::record::{Record, written};
use crate::authz::scope::{FormScope, Holding, ItemScope, SubmissionReach};
use crate::id::{FormId, Revision};
use crate::model::form::{
    Availability, Form, FormName, SubmissionCap, SubmissionRules, SubmissionStates,
    SubmittedActions,
};
use crate::page::Window;
use crate::store::StoreResult;
use crate::time::Timestamp;

const COLUMNS: &str = "forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, \
     forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.revision, \
     forms.date_created, forms.data_feed_schema";

fn read(row: &Row) -> StoreResult<Form> {
    let record = Record::new("forms", row);
    Ok(Form {
        id: FormId::from_uuid(record.id()?),
        name: record.parsed("name", FormName::new)?,
        data_feed_schema: record.optional_text("data_feed_schema")?.map(Into::into),
        rules: read_rules(record)?,
        date_created: record.instant("date_created")?,
        revision: Revision::from_uuid(record.uuid("revision")?),
    })
}

fn read_rules(record: Record<'_>) -> StoreResult<SubmissionRules> {
    let availability = Availability::new(
        record.optional_instant("available_starts")?,
        record.optional_instant("availability_ends")?,
    );
    let cap = record.optional_int("max_per_creator")?;
    let cap = cap.map(SubmissionCap::new).transpose();
    Ok(SubmissionRules {
        grant_based: record.bool("grant_based")?,
        allowed_actions_when_submitted: SubmittedActions::from_bits(
            record.bits("allowed_actions")?,
        ),
        allowed_states: SubmissionStates::from_bits(record.bits("allowed_states")?),
        availability: record.checked("availability_ends", availability)?,
        cap: record.checked("max_per_creator", cap)?,
    })
}

pub(super) async fn find(
    tx: &mut Transaction,
    id: FormId,
    lock: Option<Lock>,
) -> StoreResult<Option<Form>> {
    let select = tx.dialect().select_one(COLUMNS, "forms", lock);
    let row = tx.optional(sql(select).bind(id.as_uuid())).await?;
    row.as_ref().map(read).transpose()
}

pub(super) async fn find_all(tx: &mut Transaction, ids: &[FormId]) -> StoreResult<Vec<Form>> {
    let ids: Vec<_> = ids.iter().map(|id| id.as_uuid()).collect();
    let of_ids = tx.dialect().any_uuid("forms.id", "$1");
    let select = sql(format!("SELECT {COLUMNS} FROM forms WHERE {of_ids}")).bind(ids);
    tx.all(select).await?.iter().map(read).collect()
}

pub(super) async fn list(
    tx: &mut Transaction,
    scope: &FormScope,
    window: Window,
) -> StoreResult<Vec<Form>> {
    let mut query = Query::new(tx.dialect());
    let readable = match &scope.readable {
        ItemScope::All => Source::of("forms", "forms.id", Vec::new()),
        ItemScope::Granted { subjects, holding } => {
            let subjects = query.bind_subjects(subjects);
            let granted = Source::granted(&mut query, &subjects, holding);
            match scope.with_submissions {
                Some(_) => granted.join("forms", "forms.id = grants.anchor"),
                None => granted,
            }
        }
    };
    let source = match &scope.with_submissions {
        Some(reach) => {
            let reaches = reaches_submissions(&mut query, reach);
            readable.and(reaches)
        }
        None => readable,
    };
    match query.rows(COLUMNS, "forms", "forms.id", &[source], window) {
        Some(statement) => tx.all(statement).await?.iter().map(read).collect(),
        None => Ok(Vec::new()),
    }
}

/// Whether there is a way to submissions of the form in hand.
fn reaches_submissions<'a>(query: &mut Query<'a>, reach: &'a SubmissionReach) -> String {
    let subjects = query.bind_subjects(&reach.subjects);
    let ways = [
        through_form(query, &subjects, &reach.through_form),
        as_creator(query, reach),
        by_own_grants(query, &subjects, reach),
    ];
    format!("({})", ways.join(" OR "))
}

fn through_form<'a>(query: &mut Query<'a>, subjects: &str, holdings: &'a [Holding]) -> String {
    let dialect = query.dialect();
    let any_holding: Vec<String> = holdings
        .iter()
        .map(|holding| {
            let class = query.bind(holding.class.as_str());
            let actions = query.bind_actions(&holding.actions);
            let any_action = dialect.any_text("held.action", &actions);
            format!("(held.class = {class} AND {any_action})")
        })
        .collect();
    let any_holding = if any_holding.is_empty() {
        "FALSE".to_owned()
    } else {
        any_holding.join(" OR ")
    };
    format!(
        "EXISTS (SELECT 1 FROM grants AS held WHERE held.anchor = forms.id AND {} AND ({any_holding}))",
        dialect.any_text("held.subject", subjects)
    )
}

fn as_creator<'a>(query: &mut Query<'a>, reach: &'a SubmissionReach) -> String {
    let creator = query.bind(reach.creator.as_str());
    let own = own_rights_count(query, reach.in_force);
    format!(
        "(NOT forms.grant_based AND EXISTS (SELECT 1 FROM submissions \
         WHERE submissions.form_id = forms.id AND submissions.creator = {creator} AND {own}))"
    )
}

fn by_own_grants(query: &mut Query<'_>, subjects: &str, reach: &SubmissionReach) -> String {
    let actions = query.bind_actions(&reach.own);
    let own = own_rights_count(query, reach.in_force);
    format!(
        "(forms.grant_based AND EXISTS (SELECT 1 FROM grants AS held CROSS JOIN submissions \
         WHERE held.form_id = forms.id AND {} AND {} AND submissions.id = held.anchor AND {own}))",
        query.dialect().any_text("held.subject", subjects),
        query.dialect().any_text("held.action", &actions)
    )
}

pub(super) async fn insert(tx: &mut Transaction, form: &Form) -> StoreResult<()> {
    let insert = sql(
        "INSERT INTO forms (id, name, data_feed_schema, grant_based, allowed_actions, allowed_states, \
         available_starts, availability_ends, max_per_creator, revision, date_created) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    );
    let insert = bind(insert, form).bind(form.date_created.as_millis());
    tx.run(insert).await.map(drop)
}

pub(super) async fn update(tx: &mut Transaction, form: &Form) -> StoreResult<()> {
    let update = sql(
        "UPDATE forms SET name = $2, data_feed_schema = $3, grant_based = $4, allowed_actions = $5, \
         allowed_states = $6, available_starts = $7, availability_ends = $8, max_per_creator = $9, \
         revision = $10 WHERE id = $1",
    );
    written(tx.run(bind(update, form)).await?, "form")
}

/// The arguments that inserting and updating share.
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
        .bind(form.revision.as_uuid())
}

/// Submissions and places go with the form, and grants with the resources, by foreign keys.
pub(super) async fn delete(tx: &mut Transaction, id: FormId) -> StoreResult<()> {
    for delete in [
        "DELETE FROM resources WHERE form_id = $1",
        "DELETE FROM resources WHERE anchor = $1",
        "DELETE FROM forms WHERE id = $1",
    ] {
        tx.run(sql(delete).bind(id.as_uuid())).await?;
    }
    Ok(())
}
