//! Statements about public links.

use async_trait::async_trait;
use formalize_core::links::{EmbedOrigins, FormLink, LinkCap, LinkId, LinkLabel};
use formalize_core::store::{ReadLinks, SecretHash, StoreResult, Window, WriteLinks};
use formalize_core::{FormId, GrantId, Revision, StoreError, Timestamp};

use super::driver::{Argument, Dialect, Lock, Row, Transaction, sql};
use super::query::window_of;
use super::record::{Record, written};

/// Selects links with the number of submissions of their users.
fn select(dialect: Dialect) -> String {
    let link = dialect.uuid_text("form_links.id");
    format!(
        "SELECT form_links.id, form_links.form_id, form_links.label, form_links.creator, form_links.max_submissions, \
         form_links.once_per_browser, form_links.embed_origins, form_links.revision, form_links.date_created, \
         form_links.date_expires, coalesce((SELECT taken FROM formalize_submission_places AS submission_places \
         WHERE submission_places.form_id = form_links.form_id \
         AND submission_places.creator = 'link:' || {link}), 0) AS taken FROM formalize_form_links AS form_links"
    )
}

/// The link that meets a condition for `$1`.
async fn find(
    tx: &mut Transaction,
    condition: &str,
    value: impl Into<Argument<'_>>,
) -> StoreResult<Option<FormLink>> {
    let select = sql(format!("{} WHERE {condition}", select(tx.dialect())));
    tx.read_one(select.bind(value).brief(), read).await
}

fn read(row: &Row) -> StoreResult<FormLink> {
    Ok(FormLink {
        num_submissions: Record::new("formalize_form_links", row).int("taken")?,
        ..read_uncounted(row)?
    })
}

/// Reads a link without the number of its submissions, which the table does not contain.
pub(super) fn read_uncounted(row: &Row) -> StoreResult<FormLink> {
    let record = Record::new("formalize_form_links", row);
    let label = record.optional_text("label")?.map(LinkLabel::new);
    let cap = record.optional_int("max_submissions")?.map(LinkCap::new);
    let origins = record.parsed("embed_origins", |json| {
        serde_json::from_str::<Vec<String>>(&json)
    })?;
    Ok(FormLink {
        id: LinkId::from_uuid(record.id()?),
        form: FormId::from_uuid(record.uuid("form_id")?),
        label: record.checked("label", label.transpose())?,
        date_expires: record.optional_instant("date_expires")?,
        cap: record.checked("max_submissions", cap.transpose())?,
        num_submissions: 0,
        once_per_browser: record.bool("once_per_browser")?,
        embed_origins: record.checked("embed_origins", EmbedOrigins::new(origins))?,
        creator: record.author("creator")?,
        date_created: record.instant("date_created")?,
        revision: Revision::from_uuid(record.uuid("revision")?),
    })
}

fn origins(link: &FormLink) -> StoreResult<String> {
    let origins: Vec<&str> = link.embed_origins.iter().collect();
    serde_json::to_string(&origins)
        .map_err(|_| StoreError::Failed("cannot write the origins of the link as JSON".to_owned()))
}

#[async_trait]
impl ReadLinks for Transaction {
    async fn find_link(&mut self, id: LinkId) -> StoreResult<Option<FormLink>> {
        find(self, "form_links.id = $1", id.as_uuid()).await
    }

    async fn find_link_of(&mut self, secret: &SecretHash) -> StoreResult<Option<FormLink>> {
        find(self, "form_links.secret_hash = $1", secret.as_str()).await
    }

    async fn links(&mut self, form: FormId, window: Window) -> StoreResult<Vec<FormLink>> {
        let (dialect, of_form) = (self.dialect(), ("form_links.form_id", form.as_uuid()));
        let select = window_of(dialect, &select(dialect), of_form, "form_links.id", window);
        self.read_all(select, read).await
    }
}

#[async_trait]
impl WriteLinks for Transaction {
    async fn lock_link_exclusive(&mut self, id: LinkId) -> StoreResult<Option<FormLink>> {
        let lock = self.dialect().lock_of(Lock::Exclusive, "form_links");
        let condition = format!("form_links.id = $1{lock}");
        find(self, &condition, id.as_uuid()).await
    }

    async fn insert_link(
        &mut self,
        link: &FormLink,
        grant: GrantId,
        secret: &SecretHash,
    ) -> StoreResult<()> {
        let insert = sql("INSERT INTO formalize_form_links \
             (id, label, max_submissions, once_per_browser, embed_origins, date_expires, revision, \
              form_id, grant_id, creator, secret_hash, date_created) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)")
        .bind(link.id.as_uuid())
        .bind(link.label.as_ref().map(LinkLabel::as_str))
        .bind(link.cap.map(LinkCap::get))
        .bind(link.once_per_browser)
        .bind(origins(link)?)
        .bind(link.date_expires.map(Timestamp::as_millis))
        .bind(link.revision.as_uuid())
        .bind(link.form.as_uuid())
        .bind(grant.as_uuid())
        .bind(link.creator.as_str())
        .bind(secret.as_str())
        .bind(link.date_created.as_millis());
        self.run(insert.brief()).await?;
        self.inserted("formalize_form_links", link.id.as_uuid());
        Ok(())
    }

    async fn update_link(&mut self, link: &FormLink) -> StoreResult<()> {
        let update = sql(
            "UPDATE formalize_form_links SET label = $2, max_submissions = $3, once_per_browser = $4, \
             embed_origins = $5, date_expires = $6, revision = $7 WHERE id = $1",
        )
        .bind(link.id.as_uuid())
        .bind(link.label.as_ref().map(LinkLabel::as_str))
        .bind(link.cap.map(LinkCap::get))
        .bind(link.once_per_browser)
        .bind(origins(link)?)
        .bind(link.date_expires.map(Timestamp::as_millis))
        .bind(link.revision.as_uuid());
        written(self.run(update.brief()).await?, "link")
    }

    /// A foreign key deletes the link with its grant.
    async fn delete_link(&mut self, id: LinkId) -> StoreResult<()> {
        let delete =
            sql("DELETE FROM formalize_grants WHERE id = (SELECT grant_id FROM formalize_form_links WHERE id = $1)")
                .bind(id.as_uuid());
        if self.run(delete.brief()).await? > 0 {
            self.deleted("formalize_form_links", id.as_uuid());
        }
        Ok(())
    }
}
