//! The text of a stream. Each event ends with an empty line; a line with a colon in front is a comment.

use formalize_core::events::FeedEvent;

use formalize_views::{event::Event, json};

use crate::urls::url_of_content;

/// Tells the client when to connect again.
pub(super) fn retry(millis: u32) -> String {
    format!("retry: {millis}\n\n")
}

/// An event: its cursor, its type, and its JSON, which has no line breaks. `None` for a kind of record that the interface
/// does not have.
pub(super) fn event(of: FeedEvent, with_items: bool, base_url: &str) -> Option<String> {
    let cursor = of.cursor.clone();
    let event = shown(of, with_items, base_url)?;
    let (name, data) = (&event.r#type, json(&event));
    Some(format!("id: {cursor}\nevent: {name}\ndata: {data}\n\n"))
}

/// The event, with its record if the request asks for that. `None` for a kind of record that the interface does not have.
pub(crate) fn shown(event: FeedEvent, with_items: bool, base_url: &str) -> Option<Event> {
    if with_items {
        Event::with_item(event, |file| url_of_content(file, base_url))
    } else {
        Event::new(event.event)
    }
}

/// A comment, which keeps the connection open. With a cursor, the client continues behind it if it connects again.
pub(super) fn heartbeat(cursor: Option<&str>) -> String {
    match cursor {
        Some(cursor) => format!(":\nid: {cursor}\n\n"),
        None => ":\n\n".to_owned(),
    }
}
