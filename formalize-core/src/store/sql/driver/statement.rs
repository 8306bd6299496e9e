//! Statements and their arguments.

use std::borrow::Cow;

#[cfg(feature = "postgres")]
use sqlx::postgres::PgArguments;
#[cfg(feature = "postgres")]
use sqlx::{Arguments as _, AssertSqlSafe};
use uuid::Uuid;

#[cfg(any(test, feature = "plans"))]
use super::Dialect;
use super::Places;
#[cfg(feature = "postgres")]
use super::fault;
#[cfg(feature = "postgres")]
use crate::store::StoreResult;

/// A statement with its arguments.
#[derive(Debug, Clone)]
pub(in crate::store::sql) struct Statement<'a> {
    pub(in crate::store::sql::driver) text: Cow<'static, str>,
    pub(in crate::store::sql::driver) arguments: Vec<Argument<'a>>,
    brief: bool,
    places: Places,
}

/// A statement without arguments. The text contains no user data.
#[cfg_attr(feature = "plans", track_caller)]
pub(in crate::store::sql) fn sql<'a>(text: impl Into<Cow<'static, str>>) -> Statement<'a> {
    let mut places = Places::default();
    places.add_caller();
    Statement {
        text: text.into(),
        arguments: Vec::new(),
        brief: false,
        places,
    }
}

impl<'a> Statement<'a> {
    /// Adds the next argument of `$1..$n`.
    #[cfg_attr(feature = "plans", track_caller)]
    pub(in crate::store::sql) fn bind(mut self, argument: impl Into<Argument<'a>>) -> Self {
        self.arguments.push(argument.into());
        self.places.add_caller();
        self
    }

    /// Marks a statement that touches few rows regardless of the size of the database, and therefore finishes quickly.
    pub(in crate::store::sql) fn brief(mut self) -> Self {
        self.brief = true;
        self
    }

    #[cfg(feature = "sqlite")]
    pub(in crate::store::sql::driver) fn is_brief(&self) -> bool {
        self.brief
    }

    /// The statement that returns the plan of this one.
    #[cfg(any(test, feature = "plans"))]
    pub(in crate::store::sql) fn explained(self, dialect: Dialect) -> Self {
        // For SQLite, a text may consist of several statements.
        let text = self.text.split("; ");
        let text = text.map(|statement| format!("{} {statement}", dialect.explain()));
        let text = text.collect::<Vec<_>>().join("; ").into();
        Self { text, ..self }
    }

    /// The statements that return the generic plan of this one. PostgreSQL uses it from the first execution on if it
    /// makes one plan for all arguments.
    #[cfg(all(feature = "plans", feature = "postgres"))]
    pub(in crate::store::sql::driver) fn explained_once(&self) -> [Statement<'static>; 3] {
        let types: Vec<_> = self.arguments.iter().map(Argument::type_name).collect();
        let list = |of: &[&str]| match of {
            [] => String::new(),
            of => format!("({})", of.join(", ")),
        };
        let (types, values) = (list(&types), list(&vec!["NULL"; types.len()]));
        let explain = super::postgres::DIALECT.explain();
        [
            format!("PREPARE planned {types} AS {}", self.text),
            format!("{explain} EXECUTE planned {values}"),
            "DEALLOCATE planned".to_owned(),
        ]
        .map(sql)
    }

    /// Adds the next arguments, and the places where they were created.
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
                Argument::IntColumn(values) => encoded.add(values),
                Argument::TextColumn(values) => encoded.add(values),
            }
            .map_err(|error| fault(sqlx::Error::Encode(error)))?;
        }
        Ok(sqlx::query_with(AssertSqlSafe(self.text), encoded))
    }
}

/// A value for a statement. A missing value keeps its type, which PostgreSQL requires.
#[derive(Debug, Clone)]
pub(in crate::store::sql) enum Argument<'a> {
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
    #[cfg(feature = "postgres")]
    IntColumn(Vec<i64>),
    /// A value for each of several rows, where a row may have none.
    #[cfg(feature = "postgres")]
    TextColumn(Vec<Option<&'a str>>),
}

#[cfg(all(feature = "plans", feature = "postgres"))]
impl Argument<'_> {
    /// The name of the type in PostgreSQL.
    fn type_name(&self) -> &'static str {
        match self {
            Self::Uuid(_) => "UUID",
            Self::Text(_) => "TEXT",
            Self::Int(_) => "BIGINT",
            Self::Bool(_) => "BOOLEAN",
            Self::Texts(_) | Self::TextColumn(_) => "TEXT[]",
            Self::Uuids(_) => "UUID[]",
            Self::IntColumn(_) => "BIGINT[]",
        }
    }
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

#[cfg(feature = "postgres")]
arguments! {
    Vec<i64> as IntColumn: value => value;
    Vec<Option<&'a str>> as TextColumn: value => value;
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
