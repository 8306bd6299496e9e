//! The responses of successful requests.

use std::{marker::PhantomData, sync::Arc};

use formalize_core::{self as core, Caller, offload_for, tokens::Secret};
use formalize_http::contract::Operation;
use formalize_http::contract::parameter::{CURSOR, FROM, PAGE};
use formalize_http::exports::{ExportFormat, Exported};
use formalize_http::failure::{Large, Refusal, set};
use formalize_http::percent;
use formalize_http::rate::Reservation;
use formalize_http::request::Parameters;
use formalize_views::deletion::Deletion;
use formalize_views::json;
use poem::{
    IntoResponse, Response,
    http::{StatusCode, header},
};
use poem_openapi::{
    ApiResponse,
    registry::{
        MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
    },
    types::{ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

use super::checked::CheckedPermissions;
use super::documents::exported::ExportedSubmissions;
use super::documents::questions::Questions;
use super::documents::summary::SubmissionsSummary;
use super::item::WithBase;
use super::page::Page;
use super::{Context, Query};
use super::{Item, Located};

const JSON: &str = "application/json; charset=utf-8";

/// Absolute URLs of the service.
#[derive(Debug, Clone)]
pub struct Links {
    base_url: Arc<str>,
}

impl Links {
    /// Creates links with this base URL.
    pub fn new(base_url: &str) -> Self {
        Self {
            base_url: base_url.trim_end_matches('/').into(),
        }
    }

    /// The base of all URLs.
    pub fn base_url(&self) -> Arc<str> {
        Arc::clone(&self.base_url)
    }

    /// Something with files, whose URLs have this base.
    pub(super) fn with_base<T>(&self, item: T) -> WithBase<T> {
        WithBase {
            item,
            base_url: self.base_url(),
        }
    }

    /// The URL of the documentation page.
    pub fn to_docs(&self) -> String {
        format!("{}{}", self.base_url, Operation::GetDocs.spec().path)
    }

    /// The URL of a public link with this secret.
    pub fn to_public(&self, secret: &Secret) -> String {
        secret.to_url(&self.base_url)
    }

    /// The URL of an item.
    pub(super) fn to_item<T: Located>(&self, item: &T) -> String {
        let path = T::ROUTE
            .spec()
            .path
            .replace("{identifier}", &percent::encode(item.identifier().as_str()));
        format!("{}{path}", self.base_url)
    }

    /// The URL of the next page: the same parameters, with another cursor.
    pub(super) fn to_next(&self, query: &Query, cursor: &str) -> String {
        let kept = query
            .pairs()
            .filter(|(name, _)| ![PAGE.name, CURSOR.name, FROM.name].contains(name));
        let pairs: Vec<String> = kept
            .chain([(CURSOR.name, cursor)])
            .map(|(name, value)| format!("{}={}", percent::encode(name), percent::encode(value)))
            .collect();
        format!("{}{}?{}", self.base_url, query.path, pairs.join("&"))
    }
}

/// A requested item: 200.
pub struct Found<T>(pub T);

/// A changed item: 200, or 204 if the caller may not read it.
pub struct Changed<T>(pub Option<T>);

/// A deletion: 204.
pub struct Deleted;

/// A deletion, or what it would remove: 204 or 200.
pub enum DeletedOrCounted {
    /// It was done.
    Deleted,
    /// The records that it would remove.
    Counted(Deletion),
}

/// Work that is done later: 202.
pub struct Accepted<T>(pub T);

/// A response with a secret, which clients must not store.
pub struct NoStore<R>(pub R);

/// A page of a list: 200, with the URL of the next page.
pub struct Listed<T> {
    body: String,
    /// The memory of a large page.
    reserved: Option<Arc<Reservation>>,
    next: Option<String>,
    items: PhantomData<fn() -> T>,
}

/// The size of an item besides its schema or data, roughly.
pub(super) const ITEM: usize = 512;

impl<T: ParseFromJSON + ToJSON + Type + Serialize + Send + Sync + 'static> Listed<T> {
    /// Composes the response to a query. `texts` is the size of the schemas or data in the page, in bytes.
    ///
    /// A large page is composed on another thread, in the caller's share of the expensive work. Its memory is reserved
    /// before it waits for that. The response to HEAD has no body, so the items are not composed.
    ///
    /// # Errors
    ///
    /// If too much work is waiting, or too much memory is in use.
    pub async fn compose<S: Into<T> + Send + 'static>(
        caller: &Caller,
        page: core::Page<S>,
        texts: usize,
        query: &Query,
        context: &Context,
    ) -> Result<Self, Refusal> {
        // The page of HEAD is another one, so that its next page is, too.
        let next = page.next.as_deref().filter(|_| !query.is_head);
        let next = next.map(|cursor| context.links.to_next(query, cursor));
        let bytes = texts + ITEM * page.items.len();
        let parameters = Parameters::clone(query);
        let write = move || json(&Page::<T>::new(page, &parameters));
        let (body, reserved) = compose(caller, bytes, write, query, context).await?;
        let items = PhantomData;
        Ok(Self {
            body,
            reserved,
            next,
            items,
        })
    }
}

