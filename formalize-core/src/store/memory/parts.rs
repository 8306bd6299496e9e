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

macro_rules! accessors {
    ($($accessor:ident -> $records:ident of $part:ident;)+) => {$(
        fn $accessor(&mut self) -> StoreResult<&mut dyn $records> {
            Ok(self.part(Part::$part)?)
        }
    )+};
}

impl<T: Send> ReadTx for Transaction<T> {
    accessors! {
        read_forms -> ReadForms of Forms;
        read_submissions -> ReadSubmissions of Submissions;
        read_files -> ReadFiles of Files;
        read_links -> ReadLinks of Links;
        read_tokens -> ReadTokens of Tokens;
        read_kept_responses -> ReadKeptResponses of KeptResponses;
        read_events -> ReadEvents of Events;
        read_webhooks -> ReadWebhooks of Webhooks;
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
    accessors! {
        write_forms -> WriteForms of Forms;
        write_submissions -> WriteSubmissions of Submissions;
        write_files -> WriteFiles of Files;
        write_links -> WriteLinks of Links;
        write_tokens -> WriteTokens of Tokens;
        write_kept_responses -> WriteKeptResponses of KeptResponses;
        write_events -> WriteEvents of Events;
        write_webhooks -> WriteWebhooks of Webhooks;
    }
}
