//! `formalize tokens`.

use std::io;

use formalize_core::{ApiToken, Clock, NewApiToken, SystemClock, Timestamp, TokenId, UserId};

use crate::args;
use crate::failure::{Exit, Failure};
use crate::record::Token;
use crate::session::{Outcome, Session, note};

/// Issue and revoke the API tokens with which users reach the server
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Issue a token and print it; it is never shown again
    ///
    /// The token alone goes to standard output. Attributes of the user are given with --attribute. A SQLite database
    /// that does not exist yet is made and migrated.
    #[command(
        after_help = "Example:\n  TOKEN=$(formalize tokens create --user alice --expires 90d --attribute roles='[\"staff\"]')"
    )]
    Create {
        /// The user that the token stands for
        #[arg(long, value_name = "USER", visible_alias = "user-identifier")]
        user: UserId,
        /// How long the token is valid, in s, m, h, d or w [default: for ever]
        #[arg(long, value_name = "DURATION", value_parser = args::duration)]
        expires: Option<i64>,
    },
    /// List the tokens that are not revoked, without the tokens themselves
    #[command(after_help = "Example:\n  formalize tokens list -o csv")]
    List,
    /// Revoke a token at once
    #[command(
        after_help = "Example:\n  formalize tokens revoke 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"
    )]
    Revoke {
        /// The token's identifier, as `formalize tokens list` shows it
        #[arg(value_parser = args::token_id)]
        id: TokenId,
    },
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Create { user, expires } => create(session, user, expires).await,
            Self::List => list(session).await,
            Self::Revoke { id } => revoke(session, id).await,
        }
    }
}

async fn create(session: &mut Session, user: UserId, expires: Option<i64>) -> Outcome {
    let new = NewApiToken {
        user,
        attributes: session.attributes.clone(),
        date_expires: expires.map(in_seconds).transpose()?,
    };
    let tokens = session.formalize.tokens();
    let (token, secret) = tokens.create(&session.caller, new).await?;
    let printed = session.printer.line(secret.expose());
    printed.map_err(|error| lost(&token, &error))?;
    note(&issued(&token));
    Ok(())
}

/// The token is valid all the same.
fn lost(token: &ApiToken, error: &io::Error) -> Failure {
    let revoke = format!("`formalize tokens revoke {}` takes it back", token.id);
    Failure::new(Exit::Failed, format!("cannot write the token: {error}")).with_detail(&revoke)
}

fn in_seconds(seconds: i64) -> Result<Timestamp, Failure> {
    let instant = SystemClock.now().checked_add_seconds(seconds);
    instant.ok_or_else(|| Failure::usage("the token would expire after the year 9999"))
}

fn issued(token: &ApiToken) -> String {
    let until = match token.date_expires {
        Some(instant) => format!("until {instant}"),
        None => "until it is revoked".to_owned(),
    };
    format!(
        "issued token {} for `{}`, valid {until}",
        token.id, token.user
    )
}

async fn list(session: &mut Session) -> Outcome {
    let (formalize, caller) = session.service();
    let tokens = formalize.tokens();
    session
        .print_list::<_, Token>(async |request| tokens.list(&caller, request).await)
        .await
}

async fn revoke(session: &mut Session, id: TokenId) -> Outcome {
    session
        .formalize
        .tokens()
        .revoke(&session.caller, id)
        .await?;
    note(&format!("revoked token {id}"));
    Ok(())
}
