//! What a page sends.

use std::time::Duration;

use formalize_core::{Fingerprint, IdempotencyKey, KeyedRequest, Revision, questions::Entries};
use formalize_web::{HONEYPOT, Language};
use poem::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{contract::ErrorKey, failure::Refusal, percent};

const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

/// How long a page that was sent can be sent again without effect.
const SENT_AGAIN: Duration = Duration::from_hours(1);

/// The names of inputs that are not questions.
const OWN: [&str; 8] = [
    "do", "token", "revision", "return", "secret", "made", "key", HONEYPOT,
];

/// The inputs of a page, and the button that was pressed.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent {
    pairs: Vec<(String, String)>,
}

/// The button that was pressed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PressedButton<'a> {
    Send,
    Save,
    /// Show the page again, with the questions that apply now.
    Show,
    AddItem(&'a str),
    RemoveItem(&'a str),
}

impl Sent {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// A refusal if the body is not from a page.
    pub(super) fn read(headers: &HeaderMap, body: &[u8]) -> Result<Self, Refusal> {
        let media_type = headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split(';').next())
            .map(str::trim);
        if !media_type.is_some_and(|media_type| media_type.eq_ignore_ascii_case(MEDIA_TYPE)) {
            return Err(Refusal::is(ErrorKey::UnsupportedMediaType));
        }
        let invalid = || Refusal::is(ErrorKey::InvalidRequestBody);
        let text = std::str::from_utf8(body).map_err(|_| invalid())?;
        // Counted first, since each pair takes much more memory than its text.
        if percent::pairs(text).count() > Entries::MAX.saturating_add(OWN.len()) {
            return Err(invalid());
        }
        let pairs = percent::decode_query(text).ok_or_else(invalid)?;
        let sent = Self { pairs };
        if OWN.iter().any(|name| sent.values(name).count() > 1) {
            return Err(invalid());
        }
        Ok(sent)
    }

    /// The values of an input that can have several.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let pairs = self.pairs.iter();
        pairs.filter_map(move |(other, value)| (other == name).then_some(value.as_str()))
    }

    /// The value of an input that is not a question.
    pub(super) fn own(&self, name: &str) -> Option<&str> {
        self.values(name).next()
    }

    /// Whether the input is empty that people do not see, but programs fill in.
    pub(super) fn is_honeypot_empty(&self) -> bool {
        self.own(HONEYPOT).is_none_or(str::is_empty)
    }

    /// Everything but the token against forged requests.
    pub(super) fn without_token(&self) -> Vec<(String, String)> {
        let pairs = self.pairs.iter().filter(|(name, _)| name != "token");
        pairs.cloned().collect()
    }

    /// The button that was pressed.
    ///
    /// # Errors
    ///
    /// A refusal if no page has such a button.
    pub(super) fn press(&self) -> Result<PressedButton<'_>, Refusal> {
        let button = self.own("do").unwrap_or_default();
        Ok(match button.split_once(':') {
            None if button == "send" => PressedButton::Send,
            None if button == "save" => PressedButton::Save,
            None if button == "show" => PressedButton::Show,
            Some(("add", list)) => PressedButton::AddItem(list),
            Some(("remove", item)) => PressedButton::RemoveItem(item),
            _ => return Err(Refusal::is(ErrorKey::InvalidRequestBody)),
        })
    }

    /// The request to create something with this content, which is performed once: a page that is sent twice by accident
    /// creates one thing. The page may also be sent with other content, for another one. `input` is an input whose value no
    /// other page has; if it is empty, the page may be sent any number of times.
    pub(super) fn keyed(&self, input: &str, content: [&str; 2]) -> Option<KeyedRequest> {
        let key = self.own(input).filter(|key| !key.is_empty())?;
        let button = self.own("do").unwrap_or_default();
        let mut hash = Sha256::new();
        for part in [key, button].into_iter().chain(content) {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
        let fingerprint = <[u8; 32]>::from(hash.finalize());
        Some(KeyedRequest {
            key: IdempotencyKey::new(hex::encode(fingerprint)).ok()?,
            fingerprint: Fingerprint(fingerprint),
            retention: SENT_AGAIN,
        })
    }

    /// The answers, after items of lists were added or removed.
    ///
    /// # Errors
    ///
    /// A refusal if they cannot come from a page.
    pub(super) fn entries(&self, language: Language) -> Result<Entries, Refusal> {
        let answers = self.pairs.iter();
        let answers = answers.filter(|(name, _)| !OWN.contains(&name.as_str()));
        let mut entries = entries(answers.cloned(), language)?;
        match self.press()? {
            PressedButton::AddItem(list) => entries.add_item(list),
            PressedButton::RemoveItem(item) => entries.remove_item(item),
            PressedButton::Send | PressedButton::Save | PressedButton::Show => {}
        }
        Ok(entries)
    }

    /// The answers in the preview of a form, beside other inputs, after items of lists were added or removed.
    ///
    /// # Errors
    ///
    /// A refusal if they cannot come from a page.
    pub(super) fn tried(&self, language: Language) -> Result<Entries, Refusal> {
        let is_answer = |name: &str| {
            let prefixes = ["/", "variant:", "items:", "rest:"];
            name == "#" || prefixes.iter().any(|prefix| name.starts_with(prefix))
        };
        let answers = self.pairs.iter().filter(|(name, _)| is_answer(name));
        let mut entries = entries(answers.cloned(), language)?;
        match self.press() {
            Ok(PressedButton::AddItem(list)) => entries.add_item(list),
            Ok(PressedButton::RemoveItem(item)) => entries.remove_item(item),
            _ => {}
        }
        Ok(entries)
    }

    /// The revision of the submission that the page showed.
    ///
    /// # Errors
    ///
    /// A refusal if there is none.
    pub(super) fn revision(&self) -> Result<Revision, Refusal> {
        let revision = self
            .own("revision")
            .and_then(|text| Uuid::parse_str(text).ok());
        let revision = revision.map(Revision::from_uuid);
        revision.ok_or_else(|| Refusal::is(ErrorKey::InvalidRequestBody))
    }
}

