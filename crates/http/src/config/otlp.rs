//! The collector for traces.

use std::{fmt, str::FromStr};

use formalize_core::config::InvalidSetting;

use super::BaseUrl;

/// The URL of an OpenTelemetry collector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtlpEndpoint(BaseUrl);

impl OtlpEndpoint {
    /// The URL to post traces to.
    pub fn traces(&self) -> String {
        format!("{}/v1/traces", self.0)
    }
}

impl FromStr for OtlpEndpoint {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        if !cfg!(feature = "otlp") {
            return Err(InvalidSetting(
                "`off`, because this program was built without the feature `otlp`",
            ));
        }
        let refused = InvalidSetting(
            "the URL of a collector for OTLP over HTTP, without a password, such as `http://127.0.0.1:4318`",
        );
        if text.contains('@') {
            return Err(refused);
        }
        text.parse().map(Self).map_err(|_| refused)
    }
}

impl fmt::Display for OtlpEndpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
