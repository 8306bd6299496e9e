//! Statements and the values that they are given.

use std::borrow::Cow;

#[cfg(feature = "postgres")]
use sqlx::postgres::PgArguments;
#[cfg(feature = "sqlite")]
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe};
use uuid::Uuid;

#[cfg(any(test, feature = "plans"))]
use super::Dialect;
#[cfg(feature = "sqlite")]
use super::fragment;
use super::{Places, fault};
use crate::store::StoreResult;

/// A statement with its arguments.
#[derive(Debug, Clone)]
pub(in crate::store::sql) struct Statement<'a> {
    text: Cow<'static, str>,
    arguments: Vec<Argument<'a>>,
    places: Places,
}

/// A statement without arguments yet. The text holds no user data.
#[cfg_attr(feature = "plans", track_caller)]
pub(in crate::store::sql) fn sql<'a>(text: impl Into<Cow<'static, str>>) -> Statement<'a> {
    let mut places = Places::default();
    places.add_caller();
    Statement {
        text: text.into(),
        arguments: Vec::new(),
        places,
    }
}

impl<'a> Statement<'a> {
    /// Adds the next of `$1..$n`.
    #[cfg_attr(feature = "plans", track_caller)]
    pub(in crate::store::sql) fn bind(mut self, argument: impl Into<Argument<'a>>) -> Self {
        self.arguments.push(argument.into());
        self.places.add_caller();
        self
    }

    /// Whether the statement is known to write nothing.
    #[cfg(feature = "sqlite")]
    pub(in crate::store::sql::driver) fn only_reads(&self) -> bool {
        self.text.starts_with("SELECT ")
    }

    /// The statement with another one before it that has no arguments and gives no rows.
    #[cfg(feature = "sqlite")]
    pub(in crate::store::sql::driver) fn after(self, before: &str) -> Self {
        let text = format!("{before}; {}", self.text).into();
        Self { text, ..self }
    }

    /// The statement that tells the plan of this one.
    #[cfg(any(test, feature = "plans"))]
    pub(in crate::store::sql) fn explained(self, dialect: Dialect) -> Self {
        // SQLite is sent several at a time.
        let text = self.text.split("; ");
        let text = text.map(|statement| format!("{} {statement}", dialect.explain()));
        let text = text.collect::<Vec<_>>().join("; ").into();
        Self { text, ..self }
    }

    /// Adds the next arguments, and where they came from.
    pub(in crate::store::sql) fn bind_all(
        mut self,
        arguments: Vec<Argument<'a>>,
        places: Places,
    ) -> Self {
        self.arguments.extend(arguments);
        self.places.append(places);
        self
    }

    #[cfg(feature = "plans")]
    pub(in crate::store::sql::driver) fn text(&self) -> &str {
        &self.text
    }

    #[cfg(feature = "plans")]
    pub(in crate::store::sql::driver) fn places(&self) -> &Places {
        &self.places
    }

    #[cfg(feature = "sqlite")]
    pub(in crate::store::sql::driver) fn for_sqlite(
        self,
    ) -> StoreResult<sqlx::query::Query<'static, sqlx::Sqlite, SqliteArguments>> {
        let mut encoded = SqliteArguments::default();
        for argument in self.arguments {
            match argument {
                Argument::Uuid(value) => encoded.add(value),
                Argument::Text(value) => encoded.add(value),
                Argument::Int(value) => encoded.add(value),
                Argument::Bool(value) => encoded.add(value),
                Argument::Texts(values) => encoded.add(fragment::json_of_texts(&values)),
                Argument::Uuids(values) => encoded.add(fragment::json_of_uuids(&values)),
            }
            .map_err(|error| fault(sqlx::Error::Encode(error)))?;
        }
        Ok(sqlx::query_with(AssertSqlSafe(self.text), encoded))
    }

    #[cfg(feature = "postgres")]
    pub(in crate::store::sql::driver) fn for_postgres(
        self,
    ) -> StoreResult<sqlx::query::Query<'static, sqlx::Postgres, PgArguments>> {
        let mut encoded = PgArguments::default();
        for argument in self.arguments {
            match argument {
                Argument::Uuid(value) => encoded.add(value),
                Argument::Text(value) => encoded.add(value),
                Argument::Int(value) => encoded.add(value),
                Argument::Bool(value) => encoded.add(value),
                Argument::Texts(values) => encoded.add(values),
                Argument::Uuids(values) => encoded.add(values),
            }
            .map_err(|error| fault(sqlx::Error::Encode(error)))?;
        }
        Ok(sqlx::query_with(AssertSqlSafe(self.text), encoded))
    }
}

/// A value for a statement. What is absent keeps its type, which PostgreSQL asks for.
#[derive(Debug, Clone)]
pub(in crate::store::sql) enum Argument<'a> {
    Uuid(Option<Uuid>),
    Text(Option<Cow<'a, str>>),
    Int(Option<i64>),
    Bool(bool),
    /// A list of any length, for [`Dialect::texts`] and [`Dialect::any_text`].
    Texts(Vec<String>),
    /// A list of any length, for [`Dialect::any_uuid`].
    Uuids(Vec<Uuid>),
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
    i64 as Int: value => Some(value);
    Option<i64> as Int: value => value;
    bool as Bool: value => value;
    Vec<String> as Texts: value => value;
    Vec<Uuid> as Uuids: value => value;
}
