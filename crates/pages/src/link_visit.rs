//! Requests by people who have a public link.

use std::sync::Arc;

use formalize_core::{Caller, Timestamp, links::FormLink};
use formalize_http::failure::Refusal;
use formalize_http::percent;
use poem::Request;

use super::{cookie::Cookie, site::Site};

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
            has_sent: link.once_per_browser
                && Cookie::of_link(&site.origin, link.id).is_in(request.headers()),
            made: site.clock.now(),
            was_shown: false,
            link,
        }))
    }

    /// The origins of pages that may show the page in a frame, separated by spaces; `None` if there are none.
    pub(super) fn frame(&self) -> Option<String> {
        let origins: Vec<_> = self.link.embed_origins.iter().collect();
        (!origins.is_empty()).then(|| origins.join(" "))
    }

    /// The time for the page, which cannot be forged.
    pub(super) fn made(&self, site: &Site) -> String {
        site.times.sign(self.link.id, self.made)
    }
}
