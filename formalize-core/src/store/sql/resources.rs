//! Statements about resources.

use super::driver::{Dialect, Lock, Row, Statement, Transaction, sql};
use super::query::{Query, Source};
use super::reach::{self, Filter};
use super::record::{Record, inserted, read_list};
use crate::authz::scope::ResourceScope;
use crate::id::{FormId, ResourceId};
use crate::model::resource::{
    Anchor, Resource, ResourceClass, ResourceFilter, ResourceIdentifier, ResourceRef,
};
use crate::page::Window;
use crate::store::{Inserted, StoreResult};

const COLUMNS: &str = "resources.id, resources.class, resources.identifier, resources.anchor, \
     resources.form_id, resources.date_created";

fn read(row: &Row) -> StoreResult<Resource> {
    read_as(Record::new("resources", row), "date_created")
}

/// A resource whose date has a name of its own among the columns.
pub(super) fn read_as(record: Record<'_>, date_created: &str) -> StoreResult<Resource> {
    let identifier = record.text("identifier")?;
    let identifier = if identifier.is_empty() {
        None
    } else {
        Some(record.checked("identifier", ResourceIdentifier::new(identifier))?)
    };
    Ok(Resource {
        id: ResourceId::from_uuid(record.id()?),
        resource: ResourceRef {
            class: record.parsed("class", ResourceClass::new)?,
            identifier,
        },
        anchor: Anchor(record.uuid("anchor")?),
        form: record.optional_uuid("form_id")?.map(FormId::from_uuid),
        date_created: record.instant(date_created)?,
    })
}

/// The identifier as it is stored: empty for a collection, whatever its class.
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
    let select = tx.dialect().select_one(COLUMNS, "resources", lock);
    let row = tx.optional(sql(select).bind(id.as_uuid())).await?;
    row.as_ref().map(read).transpose()
}

pub(super) async fn find_of(
    tx: &mut Transaction,
    resource: &ResourceRef,
) -> StoreResult<Option<Resource>> {
    let select = sql(
        "SELECT id, class, identifier, anchor, form_id, date_created FROM resources \
         WHERE class = $1 AND identifier = $2",
    )
    .bind(resource.class.as_str())
    .bind(stored_identifier(resource));
    tx.optional(select).await?.as_ref().map(read).transpose()
}

pub(super) async fn list(
    tx: &mut Transaction,
    scope: &ResourceScope,
    filter: &ResourceFilter,
    window: Window,
) -> StoreResult<Vec<Resource>> {
    let select = select(tx.dialect(), scope, filter, window);
    read_list(tx, select, read).await
}

/// The statement of a list, if it can hold anything.
pub(super) fn select<'a>(
    dialect: Dialect,
    scope: &'a ResourceScope,
    filter: &'a ResourceFilter,
    window: Window,
) -> Option<Statement<'a>> {
    let filter = Filter::new(filter)?;
    let mut query = Query::new(dialect);
    let sources = match scope {
        ResourceScope::All => {
            let conditions = filter.on_resources(&mut query);
            vec![Source::of("resources", "resources.id", conditions)]
        }
        ResourceScope::Reached(reached) => reach::sources(&mut query, reached, filter),
    };
    query.rows(COLUMNS, "resources", "resources.id", &sources, window)
}

pub(super) async fn insert(tx: &mut Transaction, resource: &Resource) -> StoreResult<Inserted> {
    let insert = sql(
        "INSERT INTO resources (id, class, identifier, anchor, form_id, date_created) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (identifier, class) DO NOTHING",
    )
    .bind(resource.id.as_uuid())
    .bind(resource.resource.class.as_str())
    .bind(stored_identifier(&resource.resource))
    .bind(resource.anchor.0)
    .bind(resource.form.map(FormId::as_uuid))
    .bind(resource.date_created.as_millis());
    tx.run(insert).await.map(inserted)
}

/// The grants on it go by foreign key.
pub(super) async fn delete(tx: &mut Transaction, id: ResourceId) -> StoreResult<()> {
    tx.run(sql("DELETE FROM resources WHERE id = $1").bind(id.as_uuid()))
        .await
        .map(drop)
}
