//! What remains of deleted forms.

use crate::error::Result;
use crate::service::Shared;
use crate::service::steps::PORTION;

impl Shared {
    /// Deletes what remains of deleted forms, in at most so many transactions, and returns the number of records.
    pub(super) async fn delete_remains(&self, portions: usize) -> Result<u64> {
        let mut all = 0;
        for _ in 0..portions {
            let work = writing!(|tx| tx.write_forms()?.delete_remains(PORTION));
            let deleted = self.transact(work).await?;
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
