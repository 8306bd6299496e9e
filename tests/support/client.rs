//! A server with an administrator, and its client.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking; indexing a JSON value returns null for a missing member"
)]

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::{Result, Server, ServerCommand, TestDatabase, binary};

/// A database for one test, with one or more servers.
#[derive(Debug)]
pub struct Installation {
    /// The command that starts its servers.
    pub command: ServerCommand,
    /// The token of an administrator.
    pub token: String,
    /// Dropping it drops the database, so it is kept as long as the servers.
    database: Option<TestDatabase>,
}

const ADMINISTRATORS: &str = "administrators = 'user.id == \"admin\"'\n";

impl Installation {
    /// On a SQLite database.
    ///
    /// # Errors
    ///
    /// If no server starts on it.
    pub async fn on_sqlite() -> Result<Self> {
        let command = ServerCommand::new()?.config(ADMINISTRATORS)?;
        Self::with(command, None).await
    }

    /// On a new PostgreSQL database.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not available, or no server starts on it.
    pub async fn on_postgres() -> Result<Self> {
        let database = TestDatabase::empty().await?;
        let config = format!("database_url = \"{}\"\n{ADMINISTRATORS}", database.url());
        let command = ServerCommand::new()?.config(&config)?;
        Self::with(command, Some(database)).await
    }

    /// On a new PostgreSQL database with the schema of another release, whose programs are in this folder.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not available, or no server starts on it.
    pub async fn of_release(folder: &Path) -> Result<Self> {
        let database = TestDatabase::empty().await?;
        let config = format!("database_url = \"{}\"\n{ADMINISTRATORS}", database.url());
        let mut installation = Self {
            command: ServerCommand::new()?.config(&config)?,
            token: String::new(),
            database: Some(database),
        };
        let command = installation.command.clone();
        let server = command
            .program(folder.join("formalize-server"))
            .start()
            .await?;
        let create = ["tokens", "create", "--user", "admin"];
        installation.token = installation.run(&folder.join("formalize"), &create).await?;
        assert!(server.terminate().await?.success());
        Ok(installation)
    }

    /// On a database that the caller owns.
    ///
    /// # Errors
    ///
    /// If no server starts on it.
    pub async fn at(database_url: &str) -> Result<Self> {
        Self::configured(Some(database_url), "").await
    }

    /// With additional lines of configuration, and on the database at a URL, if one is given.
    ///
    /// # Errors
    ///
    /// If no server starts on it.
    pub async fn configured(url: Option<&str>, more: &str) -> Result<Self> {
        let url = url.map(|url| format!("database_url = \"{url}\"\n"));
        let config = format!("{}{ADMINISTRATORS}{more}", url.unwrap_or_default());
        let command = ServerCommand::new()?.config(&config)?;
        Self::with(command, None).await
    }

    async fn with(command: ServerCommand, database: Option<TestDatabase>) -> Result<Self> {
        let mut installation = Self {
            command,
            token: String::new(),
            database,
        };
        // The first server migrates the database.
        let server = installation.command.start().await?;
        installation.token = installation
            .cli(&["tokens", "create", "--user", "admin"])
            .await?;
        assert!(server.terminate().await?.success());
        Ok(installation)
    }

    /// The database, if it is on PostgreSQL.
    pub fn database(&self) -> Option<&TestDatabase> {
        self.database.as_ref()
    }

    /// The identifiers of all submissions of a form.
    ///
    /// # Errors
    ///
    /// If the command line does not print them.
    pub async fn submissions(&self, form: &str) -> Result<BTreeSet<String>> {
        let list = ["submissions", "list", "--form", form, "-o", "json"];
        let list: Vec<Value> = serde_json::from_str(&self.cli(&list).await?)?;
        let identifiers = list.iter().filter_map(|item| item["identifier"].as_str());
        Ok(identifiers.map(str::to_owned).collect())
    }

    /// The output of the command line for these arguments.
    ///
    /// # Errors
    ///
    /// If it fails; the error has its standard error.
    pub async fn cli(&self, arguments: &[&str]) -> Result<String> {
        let program = tokio::task::spawn_blocking(|| binary("formalize")).await??;
        self.run(&program, arguments).await
    }

    async fn run(&self, program: &Path, arguments: &[&str]) -> Result<String> {
        let output = tokio::process::Command::new(program)
            .args(arguments)
            .current_dir(self.command.folder())
            .output()
            .await?;
        let text = String::from_utf8(output.stdout)?.trim_end().to_owned();
        if output.status.success() {
            return Ok(text);
        }
        Err(format!(
            "formalize {arguments:?}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )
        .into())
    }

    /// A client of a server. It never sends a request twice.
    pub fn client(&self, server: &Server) -> Client {
        Client::new(server, &self.token)
    }
}

/// A response, as a client that sends requests again needs it.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Whether it has the header `Retry-After`.
    pub has_retry_after: bool,
    /// The body, `null` if it is empty.
    pub body: Value,
}

