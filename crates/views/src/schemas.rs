//! Schemas of bodies and of their fields, for the OpenAPI document.

use formalize_core::{self as core, Field};
use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::Type,
};
use serde_json::Value;

use crate::request::{MemberValue, Presence};

/// One field in the schema of a body.
pub(crate) struct Described {
    name: &'static str,
    schema: MetaSchemaRef,
    is_required: bool,
}

/// The schema of one field.
pub(crate) fn describe<P: Presence>(
    field: Field,
    about: &'static str,
    registry: &mut Registry,
) -> Described {
    let schema = P::Of::schema(registry);
    // A schema without a type allows null, and `nullable` has no meaning beside it.
    let has_type = !matches!(&schema, MetaSchemaRef::Inline(inline) if inline.ty.is_empty());
    let schema = schema.merge(MetaSchema {
        description: Some(about),
        nullable: P::IS_NULLABLE && has_type,
        ..MetaSchema::ANY
    });
    Described {
        name: field.as_str(),
        schema,
        is_required: P::IS_REQUIRED,
    }
}

/// The schema of a body with these fields.
pub(crate) fn object<const N: usize>(
    description: &'static str,
    members: [Described; N],
) -> MetaSchema {
    let required = members.iter().filter(|member| member.is_required);
    MetaSchema {
        description: Some(description),
        required: required.map(|member| member.name).collect(),
        properties: members.map(|member| (member.name, member.schema)).into(),
        ..MetaSchema::new("object")
    }
}

pub(crate) fn one_of(words: impl IntoIterator<Item = &'static str>) -> MetaSchemaRef {
    // `merge` does not take over `enum_items`.
    MetaSchemaRef::Inline(Box::new(MetaSchema {
        enum_items: words.into_iter().map(Value::from).collect(),
        ..MetaSchema::new("string")
    }))
}

/// An object with an identifier, and any other members.
pub(crate) fn available_tag() -> MetaSchemaRef {
    MetaSchemaRef::Inline(Box::new(MetaSchema {
        properties: vec![("identifier", text_of(1, core::submissions::Tag::MAX_CHARS))],
        required: vec!["identifier"],
        ..MetaSchema::new("object")
    }))
}

pub(crate) fn text_of(min_length: usize, max_length: usize) -> MetaSchemaRef {
    String::schema_ref().merge(MetaSchema {
        min_length: Some(min_length),
        max_length: Some(max_length),
        ..MetaSchema::ANY
    })
}

pub(crate) fn cap(minimum: f64) -> MetaSchemaRef {
    i64::schema_ref().merge(MetaSchema {
        minimum: Some(minimum),
        maximum: Some(2_147_483_647.0),
        ..MetaSchema::ANY
    })
}

pub(crate) fn words_of<T: Type>(registry: &mut Registry) -> MetaSchemaRef {
    T::register(registry);
    Vec::<T>::schema_ref()
}

pub(crate) fn at_least_one(array: MetaSchemaRef) -> MetaSchemaRef {
    array.merge(MetaSchema {
        min_items: Some(1),
        ..MetaSchema::ANY
    })
}

pub(crate) fn names_schema(is_nullable: bool) -> MetaSchemaRef {
    let name = text_of(1, core::FormName::MAX_CHARS).merge(MetaSchema {
        nullable: is_nullable,
        ..MetaSchema::ANY
    });
    MetaSchemaRef::Inline(Box::new(MetaSchema {
        additional_properties: Some(Box::new(name)),
        max_properties: Some(core::forms::LocalizedNames::MAX),
        ..MetaSchema::new("object")
    }))
}
