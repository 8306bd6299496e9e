//! Integrity checks by the database itself.

use formalize_core::StoreError;
use formalize_core::store::StoreResult;

use super::{Transaction, sql};
use crate::record::Record;

impl Transaction {
    /// The damage that the database finds in its files. Empty if there is none; otherwise the transaction must not be
    /// used any further.
    pub(crate) async fn damage(&mut self) -> StoreResult<Vec<String>> {
        self.problems(self.dialect().damage()).await
    }

    /// The violations of the schema that are not found by checking row by row. Also ends the use of the transaction if
    /// there are any.
    pub(crate) async fn strangers(&mut self) -> StoreResult<Vec<String>> {
        self.problems(self.dialect().strangers()).await
    }

    async fn problems(&mut self, question: String) -> StoreResult<Vec<String>> {
        match self.all(sql(question)).await {
            // If the files are severely damaged, the error is the only result.
            Err(StoreError::Failed(what)) => Ok(vec![what]),
            rows => rows?
                .iter()
                .map(|row| Record::joined("tables", "found", row).text("found"))
                .collect(),
        }
    }
}
