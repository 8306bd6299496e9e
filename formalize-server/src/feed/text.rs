//! The text of a stream. Each event ends with an empty line; a line with a colon in front is a comment.

use formalize_core::events::FeedEvent;

use crate::wire::{event::Event, json};

/// Tells the client when to connect again.
pub(super) fn retry(millis: u32) -> String {
    format!("retry: {millis}\n\n")
}

/// An event: its cursor, its type, and its JSON, which has no line breaks. `None` for a kind of record that the interface
/// does not have.
pub(super) fn event(shown: FeedEvent, with_items: bool, base_url: &str) -> Option<String> {
    let cursor = shown.cursor.clone();
    let event = Event::new(shown, with_items, base_url)?;
    let (name, data) = (&event.event_type, json(&event));
    Some(format!("id: {cursor}\nevent: {name}\ndata: {data}\n\n"))
}

/// A comment, which keeps the connection open. With a cursor, the client continues behind it if it connects again.
pub(super) fn heartbeat(cursor: Option<&str>) -> String {
    match cursor {
        Some(cursor) => format!(":\nid: {cursor}\n\n"),
        None => ":\n\n".to_owned(),
    }
}
