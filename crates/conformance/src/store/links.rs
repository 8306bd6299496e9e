//! Public links.

use std::sync::Arc;

use formalize_core::store::{Store, StoreResult, Window};
use formalize_core::{
    Action, SubmissionState, UserId,
    links::{EmbedOrigins, FormLink, LinkCap, LinkLabel},
};

use crate::store::samples::{Ids, creator_based, grant_based, instant, secret, user};
use crate::store::scene::Scene;

/// A link with a value in every field.
fn full(link: &FormLink) -> FormLink {
    FormLink {
        label: LinkLabel::new("Ä \"poster\"").ok(),
        date_expires: Some(instant(1_795_000_009_999)),
        cap: LinkCap::new(LinkCap::MAX).ok(),
        once_per_browser: true,
        embed_origins: EmbedOrigins::new(["https://example.org", "http://[::1]:8080"])
            .unwrap_or_default(),
        creator: user("ann"),
        ..link.clone()
    }
}

/// A link is found by its identifier and its secret, comes back with all values, and can be changed.
pub async fn links_are_found_and_changed(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let form = scene.form(creator_based(&[])).await?;
    let (bare, _) = scene.link(&form, &secret(1)).await?;
    let (other, _) = scene.link(&form, &secret(2)).await?;
    scene.commit().await?;
    let mut tx = store.write().await?;
    assert_eq!(
        tx.read_links()?.find_link(bare.id).await?,
        Some(bare.clone())
    );
    assert_eq!(
        tx.read_links()?.find_link_of(&secret(1)).await?,
        Some(bare.clone())
    );
    assert_eq!(
        tx.read_links()?.find_link_of(&secret(2)).await?,
        Some(other.clone())
    );
    assert_eq!(tx.read_links()?.find_link_of(&secret(3)).await?, None);
    let locked = tx.write_links()?.lock_link_exclusive(bare.id).await?;
    assert_eq!(locked, Some(bare.clone()));
    let changed = FormLink {
        revision: form.form.revision,
        creator: bare.creator.clone(),
        ..full(&bare)
    };
    tx.write_links()?.update_link(&changed).await?;
    assert_eq!(
        tx.read_links()?.find_link(bare.id).await?,
        Some(changed.clone())
    );
    assert_eq!(
        tx.read_links()?.find_link_of(&secret(1)).await?,
        Some(changed)
    );
    tx.write_links()?.update_link(&bare).await?;
    tx.commit().await?;
    let mut tx = store.read().await?;
    assert_eq!(tx.read_links()?.find_link(bare.id).await?, Some(bare));
    assert_eq!(tx.read_links()?.find_link(other.id).await?, Some(other));
    Ok(())
}

/// A new link keeps all of its values.
pub async fn links_come_back_with_every_value(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let form = scene.form(creator_based(&[])).await?;
    let link = full(&scene.ids.link(&form.form));
    scene.insert_link(&form, &link, &secret(1)).await?;
    scene.commit().await?;
    let mut tx = store.read().await?;
    assert_eq!(tx.read_links()?.find_link(link.id).await?, Some(link));
    Ok(())
}

/// The links of a form are listed in order and in windows.
pub async fn links_of_a_form_are_listed(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let form = scene.form(creator_based(&[])).await?;
    let other = scene.form(creator_based(&[])).await?;
    let mut links = Vec::new();
    for number in 0..5 {
        links.push(scene.link(&form, &secret(number)).await?.0);
    }
    let (of_other, _) = scene.link(&other, &secret(9)).await?;
    scene.commit().await?;
    links.sort_unstable_by_key(|link| link.id);
    let mut tx = store.read().await?;
    assert_eq!(tx.read_links()?.links(form.id(), Window::ALL).await?, links);
    assert_eq!(
        tx.read_links()?.links(other.id(), Window::ALL).await?,
        [of_other]
    );
    let first = links.first().map(|link| link.id.as_uuid());
    let second = Window {
        after: first.unwrap_or_default(),
        skip: 1,
        limit: 2,
        ..Window::ALL
    };
    let found = tx.read_links()?.links(form.id(), second).await?;
    assert!(found.iter().eq(links.iter().skip(2).take(2)), "{found:?}");
    Ok(())
}

