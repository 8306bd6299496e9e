//! The change feed.

use formalize_core::events::{Event, EventFilter, FeedRequest};

use super::Onlooker;
use crate::model::feed::About;
use crate::model::words::THINGS;

/// An event: its type, and the identifier of its record.
type Seen = (String, String);

impl Onlooker<'_> {
    /// The actor sees exactly the events that the model shows, those about one record in their order. Those of one batch may
    /// have any order.
    pub(super) async fn look_at_feed(&self) {
        let everything = EventFilter::default();
        let request = FeedRequest {
            limit: 1_000,
            ..FeedRequest::default()
        };
        let events = self.service.world.events();
        let page = events.list(&self.caller, &everything, &request).await;
        let seen = page.map(|page| {
            assert!(!page.has_more);
            let events = page.events.iter().map(|shown| seen(&shown.event));
            by_record(events.collect())
        });
        let happened = self.model.events.iter();
        let expected = happened.filter(|event| self.model.learns(self.actor, event));
        let expected = expected.map(|event| (event.kind.to_owned(), self.identifier(event.about)));
        let expected = by_record(expected.collect());
        self.same(seen, Ok(expected), "the change feed");
    }

    fn identifier(&self, about: About) -> String {
        let service = self.service;
        match about {
            About::Group(id) => service.group(id).to_string(),
            About::Member(id, _) => service.membership(id).to_string(),
            About::Grant(id, _) => service.grant(id).to_string(),
            About::Thing(thing, _) => THINGS[thing].to_owned(),
            About::Form(id) => service.form(id).to_string(),
            About::Submission(id, _) => service.submission(id).to_string(),
        }
    }
}

/// Events about one record keep their order.
fn by_record(mut events: Vec<Seen>) -> Vec<Seen> {
    events.sort_by(|(_, one), (_, other)| one.cmp(other));
    events
}

fn seen(event: &Event) -> Seen {
    let kind = event.event_type.as_str();
    let (of, _) = kind.split_once('.').unwrap();
    let member = match of {
        "draft" => "submissionIdentifier".to_owned(),
        of => format!("{of}Identifier"),
    };
    let identifier = event.data.to_json()[member].as_str().unwrap().to_owned();
    (kind.to_owned(), identifier)
}
