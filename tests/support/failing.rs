//! A store that fails on purpose.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use formalize_core::store::memory::MemoryStore;
use formalize_core::store::scope::{
    Audience, FormScope, GrantScope, ItemScope, ResourceScope, Subjects, SubmissionScope,
};
use formalize_core::store::{
    DeliveryProgress, EventLog, EventPlace, EventWindow, FilesChanged, FinishedAttempt, FormFor,
    GrantRecord, HeldGrant, Inserted, LeaseLimits, LeasedWebhook, NewDelivery, OwnedTx, Part,
    PendingDeliveries, Principal, ReadEvents, ReadFiles, ReadForms, ReadGrants, ReadGroups,
    ReadKeptResponses, ReadLinks, ReadMemberships, ReadResources, ReadSettings, ReadSubmissions,
    ReadTokens, ReadTx, ReadWebhooks, Requeued, Revocations, SecretHash, Selection, Store,
    StoreResult, SubmissionFor, SubmissionHeader, WebhookReader, WebhookResult, WebhookScope,
    WebhookSecrets, Window, WriteEvents, WriteFiles, WriteForms, WriteGrants, WriteGroups,
    WriteKeptResponses, WriteLinks, WriteMemberships, WriteResources, WriteSettings,
    WriteSubmissions, WriteTokens, WriteTx, WriteWebhooks,
};
use formalize_core::{
    Deletion, Form, FormId, Grant, GrantId, Group, GroupId, Membership, MembershipId, Resource,
    ResourceClass, ResourceFilter, ResourceId, ResourceRef, Revision, StoreError, Subject,
    Submission, SubmissionId, Timestamp, UserId,
    authorization::Anchor,
    events::{Event, EventFilter, EventId, EventSubscription, EventType, NewEvent},
    files::{FileHold, FileHoldId, FileId, SubmittedFile},
    forms::{SubmissionCap, SubmissionLimit},
    idempotency::{IdempotencyKey, KeptResponse},
    links::{FormLink, LinkId},
    submissions::Tags,
    tokens::{ApiToken, TokenId},
    webhooks::{
        Attempt, Delivery, DeliveryFilter, DeliveryId, FrozenSubmission, Webhook, WebhookHealth,
        WebhookId,
    },
};
use tokio::time::sleep;
use uuid::Uuid;

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// With [`StoreError::Failed`].
    Failed,
    /// With [`StoreError::LockTimeout`].
    LockTimeout,
    /// With [`StoreError::Unavailable`].
    Unavailable,
    /// With [`StoreError::Conflict`].
    Conflict,
    /// Once with [`StoreError::Conflict`], and then no more.
    ConflictOnce,
    /// Once with [`StoreError::Disconnected`].
    DisconnectedOnce,
    /// Once with [`StoreError::Uncertain`]. Nothing was committed.
    UncertainOnce,
    /// With a panic, as a fault of the program would.
    Panic,
    /// Not at all, but it begins this much later.
    Slow(Duration),
}

/// The cause in every error of [`FailingStore`]. It must never be seen outside of logs.
pub const CAUSE: &str = "disk /var/lib/formalize.db is on fire";

/// A store that does as it should until it is told to fail.
#[derive(Clone)]
pub struct FailingStore {
    inner: Arc<dyn Store>,
    fault: Fault,
}

impl FailingStore {
    /// A store that does not fail yet, and keeps everything in another one.
    pub fn around(inner: Arc<dyn Store>) -> Self {
        let fault = Fault::default();
        Self { inner, fault }
    }

    /// A store that does not fail yet, and keeps everything in memory.
    pub fn in_memory() -> Self {
        Self::around(Arc::new(MemoryStore::new()))
    }

    /// From now on every call of this method fails: one of [`Store`], [`ReadTx`] or [`WriteTx`].
    pub fn fail_at(&self, method: &'static str, failure: Failure) {
        self.fault.set(Some((method, failure)));
    }

