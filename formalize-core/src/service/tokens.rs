//! Use cases of API tokens.

use super::secrets::{Secret, SecretKind};
use super::{End, Shared, check_user};
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::{TokenId, UuidV7Source};
use crate::model::action::Actions;
use crate::model::subject::{Attributes, Caller, User, UserId};
use crate::model::token::{ApiToken, NewApiToken, NewOwnToken, Session, TokenKind};
use crate::page::{Page, PageRequest};
use crate::time::Timestamp;

/// Creates a token that never expires, before the service is running.
pub(super) fn issue(
    ids: &UuidV7Source,
    now: Timestamp,
    user: &UserId,
) -> Result<(ApiToken, Secret)> {
    let new = NewApiToken {
        user: user.clone(),
        attributes: Attributes::new(),
        date_expires: None,
    };
    make(ids, now, new)
}

fn make(ids: &UuidV7Source, now: Timestamp, new: NewApiToken) -> Result<(ApiToken, Secret)> {
    check_user(&new.user)?;
    let secret = Secret::new(SecretKind::Api)?;
    let token = ApiToken {
        id: TokenId::from_uuid(ids.next(now)),
        kind: TokenKind::Api,
        user: new.user,
        attributes: new.attributes,
        date_created: now,
        date_expires: new.date_expires,
        date_last_used: None,
        label: None,
        origin: None,
    };
    Ok((token, secret))
}

/// API tokens. The system issues and revokes them, and users present them.
pub struct TokensService<'a>(pub(super) &'a Shared);

