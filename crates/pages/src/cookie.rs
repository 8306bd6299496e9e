//! The cookies of pages: the secret of a session, and an attempt to sign in.

use poem::http::{HeaderMap, header};

/// How long a browser keeps an attempt to sign in, in seconds.
pub(super) const ATTEMPT_SECONDS: u32 = 600;

/// A cookie of a service.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cookie {
    is_secure: bool,
    /// With and without TLS.
    names: [&'static str; 2],
    /// How long a browser keeps it, in seconds; `None` for until it is closed.
    seconds: Option<u32>,
}

impl Cookie {
    /// The cookie with the secret of a session, of a service with this base URL. Browsers accept a cookie that is only sent
    /// over TLS, and one that no other host of the domain can set (`__Host-`), only from an HTTPS address.
    pub(super) fn of_session(base_url: &str) -> Self {
        Self {
            is_secure: base_url.starts_with("https://"),
            names: ["__Host-formalize", "formalize"],
            seconds: None,
        }
    }

    /// The cookie with an attempt to sign in.
    pub(super) fn of_attempt(base_url: &str) -> Self {
        Self {
            names: ["__Host-formalize-sign-in", "formalize-sign-in"],
            seconds: Some(ATTEMPT_SECONDS),
            ..Self::of_session(base_url)
        }
    }

    const fn name(self) -> &'static str {
        let [with_tls, without] = self.names;
        if self.is_secure { with_tls } else { without }
    }

    /// The value in the cookies of a request. A cookie that was sent twice is ignored, because one of them comes from
    /// somebody else.
    pub(super) fn read(self, headers: &HeaderMap) -> Option<&str> {
        let lines = headers.get_all(header::COOKIE).iter();
        let pairs = lines.flat_map(|line| line.to_str().unwrap_or_default().split(';'));
        let mut values = pairs.filter_map(|pair| {
            let (name, value) = pair.trim_matches(' ').split_once('=')?;
            (name == self.name()).then_some(value)
        });
        match (values.next(), values.next()) {
            (Some(value), None) => Some(value),
            _ => None,
        }
    }

    /// The value of `Set-Cookie` that keeps a value.
    pub(super) fn write(self, value: &str) -> String {
        self.set(value, self.seconds)
    }

    /// The value of `Set-Cookie` that removes the cookie.
    pub(super) fn clear(self) -> String {
        self.set("", Some(0))
    }

    fn set(self, value: &str, seconds: Option<u32>) -> String {
        let secure = if self.is_secure { "; Secure" } else { "" };
        let age = seconds.map(|seconds| format!("; Max-Age={seconds}"));
        format!(
            "{}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{}",
            self.name(),
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
