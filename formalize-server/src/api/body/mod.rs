//! The body of a request, as a parameter of a handler.

#[cfg(test)]
mod tests;

use formalize_core::Caller;
use formalize_http::contract::Operation;
use formalize_http::failure::Refusal;
use formalize_http::request::read_body;
use formalize_views::RequestBody as Declared;
use poem::{Request, RequestBody, Result};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, MetaSchemaRef, Registry},
};

/// A request body of type `T`, converted to a value of the core.
pub struct Body<T: Declared>(pub T::Value);

impl<'a, T: Declared + 'static> ApiExtractor<'a> for Body<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        registry.create_schema::<T, _>(T::NAME.to_owned(), T::schema);
    }

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: None,
            // The other media types of the operation are added later.
            content: vec![MetaMediaType {
                content_type: "application/json",
                schema: MetaSchemaRef::Reference(T::NAME.to_owned()),
            }],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        let (operation, caller) = (request.data::<Operation>(), request.data::<Caller>());
        let (Some(&operation), Some(caller)) = (operation, caller) else {
            let what = "the handler was called without an operation or a caller";
            return Err(Refusal::unforeseen(what).into());
        };
        let bytes = body.take()?.into_bytes().await?;
        Ok(Self(read_body::<T>(bytes, operation, caller).await?))
    }
}
