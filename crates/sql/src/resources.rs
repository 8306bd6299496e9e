//! Statements about resources.

use std::collections::{BTreeSet, HashSet};

use async_trait::async_trait;
use formalize_core::authorization::{Anchor, Object};
use formalize_core::store::scope::ResourceScope;
use formalize_core::store::{
    HeldGrant, Inserted, Principal, ReadResources, StoreResult, Window, WriteResources,
};
use formalize_core::{
    FormId, Resource, ResourceClass, ResourceFilter, ResourceId, ResourceIdentifier, ResourceRef,
};

use super::driver::{Dialect, FixedText, Lock, Row, Statement, Transaction, sql};
use super::query::{Query, Source};
use super::reach::{self, Filter};
use super::record::{Record, inserted};
use super::{grants, kept_forms};

const COLUMNS: &str = "resources.id, resources.class, resources.identifier, resources.anchor, \
     resources.form_id, resources.date_created";

pub(super) fn read(row: &Row) -> StoreResult<Resource> {
    read_as(Record::new("formalize_resources", row), "date_created")
}

/// A resource whose creation date is in a column with another name.
pub(super) fn read_as(record: Record<'_>, date_created: &str) -> StoreResult<Resource> {
    let columns = Columns::read(record)?;
    let Columns { id, resource, .. } = &columns;
    let object = Object::stored(*id, resource, columns.anchor, columns.form);
    Ok(Resource {
        object: record.checked("anchor", object.ok_or(()))?,
        id: columns.id,
        resource: columns.resource,
        date_created: record.instant(date_created)?,
    })
}

/// The columns from which the object of a resource is derived.
struct Columns {
    id: ResourceId,
    resource: ResourceRef,
    anchor: Anchor,
    form: Option<FormId>,
}

impl Columns {
    fn read(record: Record<'_>) -> StoreResult<Self> {
        let identifier = record.text("identifier")?;
        let identifier = if identifier.is_empty() {
            None
        } else {
            Some(record.checked("identifier", ResourceIdentifier::new(identifier))?)
        };
        Ok(Self {
            id: ResourceId::from_uuid(record.id()?),
            resource: ResourceRef {
                class: record.parsed("class", ResourceClass::new)?,
                identifier,
            },
            anchor: Anchor(record.uuid("anchor")?),
            form: record.optional_uuid("form_id")?.map(FormId::from_uuid),
        })
    }
}

/// Reads every column of a resource on its own.
pub(super) fn check_columns(row: &Row) -> StoreResult<()> {
    let record = Record::new("formalize_resources", row);
    let _ = Columns::read(record)?;
    let _ = record.instant("date_created")?;
    Ok(())
}

/// The identifier as stored: empty for a collection, whatever its class.
fn stored_identifier(resource: &ResourceRef) -> &str {
    resource
        .identifier
        .as_ref()
        .map_or("", ResourceIdentifier::as_str)
}

pub(super) async fn find(
    tx: &mut Transaction,
    id: ResourceId,
    lock: Option<Lock>,
) -> StoreResult<Option<Resource>> {
    let dialect = tx.dialect();
    let select = match lock {
        None => {
            let kept = kept_forms::is_kept("resources.form_id");
            dialect.select_one(COLUMNS, "resources", &kept, None)
        }
        Some(_) => locking(dialect, lock),
    };
    let select = sql(select).bind(id.as_uuid()).brief();
    tx.read_one(select, read).await
}

/// Locks the form of a submission before the resource, as deletions do: until the portion with the resource is deleted, only
/// the lock of the form shows that the form was deleted.
fn locking(dialect: Dialect, lock: Option<Lock>) -> String {
    let form =
        "(SELECT resources.form_id FROM formalize_resources AS resources WHERE resources.id = $1)";
    let (kept, shared) = (kept_forms::KEPT, dialect.lock(Some(Lock::Shared)));
    let of_kept = "(resources.form_id IS NULL OR EXISTS (SELECT 1 FROM form))";
    let select = dialect.select_one(COLUMNS, "resources", of_kept, lock);
    format!(
        "WITH form AS (SELECT forms.id FROM formalize_forms AS forms WHERE forms.id = {form} AND {kept}{shared}) {select}"
    )
}

