//! Batches of submissions.

use formalize_core::{
    Field, FormId,
    submissions::{BatchItem, BatchTooLarge, ItemKey, RequestedState, SubmissionBatch},
};
#[cfg(feature = "openapi")]
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use serde_json::{Map, Value};

use crate::{
    BadValue, Members,
    request::{LIGHT, MemberValue as _, Optional, RequiredByCore, member_values, request_body},
    value_types::{self as values, array},
};
#[cfg(feature = "openapi")]
use crate::{
    request::Nullable,
    schemas::{describe, object},
};

/// What a request asks.
#[derive(Debug)]
pub struct NewBatch {
    /// The submissions.
    pub batch: SubmissionBatch,
    /// Whether the submissions are only checked.
    pub is_dry_run: bool,
}

/// The schema of a submission in a request.
#[cfg(feature = "openapi")]
pub(crate) fn schema(registry: &mut Registry) -> MetaSchema {
    let members = [
        describe::<Nullable<values::Json>>(
            Field::DataFeedElement,
            "The data: a string containing JSON, up to 1 MiB.",
            registry,
        ),
        describe::<Optional<values::State>>(
            Field::SubmissionState,
            "Whether this is a draft; default: `submitted`.",
            registry,
        ),
        describe::<Optional<values::ItemKey>>(
            Field::Key,
            "A key that you choose. If you have created a submission of this form with the same key, data and state, no \
             other one is created.",
            registry,
        ),
    ];
    object("A submission to create.", members)
}

member_values! {
    /// Submissions of a batch, which are read one by one.
    BatchItems: Json by array -> Vec<Value>, Field::Submissions.must_be(), |registry| MetaSchemaRef::Inline(Box::new(MetaSchema {
        items: Some(Box::new(MetaSchemaRef::Inline(Box::new(schema(registry))))),
        min_items: Some(1),
        max_items: Some(SubmissionBatch::MAX_ITEMS),
        ..MetaSchema::new("array")
    }));
}

request_body! {
    "Submissions to a form that are created together."
    NewSubmissions as "NewSubmissions" {
        form: RequiredByCore<values::Identifier> = FormIdentifier,
            "Identifier of the form.";
        items: RequiredByCore<BatchItems> = Submissions,
            "The submissions.";
        atomic: Optional<values::Flag> = Atomic,
            "Whether either all submissions are created or none; default: `true`.";
        dry_run: Optional<values::Flag> = DryRun,
            "Whether the submissions are only checked; default: `false`.";
    }
    light up to LIGHT;
    build(self, members) -> NewBatch {
        let mut batch = batch(self.form, self.items, members)?;
        batch.is_atomic = self.atomic.unwrap_or(batch.is_atomic);
        Some(NewBatch {
            batch,
            is_dry_run: self.dry_run.unwrap_or(false),
        })
    }
}

/// The batch of a request. `None` only if an error was recorded: first that it is too large.
fn batch(
    form: Option<String>,
    items: Option<Vec<Value>>,
    members: &mut Members,
) -> Option<SubmissionBatch> {
    if let Some(items) = &items
        && items.len() > SubmissionBatch::MAX_ITEMS
    {
        return members.accept(Err(BatchTooLarge));
    }
    require(form.as_ref(), Field::FormIdentifier, members);
    require(items.as_ref(), Field::Submissions, members);
    let items = items.and_then(|items| members.objects(Field::Submissions, items, read_item));
    let form = form.map(|text| FormId::named(&text));
    members.accept(SubmissionBatch::new(form?, items?))
}

fn require<T>(value: Option<&T>, field: Field, members: &mut Members) {
    if value.is_none() && !members.has_malformed(field.as_str()) {
        members.refuse(BadValue::Missing(field));
    }
}

/// A submission with these members. `None` only if an error was recorded.
fn read_item(
    location: &str,
    mut own: Map<String, Value>,
    members: &mut Members,
) -> Option<BatchItem> {
    let mut take = |field: Field, may_be_null| match own.remove(field.as_str()) {
        None => Some(None),
        Some(Value::Null) if may_be_null => Some(None),
        Some(Value::String(text)) => Some(Some(text)),
        Some(_) => {
            members.malformed_at(
                format!("{location}{field}"),
                &format!("must be {}", field.must_be()),
            );
            None
        }
    };
    let data = take(Field::DataFeedElement, true);
    let state = take(Field::SubmissionState, false);
    let key = take(Field::Key, false);
    for unknown in own.keys() {
        members.unknown_at(location, unknown, &ITEM);
    }
    let Ok(key) = key?.map(ItemKey::new).transpose() else {
        let must = format!("must be {}", values::ItemKey::MUST_BE);
        members.malformed_at(format!("{location}{}", Field::Key), &must);
        return None;
    };
    Some(BatchItem {
        data: data?,
        state: state?.map_or_else(RequestedState::default, |word| {
            RequestedState::from_word(&word)
        }),
        tags: Vec::new(),
        key,
    })
}

/// The fields of a submission.
const ITEM: [Field; 3] = [Field::DataFeedElement, Field::SubmissionState, Field::Key];
