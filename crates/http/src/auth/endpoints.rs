//! Where people sign in with an issuer, and out of it.

use reqwest::Url;
use serde_json::{Map, Value};

use crate::config::is_protected;

/// The addresses for signing in that an issuer names in its discovery document. Those that could be tampered with are
/// ignored, as are values of the wrong type.
#[derive(Debug)]
pub(crate) struct Endpoints {
    /// Where a browser is sent for signing in.
    pub(super) authorization: Option<Url>,
    /// Where the server exchanges a code for an ID token.
    pub(super) token: Option<Url>,
    /// Where a browser is sent for signing out.
    pub(super) end_session: Option<Url>,
    /// Whether the answers that browsers bring always name the issuer (RFC 9207).
    pub(super) names_itself: bool,
    /// Whether the secret of a client is sent in the body instead of the header `Authorization`.
    pub(super) takes_secret_in_body: bool,
}

impl Endpoints {
    /// Reads the members of a discovery document.
    pub(super) fn named_in(document: &Map<String, Value>) -> Self {
        let url = |name: &str| {
            let url = Url::parse(document.get(name)?.as_str()?).ok();
            url.filter(is_protected)
        };
        let methods = document.get("token_endpoint_auth_methods_supported");
        let takes = |method: &str| {
            let methods = methods.and_then(Value::as_array);
            methods.is_some_and(|methods| methods.iter().any(|known| known == method))
        };
        Self {
            authorization: url("authorization_endpoint"),
            token: url("token_endpoint"),
            end_session: url("end_session_endpoint"),
            names_itself: document
                .get("authorization_response_iss_parameter_supported")
                .and_then(Value::as_bool)
                .unwrap_or_default(),
            // Without the member, issuers support the header.
            takes_secret_in_body: takes("client_secret_post") && !takes("client_secret_basic"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses_must_be_protected() {
        let document = json!({
            "authorization_endpoint": "https://login.example.org/authorize?tenant=a",
            "token_endpoint": "http://login.example.org/token",
            "end_session_endpoint": 3,
            "authorization_response_iss_parameter_supported": "true",
        });
        let endpoints = Endpoints::named_in(document.as_object().unwrap());
        let authorization = endpoints.authorization.as_ref().map(Url::as_str);
        assert_eq!(
            authorization,
            Some("https://login.example.org/authorize?tenant=a")
        );
        assert_eq!((endpoints.token, endpoints.end_session), (None, None));
        assert!(!endpoints.names_itself && !endpoints.takes_secret_in_body);
    }

    #[test]
    fn the_secret_is_in_the_header_unless_the_issuer_wants_it_in_the_body_only() {
        for (methods, in_body) in [
            (json!(null), false),
            (json!(["client_secret_basic", "client_secret_post"]), false),
            (json!(["client_secret_post", "private_key_jwt"]), true),
            (json!(["private_key_jwt"]), false),
        ] {
            let document = json!({"token_endpoint_auth_methods_supported": methods});
            let endpoints = Endpoints::named_in(document.as_object().unwrap());
            assert_eq!(endpoints.takes_secret_in_body, in_body, "{methods}");
        }
    }
}