#[async_trait]
impl ReadResources for Transaction {
    async fn find_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        find(self, id, None).await
    }

    async fn find_resource_of(&mut self, resource: &ResourceRef) -> StoreResult<Option<Resource>> {
        let select = sql(format!(
            "SELECT {COLUMNS} FROM formalize_resources AS resources WHERE class = $1 AND identifier = $2 AND {}",
            kept_forms::is_kept("resources.form_id")
        ))
        .bind(resource.class.as_str())
        .bind(stored_identifier(resource));
        self.read_one(select.brief(), read).await
    }

    async fn find_resource_for(
        &mut self,
        resource: &ResourceRef,
        principal: Principal<'_>,
    ) -> StoreResult<Option<(Resource, Vec<HeldGrant>)>> {
        let select = select_for(self.dialect(), resource, principal);
        self.read_one(select, |row| Ok((read(row)?, grants::read_held(row)?)))
            .await
    }

    async fn resources_of(&mut self, resources: &[ResourceRef]) -> StoreResult<Vec<Resource>> {
        let mut query = Query::new(self.dialect());
        let each = |of: fn(&ResourceRef) -> &str| {
            let distinct: BTreeSet<&str> = resources.iter().map(of).collect();
            let texts = distinct.into_iter().map(str::to_owned);
            texts.collect::<Vec<String>>()
        };
        let identifiers = query.bind(each(stored_identifier));
        let classes = query.bind(each(|resource| resource.class.as_str()));
        let (identifier, class) = (
            query
                .dialect()
                .any_text("resources.identifier", &identifiers),
            query.dialect().any_text("resources.class", &classes),
        );
        let kept = kept_forms::is_kept("resources.form_id");
        let select = format!(
            "SELECT {COLUMNS} FROM formalize_resources AS resources WHERE {identifier} AND {class} AND {kept}"
        );
        let mut found = self.read_all(query.statement(select), read).await?;
        // Each column is compared on its own, so other resources of these classes may have these identifiers.
        let wanted: HashSet<&ResourceRef> = resources.iter().collect();
        found.retain(|found| wanted.contains(&found.resource));
        Ok(found)
    }

    async fn resources(
        &mut self,
        scope: &ResourceScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Resource>> {
        let select = select(self.dialect(), scope, filter, window);
        self.read_list(select, read).await
    }

    async fn classes(
        &mut self,
        scope: &ResourceScope,
        classes: &[ResourceClass],
    ) -> StoreResult<Vec<ResourceClass>> {
        let mut found = HashSet::new();
        for some in classes.chunks(CLASSES) {
            let select = select_classes(self.dialect(), scope, some);
            let of_some = self.read_list(select, |row| {
                let record = Record::joined("formalize_resources", "class", row);
                record.parsed("class", ResourceClass::new)
            });
            found.extend(of_some.await?);
        }
        let there = classes.iter().filter(|class| found.contains(class));
        Ok(there.cloned().collect())
    }
}

#[async_trait]
impl WriteResources for Transaction {
    async fn lock_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        find(self, id, Some(Lock::Shared)).await
    }

    async fn lock_resource_exclusive(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        find(self, id, Some(Lock::Exclusive)).await
    }

    async fn insert_resource(&mut self, resource: &Resource) -> StoreResult<Inserted> {
        let insert = sql(
            "INSERT INTO formalize_resources (id, class, identifier, anchor, form_id, date_created) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (identifier, class) DO NOTHING",
        )
        .bind(resource.id.as_uuid())
        .bind(resource.resource.class.as_str())
        .bind(stored_identifier(&resource.resource))
        .bind(resource.anchor().0)
        .bind(resource.object.form().map(FormId::as_uuid))
        .bind(resource.date_created.as_millis());
        self.run(insert.brief()).await.map(inserted)
    }

    /// A foreign key deletes the grants on it.
    async fn delete_resource(&mut self, id: ResourceId) -> StoreResult<()> {
        self.run(sql("DELETE FROM formalize_resources WHERE id = $1").bind(id.as_uuid()))
            .await
            .map(drop)
    }
}

pub(super) fn select_for<'a>(
    dialect: Dialect,
    resource: &'a ResourceRef,
    principal: Principal<'a>,
) -> Statement<'a> {
    static TEXT: FixedText = FixedText::new();
    let mut query = Query::new(dialect);
    let class = query.bind(resource.class.as_str());
    let identifier = query.bind(stored_identifier(resource));
    let principal = grants::BoundPrincipal::new(&mut query, principal);
    let select = TEXT.get(dialect, || {
        let held = grants::held_value(dialect, "grants.anchor = resources.anchor", &principal);
        let kept = kept_forms::is_kept("resources.form_id");
        format!(
            "SELECT {COLUMNS}, {held} AS held FROM formalize_resources AS resources \
             WHERE resources.class = {class} AND resources.identifier = {identifier} AND {kept}"
        )
    });
    query.statement(select).brief()
}

/// The statement of a list, or `None` if the list is certainly empty.
pub(super) fn select<'a>(
    dialect: Dialect,
    scope: &'a ResourceScope,
    filter: &'a ResourceFilter,
    window: Window,
) -> Option<Statement<'a>> {
    let filter = Filter::new(filter);
    let mut query = Query::new(dialect);
    let sources = sources(&mut query, scope, filter);
    query.rows(COLUMNS, "resources", &sources, window)
}

fn sources<'a>(query: &mut Query<'a>, scope: &'a ResourceScope, filter: Filter<'a>) -> Vec<Source> {
    match scope {
        ResourceScope::All => {
            let conditions = filter.on_resources(query);
            let all = Source::of("resources", "resources.id", conditions);
            vec![all.and(kept_forms::is_kept("resources.form_id"))]
        }
        ResourceScope::Reached(reached) => reach::sources(query, reached, filter),
    }
}

/// The number of classes to query at once, because databases limit the length of statements.
const CLASSES: usize = 50;

pub(super) fn select_classes<'a>(
    dialect: Dialect,
    scope: &'a ResourceScope,
    classes: &'a [ResourceClass],
) -> Option<Statement<'a>> {
    let mut query = Query::new(dialect);
    let mut each = Vec::new();
    for class in classes {
        let sources = sources(&mut query, scope, Filter::of_class(class));
        if let Some(exists) = query.exists(&sources) {
            let class = query.bind(class.as_str());
            each.push(format!("SELECT {class} AS class WHERE {exists}"));
        }
    }
    (!each.is_empty()).then(|| query.statement(each.join(" UNION ALL ")))
}
