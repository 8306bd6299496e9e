//! A small OpenID Connect issuer on loopback, and keys to sign tokens with.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::Algorithm;
use poem::endpoint::make;
use poem::http::{StatusCode, header};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::web::Html;
use poem::{Endpoint, IntoResponse, Request, Response, Server};
use ring::hmac;
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256,
    RSA_PKCS1_SHA512, RSA_PSS_SHA256, RsaEncoding, RsaKeyPair,
};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::Result;
use crate::provider::SignIns;
pub use crate::provider::TestClient;

/// A private key in the folder `tests/data/identity/keys`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestKey {
    /// An RSA key of 2048 bits.
    Rsa,
    /// Another one.
    OtherRsa,
    /// A key on the curve P-256.
    Ec,
    /// A key on the curve Ed25519.
    Ed25519,
}

/// The first byte of a point on a curve of which both coordinates follow.
const UNCOMPRESSED: [u8; 1] = [4];

impl TestKey {
    /// The algorithm of the key.
    pub fn algorithm(self) -> Algorithm {
        match self {
            Self::Rsa | Self::OtherRsa => Algorithm::RS256,
            Self::Ec => Algorithm::ES256,
            Self::Ed25519 => Algorithm::EdDSA,
        }
    }

    fn private(self) -> Result<PrivateKey> {
        let key = match self {
            Self::Rsa => RsaKeyPair::from_der(include_bytes!("../data/identity/keys/rsa.der"))
                .map(PrivateKey::Rsa),
            Self::OtherRsa => {
                RsaKeyPair::from_der(include_bytes!("../data/identity/keys/rsa-other.der"))
                    .map(PrivateKey::Rsa)
            }
            Self::Ec => EcdsaKeyPair::from_pkcs8(
                &ECDSA_P256_SHA256_FIXED_SIGNING,
                include_bytes!("../data/identity/keys/ec.der"),
                &SystemRandom::new(),
            )
            .map(PrivateKey::Ec),
            Self::Ed25519 => Ed25519KeyPair::from_pkcs8_maybe_unchecked(include_bytes!(
                "../data/identity/keys/ed25519.der"
            ))
            .map(PrivateKey::Ed25519),
        };
        Ok(key.map_err(|error| error.to_string())?)
    }

    /// The public key in the format that an issuer publishes.
    ///
    /// # Errors
    ///
    /// If the key cannot be read.
    pub fn jwk(self, id: &str) -> Result<Value> {
        let key = match self.private()? {
            PrivateKey::Rsa(pair) => {
                let PublicKeyComponents::<Vec<u8>> { n, e } = pair.public().into();
                json!({"kty": "RSA", "alg": "RS256", "n": part(n), "e": part(e)})
            }
            PrivateKey::Ec(pair) => {
                let point = pair.public_key().as_ref();
                let coordinates = point
                    .strip_prefix(&UNCOMPRESSED)
                    .ok_or("a compressed point")?;
                let (x, y) = coordinates.split_at(32);
                json!({"kty": "EC", "alg": "ES256", "crv": "P-256", "x": part(x), "y": part(y)})
            }
            PrivateKey::Ed25519(pair) => {
                let x = part(pair.public_key());
                json!({"kty": "OKP", "alg": "EdDSA", "crv": "Ed25519", "x": x})
            }
        };
        Ok(with(key, json!({"kid": id, "use": "sig"})))
    }

    /// A token with this header and these claims, signed with this key. The algorithm may differ from the one in the
    /// header.
    ///
    /// # Errors
    ///
    /// If the key does not support the algorithm.
    pub fn sign_by(self, algorithm: Algorithm, header: &Value, claims: &Value) -> Result<String> {
        let message = message(header, claims);
        let signature = part(self.private()?.sign(algorithm, message.as_bytes())?);
        Ok(format!("{message}.{signature}"))
    }

    /// A token with this header and these claims, signed with this key.
    ///
    /// # Errors
    ///
    /// If the key cannot be read.
    pub fn sign(self, header: &Value, claims: &Value) -> Result<String> {
        self.sign_by(self.algorithm(), header, claims)
    }
}

/// An RSA key of 1024 bits in the format that an issuer publishes.
pub fn weak_jwk(id: &str) -> Value {
    let modulus = include_str!("../data/identity/keys/rsa-1024.modulus");
    json!({"kty": "RSA", "alg": "RS256", "use": "sig", "kid": id, "n": modulus, "e": "AQAB"})
}

/// A token signed with a shared secret and HS256.
pub fn sign_with_secret(secret: &[u8], header: &Value, claims: &Value) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    let message = message(header, claims);
    let signature = part(hmac::sign(&key, message.as_bytes()));
    format!("{message}.{signature}")
}

fn message(header: &Value, claims: &Value) -> String {
    format!("{}.{}", part(header.to_string()), part(claims.to_string()))
}

