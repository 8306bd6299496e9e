//! The origins of web pages.

use std::{fmt, str::FromStr};

use poem::http::Uri;

/// An origin whose pages may use the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedOrigin {
    /// Every origin: `*`.
    Any,
    /// One origin in the browsers' spelling, such as `https://forms.example.org`.
    Exactly(String),
}

/// A malformed origin, or one that browsers never send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be `*` or an origin such as `https://forms.example.org`, without a path")]
pub struct InvalidOrigin;

impl FromStr for AllowedOrigin {
    type Err = InvalidOrigin;

    fn from_str(text: &str) -> Result<Self, InvalidOrigin> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let uri: Uri = text.parse().map_err(|_| InvalidOrigin)?;
        let (scheme, authority) = uri.scheme_str().zip(uri.authority()).ok_or(InvalidOrigin)?;
        // Browsers send scheme and host in lower case, without a path.
        let spelled = format!("{scheme}://{authority}").to_lowercase();
        if spelled == text && !authority.as_str().contains('@') {
            Ok(Self::Exactly(spelled))
        } else {
            Err(InvalidOrigin)
        }
    }
}

impl fmt::Display for AllowedOrigin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Any => "*",
            Self::Exactly(origin) => origin,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_require_the_spelling_of_browsers() {
        for origin in ["*", "https://forms.example.org", "http://localhost:3000"] {
            assert_eq!(origin.parse::<AllowedOrigin>().unwrap().to_string(), origin);
        }
        for other in [
            "",
            "null",
            "forms.example.org",
            "https://forms.example.org/",
            "https://a.example/b",
            "HTTPS://a.example",
            "https://u@a.example",
        ] {
            assert_eq!(
                other.parse::<AllowedOrigin>(),
                Err(InvalidOrigin),
                "{other}"
            );
        }
    }
}
