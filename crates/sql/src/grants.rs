//! Statements about grants.

use async_trait::async_trait;
use formalize_core::authorization::Anchor;
use formalize_core::store::scope::{GrantScope, Reached, Subjects};
use formalize_core::store::{
    GrantRecord, HeldGrant, Inserted, Principal, ReadGrants, StoreResult, Window, WriteGrants,
};
use formalize_core::{
    Action, Grant, GrantId, ResourceClass, ResourceFilter, ResourceId, StoreError, Subject,
};
use uuid::Uuid;

use super::driver::{Dialect, FixedText, Row, Statement, Transaction, sql};
use super::query::{Query, Source};
use super::reach::{self, Filter};
use super::record::{Record, inserted};
use super::{kept_forms, memberships, resources};

const COLUMNS: &str = "grants.id, grants.subject, grants.action, grants.date_created, \
     resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, \
     resources.form_id, resources.date_created AS resource_date_created";

fn read(row: &Row) -> StoreResult<Grant> {
    let record = Record::new("formalize_grants", row);
    let resource = Record::joined("formalize_resources", "resource_id", row);
    Ok(Grant {
        id: GrantId::from_uuid(record.id()?),
        subject: record.parsed("subject", |subject| subject.parse::<Subject>())?,
        action: record.parsed("action", Action::new)?,
        resource: resources::read_as(resource, "resource_date_created")?,
        date_created: record.instant("date_created")?,
    })
}

#[async_trait]
impl ReadGrants for Transaction {
    async fn held(
        &mut self,
        anchors: &[Anchor],
        subjects: &Subjects,
    ) -> StoreResult<Vec<HeldGrant>> {
        let mut query = Query::new(self.dialect());
        let anchors: Vec<_> = anchors.iter().map(|anchor| anchor.0).collect();
        let (anchors, subjects) = (query.bind(anchors), query.bind_subjects(subjects));
        let select = format!(
            "SELECT grants.id, grants.anchor, grants.class, grants.action FROM formalize_grants AS grants WHERE {} \
             AND {} AND {}",
            query.dialect().any_uuid("grants.anchor", &anchors),
            query.dialect().any_text("grants.subject", &subjects),
            kept_forms::is_kept("grants.form_id")
        );
        self.read_all(query.statement(select), |row| {
            let record = Record::new("formalize_grants", row);
            Ok(HeldGrant {
                anchor: Anchor(record.uuid("anchor")?),
                class: record.parsed("class", ResourceClass::new)?,
                action: record.parsed("action", Action::new)?,
            })
        })
        .await
    }

    async fn held_by(
        &mut self,
        anchors: &[Anchor],
        principal: Principal<'_>,
    ) -> StoreResult<Vec<HeldGrant>> {
        let select = select_held_by(self.dialect(), anchors, principal);
        let held = self.read_one(select, read_held).await?;
        Ok(held.unwrap_or_default())
    }

    async fn find_grant(&mut self, id: GrantId) -> StoreResult<Option<Grant>> {
        let select = format!(
            "SELECT {COLUMNS} FROM formalize_grants AS grants JOIN formalize_resources AS resources \
             ON resources.id = grants.resource_id \
             WHERE grants.id = $1 AND {}",
            kept_forms::is_kept("grants.form_id")
        );
        let select = sql(select).bind(id.as_uuid()).brief();
        self.read_one(select, read).await
    }

    async fn grants_of(&mut self, ids: &[GrantId]) -> StoreResult<Vec<Grant>> {
        let ids: Vec<_> = ids.iter().map(|id| id.as_uuid()).collect();
        let of_ids = self.dialect().any_uuid("grants.id", "$1");
        let select = format!(
            "SELECT {COLUMNS} FROM formalize_grants AS grants JOIN formalize_resources AS resources \
             ON resources.id = grants.resource_id \
             WHERE {of_ids} AND {}",
            kept_forms::is_kept("grants.form_id")
        );
        self.read_all(sql(select).bind(ids), read).await
    }