/// A link counts the submissions of its user for its form, and those that are deleted no longer.
pub async fn submissions_through_a_link_are_counted(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let form = scene.form(creator_based(&[])).await?;
    let other = scene.form(creator_based(&[])).await?;
    let (link, _) = scene.link(&form, &secret(1)).await?;
    let (unused, _) = scene.link(&form, &secret(2)).await?;
    let (of_other, _) = scene.link(&other, &secret(3)).await?;
    let (submitted, through) = (SubmissionState::Submitted, UserId::from(link.id));
    let first = scene.submission(&form.form, &through, submitted).await?;
    for creator in [&through, &user("alice")] {
        scene.submission(&form.form, creator, submitted).await?;
    }
    scene.commit().await?;
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form(form.id()).await?;
    tx.write_submissions()?
        .lock_submission_exclusive(first.id)
        .await?;
    let counted = async |count| -> StoreResult<()> {
        let mut tx = store.read().await?;
        let expected = FormLink {
            num_submissions: count,
            ..link.clone()
        };
        assert_eq!(
            tx.read_links()?.find_link(link.id).await?,
            Some(expected.clone())
        );
        assert_eq!(
            tx.read_links()?.find_link_of(&secret(1)).await?,
            Some(expected.clone())
        );
        assert!(
            tx.read_links()?
                .links(form.id(), Window::ALL)
                .await?
                .contains(&expected)
        );
        assert_eq!(
            tx.read_links()?.find_link(unused.id).await?,
            Some(unused.clone())
        );
        assert_eq!(
            tx.read_links()?.find_link(of_other.id).await?,
            Some(of_other.clone())
        );
        Ok(())
    };
    counted(2).await?;
    tx.write_submissions()?.delete_submission(&first).await?;
    tx.commit().await?;
    counted(1).await?;
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form_exclusive(form.id()).await?;
    tx.write_submissions()?.delete_submitted(form.id()).await?;
    tx.commit().await?;
    counted(0).await
}

/// Promise 8: a link ends with its grant, its form, and the resource of its form, and takes its grant with it. Other
/// links and the submissions remain.
pub async fn links_end_with_their_grants(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    for ending in ["link", "grant", "form", "resource", "nothing"] {
        let mut scene = Scene::begin(&*store, &ids).await?;
        let form = scene.form(grant_based(&[])).await?;
        let other = scene.form(grant_based(&[])).await?;
        let (link, grant) = scene.link(&form, &secret(1)).await?;
        let (kept, _) = scene.link(&other, &secret(2)).await?;
        let submitted = SubmissionState::Submitted;
        let creator = UserId::from(link.id);
        let sent = scene.submission(&form.form, &creator, submitted).await?;
        let third = scene
            .ids
            .grant(&creator.into(), Action::READ, &other.resource);
        let _ = scene.tx.insert_grant(&third).await?;
        scene.commit().await?;
        let mut tx = store.write().await?;
        tx.write_forms()?.lock_form_exclusive(form.id()).await?;
        match ending {
            "link" => tx.write_links()?.delete_link(link.id).await?,
            "grant" => assert!(tx.delete_grant(grant).await?),
            "form" => assert!(!tx.write_forms()?.delete_form(form.id()).await?),
            "resource" => tx.delete_resource(form.resource.id).await?,
            _ => assert!(tx.delete_grant(third.id).await?),
        }
        let is_left = ending == "nothing";
        assert_eq!(
            tx.read_links()?.find_link(link.id).await?.is_some(),
            is_left,
            "{ending}"
        );
        tx.commit().await?;
        let mut tx = store.write().await?;
        assert_eq!(
            tx.read_links()?.find_link(link.id).await?.is_some(),
            is_left,
            "{ending}"
        );
        let found = tx.read_links()?.find_link_of(&secret(1)).await?;
        assert_eq!(found.is_some(), is_left, "promise 8: {ending}");
        assert_eq!(tx.find_grant(grant).await?.is_some(), is_left, "{ending}");
        assert_eq!(
            tx.read_links()?.find_link(kept.id).await?,
            Some(kept.clone())
        );
        let sent = tx.read_submissions()?.find_submission(sent.id).await?;
        assert_eq!(sent.is_some(), ending != "form", "promise 8: {ending}");
        tx.write_links()?.delete_link(link.id).await?;
        tx.write_links()?.delete_link(kept.id).await?;
        assert_eq!(tx.read_links()?.find_link(kept.id).await?, None);
        tx.commit().await?;
    }
    Ok(())
}

/// A link cannot have a grant that does not exist, and two links cannot have the same secret.
pub async fn links_need_a_grant_and_a_secret(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let form = scene.form(creator_based(&[])).await?;
    let (_, grant) = scene.link(&form, &secret(1)).await?;
    scene.commit().await?;
    let link = ids.link(&form.form);
    let holder = UserId::from(link.id).into();
    let missing = ids.grant(&holder, Action::CREATE_SUBMISSIONS, &form.resource);
    let mut tx = store.write().await?;
    let inserted = tx
        .write_links()?
        .insert_link(&link, missing.id, &secret(2))
        .await;
    assert!(inserted.is_err(), "the grant does not exist");
    drop(tx);
    for (number, grant) in [(1, missing.id), (2, grant)] {
        let mut tx = store.write().await?;
        let _ = tx.insert_grant(&missing).await?;
        let inserted = tx
            .write_links()?
            .insert_link(&link, grant, &secret(number))
            .await;
        assert!(inserted.is_err(), "the secret or the grant is in use");
    }
    let mut tx = store.read().await?;
    assert_eq!(
        tx.read_links()?.links(form.id(), Window::ALL).await?.len(),
        1
    );
    Ok(())
}
