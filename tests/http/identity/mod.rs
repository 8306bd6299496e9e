//! Tokens of OpenID Connect issuers.

use std::sync::{Arc, Mutex};
use std::{fs, io};

use formalize_http::auth::Issuers;
use formalize_http::config::{Config, Flags, IssuerSettings};
use formalize_tests::issuer::{TestIssuer, TestKey, with};
use serde_json::{Value, json};
use tracing::subscriber::DefaultGuard;

use crate::support::{App, NOW, instant};

mod documentation;
mod hostile;
mod keys;
mod matrix;
mod products;
mod valid;

/// The issuers of a configuration file.
pub(crate) fn issuers(configuration: &str) -> Vec<IssuerSettings> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formalize.toml");
    fs::write(&file, configuration).unwrap();
    let mut flags = Flags::default();
    flags.config = Some(file);
    Config::load(&flags).unwrap().issuers
}

/// The table of an issuer whose audience is `formalize`, with further lines.
pub(crate) fn table(url: &str, lines: &str) -> String {
    format!("[[issuers]]\nissuer = '{url}'\naudience = 'formalize'\n{lines}\n")
}

/// The service with these issuers.
async fn app(configuration: &str) -> App {
    let app = App::new().await;
    let issuers = Issuers::new(issuers(configuration), app.clock.clone()).unwrap();
    app.believing(issuers)
}

/// The Unix time of the tests.
fn now() -> i64 {
    instant(NOW).as_millis() / 1000
}

/// Claims for the service, valid for ten minutes.
fn claims(issuer: &str) -> Value {
    json!({"iss": issuer, "aud": "formalize", "sub": "jane", "iat": now(), "nbf": now(), "exp": now() + 600})
}

/// The header of a token signed with the key of this identifier.
fn header(key: TestKey, id: &str) -> Value {
    json!({"typ": "JWT", "alg": key.algorithm(), "kid": id})
}

/// A token signed with the key of this identifier, with some claims replaced.
pub(crate) fn token(issuer: &str, key: TestKey, id: &str, members: Value) -> String {
    let claims = with(claims(issuer), members);
    key.sign(&header(key, id), &claims).unwrap()
}

/// An issuer with one RSA key, `first`.
async fn issuer() -> TestIssuer {
    TestIssuer::start(&[TestKey::Rsa.jwk("first").unwrap()])
        .await
        .unwrap()
}

/// The log of this thread while the guard is held.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    pub(crate) fn start() -> (Self, DefaultGuard) {
        let log = Self::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .finish();
        (log, tracing::subscriber::set_default(subscriber))
    }

    /// The log since the last call.
    pub(crate) fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut self.0.lock().unwrap())).unwrap()
    }
}

impl io::Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