    async fn grants(
        &mut self,
        scope: &GrantScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Grant>> {
        let select = select(self.dialect(), scope, filter, window);
        self.read_list(select, read).await
    }
}

#[async_trait]
impl WriteGrants for Transaction {
    /// Columns that the indexes need are copied from the resource.
    async fn insert_grant(&mut self, grant: &GrantRecord) -> StoreResult<Inserted> {
        let group = match &grant.subject {
            Subject::Group(group) => Some(group.as_uuid()),
            Subject::User(_) | Subject::DynamicGroup(_) => None,
        };
        let insert = sql("INSERT INTO formalize_grants \
             (id, resource_id, class, anchor, form_id, action, subject, group_id, date_created) \
             SELECT $1, id, class, anchor, form_id, $3, $4, $5, $6 FROM formalize_resources WHERE id = $2 \
             ON CONFLICT (resource_id, subject, action) DO NOTHING")
        .bind(grant.id.as_uuid())
        .bind(grant.resource.as_uuid())
        .bind(grant.action.as_str())
        .bind(grant.subject.to_string())
        .bind(group)
        .bind(grant.date_created.as_millis());
        let written = inserted(self.run(insert.brief()).await?);
        if written == Inserted::Exists
            && resources::find(self, grant.resource, None).await?.is_none()
        {
            return Err(StoreError::Failed(
                "the resource of the grant does not exist".to_owned(),
            ));
        }
        Ok(written)
    }

    async fn delete_grant(&mut self, id: GrantId) -> StoreResult<bool> {
        let delete = sql("DELETE FROM formalize_grants WHERE id = $1").bind(id.as_uuid());
        Ok(self.run(delete.brief()).await? > 0)
    }

    async fn has_other_manage_grant(
        &mut self,
        resource: ResourceId,
        grant: GrantId,
    ) -> StoreResult<bool> {
        let select =
            sql("SELECT 1 FROM formalize_grants WHERE resource_id = $1 AND id <> $2 AND action = $3 LIMIT 1")
                .bind(resource.as_uuid())
                .bind(grant.as_uuid())
                .bind(Action::MANAGE.to_string());
        Ok(self.optional(select).await?.is_some())
    }
}

pub(super) fn select_held_by<'a>(
    dialect: Dialect,
    anchors: &[Anchor],
    principal: Principal<'a>,
) -> Statement<'a> {
    static TEXT: FixedText = FixedText::new();
    let mut query = Query::new(dialect);
    let anchors: Vec<_> = anchors.iter().map(|anchor| anchor.0).collect();
    let anchors = query.bind(anchors);
    let principal = BoundPrincipal::new(&mut query, principal);
    let select = TEXT.get(dialect, || {
        let under = dialect.any_uuid("grants.anchor", &anchors);
        let under = format!("{under} AND {}", kept_forms::is_kept("grants.form_id"));
        format!("SELECT {} AS held", held_value(dialect, &under, &principal))
    });
    query.statement(select).brief()
}

/// The placeholders of a principal.
pub(super) struct BoundPrincipal {
    subjects: String,
    user: String,
}

impl BoundPrincipal {
    pub(super) fn new<'a>(query: &mut Query<'a>, principal: Principal<'a>) -> Self {
        Self {
            subjects: query.bind_subjects(principal.subjects),
            user: query.bind(principal.user.as_str()),
        }
    }
}

/// The principal's grants that match the condition `under`, as one value for [`read_held`], so that they can be
/// selected with a record.
pub(super) fn held_value(dialect: Dialect, under: &str, principal: &BoundPrincipal) -> String {
    let BoundPrincipal { subjects, user } = principal;
    let own = format!("SELECT own.value FROM {}", dialect.texts("own", subjects));
    let group = dialect.uuid_text("reached.id");
    let all = format!(
        "{} {own} UNION ALL SELECT 'group:' || {group} FROM reached",
        memberships::groups_reached(user)
    );
    let in_groups = memberships::is_member(user);
    let value = dialect.json_rows("grants.anchor", &["grants.class", "grants.action"]);
    dialect.held(&value, under, [&in_groups, &own, &all])
}

