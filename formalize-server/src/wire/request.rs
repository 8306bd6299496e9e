//! Request bodies. Each is declared once with [`request_body!`], which generates its parser and its schema in the
//! OpenAPI document.

use formalize_core::{Change, Field};
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use serde_json::Value;

use super::Members;

/// Bodies up to this size are parsed in well under a millisecond if they contain nothing to compile.
pub(super) const LIGHT: usize = 64 * 1024;

/// A request body.
pub trait RequestBody: Sized {
    /// The value for the core.
    type Value: Send + 'static;

    /// The name of the schema in the OpenAPI document.
    const NAME: &'static str;

    /// The fields, in the order of the declaration.
    const MEMBERS: &'static [Field];

    /// Larger bodies are parsed on a separate thread.
    const LIGHT_BYTES: usize;

    /// The schema of the body.
    fn schema(registry: &mut Registry) -> MetaSchema;

    /// Takes every declared field, and records those that are missing or of the wrong type.
    fn take(members: &mut Members) -> Self;

    /// Builds the value for the core, and records values that the core rejects. `None` only if an error was recorded.
    fn build(self, members: &mut Members) -> Option<Self::Value>;
}

/// A type of field values.
pub trait MemberValue {
    /// The type of a parsed value.
    type Read;

    /// The requirement for the value, for messages: `name must be` and this.
    const MUST_BE: &'static str;

    /// The schema of the value.
    fn schema(registry: &mut Registry) -> MetaSchemaRef;

    /// Parses a value; `None` if it has the wrong type.
    fn read(value: Value) -> Option<Self::Read>;
}

/// Whether a field may be absent or null, and the meaning of that.
pub(super) trait Presence {
    /// The type that is taken from the body.
    type Taken;
    /// The type of the value.
    type Of: MemberValue;
    /// Whether the schema requires the field.
    const IS_REQUIRED: bool = false;
    /// Whether the schema allows null.
    const IS_NULLABLE: bool = false;

    /// Takes the field, and records its errors.
    fn take(members: &mut Members, field: Field) -> Self::Taken;
}

macro_rules! presences {
    ($($(#[$doc:meta])+ $name:ident takes $taken:ty, by $take:ident $(, $constant:ident)*;)+) => {$(
        $(#[$doc])+
        #[derive(Debug)]
        pub(in crate::wire) struct $name<V>(std::marker::PhantomData<V>);

        impl<V: MemberValue> Presence for $name<V> {
            type Taken = $taken;
            type Of = V;
            $(const $constant: bool = true;)*

            fn take(members: &mut Members, field: Field) -> Self::Taken {
                members.$take::<V>(field)
            }
        }
    )+};
}

presences! {
    /// Must be there; null counts as missing.
    Required takes Option<V::Read>, by required, IS_REQUIRED;
    /// Must be there, which the core checks together with other members.
    RequiredByCore takes Option<V::Read>, by nullable, IS_REQUIRED;
    /// May be absent, but not null.
    Optional takes Option<V::Read>, by optional;
    /// May be absent; null means the same.
    Nullable takes Option<V::Read>, by nullable, IS_NULLABLE;
    /// A member of a patch that null clears.
    Clearable takes Change<V::Read>, by change, IS_NULLABLE;
    /// A member of a patch that the record cannot do without.
    Replaceable takes Option<V::Read>, by replacement;
}

/// Declares types of values: their Rust types, their requirements in messages, and their schemas.
macro_rules! member_values {
    ($($(#[$doc:meta])+ $name:ident: $read:ident -> $output:ty, $must_be:expr, $schema:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Debug)]
        pub(in crate::wire) enum $name {}

        impl $crate::wire::request::MemberValue for $name {
            type Read = $output;

            const MUST_BE: &'static str = $must_be;

            fn schema(
                registry: &mut poem_openapi::registry::Registry,
            ) -> poem_openapi::registry::MetaSchemaRef {
                let schema: fn(&mut poem_openapi::registry::Registry) -> poem_openapi::registry::MetaSchemaRef = $schema;
                schema(registry)
            }

            fn read(value: serde_json::Value) -> Option<$output> {
                $read(value)
            }
        }
    )+};
}

/// Declares a body: a struct with the values from a request, and its schema.
macro_rules! request_body {
    (
        $description:literal
        $name:ident as $schema:literal {
            $($member:ident: $presence:ident<$value:ty> = $field:ident, $about:literal;)+
        }
        light up to $light:expr;
        build($self:ident, $members:ident) -> $built:ty $build:block
    ) => {
        #[doc = $description]
        #[derive(Debug)]
        pub struct $name {
            $(#[doc = $about] $member: <$presence<$value> as $crate::wire::request::Presence>::Taken,)+
        }

        impl $crate::wire::request::RequestBody for $name {
            type Value = $built;

            const NAME: &'static str = $schema;

            const MEMBERS: &'static [formalize_core::Field] =
                &[$(formalize_core::Field::$field,)+];

            const LIGHT_BYTES: usize = $light;

            fn schema(
                registry: &mut poem_openapi::registry::Registry,
            ) -> poem_openapi::registry::MetaSchema {
                let members = [
                    $($crate::wire::request::describe::<$presence<$value>>(
                        formalize_core::Field::$field,
                        $about,
                        registry,
                    ),)+
                ];
                $crate::wire::request::object($description, members)
            }

            fn take(members: &mut $crate::wire::Members) -> Self {
                Self {
                    $($member: <$presence<$value> as $crate::wire::request::Presence>::take(
                        members,
                        formalize_core::Field::$field,
                    ),)+
                }
            }

            fn build($self, $members: &mut $crate::wire::Members) -> Option<Self::Value> $build
        }
    };
}

pub(super) use {member_values, request_body};

/// One field in the schema of a body.
pub(super) struct Described {
    name: &'static str,
    schema: MetaSchemaRef,
    is_required: bool,
}

/// The schema of one field.
pub(super) fn describe<P: Presence>(
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
pub(super) fn object<const N: usize>(
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
