//! How people sign in with the small issuer: the authorization code flow with PKCE, which it checks strictly.

use std::collections::BTreeMap;

use data_encoding::{BASE64, BASE64URL_NOPAD};
use formalize_core::{Clock, SystemClock};
use formalize_http::percent;
use poem::http::StatusCode;
use poem::web::Html;
use poem::{IntoResponse, Response};
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

use crate::Result;
use crate::issuer::{TestKey, with};

/// A client of the issuer, to which people sign in.
#[derive(Debug, Clone)]
pub struct TestClient {
    /// The identifier.
    pub id: String,
    /// The secret; `None` for a public client.
    pub secret: Option<String>,
    /// The only address to which people are sent back.
    pub redirect: String,
    /// The key of ID tokens, whose identifier is `first`.
    pub key: TestKey,
    /// The time, in seconds since 1970; `None` for that of the system.
    pub now: Option<i64>,
}

/// A code that was not used yet.
#[derive(Debug)]
struct Issued {
    challenge: String,
    nonce: String,
}

/// The client and what it may do.
#[derive(Debug)]
pub(crate) struct SignIns {
    url: String,
    client: Option<TestClient>,
    claims: Value,
    codes: BTreeMap<String, Issued>,
    authorized: usize,
    issued: usize,
}

type Parameters = BTreeMap<String, String>;

impl SignIns {
    pub(crate) fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            client: None,
            claims: json!({}),
            codes: BTreeMap::new(),
            authorized: 0,
            issued: 0,
        }
    }

    /// Registers a client, and returns the discovery document.
    pub(crate) fn offer(&mut self, client: TestClient) -> Value {
        self.client = Some(client);
        let at = |path: &str| format!("{}/{path}", self.url);
        json!({
            "issuer": self.url,
            "jwks_uri": at("certs"),
            "authorization_endpoint": at("authorize"),
            "token_endpoint": at("token"),
            "end_session_endpoint": at("logout"),
            "authorization_response_iss_parameter_supported": true,
        })
    }

    pub(crate) fn claim(&mut self, claims: Value) {
        self.claims = claims;
    }

    pub(crate) fn issued(&self) -> usize {
        self.issued
    }

    /// A page on which a person confirms or refuses.
    pub(crate) fn authorize(&mut self, query: &str) -> Response {
        match self.authorized(query) {
            Ok(page) => Html(page).into_response(),
            Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
        }
    }

    fn authorized(&mut self, query: &str) -> Result<String> {
        let client = self.client.as_ref().ok_or("no client is registered")?;
        let parameters = parameters(query).ok_or("the query cannot be read")?;
        let parameter = |name: &str| {
            let value = parameters.get(name).filter(|value| !value.is_empty());
            value.ok_or_else(|| format!("{name} is missing"))
        };
        for (name, expected) in [
            ("response_type", "code"),
            ("code_challenge_method", "S256"),
            ("client_id", &client.id),
            ("redirect_uri", &client.redirect),
        ] {
            if parameter(name)? != expected {
                return Err(format!("{name} is not {expected}").into());
            }
        }
        let scope = parameter("scope")?;
        if !scope.split(' ').any(|word| word == "openid") {
            return Err("no ID token is asked for".into());
        }
        self.authorized += 1;
        let number = format!("{} {}", self.url, self.authorized);
        let number = digest(&SHA256, number.as_bytes());
        let code = format!("planted-code-{}", BASE64URL_NOPAD.encode(number.as_ref()));
        let issued = Issued {
            challenge: parameter("code_challenge")?.clone(),
            nonce: parameter("nonce")?.clone(),
        };
        self.codes.insert(code.clone(), issued);
        let back = format!(
            "{}?state={}&amp;iss={}",
            client.redirect,
            percent::encode(parameter("state")?),
            percent::encode(&self.url)
        );
        Ok(format!(
            "<!doctype html><html lang=en><title>Provider</title><h1>Provider</h1>\
             <a id=confirm href=\"{back}&amp;code={code}\">Confirm</a> \
             <a id=refuse href=\"{back}&amp;error=access_denied\">Refuse</a>"
        ))
    }

    /// Exchanges a code for an ID token.
    pub(crate) fn token(&mut self, header: Option<&str>, body: &str) -> Response {
        match self.exchanged(header, body) {
            Ok(tokens) => tokens.to_string().into_response(),
            Err((status, error)) => {
                let body = json!({"error": error, "error_description": "planted-description"});
                (status, body.to_string()).into_response()
            }
        }
    }

    fn exchanged(
        &mut self,
        header: Option<&str>,
        body: &str,
    ) -> std::result::Result<Value, (StatusCode, &'static str)> {
        const INVALID: (StatusCode, &str) = (StatusCode::BAD_REQUEST, "invalid_request");
        const GRANT: (StatusCode, &str) = (StatusCode::BAD_REQUEST, "invalid_grant");
        let client = self.client.as_ref().ok_or(INVALID)?;
        let parameters = parameters(body).ok_or(INVALID)?;
        let parameter = |name: &str| parameters.get(name).map(String::as_str);
        let named = (parameter("client_id"), parameter("client_secret"));
        let is_client = match (&client.secret, header) {
            (Some(secret), Some(header)) => {
                let pair = format!(
                    "{}:{}",
                    percent::encode(&client.id),
                    percent::encode(secret)
                );
                header == format!("Basic {}", BASE64.encode(pair.as_bytes()))
                    && named == (None, None)
            }
            (secret, None) => named == (Some(client.id.as_str()), secret.as_deref()),
            (None, Some(_)) => false,
        };
        if !is_client {
            return Err((StatusCode::UNAUTHORIZED, "invalid_client"));
        }
        let is_grant = parameter("grant_type") == Some("authorization_code");
        if !is_grant || parameter("redirect_uri") != Some(&client.redirect) {
            return Err(INVALID);
        }
        let issued = self.codes.remove(parameter("code").unwrap_or_default());
        let issued = issued.ok_or(GRANT)?;
        let verifier = parameter("code_verifier").unwrap_or_default();
        let hash = digest(&SHA256, verifier.as_bytes());
        if verifier.len() < 43 || BASE64URL_NOPAD.encode(hash.as_ref()) != issued.challenge {
            return Err(GRANT);
        }
        let now = client.now.unwrap_or(SystemClock.now().as_millis() / 1000);
        let claims = json!({
            "iss": self.url, "aud": client.id, "sub": "jane", "iat": now, "exp": now + 300,
            "nonce": issued.nonce,
        });
        let mut claims = with(claims, self.claims.clone());
        if let Some(claims) = claims.as_object_mut() {
            claims.retain(|_, value| !value.is_null());
        }
        let header = json!({"alg": client.key.algorithm(), "kid": "first", "typ": "JWT"});
        let token = client.key.sign(&header, &claims).map_err(|_| INVALID)?;
        self.issued += 1;
        Ok(json!({
            "id_token": token, "token_type": "Bearer", "expires_in": 300,
            "access_token": "planted-access-token", "refresh_token": "planted-refresh-token",
        }))
    }
}

fn parameters(text: &str) -> Option<Parameters> {
    let pairs = percent::decode_query(text)?;
    let count = pairs.len();
    let parameters: Parameters = pairs.into_iter().collect();
    // None may be repeated.
    (parameters.len() == count).then_some(parameters)
}
