//! Statements about API tokens, sessions and settings.

use std::time::Duration;

use async_trait::async_trait;
use formalize_core::store::{
    Inserted, ReadSettings, ReadTokens, SecretHash, StoreResult, Window, WriteSettings, WriteTokens,
};
use formalize_core::tokens::{ApiToken, TokenId, TokenKind, TokenLabel};
use formalize_core::{Attributes, StoreError, Timestamp, UserId};
use uuid::Uuid;

use super::driver::{Lock, Row, Transaction, saturated, sql};
use super::query::{Bounds, window_of};
use super::record::{Record, inserted};

/// The channel for notifications of deleted tokens.
pub(super) const REVOKED: &str = "formalize_token_revoked";

/// The numbers of the kinds.
const API: i64 = 1;
const SESSION: i64 = 2;

/// When a session ends, exactly as in the index `formalize_sessions_by_end`.
const END: &str = "CASE WHEN date_expires < date_last_used + idle THEN date_expires ELSE date_last_used + idle END";

const COLUMNS: &str = "id, kind, user_id, attributes, date_created, date_expires, date_last_used, idle, label, origin";

pub(super) fn read(row: &Row) -> StoreResult<ApiToken> {
    let record = Record::new("formalize_api_tokens", row);
    let label = record.optional_text("label")?.map(TokenLabel::new);
    Ok(ApiToken {
        id: TokenId::from_uuid(record.id()?),
        kind: kind(record)?,
        user: record.parsed("user_id", UserId::new)?,
        attributes: record.parsed("attributes", |json| {
            serde_json::from_str::<Attributes>(&json)
        })?,
        date_created: record.instant("date_created")?,
        date_expires: record.optional_instant("date_expires")?,
        date_last_used: record.optional_instant("date_last_used")?,
        label: record.checked("label", label.transpose())?,
        origin: record.optional_uuid("origin")?.map(TokenId::from_uuid),
    })
}

/// A session always has times of expiry and of its last use, and only a session has an idle time.
fn kind(record: Record<'_>) -> StoreResult<TokenKind> {
    let idle = record.optional_int("idle")?;
    let kind = match (record.int("kind")?, idle) {
        (API, None) => Ok(TokenKind::Api),
        (SESSION, Some(idle)) => {
            record.instant("date_expires")?;
            record.instant("date_last_used")?;
            let idle = record.checked("idle", u64::try_from(idle))?;
            Ok(TokenKind::Session {
                idle: Duration::from_millis(idle),
            })
        }
        _ => Err(()),
    };
    record.checked("kind", kind)
}

/// The number of the kind, and the idle time of a session in milliseconds.
fn columns(kind: TokenKind) -> StoreResult<(i64, Option<i64>)> {
    match kind {
        TokenKind::Api => Ok((API, None)),
        TokenKind::Session { idle } => {
            let idle = i64::try_from(idle.as_millis()).map_err(|_| {
                StoreError::Failed("the idle time of a session is too long".to_owned())
            })?;
            Ok((SESSION, Some(idle)))
        }
    }
}

#[async_trait]
impl ReadTokens for Transaction {
    async fn find_token(&mut self, secret: &SecretHash) -> StoreResult<Option<ApiToken>> {
        let select = sql(format!(
            "SELECT {COLUMNS} FROM formalize_api_tokens WHERE secret_hash = $1"
        ))
        .bind(secret.as_str());
        self.read_one(select.brief(), read).await
    }

    async fn tokens(&mut self, window: Window) -> StoreResult<Vec<ApiToken>> {
        let bounds = Bounds::from(window);
        let select = sql(format!(
            "SELECT {COLUMNS} FROM formalize_api_tokens WHERE id > $1 ORDER BY id LIMIT $2 OFFSET $3"
        ))
        .bind(bounds.after)
        .bind(bounds.limit)
        .bind(bounds.skip);
        self.read_all(select, read).await
    }

    async fn tokens_of(&mut self, user: &UserId, window: Window) -> StoreResult<Vec<ApiToken>> {
        let select = format!("SELECT {COLUMNS} FROM formalize_api_tokens AS api_tokens");
        let of_user = ("user_id", user.as_str());
        let select = window_of(self.dialect(), &select, of_user, "id", window);
        self.read_all(select, read).await
    }
}

#[async_trait]
impl WriteTokens for Transaction {
    async fn insert_token(&mut self, token: &ApiToken, secret: &SecretHash) -> StoreResult<()> {
        let attributes = serde_json::to_string(&token.attributes).map_err(|_| {
            StoreError::Failed("cannot write the attributes of the token as JSON".to_owned())
        })?;
        let (kind, idle) = columns(token.kind)?;
        let insert = sql("INSERT INTO formalize_api_tokens \
             (id, user_id, attributes, secret_hash, date_created, date_expires, date_last_used, \
              kind, idle, label, origin) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")
        .bind(token.id.as_uuid())
        .bind(token.user.as_str())
        .bind(attributes)
        .bind(secret.as_str())
        .bind(token.date_created.as_millis())
        .bind(token.date_expires.map(Timestamp::as_millis))
        .bind(token.date_last_used.map(Timestamp::as_millis))
        .bind(kind)
        .bind(idle)
        .bind(token.label.as_ref().map(TokenLabel::as_str))
        .bind(token.origin.map(TokenId::as_uuid));
        self.run(insert.brief()).await?;
        self.inserted("formalize_api_tokens", token.id.as_uuid());
        Ok(())
    }

