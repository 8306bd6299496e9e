//! `formalize tokens`.

use std::io;

use formalize_core::{
    Clock, SystemClock, Timestamp, UserId,
    tokens::{ApiToken, NewApiToken, TokenId},
};

use crate::args;
use crate::failure::{Exit, Failure};
use crate::record::Token;
use crate::session::{Outcome, Session, note};

/// Create, list and revoke API tokens for the server, and end sessions
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Create a token and print it; it cannot be shown again
    ///
    /// Only the token is written to standard output. Pass attributes of the user with --attribute.
    #[command(
        after_help = "Example:\n  TOKEN=$(formalize tokens create --user alice --expires 90d --attribute roles='[\"staff\"]')"
    )]
    Create {
        /// The user that the token authenticates
        #[arg(long, value_name = "USER", visible_alias = "user-identifier")]
        user: UserId,
        /// Validity of the token, in s, m, h, d or w [default: never expires]
        #[arg(long, value_name = "DURATION", value_parser = args::duration)]
        expires: Option<i64>,
    },
    /// List the API tokens that have not been revoked, and the sessions of people who have signed in to web pages
    ///
    /// Secrets are not stored and cannot be listed.
    #[command(after_help = "Example:\n  formalize tokens list -o csv")]
    List,
    /// Revoke a token, or sign a user out of web pages
    ///
    /// API tokens of a user remain valid when the sessions are ended.
    #[command(
        after_help = "Example:\n  formalize tokens revoke 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b\n  formalize tokens revoke --sessions-of alice"
    )]
    Revoke {
        /// The identifier of the token or session, as `formalize tokens list` shows it
        #[arg(value_parser = args::token_id, required_unless_present = "sessions_of")]
        id: Option<TokenId>,
        /// End all sessions of this user
        #[arg(long, value_name = "USER", conflicts_with = "id")]
        sessions_of: Option<UserId>,
    },
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Create { user, expires } => create(session, user, expires).await,
            Self::List => list(session).await,
            Self::Revoke { id, sessions_of } => {
                if let Some(user) = sessions_of {
                    end_sessions(session, &user).await?;
                }
                match id {
                    Some(id) => revoke(session, id).await,
                    None => Ok(()),
                }
            }
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

/// The token exists and is valid although it could not be printed.
fn lost(token: &ApiToken, error: &io::Error) -> Failure {
    let revoke = format!("revoke it with `formalize tokens revoke {}`", token.id);
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

async fn end_sessions(session: &mut Session, user: &UserId) -> Outcome {
    let sessions = session.formalize.sessions();
    let ended = sessions.end_all_of(&session.caller, user).await?;
    let noun = if ended == 1 { "session" } else { "sessions" };
    note(&format!("ended {ended} {noun} of `{user}`"));
    Ok(())
}
