//! Passes known secrets to the programs in every possible way, and then searches everything that they store and print:
//! the database, logs at all levels, every response, and displayed settings.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use data_encoding::{BASE64, BASE64URL_NOPAD};
use formalize_core::{Clock, SystemClock};
use formalize_tests::issuer::{TestClient, TestIssuer, TestKey};
use formalize_tests::receiver::WebhookReceiver;
use formalize_tests::{Result, Server, ServerCommand, TestDatabase, binary};
use poem::Request;
use poem::endpoint::make_sync;
use poem::http::StatusCode;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, header};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use tokio::process::Command;

use crate::metrics;

const PASSWORD: &str = "planted-password-4711";

/// Invalid credentials in all the places where clients put some by mistake.
const STRAY: [&str; 5] = [
    "fmz_9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c",
    "planted-basic-4712",
    "planted-cookie-4713",
    "planted-parameter-4714",
    "planted-body-4715",
];

/// What the provider knows about this service, and what it sends to it.
const OF_PROVIDER: [&str; 4] = [
    "planted-client-secret-4717",
    "planted-code-",
    "planted-access-token",
    "planted-refresh-token",
];

/// Submitted data, which must not be logged either.
const DATA: &str = "planted-diagnosis-4716";

/// The secret of a webhook behind its prefix and encoded, and the key that encrypts it in the database.
const OF_WEBHOOK: &str = "planted-webhook-secret-4718";
const SECRET_KEY: &str = "planted-key-of-secrets-4719-4719";

/// A token in the URL of a webhook, which only its managers see, and an idempotency key. They are not logged.
const URL_TOKEN: &str = "planted-url-token-4720";
const KEY: &str = "planted-idempotency-key-4721";

