//! The trace of a request according to its `traceparent` header (W3C Trace Context, level 2).

use std::fmt;

use poem::http::HeaderMap;

/// The header.
const TRACEPARENT: &str = "traceparent";

/// The length of the header in version 00, and the minimum in later ones.
const LENGTH: usize = 55;

/// The trace of a request, and the client's span that sent it.
///
/// ```
/// use formalize_http::observe::TraceContext;
///
/// let sent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
/// let context = TraceContext::parse(sent).ok_or("malformed")?;
/// assert_eq!(context.trace_id(), "0af7651916cd43dd8448eb211c80319c");
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceContext {
    trace: u128,
    span: u64,
    flags: u8,
}

impl TraceContext {
    /// The trace of a request; `None` if the header is missing, repeated or malformed.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(TRACEPARENT).iter();
        let (value, None) = (values.next()?, values.next()) else {
            return None;
        };
        Self::parse(value.to_str().ok()?)
    }

    /// Parses a value of the header. Fields that a later version adds are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let (known, rest) = text.split_at_checked(LENGTH)?;
        let mut fields = known.split('-');
        let version = hex(fields.next()?, 2)?;
        let trace = hex(fields.next()?, 32)?;
        let span = hex(fields.next()?, 16)?;
        let flags = hex(fields.next()?, 2)?;
        let fits = match version {
            0 => rest.is_empty(),
            0xff => false,
            _ => rest.is_empty() || rest.starts_with('-'),
        };
        if !fits || fields.next().is_some() || trace == 0 || span == 0 {
            return None;
        }
        Some(Self {
            trace,
            span: u64::try_from(span).ok()?,
            flags: u8::try_from(flags).ok()?,
        })
    }

    /// The trace id, in 32 hexadecimal digits.
    pub fn trace_id(&self) -> String {
        format!("{:032x}", self.trace)
    }

    /// The trace, the span and the flags as numbers.
    pub fn numbers(&self) -> (u128, u64, u8) {
        (self.trace, self.span, self.flags)
    }
}

impl fmt::Display for TraceContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "00-{:032x}-{:016x}-{:02x}",
            self.trace, self.span, self.flags
        )
    }
}

/// Parses lower-case hexadecimal digits of an exact number.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if text.len() != digits || !text.bytes().all(is_digit) {
        return None;
    }
    u128::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;

    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const SPAN: &str = "b7ad6b7169203331";

    #[test]
    fn well_formed_contexts_are_parsed() {
        for flags in ["00", "01", "ff"] {
            let text = format!("00-{TRACE}-{SPAN}-{flags}");
            let context = TraceContext::parse(&text).unwrap();
            assert_eq!(context.to_string(), text);
        }
        for later in ["", "-what", "-"] {
            let text = format!("cc-{TRACE}-{SPAN}-01{later}");
            assert_eq!(TraceContext::parse(&text).unwrap().trace_id(), TRACE);
        }
    }

    #[test]
    fn malformed_contexts_are_ignored() {
        let zeros = "0".repeat(32);
        for text in [
            String::new(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("00-{TRACE}-{SPAN}-01."),
            format!("01-{TRACE}-{SPAN}-01more"),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("00-{zeros}-{SPAN}-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-+{}-{SPAN}-01", TRACE.trim_start_matches('0')),
            format!("00{TRACE}--{SPAN}-01"),
            format!("00-{TRACE}-{SPAN}-0é"),
            "é".repeat(40),
        ] {
            assert_eq!(TraceContext::parse(&text), None, "{text}");
        }
    }

    #[test]
    fn a_repeated_header_is_ignored() {
        let value: HeaderValue = format!("00-{TRACE}-{SPAN}-01").parse().unwrap();
        let mut headers = HeaderMap::new();
        assert_eq!(TraceContext::of(&headers), None);
        headers.append(TRACEPARENT, value.clone());
        assert!(TraceContext::of(&headers).is_some());
        headers.append(TRACEPARENT, value);
        assert_eq!(TraceContext::of(&headers), None);
    }
}
