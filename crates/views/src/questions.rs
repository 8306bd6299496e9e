//! The questions of a form.

use crate::{
    request::{LIGHT, Nullable, request_body},
    submission::check_size,
    value_types as values,
};

/// What the questions of a form depend on.
#[derive(Debug)]
pub struct QuestionsRequest {
    /// The data entered so far.
    pub data: Option<String>,
    /// The language of the texts.
    pub language: Option<String>,
}

request_body! {
    "The data entered so far, which decides what questions apply."
    NewQuestions as "QuestionsRequest" {
        data: Nullable<values::Json> = DataFeedElement,
            "The data entered so far: a string containing JSON, up to 1 MiB; default: none.";
        language: Nullable<values::Text> = Language,
            "The language of the texts, a tag such as `de-AT`; default: the first language in the schema.";
    }
    light up to LIGHT;
    build(self, members) -> QuestionsRequest {
        members.accept_some(self.data.as_deref().map(check_size));
        Some(QuestionsRequest { data: self.data, language: self.language })
    }
}
