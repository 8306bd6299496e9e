//! Accessors of the records that a store need not keep. A database keeps all.

use formalize_core::store::{
    ReadEvents, ReadFiles, ReadForms, ReadKeptResponses, ReadLinks, ReadSubmissions, ReadTokens,
    ReadTx, ReadWebhooks, StoreResult,
};

use super::driver::Transaction;

impl ReadTx for Transaction {
    fn read_forms(&mut self) -> StoreResult<&mut dyn ReadForms> {
        Ok(self)
    }

    fn read_submissions(&mut self) -> StoreResult<&mut dyn ReadSubmissions> {
        Ok(self)
    }

    fn read_files(&mut self) -> StoreResult<&mut dyn ReadFiles> {
        Ok(self)
    }

    fn read_links(&mut self) -> StoreResult<&mut dyn ReadLinks> {
        Ok(self)
    }

    fn read_tokens(&mut self) -> StoreResult<&mut dyn ReadTokens> {
        Ok(self)
    }

    fn read_kept_responses(&mut self) -> StoreResult<&mut dyn ReadKeptResponses> {
        Ok(self)
    }

    fn read_events(&mut self) -> StoreResult<&mut dyn ReadEvents> {
        Ok(self)
    }

    fn read_webhooks(&mut self) -> StoreResult<&mut dyn ReadWebhooks> {
        Ok(self)
    }
}
