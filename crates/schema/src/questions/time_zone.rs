//! The time zone of times that are entered without an offset from UTC.

use std::fmt;
use std::sync::Arc;

/// Gives the offset from UTC of a local time.
type Offset = dyn Fn(&str) -> Option<String> + Send + Sync;

/// The time zone of the people who fill in a form. Inputs of HTML have none, but JSON Schema requires one.
///
/// ```
/// use formalize_schema::questions::TimeZone;
///
/// let zone = TimeZone::new("Africa/Nairobi", |_| Some("+03:00".to_owned()));
/// assert_eq!(zone.name(), "Africa/Nairobi");
/// assert!(zone.applies_to("2026-01-31T08:30:00+03:00"));
/// assert!(!zone.applies_to("2026-01-31T08:30:00Z"));
/// ```
#[derive(Clone)]
pub struct TimeZone {
    name: Arc<str>,
    offset: Arc<Offset>,
}

impl TimeZone {
    /// A time zone with this name.
    ///
    /// `offset` gives the offset of a local time, such as `+01:00` or `Z`, or `None` if it cannot read the time. Times are
    /// `2026-01-31T08:30:00`, or `08:30:00` without a date.
    pub fn new(
        name: impl Into<Arc<str>>,
        offset: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            offset: Arc::new(offset),
        }
    }

    /// The name, such as `Europe/Berlin`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a time is in this time zone: it has no offset, or that of this time zone.
    pub fn applies_to(&self, text: &str) -> bool {
        offset_of(text).is_none_or(|offset| {
            let local = text.strip_suffix(offset).unwrap_or_default();
            (self.offset)(local).is_some_and(|own| own == offset)
        })
    }

    /// Appends an offset to a local time that was entered instead of the stored one. If the stored one is not in this time
    /// zone, that is its offset.
    pub(super) fn complete(&self, local: &str, stored: &str) -> String {
        let own = || (self.offset)(local).unwrap_or_else(|| "Z".to_owned());
        let kept = offset_of(stored).filter(|_| !self.applies_to(stored));
        format!("{local}{}", kept.map_or_else(own, str::to_owned))
    }
}

impl Default for TimeZone {
    /// UTC.
    fn default() -> Self {
        Self::new("UTC", |_| Some("Z".to_owned()))
    }
}

impl fmt::Debug for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TimeZone").field(&self.name).finish()
    }
}

/// The offset from UTC of a time, or of a date with a time.
fn offset_of(text: &str) -> Option<&str> {
    // The hyphens of a date do not begin an offset.
    let time = text.rsplit(['T', 't']).next()?;
    let (time, offset) = time.split_at_checked(time.find(['Z', 'z', '+', '-'])?)?;
    let is_part = |one: char| one.is_ascii_digit() || matches!(one, 'Z' | 'z' | '+' | '-' | ':');
    (time.contains(':') && offset.chars().all(is_part)).then_some(offset)
}
