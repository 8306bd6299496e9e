//! The types of values in request bodies.

use std::collections::BTreeMap;

#[cfg(feature = "openapi")]
use formalize_core::{
    self as core,
    events::EventType,
    links::EmbedOrigins,
    webhooks::{MAX_WEBHOOK_URL_CHARS, WebhookEvents},
};
use formalize_core::{Field, must_be};
#[cfg(feature = "openapi")]
use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef},
    types::Type,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use crate::request::member_values;
#[cfg(feature = "openapi")]
use crate::{
    Id, Instant,
    schemas::{at_least_one, available_tag, cap, names_schema, one_of, text_of, words_of},
    words::{ActionWhenSubmitted, SubmissionState, TagAction},
};

/// The maximum number of deliveries that one request sends again by their identifiers.
pub(crate) const MAX_RESENT: usize = 1000;

member_values! {
    /// Any string.
    Text: Text by text -> String, "a string", |_| String::schema_ref();
    /// The name of a group.
    GroupName: Text by text -> String, must_be::GROUP_NAME, |_| text_of(1, 128);
    /// The name of a form.
    FormName: Text by text -> String, must_be::FORM_NAME, |_| text_of(1, 256);
    /// An action of a grant.
    ActionName: Text by text -> String, must_be::TEXT, |_| text_of(1, 255);
    /// The identifier of a record.
    Identifier: Text by text -> String, "a string containing an identifier", |_| Id::schema_ref();
    /// A JSON Schema.
    Schema: Document by text -> String, Field::DataFeedSchema.must_be(), |_| String::schema_ref();
    /// The data of a submission.
    Json: Document by text -> String, Field::DataFeedElement.must_be(), |_| String::schema_ref();
    /// A switch.
    Flag: Flag by flag -> bool, Field::Enabled.must_be(), |_| bool::schema_ref();
    /// A day or an instant.
    Time: Time by text -> String, must_be::TIME, |_| String::schema_ref();
    /// Names of a form in other languages.
    LocalizedNames: Names by names -> BTreeMap<String, String>, must_be::NAMES, |_| names_schema(false);
    /// Names to set or, with null, to remove.
    LocalizedNameChanges: Names by names -> BTreeMap<String, Option<String>>, must_be::NAMES, |_| names_schema(true);
    /// The key of a user interface.
    FrontendKey: Text by text -> String,
        must_be::FRONTEND_KEY,
        |_| text_of(1, core::forms::FrontendKey::MAX_CHARS).merge(MetaSchema {
            pattern: Some("^[A-Za-z0-9._~-]*$".to_owned()),
            ..MetaSchema::ANY
        });
    /// Whom to ask about a form.
    FormContact: Text by text -> String, Field::Contact.must_be(), |_| text_of(1, core::forms::FormContact::MAX_CHARS);
    /// An object or an array.
    AdditionalData: Json by container -> Value, must_be::ADDITIONAL_DATA, |_| Value::schema_ref();
    /// The label of a link.
    Label: Text by text -> String, must_be::TEXT, |_| text_of(1, 255);
    /// An instant.
    Moment: Text by text -> String, must_be::MOMENT, |_| Instant::schema_ref();
    /// A number of submissions through a link.
    LinkCap: Number by number -> Number, must_be::LINK_CAP, |_| cap(1.0);
    /// The URL of a webhook.
    HookUrl: Text by text -> String, Field::Url.must_be(), |_| String::schema_ref().merge(MetaSchema {
        max_length: Some(MAX_WEBHOOK_URL_CHARS),
        ..MetaSchema::ANY
    });
    /// The description of a webhook.
    HookDescription: Text by text -> String, Field::Description.must_be(), |_| text_of(1, 256);
    /// The events that a webhook sends.
    EventTypes: Words by words -> Vec<String>, must_be::EVENT_TYPES, |_| {
        MetaSchemaRef::Inline(Box::new(MetaSchema {
            items: Some(Box::new(one_of(WebhookEvents::of_all_forms().iter().map(EventType::as_str)))),
            min_items: Some(1),
            ..MetaSchema::new("array")
        }))
    };
    /// How much a webhook sends.
    HookPayload: Text by text -> String, Field::Payload.must_be(), |_| one_of(["full", "thin"]);
    /// The secret of a webhook.
    HookSecret: Text by text -> String, Field::Secret.must_be(), |_| String::schema_ref();
    /// For how long a secret that is replaced still signs.
    OverlapSeconds: Number by number -> Number, Field::OverlapSeconds.must_be(), |_| i64::schema_ref().merge(MetaSchema {
        minimum: Some(0.0),
        maximum: Some(604_800.0),
        ..MetaSchema::ANY
    });
    /// Identifiers of deliveries.
    DeliveryIdentifiers: Words by words -> Vec<String>, Field::Deliveries.must_be(), |_| {
        Vec::<Id>::schema_ref().merge(MetaSchema {
            min_items: Some(1),
            max_items: Some(MAX_RESENT),
            ..MetaSchema::ANY
        })
    };
    /// Identifiers of files.
    FileIdentifiers: Words by words -> Vec<String>, Field::FilesToRemove.must_be(), |_| Vec::<Id>::schema_ref();
    /// Tags of a submission.
    Tags: Words by words -> Vec<String>, Field::Tags.must_be(), |_| Vec::<String>::schema_ref();
    /// The tags that a form has for submissions.
    AvailableTags: Json by objects -> Vec<Value>,
        must_be::AVAILABLE_TAGS,
        |_| MetaSchemaRef::Inline(Box::new(MetaSchema {
            items: Some(Box::new(available_tag())),
            max_items: Some(core::forms::AvailableTags::MAX),
            ..MetaSchema::new("array")
        }));
    /// Which deliveries are sent again.
    ResendState: Text by text -> String, Field::State.must_be(), |_| one_of(["dead", "all"]);
    /// Origins of web pages.
    Origins: Words by words -> Vec<String>,
        must_be::ORIGINS,
        |_| Vec::<String>::schema_ref().merge(MetaSchema {
            max_items: Some(EmbedOrigins::MAX),
            ..MetaSchema::ANY
        });
    /// The key of a submission of a batch.
    ItemKey: Text by text -> String, must_be::TEXT, |_| text_of(1, 255);
    /// Attributes of a user.
    Attributes: Json by object -> Map<String, Value>, Field::Attributes.must_be(), |_| MetaSchemaRef::Inline(Box::new(MetaSchema::new("object")));
    /// A number of submissions.
    Cap: Number by number -> Number, must_be::CAP, |_| cap(0.0);
    /// A state of a submission.
    State: Text by text -> String, must_be::STATE, |registry| {
        SubmissionState::register(registry);
        SubmissionState::schema_ref()
    };
    /// States of submissions.
    States: Words by words -> Vec<String>,
        must_be::STATES,
        |registry| at_least_one(words_of::<SubmissionState>(registry));
    /// Actions on tags.
    TagActions: Words by words -> Vec<String>, must_be::TAG_ACTIONS, words_of::<TagAction>;
    /// Actions on submitted submissions.
    SubmittedActions: Words by words -> Vec<String>, must_be::SUBMITTED_ACTIONS, words_of::<ActionWhenSubmitted>;
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "all functions that parse a value have this signature"
)]
fn flag(value: Value) -> Option<bool> {
    value.as_bool()
}

