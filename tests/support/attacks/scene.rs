//! A database with what the attacks need, and the command that starts servers on it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::{Store, UserId};
use formalize_sql::{SqlOptions, SqlStore};
use serde_json::{Map, Value, json};

use crate::client::Installation;
use crate::{Result, Server, ServerCommand, seed};

use super::other::Other;

/// The address of the trusted proxy through which the attacker comes.
pub(super) const PROXY: [u8; 4] = [127, 0, 0, 2];

/// A schema that is expensive to compile.
pub(super) const EXPENSIVE: &str = r#"{"pattern": "^\\p{L}{600}$"}"#;

/// The defaults at an address that is not loopback.
const LIMITS: [&str; 3] = [
    "--user-rate-limit=6000/1m",
    "--address-rate-limit=600/1m",
    "--trusted-proxies=127.0.0.2",
];

/// How much the database holds.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Submissions of 1 MiB.
    pub large_submissions: usize,
    /// Forms with an expensive schema.
    pub cold_forms: usize,
    /// Groups of one user.
    pub groups: usize,
}

impl Sizes {
    /// Those of the attacks that have succeeded before.
    pub const FULL: Self = Self {
        large_submissions: 150,
        cold_forms: 200,
        groups: 40_000,
    };
    /// For a short run.
    pub const SMALL: Self = Self {
        large_submissions: 30,
        cold_forms: 8,
        groups: 500,
    };
}

/// A filled database.
#[derive(Debug)]
pub struct Scene {
    command: ServerCommand,
    other: String,
    read: String,
    form: String,
    /// The token of a user without any permission.
    pub(super) outsider: String,
    /// The token of a user who may read the large submissions, and submit to all forms.
    pub(super) reader: String,
    /// The token of a user who is in many groups.
    pub(super) member: String,
    /// The form with the large submissions.
    pub(super) large: String,
    /// The forms with expensive schemas.
    pub(super) cold: Vec<String>,
    /// The path of a public link to a form with 1,000 questions.
    pub(super) questions: String,
    /// The path of a public link to a form with a question that has 1,000 choices.
    pub(super) choices: String,
    /// A form whose data consists of lists of strings.
    pub(super) lists: String,
    /// Kept because dropping it drops the database.
    _installation: Installation,
}

/// Data of the largest size that a submission may have: 1 MiB.
pub(super) fn large_data() -> Value {
    json!({"t": "x".repeat((1 << 20) - 8)})
}

fn created((status, body): (u16, Value)) -> Result<Value> {
    match status {
        201 => Ok(body),
        _ => Err(format!("{status}: {body}").into()),
    }
}

impl Scene {
    /// Fills the database of an installation.
    ///
    /// # Errors
    ///
    /// If that fails.
    pub async fn fill(installation: Installation, sizes: Sizes) -> Result<Self> {
        let url = match installation.database() {
            Some(database) => database.url().to_owned(),
            None => format!(
                "sqlite://{}/formalize.db",
                installation.command.folder().display()
            ),
        };
        let store = Arc::new(SqlStore::open(&url, &SqlOptions::default()).await?);
        seed::memberships_of(
            Arc::clone(&store) as _,
            &UserId::new("member")?,
            sizes.groups,
        )
        .await?;
        store.close().await;

        let server = installation.command.start().await?;
        let client = installation.client(&server);
        let share = async |form: &str, user: &str, kind: &str| {
            let with = format!("user:{user}");
            let share = ["forms", "share", form, "--with", &with, "--to", kind];
            installation.cli(&share).await
        };
        let form = client.form(json!({})).await?;
        share(&form, "other", "fill").await?;
        share(&form, "other", "read-answers").await?;
        let large = client.form(json!({})).await?;
        share(&large, "reader", "fill").await?;
        share(&large, "reader", "read-answers").await?;
        for _ in 0..sizes.large_submissions {
            created(client.submit(&large, &large_data()).await?)?;
        }
        let mut cold = Vec::new();
        for number in 0..sizes.cold_forms {
            // Equal schemas would be compiled once.
            let schema = EXPENSIVE.replace("600", &(400 + number).to_string());
            let form = client.form(json!({"dataFeedSchema": schema})).await?;
            share(&form, "reader", "fill").await?;
            cold.push(form);
        }
        let questions = (0..1_000).map(|at| (format!("question {at}"), json!({"type": "string"})));
        let questions = json!({"properties": questions.collect::<Map<_, _>>()});
        let choices: Vec<String> = (0..1_000).map(|at| format!("choice {at}")).collect();
        let choices = json!({"items": {"enum": choices}, "uniqueItems": true, "type": "array"});
        let choices = json!({"properties": {"chosen": choices}});
        let linked = async |schema: Value| {
            let form = client.form(json!({"dataFeedSchema": schema.to_string()}));
            let new = json!({"formIdentifier": form.await?});
            let link = created(client.post("/formalize/form-links", &new).await?)?;
            let url = link.get("url").and_then(Value::as_str).ok_or("no URL")?;
            let at = url.find("/l/").ok_or("not the URL of a link")?;
            Ok::<_, crate::Error>(url.split_at(at).1.to_owned())
        };
        let (questions, choices) = (linked(questions).await?, linked(choices).await?);
        let lists = json!({"additionalProperties": {"items": {"type": "string"}}});
        let lists = client
            .form(json!({"dataFeedSchema": lists.to_string()}))
            .await?;
        share(&lists, "reader", "fill").await?;
        let submitted = created(client.submit(&form, &json!({})).await?)?;
        let read = submitted.get("identifier").and_then(Value::as_str);
        let read = read.ok_or("no identifier")?;
        let token = async |user| {
            let create = ["tokens", "create", "--user", user];
            installation.cli(&create).await
        };
        let (other, outsider) = (token("other").await?, token("outsider").await?);
        let (reader, member) = (token("reader").await?, token("member").await?);
        server.terminate().await?;
        let command = installation.command.clone().env("RUST_LOG", "error");
        Ok(Self {
            command: LIMITS.into_iter().fold(command, ServerCommand::arg),
            other,
            read: format!("/formalize/submissions/{read}"),
            form,
            outsider,
            reader,
            member,
            large,
            cold,
            questions,
            choices,
            lists,
            _installation: installation,
        })
    }

    /// Attacks this server program instead of the current source.
    #[must_use]
    pub fn program(self, program: &Path) -> Self {
        Self {
            command: self.command.program(program),
            ..self
        }
    }

    /// Starts a server on the database.
    pub(super) async fn start(&self) -> Result<Server> {
        self.command.start().await
    }

    /// The client that is not attacking.
    pub(super) fn other(&self, server: &Server) -> Result<Other> {
        let base = server.base_url();
        let http = reqwest::Client::builder().retry(reqwest::retry::never());
        let http = http.pool_max_idle_per_host(0);
        Ok(Other {
            http: http.timeout(Duration::from_secs(30)).build()?,
            token: self.other.clone(),
            read: format!("{base}{}", self.read),
            submit: (
                format!("{base}/formalize/submissions"),
                json!({"formIdentifier": self.form, "dataFeedElement": "{\"name\": \"Ada\"}"}),
            ),
        })
    }
}
