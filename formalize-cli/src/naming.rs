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

impl<I: FromStr> FromStr for Reference<I> {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text
            .parse()
            .map_or_else(|_| Self::Name(text.to_owned()), Self::Identifier))
    }
}

impl Session {
    /// Finds a form by its identifier, or by its name if no other form that the user may read has the same one.
    pub(crate) async fn form(&self, form: &Reference<FormId>) -> Result<FormId, Failure> {
        let name = match form {
            Reference::Identifier(id) => return Ok(*id),
            Reference::Name(name) => name,
        };
        let forms = self.formalize.forms();
        let mut found = Vec::new();
        let search = each_page(
            async |request| {
                forms
                    .list(&self.caller, &FormFilter::default(), request)
                    .await
            },
            |page| {
                let forms = page.into_iter().map(|view| view.item);
                let named = forms.filter(|form| form.name.as_str() == name);
                found.extend(named.map(|form| (form.id, form.date_created)));
                Ok(())
            },
        );
        with_spinner("searching forms", search).await?;
        only("form", name, &found)
    }

    /// Finds a group by its identifier, or by its name if no other group that the user may read has the same one.
    pub(crate) async fn group(&self, group: &Reference<GroupId>) -> Result<GroupId, Failure> {
        let name = match group {
            Reference::Identifier(id) => return Ok(*id),
            Reference::Name(name) => name,
        };
        let groups = self.formalize.groups();
        let filter = GroupFilter {
            search: Some(name.clone()),
        };
        let mut found = Vec::new();
        let search = each_page(
            async |request| groups.list(&self.caller, &filter, request).await,
            |page| {
                let groups = page.into_iter().map(|view| view.item);
                let named = groups.filter(|group| group.name.as_str() == name);
                found.extend(named.map(|group| (group.id, group.date_created)));
                Ok(())
            },
        );
        with_spinner("searching groups", search).await?;
        only("group", name, &found)
    }
}

/// The maximum number of candidates in an error.
const LISTED: usize = 10;

/// The only record with a name.
fn only<I: Copy + Display>(kind: &str, name: &str, found: &[(I, Timestamp)]) -> Result<I, Failure> {
    match found {
        [(id, _)] => Ok(*id),
        [] => Err(Failure::new(
            Exit::NotFound,
            format!("no {kind} has the identifier or name `{name}`"),
        )),
        _ => {
            let number = found.len();
            let message = format!("{number} {kind}s are named `{name}`; use an identifier");
            let listed = found.iter().take(LISTED);
            let failure = listed.fold(Failure::usage(message), |failure, (id, created)| {
                failure.with_detail(&format!("{id}, created {created}"))
            });
            Err(match number.saturating_sub(LISTED) {
                0 => failure,
                more => failure.with_detail(&format!("and {more} more")),
            })
        }
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

    #[test]
    fn the_number_of_listed_candidates_is_limited() {
        let created = "2026-11-21T08:00:00Z".parse().unwrap();
        let found: Vec<_> = (0..12).map(|id| (id, created)).collect();
        assert_eq!(only("form", "F", &found[..1]), Ok(0));
        let none = only::<u8>("form", "F", &[]).unwrap_err();
        assert_eq!(none.exit, Exit::NotFound);
        let report = only("form", "F", &found).unwrap_err().report();
        assert!(
            report
                .starts_with("error: 12 forms are named `F`; use an identifier\n  0, created 2026")
        );
        assert!(report.ends_with("  and 2 more\n"), "{report}");
        assert_eq!(report.lines().count(), 12);
    }
}