/// The answers in a query: those to the questions whose names follow `p:`.
///
/// # Errors
///
/// A refusal if they cannot come from a page.
pub(super) fn prefilled(
    query: &[(String, String)],
    language: Language,
) -> Result<Entries, Refusal> {
    let answers = query.iter().filter_map(|(name, value)| {
        let pointer = name
            .strip_prefix("p:")
            .filter(|name| name.starts_with('/'))?;
        Some((pointer.to_owned(), value.clone()))
    });
    Ok(entries(answers, language)?.with_defaults())
}

fn entries(
    answers: impl Iterator<Item = (String, String)>,
    language: Language,
) -> Result<Entries, Refusal> {
    let entries = Entries::new(answers);
    let entries = entries
        .map_err(|invalid| Refusal::is(ErrorKey::InvalidRequestBody).saying(invalid.to_string()))?;
    Ok(entries.with_decimal_comma(language.has_decimal_comma()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(media_type: &str, body: &str) -> Result<Sent, Refusal> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, media_type.parse().unwrap());
        Sent::read(&headers, body.as_bytes())
    }

    fn sent(body: &str) -> Sent {
        read(MEDIA_TYPE, body).unwrap()
    }

    #[test]
    fn bodies_that_no_page_sends_are_refused() {
        assert!(read("text/plain", "do=send").is_err());
        assert!(read("multipart/form-data; boundary=x", "do=send").is_err());
        assert!(
            read(
                "application/x-www-form-urlencoded; charset=utf-8",
                "do=send"
            )
            .is_ok()
        );
        for body in ["do=%ff", "do=%", "token=a&token=a", "do=send&do=save"] {
            assert!(read(MEDIA_TYPE, body).is_err(), "{body}");
        }
        let most = "/a=1&".repeat(Entries::MAX + OWN.len());
        assert!(read(MEDIA_TYPE, &most).is_ok());
        assert!(read(MEDIA_TYPE, &format!("{most}/a=1")).is_err());
    }

    #[test]
    fn buttons_are_recognized() {
        assert_eq!(sent("do=send").press().unwrap(), PressedButton::Send);
        assert_eq!(sent("do=save").press().unwrap(), PressedButton::Save);
        assert_eq!(
            sent("do=add%3A/a").press().unwrap(),
            PressedButton::AddItem("/a")
        );
        assert_eq!(
            sent("do=remove:/a/0").press().unwrap(),
            PressedButton::RemoveItem("/a/0")
        );
        for body in ["", "do=", "do=drop", "do=send:x"] {
            assert!(sent(body).press().is_err(), "{body}");
        }
    }

    #[test]
    fn answers_are_the_inputs_that_are_questions() {
        let entries = sent("do=send&token=t&/a=x+y")
            .entries(Language::English)
            .unwrap();
        assert_eq!(entries.texts("/a").unwrap(), ["x y"]);
        assert!(sent("do=send&other=1").entries(Language::English).is_err());
    }

    #[test]
    fn a_query_fills_in_answers() {
        let query = percent::decode_query("lang=en&p:/a=1&p:b=2&/c=3").unwrap();
        let entries = prefilled(&query, Language::English).unwrap();
        assert_eq!(entries.texts("/a").unwrap(), ["1"]);
        assert_eq!((entries.texts("b"), entries.texts("/c")), (None, None));
    }
}
