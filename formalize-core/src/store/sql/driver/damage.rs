//! What a database says about itself.

use super::{Transaction, sql};
use crate::store::sql::record::Record;
use crate::store::{StoreError, StoreResult};

impl Transaction {
    /// What the database finds wrong with itself, in its words or ours; nothing when all is well. When there is anything,
    /// nothing more can be asked.
    pub(in crate::store::sql) async fn damage(&mut self) -> StoreResult<Vec<String>> {
        let dialect = self.dialect();
        for question in [dialect.damage(), dialect.strangers()] {
            let found = match self.all(sql(question)).await {
                // Files can be so damaged that there is no other answer.
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
