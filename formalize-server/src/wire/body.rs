//! The body of a request, as a parameter of a handler.

use formalize_core::{Caller, Error, offload_for, parse_json};
use formalize_http::contract::{ErrorKey, Operation};
use formalize_http::failure::Refusal;
use hyper::body::Bytes;
use poem::{Request, RequestBody, Result};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, MetaSchemaRef, Registry},
};
use serde_json::Value;

use super::{Members, RequestBody as Declared};

/// A request body of type `T`, converted to a value of the core.
pub struct Body<T: Declared>(pub T::Value);

impl<T: Declared> Body<T> {
    fn parse(bytes: &[u8], operation: Operation) -> Result<T::Value, Refusal> {
        let malformed = || Refusal::is(ErrorKey::InvalidRequestBody);
        let text = str::from_utf8(bytes)
            .map_err(|_| malformed().saying("the request body is not UTF-8"))?;
        match parse_json(text) {
            Ok(Value::Object(object)) => Members::read::<T>(object, operation),
            Ok(_) => Err(malformed().saying("the request body must be a JSON object")),
            Err(rejection) => Err(malformed().saying(format!("the request body {rejection}"))),
        }
    }
}

impl<T: Declared + 'static> Body<T> {
    /// Parses a body, on another thread if it is large.
    ///
    /// # Errors
    ///
    /// A refusal if the body is invalid, or too much work is waiting.
    pub async fn read(
        bytes: Bytes,
        operation: Operation,
        caller: &Caller,
    ) -> Result<T::Value, Refusal> {
        if bytes.len() <= T::LIGHT_BYTES {
            return Self::parse(&bytes, operation);
        }
        offload_for(caller, move || Self::parse(&bytes, operation))
            .await
            .map_err(Error::from)?
    }
}

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
        Ok(Self(Self::read(bytes, operation, caller).await?))
    }
}
