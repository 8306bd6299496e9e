//! Integrity checks by the database itself.

use super::{Transaction, sql};
use crate::store::sql::record::Record;
use crate::store::{StoreError, StoreResult};

impl Transaction {
    /// The problems that the database finds in itself. Empty if there are none; otherwise the transaction must not be
    /// used any further.
    pub(in crate::store::sql) async fn damage(&mut self) -> StoreResult<Vec<String>> {
        let dialect = self.dialect();
        for question in [dialect.damage(), dialect.strangers()] {
            let found = match self.all(sql(question)).await {
                // If the files are severely damaged, the error is the only result.
                Err(StoreError::Failed(what)) => vec![what],
                rows => rows?
                    .iter()
                    .map(|row| Record::joined("tables", "found", row).text("found"))
                    .collect::<StoreResult<_>>()?,
            };
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }
}
