//! Statements about groups.

use async_trait::async_trait;
use formalize_core::store::scope::ItemScope;
use formalize_core::store::{
    HeldGrant, Principal, ReadGroups, StoreResult, Window, WriteGroups, fold_case,
};
use formalize_core::{Deletion, Group, GroupId, GroupName, ResourceClass, Revision};

use super::driver::{Dialect, FixedText, Lock, Row, Statement, Transaction, sql};
use super::query::{Query, Source, can_be_stored};
use super::record::{Record, written};
use super::{deletions, grants};

const COLUMNS: &str = "groups.id, groups.name, groups.revision, groups.date_created";

pub(super) fn read(row: &Row) -> StoreResult<Group> {
    let record = Record::new("formalize_groups", row);
    Ok(Group {
        id: GroupId::from_uuid(record.id()?),
        name: record.parsed("name", GroupName::new)?,
        date_created: record.instant("date_created")?,
        revision: Revision::from_uuid(record.uuid("revision")?),
    })
}

pub(super) async fn find(
    tx: &mut Transaction,
    id: GroupId,
    lock: Option<Lock>,
) -> StoreResult<Option<Group>> {
    let select = tx.dialect().select_one(COLUMNS, "groups", "TRUE", lock);
    let select = sql(select).bind(id.as_uuid()).brief();
    tx.read_one(select, read).await
}

#[async_trait]
impl ReadGroups for Transaction {
    async fn deletion_of_group(&mut self, id: GroupId) -> StoreResult<Deletion> {
        deletions::of_group(self, id).await
    }

    async fn find_group(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        find(self, id, None).await
    }

    async fn find_group_for(
        &mut self,
        id: GroupId,
        principal: Principal<'_>,
    ) -> StoreResult<Option<(Group, Vec<HeldGrant>)>> {
        let select = select_for(self.dialect(), id, principal);
        self.read_one(select, |row| Ok((read(row)?, grants::read_held(row)?)))
            .await
    }

    async fn groups(
        &mut self,
        scope: &ItemScope,
        search: Option<&str>,
        window: Window,
    ) -> StoreResult<Vec<Group>> {
        let select = select(self.dialect(), scope, search, window);
        self.read_list(select, read).await
    }
}

#[async_trait]
impl WriteGroups for Transaction {
    async fn lock_group(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        find(self, id, Some(Lock::Shared)).await
    }

    async fn lock_group_exclusive(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        find(self, id, Some(Lock::Exclusive)).await
    }

    async fn insert_group(&mut self, group: &Group) -> StoreResult<()> {
        let insert = sql(
            "INSERT INTO formalize_groups (id, name, name_folded, revision, date_created) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(group.id.as_uuid())
        .bind(group.name.as_str())
        .bind(fold_case(group.name.as_str()))
        .bind(group.revision.as_uuid())
        .bind(group.date_created.as_millis());
        self.run(insert.brief()).await.map(drop)
    }

    async fn update_group(&mut self, group: &Group) -> StoreResult<()> {
        let update = sql(
            "UPDATE formalize_groups SET name = $2, name_folded = $3, revision = $4 WHERE id = $1",
        )
        .bind(group.id.as_uuid())
        .bind(group.name.as_str())
        .bind(fold_case(group.name.as_str()))
        .bind(group.revision.as_uuid());
        written(self.run(update.brief()).await?, "group")
    }

    /// Foreign keys delete memberships and held grants with the group, and grants on it with its resource.
    async fn delete_group(&mut self, id: GroupId) -> StoreResult<()> {
        let resource = sql("DELETE FROM formalize_resources WHERE anchor = $1 AND class = $2")
            .bind(id.as_uuid())
            .bind(ResourceClass::GROUP.to_string());
        self.run(resource).await?;
        self.run(sql("DELETE FROM formalize_groups WHERE id = $1").bind(id.as_uuid()))
            .await
            .map(drop)
    }
}

pub(super) fn select_for(dialect: Dialect, id: GroupId, principal: Principal<'_>) -> Statement<'_> {
    static TEXT: FixedText = FixedText::new();
    let mut query = Query::new(dialect);
    let group = query.bind(id.as_uuid());
    let principal = grants::BoundPrincipal::new(&mut query, principal);
    let select = TEXT.get(dialect, || {
        let held = grants::held_value(dialect, "grants.anchor = groups.id", &principal);
        format!("SELECT {COLUMNS}, {held} AS held FROM formalize_groups AS groups WHERE groups.id = {group}")
    });
    query.statement(select).brief()
}

/// The statement of a list, or `None` if the list is certainly empty.
pub(super) fn select<'a>(
    dialect: Dialect,
    scope: &ItemScope,
    search: Option<&'a str>,
    window: Window,
) -> Option<Statement<'a>> {
    if search.is_some_and(|part| !can_be_stored(part)) {
        return None;
    }
    let mut query = Query::new(dialect);
    let mut sources = match scope {
        ItemScope::All => vec![Source::of("groups", "groups.id", Vec::new())],
        ItemScope::Granted { subjects, holdings } => {
            let subjects = query.bind_subjects(subjects);
            Source::granted_any(&mut query, &subjects, holdings)
        }
    };
    if let Some(part) = search {
        let part = query.bind(part);
        let contains = dialect.contains("groups.name_folded", &part);
        let found = sources.into_iter();
        let found = found.map(|source| match scope {
            ItemScope::All => source.and(contains.as_str()),
            ItemScope::Granted { .. } => source.whose(
                "formalize_groups AS groups",
                "groups.id = grants.anchor",
                &contains,
            ),
        });
        sources = found.collect();
    }
    query.rows(COLUMNS, "groups", &sources, window)
}
