//! What a page sends.

use std::time::Duration;

use data_encoding::HEXLOWER;
use formalize_core::{
    Revision,
    files::FileId,
    idempotency::{Fingerprint, IdempotencyKey, KeyedRequest},
    questions::Entries,
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_http::percent;
use formalize_web::{HONEYPOT, Language};
use poem::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use uuid::Uuid;

const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

/// How long a page that was sent can be sent again without effect.
const SENT_AGAIN: Duration = Duration::from_hours(1);

/// The name of buttons.
pub(super) const BUTTON: &str = "do";

/// The name of inputs with a file that is to be removed.
const REMOVED_FILE: &str = "remove-file";

/// The names of other inputs that are not questions.
const OWN: [&str; 8] = [
    BUTTON, "token", "revision", "return", "secret", "made", "key", HONEYPOT,
];

/// The maximum number of inputs that a page sends, without files.
pub(super) const MAX_INPUTS: usize = Entries::MAX + OWN.len();

/// The inputs of a page, and the button that was pressed.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent {
    pairs: Vec<(String, String)>,
    /// The button, if the address names it. Then the server knows it before it reads files.
    button: Option<String>,
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
    /// Remove a file when the page is saved or sent.
    RemoveFile(FileId),
    /// Keep a file that was to be removed.
    KeepFile(FileId),
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
        if percent::pairs(text).count() > MAX_INPUTS {
            return Err(invalid());
        }
        let pairs = percent::decode_query(text).ok_or_else(invalid)?;
        Self::of(pairs)
    }

    /// The inputs of a page: pairs of name and value.
    ///
    /// # Errors
    ///
    /// A refusal if no page sends them.
    pub(super) fn of(pairs: Vec<(String, String)>) -> Result<Self, Refusal> {
        let sent = Self {
            pairs,
            button: None,
        };
        let is_repeated = |name: &&str| sent.values(name).count() > 1;
        if sent.pairs.len() > MAX_INPUTS || OWN.iter().any(is_repeated) {
            return Err(Refusal::is(ErrorKey::InvalidRequestBody));
        }
        Ok(sent)
    }

    /// Takes the button that the address names, if it does.
    pub(super) fn pressed_by_address(self, button: Option<&str>) -> Self {
        Self {
            button: button.map(str::to_owned),
            ..self
        }
    }

    fn button(&self) -> &str {
        let named = self.button.as_deref().or_else(|| self.own(BUTTON));
        named.unwrap_or_default()
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
        let button = self.button();
        let file = |id: &str| {
            let id = id.parse::<FileId>();
            id.map_err(|_| Refusal::is(ErrorKey::InvalidRequestBody))
        };
        Ok(match button.split_once(':') {
            None if button == "send" => PressedButton::Send,
            None if button == "save" => PressedButton::Save,
            None if button == "show" => PressedButton::Show,
            Some(("add", list)) => PressedButton::AddItem(list),
            Some(("remove", item)) => PressedButton::RemoveItem(item),
            Some(("remove-file", id)) => PressedButton::RemoveFile(file(id)?),
            Some(("keep-file", id)) => PressedButton::KeepFile(file(id)?),
            _ => return Err(Refusal::is(ErrorKey::InvalidRequestBody)),
        })
    }

    /// The request to create something with this content, which is performed once: a page that is sent twice by accident
    /// creates one thing. The page may also be sent with other content, for another one. `input` is an input whose value no
    /// other page has; if it is empty, the page may be sent any number of times.
    pub(super) fn keyed(&self, input: &str, content: [&str; 2]) -> Option<KeyedRequest> {
        let key = self.own(input).filter(|key| !key.is_empty())?;
        let button = self.button();
        let mut hash = Sha256::new();
        for part in [key, button].into_iter().chain(content) {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
        let fingerprint = <[u8; 32]>::from(hash.finalize());
        Some(KeyedRequest {
            key: IdempotencyKey::new(HEXLOWER.encode(&fingerprint)).ok()?,
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
        let is_answer = |name: &str| !OWN.contains(&name) && name != REMOVED_FILE;
        let answers = answers.filter(|(name, _)| is_answer(name));
        let mut entries = entries(answers.cloned(), language)?;
        match self.press()? {
            PressedButton::AddItem(list) => entries.add_item(list),
            PressedButton::RemoveItem(item) => entries.remove_item(item),
            _ => {}
        }
        Ok(entries)
    }

    /// The files that are to be removed, after the button was pressed.
    ///
    /// # Errors
    ///
    /// A refusal if they cannot come from a page.
    pub(super) fn files_to_remove(&self) -> Result<Vec<FileId>, Refusal> {
        let ids = self.values(REMOVED_FILE).map(str::parse::<FileId>);
        let ids = ids.collect::<Result<Vec<_>, _>>();
        let mut ids = ids.map_err(|_| Refusal::is(ErrorKey::InvalidRequestBody))?;
        match self.press()? {
            PressedButton::RemoveFile(id) => ids.push(id),
            PressedButton::KeepFile(kept) => ids.retain(|id| *id != kept),
            _ => {}
        }
        ids.dedup();
        Ok(ids)
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
    fn files_are_marked_to_be_removed() {
        let (one, two) = (
            "01a1fd1e-8c00-7073-97d6-3f25a7101990",
            "01a1fd1e-8c00-7073-97d6-3f25a7101991",
        );
        let removed = |body: &str| {
            let ids = sent(body).files_to_remove().ok()?;
            Some(ids.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let ids = |ids: &[&str]| Some(ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>());
        assert_eq!(removed("do=send"), ids(&[]));
        let marked = format!("remove-file={one}");
        assert_eq!(removed(&format!("{marked}&do=send")), ids(&[one]));
        let more = format!("{marked}&do=remove-file:{two}");
        assert_eq!(removed(&more), ids(&[one, two]));
        assert_eq!(removed(&format!("{marked}&do=keep-file:{one}")), ids(&[]));
        assert_eq!(removed("remove-file=1&do=send"), None);
        assert_eq!(removed("do=remove-file:1"), None);
        assert!(sent(&more).entries(Language::English).is_ok());
    }

    #[test]
    fn the_address_can_name_the_button() {
        let pressed = sent("do=show").pressed_by_address(Some("save"));
        assert_eq!(pressed.press().unwrap(), PressedButton::Save);
        let pressed = sent("do=show").pressed_by_address(None);
        assert_eq!(pressed.press().unwrap(), PressedButton::Show);
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
