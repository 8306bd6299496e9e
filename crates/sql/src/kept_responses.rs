//! Statements about responses to requests with an idempotency key.

use async_trait::async_trait;
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use formalize_core::idempotency::{Fingerprint, IdempotencyKey, KeptResponse};
use formalize_core::store::{Inserted, ReadKeptResponses, StoreResult, WriteKeptResponses};
use formalize_core::{Timestamp, UserId};

use super::driver::{Argument, Row, Transaction, saturated, sql};
use super::record::{Record, inserted};

/// So many responses are found quickly.
const FEW: usize = 8;

fn read(row: &Row) -> StoreResult<KeptResponse> {
    let record = Record::joined("formalize_kept_responses", "owner", row);
    Ok(KeptResponse {
        owner: record.author("owner")?,
        key: record.parsed("key_text", IdempotencyKey::new)?,
        fingerprint: record.parsed("fingerprint", |digits| fingerprint(&digits).ok_or(()))?,
        response: record.text("response")?,
        date_expires: record.instant("date_expires")?,
    })
}

fn fingerprint(digits: &str) -> Option<Fingerprint> {
    let bytes = HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok()?;
    bytes.try_into().ok().map(Fingerprint)
}

#[async_trait]
impl ReadKeptResponses for Transaction {
    async fn kept_responses(
        &mut self,
        owner: &UserId,
        keys: &[&IdempotencyKey],
        now: Timestamp,
    ) -> StoreResult<Vec<KeptResponse>> {
        // The statement is for one index alone, by the whole of it: one key is not compared with a list, and expired responses
        // are removed here. On PostgreSQL, a plan that was made while the table was empty may use an index for the time, or the
        // owner alone, and would read more rows each time.
        let (is_one, wanted) = match keys {
            [key] => ("key_text = $2".to_owned(), Argument::from(key.as_str())),
            keys => {
                let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
                (self.dialect().any_text("key_text", "$2"), keys.into())
            }
        };
        let select = sql(format!(
            "SELECT owner, key_text, fingerprint, response, date_expires FROM formalize_kept_responses AS kept_responses \
             WHERE owner = $1 AND {is_one}"
        ))
        .bind(owner.as_str())
        .bind(wanted);
        let select = if keys.len() <= FEW {
            select.brief()
        } else {
            select
        };
        let mut found = self.read_all(select, read).await?;
        found.retain(|response| response.date_expires > now);
        Ok(found)
    }
}

#[async_trait]
impl WriteKeptResponses for Transaction {
    async fn keep_response(
        &mut self,
        kept: &KeptResponse,
        now: Timestamp,
    ) -> StoreResult<Inserted> {
        let insert = sql(
            "INSERT INTO formalize_kept_responses AS kept_responses (owner, key_text, fingerprint, response, date_expires) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (owner, key_text) DO UPDATE SET \
             fingerprint = excluded.fingerprint, response = excluded.response, \
             date_expires = excluded.date_expires WHERE kept_responses.date_expires <= $6",
        )
        .bind(kept.owner.as_str())
        .bind(kept.key.as_str())
        .bind(HEXLOWER.encode(&kept.fingerprint.0))
        .bind(kept.response.as_str())
        .bind(kept.date_expires.as_millis())
        .bind(now.as_millis());
        self.run(insert.brief()).await.map(inserted)
    }

    async fn delete_expired_responses(&mut self, now: Timestamp, limit: usize) -> StoreResult<u64> {
        // The outer condition excludes keys that another transaction has used again.
        let delete = sql(
            "DELETE FROM formalize_kept_responses WHERE (owner, key_text) IN (SELECT owner, key_text \
             FROM formalize_kept_responses WHERE date_expires <= $1 ORDER BY date_expires LIMIT $2) \
             AND date_expires <= $1",
        )
        .bind(now.as_millis())
        .bind(saturated(limit));
        self.run(delete).await
    }
}
