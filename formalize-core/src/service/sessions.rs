//! Use cases of sessions, which people have who are signed in to web pages.

use std::time::Duration;

use super::secrets::{Secret, SecretKind};
use super::{End, Shared, check_user};
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::TokenId;
use crate::model::subject::{Caller, UserId};
use crate::model::token::{NewSession, Session};
use crate::store::StoreError;

/// Sessions of people who have signed in to web pages.
///
/// A session is a record among API tokens, where it is listed and can be revoked. Its secret belongs into a cookie. It is
/// accepted only by [`SessionsService::authenticate`], and the secret of an API token is not.
pub struct SessionsService<'a>(pub(super) &'a Shared);

impl SessionsService<'_> {
    /// Begins a session for a user who has signed in. This is the only time that the secret is returned. Every session has
    /// a secret of its own: never continue one that existed before the user signed in. If the user has more than
    /// [`NewSession::MAX_OF_USER`] sessions then, the one that has been unused for longest ends.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system, [`Error::UserReserved`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let new = NewSession {
    ///     user: UserId::new("alice")?,
    ///     attributes: Attributes::new(),
    ///     lifetime: Duration::from_hours(12),
    ///     idle: Duration::from_hours(2),
    /// };
    /// let (session, secret) = formalize.sessions().create(&Caller::System, new).await?;
    /// assert_eq!(session.caller, Caller::user(UserId::new("alice")?));
    /// let found = formalize.sessions().authenticate(secret.expose()).await?;
    /// assert_eq!(found, Some(session));
    /// # Ok(()) });
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewSession) -> Result<(Session, Secret)> {
        self.0.check(caller, Operation::SessionCreate)?;
        let begun = self.begin(new, None).await?;
        begun.ok_or_else(not_a_session)
    }

    /// Begins a session for a user who has signed in with the secret of an API token; `None` if it is unknown, revoked or
    /// expired. The session has the user and the attributes of the token, and ends with it: it expires no later, and is
    /// revoked with it.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system, [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, presented) = formalize.tokens().create(&Caller::System, new).await?;
    /// let (lifetime, idle) = (Duration::from_hours(12), Duration::from_hours(2));
    /// let sessions = formalize.sessions();
    /// let begun = sessions.create_with_token(&Caller::System, presented.expose(), lifetime, idle).await?;
    /// let (session, secret) = begun.ok_or("the token is valid")?;
    /// assert_eq!(session.origin, Some(token.id));
    ///
    /// formalize.tokens().revoke(&Caller::System, token.id).await?;
    /// assert_eq!(sessions.authenticate(secret.expose()).await?, None);
    /// # Ok(()) });
    /// ```
    pub async fn create_with_token(
        &self,
        caller: &Caller,
        secret: &str,
        lifetime: Duration,
        idle: Duration,
    ) -> Result<Option<(Session, Secret)>> {
        self.0.check(caller, Operation::SessionCreate)?;
        let Some(token) = self.0.find_valid(SecretKind::Api, secret).await? else {
            return Ok(None);
        };
        let new = NewSession {
            user: token.user,
            attributes: token.attributes,
            lifetime,
            idle,
        };
        self.begin(new, Some(token.id)).await
    }

    /// Begins a session, which comes from this API token; `None` if that is no longer valid.
    async fn begin(
        &self,
        new: NewSession,
        origin: Option<TokenId>,
    ) -> Result<Option<(Session, Secret)>> {
        check_user(&new.user)?;
        let secret = Secret::new(SecretKind::Session)?;
        let now = self.0.now();
        let token = new.begin(TokenId::from_uuid(self.0.ids.next(now)), now);
        let beginning = self.0.transact(async |mut tx| {
            let mut token = token.clone();
            if let Some(origin) = origin {
                let origin = tx.write_tokens()?.lock_token_shared(origin).await?;
                match origin.filter(|origin| origin.is_valid(now)) {
                    Some(origin) => token = token.within(&origin),
                    None => return Ok(End::roll_back(None)),
                }
            }
            let tokens = tx.write_tokens()?;
            tokens.insert_token(&token, &secret.hash()).await?;
            let most = NewSession::MAX_OF_USER;
            let tokens = tx.write_tokens()?;
            let ended = tokens.delete_surplus_sessions_of(&token.user, most).await?;
            Ok(End::commit(tx, Some((token, ended))))
        });
        let Some((token, ended)) = beginning.await? else {
            return Ok(None);
        };
        if ended > 0 {
            self.0.known_tokens.forget_all();
        }
        let session = Session::of(token).ok_or_else(not_a_session)?;
        Ok(Some((session, secret)))
    }

    /// Returns the session that a secret belongs to; `None` if it is unknown or has ended. The secret of an API token is
    /// unknown here.
    ///
    /// A recently authenticated session is not looked up again; see
    /// [`Builder::token_memory`](super::Builder::token_memory).
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let (lifetime, idle) = (Duration::from_hours(12), Duration::from_hours(2));
    /// # let new = NewSession { user: UserId::new("alice")?, attributes: Attributes::new(), lifetime, idle };
    /// # let (_, secret) = formalize.sessions().create(&Caller::System, new).await?;
    /// if let Some(session) = formalize.sessions().authenticate(secret.expose()).await? {
    ///     let forms = formalize.forms();
    ///     forms.list(&session.caller, &FormFilter::default(), &PageRequest::default()).await?;
    ///     println!("You will be signed out at {}.", session.date_expires);
    /// }
    /// // A session is not an API token.
    /// assert_eq!(formalize.tokens().authenticate(secret.expose()).await?, None);
    /// # Ok(()) });
    /// ```
    pub async fn authenticate(&self, secret: &str) -> Result<Option<Session>> {
        let token = self.0.find_valid(SecretKind::Session, secret).await?;
        Ok(token.and_then(Session::of))
    }

    /// Ends the session that a secret belongs to, when its user signs out. Returns `false` if no session has this secret.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let (lifetime, idle) = (Duration::from_hours(12), Duration::from_hours(2));
    /// # let new = NewSession { user: UserId::new("alice")?, attributes: Attributes::new(), lifetime, idle };
    /// # let (_, secret) = formalize.sessions().create(&Caller::System, new).await?;
    /// assert!(formalize.sessions().end(secret.expose()).await?);
    /// assert_eq!(formalize.sessions().authenticate(secret.expose()).await?, None);
    /// assert!(!formalize.sessions().end(secret.expose()).await?);
    /// # Ok(()) });
    /// ```
    pub async fn end(&self, secret: &str) -> Result<bool> {
        let Some(secret) = SecretKind::Session.hash(secret) else {
            return Ok(false);
        };
        // Looked up first, so that a guessed secret does not wait for writers.
        let find = reading!(|tx| tx.read_tokens()?.find_token(&secret));
        let found = self.0.read_once(find).await?;
        let Some(token) = found.filter(|token| SecretKind::Session.is_of(token)) else {
            return Ok(false);
        };
        let work = writing!(|tx| tx.write_tokens()?.delete_token(token.id));
        let ended = self.0.transact(work).await?;
        self.0.known_tokens.forget_all();
        Ok(ended)
    }

    /// Ends all sessions of a user, and returns their number. API tokens of the user remain valid.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system, [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let (lifetime, idle) = (Duration::from_hours(12), Duration::from_hours(2));
    /// # let new = NewSession { user: UserId::new("alice")?, attributes: Attributes::new(), lifetime, idle };
    /// # let (_, secret) = formalize.sessions().create(&Caller::System, new).await?;
    /// let ended = formalize.sessions().end_all_of(&Caller::System, &UserId::new("alice")?).await?;
    /// assert_eq!(ended, 1);
    /// # Ok(()) });
    /// ```
    pub async fn end_all_of(&self, caller: &Caller, user: &UserId) -> Result<u64> {
        self.0.check(caller, Operation::SessionEndAll)?;
        let work = writing!(|tx| tx.write_tokens()?.delete_sessions_of(user));
        let ended = self.0.transact(work).await?;
        self.0.known_tokens.forget_all();
        Ok(ended)
    }
}

fn not_a_session() -> Error {
    Error::Store(StoreError::Failed(
        "the record of a session is invalid".to_owned(),
    ))
}