#[tokio::test]
async fn no_secret_is_exposed_on_sqlite() {
    for format in ["text", "json"] {
        let stage = Stage::new(None, format).await.unwrap();
        stage.play(&[]).await.unwrap();
    }
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn no_secret_is_exposed_on_postgresql() {
    for format in ["text", "json"] {
        let database = TestDatabase::empty().await.unwrap();
        let (url, password) = with_password(database.url());
        let stage = Stage::new(Some(url), format).await.unwrap();
        stage.play(&[&password]).await.unwrap();
    }
}

/// The token of the first start is printed to standard output and appears nowhere else.
#[tokio::test]
async fn the_token_of_the_first_start_is_only_on_standard_output() {
    let command = ServerCommand::new().unwrap().env("RUST_LOG", "trace");
    let server = command.start().await.unwrap();
    let token = server.admin_token().unwrap().to_owned();
    let forms = format!("{}/formalize/forms", server.base_url());
    let answer = Client::new().get(forms).bearer_auth(&token).send().await;
    assert_eq!(answer.unwrap().status(), 200);
    let log = server.stderr().unwrap();
    assert!(log.contains("/formalize/forms"), "{log}");
    must_not_have("log", log.as_bytes(), &[&token]);
    let database = files(command.folder(), |name| name.contains(".db")).unwrap();
    assert!(!database.is_empty());
    must_not_have("database", &database, &[&token]);
}

/// The URL with a password, and a made-up one if the database requires none.
fn with_password(url: &str) -> (String, String) {
    let (scheme, rest) = url.split_once("://").unwrap();
    let (user, host) = rest.split_once('@').unwrap();
    match user.split_once(':') {
        Some((_, password)) => (url.to_owned(), password.to_owned()),
        None => (
            format!("{scheme}://{user}:{PASSWORD}@{host}"),
            PASSWORD.to_owned(),
        ),
    }
}

/// A server that logs at all levels, and tokens that it accepts.
struct Stage {
    url: Option<String>,
    command: ServerCommand,
    issuer: TestIssuer,
    server: Server,
    /// API tokens and a JWT.
    tokens: Vec<String>,
}

/// The client of the provider for a server at this URL.
fn client(base_url: &str) -> TestClient {
    TestClient {
        id: "pages".to_owned(),
        secret: Some(OF_PROVIDER[0].to_owned()),
        redirect: format!("{base_url}/sign-in/callback"),
        key: TestKey::Ec,
        now: None,
    }
}

impl Stage {
    async fn new(url: Option<String>, log_format: &str) -> Result<Self> {
        let issuer = TestIssuer::start(&[TestKey::Ec.jwk("first")?]).await?;
        let config = format!(
            "administrators = 'user.id == \"admin\"'\nlog_format = '{log_format}'\n\
             [[issuers]]\nissuer = '{}'\naudience = 'formalize'\n\
             client_id = 'pages'\nclient_secret_file = 'client-secret'\n",
            issuer.url()
        );
        let config = format!(
            "metrics_listen = '127.0.0.1:0'\nwebhook_allowed_targets = ['127.0.0.1']\nwebhook_secret_keys = ['{}']\n{config}",
            BASE64.encode(SECRET_KEY.as_bytes())
        );
        // The server reads the documents when it starts, and has an address afterwards.
        issuer.offer_sign_in(client(""), json!({}));
        let mut command = ServerCommand::new()?
            .config(&config)?
            .env("RUST_LOG", "trace");
        fs::write(command.folder().join("client-secret"), OF_PROVIDER[0])?;
        if let Some(url) = &url {
            command = command.env("FORMALIZE_DATABASE_URL", url);
        }
        let server = command.start().await?;
        issuer.offer_sign_in(client(server.base_url()), json!({}));
        let mut stage = Self {
            url,
            command,
            issuer,
            server,
            tokens: Vec::new(),
        };
        for user in ["admin", "grace"] {
            let made = stage
                .run("formalize", &["tokens", "create", "--user", user])
                .await?;
            stage.tokens.push(made.stdout.trim().to_owned());
            let said = made.stderr;
            assert!(!said.contains(&stage.tokens[0]), "{said}");
        }
        stage.tokens.push(stage.jwt()?);
        Ok(stage)
    }

    fn jwt(&self) -> Result<String> {
        let expires = SystemClock.now().as_millis() / 1000 + 600;
        let header = json!({ "alg": "ES256", "kid": "first", "typ": "JWT" });
        let claims = json!({
            "iss": self.issuer.url(), "aud": "formalize", "sub": "jane", "exp": expires,
        });
        TestKey::Ec.sign(&header, &claims)
    }

    /// Runs one of the programs with the most verbose log.
    async fn run(&self, program: &'static str, arguments: &[&str]) -> Result<Said> {
        let program = tokio::task::spawn_blocking(move || binary(program)).await??;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.command.folder())
            .env("RUST_LOG", "trace")
            .env_remove("FORMALIZE_DATABASE_URL");
        if let Some(url) = &self.url {
            command.env("FORMALIZE_DATABASE_URL", url);
        }
        let output = command.output().await?;
        Ok(Said {
            stdout: String::from_utf8(output.stdout)?,
            stderr: String::from_utf8(output.stderr)?,
        })
    }

    /// Uses all secrets, and then searches for them everywhere.
    async fn play(self, passwords: &[&str]) -> Result<()> {
        let mut answers = self.ask().await?;
        self.hook(&mut answers).await?;
        let session = self.sign_in().await?;
        let metrics = reqwest::get(metrics::url_of(&self.server)).await?;
        let metrics = metrics.error_for_status()?.text().await?;
        let mut places = vec![
            ("answers", answers.into_bytes()),
            ("log", self.server.stderr()?.into_bytes()),
            (
                "standard output",
                self.server.stdout().join("\n").into_bytes(),
            ),
            ("database in use", self.dump().await?),
            ("metrics", metrics.into_bytes()),
        ];
        for (program, line) in [
            ("formalize-server", "config check"),
            ("formalize-server", "openapi"),
            ("formalize", "tokens list -o json"),
            ("formalize", "tokens list"),
            ("formalize", "forms list"),
        ] {
            let arguments: Vec<&str> = line.split(' ').collect();
            let Said { stdout, stderr } = self.run(program, &arguments).await?;
            assert!(!stdout.is_empty(), "{line}: {stderr}");
            places.push(("program", format!("{stdout}{stderr}").into_bytes()));
        }
        let secrets: Vec<&str> = self.tokens.iter().map(String::as_str).collect();
        let secrets = [
            &secrets,
            &STRAY[..],
            &OF_PROVIDER,
            &[session.as_str(), OF_WEBHOOK, SECRET_KEY],
            passwords,
        ]
        .concat();
        for (place, text) in &places {
            must_not_have(place, text, &secrets);
        }
        for place in ["log", "standard output", "metrics"] {
            let (_, text) = places.iter().find(|(name, _)| *name == place).unwrap();
            must_not_have(place, text, &[DATA, URL_TOKEN, KEY]);
        }
        // Checks that the log is not empty by searching for something that it may contain.
        let log = String::from_utf8_lossy(&places[1].1);
        assert!(log.contains("TRACE") && log.contains("/formalize/forms"));
        let dump = String::from_utf8_lossy(&places[3].1).into_owned();
        assert!(dump.contains("grace") && dump.contains(DATA) && dump.contains(URL_TOKEN));
        let folder = self.command.clone();
        assert!(self.server.terminate().await?.success());
        let rest = files(folder.folder(), |name| name.contains(".db"))?;
        must_not_have("database after the end", &rest, &secrets);
        Ok(())
    }

    /// Creates a webhook with a secret twice with the same key, and lets it send something. All responses are added but the
    /// first, which has the secret.
    async fn hook(&self, answers: &mut String) -> Result<()> {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let signatures = Arc::clone(&seen);
        let endpoint = make_sync(move |request: Request| {
            let signature = request.header("webhook-signature").unwrap_or_default();
            signatures.lock().unwrap().push(signature.to_owned());
            StatusCode::NO_CONTENT
        });
        let receiver = WebhookReceiver::start("127.0.0.1:0", endpoint).await?;
        let (admin, http) = (&self.tokens[0], Client::new());
        let request = |method: Method, path: &str| {
            let url = format!("{}/formalize{path}", self.server.base_url());
            http.request(method, url).bearer_auth(admin)
        };
        let form = request(Method::POST, "/forms").json(&json!({ "name": "Hooked" }));
        let form: Value = form.send().await?.json().await?;
        let new = json!({
            "formIdentifier": form["identifier"], "url": format!("{}?token={URL_TOKEN}", receiver.url),
            "secret": format!("whsec_{}", BASE64.encode(OF_WEBHOOK.as_bytes())),
        });
        let create = || request(Method::POST, "/webhooks").header("idempotency-key", KEY);
        let created: Value = create().json(&new).send().await?.json().await?;
        assert_eq!(created["secret"], new["secret"], "{created}");
        say(answers, create().json(&new)).await?;
        say(answers, create().json(&json!({ "secret": new["secret"] }))).await?;
        let webhook = format!("/webhooks/{}", created["identifier"].as_str().unwrap());
        say(answers, request(Method::GET, "/webhooks")).await?;
        say(answers, request(Method::GET, &webhook)).await?;
        let short = json!({ "url": "x", "secret": "whsec_" });
        say(answers, request(Method::POST, "/webhooks").json(&short)).await?;
        let test = request(Method::POST, &format!("{webhook}/test"));
        say(answers, test.json(&json!({}))).await?;
        let signature = seen.lock().unwrap().pop();
        assert!(signature.unwrap().starts_with("v1,"));
        say(answers, request(Method::GET, "/events")).await
    }

    /// Signs in with the provider, and returns the secret of the session.
    async fn sign_in(&self) -> Result<String> {
        let http = Client::builder().redirect(Policy::none()).build()?;
        let start = format!("{}/sign-in/oidc/1", self.server.base_url());
        let begun = http.get(start).send().await?;
        let of = |name| begun.headers().get(name).unwrap().to_str().unwrap();
        let (cookie, _) = of(header::SET_COOKIE).split_once(';').unwrap();
        let page = http.get(of(header::LOCATION)).send().await?.text().await?;
        let link = page.split("id=confirm href=\"").nth(1).unwrap();
        let (link, _) = link.split_once('"').unwrap();
        assert!(link.contains(OF_PROVIDER[1]), "{link}");
        let back = http.get(link.replace("&amp;", "&"));
        let back = back.header(header::COOKIE, cookie).send().await?;
        assert_eq!(back.status(), 303);
        let mut cookies = back.headers().get_all(header::SET_COOKIE).iter();
        let session = cookies.find_map(|cookie| {
            let cookie = cookie.to_str().ok()?.strip_prefix("formalize=")?;
            Some(cookie.split_once(';')?.0.to_owned())
        });
        Ok(session.ok_or("no session was begun")?)
    }

    /// Every kind of response: with permission, without, and with secrets in the wrong places.
    async fn ask(&self) -> Result<String> {
        let mut answers = String::new();
        let (admin, http) = (&self.tokens[0], Client::new());
        let request = |method: Method, path: &str| {
            http.request(method, format!("{}{path}", self.server.base_url()))
        };
        let form = request(Method::POST, "/formalize/forms").bearer_auth(admin);
        let form = form.json(&json!({ "name": "A form" })).send().await?;
        let form: Value = form.json().await?;
        let data = json!({ "formIdentifier": form["identifier"], "dataFeedElement": json!({ "it": DATA }).to_string() });
        let submit = request(Method::POST, "/formalize/submissions").bearer_auth(admin);
        // An authorized response may contain the submitted data.
        assert_eq!(submit.json(&data).send().await?.status(), 201);
        for path in [
            "/docs",
            "/openapi.json",
            "/healthz",
            "/readyz",
            "/version",
            "/nowhere",
            "/formalize/forms",
            "/formalize/forms/x",
            "/authorization/groups?cursor=x",
            "/authorization/resources",
        ] {
            let asked = || request(Method::GET, path);
            for token in &self.tokens {
                say(&mut answers, asked().bearer_auth(token)).await?;
            }
            let [unknown, basic, cookie, parameter, body] = STRAY;
            say(&mut answers, asked().bearer_auth(unknown)).await?;
            say(&mut answers, asked().basic_auth("admin", Some(basic))).await?;
            say(
                &mut answers,
                asked().header("cookie", format!("session={cookie}")),
            )
            .await?;
            say(&mut answers, asked().header("x-api-key", unknown)).await?;
            let sign = if path.contains('?') { '&' } else { '?' };
            let with_parameter = format!("{path}{sign}access_token={parameter}");
            let careless = request(Method::GET, &with_parameter).bearer_auth(admin);
            say(&mut answers, careless).await?;
            let stray = request(Method::POST, path).bearer_auth(admin);
            say(
                &mut answers,
                stray.json(&json!({ "name": 1, "password": body })),
            )
            .await?;
            let broken = request(Method::POST, path).bearer_auth(admin);
            let broken = broken.header("content-type", "application/json");
            say(
                &mut answers,
                broken.body(format!("{{\"password\": \"{body}")),
            )
            .await?;
            let forged = self.tokens[2].clone() + "AA";
            say(&mut answers, asked().bearer_auth(forged)).await?;
        }
        Ok(answers)
    }

    /// The bytes of everything in the database.
    async fn dump(&self) -> Result<Vec<u8>> {
        let Some(url) = &self.url else {
            return files(self.command.folder(), |name| name.contains(".db"));
        };
        let mut connection = PgConnection::connect(url).await?;
        let tables = "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables \
                      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')";
        let tables = sqlx::query(tables).fetch_all(&mut connection).await?;
        assert!(tables.len() > 5);
        let mut dump = String::new();
        for table in tables {
            let table: String = table.try_get(0)?;
            let rows = AssertSqlSafe(format!("SELECT t::text FROM {table} AS t"));
            for row in sqlx::query(rows).fetch_all(&mut connection).await? {
                dump.push_str(&row.try_get::<String, _>(0)?);
                dump.push('\n');
            }
        }
        Ok(dump.into_bytes())
    }
}

