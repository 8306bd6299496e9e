//! The header `Retry-After`.

use std::time::Duration;

use formalize_core::Timestamp;
use jiff::fmt::rfc2822;

/// The time to wait: a number of seconds, or a date.
pub(crate) fn parse(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok().map(Duration::from_secs);
    }
    let date = rfc2822::parse(text).ok()?.timestamp().as_millisecond();
    let wait = date.saturating_sub(now.as_millis());
    Some(Duration::from_millis(wait.try_into().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_number_of_seconds_or_a_date() {
        let now: Timestamp = "2026-11-25T08:00:00Z".parse().unwrap();
        for (text, seconds) in [
            ("0", Some(0)),
            (" 120 ", Some(120)),
            ("Wed, 25 Nov 2026 08:02:00 GMT", Some(120)),
            ("Wed, 25 Nov 2026 07:00:00 GMT", Some(0)),
            ("", None),
            ("-1", None),
            ("1.5", None),
            ("soon", None),
            ("99999999999999999999999", None),
        ] {
            assert_eq!(parse(text, now), seconds.map(Duration::from_secs), "{text}");
        }
    }
}