/// Composes the body of a page of about this many bytes, and reserves memory for it if it is large.
pub(super) async fn compose(
    caller: &Caller,
    bytes: usize,
    write: impl FnOnce() -> String + Send + 'static,
    query: &Query,
    context: &Context,
) -> Result<(String, Option<Arc<Reservation>>), Refusal> {
    if query.is_head {
        return Ok((String::new(), None));
    }
    let Some(reserved) = context.reserve(caller, bytes)? else {
        return Ok((write(), None));
    };
    let body = offload_for(caller, write).await;
    let body = body.map_err(core::Error::from)?;
    // Escaping makes texts longer, and items may be smaller than assumed.
    if !reserved.resize(body.len()) {
        return Err(Refusal::no_memory_for_response());
    }
    Ok((body, Some(Arc::new(reserved))))
}

/// A document that the library writes as JSON, and `D` describes: 200.
pub struct Composed<D> {
    json: String,
    description: PhantomData<D>,
}

/// The questions of a form.
pub type FormQuestions = Composed<Questions>;

impl<D> Composed<D> {
    /// Composes the response. There may be many questions, so this is done in the caller's share of the expensive work.
    ///
    /// # Errors
    ///
    /// If too much work is waiting.
    pub async fn of(
        caller: &Caller,
        document: impl Serialize + Send + 'static,
    ) -> Result<Self, Refusal> {
        let composed = offload_for(caller, move || json(&document)).await;
        Ok(Self {
            json: composed.map_err(core::Error::from)?,
            description: PhantomData,
        })
    }
}

/// The description of a document that is a response.
pub trait Answered: Type {
    /// The description of the response.
    const DESCRIPTION: &str;
}

impl Answered for Questions {
    const DESCRIPTION: &str = "The questions.";
}

impl Answered for SubmissionsSummary {
    const DESCRIPTION: &str = "The summary.";
}

impl Answered for CheckedPermissions {
    const DESCRIPTION: &str = "The answers.";
}

/// A document with submissions: 200.
pub struct SentDocument(pub Exported);

pub(super) fn response(status: StatusCode, body: String) -> Response {
    let bytes = body.len();
    let mut response = Response::builder()
        .status(status)
        .content_type(JSON)
        .body(body);
    Large::mark(&mut response, bytes);
    response
}

/// The response with an item. Its tag is also stored as data of the response, for the conditional headers of the
/// request.
pub(super) fn item_response<T: Item>(status: StatusCode, item: &T) -> Response {
    let body = json(item);
    let tag = item.tag(&body);
    let mut response = response(status, body);
    set(&mut response, header::ETAG, tag.to_string());
    response.set_data(tag);
    response
}

impl<T: Item + Send> IntoResponse for Found<T> {
    fn into_response(self) -> Response {
        item_response(StatusCode::OK, &self.0)
    }
}

impl<T: Item + Send> IntoResponse for Changed<T> {
    fn into_response(self) -> Response {
        self.0.map_or_else(
            || Deleted.into_response(),
            |item| Found(item).into_response(),
        )
    }
}

impl IntoResponse for Deleted {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl IntoResponse for DeletedOrCounted {
    fn into_response(self) -> Response {
        match self {
            Self::Deleted => Deleted.into_response(),
            Self::Counted(deletion) => response(StatusCode::OK, json(&deletion)),
        }
    }
}

impl<T: Item + Send> IntoResponse for Accepted<T> {
    fn into_response(self) -> Response {
        item_response(StatusCode::ACCEPTED, &self.0)
    }
}

impl<R: IntoResponse> IntoResponse for NoStore<R> {
    fn into_response(self) -> Response {
        let mut response = self.0.into_response();
        set(&mut response, header::CACHE_CONTROL, "no-store".to_owned());
        response
    }
}

impl<T> IntoResponse for Listed<T> {
    fn into_response(self) -> Response {
        page_response(self.body, self.reserved, self.next)
    }
}

pub(super) fn page_response(
    body: String,
    reserved: Option<Arc<Reservation>>,
    next: Option<String>,
) -> Response {
    let mut response = response(StatusCode::OK, body);
    if let Some(reserved) = reserved {
        response.set_data(reserved);
    }
    if let Some(next) = next {
        set(
            &mut response,
            header::LINK,
            format!("<{next}>; rel=\"next\""),
        );
    }
    response
}

/// A name and its description.
pub(super) type Header = (&'static str, &'static str);

/// A status, a description, a schema and headers.
pub(super) type Described<'a> = (
    StatusCode,
    &'static str,
    Option<MetaSchemaRef>,
    &'a [Header],
);

