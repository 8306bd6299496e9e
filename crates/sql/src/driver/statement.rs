//! Statements and their arguments.

use std::borrow::Cow;

use uuid::Uuid;

/// A statement with its arguments.
#[derive(Debug, Clone)]
pub(crate) struct Statement<'a> {
    pub(crate) text: Cow<'static, str>,
    pub(in crate::driver) arguments: Vec<Argument<'a>>,
    brief: bool,
}

/// A statement without arguments. The text contains no user data.
pub(crate) fn sql<'a>(text: impl Into<Cow<'static, str>>) -> Statement<'a> {
    Statement {
        text: text.into(),
        arguments: Vec::new(),
        brief: false,
    }
}

/// A number as an argument. A larger one than a database can have becomes the largest.
pub(crate) fn saturated(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

impl<'a> Statement<'a> {
    /// Adds the next argument of `$1..$n`.
    pub(crate) fn bind(mut self, argument: impl Into<Argument<'a>>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Marks a statement that touches few rows regardless of the size of the database, and therefore finishes quickly.
    pub(crate) fn brief(mut self) -> Self {
        self.brief = true;
        self
    }

    #[cfg_attr(
        not(feature = "sqlite"),
        expect(dead_code, reason = "only SQLite makes a difference")
    )]
    pub(in crate::driver) fn is_brief(&self) -> bool {
        self.brief
    }

    /// Adds the next arguments.
    pub(crate) fn bind_all(mut self, arguments: Vec<Argument<'a>>) -> Self {
        self.arguments.extend(arguments);
        self
    }
}

/// A value for a statement. A missing value keeps its type, which PostgreSQL requires.
#[derive(Debug, Clone)]
pub(crate) enum Argument<'a> {
    Uuid(Option<Uuid>),
    Text(Option<Cow<'a, str>>),
    Int(Option<i64>),
    Bool(bool),
    /// A list of any length, for [`Fragments::texts`](super::fragment::Fragments::texts) and
    /// [`Fragments::any_text`](super::fragment::Fragments::any_text).
    Texts(Vec<String>),
    /// A list of any length, for [`Fragments::any_uuid`](super::fragment::Fragments::any_uuid).
    Uuids(Vec<Uuid>),
    /// A value for each of several rows.
    IntColumn(Vec<i64>),
    /// A value for each of several rows, where a row may have none.
    TextColumn(Vec<Option<&'a str>>),
}

macro_rules! arguments {
    ($($from:ty as $variant:ident: $value:ident => $turned:expr;)+) => {$(
        impl<'a> From<$from> for Argument<'a> {
            fn from($value: $from) -> Self {
                Self::$variant($turned)
            }
        }
    )+};
}

arguments! {
    Uuid as Uuid: value => Some(value);
    Option<Uuid> as Uuid: value => value;
    &'a str as Text: value => Some(Cow::Borrowed(value));
    Option<&'a str> as Text: value => value.map(Cow::Borrowed);
    String as Text: value => Some(Cow::Owned(value));
    Option<String> as Text: value => value.map(Cow::Owned);
    i64 as Int: value => Some(value);
    Option<i64> as Int: value => value;
    bool as Bool: value => value;
    Vec<String> as Texts: value => value;
    Vec<Uuid> as Uuids: value => value;
    Vec<i64> as IntColumn: value => value;
    Vec<Option<&'a str>> as TextColumn: value => value;
}
