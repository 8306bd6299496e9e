//! How callers are told apart without saying who they are.

use std::{collections::hash_map::RandomState, fmt, hash::BuildHasher, sync::LazyLock};

use formalize_core::Caller;

/// Stands for whoever asks: the same mark for the same user as long as the process runs, and another one afterwards.
///
/// A user's identifier may be a name or an address, and so may be found again for any hash of it that anybody can compute.
/// This one is keyed (`SipHash` with 128 bits); the key is made when it is first needed, and is written nowhere, so that the
/// marks of a log cannot be traced to people, not even by whoever has the log and the database.
///
/// ```
/// use formalize_core::{Caller, UserId};
/// use formalize_server::observe::CallerMark;
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
    /// Somebody without valid credentials.
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
