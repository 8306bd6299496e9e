//! The cookies of pages: the secret of a session, an attempt to sign in, and that a public link was used.

use formalize_core::links::LinkId;
use poem::http::{HeaderMap, header};

/// How long a browser keeps an attempt to sign in, in seconds.
pub(super) const ATTEMPT_SECONDS: u32 = 600;

/// A year, in seconds.
const YEAR: u32 = 31_536_000;

/// A cookie of a service.
#[derive(Debug, Clone)]
pub(super) struct Cookie {
    name: String,
    /// How long a browser keeps it, in seconds; `None` for until it is closed.
    seconds: Option<u32>,
    is_secure: bool,
}

impl Cookie {
    /// The cookie with the secret of a session, of a service with this base URL.
    pub(super) fn of_session(base_url: &str) -> Self {
        Self::of_host(base_url, "formalize", None)
    }

    /// The cookie with an attempt to sign in.
    pub(super) fn of_attempt(base_url: &str) -> Self {
        Self::of_host(base_url, "formalize-sign-in", Some(ATTEMPT_SECONDS))
    }

    /// The cookie of a browser that has sent the form of a public link.
    pub(super) fn of_link(base_url: &str, link: LinkId) -> Self {
        Self {
            name: format!("formalize-sent-{link}"),
            seconds: Some(YEAR),
            is_secure: base_url.starts_with("https://"),
        }
    }

    /// A cookie that no other host of the domain can set (`__Host-`). Browsers accept such a cookie, and one that is only sent
    /// over TLS, only from an HTTPS address.
    fn of_host(base_url: &str, name: &str, seconds: Option<u32>) -> Self {
        let is_secure = base_url.starts_with("https://");
        let prefix = if is_secure { "__Host-" } else { "" };
        Self {
            name: format!("{prefix}{name}"),
            seconds,
            is_secure,
        }
    }

    fn values<'h>(&self, headers: &'h HeaderMap) -> impl Iterator<Item = &'h str> {
        let lines = headers.get_all(header::COOKIE).iter();
        let pairs = lines.flat_map(|line| line.to_str().unwrap_or_default().split(';'));
        pairs.filter_map(move |pair| {
            let (name, value) = pair.trim_matches(' ').split_once('=')?;
            (name == self.name).then_some(value)
        })
    }

    /// Whether it is among the cookies of a request.
    pub(super) fn is_in(&self, headers: &HeaderMap) -> bool {
        self.values(headers).next().is_some()
    }

    /// The value in the cookies of a request. A cookie that was sent twice is ignored, because another site may
    /// have set one of the two.
    pub(super) fn read<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let mut values = self.values(headers);
        match (values.next(), values.next()) {
            (Some(value), None) => Some(value),
            _ => None,
        }
    }

    /// The value of `Set-Cookie` that keeps a value.
    pub(super) fn write(&self, value: &str) -> String {
        self.set(value, self.seconds)
    }

    /// The value of `Set-Cookie` that removes the cookie.
    pub(super) fn clear(&self) -> String {
        self.set("", Some(0))
    }

    fn set(&self, value: &str, seconds: Option<u32>) -> String {
        let secure = if self.is_secure { "; Secure" } else { "" };
        let age = seconds.map(|seconds| format!("; Max-Age={seconds}"));
        format!(
            "{}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{}",
            self.name,
            age.unwrap_or_default()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_found_among_others() {
        let read = |cookies: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in cookies {
                headers.append(header::COOKIE, line.parse().unwrap());
            }
            let cookie = Cookie::of_session("http://127.0.0.1:8080");
            cookie.read(&headers).map(str::to_owned)
        };
        assert_eq!(read(&["a=1; formalize=x; b=2"]).as_deref(), Some("x"));
        assert_eq!(read(&["a=1", "formalize=x"]).as_deref(), Some("x"));
        assert_eq!(read(&["formalize=x; formalize=y"]), None);
        assert_eq!(read(&["xformalize=x; __Host-formalize=y"]), None);
        assert_eq!(read(&[]), None);
    }

    #[test]
    fn the_cookie_is_protected() {
        let written = Cookie::of_session("https://forms.example.org").write("x");
        assert_eq!(
            written,
            "__Host-formalize=x; Path=/; HttpOnly; SameSite=Lax; Secure"
        );
        let written = Cookie::of_session("http://127.0.0.1:8080").clear();
        assert_eq!(
            written,
            "formalize=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
        );
        let written = Cookie::of_attempt("https://forms.example.org").write("x");
        assert_eq!(
            written,
            "__Host-formalize-sign-in=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=600"
        );
    }
}
