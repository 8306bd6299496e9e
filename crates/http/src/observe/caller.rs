//! Distinguishes callers without identifying them.

use std::{collections::hash_map::RandomState, fmt, hash::BuildHasher, sync::LazyLock};

use formalize_core::Caller;

/// A pseudonym of a caller: the same for all requests of a user while the process runs, and different afterwards.
///
/// A user identifier may be a name or an e-mail address, so a plain hash of it could be reversed by guessing. This hash
/// is keyed (`SipHash` with 128 bits). The key is generated on first use and never stored, so the marks in a log cannot
/// be traced to people, even with access to the log and the database.
///
/// ```
/// use formalize_core::{Caller, UserId};
/// use formalize_http::observe::CallerMark;
///
/// let alice = CallerMark::of(&Caller::user(UserId::new("alice@example.org")?));
/// assert_eq!(alice, CallerMark::of(&Caller::user(UserId::new("alice@example.org")?)));
/// assert_ne!(alice, CallerMark::of(&Caller::user(UserId::new("bob@example.org")?)));
/// assert_eq!(alice.to_string().len(), 16);
/// assert_eq!(CallerMark::Anonymous.to_string(), "anonymous");
/// # Ok::<(), formalize_core::InvalidText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerMark {
    /// A caller without valid credentials.
    Anonymous,
    /// A user.
    User(u64),
    /// The service itself.
    System,
}

impl CallerMark {
    /// The mark of a caller.
    pub fn of(caller: &Caller) -> Self {
        static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        caller
            .user_id()
            .map_or(Self::System, |user| Self::User(KEY.hash_one(user.as_str())))
    }
}

impl fmt::Display for CallerMark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anonymous => formatter.write_str("anonymous"),
            Self::User(mark) => write!(formatter, "{mark:016x}"),
            Self::System => formatter.write_str("system"),
        }
    }
}
