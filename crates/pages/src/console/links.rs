//! Pages about public links.

use formalize_core::{
    Error, Field, FormId, InvalidFields, Revision,
    authorization::Operation,
    links::{EmbedOrigins, FormLink, FormLinkChange, LinkCap, LinkLabel, NewFormLink},
    tokens::Secret,
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_web::{CreatedLink, LinkPage, LinkRow, LinkValues, LinksPage, Problems};
use poem::{Response, http::StatusCode};
use qrcode::{EcLevel, QrCode};

use super::{
    super::{route, sent::Sent, visit::Visit},
    entered::{Entered, shown},
    form::ManagedForm,
    next_page, opened,
    settings::set_or_clear,
    shown_revision, status_of,
};

/// The page with the public links to a form.
pub(super) async fn show(visit: &Visit, id: &str, old: Option<&Sent>) -> Result<Response, Refusal> {
    let managed = manageable(visit, id).await?;
    let (status, problems) = opened(old);
    let values = old.map(|sent| entered(visit, sent)).unwrap_or_default();
    page(visit, &managed, status, (None, values, problems)).await
}

/// Creates a public link. Its address is on the page in the response, and nowhere else.
pub(super) async fn create(visit: &Visit, id: &str, sent: &Sent) -> Result<Response, Refusal> {
    let managed = manageable(visit, id).await?;
    if sent.own("do") != Some("create") {
        return Err(Refusal::is(ErrorKey::InvalidRequestBody));
    }
    let made = match read(visit, sent, managed.id, None) {
        Ok(new) => {
            let links = visit.formalize().links();
            links.create(visit.caller()?, new).await
        }
        Err(error) => Err(error),
    };
    let (status, parts) = match made {
        Ok((link, secret)) => {
            let created = created(visit, &link, &secret);
            (
                StatusCode::OK,
                (Some(created), LinkValues::default(), Problems::default()),
            )
        }
        Err(error @ Error::InvalidFields(InvalidFields::FormLink(_))) => {
            let problems = Problems::of(&error);
            (
                StatusCode::UNPROCESSABLE_ENTITY,
                (None, entered(visit, sent), problems),
            )
        }
        Err(error) => return Err(error.into()),
    };
    page(visit, &managed, status, parts).await
}

async fn manageable(visit: &Visit, id: &str) -> Result<ManagedForm, Refusal> {
    ManagedForm::allowing(visit, id, Operation::LinkList).await
}

async fn page(
    visit: &Visit,
    managed: &ManagedForm,
    status: StatusCode,
    (created, values, problems): (Option<CreatedLink>, LinkValues, Problems),
) -> Result<Response, Refusal> {
    let request = visit.page_request("cursor", None);
    let links = visit.formalize().links();
    let links = links.list(visit.caller()?, managed.id, &request).await?;
    let path = format!("{}/links", managed.path());
    let page = LinksPage {
        frame: managed.frame(),
        token: visit.token(&visit.path),
        links: links
            .items
            .iter()
            .map(|link| row(visit, &path, link))
            .collect(),
        next: next_page(&path, "cursor", links.next.as_deref()),
        created,
        values,
        problems,
        time_zone: visit.site.zone.name(),
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

fn row(visit: &Visit, path: &str, link: &FormLink) -> LinkRow {
    let now = visit.site.clock.now();
    LinkRow {
        path: format!("{path}/{}", link.id),
        label: label(link),
        expires: link.date_expires.map(|time| visit.time(time)),
        is_expired: link.date_expires.is_some_and(|time| time <= now),
        taken: link.num_submissions,
        cap: link.cap.map(LinkCap::get),
    }
}

/// The label of a link, or its identifier.
pub(super) fn label(link: &FormLink) -> String {
    let label = link.label.as_ref().map(|label| label.as_str().to_owned());
    label.unwrap_or_else(|| link.id.to_string())
}

fn created(visit: &Visit, link: &FormLink, secret: &Secret) -> CreatedLink {
    let base_url = format!("{}{}", visit.site.origin, visit.site.base_path);
    let url = secret.to_url(&base_url);
    let is_embedded = link.embed_origins.iter().next().is_some();
    CreatedLink {
        snippet: is_embedded
            .then(|| format!(r#"<script src="{base_url}/embed.js" data-link="{url}"></script>"#)),
        code: modules(&url),
        url,
    }
}

/// The modules of a QR code, row by row; none if the text is too long for one.
fn modules(text: &str) -> Vec<Vec<bool>> {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else {
        return Vec::new();
    };
    let colors = code.to_colors();
    let rows = colors.chunks(code.width());
    rows.map(|row| {
        row.iter()
            .map(|color| *color == qrcode::Color::Dark)
            .collect()
    })
    .collect()
}

/// The page on which a public link is changed.
pub(super) async fn show_one(
    visit: &Visit,
    id: &str,
    link: &str,
    old: Option<&Sent>,
) -> Result<Response, Refusal> {
    let (managed, link) = found(visit, id, link).await?;
    let (status, problems) = opened(old);
    let (revision, values) = match old {
        Some(sent) => (sent.revision()?, entered(visit, sent)),
        None => (link.revision, values(visit, &link)),
    };
    let page = LinkPage {
        is_saved: old.is_none() && visit.parameter("saved").is_some(),
        problems,
        ..one(visit, &managed, &link, revision, values)
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

/// Changes or revokes a public link.
pub(super) async fn change(
    visit: &Visit,
    id: &str,
    link: &str,
    sent: &Sent,
) -> Result<Response, Refusal> {
    let (managed, link) = found(visit, id, link).await?;
    let (links, path) = (
        visit.formalize().links(),
        format!("{}/links", managed.path()),
    );
    let expected = link.id.at(sent.revision()?);
    let (changed, next) = match sent.own("do") {
        Some("revoke") => (links.delete(visit.caller()?, link.id).await, path),
        Some("save") => {
            let changed = match read(visit, sent, managed.id, Some(&link)) {
                Ok(read) => {
                    let change = change_to(read);
                    links.update(visit.caller()?, expected, change).await
                }
                Err(error) => Err(error),
            };
            (changed.map(drop), format!("{path}/{}?saved", link.id))
        }
        _ => return Err(Refusal::is(ErrorKey::InvalidRequestBody)),
    };
    match changed {
        Ok(()) => Ok(visit.redirect(&next)),
        Err(
            error @ (Error::InvalidFields(InvalidFields::FormLink(_)) | Error::RevisionMismatch),
        ) => {
            let is_conflict = matches!(error, Error::RevisionMismatch);
            let revision = shown_revision(&error, sent, link.revision);
            let page = LinkPage {
                problems: Problems::of(&error),
                stored: is_conflict.then(|| values(visit, &link)),
                ..one(visit, &managed, &link, revision, entered(visit, sent))
            };
            Ok(visit.html(status_of(error), page.render(&visit.shell())))
        }
        Err(error) => Err(error.into()),
    }
}

/// A link to the form at an identifier in the path. One to another form is not found here.
async fn found(visit: &Visit, id: &str, link: &str) -> Result<(ManagedForm, FormLink), Refusal> {
    let managed = manageable(visit, id).await?;
    let link = route::id(link, Error::FormLinkNotFound)?;
    let link = visit.formalize().links().get(visit.caller()?, link).await?;
    if link.form == managed.id {
        Ok((managed, link))
    } else {
        Err(Error::FormLinkNotFound.into())
    }
}

fn one<'a>(
    visit: &'a Visit,
    managed: &'a ManagedForm,
    link: &FormLink,
    revision: Revision,
    values: LinkValues,
) -> LinkPage<'a> {
    LinkPage {
        frame: managed.frame(),
        token: visit.token(&visit.path),
        revision: revision.as_uuid().to_string(),
        label: label(link),
        taken: link.num_submissions,
        values,
        stored: None,
        problems: Problems::default(),
        is_saved: false,
        time_zone: visit.site.zone.name(),
    }
}

/// The settings of a link as inputs have them.
fn values(visit: &Visit, link: &FormLink) -> LinkValues {
    let label = link.label.as_ref().map(|label| label.as_str().to_owned());
    LinkValues {
        label: label.unwrap_or_default(),
        expires: link
            .date_expires
            .map_or(String::new(), |time| shown(&visit.site.zone, time)),
        cap: link.cap.map_or(String::new(), |cap| cap.get().to_string()),
        is_once: link.once_per_browser,
        origins: link.embed_origins.iter().collect::<Vec<_>>().join("\n"),
    }
}

/// The settings that were entered.
fn entered(visit: &Visit, sent: &Sent) -> LinkValues {
    let entered = Entered::new(visit, sent);
    let text = |field| entered.text(field).to_owned();
    LinkValues {
        label: text(Field::Label),
        expires: text(Field::Expires),
        cap: text(Field::MaxNumSubmissions),
        is_once: entered.is_ticked(Field::OncePerBrowser),
        origins: text(Field::EmbedOrigins).replace('\r', ""),
    }
}

/// The link to a form that was entered. A time of expiry that was not changed stays exactly as it is stored.
fn read(
    visit: &Visit,
    sent: &Sent,
    form: FormId,
    stored: Option<&FormLink>,
) -> Result<NewFormLink, Error> {
    let mut entered = Entered::new(visit, sent);
    let label = entered.optional(Field::Label, LinkLabel::new);
    let date_expires = entered.time(Field::Expires, stored.and_then(|link| link.date_expires));
    let cap = entered.number(Field::MaxNumSubmissions, LinkCap::new);
    let once_per_browser = entered.is_ticked(Field::OncePerBrowser);
    let lines = entered.text(Field::EmbedOrigins).lines().map(str::trim);
    let origins = EmbedOrigins::new(lines.filter(|line| !line.is_empty()).map(str::to_owned));
    if origins.is_err() {
        entered.refuse(Field::EmbedOrigins);
    }
    match (origins, entered.wrong()) {
        (Ok(embed_origins), wrong) if wrong.is_empty() => Ok(NewFormLink {
            form,
            label,
            date_expires,
            cap,
            once_per_browser,
            embed_origins,
        }),
        (_, wrong) => Err(Error::InvalidFields(InvalidFields::FormLink(wrong))),
    }
}

/// The change of a link to what was entered.
fn change_to(entered: NewFormLink) -> FormLinkChange {
    FormLinkChange {
        label: set_or_clear(entered.label),
        date_expires: set_or_clear(entered.date_expires),
        cap: set_or_clear(entered.cap),
        once_per_browser: Some(entered.once_per_browser),
        embed_origins: Some(entered.embed_origins),
    }
}
