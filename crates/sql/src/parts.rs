//! Accessors of the records that a store need not keep. A database keeps all.

use formalize_core::store::{
    ReadEvents, ReadFiles, ReadForms, ReadKeptResponses, ReadLinks, ReadSubmissions, ReadTokens,
    ReadTx, ReadWebhooks, StoreResult, WriteEvents, WriteFiles, WriteForms, WriteKeptResponses,
    WriteLinks, WriteSubmissions, WriteTokens, WriteTx, WriteWebhooks,
};

use super::driver::Transaction;

macro_rules! accessors {
    ($($accessor:ident -> $records:ident;)+) => {$(
        fn $accessor(&mut self) -> StoreResult<&mut dyn $records> {
            Ok(self)
        }
    )+};
}

impl ReadTx for Transaction {
    accessors! {
        read_forms -> ReadForms;
        read_submissions -> ReadSubmissions;
        read_files -> ReadFiles;
        read_links -> ReadLinks;
        read_tokens -> ReadTokens;
        read_kept_responses -> ReadKeptResponses;
        read_events -> ReadEvents;
        read_webhooks -> ReadWebhooks;
    }
}

impl WriteTx for Transaction {
    accessors! {
        write_forms -> WriteForms;
        write_submissions -> WriteSubmissions;
        write_files -> WriteFiles;
        write_links -> WriteLinks;
        write_tokens -> WriteTokens;
        write_kept_responses -> WriteKeptResponses;
        write_events -> WriteEvents;
        write_webhooks -> WriteWebhooks;
    }
}
