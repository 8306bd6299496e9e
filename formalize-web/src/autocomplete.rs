//! What browsers may complete.

use formalize_core::questions::{Question, QuestionKind};

/// The token of HTML for what a browser may complete.
pub(crate) fn token_of(question: &Question) -> Option<&str> {
    let stated = question
        .autocomplete
        .as_deref()
        .filter(|token| TOKENS.contains(token));
    let usual = || (question.kind == QuestionKind::Email).then_some("email");
    stated.or_else(usual)
}

/// The tokens of `autocomplete` in HTML that are names of fields of one text.
const TOKENS: [&str; 38] = [
    "additional-name",
    "address-level1",
    "address-level2",
    "address-level3",
    "address-level4",
    "address-line1",
    "address-line2",
    "address-line3",
    "bday",
    "bday-day",
    "bday-month",
    "bday-year",
    "country",
    "country-name",
    "email",
    "family-name",
    "given-name",
    "honorific-prefix",
    "honorific-suffix",
    "impp",
    "language",
    "name",
    "nickname",
    "off",
    "organization",
    "organization-title",
    "photo",
    "postal-code",
    "sex",
    "street-address",
    "tel",
    "tel-country-code",
    "tel-extension",
    "tel-local",
    "tel-national",
    "url",
    "username",
    "on",
];