/// The output of a program.
struct Said {
    stdout: String,
    stderr: String,
}

/// Adds a response with its headers.
async fn say(answers: &mut String, request: RequestBuilder) -> Result<()> {
    let answer = request.send().await?;
    writeln!(answers, "{} {:?}", answer.status(), answer.headers())?;
    writeln!(answers, "{}", answer.text().await?)?;
    Ok(())
}

/// The bytes of the files with matching names.
fn files(folder: &Path, is_wanted: fn(&str) -> bool) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?;
        if !is_wanted(&file.file_name().to_string_lossy()) {
            continue;
        }
        if file.file_type()?.is_dir() {
            bytes.extend(files(&file.path(), |_| true)?);
        } else {
            bytes.extend(fs::read(file.path())?);
        }
    }
    Ok(bytes)
}

/// Secrets must not appear as they are, nor encoded, nor in pieces that would help to find or guess them.
fn must_not_have(place: &str, bytes: &[u8], secrets: &[&str]) {
    // The secrets are ASCII, so lossy conversion keeps them.
    let text = String::from_utf8_lossy(bytes);
    for secret in secrets {
        let hex = secret.bytes().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").unwrap();
            hex
        });
        let encoded = [
            BASE64.encode(secret.as_bytes()),
            BASE64URL_NOPAD.encode(secret.as_bytes()),
            hex,
        ];
        let pieces = pieces(secret);
        let shapes = encoded.iter().map(String::as_str).chain(pieces);
        for shape in shapes {
            assert!(!text.contains(shape), "{place} has {shape}");
        }
    }
}

