//! What a start tells the operator beside the address: the token of the first administrator, and what is missing if nobody
//! can use the service.

use std::io::{self, IsTerminal};

use formalize_core::{Builder, Caller, Formalize, PageRequest, UserId};
use formalize_http::config::Config;
use formalize_pages::FirstCode;
use formalize_sql::{DatabaseKind, SqlStore};

use super::{ServeError, print};

/// The name of the administrator that is created on the first start.
const FIRST_ADMINISTRATOR: &str = "admin";

/// The secrets of a first start. They are printed after the log lines of the start, where they are easy to see.
pub(super) struct FirstStart {
    /// The lines that were not printed yet.
    lines: Vec<String>,
    code: Option<FirstCode>,
}

impl FirstStart {
    /// Creates an administrator if the database is new, on SQLite, and the configuration names none. Links begin with
    /// `base_url`.
    pub(super) async fn begin(
        config: &Config,
        store: &SqlStore,
        builder: &Builder,
        base_url: &str,
    ) -> Result<Option<Self>, ServeError> {
        if store.kind() != DatabaseKind::Sqlite || !config.names_no_administrator() {
            return Ok(None);
        }
        let administrator = UserId::new(FIRST_ADMINISTRATOR)?;
        let Some(secret) = builder.first_start(&administrator).await? else {
            return Ok(None);
        };
        let mut first = Self {
            lines: vec![format!("admin token: {}", secret.expose())],
            code: None,
        };
        if config.pages.is_some() {
            let code = FirstCode::new(administrator)?;
            let path = code.path();
            first.lines.push(format!("sign in: {base_url}{path}"));
            first.code = Some(code);
        }
        Ok(Some(first))
    }

    /// The code for signing in, if there are pages.
    pub(super) fn take_code(&mut self) -> Option<FirstCode> {
        self.code.take()
    }

    /// Prints the secrets. On a terminal, a heading separates them from the log.
    pub(super) fn print(mut self) -> io::Result<()> {
        self.print_lines()
    }

    fn print_lines(&mut self) -> io::Result<()> {
        if !self.lines.is_empty() && io::stdout().is_terminal() {
            print("\nThe database is new. Keep the token: it is shown only once.\n")?;
        }
        for line in std::mem::take(&mut self.lines) {
            print(&line)?;
        }
        Ok(())
    }
}

impl Drop for FirstStart {
    /// The token exists even if the start fails before it was printed, and the next start makes no other one.
    fn drop(&mut self) {
        if let Err(error) = self.print_lines() {
            tracing::error!(%error, "cannot print the token of the first start");
        }
    }
}

/// Says in one line what to do if no user can create forms, or none can authenticate.
pub(super) async fn warn_if_unusable(config: &Config, formalize: &Formalize) {
    const ADMINISTRATORS: &str =
        "set `administrators`, such as `administrators = 'user.id == \"admin\"'`";
    // If the database fails, requests report it.
    let has_creators = formalize.forms().anyone_may_create().await.unwrap_or(true);
    let authenticates = !config.issuers.is_empty() || has_tokens(formalize).await;
    match (has_creators, authenticates) {
        (true, true) => {}
        // Another warning says what to do.
        (false, _) if formalize.ignored_first_administrator().is_some() => {}
        (false, true) => {
            tracing::warn!("no user may create forms: {ADMINISTRATORS}, and restart the server");
        }
        (false, false) => tracing::warn!(
            "no user may create forms: {ADMINISTRATORS}, restart the server, and create a token with `formalize tokens \
             create --user admin`"
        ),
        (true, false) => tracing::warn!(
            "no user has an API token: create one with `formalize tokens create --user NAME`"
        ),
    }
}

async fn has_tokens(formalize: &Formalize) -> bool {
    let first = PageRequest::default();
    let tokens = formalize.tokens().list(&Caller::System, &first).await;
    tokens.map_or(true, |page| !page.items.is_empty())
}
