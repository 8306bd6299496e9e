//! The addresses of pages.

use std::str::FromStr;

use formalize_core::{Error, FormId, SubmissionId};
use formalize_http::percent;

use super::console::ConsoleRoute;

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Route<'a> {
    Root,
    /// A page of the console.
    Console(ConsoleRoute<'a>),
    Form(&'a str),
    FormSent(&'a str),
    /// A public link, by its secret.
    Link(&'a str),
    LinkSent(&'a str),
    Submission(&'a str),
    SubmissionDelete(&'a str),
    /// A file of a submission.
    SubmissionFile(&'a str, &'a str),
    SignIn,
    SignInByToken,
    SignInFirst(&'a str),
    /// The beginning of signing in with an identity provider, by its place in the configuration.
    SignInWith(&'a str),
    /// The address to which identity providers send people back.
    SignInCallback,
    SignOut,
    Asset(&'a str),
    /// The script that shows a public link in a page of another site.
    Embed,
    /// The picture beside titles, where browsers look for it.
    Favicon,
    /// What search engines may read.
    Robots,
    /// An address among those of pages that belongs to none.
    Unknown,
}

impl<'a> Route<'a> {
    /// The page at a path; `None` if the path is not one of pages.
    pub(super) fn of(path: &'a str) -> Option<Self> {
        let mut segments = path.strip_prefix('/')?.split('/');
        let first = segments.next()?;
        if !matches!(
            first,
            "" | "f"
                | "l"
                | "s"
                | "sign-in"
                | "sign-out"
                | "assets"
                | "console"
                | "embed.js"
                | "favicon.ico"
                | "robots.txt"
        ) {
            return None;
        }
        let rest = [segments.next(), segments.next(), segments.next()];
        Some(match (first, rest) {
            ("", [None, ..]) => Self::Root,
            ("", _) => return None,
            ("console", _) => {
                let rest = path.strip_prefix("/console").unwrap_or_default();
                ConsoleRoute::of(rest).map_or(Self::Unknown, Self::Console)
            }
            ("f", [Some(form), None, _]) => Self::Form(form),
            ("f", [Some(form), Some("sent"), None]) => Self::FormSent(form),
            ("l", [Some(secret), None, _]) => Self::Link(secret),
            ("l", [Some(secret), Some("sent"), None]) => Self::LinkSent(secret),
            ("s", [Some(submission), None, _]) => Self::Submission(submission),
            ("s", [Some(submission), Some("delete"), None]) => Self::SubmissionDelete(submission),
            ("s", [Some(submission), Some("files"), Some(file)]) if segments.next().is_none() => {
                Self::SubmissionFile(submission, file)
            }
            ("sign-in", [None, ..]) => Self::SignIn,
            ("sign-in", [Some("token"), None, _]) => Self::SignInByToken,
            ("sign-in", [Some("first"), Some(code), None]) => Self::SignInFirst(code),
            ("sign-in", [Some("oidc"), Some(number), None]) => Self::SignInWith(number),
            ("sign-in", [Some("callback"), None, _]) => Self::SignInCallback,
            ("sign-out", [None, ..]) => Self::SignOut,
            ("embed.js", [None, ..]) => Self::Embed,
            ("favicon.ico", [None, ..]) => Self::Favicon,
            ("robots.txt", [None, ..]) => Self::Robots,
            ("assets", [Some(_), None, _]) => Self::Asset(path),
            _ => Self::Unknown,
        })
    }

    /// The path with the names of its parameters, for logs and metrics. Secrets in a path never appear there.
    pub(super) const fn template(&self) -> &'static str {
        match self {
            Self::Root => "/",
            Self::Console(route) => route.template(),
            Self::Form(_) => "/f/{form}",
            Self::FormSent(_) => "/f/{form}/sent",
            Self::Link(_) => "/l/{token}",
            Self::LinkSent(_) => "/l/{token}/sent",
            Self::Submission(_) => "/s/{submission}",
            Self::SubmissionDelete(_) => "/s/{submission}/delete",
            Self::SubmissionFile(..) => "/s/{submission}/files/{file}",
            Self::SignIn => "/sign-in",
            Self::SignInByToken => "/sign-in/token",
            Self::SignInFirst(_) => "/sign-in/first/{code}",
            Self::SignInWith(_) => "/sign-in/oidc/{number}",
            Self::SignInCallback => "/sign-in/callback",
            Self::SignOut => "/sign-out",
            Self::Asset(_) => "/assets/{name}",
            Self::Embed => "/embed.js",
            Self::Favicon => "/favicon.ico",
            Self::Robots => "/robots.txt",
            Self::Unknown => "unmatched",
        }
    }

    /// The methods of the page.
    pub(super) const fn methods(&self) -> Methods {
        match self {
            Self::Form(_)
            | Self::Link(_)
            | Self::Submission(_)
            | Self::SubmissionDelete(_)
            | Self::SignInFirst(_)
            | Self::Unknown => Methods::GetAndPost,
            Self::SignInByToken | Self::SignOut => Methods::Post,
            Self::Console(route) => route.methods(),
            Self::Root
            | Self::FormSent(_)
            | Self::LinkSent(_)
            | Self::SubmissionFile(..)
            | Self::SignIn
            | Self::SignInWith(_)
            | Self::SignInCallback
            | Self::Asset(_)
            | Self::Embed
            | Self::Favicon
            | Self::Robots => Methods::Get,
        }
    }

    /// The secret of a public link.
    pub(super) const fn link_secret(&self) -> Option<&'a str> {
        match self {
            Self::Link(secret) | Self::LinkSent(secret) => Some(secret),
            _ => None,
        }
    }

    /// Whether the response is the same for everybody.
    pub(super) const fn is_public(&self) -> bool {
        matches!(
            self,
            Self::Asset(_) | Self::Embed | Self::Favicon | Self::Robots
        )
    }

    /// Whether the page may send files.
    pub(super) const fn takes_files(&self) -> bool {
        matches!(self, Self::Form(_) | Self::Link(_) | Self::Submission(_))
    }

    /// Whether only people who have signed in may see the page.
    pub(super) const fn needs_session(&self) -> bool {
        matches!(
            self,
            Self::Console(_)
                | Self::Form(_)
                | Self::FormSent(_)
                | Self::Submission(_)
                | Self::SubmissionDelete(_)
                | Self::SubmissionFile(..)
                | Self::SignOut
        )
    }
}

/// The methods that a page has. HEAD is handled as GET.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Methods {
    Get,
    Post,
    GetAndPost,
}

impl Methods {
    pub(super) fn include(self, method: &str) -> bool {
        match method {
            "GET" | "HEAD" => self != Self::Post,
            "POST" => self != Self::Get,
            _ => false,
        }
    }

    /// The value of the header `Allow`.
    pub(super) const fn allow(self) -> &'static str {
        match self {
            Self::Get => "GET, HEAD",
            Self::Post => "POST",
            Self::GetAndPost => "GET, HEAD, POST",
        }
    }
}

/// The identifier in a part of a path. Nothing has one that is malformed.
pub(super) fn id<T: FromStr>(text: &str, not_found: Error) -> Result<T, Error> {
    let id = percent::decode(text).and_then(|text| text.parse().ok());
    id.ok_or(not_found)
}

/// The identifier of a form in a path.
pub(super) fn form_id(text: &str) -> Result<FormId, Error> {
    id(text, Error::FormNotFound)
}

/// The identifier of a submission in a path.
pub(super) fn submission_id(text: &str) -> Result<SubmissionId, Error> {
    id(text, Error::SubmissionNotFound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_the_paths_that_others_do_not() {
        for (path, route) in [
            ("/", Some(Route::Root)),
            ("/console", Some(Route::Console(ConsoleRoute::Home))),
            ("/console/", Some(Route::Unknown)),
            ("/consoles", None),
            ("/f/a%20b", Some(Route::Form("a%20b"))),
            ("/f/a/sent", Some(Route::FormSent("a"))),
            ("/l/fml_x", Some(Route::Link("fml_x"))),
            ("/l/fml_x/sent", Some(Route::LinkSent("fml_x"))),
            ("/l/fml_x/other", Some(Route::Unknown)),
            ("/embed.js", Some(Route::Embed)),
            ("/favicon.ico", Some(Route::Favicon)),
            ("/robots.txt", Some(Route::Robots)),
            ("/robots.txt/x", Some(Route::Unknown)),
            ("/f/a/sent/", Some(Route::Unknown)),
            ("/f", Some(Route::Unknown)),
            ("/s/a", Some(Route::Submission("a"))),
            ("/s/a/delete", Some(Route::SubmissionDelete("a"))),
            ("/s/a/other", Some(Route::Unknown)),
            ("/s/a/files/b", Some(Route::SubmissionFile("a", "b"))),
            ("/s/a/files/b/c", Some(Route::Unknown)),
            ("/s/a/files", Some(Route::Unknown)),
            ("/sign-in/first/c", Some(Route::SignInFirst("c"))),
            ("/sign-in/first", Some(Route::Unknown)),
            ("/sign-in/oidc/1", Some(Route::SignInWith("1"))),
            ("/sign-in/oidc", Some(Route::Unknown)),
            ("/sign-in/callback", Some(Route::SignInCallback)),
            ("/sign-in/callback/x", Some(Route::Unknown)),
            ("/assets/x.css", Some(Route::Asset("/assets/x.css"))),
            ("/formalize/forms", None),
            ("/docs", None),
            ("//f/a", None),
            ("", None),
            ("*", None),
        ] {
            assert_eq!(Route::of(path), route, "{path}");
        }
    }
}