/// The pieces of a secret, each long enough not to occur by chance. Of a JWT, the claims and the signature, without
/// which it is not valid. A shorter secret is one piece. Secrets are ASCII.
fn pieces(secret: &str) -> Vec<&str> {
    const LENGTH: usize = 12;
    // The header of a JWT is the same for all tokens of a key.
    let parts = secret.split('.').skip(usize::from(secret.contains('.')));
    let pieces = parts.flat_map(|part| {
        let whole = part.as_bytes().chunks_exact(LENGTH);
        let cut: Vec<&str> = whole.map(|it| str::from_utf8(it).unwrap()).collect();
        if cut.is_empty() { vec![part] } else { cut }
    });
    pieces.collect()
}

/// Also when PostgreSQL repeats a statement in its error.
#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn errors_of_postgresql_are_reported_without_the_password() {
    let database = TestDatabase::empty().await.unwrap();
    let (url, password) = with_password(database.url());
    let (location, parameters) = url.split_once('?').unwrap_or((&url, ""));
    let (server, _) = location.rsplit_once('/').unwrap();
    let url = format!("{server}/{password}?{parameters}");
    let folder = tempfile::tempdir().unwrap();
    for (program, line) in [("formalize-server", "serve"), ("formalize", "forms list")] {
        let program = tokio::task::spawn_blocking(move || binary(program));
        let mut command = Command::new(program.await.unwrap().unwrap());
        let output = command
            .args(line.split(' '))
            .current_dir(folder.path())
            .env("RUST_LOG", "trace")
            .env("FORMALIZE_DATABASE_URL", &url)
            .output();
        let output = output.await.unwrap();
        assert_ne!(output.status.code(), Some(0), "{line}");
        let said = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&said);
        assert!(text.contains("***"), "{line}: {text}");
        must_not_have(line, &said, &[&password]);
    }
}