fn words(value: Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items.into_iter().map(text).collect(),
        _ => None,
    }
}

pub(crate) fn array(value: Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(items) => Some(items),
        _ => None,
    }
}

fn objects(value: Value) -> Option<Vec<Value>> {
    array(value).filter(|items| items.iter().all(Value::is_object))
}

/// Names by language.
fn names<T: DeserializeOwned>(value: Value) -> Option<BTreeMap<String, T>> {
    serde_json::from_value(value).ok()
}

fn container(value: Value) -> Option<Value> {
    (value.is_object() || value.is_array()).then_some(value)
}

fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

fn number(value: Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

/// Converts a JSON number to a whole number: `3.0` is 3, and `3.5` is `None`.
pub(crate) fn whole(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| {
        let float = number.as_f64()?;
        // Below this bound, every whole number is exactly representable.
        let is_whole = float.fract() == 0.0 && float.abs() < 9e15;
        is_whole
            .then(|| format!("{float:.0}").parse().ok())
            .flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_numbers_may_have_a_fraction_of_zero() {
        for (value, whole_number) in [
            (json!(3), Some(3)),
            (json!(3.0), Some(3)),
            (json!(-0.0), Some(0)),
            (json!(3e2), Some(300)),
            (json!(3.5), None),
            (json!(1e300), None),
            (json!(u64::MAX), None),
        ] {
            let number = number(value.clone()).unwrap();
            assert_eq!(whole(&number), whole_number, "{value}");
        }
        assert_eq!(number(json!("3")), None);
    }

    #[test]
    fn a_set_is_an_array_of_strings() {
        assert_eq!(
            words(json!(["a", "b"])),
            Some(vec!["a".to_owned(), "b".to_owned()])
        );
        assert_eq!(words(json!(["a", 1])), None);
        assert_eq!(words(json!({"a": 1})), None);
    }
}
