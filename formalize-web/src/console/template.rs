//! Forms to begin with.

use crate::language::Language;

/// A form to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Template {
    Empty,
    Contact,
    Registration,
    Survey,
    Application,
}

impl Template {
    /// All forms to begin with.
    pub const ALL: [Self; 5] = [
        Self::Empty,
        Self::Contact,
        Self::Registration,
        Self::Survey,
        Self::Application,
    ];

    /// The name in addresses.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Contact => "contact",
            Self::Registration => "registration",
            Self::Survey => "survey",
            Self::Application => "application",
        }
    }

    /// The template with this name in addresses.
    ///
    /// ```
    /// use formalize_web::Template;
    ///
    /// assert_eq!(Template::of_key("survey"), Some(Template::Survey));
    /// assert_eq!(Template::of_key("other"), None);
    /// ```
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.key() == key)
    }

    /// The name of a form that begins with this; empty for the empty form.
    pub fn form_name(self, language: Language) -> &'static str {
        match self {
            Self::Empty => "",
            _ => self.label(language),
        }
    }

    pub(crate) fn label(self, language: Language) -> &'static str {
        language.say(match self {
            Self::Empty => "template.empty",
            Self::Contact => "template.contact",
            Self::Registration => "template.registration",
            Self::Survey => "template.survey",
            Self::Application => "template.application",
        })
    }

    pub(crate) fn explanation(self, language: Language) -> &'static str {
        language.say(match self {
            Self::Empty => "template.empty.text",
            Self::Contact => "template.contact.text",
            Self::Registration => "template.registration.text",
            Self::Survey => "template.survey.text",
            Self::Application => "template.application.text",
        })
    }

    /// The schema, with texts in a language.
    ///
    /// ```
    /// use formalize_core::DataSchema;
    /// use formalize_web::{Language, Template};
    ///
    /// let schema = Template::Contact.schema(Language::French);
    /// assert!(schema.contains("Votre nom"));
    /// DataSchema::compile(&schema)?;
    /// # Ok::<(), formalize_core::Rejection>(())
    /// ```
    pub fn schema(self, language: Language) -> String {
        let mut schema = String::new();
        let mut rest = match self {
            Self::Empty => include_str!("../../templates/empty.json"),
            Self::Contact => include_str!("../../templates/contact.json"),
            Self::Registration => include_str!("../../templates/registration.json"),
            Self::Survey => include_str!("../../templates/survey.json"),
            Self::Application => include_str!("../../templates/application.json"),
        };
        while let Some((before, behind)) = rest.split_once("\"{template.") {
            let (key, behind) = behind.split_once("}\"").unwrap_or_default();
            let text = language.say(&format!("template.{key}"));
            schema.push_str(before);
            schema.push_str(&serde_json::Value::from(text).to_string());
            rest = behind;
        }
        schema.push_str(rest);
        schema
    }
}
