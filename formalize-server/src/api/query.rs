//! The query parameters of a request, as a parameter of a handler.

use std::{ops::Deref, str::FromStr};

use formalize_core::{Error, PageRequest, PageSize, Position};
use formalize_http::contract::parameter::{CURSOR, ORDER, PAGE, PER_PAGE};
use formalize_http::contract::{Operation, Parameter};
use formalize_http::failure::Refusal;
use formalize_http::request::Parameters;
use poem::{FromRequest, Request, RequestBody, Result, http::Method};

/// The query parameters of a request, which the middleware has validated, and its operation.
#[derive(Debug, Clone)]
pub struct Query {
    /// The requested operation.
    pub operation: Operation,
    /// The requested path.
    pub path: String,
    /// Whether the method is HEAD, so that the response has no body.
    pub is_head: bool,
    parameters: Parameters,
}

impl Query {
    /// The identifier in a parameter.
    ///
    /// # Errors
    ///
    /// Text that is not a UUID matches no record: the error is `missing`. With a cursor it is [`Error::InvalidCursor`],
    /// because no list has returned a cursor for such text.
    pub fn id<T: FromStr>(&self, parameter: &Parameter, missing: Error) -> Result<T, Error> {
        let text = self.text(parameter).unwrap_or_default();
        text.parse().map_err(|_| match self.text(&CURSOR) {
            Some(_) => Error::InvalidCursor,
            None => missing,
        })
    }

    /// Whether a list begins with the newest item.
    pub fn is_newest_first(&self) -> bool {
        self.text(&ORDER) == Some("newest")
    }

    /// The requested page.
    pub fn page(&self) -> PageRequest {
        PageRequest {
            size: PageSize::new(self.size(&PER_PAGE)).unwrap_or_default(),
            ..self.whole_page()
        }
    }

    /// How many items to read for a page of this size. The response to HEAD shows none of them, so that one is enough.
    pub fn size(&self, per_page: &Parameter) -> u32 {
        if self.is_head {
            1
        } else {
            self.count(per_page)
        }
    }

    /// The requested page, also for HEAD: for responses with a tag, which is that of the whole response.
    pub fn whole_page(&self) -> PageRequest {
        let position = match (self.text(&CURSOR), self.text(&PAGE)) {
            (Some(cursor), _) => Position::Cursor(cursor.to_owned()),
            (None, Some(_)) => Position::Number(self.count(&PAGE)),
            (None, None) => Position::First,
        };
        PageRequest {
            size: PageSize::new(self.count(&PER_PAGE)).unwrap_or_default(),
            position,
        }
    }
}

impl Deref for Query {
    type Target = Parameters;

    fn deref(&self) -> &Parameters {
        &self.parameters
    }
}

impl<'a> FromRequest<'a> for Query {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        match (request.data::<Operation>(), request.data::<Parameters>()) {
            (Some(operation), Some(parameters)) => Ok(Self {
                operation: *operation,
                path: request.uri().path().to_owned(),
                is_head: request.method() == Method::HEAD,
                parameters: parameters.clone(),
            }),
            _ => {
                Err(Refusal::unforeseen("the handler was called without a validated query").into())
            }
        }
    }
}
