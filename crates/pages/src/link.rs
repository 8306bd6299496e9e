//! Public links: anyone who has one fills in the form.

use std::time::Duration;

use formalize_core::{Error, Timestamp};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_web::MessagePage;
use poem::{Response, http::StatusCode};

use super::{
    cookie::Cookie,
    files::SentFiles,
    fill_in,
    link_visit::LinkVisit,
    sent::{PressedButton, Sent},
    sign_in,
    site::Site,
    visit::Visit,
};

/// Nobody fills in a form in less time, but programs do.
const SHORTEST: Duration = Duration::from_secs(2);

/// How long a page may be filled in. Then it is shown once more, with what was entered. So a page that somebody has got once is no
/// way to send as often as they like, without ever reading another one.
const LONGEST: Duration = Duration::from_hours(24);

/// The page of the form.
pub(super) async fn show(visit: &Visit) -> Result<Response, Refusal> {
    let link = link_of(visit)?;
    if link.has_sent {
        return Ok(closed(visit));
    }
    fill_in::show_form(visit, link.link.form).await
}

/// Sends the answers, or shows the page again.
pub(super) async fn send(
    visit: &mut Visit,
    sent: &Sent,
    files: &mut SentFiles,
) -> Result<Response, Refusal> {
    let is_plausible = match &mut visit.link {
        Some(link) => admit(link, &visit.site, sent),
        None => false,
    };
    let link = link_of(visit)?;
    let form = link.link.form;
    if link.has_sent && link.was_shown {
        return fill_in::show_form_closed(visit, form, sent, files).await;
    }
    if link.has_sent {
        return Ok(closed(visit));
    }
    if !is_plausible && sent.press()? == PressedButton::Send {
        return fill_in::show_form_to_check(visit, form, sent, files).await;
    }
    let response = fill_in::send_form(visit, form, sent, files).await?;
    if link.link.once_per_browser && response.status() == StatusCode::SEE_OTHER {
        let cookie = Cookie::of_link(&visit.site.origin, link.link.id);
        return Ok(sign_in::with_cookie(response, &cookie.write("1")));
    }
    Ok(response)
}

/// The page after the answers were sent.
pub(super) async fn show_sent(visit: &Visit) -> Result<Response, Refusal> {
    let link = link_of(visit)?;
    fill_in::show_sent(visit, link.link.form, !link.link.once_per_browser).await
}

/// Whether answers come from a person, as far as one can tell. Then the page may be sent; otherwise it is shown once more,
/// with a time that is early enough.
fn admit(visit: &mut LinkVisit, site: &Site, sent: &Sent) -> bool {
    let now = site.clock.now();
    let signed = sent
        .own("made")
        .and_then(|text| site.times.read(text, visit.link.id));
    visit.was_shown = signed.is_some();
    let made = signed.filter(|made| now < made.saturating_add(LONGEST));
    let is_early = made.is_none_or(|made| made.saturating_add(SHORTEST) > now);
    let is_plausible = !is_early && sent.is_honeypot_empty();
    let shortest = i64::try_from(SHORTEST.as_millis()).unwrap_or_default();
    let enough = Timestamp::from_millis(now.as_millis().saturating_sub(shortest));
    let is_update = !matches!(sent.press(), Ok(PressedButton::Send));
    visit.made = match (made, enough) {
        (Some(made), _) if is_update || is_plausible => made,
        (None, _) if is_update => now,
        (_, Ok(enough)) => enough,
        (_, Err(_)) => now,
    };
    is_plausible
}

fn link_of(visit: &Visit) -> Result<&LinkVisit, Refusal> {
    let link = visit.link.as_ref();
    link.ok_or_else(|| Refusal::is(ErrorKey::RouteNotFound))
}

fn closed(visit: &Visit) -> Response {
    let page = MessagePage::closed(visit.language, &Error::SubmissionCapReached, None);
    visit.html(StatusCode::FORBIDDEN, page.render(&visit.shell()))
}
