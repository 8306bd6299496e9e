//! The path parameters of a request, as parameters of a handler.

use std::ops::Deref;

use formalize_http::contract::PathParameters;
use formalize_http::failure::Refusal;
use poem::{Request, RequestBody, Result};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaParamIn, MetaSchemaRef},
    types::Type,
};

/// A path parameter, which routing has decoded.
pub struct PathText(pub String);

impl Deref for PathText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a> ApiExtractor<'a> for PathText {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];
    const PARAM_IS_REQUIRED: bool = true;

    type ParamType = String;
    type ParamRawType = String;

    fn param_in() -> Option<MetaParamIn> {
        Some(MetaParamIn::Path)
    }

    fn param_schema_ref() -> Option<MetaSchemaRef> {
        Some(String::schema_ref())
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        options: ExtractParamOptions<String>,
    ) -> Result<Self> {
        let parameters = request.data::<PathParameters>();
        let text = parameters.and_then(|parameters| parameters.get(options.name));
        let text = text
            .ok_or_else(|| Refusal::unforeseen("the handler was called without path parameters"))?;
        Ok(Self(text.to_owned()))
    }
}
