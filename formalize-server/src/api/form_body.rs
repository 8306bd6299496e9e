//! Submissions that are sent alone or with their files.

use formalize_core::Caller;
use formalize_http::contract::Operation;
use formalize_http::failure::Refusal;
use formalize_http::files::FormParts;
use formalize_http::middleware::Streamed;
use poem::{Request, RequestBody, Result, http::HeaderMap};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaRequest, Registry},
};

use formalize_http::request::read_body;
use formalize_views::RequestBody as Declared;

use super::Body;

/// A request body of type `T`, alone or with files.
pub enum BodyOrForm<T: Declared> {
    /// The value for the core.
    Body(T::Value),
    /// A body that is read while it arrives.
    Form(SentForm),
}

impl<'a, T: Declared + 'static> ApiExtractor<'a> for BodyOrForm<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        Body::<T>::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Body::<T>::request_meta()
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        if let Some(streamed) = request.data::<Streamed>() {
            return Ok(Self::Form(SentForm {
                body: streamed.clone(),
                headers: request.headers().clone(),
            }));
        }
        let Body(value) = Body::<T>::from_request(request, body, options).await?;
        Ok(Self::Body(value))
    }
}

/// A body of `multipart/form-data`.
pub struct SentForm {
    body: Streamed,
    headers: HeaderMap,
}

impl SentForm {
    /// Begins to read the body.
    ///
    /// # Errors
    ///
    /// A refusal if its boundary is invalid.
    pub(super) fn open(self) -> Result<FormParts, Refusal> {
        FormParts::open(&self.headers, self.body)
    }
}

/// Reads the part with the JSON of `T`.
///
/// # Errors
///
/// A refusal if it is something else.
pub(super) async fn submission<T: Declared + 'static>(
    parts: &mut FormParts,
    operation: Operation,
    caller: &Caller,
) -> Result<T::Value, Refusal> {
    let json = parts.submission().await?;
    read_body::<T>(json, operation, caller).await
}