/// The descriptions of responses in the OpenAPI document.
pub(super) fn responses<const N: usize>(described: [Described; N]) -> MetaResponses {
    let response = |(status, description, schema, headers): Described| MetaResponse {
        description,
        status: Some(status.as_u16()),
        status_range: None,
        content: schema
            .into_iter()
            .map(|schema| MetaMediaType {
                content_type: JSON,
                schema,
            })
            .collect(),
        headers: headers
            .iter()
            .map(|(name, description)| MetaHeader {
                name: (*name).to_owned(),
                description: Some((*description).to_owned()),
                required: false,
                deprecated: false,
                schema: String::schema_ref(),
            })
            .collect(),
    };
    MetaResponses {
        responses: described.map(response).into(),
    }
}

pub(super) const ETAG: Header = (
    "ETag",
    "Identifies this state of the item as the caller sees it.",
);
pub(super) const LINK: Header = ("Link", "URL of the next page, with `rel=\"next\"`.");

impl<D: Send> IntoResponse for Composed<D> {
    fn into_response(self) -> Response {
        response(StatusCode::OK, self.json)
    }
}

impl<D: Answered> ApiResponse for Composed<D> {
    fn meta() -> MetaResponses {
        let document = Some(D::schema_ref());
        responses([(StatusCode::OK, D::DESCRIPTION, document, &[])])
    }

    fn register(registry: &mut Registry) {
        D::register(registry);
    }
}

impl IntoResponse for SentDocument {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

/// Content that this document does not describe further.
pub(super) fn bytes() -> MetaSchemaRef {
    let bytes = MetaSchema::new_with_format("string", "binary");
    MetaSchemaRef::Inline(Box::new(bytes))
}

const CONTENT_DISPOSITION: Header = (
    "Content-Disposition",
    "The name of the file: that of the form, and the day.",
);

impl ApiResponse for SentDocument {
    fn meta() -> MetaResponses {
        let document = "The document.";
        let mut responses = responses([(StatusCode::OK, document, None, &[CONTENT_DISPOSITION])]);
        for response in &mut responses.responses {
            let media = ExportFormat::content_types().map(|content_type| MetaMediaType {
                content_type,
                schema: if content_type == JSON {
                    ExportedSubmissions::schema_ref()
                } else if content_type.starts_with("text/") || content_type.ends_with("ndjson") {
                    String::schema_ref()
                } else {
                    bytes()
                },
            });
            response.content = media.collect();
        }
        responses
    }

    fn register(registry: &mut Registry) {
        ExportedSubmissions::register(registry);
    }
}

impl<T: Item> ApiResponse for Found<T> {
    fn meta() -> MetaResponses {
        let item = Some(T::schema_ref());
        responses([(StatusCode::OK, "The item.", item, &[ETAG])])
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<T: Item> ApiResponse for Accepted<T> {
    fn meta() -> MetaResponses {
        let item = Some(T::schema_ref());
        responses([(StatusCode::ACCEPTED, "Queued.", item, &[ETAG])])
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<R: ApiResponse> ApiResponse for NoStore<R> {
    fn meta() -> MetaResponses {
        R::meta()
    }

    fn register(registry: &mut Registry) {
        R::register(registry);
    }
}

impl<T: Item> ApiResponse for Changed<T> {
    fn meta() -> MetaResponses {
        let item = Some(T::schema_ref());
        let unreadable =
            "Changed. The caller may not read the item, or it is too large to send at the moment.";
        responses([
            (StatusCode::OK, "The changed item.", item, &[ETAG]),
            (StatusCode::NO_CONTENT, unreadable, None, &[]),
        ])
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl ApiResponse for Deleted {
    fn meta() -> MetaResponses {
        responses([(StatusCode::NO_CONTENT, "Done.", None, &[])])
    }

    fn register(_registry: &mut Registry) {}
}

impl ApiResponse for DeletedOrCounted {
    fn meta() -> MetaResponses {
        let counted = "Nothing was deleted, because the request is a dry run.";
        let deletion = Some(Deletion::schema_ref());
        responses([
            (StatusCode::OK, counted, deletion, &[]),
            (StatusCode::NO_CONTENT, "Done.", None, &[]),
        ])
    }

    fn register(registry: &mut Registry) {
        Deletion::register(registry);
    }
}

impl<T: ParseFromJSON + ToJSON + Type + Send + Sync> ApiResponse for Listed<T> {
    fn meta() -> MetaResponses {
        let page = Some(Page::<T>::schema_ref());
        responses([(StatusCode::OK, "One page.", page, &[LINK])])
    }

    fn register(registry: &mut Registry) {
        Page::<T>::register(registry);
    }
}
