//! Promise 9: a record that was read under a lock does not change during the transaction.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::{Store, StoreResult, WriteTx};
use formalize_core::{GrantId, SubmissionState, links::FormLink};

use crate::store::samples::{Ids, form_name, grant_based, group_name, secret, user};
use crate::store::scene::{FormMade, GroupMade, Scene, SharedSubmission};
use crate::store::tasks::{joined, promptly};

/// A lock, and a change by another transaction that must wait for it.
#[derive(Debug, Clone, Copy)]
enum Waiting {
    GroupUpdate,
    GroupDelete,
    GroupTwice,
    ResourceDelete,
    ExclusiveResourceDelete,
    FormUpdate,
    FormDelete,
    ExclusiveFormUpdate,
    SubmissionUpdate,
    SubmissionDelete,
    Memberships,
    ResourceTwice,
    FormTwice,
    LinkUpdate,
    LinkDelete,
    LinkTwice,
}

/// The records that [`Waiting`] locks and changes.
struct Stage {
    group: GroupMade,
    form: FormMade,
    shared: SharedSubmission,
    link: FormLink,
    grant_of_link: GrantId,
}

impl Waiting {
    const ALL: [Self; 16] = [
        Self::GroupUpdate,
        Self::GroupDelete,
        Self::GroupTwice,
        Self::ResourceDelete,
        Self::ExclusiveResourceDelete,
        Self::FormUpdate,
        Self::FormDelete,
        Self::ExclusiveFormUpdate,
        Self::SubmissionUpdate,
        Self::SubmissionDelete,
        Self::Memberships,
        Self::ResourceTwice,
        Self::FormTwice,
        Self::LinkUpdate,
        Self::LinkDelete,
        Self::LinkTwice,
    ];

    async fn lock(self, tx: &mut dyn WriteTx, stage: &Stage) -> StoreResult<()> {
        let (resource, form) = (stage.form.collection.id, stage.form.id());
        match self {
            Self::GroupUpdate | Self::GroupDelete => {
                tx.lock_group(stage.group.id()).await.map(drop)
            }
            Self::GroupTwice => tx.lock_group_exclusive(stage.group.id()).await.map(drop),
            Self::ResourceDelete => tx.lock_resource(resource).await.map(drop),
            Self::ExclusiveResourceDelete | Self::ResourceTwice => {
                tx.lock_resource_exclusive(resource).await.map(drop)
            }
            Self::FormUpdate | Self::FormDelete => {
                tx.write_forms()?.lock_form(form).await.map(drop)
            }
            Self::ExclusiveFormUpdate | Self::FormTwice => {
                tx.write_forms()?.lock_form_exclusive(form).await.map(drop)
            }
            Self::SubmissionUpdate | Self::SubmissionDelete => {
                let submission = stage.shared.submission.id;
                tx.write_submissions()?
                    .lock_submission_exclusive(submission)
                    .await
                    .map(drop)
            }
            Self::Memberships => tx.lock_memberships().await,
            Self::LinkUpdate | Self::LinkDelete | Self::LinkTwice => tx
                .write_links()?
                .lock_link_exclusive(stage.link.id)
                .await
                .map(drop),
        }
    }

    async fn change(self, tx: &mut dyn WriteTx, stage: &Stage) -> StoreResult<()> {
        let (resource, form) = (stage.form.collection.id, stage.form.id());
        match self {
            Self::GroupUpdate => {
                let mut group = stage.group.group.clone();
                group.name = group_name("changed");
                tx.update_group(&group).await
            }
            Self::GroupDelete => tx.delete_group(stage.group.id()).await,
            Self::ResourceDelete | Self::ExclusiveResourceDelete => {
                tx.delete_resource(resource).await
            }
            Self::FormUpdate | Self::ExclusiveFormUpdate => {
                let mut form = stage.form.form.clone();
                form.name = form_name("changed");
                tx.write_forms()?.update_form(&form).await
            }
            Self::FormDelete => tx.write_forms()?.delete_form(form).await.map(drop),
            Self::SubmissionUpdate => {
                let mut submission = stage.shared.submission.clone();
                submission.data = None;
                tx.write_submissions()?.update_submission(&submission).await
            }
            Self::SubmissionDelete => {
                tx.write_submissions()?
                    .delete_submission(&stage.shared.submission)
                    .await
            }
            Self::Memberships => tx.lock_memberships().await,
            Self::GroupTwice => tx.lock_group(stage.group.id()).await.map(drop),
            Self::ResourceTwice => tx.lock_resource(resource).await.map(drop),
            Self::FormTwice => tx.write_forms()?.lock_form(form).await.map(drop),
            Self::LinkUpdate => tx.write_links()?.update_link(&stage.link).await,
            Self::LinkDelete => tx.delete_grant(stage.grant_of_link).await.map(drop),
            Self::LinkTwice => tx
                .write_links()?
                .lock_link_exclusive(stage.link.id)
                .await
                .map(drop),
        }
    }
}

/// Promise 9: a record that was read under a lock is not changed or deleted before the transaction ends.
pub async fn changes_wait_for_locks(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    for (number, waiting) in (1..).zip(Waiting::ALL) {
        let mut scene = Scene::begin(&*store, &ids).await?;
        let group = scene.group("locked").await?;
        let form = scene.form(grant_based(&[])).await?;
        let alice = user("alice");
        let draft = SubmissionState::Draft;
        let shared = scene.shared_submission(&form.form, &alice, draft).await?;
        let (link, grant_of_link) = scene.link(&form, &secret(number)).await?;
        scene.commit().await?;
        let stage = Arc::new(Stage {
            group,
            form,
            shared,
            link,
            grant_of_link,
        });

        let mut tx = store.write().await?;
        waiting.lock(&mut *tx, &stage).await?;
        let change = {
            let (store, stage) = (Arc::clone(&store), Arc::clone(&stage));
            tokio::spawn(async move {
                let mut tx = store.write().await?;
                waiting.change(&mut *tx, &stage).await?;
                tx.commit().await
            })
        };
        tokio::time::sleep(Duration::from_millis(40)).await;
        assert!(!change.is_finished(), "promise 9: {waiting:?} did not wait");
        tx.commit().await?;
        promptly(joined(change), "promise 9: the lock is released").await?;
    }
    Ok(())
}