/// Errors name a database that is unreachable or rejects the password without the password.
#[tokio::test]
async fn an_unavailable_database_is_reported_without_its_password() {
    for url in [
        "postgres://alice:planted-password-4711@127.0.0.1:1/forms",
        "postgres://alice@127.0.0.1:1/forms?password=planted-password-4711",
        "postgres://alice:planted-password-4711@/forms?host=/nowhere",
        "postgres://alice@127.0.0.1:1/forms?passwd=planted-password-4711",
        "postgres://alice@127.0.0.1:1/forms?sslpassword=planted-password-4711",
        "postgres://alice:planted-password-4711@127.0.0.1:port/forms",
        "mysql://alice:planted-password-4711@127.0.0.1/forms",
    ] {
        let folder = tempfile::tempdir().unwrap();
        for (program, line) in [
            ("formalize-server", "serve"),
            ("formalize-server", "config check"),
            ("formalize", "forms list"),
        ] {
            let program = tokio::task::spawn_blocking(move || binary(program));
            let mut command = Command::new(program.await.unwrap().unwrap());
            command
                .args(line.split(' '))
                .current_dir(folder.path())
                .env("RUST_LOG", "trace")
                .env("FORMALIZE_LISTEN", "127.0.0.1:0")
                .env("FORMALIZE_DATABASE_URL", url);
            let output = command.output().await.unwrap();
            let said = [output.stdout, output.stderr].concat();
            must_not_have(&format!("{line} with {url}"), &said, &[PASSWORD]);
            let stays = line == "config check" || output.status.code() != Some(0);
            assert!(stays, "{line} with {url}");
        }
    }
}
