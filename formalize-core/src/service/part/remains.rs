//! What remains of deleted forms.

use crate::error::Result;
use crate::service::steps::PORTION;
use crate::service::{End, Shared};

impl Shared {
    /// Deletes what remains of deleted forms, in at most so many transactions, and returns the number of records.
    pub(super) async fn delete_remains(&self, portions: usize) -> Result<u64> {
        let mut all = 0;
        for _ in 0..portions {
            let deleting = self.transact(async |mut tx| {
                let deleted = tx.write_forms()?.delete_remains(PORTION).await?;
                Ok(End::commit(tx, deleted))
            });
            let deleted = deleting.await?;
            if deleted == 0 {
                break;
            }
            all += deleted;
        }
        if all > 0 {
            self.forms.files.note_left();
        }
        Ok(all)
    }
}