impl TokensService<'_> {
    /// Issues a token. This is the only time that the secret is returned.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system, [`Error::UserReserved`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// assert_eq!(token.user.as_str(), "alice");
    /// let caller = formalize.tokens().authenticate(secret.expose()).await?;
    /// assert_eq!(caller, Some(Caller::user(UserId::new("alice")?)));
    /// # Ok(()) });
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewApiToken) -> Result<(ApiToken, Secret)> {
        self.0.check(caller, Operation::TokenCreate)?;
        let (token, secret) = make(&self.0.ids, self.0.now(), new)?;
        let work = writing!(|tx| tx.write_tokens()?.insert_token(&token, &secret.hash()));
        self.0.transact(work).await?;
        Ok((token, secret))
    }

    /// Lists the tokens that are not revoked, and the sessions.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system, [`Error::InvalidCursor`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// let page = formalize.tokens().list(&Caller::System, &PageRequest::default()).await?;
    /// assert_eq!(page.items, [token]);
    /// # Ok(()) });
    /// ```
    pub async fn list(&self, caller: &Caller, request: &PageRequest) -> Result<Page<ApiToken>> {
        self.0.check(caller, Operation::TokenList)?;
        let list = self.0.listing("tokens", caller, &[], request)?;
        let read = reading!(|tx| tx.read_tokens()?.tokens(list.window));
        let tokens = self.0.read_once(read).await?;
        Ok(list.page(tokens, |token| token.id.as_uuid()))
    }

    /// Revokes a token, or ends a session.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system, [`Error::TokenNotFound`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// formalize.tokens().revoke(&Caller::System, token.id).await?;
    /// assert_eq!(formalize.tokens().authenticate(secret.expose()).await?, None);
    /// # Ok(()) });
    /// ```
    pub async fn revoke(&self, caller: &Caller, id: TokenId) -> Result<()> {
        self.0.check(caller, Operation::TokenRevoke)?;
        let deleting = self.0.transact(async |mut tx| {
            let existed = tx.write_tokens()?.delete_token(id).await?;
            ensure!(existed, Error::TokenNotFound);
            Ok(End::commit(tx, ()))
        });
        deleting.await?;
        self.0.known_tokens.forget_all();
        Ok(())
    }

    /// Whether the caller may create API tokens for itself.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let alice = Caller::user(UserId::new("alice")?);
    /// assert!(!formalize.tokens().may_create_own(&alice), "she is not an administrator");
    /// # Ok(()) });
    /// ```
    pub fn may_create_own(&self, caller: &Caller) -> bool {
        let authorizer = self.0.authorizer(caller);
        let allowed = authorizer.allows(Operation::OwnTokenCreate, &Actions::default());
        allowed && matches!(caller, Caller::User(_))
    }

    /// Issues an API token for the user of a session, with the attributes that the user has in it. This is the only time
    /// that the secret is returned.
    ///
    /// The policy `create_tokens` says who may do this; by default administrators. If the session began with an API token,
    /// the new one ends with that: it expires no later, and is revoked with it. Otherwise somebody who has found a token
    /// could make another one that is valid for longer.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`], also if the token with which the session began is no longer valid; [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let policies = Policies {
    ///     create_tokens: Some(Condition::compile(r#"user.id == "alice""#)?),
    ///     ..Policies::default()
    /// };
    /// let store = Arc::new(MemoryStore::new());
    /// let formalize = Formalize::builder(store).policies(policies).build().await?;
    ///
    /// let (lifetime, idle) = (Duration::from_hours(12), Duration::from_hours(2));
    /// let new = NewSession { user: UserId::new("alice")?, attributes: Attributes::new(), lifetime, idle };
    /// let (session, _) = formalize.sessions().create(&Caller::System, new).await?;
    /// let new = NewOwnToken { label: None, lifetime: NewOwnToken::MAX_LIFETIME };
    /// let (token, secret) = formalize.tokens().create_own(&session, new).await?;
    /// assert_eq!(formalize.tokens().authenticate(secret.expose()).await?, Some(session.caller));
    /// # Ok(()) });
    /// ```
    pub async fn create_own(
        &self,
        session: &Session,
        new: NewOwnToken,
    ) -> Result<(ApiToken, Secret)> {
        let user = Self::user_of(&session.caller)?;
        self.0.check(&session.caller, Operation::OwnTokenCreate)?;
        let lifetime = new.lifetime.min(NewOwnToken::MAX_LIFETIME);
        let now = self.0.now();
        let own = NewApiToken {
            user: user.id.clone(),
            attributes: user.attributes.clone(),
            date_expires: Some(now.saturating_add(lifetime)),
        };
        let (token, secret) = make(&self.0.ids, now, own)?;
        let token = ApiToken {
            label: new.label,
            origin: session.origin,
            ..token
        };
        let writing = self.0.transact(async |mut tx| {
            let mut token = token.clone();
            if let Some(origin) = session.origin {
                let origin = tx.write_tokens()?.lock_token_shared(origin).await?;
                let origin = origin.filter(|origin| origin.is_valid(now));
                token = token.within(&origin.ok_or(Error::Forbidden)?);
            }
            let tokens = tx.write_tokens()?;
            tokens.insert_token(&token, &secret.hash()).await?;
            Ok(End::commit(tx, token))
        });
        Ok((writing.await?, secret))
    }

    /// Lists the API tokens and sessions of the caller.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is a user, [`Error::InvalidCursor`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// let alice = Caller::user(UserId::new("alice")?);
    /// let page = formalize.tokens().list_own(&alice, &PageRequest::default()).await?;
    /// assert_eq!(page.items, [token]);
    /// # Ok(()) });
    /// ```
    pub async fn list_own(&self, caller: &Caller, request: &PageRequest) -> Result<Page<ApiToken>> {
        let user = Self::user_of(caller)?;
        self.0.check(caller, Operation::OwnTokenList)?;
        let list = self.0.listing("own tokens", caller, &[], request)?;
        let reading = self.0.read_once(async |mut tx| {
            let tokens = tx.read_tokens()?.tokens_of(&user.id, list.window).await?;
            Ok(list.page(tokens, |token| token.id.as_uuid()))
        });
        reading.await
    }

    /// Revokes an API token of the caller, or ends a session of the caller.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is a user, [`Error::TokenNotFound`] also for tokens of others,
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// let bob = Caller::user(UserId::new("bob")?);
    /// let refused = formalize.tokens().revoke_own(&bob, token.id).await;
    /// assert!(matches!(refused, Err(Error::TokenNotFound)));
    /// # Ok(()) });
    /// ```
    pub async fn revoke_own(&self, caller: &Caller, id: TokenId) -> Result<()> {
        let user = Self::user_of(caller)?;
        self.0.check(caller, Operation::OwnTokenRevoke)?;
        let deleting = self.0.transact(async |mut tx| {
            let existed = tx.write_tokens()?.delete_token_of(&user.id, id).await?;
            ensure!(existed, Error::TokenNotFound);
            Ok(End::commit(tx, ()))
        });
        deleting.await?;
        self.0.known_tokens.forget_all();
        Ok(())
    }

    /// The user that a caller is. The system and public links have no tokens.
    fn user_of(caller: &Caller) -> Result<&User> {
        match caller {
            Caller::User(user) => Ok(user),
            Caller::System | Caller::Link(_) => Err(Error::Forbidden),
        }
    }

    /// Returns the caller that the secret of an API token identifies; `None` if it is unknown, revoked or expired. The
    /// secret of a session is unknown here.
    ///
    /// A recently authenticated token is not looked up again; see
    /// [`Builder::token_memory`](super::Builder::token_memory).
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// let caller = formalize.tokens().authenticate(secret.expose()).await?;
    /// assert_eq!(caller, Some(Caller::user(UserId::new("alice")?)));
    /// assert_eq!(formalize.tokens().authenticate("guessed").await?, None);
    /// # Ok(()) });
    /// ```
    pub async fn authenticate(&self, secret: &str) -> Result<Option<Caller>> {
        let token = self.0.find_valid(SecretKind::Api, secret).await?;
        Ok(token.map(ApiToken::into_caller))
    }
}
