//! Requests by people who have a public link.

use std::sync::Arc;

use formalize_core::{Caller, Timestamp, links::FormLink};
use formalize_http::failure::Refusal;
use formalize_http::percent;
use poem::{
    Request,
    http::{HeaderMap, header},
};

use super::site::Site;

/// A request by someone who has a public link.
#[derive(Clone)]
pub(super) struct LinkVisit {
    pub(super) link: FormLink,
    pub(super) caller: Caller,
    /// Whether this browser has sent the form before, and may not again.
    pub(super) has_sent: bool,
    /// When the page was made for the first time.
    pub(super) made: Timestamp,
    /// Whether the page that was sent had been shown.
    pub(super) was_shown: bool,
}

impl LinkVisit {
    /// The visit of a request with this secret in its path; `None` if no link has it.
    pub(super) async fn of(
        site: &Arc<Site>,
        secret: &str,
        request: &Request,
    ) -> Result<Option<Self>, Refusal> {
        let secret = percent::decode(secret).unwrap_or_default();
        let links = site.formalize.links();
        let found = links.authenticate(&secret).await?;
        Ok(found.map(|link| Self {
            caller: link.caller(),
            has_sent: link.once_per_browser && remembers(request.headers(), &link),
            made: site.clock.now(),
            was_shown: false,
            link,
        }))
    }

    /// The origins of pages that may show the page in a frame, separated by blanks; `None` if there are none.
    pub(super) fn frame(&self) -> Option<String> {
        let origins: Vec<_> = self.link.embed_origins.iter().collect();
        (!origins.is_empty()).then(|| origins.join(" "))
    }

    /// The time for the page, which cannot be forged.
    pub(super) fn made(&self, site: &Site) -> String {
        site.times.sign(self.link.id, self.made)
    }
}

/// The name of the cookie of a browser that has sent the form.
pub(super) fn cookie_name(link: &str) -> String {
    format!("formalize-sent-{link}")
}

fn remembers(headers: &HeaderMap, link: &FormLink) -> bool {
    let name = cookie_name(&link.id.to_string());
    let lines = headers.get_all(header::COOKIE).iter();
    let mut pairs = lines.flat_map(|line| line.to_str().unwrap_or_default().split(';'));
    pairs.any(|pair| {
        pair.trim()
            .split_once('=')
            .is_some_and(|(other, _)| other == name)
    })
}