    /// How many calls of its methods there have been, those of its transactions included.
    pub fn calls(&self) -> usize {
        self.fault.calls.load(Ordering::Relaxed)
    }

    /// How many calls have failed.
    pub fn failures(&self) -> usize {
        self.fault.failures.load(Ordering::Relaxed)
    }

    /// Whether calls still fail. A failure that happens once is over afterwards.
    pub fn is_failing(&self) -> bool {
        let at = self.fault.at.lock().unwrap_or_else(PoisonError::into_inner);
        at.is_some()
    }

    /// From now on nothing fails.
    pub fn recover(&self) {
        self.fault.set(None);
    }
}

#[derive(Clone, Default)]
struct Fault {
    at: Arc<Mutex<Option<(&'static str, Failure)>>>,
    calls: Arc<AtomicUsize>,
    failures: Arc<AtomicUsize>,
}

impl Fault {
    fn set(&self, fault: Option<(&'static str, Failure)>) {
        *self.at.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    async fn check(&self, method: &str) -> StoreResult<()> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let fault = *self.at.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((_, failure)) = fault.filter(|(at, _)| *at == method) else {
            return Ok(());
        };
        self.failures.fetch_add(1, Ordering::Relaxed);
        let once = |error: fn(String) -> StoreError| {
            self.set(None);
            Err(error(CAUSE.to_owned()))
        };
        match failure {
            Failure::Slow(time) => {
                sleep(time).await;
                Ok(())
            }
            Failure::Conflict => Err(StoreError::Conflict(CAUSE.to_owned())),
            Failure::ConflictOnce => once(StoreError::Conflict),
            Failure::DisconnectedOnce => once(StoreError::Disconnected),
            Failure::UncertainOnce => once(StoreError::Uncertain),
            Failure::Failed => Err(StoreError::Failed(CAUSE.to_owned())),
            Failure::LockTimeout => Err(StoreError::LockTimeout(CAUSE.to_owned())),
            Failure::Unavailable => Err(StoreError::Unavailable(CAUSE.to_owned())),
            #[expect(clippy::panic, reason = "a panic was ordered")]
            Failure::Panic => panic!("{CAUSE}"),
        }
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl Store for FailingStore {
    async fn read(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.fault.check("read").await?;
        let tx = self.inner.read().await?;
        let fault = self.fault.clone();
        Ok(Box::new(FailingTx { tx, fault }))
    }

    async fn read_once(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.fault.check("read").await?;
        let tx = self.inner.read_once().await?;
        let fault = self.fault.clone();
        Ok(Box::new(FailingTx { tx, fault }))
    }

    async fn read_long(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.fault.check("read").await?;
        let tx = self.inner.read_long().await?;
        let fault = self.fault.clone();
        Ok(Box::new(FailingTx { tx, fault }))
    }

    async fn write(&self) -> StoreResult<Box<dyn OwnedTx>> {
        self.fault.check("write").await?;
        let tx = self.inner.write().await?;
        let fault = self.fault.clone();
        Ok(Box::new(FailingTx { tx, fault }))
    }

    async fn submit(
        &self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
        limit: Option<SubmissionLimit>,
        event: Option<EventId>,
        kept: &[KeptResponse],
    ) -> StoreResult<bool> {
        for step in ["write", "submit", "commit"] {
            self.fault.check(step).await?;
        }
        self.inner
            .submit(submission, form, cap, limit, event, kept)
            .await
    }

    async fn revocations(&self) -> StoreResult<Option<Box<dyn Revocations>>> {
        self.fault.check("revocations").await?;
        self.inner.revocations().await
    }

    async fn ping(&self) -> StoreResult<()> {
        self.fault.check("ping").await?;
        self.inner.ping().await
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}

struct FailingTx<T: ?Sized> {
    tx: Box<T>,
    fault: Fault,
}

/// Implements a trait by calling the transaction inside, unless the method is to fail. A trait of an optional part is called by
/// way of its accessor.
macro_rules! pass_on {
    ($trait:ident $(via $via:ident)? for $($tx:ty),+ { $($name:ident($($arg:ident: $type:ty),*) -> $answer:ty;)+ }) => {
        pass_on! { @each $trait ($($via)?) [$($tx),+] { $($name($($arg: $type),*) -> $answer;)+ } }
    };
    (@each $trait:ident $via:tt [$tx:ty $(, $others:ty)*] $methods:tt) => {
        pass_on! { @one $trait $via $tx $methods }
        pass_on! { @each $trait $via [$($others),*] $methods }
    };
    (@each $trait:ident $via:tt [] $methods:tt) => {};
    (@one $trait:ident $via:tt $tx:ty { $($name:ident($($arg:ident: $type:ty),*) -> $answer:ty;)+ }) => {
        #[deny(clippy::missing_trait_methods)]
        #[async_trait]
        impl $trait for $tx {
            $(async fn $name(&mut self, $($arg: $type),*) -> StoreResult<$answer> {
                self.fault.check(stringify!($name)).await?;
                pass_on!(@inside $via self).$name($($arg),*).await
            })+
        }
    };
    (@inside () $self:ident) => { $self.tx };
    (@inside ($via:ident) $self:ident) => { $self.tx.$via()? };
}

/// Implements accessors: the parts are those of the store inside.
macro_rules! parts {
    ($($accessor:ident -> $trait:ident;)+) => {
        $(fn $accessor(&mut self) -> StoreResult<&mut dyn $trait> {
            self.tx.$accessor()?;
            Ok(self)
        })+
    };
}

/// Implements [`ReadTx`].
macro_rules! reads {
    ($($tx:ty),+) => {
        $(#[deny(clippy::missing_trait_methods)]
        impl ReadTx for $tx {
            parts! {
                read_forms -> ReadForms;
                read_submissions -> ReadSubmissions;
                read_files -> ReadFiles;
                read_links -> ReadLinks;
                read_tokens -> ReadTokens;
                read_kept_responses -> ReadKeptResponses;
                read_events -> ReadEvents;
                read_webhooks -> ReadWebhooks;
            }

            fn has(&mut self, part: Part) -> bool {
                self.tx.has(part)
            }
        })+
    };
}

reads! { Reading, Writing }

type Reading = FailingTx<dyn ReadTx>;
type Writing = FailingTx<dyn OwnedTx>;

pass_on! {
    ReadGroups for Reading, Writing {
        deletion_of_group(id: GroupId) -> Deletion;
        find_group(id: GroupId) -> Option<Group>;
        find_group_for(id: GroupId, principal: Principal<'_>) -> Option<(Group, Vec<HeldGrant>)>;
        groups(scope: &ItemScope, search: Option<&str>, window: Window) -> Vec<Group>;
    }
}

pass_on! {
    WriteGroups for Writing {
        lock_group(id: GroupId) -> Option<Group>;
        lock_group_exclusive(id: GroupId) -> Option<Group>;
        insert_group(group: &Group) -> ();
        update_group(group: &Group) -> ();
        delete_group(id: GroupId) -> ();
    }
}

pass_on! {
    ReadMemberships for Reading, Writing {
        groups_of(user: &UserId) -> Vec<GroupId>;
        memberships_above(user: &UserId) -> Vec<Membership>;
        is_within(inner: GroupId, outer: GroupId) -> bool;
        find_membership(id: MembershipId) -> Option<Membership>;
        memberships_of(ids: &[MembershipId]) -> Vec<Membership>;
        memberships(group: GroupId, window: Window) -> Vec<Membership>;
    }
}

pass_on! {
    WriteMemberships for Writing {
        lock_memberships() -> ();
        insert_membership(membership: &Membership) -> Inserted;
        delete_membership(id: MembershipId) -> bool;
    }
}

pass_on! {
    ReadResources for Reading, Writing {
        find_resource(id: ResourceId) -> Option<Resource>;
        find_resource_of(resource: &ResourceRef) -> Option<Resource>;
        find_resource_for(resource: &ResourceRef, principal: Principal<'_>) -> Option<(Resource, Vec<HeldGrant>)>;
        resources_of(resources: &[ResourceRef]) -> Vec<Resource>;
        resources(scope: &ResourceScope, filter: &ResourceFilter, window: Window) -> Vec<Resource>;
        classes(scope: &ResourceScope, classes: &[ResourceClass]) -> Vec<ResourceClass>;
    }
}

pass_on! {
    WriteResources for Writing {
        lock_resource(id: ResourceId) -> Option<Resource>;
        lock_resource_exclusive(id: ResourceId) -> Option<Resource>;
        insert_resource(resource: &Resource) -> Inserted;
        delete_resource(id: ResourceId) -> ();
    }
}

pass_on! {
    ReadGrants for Reading, Writing {
        held(anchors: &[Anchor], subjects: &Subjects) -> Vec<HeldGrant>;
        held_by(anchors: &[Anchor], principal: Principal<'_>) -> Vec<HeldGrant>;
        find_grant(id: GrantId) -> Option<Grant>;
        grants_of(ids: &[GrantId]) -> Vec<Grant>;
        grants(scope: &GrantScope, filter: &ResourceFilter, window: Window) -> Vec<Grant>;
    }
}

pass_on! {
    WriteGrants for Writing {
        insert_grant(grant: &GrantRecord) -> Inserted;
        delete_grant(id: GrantId) -> bool;
        has_other_manage_grant(resource: ResourceId, grant: GrantId) -> bool;
    }
}

pass_on! {
    ReadForms via read_forms for Reading, Writing {
        deletion_of_form(id: FormId) -> Deletion;
        find_form(id: FormId) -> Option<Form>;
        find_form_for(id: FormId, principal: Principal<'_>) -> Option<FormFor>;
        forms(scope: &FormScope, window: Window) -> Vec<Form>;
    }
}

pass_on! {
    WriteForms via write_forms for Writing {
        lock_form(id: FormId) -> Option<Form>;
        lock_form_exclusive(id: FormId) -> Option<Form>;
        insert_form(form: &Form) -> Inserted;
        update_form(form: &Form) -> ();
        delete_form(id: FormId) -> bool;
        delete_remains(limit: usize) -> u64;
    }
}

pass_on! {
    ReadSubmissions via read_submissions for Reading, Writing {
        deletion_of_submitted(form: FormId) -> Deletion;
        find_submission(id: SubmissionId) -> Option<Submission>;
        find_submission_for(id: SubmissionId, principal: Principal<'_>) -> Option<SubmissionFor>;
        submission_headers(ids: &[SubmissionId]) -> Vec<SubmissionHeader>;
        submissions(form: FormId, scope: &SubmissionScope, selection: Selection<'_>, window: Window) -> Vec<Submission>;
        count_submissions(form: FormId, scope: &SubmissionScope, window: Window) -> u64;
        places_taken(form: FormId, creator: &UserId) -> i64;
        form_places_taken(form: FormId) -> Option<i64>;
        has_submissions(form: FormId) -> bool;
    }
}

pass_on! {
    WriteSubmissions via write_submissions for Writing {
        lock_submission_exclusive(id: SubmissionId) -> Option<Submission>;
        submit(submission: &Submission, form: Revision, cap: Option<SubmissionCap>, limit: Option<SubmissionLimit>, event: Option<EventId>) -> bool;
        submit_all(submissions: &[(Submission, Option<EventId>)], form: Revision, cap: Option<SubmissionCap>, limit: Option<SubmissionLimit>) -> bool;
        take_form_place(form: FormId, limit: SubmissionLimit) -> bool;
        update_submission(submission: &Submission) -> ();
        set_tags(id: SubmissionId, form: FormId, tags: &Tags) -> ();
        delete_submission(submission: &Submission) -> ();
        delete_submitted(form: FormId) -> u64;
    }
}

pass_on! {
    ReadFiles via read_files for Reading, Writing {
        find_file(id: FileId) -> Option<SubmittedFile>;
        file_bytes(form: FormId, creator: &UserId) -> u64;
        unused_files(now: Timestamp, limit: usize) -> Vec<FileId>;
        files_after(after: Option<FileId>, limit: usize) -> Vec<(FileId, bool)>;
        file_holds(now: Timestamp) -> Vec<FileHold>;
    }
}

pass_on! {
    WriteFiles via write_files for Writing {
        insert_file(id: FileId, expires: Timestamp) -> ();
        change_files(submission: &Submission, removed: &[FileId], added: &[SubmittedFile], quota: Option<u64>, now: Timestamp) -> FilesChanged;
        expire_files(ids: &[FileId]) -> Vec<FileId>;
        expire_all_uploads() -> u64;
        delete_unused_files(ids: &[FileId]) -> u64;
        insert_file_hold(hold: FileHold, now: Timestamp) -> ();
        renew_file_hold(hold: FileHold, now: Timestamp) -> bool;
        delete_file_hold(id: FileHoldId, now: Timestamp) -> bool;
    }
}

pass_on! {
    ReadLinks via read_links for Reading, Writing {
        find_link(id: LinkId) -> Option<FormLink>;
        find_link_of(secret: &SecretHash) -> Option<FormLink>;
        links(form: FormId, window: Window) -> Vec<FormLink>;
    }
}

pass_on! {
    WriteLinks via write_links for Writing {
        lock_link_exclusive(id: LinkId) -> Option<FormLink>;
        insert_link(link: &FormLink, grant: GrantId, secret: &SecretHash) -> ();
        update_link(link: &FormLink) -> ();
        delete_link(id: LinkId) -> ();
    }
}

pass_on! {
    ReadTokens via read_tokens for Reading, Writing {
        find_token(secret: &SecretHash) -> Option<ApiToken>;
        tokens(window: Window) -> Vec<ApiToken>;
        tokens_of(user: &UserId, window: Window) -> Vec<ApiToken>;
    }
}

pass_on! {
    WriteTokens via write_tokens for Writing {
        insert_token(token: &ApiToken, secret: &SecretHash) -> ();
        lock_token_shared(id: TokenId) -> Option<ApiToken>;
        delete_token(id: TokenId) -> bool;
        delete_token_of(user: &UserId, id: TokenId) -> bool;
        delete_sessions_of(user: &UserId) -> u64;
        delete_surplus_sessions_of(user: &UserId, most: usize) -> u64;
        delete_ended_sessions(now: Timestamp, limit: usize) -> u64;
        touch_token(id: TokenId, used: Timestamp) -> ();
    }
}

pass_on! {
    ReadEvents via read_events for Reading, Writing {
        event_log() -> EventLog;
        events(window: EventWindow, filter: &EventFilter) -> Vec<Event>;
        event_arrivals(limit: u64) -> i64;
        event_audience(event: EventId) -> Vec<Subject>;
        events_told(events: &[EventId], subjects: &Subjects) -> Vec<EventId>;
        event_subscriptions() -> Vec<EventSubscription>;
    }
}

pass_on! {
    WriteEvents via write_events for Writing {
        append_event(event: &NewEvent) -> ();
        insert_audience(event: EventId, audience: &Audience) -> ();
        place_events(limit: u64) -> u64;
        delete_events(before: Timestamp, limit: u64) -> u64;
        set_event_epoch(epoch: i64) -> ();
        lease_event_subscription(name: &str, holder: Uuid, lease: (Timestamp, Timestamp)) -> Option<EventPlace>;
        move_event_subscription(name: &str, holder: Uuid, place: EventPlace) -> bool;
        release_event_subscription(name: &str, holder: Uuid) -> ();
        delete_event_subscription(name: &str) -> bool;
    }
}

pass_on! {
    ReadWebhooks via read_webhooks for Reading, Writing {
        find_webhook(id: WebhookId) -> Option<Webhook>;
        webhooks(scope: &WebhookScope, form: Option<FormId>, window: Window) -> Vec<Webhook>;
        count_webhooks(form: Option<FormId>) -> u64;
        count_deliveries(webhook: WebhookId) -> (u64, u64);
        pending_deliveries() -> PendingDeliveries;
        find_delivery(webhook: WebhookId, id: DeliveryId) -> Option<Delivery>;
        deliveries(webhook: WebhookId, filter: DeliveryFilter, window: Window) -> Vec<Delivery>;
        attempts(delivery: DeliveryId) -> Vec<Attempt>;
        dead_deliveries(webhook: WebhookId, period: (Timestamp, Timestamp), limit: u64) -> Vec<DeliveryId>;
        webhook_secrets(after: WebhookId, limit: u64) -> Vec<(WebhookId, WebhookSecrets)>;
        has_encrypted_secrets() -> bool;
        webhook_readers() -> Vec<WebhookReader>;
        frozen(event: EventId) -> Option<FrozenSubmission>;
        unneeded_data(limit: u64) -> Vec<EventId>;
    }
}

pass_on! {
    WriteWebhooks via write_webhooks for Writing {
        lock_webhook_exclusive(id: WebhookId) -> Option<Webhook>;
        insert_webhook(webhook: &Webhook, secrets: &WebhookSecrets) -> ();
        update_webhook(webhook: &Webhook, health: WebhookHealth) -> ();
        set_webhook_secrets(webhook: &Webhook, secrets: &WebhookSecrets) -> ();
        reencrypt_webhook(id: WebhookId, old: &WebhookSecrets, new: &WebhookSecrets) -> bool;
        set_webhook_place(id: WebhookId, place: Option<EventPlace>) -> ();
        delete_webhook(id: WebhookId) -> ();
        end_webhooks(form: FormId, now: Timestamp) -> u64;
        delete_ended_webhooks(before: Timestamp) -> u64;
        freeze(event: EventId, event_type: EventType, submission: &Submission) -> ();
        move_webhooks(webhooks: &[WebhookId], from: EventPlace, to: EventPlace) -> Vec<WebhookId>;
        insert_deliveries(new: &[NewDelivery]) -> u64;
        requeue_deliveries(webhook: WebhookId, which: Requeued<'_>, now: Timestamp) -> u64;
        give_up_deliveries(webhook: WebhookId, now: Timestamp) -> u64;
        lease_deliveries(holder: Uuid, lease: (Timestamp, Timestamp), limits: LeaseLimits) -> Vec<LeasedWebhook>;
        lock_webhook_health(id: WebhookId) -> Option<(Webhook, WebhookHealth)>;
        leased_progress(id: DeliveryId, holder: Uuid) -> Option<DeliveryProgress>;
        finish_attempt(id: DeliveryId, finished: &FinishedAttempt) -> ();
        set_webhook_result(id: WebhookId, result: &WebhookResult) -> ();
        delete_deliveries(before: Timestamp, limit: usize) -> u64;
        delete_attempts(before: Timestamp, limit: usize) -> u64;
        delete_data(events: &[EventId]) -> u64;
    }
}

pass_on! {
    ReadSettings for Reading, Writing {
        find_setting(name: &str) -> Option<String>;
    }
}

pass_on! {
    WriteSettings for Writing {
        insert_setting(name: &str, value: &str) -> Inserted;
    }
}

pass_on! {
    ReadKeptResponses via read_kept_responses for Reading, Writing {
        kept_responses(owner: &UserId, keys: &[&IdempotencyKey], now: Timestamp) -> Vec<KeptResponse>;
    }
}

pass_on! {
    WriteKeptResponses via write_kept_responses for Writing {
        keep_response(kept: &KeptResponse, now: Timestamp) -> Inserted;
        delete_expired_responses(now: Timestamp, limit: usize) -> u64;
    }
}

#[async_trait]
impl OwnedTx for Writing {
    async fn commit(self: Box<Self>) -> StoreResult<()> {
        self.fault.check("commit").await?;
        self.tx.commit().await
    }
}

#[deny(clippy::missing_trait_methods)]
impl WriteTx for Writing {
    parts! {
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
