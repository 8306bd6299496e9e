//! The conditions of a list of the directory, as the client writes them: `filter[x][condition][path]=code` with an operator
//! and a value, or shorter, `filter[code]="448002"`.
//!
//! The client takes the first record of a list for the one that it looked for. So a condition that is not understood
//! matches nothing: with all records, the client would go on with another one than the user chose.

use std::collections::BTreeMap;

use formalize_http::directory::{Member, Record, Wanted};
use serde_json::Value;

use crate::request::Query;

/// The name of the parameters.
const FILTER: &str = "filter";
/// The maximum number of values of all conditions together. Each one is looked for in every record.
const MOST_VALUES: usize = 20;
/// What the path of a member of the local data begins with.
const LOCAL_DATA: &str = "localData.";

/// The conditions that records of a list must meet.
#[derive(Debug)]
pub(crate) enum Filter {
    /// All of these; none if there is no filter.
    Of(Vec<Wanted>),
    /// One of them was not understood, or they have too many values.
    NotUnderstood,
}

/// What the parameters say about one condition.
#[derive(Debug, Default)]
struct Sent {
    path: Option<String>,
    operator: Option<String>,
    value: Option<String>,
    values: Vec<String>,
}

impl Filter {
    /// The conditions in a query.
    pub(crate) fn of(query: &Query) -> Self {
        let mut conditions = BTreeMap::new();
        for (name, value) in query.beginning_with(FILTER) {
            let Some(rest) = name.strip_prefix(FILTER) else {
                continue;
            };
            if !rest.is_empty() && !rest.starts_with('[') {
                // It is another parameter, whose name begins like this.
                continue;
            }
            if read(rest, value, &mut conditions).is_none() {
                return Self::NotUnderstood;
            }
        }
        let values = conditions.values().map(Sent::count);
        if values.sum::<usize>() > MOST_VALUES {
            return Self::NotUnderstood;
        }
        let wanted: Option<Vec<Wanted>> = conditions.into_values().map(Sent::wanted).collect();
        wanted.map_or(Self::NotUnderstood, Self::Of)
    }

    /// Whether a record meets all conditions. Local data that the caller may not read meets none.
    pub(crate) fn finds(&self, record: &Record, reads_local_data: impl Fn(&str) -> bool) -> bool {
        let Self::Of(wanted) = self else {
            return false;
        };
        wanted.iter().all(|one| {
            (!record.keeps_privately(one) || reads_local_data(record.identifier()))
                && record.has(one)
        })
    }
}

/// Adds a parameter to its condition. `None` if it is not part of one.
fn read(rest: &str, value: &str, conditions: &mut BTreeMap<String, Sent>) -> Option<()> {
    let keys = rest.strip_prefix('[')?.strip_suffix(']')?;
    let keys: Vec<&str> = keys.split("][").collect();
    let (id, keys) = keys.split_first().filter(|(id, _)| !id.is_empty())?;
    let sent = conditions.entry((*id).to_owned()).or_default();
    let (keys, is_short) = match keys {
        ["condition", keys @ ..] => (keys, false),
        keys => (keys, true),
    };
    if is_short {
        // It is named after the member.
        sent.path.get_or_insert_with(|| (*id).to_owned());
    }
    let place = match keys {
        ["path"] if !is_short => &mut sent.path,
        ["operator"] => &mut sent.operator,
        ["value"] => &mut sent.value,
        [] if is_short => &mut sent.value,
        ["value", _] => {
            sent.values.push(value.to_owned());
            return Some(());
        }
        _ => return None,
    };
    let is_new = place.replace(value.to_owned()).is_none();
    is_new.then_some(())
}

impl Sent {
    /// The number of values.
    fn count(&self) -> usize {
        self.value.iter().chain(&self.values).count()
    }

    /// The condition; `None` if it is incomplete or has another operator.
    fn wanted(self) -> Option<Wanted> {
        let path = self.path?;
        let member = match path.strip_prefix(LOCAL_DATA) {
            Some(name) => Member::OfLocalData(name.to_owned()),
            None => Member::Public(path),
        };
        let values = match (self.operator.as_deref().unwrap_or("EQUALS"), self.value) {
            ("EQUALS", Some(value)) if self.values.is_empty() => vec![value],
            ("IN", None) if !self.values.is_empty() => self.values,
            _ => return None,
        };
        let values: Option<Vec<Value>> = values
            .iter()
            .map(|value| formalize_core::parse_json(value).ok())
            .collect();
        Wanted::new(member, values?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_understood(query: &str) -> bool {
        let query = Query::read(Some(query)).unwrap();
        matches!(Filter::of(&query), Filter::Of(_))
    }

    #[test]
    fn a_condition_is_complete_or_matches_nothing() {
        for query in [
            "",
            "search=x&filterless=y",
            "filter[a]=1",
            "filter[a]=\"x\"",
            "filter[a][value]=true",
            "filter[a][operator]=EQUALS&filter[a][value]=null",
            "filter[a][operator]=IN&filter[a][value][]=1&filter[a][value][]=2",
            "filter[a][operator]=IN&filter[a][value][0]=1",
            "filter%5Bx%5D%5Bcondition%5D%5Bpath%5D=a&filter[x][condition][value]=1",
        ] {
            assert!(is_understood(query), "{query}");
        }
        let many = |number| "&filter[a][value][]=1".repeat(number) + "&filter[a][operator]=IN";
        assert!(is_understood(&many(20)) && !is_understood(&many(21)));
        assert!(!is_understood(&format!("filter[b]=1{}", many(20))));
        for query in [
            "filter=x",
            "filter[]=1",
            "filter[a=1",
            "filter[a]x=1",
            "filter[a]=x",
            "filter[a]=[1]",
            "filter[a]={}",
            "filter[a]=",
            "filter[a][operator]=EQUALS",
            "filter[a][operator]=NOT_EQUALS&filter[a][value]=1",
            "filter[a][operator]=equals&filter[a][value]=1",
            "filter[a][operator]=IN&filter[a][value]=1",
            "filter[a][operator]=IN&filter[a][value][]=x",
            "filter[a][value][]=1",
            "filter[a][value]=1&filter[a][value][]=1",
            "filter[x][condition][value]=1",
            "filter[x][condition][path]=a",
            "filter[x][condition][path]=a&filter[x][condition][value]=1&filter[x][condition][memberOf]=y",
            "filter[y][group][conjunction]=OR",
            "filter[a][value][0][1]=1",
            "filter[a][path]=b&filter[a][value]=1",
            "filter[a]=1&filter[a]=1",
            "filter[a]=1&filter[a][condition][path]=b",
            "filter[a]=1&filter[b]=x",
        ] {
            assert!(!is_understood(query), "{query}");
        }
    }
}
