//! A filled database and the real server on it.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::{
    Attributes, Caller, FormName, Formalize, NewForm, Store, Subject, UserId,
    forms::FormAccess,
    links::NewFormLink,
    tokens::{NewApiToken, NewSession},
};
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::stores::sqlite_connection;
use formalize_tests::{Result, Server, ServerCommand, TestDatabase};
use sqlx::Connection as _;

use crate::StoreKind;

use formalize_tests::seed::{self, Landmarks, READER, Sizes};

/// A filled database and the command that starts a server on it.
#[derive(Debug)]
pub(crate) struct Installation {
    pub(crate) command: ServerCommand,
    pub(crate) landmarks: Landmarks,
    pub(crate) url: String,
    tokens: Vec<(String, String)>,
    /// On PostgreSQL. Kept as long as the servers run, because dropping it drops the database.
    database: Option<TestDatabase>,
}

impl Installation {
    pub(crate) async fn fill(kind: StoreKind, sizes: Sizes) -> Result<Self> {
        crate::note(&format!(
            "filling a database with {} submissions, {} forms, {} memberships",
            sizes.submissions, sizes.forms, sizes.memberships
        ));
        let command = ServerCommand::new()?;
        let database = match kind {
            StoreKind::Sqlite => None,
            StoreKind::Postgres => Some(TestDatabase::durable().await?),
        };
        let url = match &database {
            None => format!("sqlite://{}/formalize.db", command.folder().display()),
            Some(database) => database.url().to_owned(),
        };
        let store = Arc::new(SqlStore::open(&url, &SqlOptions::default()).await?);
        store.migrate().await?;
        let landmarks = seed::fill(Arc::clone(&store) as _, &sizes).await?;
        let readers = landmarks.readers.iter().map(|(_, user)| user.clone());
        let tokens = tokens(Arc::clone(&store) as _, seed::users().chain(readers)).await?;
        store.close().await;
        if let Some(database) = &database {
            vacuum(database).await?;
        }
        Ok(Self {
            command: command
                .env("FORMALIZE_DATABASE_URL", &url)
                .env("RUST_LOG", "warn"),
            landmarks,
            url,
            tokens,
            database,
        })
    }

    /// Starts a server with the default configuration.
    pub(crate) async fn start(&self) -> Result<Server> {
        self.command.start().await
    }

    /// The library on the database. Close the store afterwards.
    pub(crate) async fn open(&self) -> Result<(Arc<SqlStore>, Formalize)> {
        let store = Arc::new(SqlStore::open(&self.url, &SqlOptions::default()).await?);
        let formalize = Formalize::builder(Arc::clone(&store) as _).build().await?;
        Ok((store, formalize))
    }

    /// Creates a form that the reader has access to, and a public link to it. Returns its identifier and the secret of the
    /// link.
    pub(crate) async fn form(
        &self,
        schema: Option<String>,
        access: FormAccess,
    ) -> Result<(String, String)> {
        let (store, formalize) = self.open().await?;
        let new = NewForm {
            data_feed_schema: schema,
            ..NewForm::new(FormName::new("Conference")?)
        };
        let forms = formalize.forms();
        let form = forms.create(&Caller::System, new).await?.item.id;
        let reader = Subject::from(UserId::new(READER)?);
        forms.share(&Caller::System, form, &reader, access).await?;
        let links = formalize.links();
        let (_, secret) = links.create(&Caller::System, NewFormLink::to(form)).await?;
        store.close().await;
        Ok((form.to_string(), secret.expose().to_owned()))
    }

    /// Lets the users who submit in this program submit to a form.
    pub(crate) async fn let_writers_submit(&self, form: &str) -> Result<()> {
        let (store, formalize) = self.open().await?;
        let form = form.parse()?;
        for writer in seed::writers() {
            let writer = Subject::from(UserId::new(writer)?);
            let forms = formalize.forms();
            forms
                .share(&Caller::System, form, &writer, FormAccess::Fill)
                .await?;
        }
        store.close().await;
        Ok(())
    }

    /// Executes a statement in the database, and then what the database would do at some point after so many changes.
    pub(crate) async fn execute(&self, statement: &'static str) -> Result<()> {
        let Some(database) = &self.database else {
            sqlite_connection(&self.url).execute_batch(statement)?;
            return Ok(());
        };
        let mut connection = sqlx::PgConnection::connect(database.url()).await?;
        sqlx::raw_sql(statement).execute(&mut connection).await?;
        connection.close().await?;
        vacuum(database).await
    }

    /// The cookie of a new session of a user.
    pub(crate) async fn session(&self, user: &str) -> Result<String> {
        let (store, formalize) = self.open().await?;
        let new = NewSession {
            user: UserId::new(user)?,
            attributes: Attributes::new(),
            lifetime: Duration::from_hours(12),
            idle: Duration::from_hours(2),
        };
        let (_, secret) = formalize.sessions().create(&Caller::System, new).await?;
        store.close().await;
        Ok(format!("formalize={}", secret.expose()))
    }

    /// The token of a user.
    pub(crate) fn token(&self, user: &str) -> Result<&str> {
        let found = self.tokens.iter().find(|(name, _)| name == user);
        Ok(found
            .map(|(_, token)| token.as_str())
            .ok_or("no token of this user")?)
    }
}

async fn tokens(
    store: Arc<dyn Store>,
    users: impl Iterator<Item = String>,
) -> Result<Vec<(String, String)>> {
    let formalize = Formalize::builder(store).build().await?;
    let mut tokens = Vec::new();
    for user in users {
        let new = NewApiToken {
            user: UserId::new(&user)?,
            attributes: Attributes::new(),
            date_expires: None,
        };
        let (_, secret) = formalize.tokens().create(&Caller::System, new).await?;
        tokens.push((user, secret.expose().to_owned()));
    }
    Ok(tokens)
}

/// Runs the maintenance that PostgreSQL would otherwise run at some point after so many inserts.
async fn vacuum(database: &TestDatabase) -> Result<()> {
    let mut connection = sqlx::PgConnection::connect(database.url()).await?;
    sqlx::raw_sql("VACUUM ANALYZE")
        .execute(&mut connection)
        .await?;
    Ok(connection.close().await?)
}
