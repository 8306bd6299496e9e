//! The cookie with the secret of a session.

use poem::http::{HeaderMap, header};

/// The cookie of a service.
#[derive(Debug, Clone, Copy)]
pub(super) struct SessionCookie {
    is_secure: bool,
}

impl SessionCookie {
    /// The cookie of a service with this base URL. Browsers accept a cookie that is only sent over TLS, and one that no
    /// other host of the domain can set (`__Host-`), only from an HTTPS address.
    pub(super) fn of(base_url: &str) -> Self {
        Self {
            is_secure: base_url.starts_with("https://"),
        }
    }

    const fn name(self) -> &'static str {
        if self.is_secure {
            "__Host-formalize"
        } else {
            "formalize"
        }
    }

    /// The secret in the cookies of a request. A cookie that was sent twice is ignored, because one of them comes from
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

    /// The value of `Set-Cookie` that keeps a secret until the browser is closed.
    pub(super) fn write(self, secret: &str) -> String {
        let secure = if self.is_secure { "; Secure" } else { "" };
        format!(
            "{}={secret}; Path=/; HttpOnly; SameSite=Lax{secure}",
            self.name()
        )
    }

    /// The value of `Set-Cookie` that removes the secret.
    pub(super) fn clear(self) -> String {
        format!("{}; Max-Age=0", self.write(""))
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
            let cookie = SessionCookie::of("http://127.0.0.1:8080");
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
        let written = SessionCookie::of("https://forms.example.org").write("x");
        assert_eq!(
            written,
            "__Host-formalize=x; Path=/; HttpOnly; SameSite=Lax; Secure"
        );
        let written = SessionCookie::of("http://127.0.0.1:8080").clear();
        assert_eq!(
            written,
            "formalize=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
        );
    }
}
