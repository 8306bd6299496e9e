//! What is the same for all requests: settings, files and keys.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use data_encoding::HEXLOWER;
use formalize_core::{
    Caller, Clock, Formalize, Result, SystemClock, UserId,
    questions::TimeZone,
    tokens::{NewSession, Secret},
    webhooks::WebhookTransport,
};
use formalize_http::auth::Issuers;
use formalize_http::config::{PageFile, PageSettings, PageTimeZone};
use formalize_http::exports::Exports;
use formalize_web::{Asset, Language};
use hyper::body::Bytes;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::{
    attempts::Attempts,
    cookie::Cookie,
    forgery::{PageTimes, PageTokens},
};

/// How long the first administrator can sign in by the link that the server prints.
const FIRST_CODE_LIFETIME: Duration = Duration::from_mins(15);

/// What pages are set up with.
#[derive(Clone)]
pub struct PageSetup {
    /// The settings.
    pub settings: PageSettings,
    /// The language for readers who prefer none that pages are written in, instead of that of the settings.
    pub language: Option<Language>,
    /// Whether people can sign in with an API token.
    pub takes_tokens: bool,
    /// The code by which the first administrator can sign in.
    pub first_code: Option<FirstCode>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
}

impl Default for PageSetup {
    fn default() -> Self {
        Self {
            settings: PageSettings::default(),
            language: None,
            takes_tokens: true,
            first_code: None,
            clock: Arc::new(SystemClock),
        }
    }
}

/// A code by which a user can sign in once.
#[derive(Debug, Clone)]
pub struct FirstCode {
    user: UserId,
    code: String,
    expires: Instant,
}

impl FirstCode {
    /// A new code for a user. It is valid for a quarter of an hour.
    ///
    /// # Errors
    ///
    /// If the operating system has no random numbers.
    pub fn new(user: UserId) -> io::Result<Self> {
        use ring::rand::{SecureRandom, SystemRandom};
        let mut code = [0; 20];
        SystemRandom::new().fill(&mut code).map_err(|_| {
            io::Error::other("cannot read random numbers from the operating system")
        })?;
        Ok(Self {
            user,
            code: HEXLOWER.encode(&code),
            expires: Instant::now() + FIRST_CODE_LIFETIME,
        })
    }

    /// The path of the page on which the user signs in.
    pub fn path(&self) -> String {
        format!("/sign-in/first/{}", self.code)
    }

    fn is(&self, code: &str) -> bool {
        // The time of comparing hashes reveals nothing about the code.
        Instant::now() < self.expires && Sha256::digest(&self.code) == Sha256::digest(code)
    }
}

/// A file that pages load.
#[derive(Debug)]
pub(super) struct File {
    /// With a hash of the content.
    path: String,
    pub(super) media_type: &'static str,
    pub(super) content: Bytes,
}

impl File {
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    fn of_operator(name: &str, file: PageFile) -> Self {
        let hash = Sha256::digest(&file.content);
        let hash = HEXLOWER.encode(hash.get(..8).unwrap_or_default());
        Self {
            path: format!("/assets/{name}.{hash}.{}", file.extension),
            media_type: file.media_type,
            content: file.content.into(),
        }
    }
}

/// What is the same for all requests.
pub(super) struct Site {
    pub(super) formalize: Formalize,
    pub(super) title: String,
    /// The language for readers who prefer none that pages are written in.
    pub(super) language: Language,
    /// The time zone of the times that people enter.
    pub(super) time_zone: TimeZone,
    /// The time zone of the times that pages show.
    pub(super) zone: PageTimeZone,
    pub(super) links: Vec<(String, String)>,
    /// Whether people can sign in with an API token.
    pub(super) takes_tokens: bool,
    /// Scheme, host and port of the base URL.
    pub(super) origin: String,
    /// The path of the base URL, without a slash at its end.
    pub(super) base_path: String,
    /// The address to which identity providers send people back.
    pub(super) callback: String,
    /// The identity providers, if there are any.
    pub(super) issuers: Option<Arc<Issuers>>,
    pub(super) exports: Exports,
    /// Sends tests of webhooks.
    pub(super) transport: Arc<dyn WebhookTransport>,
    pub(super) cookie: Cookie,
    pub(super) attempts: Attempts,
    pub(super) tokens: PageTokens,
    pub(super) times: PageTimes,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) style: Option<File>,
    pub(super) logo: Option<File>,
    files: Vec<File>,
    session_lifetime: Duration,
    session_idle: Duration,
    first_code: Mutex<Option<FirstCode>>,
}