/// Reads the value of [`held_value`] from the column `held`.
pub(super) fn read_held(row: &Row) -> StoreResult<Vec<HeldGrant>> {
    let record = Record::new("formalize_grants", row);
    let held = record.parsed("held", |json| {
        serde_json::from_str::<Vec<(String, String, String)>>(&json)
    })?;
    let read = |(anchor, class, action): (String, String, String)| {
        Ok(HeldGrant {
            anchor: Anchor(record.checked("anchor", Uuid::try_parse(&anchor))?),
            class: record.checked("class", ResourceClass::new(class))?,
            action: record.checked("action", Action::new(action))?,
        })
    };
    held.into_iter().map(read).collect()
}

/// The statement of a list, or `None` if the list is certainly empty.
pub(super) fn select<'a>(
    dialect: Dialect,
    scope: &'a GrantScope,
    filter: &'a ResourceFilter,
    window: Window,
) -> Option<Statement<'a>> {
    let filter = Filter::new(filter);
    let mut query = Query::new(dialect);
    let sources = match scope {
        GrantScope::All => {
            let all = Source::of("grants", "grants.id", Vec::new());
            vec![filter.on_grants(&mut query, all.and(kept_forms::is_kept("grants.form_id")))]
        }
        GrantScope::HeldOrOn(reached) => held_or_on(&mut query, reached, filter),
        GrantScope::Of { holder, among } => of_holder(&mut query, holder, among.as_ref(), filter),
    };
    let from = "formalize_grants AS grants CROSS JOIN formalize_resources AS resources";
    let id = "resources.id = grants.resource_id AND grants.id";
    query.joined_rows(COLUMNS, from, id, &sources, window)
}

/// One set for each subject that holds grants, and those of [`on_reachable`].
fn held_or_on<'a>(query: &mut Query<'a>, reached: &'a Reached, filter: Filter<'a>) -> Vec<Source> {
    let subjects = query.bind_subjects(&reached.subjects);
    let held = reach::of_subjects(query, &subjects, "grants.id");
    let held = filter.on_grants(query, held.and(kept_forms::is_kept("grants.form_id")));
    let mut sources = vec![held];
    sources.extend(on_reachable(query, reached, filter));
    sources
}

/// The grants of a holder. If it is one of the subjects, they are all among those of the caller.
fn of_holder<'a>(
    query: &mut Query<'a>,
    holder: &Subject,
    among: Option<&'a Reached>,
    filter: Filter<'a>,
) -> Vec<Source> {
    let is_holder = format!("grants.subject = {}", query.bind(holder.to_string()));
    if let Some(reached) = among.filter(|reached| !reached.subjects.contains(holder)) {
        let sources = on_reachable(query, reached, filter).into_iter();
        return sources
            .map(|source| source.and(is_holder.clone()))
            .collect();
    }
    let held = Source::of("grants", "grants.id", vec![is_holder]);
    vec![filter.on_grants(query, held.and(kept_forms::is_kept("grants.form_id")))]
}

/// The grants on reachable resources: one set for each resource, and one for everything.
fn on_reachable<'a>(
    query: &mut Query<'a>,
    reached: &'a Reached,
    filter: Filter<'a>,
) -> Vec<Source> {
    let mut sources = Vec::new();
    if let Some(reachable) = reach::everything(query, reached, "grants") {
        let all = Source::of("grants", "grants.id", vec![reachable]);
        sources.push(filter.on_grants(query, all));
    }
    let ways: Vec<String> = reach::selective(query, reached, filter)
        .iter()
        .map(|source| source.distinct(query.dialect()))
        .collect();
    if ways.is_empty() {
        return sources;
    }
    let resources = format!("({}) AS resource", ways.join(" UNION "));
    let on = Source {
        each: vec![resources],
        ..Source::of("grants", "grants.id", Vec::new())
    }
    .and("grants.resource_id = resource.id");
    sources.push(on);
    sources
}
