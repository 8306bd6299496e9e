//! Which parts a store has.

use async_trait::async_trait;

use crate::store::memory::{Transaction, WriteLock};
use crate::store::{
    OwnedTx, Part, ReadEvents, ReadFiles, ReadForms, ReadKeptResponses, ReadLinks, ReadSubmissions,
    ReadTokens, ReadTx, ReadWebhooks, StoreError, StoreResult, WriteEvents, WriteFiles, WriteForms,
    WriteKeptResponses, WriteLinks, WriteSubmissions, WriteTokens, WriteTx, WriteWebhooks,
};

impl<T> Transaction<T> {
    fn part(&mut self, part: Part) -> StoreResult<&mut Self> {
        if self.without.contains(&part) {
            return Err(StoreError::NotConfigured(part));
        }
        Ok(self)
    }
}

impl<T: Send> ReadTx for Transaction<T> {
    fn read_forms(&mut self) -> StoreResult<&mut dyn ReadForms> {
        Ok(self.part(Part::Forms)?)
    }

    fn read_submissions(&mut self) -> StoreResult<&mut dyn ReadSubmissions> {
        Ok(self.part(Part::Submissions)?)
    }

    fn read_files(&mut self) -> StoreResult<&mut dyn ReadFiles> {
        Ok(self.part(Part::Files)?)
    }

    fn read_links(&mut self) -> StoreResult<&mut dyn ReadLinks> {
        Ok(self.part(Part::Links)?)
    }

    fn read_tokens(&mut self) -> StoreResult<&mut dyn ReadTokens> {
        Ok(self.part(Part::Tokens)?)
    }

    fn read_kept_responses(&mut self) -> StoreResult<&mut dyn ReadKeptResponses> {
        Ok(self.part(Part::KeptResponses)?)
    }

    fn read_events(&mut self) -> StoreResult<&mut dyn ReadEvents> {
        Ok(self.part(Part::Events)?)
    }

    fn read_webhooks(&mut self) -> StoreResult<&mut dyn ReadWebhooks> {
        Ok(self.part(Part::Webhooks)?)
    }
}

#[async_trait]
impl OwnedTx for Transaction<WriteLock> {
    async fn commit(self: Box<Self>) -> StoreResult<()> {
        self.turn.shared.replace(self.state);
        Ok(())
    }
}

impl WriteTx for Transaction<WriteLock> {
    fn write_forms(&mut self) -> StoreResult<&mut dyn WriteForms> {
        Ok(self.part(Part::Forms)?)
    }

    fn write_submissions(&mut self) -> StoreResult<&mut dyn WriteSubmissions> {
        Ok(self.part(Part::Submissions)?)
    }

    fn write_files(&mut self) -> StoreResult<&mut dyn WriteFiles> {
        Ok(self.part(Part::Files)?)
    }

    fn write_links(&mut self) -> StoreResult<&mut dyn WriteLinks> {
        Ok(self.part(Part::Links)?)
    }

    fn write_tokens(&mut self) -> StoreResult<&mut dyn WriteTokens> {
        Ok(self.part(Part::Tokens)?)
    }

    fn write_kept_responses(&mut self) -> StoreResult<&mut dyn WriteKeptResponses> {
        Ok(self.part(Part::KeptResponses)?)
    }

    fn write_events(&mut self) -> StoreResult<&mut dyn WriteEvents> {
        Ok(self.part(Part::Events)?)
    }

    fn write_webhooks(&mut self) -> StoreResult<&mut dyn WriteWebhooks> {
        Ok(self.part(Part::Webhooks)?)
    }
}
