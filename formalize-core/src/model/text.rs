//! Short texts: names and labels, and opaque strings such as user identifiers, classes and actions.

/// The maximum number of Unicode scalar values in an opaque string.
pub(crate) const MAX_OPAQUE_CHARS: usize = 255;

/// The text does not have 1 to 255 characters, or has control characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have 1 to 255 characters and no control characters")]
pub struct InvalidText;

/// Whether `text` has between one and `most` characters, none of them a control character.
pub(crate) fn is_plain(text: &str, most: usize) -> bool {
    !text.is_empty()
        && text.chars().take(most + 1).count() <= most
        && !text.chars().any(char::is_control)
}

/// Whether `text` is a display name: 1 to `most` characters, not blank, no control characters.
pub(crate) fn is_name(text: &str, most: usize) -> bool {
    is_plain(text, most) && !text.trim().is_empty()
}

/// Folds case by Unicode's simple case folding (`CaseFolding.txt`, status C and S), so that `Ä` matches `ä`. The text is not
/// normalised: `é` as one code point and as two code points stay different.
///
/// ```
/// use formalize_core::store::fold_case;
///
/// assert_eq!(fold_case("Ärzte"), "ärzte");
/// assert_eq!(fold_case("STRASSE"), "strasse");
/// ```
pub fn fold_case(text: &str) -> String {
    let mapper = icu_casemap::CaseMapper::new();
    text.chars()
        .map(|letter| mapper.simple_fold(letter))
        .collect()
}

macro_rules! opaque_texts {
    ($($(#[$doc:meta])* $name:ident $(in $module:ident)?;)+) => {$(
        $(#[$doc])*
        ///
        /// An opaque string of 1 to 255 Unicode scalar values without control characters, compared exactly, code
        /// point by code point.
        ///
        /// ```
        #[doc = concat!("use formalize_core::", $(stringify!($module), "::",)? stringify!($name), ";")]
        ///
        #[doc = concat!("assert_eq!(", stringify!($name), "::new(\"some text\")?.as_str(), \"some text\");")]
        #[doc = concat!("assert!(\"\".parse::<", stringify!($name), ">().is_err());")]
        /// # Ok::<(), formalize_core::InvalidText>(())
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(std::borrow::Cow<'static, str>);

        impl $name {
            /// Parses a text.
            ///
            /// # Errors
            ///
            /// [`InvalidText`](crate::InvalidText) if it is empty, longer than 255 characters, or has a control character.
            pub fn new(text: impl Into<String>) -> Result<Self, $crate::model::text::InvalidText> {
                let text = text.into();
                let is_plain = $crate::model::text::is_plain(&text, $crate::model::text::MAX_OPAQUE_CHARS);
                ensure!(is_plain, $crate::model::text::InvalidText);
                Ok(Self(std::borrow::Cow::Owned(text)))
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::model::text::InvalidText;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::new(text)
            }
        }

        displayed! { $name }
    )+};
}
pub(crate) use opaque_texts;

/// Generates texts with a maximum length that a function checks, and the error for all others: the field of a record.
macro_rules! bounded_texts {
    ($($(#[$doc:meta])* $name:ident, $most:literal, $fits:ident, $record:ident($field:ident);)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// The maximum number of characters.
            pub const MAX_CHARS: usize = $most;

            /// Parses a text.
            ///
            /// # Errors
            ///
            #[doc = concat!("[`InvalidFields::", stringify!($record), "`](crate::InvalidFields::", stringify!($record), ")")]
            /// for any other text.
            pub fn new(text: impl Into<String>) -> Result<Self, $crate::fields::InvalidFields> {
                let text = text.into();
                let fits = $crate::model::text::$fits(&text, Self::MAX_CHARS);
                let field = $crate::fields::Field::$field;
                ensure!(fits, $crate::fields::InvalidFields::$record(vec![field]));
                Ok(Self(text))
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    )+};
}
pub(crate) use bounded_texts;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_in_characters_and_control_characters_are_rejected() {
        assert!(is_plain(&"ä".repeat(255), 255));
        assert!(!is_plain(&"ä".repeat(256), 255));
        for text in ["", "a\0", "a\nb", "\u{85}", "\u{7f}"] {
            assert!(!is_plain(text, 255), "{text:?}");
        }
        assert!(is_plain(" a ", 255) && is_plain(" ", 255) && !is_name(" \u{2003}", 255));
    }

    #[test]
    fn case_folds_simply_and_without_normalisation() {
        assert_eq!(fold_case("ÄΣς"), "äσσ");
        assert_eq!(
            fold_case("Straße"),
            "straße",
            "full folding would give `strasse`"
        );
        assert_ne!(fold_case("e\u{301}"), fold_case("é"));
    }
}
