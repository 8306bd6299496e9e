//! Reading what the forms of the console send.

use formalize_core::{Field, Timestamp};
use formalize_http::config::PageTimeZone;

use super::super::{sent::Sent, visit::Visit};

/// Values that a page has sent, and the fields among them that cannot be read. Inputs have the names of fields.
pub(super) struct Entered<'a> {
    sent: &'a Sent,
    zone: &'a PageTimeZone,
    wrong: Vec<Field>,
}

impl<'a> Entered<'a> {
    pub(super) fn new(visit: &'a Visit, sent: &'a Sent) -> Self {
        Self::in_zone(&visit.site.zone, sent)
    }

    /// The same, with times in another time zone than that of pages.
    pub(super) fn in_zone(zone: &'a PageTimeZone, sent: &'a Sent) -> Self {
        Self {
            sent,
            zone,
            wrong: Vec::new(),
        }
    }

    /// The text of an input without blanks around it.
    pub(super) fn text(&self, field: Field) -> &'a str {
        self.sent.own(field.as_str()).unwrap_or_default().trim()
    }

    /// Whether a box is ticked.
    pub(super) fn is_ticked(&self, field: Field) -> bool {
        self.sent.own(field.as_str()).is_some()
    }

    /// The values of boxes that are ticked.
    pub(super) fn ticked(&self, field: Field) -> impl Iterator<Item = &'a str> {
        self.sent.values(field.as_str())
    }

    /// A value that is required.
    pub(super) fn required<T, E>(
        &mut self,
        field: Field,
        read: impl FnOnce(&'a str) -> Result<T, E>,
    ) -> Option<T> {
        let value = read(self.text(field)).ok();
        if value.is_none() {
            self.wrong.push(field);
        }
        value
    }

    /// A value; `None` also if the input is empty.
    pub(super) fn optional<T, E>(
        &mut self,
        field: Field,
        read: impl FnOnce(&'a str) -> Result<T, E>,
    ) -> Option<T> {
        if self.text(field).is_empty() {
            None
        } else {
            self.required(field, read)
        }
    }

    /// A time in the time zone. An input that shows a stored time and was not changed keeps it exactly, though
    /// pages show no fractions of a second.
    pub(super) fn time(&mut self, field: Field, stored: Option<Timestamp>) -> Option<Timestamp> {
        let zone = self.zone;
        let stored = stored.filter(|stored| shown(zone, *stored) == self.text(field));
        stored.or_else(|| self.optional(field, |text| zone.instant(text).ok_or(())))
    }

    /// A whole number.
    pub(super) fn number<T, E>(
        &mut self,
        field: Field,
        read: impl FnOnce(i64) -> Result<T, E>,
    ) -> Option<T> {
        self.optional(field, |text| {
            let number = text.parse().map_err(|_| ())?;
            read(number).map_err(|_| ())
        })
    }

    /// A field that is wrong for another reason.
    pub(super) fn refuse(&mut self, field: Field) {
        self.wrong.push(field);
    }

    /// The fields that cannot be read.
    pub(super) fn wrong(self) -> Vec<Field> {
        self.wrong
    }
}

/// A time as an input of HTML has it.
pub(super) fn shown(zone: &PageTimeZone, time: Timestamp) -> String {
    let local = zone.local(time);
    // Browsers send a time without seconds if they are zero.
    local
        .strip_suffix(":00")
        .map_or(local.clone(), str::to_owned)
}