/// A client with a token.
#[derive(Debug, Clone)]
pub struct Client {
    base_url: String,
    token: String,
    http: reqwest::Client,
}

impl Client {
    /// A client of a server with this token.
    pub fn new(server: &Server, token: &str) -> Self {
        let http = reqwest::Client::builder().retry(reqwest::retry::never());
        Self {
            base_url: server.base_url().to_owned(),
            token: token.to_owned(),
            http: http.build().unwrap(),
        }
    }

    /// The same client for another server.
    #[must_use]
    pub fn at(&self, base_url: &str) -> Self {
        Self {
            base_url: base_url.to_owned(),
            ..self.clone()
        }
    }

    /// Sends a request with JSON or without a body. Returns the status and the body of the response.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn send(
        &self,
        method: reqwest::Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(u16, Value)> {
        let response = self.send_with_key(method, path, body, None).await?;
        Ok((response.status, response.body))
    }

    /// Sends a request with JSON or without a body, and with an idempotency key, if one is given.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn send_with_key(
        &self,
        method: reqwest::Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Result<Response> {
        let url = format!("{}{path}", self.base_url);
        let mut request = self.http.request(method, url);
        if let Some(body) = body {
            request = request.json(body);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let response = request.bearer_auth(&self.token).send().await?;
        let has_retry_after = response.headers().contains_key("retry-after");
        let (status, body) = Self::answer(response).await?;
        Ok(Response {
            status,
            has_retry_after,
            body,
        })
    }

    /// The same client with another token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self {
            token: token.to_owned(),
            ..self.clone()
        }
    }

    /// Sends a POST. Returns the status and the body of the response.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn post(&self, path: &str, body: &Value) -> Result<(u16, Value)> {
        let request = self
            .http
            .post(format!("{}{path}", self.base_url))
            .json(body);
        Self::answer(request.bearer_auth(&self.token).send().await?).await
    }

    /// Sends a GET. Returns the status and the body of the response.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn get(&self, path: &str) -> Result<(u16, Value)> {
        let request = self.http.get(format!("{}{path}", self.base_url));
        Self::answer(request.bearer_auth(&self.token).send().await?).await
    }

    /// Sends a GET. Returns the status and the body of the response, which need not be JSON.
    ///
    /// # Errors
    ///
    /// If the server does not answer, or the response is incomplete.
    pub async fn text(&self, path: &str) -> Result<(u16, String)> {
        let request = self.http.get(format!("{}{path}", self.base_url));
        let response = request.bearer_auth(&self.token).send().await?;
        Ok((response.status().as_u16(), response.text().await?))
    }

    /// The `ETag` of an item.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn tag(&self, path: &str) -> Result<String> {
        let request = self.http.get(format!("{}{path}", self.base_url));
        let response = request.bearer_auth(&self.token).send().await?;
        Ok(tag(&response).ok_or("no tag")?)
    }

    /// Sends a PATCH with `If-Match`. Returns the status and the `ETag` of the response.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn patch_if_match(
        &self,
        path: &str,
        if_match: &str,
        body: &Value,
    ) -> Result<(u16, Option<String>)> {
        let request = self
            .http
            .patch(format!("{}{path}", self.base_url))
            .header("if-match", if_match)
            .json(body);
        let response = request.bearer_auth(&self.token).send().await?;
        Ok((response.status().as_u16(), tag(&response)))
    }

    async fn answer(response: reqwest::Response) -> Result<(u16, Value)> {
        let status = response.status().as_u16();
        let body = response.bytes().await?;
        Ok((
            status,
            if body.is_empty() {
                Value::Null
            } else {
                serde_json::from_slice(&body)?
            },
        ))
    }

    /// Creates a form and returns its identifier.
    ///
    /// # Errors
    ///
    /// If the server does not answer, or does not return a form.
    pub async fn form(&self, attributes: Value) -> Result<String> {
        let mut body = json!({"name": "A form"});
        if let (Some(body), Value::Object(attributes)) = (body.as_object_mut(), attributes) {
            body.extend(attributes);
        }
        let (status, form) = self.post("/formalize/forms", &body).await?;
        assert_eq!(status, 201, "{form}");
        Ok(form["identifier"]
            .as_str()
            .ok_or("no identifier")?
            .to_owned())
    }

    /// Submits data to a form.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn submit(&self, form: &str, data: &Value) -> Result<(u16, Value)> {
        let body = json!({"formIdentifier": form, "dataFeedElement": data.to_string()});
        self.post("/formalize/submissions", &body).await
    }
}

fn tag(response: &reqwest::Response) -> Option<String> {
    let tag = response.headers().get("etag")?;
    tag.to_str().ok().map(str::to_owned)
}
