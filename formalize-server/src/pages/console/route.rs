//! The addresses of the console.

use super::super::route::Methods;

/// A page of the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::pages) enum ConsoleRoute<'a> {
    /// The forms of the reader.
    Home,
    /// A form that is created.
    NewForm,
    /// A page about a form, by its identifier.
    Form(&'a str, FormRoute),
}

/// A page about a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::pages) enum FormRoute {
    /// Its state and its address.
    Overview,
    /// The editor of its questions.
    Edit,
}

impl<'a> ConsoleRoute<'a> {
    /// The page at a path, without `/console` at its start.
    pub(in crate::pages) fn of(path: &'a str) -> Option<Self> {
        let mut segments = path.split('/');
        // What precedes the first slash is empty.
        segments.next();
        let segments: Vec<_> = segments.collect();
        Some(match *segments {
            [] => Self::Home,
            ["forms", "new"] => Self::NewForm,
            ["forms", form, "edit"] if !form.is_empty() => Self::Form(form, FormRoute::Edit),
            ["forms", form] if !form.is_empty() => Self::Form(form, FormRoute::Overview),
            _ => return None,
        })
    }

    /// The path with the names of its parameters.
    pub(in crate::pages) const fn template(&self) -> &'static str {
        match self {
            Self::Home => "/console",
            Self::NewForm => "/console/forms/new",
            Self::Form(_, FormRoute::Overview) => "/console/forms/{form}",
            Self::Form(_, FormRoute::Edit) => "/console/forms/{form}/edit",
        }
    }

    /// The methods of the page.
    pub(in crate::pages) const fn methods(&self) -> Methods {
        match self {
            Self::Home | Self::Form(_, FormRoute::Overview) => Methods::Get,
            Self::NewForm | Self::Form(_, FormRoute::Edit) => Methods::GetAndPost,
        }
    }
}
