//! Forms and groups, given by identifier or by name.

use std::convert::Infallible;
use std::fmt::Display;
use std::str::FromStr;

use formalize_core::{FormFilter, FormId, GroupFilter, GroupId, Timestamp};

use crate::failure::{Exit, Failure};
use crate::session::{Session, each_page, with_spinner};

/// A record as given on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reference<I> {
    Identifier(I),
    /// Any text that is not a valid identifier.
    Name(String),
}

impl<I: FromStr> Reference<I> {
    pub(crate) fn of(text: &str) -> Self {
        let id = text.parse();
        id.map_or_else(|_| Self::Name(text.to_owned()), Self::Identifier)
    }
}

impl<I: FromStr> FromStr for Reference<I> {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::of(text))
    }
}

/// The least number of characters with which an identifier may be given.
const LEAST_BEGINNING: usize = 8;

/// Whether a text may be the beginning of an identifier.
fn is_beginning(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    text.len() >= LEAST_BEGINNING && text.bytes().all(fits)
}

/// A record that a text may mean.
struct Candidate<I> {
    id: I,
    name: String,
    created: Timestamp,
}

/// The records that a text may mean: those with this name, and those whose identifiers begin with it.
struct Candidates<'t, I> {
    text: &'t str,
    named: Vec<Candidate<I>>,
    beginning: Vec<Candidate<I>>,
}

impl<'t, I: Copy + Display> Candidates<'t, I> {
    fn of(text: &'t str) -> Self {
        Self {
            text,
            named: Vec::new(),
            beginning: Vec::new(),
        }
    }

    fn look_at(&mut self, id: I, name: &str, created: Timestamp) {
        let candidate = || Candidate {
            id,
            name: name.to_owned(),
            created,
        };
        if name == self.text {
            self.named.push(candidate());
        }
        let text = self.text.to_ascii_lowercase();
        if is_beginning(&text) && id.to_string().starts_with(&text) {
            self.beginning.push(candidate());
        }
    }

    /// The only one. A name comes before the beginning of an identifier.
    fn only(&self, kind: &str) -> Result<I, Failure> {
        let text = self.text;
        let (found, several) = if self.named.is_empty() {
            (
                &self.beginning,
                format!("{kind}s have identifiers that begin with `{text}`; add more characters"),
            )
        } else {
            (
                &self.named,
                format!("{kind}s are named `{text}`; use an identifier"),
            )
        };
        match found.as_slice() {
            [only] => Ok(only.id),
            [] => Err(Failure::new(
                Exit::NotFound,
                format!("no {kind} has the identifier or name `{text}`"),
            )),
            _ => Err(ambiguous(&several, found)),
        }
    }
}

/// The maximum number of candidates in an error.
const LISTED: usize = 10;

fn ambiguous<I: Display>(several: &str, found: &[Candidate<I>]) -> Failure {
    let number = found.len();
    let failure = Failure::usage(format!("{number} {several}"));
    let failure = found.iter().take(LISTED).fold(failure, |failure, one| {
        let Candidate { id, name, created } = one;
        failure.with_detail(&format!("{id}, `{name}`, created {created}"))
    });
    match number.saturating_sub(LISTED) {
        0 => failure,
        more => failure.with_detail(&format!("and {more} more")),
    }
}

impl Session {
    /// Finds a form by its identifier, its name, or the beginning of its identifier, if it is the only one that the user may
    /// read.
    pub(crate) async fn form(&self, form: &Reference<FormId>) -> Result<FormId, Failure> {
        let name = match form {
            Reference::Identifier(id) => return Ok(*id),
            Reference::Name(name) => name,
        };
        let forms = self.formalize.forms();
        let mut found = Candidates::of(name);
        let search = each_page(
            async |request| {
                forms
                    .list(&self.caller, &FormFilter::default(), request)
                    .await
            },
            |page| {
                for form in page.into_iter().map(|view| view.item) {
                    found.look_at(form.id, form.name.as_str(), form.date_created);
                }
                Ok(())
            },
        );
        with_spinner("searching forms", search).await?;
        found.only("form")
    }

    /// Finds a group by its identifier, its name, or the beginning of its identifier, if it is the only one that the user may
    /// read.
    pub(crate) async fn group(&self, group: &Reference<GroupId>) -> Result<GroupId, Failure> {
        let name = match group {
            Reference::Identifier(id) => return Ok(*id),
            Reference::Name(name) => name,
        };
        let groups = self.formalize.groups();
        // A search by name does not find identifiers.
        let filter = GroupFilter {
            search: Some(name.clone()).filter(|name| !is_beginning(name)),
        };
        let mut found = Candidates::of(name);
        let search = each_page(
            async |request| groups.list(&self.caller, &filter, request).await,
            |page| {
                for group in page.into_iter().map(|view| view.item) {
                    found.look_at(group.id, group.name.as_str(), group.date_created);
                }
                Ok(())
            },
        );
        with_spinner("searching groups", search).await?;
        found.only("group")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_other_than_identifiers_are_names() {
        let id = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";
        let given = |text: &str| text.parse::<Reference<FormId>>().unwrap();
        assert_eq!(given(id), Reference::Identifier(id.parse().unwrap()));
        for name in ["", "Workshop", "0193a5b6"] {
            assert_eq!(given(name), Reference::Name(name.to_owned()));
        }
    }

    const CREATED: &str = "2026-11-21T08:00:00Z";

    /// What the text means among these records.
    fn meant(text: &str, records: &[(&'static str, &str)]) -> Result<&'static str, Failure> {
        let created = CREATED.parse().unwrap();
        let mut found = Candidates::of(text);
        for (id, name) in records {
            found.look_at(*id, name, created);
        }
        found.only("form")
    }

    #[test]
    fn a_name_comes_before_the_beginning_of_an_identifier() {
        let records = [
            ("0193a5b6-7c8d", "Workshop"),
            ("0193a5b6-9000", "0193a5b6"),
            ("0193a5b7-0000", "Course"),
        ];
        for (text, expected) in [
            ("Workshop", "0193a5b6-7c8d"),
            ("0193a5b6", "0193a5b6-9000"),
            ("0193A5B6-7", "0193a5b6-7c8d"),
            ("0193a5b7", "0193a5b7-0000"),
        ] {
            assert_eq!(meant(text, &records), Ok(expected), "{text}");
        }
        for text in ["workshop", "0193a5b", "0193a5b8", "Work"] {
            let refused = meant(text, &records).unwrap_err();
            assert_eq!(refused.exit, Exit::NotFound, "{text}");
        }
        let two = meant("0193a5b6", &records[..1]).unwrap();
        assert_eq!(two, "0193a5b6-7c8d");
        let both = [("0193a5b6-7c8d", "A"), ("0193a5b6-9000", "B")];
        let refused = meant("0193a5b6-", &both).unwrap_err();
        assert_eq!(refused.exit, Exit::Usage);
        let report = refused.report();
        assert!(report.contains("0193a5b6-9000, `B`, created"), "{report}");
    }

    #[test]
    fn the_number_of_listed_candidates_is_limited() {
        let records = [("x", "F"); 12];
        let report = meant("F", &records).unwrap_err().report();
        assert!(report.starts_with(
            "error: 12 forms are named `F`; use an identifier\n  x, `F`, created 2026"
        ));
        assert!(report.ends_with("  and 2 more\n"), "{report}");
        assert_eq!(report.lines().count(), 12);
    }
}