    async fn lock_token_shared(&mut self, id: TokenId) -> StoreResult<Option<ApiToken>> {
        let select = sql(format!(
            "SELECT {COLUMNS} FROM formalize_api_tokens AS api_tokens WHERE id = $1{}",
            self.dialect().lock(Some(Lock::Shared))
        ))
        .bind(id.as_uuid());
        self.read_one(select.brief(), read).await
    }

    async fn delete_token(&mut self, id: TokenId) -> StoreResult<bool> {
        delete(self, None, id).await
    }

    async fn delete_token_of(&mut self, user: &UserId, id: TokenId) -> StoreResult<bool> {
        delete(self, Some(user), id).await
    }

    async fn delete_sessions_of(&mut self, user: &UserId) -> StoreResult<u64> {
        let delete = sql("DELETE FROM formalize_api_tokens WHERE user_id = $1 AND kind = 2")
            .bind(user.as_str());
        let deleted = self.run(delete).await?;
        announce(self, deleted).await?;
        Ok(deleted)
    }

    async fn delete_surplus_sessions_of(&mut self, user: &UserId, most: usize) -> StoreResult<u64> {
        let delete = sql("DELETE FROM formalize_api_tokens WHERE id IN ( \
             SELECT id FROM formalize_api_tokens WHERE user_id = $1 AND kind = 2 \
             ORDER BY date_last_used DESC, id DESC LIMIT $2 OFFSET $3)")
        .bind(user.as_str())
        .bind(i64::from(i32::MAX))
        .bind(saturated(most));
        let deleted = self.run(delete).await?;
        announce(self, deleted).await?;
        Ok(deleted)
    }

    async fn delete_ended_sessions(&mut self, now: Timestamp, limit: usize) -> StoreResult<u64> {
        let select = sql(format!(
            "SELECT id FROM formalize_api_tokens AS api_tokens WHERE kind = 2 AND {END} <= $1 ORDER BY {END} LIMIT $2"
        ))
        .bind(now.as_millis())
        .bind(saturated(limit));
        let ended = self.read_ids("formalize_api_tokens", select).await?;
        if ended.is_empty() {
            return Ok(0);
        }
        // Another transaction may just have recorded a use.
        let is_ended = self.dialect().any_uuid("id", "$1");
        let delete = sql(format!(
            "DELETE FROM formalize_api_tokens AS api_tokens WHERE {is_ended} AND kind = 2 AND {END} <= $2"
        ))
        .bind(ended)
        .bind(now.as_millis());
        self.run(delete).await
    }

    async fn touch_token(&mut self, id: TokenId, used: Timestamp) -> StoreResult<()> {
        let update = sql("UPDATE formalize_api_tokens SET date_last_used = $2 WHERE id = $1")
            .bind(id.as_uuid())
            .bind(used.as_millis());
        self.run(update.brief()).await.map(drop)
    }
}

/// Deletes a token, of this user if one is given, and first all that have it as their origin: the longest chains from their
/// ends. A database deletes a whole chain at once only if it is not too long.
async fn delete(tx: &mut Transaction, user: Option<&UserId>, id: TokenId) -> StoreResult<bool> {
    let select = sql("WITH RECURSIVE ended (id, level) AS ( \
             SELECT id, CAST(0 AS BIGINT) FROM formalize_api_tokens AS api_tokens WHERE id = $1 AND ($2 IS NULL \
             OR user_id = $2) \
             UNION ALL \
             SELECT api_tokens.id, ended.level + 1 FROM ended \
             JOIN formalize_api_tokens AS api_tokens ON api_tokens.origin = ended.id \
         ) SELECT id, level FROM ended ORDER BY level DESC")
    .bind(id.as_uuid())
    .bind(user.map(UserId::as_str));
    let rows = tx.all(select.brief()).await?;
    let mut levels: Vec<(i64, Vec<Uuid>)> = Vec::new();
    for row in &rows {
        let record = Record::new("formalize_api_tokens", row);
        let (id, level) = (record.id()?, record.int("level")?);
        match levels.last_mut() {
            Some((last, ids)) if *last == level => ids.push(id),
            _ => levels.push((level, vec![id])),
        }
    }
    let mut deleted = 0;
    for (_, ids) in levels {
        let is_ended = tx.dialect().any_uuid("id", "$1");
        let delete = sql(format!(
            "DELETE FROM formalize_api_tokens AS api_tokens WHERE {is_ended}"
        ))
        .bind(ids);
        deleted = tx.run(delete.brief()).await?;
    }
    announce(tx, deleted).await?;
    if deleted > 0 {
        tx.deleted("formalize_api_tokens", id.as_uuid());
    }
    Ok(deleted > 0)
}

/// Notifies other servers if tokens were deleted.
async fn announce(tx: &mut Transaction, deleted: u64) -> StoreResult<()> {
    if deleted > 0 {
        let announce = sql(tx.dialect().announce(REVOKED));
        tx.all(announce.brief()).await?;
    }
    Ok(())
}

#[async_trait]
impl ReadSettings for Transaction {
    async fn find_setting(&mut self, name: &str) -> StoreResult<Option<String>> {
        let select = sql("SELECT name, value FROM formalize_settings WHERE name = $1").bind(name);
        self.read_one(select.brief(), |row| {
            Record::joined("formalize_settings", "name", row).text("value")
        })
        .await
    }
}

#[async_trait]
impl WriteSettings for Transaction {
    async fn insert_setting(&mut self, name: &str, value: &str) -> StoreResult<Inserted> {
        let insert =
            sql("INSERT INTO formalize_settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
                .bind(name)
                .bind(value);
        self.run(insert.brief()).await.map(inserted)
    }
}