impl Site {
    pub(super) fn new(
        formalize: Formalize,
        base_url: &str,
        issuers: Option<Arc<Issuers>>,
        exports: Exports,
        transport: Arc<dyn WebhookTransport>,
        setup: PageSetup,
    ) -> Self {
        let PageSetup {
            language,
            settings,
            takes_tokens,
            first_code,
            clock,
        } = setup;
        let (origin, base_path) = split_url(base_url);
        let of_settings = Language::of_tag(settings.language.tag());
        let links = settings.links.into_iter();
        let (own_zone, now) = (settings.time_zone, Arc::clone(&clock));
        let zone = own_zone.clone();
        let name = zone.name().to_owned();
        let time_zone = TimeZone::new(name, move |local| zone.offset(local, now.now()));
        let files = Asset::ALL.map(|asset| File {
            path: asset.path().to_owned(),
            media_type: asset.media_type(),
            content: asset.content().into(),
        });
        Self {
            tokens: PageTokens::new(&formalize.derive_key("tokens of pages")),
            times: PageTimes::new(&formalize.derive_key("times of pages")),
            clock,
            callback: format!("{}/sign-in/callback", base_url.trim_end_matches('/')),
            issuers,
            exports,
            transport,
            cookie: Cookie::of_session(base_url),
            attempts: Attempts::new(&formalize.derive_key("attempts to sign in"), base_url),
            title: settings.title,
            language: language.or(of_settings).unwrap_or(Language::English),
            time_zone,
            zone: own_zone,
            links: links.map(|link| (link.label, link.url)).collect(),
            style: settings
                .style
                .map(|file| File::of_operator("operator", file)),
            logo: settings.logo.map(|file| File::of_operator("logo", file)),
            files: files.into(),
            session_lifetime: settings.session_lifetime.0,
            session_idle: settings.session_idle.0,
            first_code: Mutex::new(first_code),
            takes_tokens,
            origin,
            base_path,
            formalize,
        }
    }

    /// The file at a path.
    pub(super) fn file(&self, path: &str) -> Option<&File> {
        let files = self.files.iter().chain(&self.style).chain(&self.logo);
        files.into_iter().find(|file| file.path == path)
    }

    /// Begins a session for a user.
    pub(super) async fn begin_session(&self, caller: Caller) -> Result<Option<Secret>> {
        let Caller::User(user) = caller else {
            return Ok(None);
        };
        let new = NewSession {
            user: user.id,
            attributes: user.attributes,
            lifetime: self.session_lifetime,
            idle: self.session_idle,
        };
        let sessions = self.formalize.sessions();
        let (_, secret) = sessions.create(&Caller::System, new).await?;
        Ok(Some(secret))
    }

    /// Begins a session for the user of an API token, if it is valid.
    pub(super) async fn begin_session_with(&self, token: &str) -> Result<Option<Secret>> {
        let sessions = self.formalize.sessions();
        let (lifetime, idle) = (self.session_lifetime, self.session_idle);
        let begun = sessions.create_with_token(&Caller::System, token, lifetime, idle);
        Ok(begun.await?.map(|(_, secret)| secret))
    }

    /// Whether this is the code of the first administrator, who has not used it yet.
    pub(super) fn knows_code(&self, code: &str) -> bool {
        let known = self
            .first_code
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        known.as_ref().is_some_and(|known| known.is(code))
    }

    /// Uses up the code of the first administrator.
    pub(super) fn take_code(&self, code: &str) -> Option<UserId> {
        let mut known = self
            .first_code
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let taken = known.take_if(|known| known.is(code))?;
        Some(taken.user)
    }
}

/// The origin of a base URL, and its path without a slash at its end.
fn split_url(base_url: &str) -> (String, String) {
    let host = base_url.find("://").map_or(0, |at| at.saturating_add(3));
    let (scheme, rest) = base_url.split_at_checked(host).unwrap_or_default();
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let default_port = if scheme == "https://" { ":443" } else { ":80" };
    // As browsers write it.
    let host = host.strip_suffix(default_port).unwrap_or(host);
    let origin = format!("{scheme}{host}").to_lowercase();
    (origin, path.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use formalize_http::config::PageLanguage;

    use super::*;

    /// Settings know no pages, so that their list of languages is another one.
    #[test]
    fn pages_can_be_set_to_every_language_in_which_they_are_written() {
        let settable = PageLanguage::ALL.map(PageLanguage::tag);
        assert_eq!(settable, Language::ALL.map(Language::tag));
    }

    #[test]
    fn a_base_url_has_an_origin_and_a_path() {
        for (url, origin, path) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", ""),
            (
                "https://Example.org/forms/",
                "https://example.org",
                "/forms",
            ),
            ("https://example.org:443/a/b", "https://example.org", "/a/b"),
            ("", "", ""),
        ] {
            assert_eq!(
                split_url(url),
                (origin.to_owned(), path.to_owned()),
                "{url}"
            );
        }
    }
}
