//! The addresses of the console.

use super::super::route::Methods;

/// A page of the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ConsoleRoute<'a> {
    /// The forms of the reader.
    Home,
    /// A form that is created.
    NewForm,
    /// A page about a form, by its identifier.
    Form(&'a str, FormRoute<'a>),
    Groups,
    Group(&'a str),
    GroupDelete(&'a str),
    /// Sessions and API tokens of the reader.
    Tokens,
}

/// A page about a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FormRoute<'a> {
    /// Its state and its address.
    Overview,
    /// The editor of its questions.
    Edit,
    Answers,
    /// A document with the answers.
    Download,
    /// The page that deletes all submitted answers.
    DeleteAnswers,
    /// Counts of the answers.
    Summary,
    Sharing,
    Links,
    Link(&'a str),
    Webhooks,
    Webhook(&'a str),
    /// The page that deletes a webhook.
    WebhookDelete(&'a str),
    /// A delivery of a webhook: the identifiers of the webhook and the delivery.
    Delivery(&'a str, &'a str),
    Settings,
    /// The page that deletes the form.
    Delete,
}

impl<'a> ConsoleRoute<'a> {
    /// The page at a path, without `/console` at its start.
    pub(crate) fn of(path: &'a str) -> Option<Self> {
        let mut segments = path.split('/');
        // What precedes the first slash is empty.
        segments.next();
        let segments: Vec<_> = segments.collect();
        Some(match *segments {
            [] => Self::Home,
            ["forms", "new"] => Self::NewForm,
            ["forms", form, ref rest @ ..] if !form.is_empty() => {
                Self::Form(form, FormRoute::of(rest)?)
            }
            ["groups"] => Self::Groups,
            ["groups", group] if !group.is_empty() => Self::Group(group),
            ["groups", group, "delete"] => Self::GroupDelete(group),
            ["tokens"] => Self::Tokens,
            _ => return None,
        })
    }

    /// The path with the names of its parameters.
    pub(crate) const fn template(&self) -> &'static str {
        match self {
            Self::Home => "/console",
            Self::NewForm => "/console/forms/new",
            Self::Form(_, route) => route.template(),
            Self::Groups => "/console/groups",
            Self::Group(_) => "/console/groups/{group}",
            Self::GroupDelete(_) => "/console/groups/{group}/delete",
            Self::Tokens => "/console/tokens",
        }
    }

    /// The methods of the page.
    pub(crate) const fn methods(&self) -> Methods {
        match self {
            Self::Home
            | Self::Form(
                _,
                FormRoute::Overview | FormRoute::Answers | FormRoute::Download | FormRoute::Summary,
            ) => Methods::Get,
            Self::NewForm
            | Self::Form(..)
            | Self::Groups
            | Self::Group(_)
            | Self::GroupDelete(_)
            | Self::Tokens => Methods::GetAndPost,
        }
    }
}

impl<'a> FormRoute<'a> {
    fn of(segments: &[&'a str]) -> Option<Self> {
        Some(match *segments {
            [] => Self::Overview,
            ["edit"] => Self::Edit,
            ["submissions"] => Self::Answers,
            ["submissions", "export"] => Self::Download,
            ["submissions", "delete"] => Self::DeleteAnswers,
            ["summary"] => Self::Summary,
            ["sharing"] => Self::Sharing,
            ["links"] => Self::Links,
            ["links", link] if !link.is_empty() => Self::Link(link),
            ["webhooks"] => Self::Webhooks,
            ["webhooks", webhook] if !webhook.is_empty() => Self::Webhook(webhook),
            ["webhooks", webhook, "delete"] => Self::WebhookDelete(webhook),
            ["webhooks", webhook, "deliveries", delivery] => Self::Delivery(webhook, delivery),
            ["settings"] => Self::Settings,
            ["delete"] => Self::Delete,
            _ => return None,
        })
    }

    const fn template(&self) -> &'static str {
        match self {
            Self::Overview => "/console/forms/{form}",
            Self::Edit => "/console/forms/{form}/edit",
            Self::Answers => "/console/forms/{form}/submissions",
            Self::Download => "/console/forms/{form}/submissions/export",
            Self::DeleteAnswers => "/console/forms/{form}/submissions/delete",
            Self::Summary => "/console/forms/{form}/summary",
            Self::Sharing => "/console/forms/{form}/sharing",
            Self::Links => "/console/forms/{form}/links",
            Self::Link(_) => "/console/forms/{form}/links/{link}",
            Self::Webhooks => "/console/forms/{form}/webhooks",
            Self::Webhook(_) => "/console/forms/{form}/webhooks/{webhook}",
            Self::WebhookDelete(_) => "/console/forms/{form}/webhooks/{webhook}/delete",
            Self::Delivery(..) => "/console/forms/{form}/webhooks/{webhook}/deliveries/{delivery}",
            Self::Settings => "/console/forms/{form}/settings",
            Self::Delete => "/console/forms/{form}/delete",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_console_have_paths() {
        for (path, route) in [
            ("", Some(ConsoleRoute::Home)),
            ("/", None),
            (
                "/forms/a",
                Some(ConsoleRoute::Form("a", FormRoute::Overview)),
            ),
            ("/forms/new", Some(ConsoleRoute::NewForm)),
            (
                "/forms/a/edit",
                Some(ConsoleRoute::Form("a", FormRoute::Edit)),
            ),
            ("/forms/a/", None),
            ("/forms/", None),
            (
                "/forms/a/links/b",
                Some(ConsoleRoute::Form("a", FormRoute::Link("b"))),
            ),
            (
                "/forms/a/webhooks/b/deliveries/c",
                Some(ConsoleRoute::Form("a", FormRoute::Delivery("b", "c"))),
            ),
            ("/forms/a/webhooks/", None),
            ("/forms/a/webhooks/b/deliveries", None),
            (
                "/forms/a/submissions/export",
                Some(ConsoleRoute::Form("a", FormRoute::Download)),
            ),
            ("/forms/a/submissions/other", None),
            ("/groups", Some(ConsoleRoute::Groups)),
            ("/groups/", None),
            ("/groups/a/delete", Some(ConsoleRoute::GroupDelete("a"))),
        ] {
            assert_eq!(ConsoleRoute::of(path), route, "{path}");
        }
    }
}
