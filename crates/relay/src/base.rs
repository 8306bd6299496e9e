//! People, organizations, courses and rooms, from the directory.

use std::sync::Arc;

use formalize_core::{Error, PageRequest, Position, authorization::ReadableLocalData};
use formalize_http::config::UnknownPeople;
use formalize_http::contract::ErrorKey;
use formalize_http::directory::{Kind, Record, Records, Search};
use formalize_http::failure::Refusal;
use formalize_http::percent;
use formalize_views::json;
use poem::{Response, http::StatusCode};
use serde_json::{Map, Value};

use crate::{
    filter::Filter,
    hydra::{Item, item},
    request::Visit,
    rows::Rows,
};

/// The local data that a request is to show.
#[derive(Debug)]
struct LocalData {
    names: Vec<String>,
    readable: ReadableLocalData,
}

impl LocalData {
    /// What a request for people asks for, if it does.
    fn of(visit: &Visit, kind: Kind) -> Option<Self> {
        let names = visit.query.text("includeLocal");
        let names = names.filter(|_| kind == Kind::People)?.split(',');
        Some(Self {
            names: names
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
            readable: visit
                .shared
                .core
                .people()
                .readable_local_data(&visit.caller),
        })
    }

    /// The members with these names; null if they do not exist or may not be read.
    fn shown(&self, identifier: &str, record: Option<&Record>) -> Map<String, Value> {
        let record = record.filter(|_| self.readable.includes(identifier));
        let mut found = record.map(Record::local_data).unwrap_or_default();
        let names = self.names.iter();
        names
            .map(|name| (name.clone(), found.remove(name).unwrap_or_default()))
            .collect()
    }
}

/// A record as JSON-LD. Without one, a person has its identifier as its name.
fn element(
    kind: Kind,
    identifier: &str,
    record: Option<&Record>,
    local_data: Option<&LocalData>,
) -> Item<Map<String, Value>> {
    let unknown = || {
        let texts = [
            ("identifier", identifier),
            ("givenName", ""),
            ("familyName", identifier),
        ];
        let members = texts.map(|(name, text)| (name.to_owned(), text.into()));
        members.into_iter().collect()
    };
    let mut members = record.map_or_else(unknown, Record::members);
    if let Some(local_data) = local_data {
        let shown = local_data.shown(identifier, record);
        members.insert("localData".to_owned(), shown.into());
    }
    Item::new(
        format!("/base/{}/{}", kind.plural(), percent::encode(identifier)),
        match kind {
            Kind::People => "Person",
            Kind::Organizations => "Organization",
            Kind::Courses => "Course",
            Kind::Rooms => "Room",
        },
        members,
    )
}

/// A record. By default, every person is found: without a person, the client hides the state and the files of a submission. A
/// caller who may not search for people gets all others as if they were unknown, so that nobody finds out who there is by asking
/// for one identifier after the other.
pub(crate) fn get(visit: &Visit, kind: Kind) -> Result<Response, Refusal> {
    let identifier = visit.subject();
    let directory = &visit.shared.directory;
    let records = directory.records.records(kind);
    let people = visit.shared.core.people();
    let is_shown = kind != Kind::People
        || people
            .readable_local_data(&visit.caller)
            .includes(identifier)
        || people.check_search(&visit.caller).is_ok();
    let record = records.get(identifier).filter(|_| is_shown);
    let is_echoed = kind == Kind::People && directory.unknown_people == UnknownPeople::Echo;
    if record.is_none() && !is_echoed {
        return Err(Refusal::is(ErrorKey::RouteNotFound));
    }
    let local_data = LocalData::of(visit, kind);
    let found = element(kind, identifier, record, local_data.as_ref());
    let base_url = &visit.shared.base_url;
    Ok(item(StatusCode::OK, base_url, found, None))
}

/// The records that a request selects. All batches of a page are read from the same version of the file.
#[derive(Debug)]
pub(crate) struct Selection {
    kind: Kind,
    records: Arc<Records>,
    search: Search,
    filter: Filter,
    /// Whose local data the caller may read.
    readable: ReadableLocalData,
    local_data: Option<LocalData>,
}

/// The rows of a list.
///
/// # Errors
///
/// A refusal if the caller may not search for people.
pub(crate) fn rows(visit: &Visit, kind: Kind) -> Result<Rows, Refusal> {
    if kind == Kind::People {
        visit.shared.core.people().check_search(&visit.caller)?;
    }
    let prepared = visit.query.text("preparedFilter");
    let prepared = prepared.filter(|name| kind == Kind::People && !name.is_empty());
    let people = visit.shared.core.people();
    let text = visit.query.text("search").unwrap_or_default();
    Ok(Rows::Directory(Arc::new(Selection {
        kind,
        records: visit.shared.directory.records.records(kind),
        search: Search::new(text, prepared),
        filter: Filter::of(&visit.query),
        readable: people.readable_local_data(&visit.caller),
        local_data: LocalData::of(visit, kind),
    })))
}

impl Selection {
    /// Some records as JSON, separated by commas, their number, and the cursor of the next ones. For each value of
    /// the filter, it takes a millisecond for some ten thousand records that are not found.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`] if the cursor is not one of this function.
    pub(crate) fn read(
        &self,
        request: &PageRequest,
    ) -> Result<(String, u64, Option<String>), Error> {
        let size = request.size.get() as usize;
        let (begin, skipped) = match &request.position {
            Position::First => (0, 0),
            Position::Number(number) => (0, number.saturating_sub(1) as usize * size),
            Position::Cursor(cursor) => (cursor.parse().map_err(|_| Error::InvalidCursor)?, 0),
        };
        let found = self.records.find(&self.search, begin);
        let may_read = |identifier: &str| self.readable.includes(identifier);
        let mut found = found
            .filter(|(_, record)| self.filter.finds(record, may_read))
            .skip(skipped);
        let local_data = self.local_data.as_ref();
        let rows = found.by_ref().take(size);
        let rows: Vec<String> = rows
            .map(|(_, record)| {
                json(&element(
                    self.kind,
                    record.identifier(),
                    Some(record),
                    local_data,
                ))
            })
            .collect();
        let next = found.next().map(|(index, _)| index.to_string());
        Ok((rows.join(","), rows.len() as u64, next))
    }
}
