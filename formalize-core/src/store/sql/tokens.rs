//! Statements about API tokens and settings.

use async_trait::async_trait;

use super::driver::{Row, Transaction, sql};
use super::query::Bounds;
use super::record::{Record, inserted};
use crate::id::TokenId;
use crate::model::subject::{Attributes, UserId};
use crate::model::token::{ApiToken, SecretHash};
use crate::page::Window;
use crate::store::{
    Inserted, ReadSettings, ReadTokens, StoreError, StoreResult, WriteSettings, WriteTokens,
};
use crate::time::Timestamp;

/// The channel for notifications of deleted tokens.
pub(super) const REVOKED: &str = "formalize_token_revoked";

pub(super) fn read(row: &Row) -> StoreResult<ApiToken> {
    let record = Record::new("api_tokens", row);
    Ok(ApiToken {
        id: TokenId::from_uuid(record.id()?),
        user: record.parsed("user_id", UserId::new)?,
        attributes: record.parsed("attributes", |json| {
            serde_json::from_str::<Attributes>(&json)
        })?,
        date_created: record.instant("date_created")?,
        date_expires: record.optional_instant("date_expires")?,
        date_last_used: record.optional_instant("date_last_used")?,
    })
}

#[async_trait]
impl ReadTokens for Transaction {
    async fn find_token(&mut self, secret: &SecretHash) -> StoreResult<Option<ApiToken>> {
        let select = sql(
            "SELECT id, user_id, attributes, date_created, date_expires, date_last_used \
             FROM api_tokens WHERE secret_hash = $1",
        )
        .bind(secret.as_str());
        self.optional(select.brief())
            .await?
            .as_ref()
            .map(read)
            .transpose()
    }

    async fn tokens(&mut self, window: Window) -> StoreResult<Vec<ApiToken>> {
        let bounds = Bounds::from(window);
        let select = sql(
            "SELECT id, user_id, attributes, date_created, date_expires, date_last_used \
             FROM api_tokens WHERE id > $1 ORDER BY id LIMIT $2 OFFSET $3",
        )
        .bind(bounds.after)
        .bind(bounds.limit)
        .bind(bounds.skip);
        self.all(select).await?.iter().map(read).collect()
    }
}

#[async_trait]
impl WriteTokens for Transaction {
    async fn insert_token(&mut self, token: &ApiToken, secret: &SecretHash) -> StoreResult<()> {
        let attributes = serde_json::to_string(&token.attributes).map_err(|_| {
            StoreError::Failed("cannot write the attributes of the token as JSON".to_owned())
        })?;
        let insert = sql("INSERT INTO api_tokens \
             (id, user_id, attributes, secret_hash, date_created, date_expires, date_last_used) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)")
        .bind(token.id.as_uuid())
        .bind(token.user.as_str())
        .bind(attributes)
        .bind(secret.as_str())
        .bind(token.date_created.as_millis())
        .bind(token.date_expires.map(Timestamp::as_millis))
        .bind(token.date_last_used.map(Timestamp::as_millis));
        self.run(insert.brief()).await.map(drop)
    }

    async fn delete_token(&mut self, id: TokenId) -> StoreResult<bool> {
        let delete = sql("DELETE FROM api_tokens WHERE id = $1").bind(id.as_uuid());
        let deleted = self.run(delete.brief()).await? > 0;
        if deleted {
            let announce = sql(self.dialect().announce(REVOKED));
            self.all(announce.brief()).await?;
        }
        Ok(deleted)
    }

    async fn touch_token(&mut self, id: TokenId, used: Timestamp) -> StoreResult<()> {
        let update = sql("UPDATE api_tokens SET date_last_used = $2 WHERE id = $1")
            .bind(id.as_uuid())
            .bind(used.as_millis());
        self.run(update.brief()).await.map(drop)
    }
}

#[async_trait]
impl ReadSettings for Transaction {
    async fn find_setting(&mut self, name: &str) -> StoreResult<Option<String>> {
        let select = sql("SELECT name, value FROM settings WHERE name = $1").bind(name);
        let row = self.optional(select.brief()).await?;
        row.map(|row| Record::joined("settings", "name", &row).text("value"))
            .transpose()
    }
}

#[async_trait]
impl WriteSettings for Transaction {
    async fn insert_setting(&mut self, name: &str, value: &str) -> StoreResult<Inserted> {
        let insert =
            sql("INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
                .bind(name)
                .bind(value);
        self.run(insert.brief()).await.map(inserted)
    }
}