enum PrivateKey {
    Rsa(RsaKeyPair),
    Ec(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

impl PrivateKey {
    fn sign(&self, algorithm: Algorithm, message: &[u8]) -> Result<Vec<u8>> {
        let random = SystemRandom::new();
        Ok(match (self, algorithm) {
            (Self::Rsa(pair), algorithm) => {
                let padding: &dyn RsaEncoding = match algorithm {
                    Algorithm::RS256 => &RSA_PKCS1_SHA256,
                    Algorithm::RS512 => &RSA_PKCS1_SHA512,
                    Algorithm::PS256 => &RSA_PSS_SHA256,
                    other => return Err(format!("{other:?} is not tested").into()),
                };
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(padding, &random, message, &mut signature)
                    .map_err(|_| "signing failed")?;
                signature
            }
            (Self::Ec(pair), Algorithm::ES256) => {
                let signature = pair.sign(&random, message).map_err(|_| "signing failed")?;
                signature.as_ref().to_vec()
            }
            (Self::Ed25519(pair), Algorithm::EdDSA) => pair.sign(message).as_ref().to_vec(),
            (_, other) => return Err(format!("the key does not support {other:?}").into()),
        })
    }
}

/// A part of a token, in base64url.
pub fn part(text: impl AsRef<[u8]>) -> String {
    BASE64URL_NOPAD.encode(text.as_ref())
}

/// An object with members added or replaced.
pub fn with(mut object: Value, members: Value) -> Value {
    if let (Some(object), Value::Object(members)) = (object.as_object_mut(), members) {
        object.extend(members);
    }
    object
}

/// The behaviour of an issuer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Behaviour {
    /// Answers normally.
    Answers,
    /// Answers with a server error.
    Fails,
    /// Answers after this time.
    IsSlow(Duration),
    /// Never answers.
    Hangs,
    /// Redirects to another URL.
    Redirects(String),
    /// Sends an endless response.
    Floods,
}

/// A small OpenID Connect issuer on loopback. It stops when it is dropped.
#[derive(Debug)]
pub struct TestIssuer {
    url: String,
    state: Arc<Mutex<State>>,
    server: JoinHandle<()>,
}

#[derive(Debug)]
struct State {
    discovery: String,
    keys: String,
    behaviour: Behaviour,
    discoveries: usize,
    fetches: usize,
    sign_ins: SignIns,
}

impl TestIssuer {
    /// Starts an issuer that publishes these keys.
    ///
    /// # Errors
    ///
    /// If it cannot listen.
    pub async fn start(keys: &[Value]) -> Result<Self> {
        let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await?;
        let addresses = acceptor.local_addr();
        let address = addresses
            .iter()
            .find_map(|address| address.as_socket_addr())
            .ok_or("no address")?;
        let url = format!("http://{address}/realms/main");
        let discovery = json!({"issuer": url, "jwks_uri": format!("{url}/certs")});
        let state = Arc::new(Mutex::new(State {
            discovery: discovery.to_string(),
            keys: json!({ "keys": keys }).to_string(),
            behaviour: Behaviour::Answers,
            discoveries: 0,
            fetches: 0,
            sign_ins: SignIns::new(&url),
        }));
        let endpoint = endpoint(Arc::clone(&state));
        let server = tokio::spawn(async move {
            // It ends when the issuer is dropped.
            let _ = Server::new_with_acceptor(acceptor).run(endpoint).await;
        });
        Ok(Self { url, state, server })
    }

    /// The name of the issuer, without a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Replaces its keys.
    pub fn publish(&self, keys: &[Value]) {
        self.state().keys = json!({ "keys": keys }).to_string();
    }

    /// Replaces its documents.
    pub fn publish_documents(&self, discovery: &str, keys: &str) {
        let mut state = self.state();
        discovery.clone_into(&mut state.discovery);
        keys.clone_into(&mut state.keys);
    }

    /// Lets people sign in to a client, with further members of the discovery document.
    pub fn offer_sign_in(&self, client: TestClient, members: Value) {
        let mut state = self.state();
        state.discovery = with(state.sign_ins.offer(client), members).to_string();
    }

    /// Replaces claims of the ID tokens; `null` removes one.
    pub fn claim(&self, claims: Value) {
        self.state().sign_ins.claim(claims);
    }

    /// The number of ID tokens that were issued.
    pub fn id_tokens(&self) -> usize {
        self.state().sign_ins.issued()
    }

    /// Changes its behaviour.
    pub fn behave(&self, behaviour: Behaviour) {
        self.state().behaviour = behaviour;
    }

    /// The number of requests for its discovery document.
    pub fn discoveries(&self) -> usize {
        self.state().discoveries
    }

    /// The number of requests for its keys.
    pub fn fetches(&self) -> usize {
        self.state().fetches
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl Drop for TestIssuer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn endpoint(state: Arc<Mutex<State>>) -> impl Endpoint {
    make(move |mut request: Request| {
        let state = Arc::clone(&state);
        async move {
            let body = request.take_body().into_string().await.unwrap_or_default();
            let (behaviour, response) = asked(&mut lock(&state), &request, &body);
            answer(behaviour, response).await
        }
    })
}

fn asked(state: &mut State, request: &Request, body: &str) -> (Behaviour, Response) {
    let (_, place) = request.uri().path().rsplit_once('/').unwrap_or_default();
    let query = request.uri().query().unwrap_or_default();
    let header = request.header(header::AUTHORIZATION);
    let response = match place {
        "openid-configuration" => {
            state.discoveries += 1;
            state.discovery.clone().into_response()
        }
        "authorize" => state.sign_ins.authorize(query),
        "token" => state.sign_ins.token(header, body),
        "logout" => {
            Html("<!doctype html><title>Out</title><h1 id=out>Signed out</h1>").into_response()
        }
        _ => {
            state.fetches += 1;
            state.keys.clone().into_response()
        }
    };
    (state.behaviour.clone(), response)
}

async fn answer(behaviour: Behaviour, response: Response) -> Response {
    match behaviour {
        Behaviour::Answers => response,
        Behaviour::Fails => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Behaviour::IsSlow(pause) => {
            tokio::time::sleep(pause).await;
            response
        }
        Behaviour::Hangs => std::future::pending().await,
        Behaviour::Redirects(elsewhere) => Response::builder()
            .status(StatusCode::TEMPORARY_REDIRECT)
            .header(header::LOCATION, elsewhere)
            .finish(),
        Behaviour::Floods => {
            let body = response.into_body().into_string().await;
            format!("{}{}", body.unwrap_or_default(), " ".repeat(1024 * 1024)).into_response()
        }
    }
}
