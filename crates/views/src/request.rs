//! Request bodies. Each is declared once with `request_body!`, which generates its parser and its schema in the
//! OpenAPI document.

use formalize_core::{Change, Field};
#[cfg(feature = "openapi")]
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use serde_json::Value;

use crate::Members;

/// Bodies up to this size are parsed in well under a millisecond if they contain nothing to compile.
pub(crate) const LIGHT: usize = 64 * 1024;

/// A field of a request body, as it is declared.
#[derive(Debug, Clone, Copy)]
pub struct BodyField {
    /// The field.
    pub field: Field,
    /// A sentence about it.
    pub about: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// The end of a sentence such as `name must be …`.
    pub must_be: &'static str,
    /// Whether the body must have it.
    pub is_required: bool,
    /// Whether it may be null.
    pub is_nullable: bool,
    /// Whether null clears it in a record.
    pub is_clearable: bool,
}

impl BodyField {
    pub(crate) const fn new<P: Presence>(field: Field, about: &'static str) -> Self {
        Self {
            field,
            about,
            kind: P::Of::KIND,
            must_be: P::Of::MUST_BE,
            is_required: P::IS_REQUIRED,
            is_nullable: P::IS_NULLABLE,
            is_clearable: P::IS_CLEARABLE,
        }
    }
}

/// The kind of a value, for programs in which people enter it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A short text.
    Text,
    /// A day or an instant.
    Time,
    /// A long text, such as a schema.
    Document,
    /// Yes or no.
    Flag,
    /// A number.
    Number,
    /// A list of short texts.
    Words,
    /// Short texts by name.
    Names,
    /// Any JSON.
    Json,
}

/// A request body.
pub trait RequestBody: Sized {
    /// The value for the core.
    type Value: Send + 'static;

    /// The name of the schema in the OpenAPI document.
    const NAME: &'static str;

    /// The fields, in the order of the declaration.
    const FIELDS: &'static [BodyField];

    /// Larger bodies are parsed on a separate thread.
    const LIGHT_BYTES: usize;

    /// The schema of the body.
    #[cfg(feature = "openapi")]
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

    /// The kind of the value.
    const KIND: Kind;

    /// The requirement for the value, for messages: `name must be` and this.
    const MUST_BE: &'static str;

    /// The schema of the value.
    #[cfg(feature = "openapi")]
    fn schema(registry: &mut Registry) -> MetaSchemaRef;

    /// Parses a value; `None` if it has the wrong type.
    fn read(value: Value) -> Option<Self::Read>;
}

/// Whether a field may be absent or null, and the meaning of that.
pub(crate) trait Presence {
    /// The type that is taken from the body.
    type Taken;
    /// The type of the value.
    type Of: MemberValue;
    /// Whether the schema requires the field.
    const IS_REQUIRED: bool = false;
    /// Whether the schema allows null.
    const IS_NULLABLE: bool = false;
    /// Whether null clears the field of a record.
    const IS_CLEARABLE: bool = false;

    /// Takes the field, and records its errors.
    fn take(members: &mut Members, field: Field) -> Self::Taken;
}

macro_rules! presences {
    ($($(#[$doc:meta])+ $name:ident takes $taken:ty, by $take:ident $(, $constant:ident)*;)+) => {$(
        $(#[$doc])+
        #[derive(Debug)]
        pub(crate) struct $name<V>(std::marker::PhantomData<V>);

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
    Clearable takes Change<V::Read>, by change, IS_NULLABLE, IS_CLEARABLE;
    /// A member of a patch that the record cannot do without.
    Replaceable takes Option<V::Read>, by replacement;
}

/// Declares types of values: their kinds, the functions that read them, their requirements in messages, and their schemas.
macro_rules! member_values {
    ($($(#[$doc:meta])+ $name:ident: $kind:ident by $read:ident -> $output:ty, $must_be:expr, $schema:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Debug)]
        pub(crate) enum $name {}

        impl $crate::request::MemberValue for $name {
            type Read = $output;

            const KIND: $crate::Kind = $crate::Kind::$kind;

            const MUST_BE: &'static str = $must_be;

            #[cfg(feature = "openapi")]
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
            $(#[doc = $about] $member: <$presence<$value> as $crate::request::Presence>::Taken,)+
        }

        impl $crate::request::RequestBody for $name {
            type Value = $built;

            const NAME: &'static str = $schema;

            const FIELDS: &'static [$crate::BodyField] = &[$(
                $crate::BodyField::new::<$presence<$value>>(formalize_core::Field::$field, $about),
            )+];

            const LIGHT_BYTES: usize = $light;

            #[cfg(feature = "openapi")]
            fn schema(
                registry: &mut poem_openapi::registry::Registry,
            ) -> poem_openapi::registry::MetaSchema {
                let members = [
                    $($crate::schemas::describe::<$presence<$value>>(
                        formalize_core::Field::$field,
                        $about,
                        registry,
                    ),)+
                ];
                $crate::schemas::object($description, members)
            }

            fn take(members: &mut $crate::Members) -> Self {
                Self {
                    $($member: <$presence<$value> as $crate::request::Presence>::take(
                        members,
                        formalize_core::Field::$field,
                    ),)+
                }
            }

            fn build($self, $members: &mut $crate::Members) -> Option<Self::Value> $build
        }
    };
}

pub(crate) use {member_values, request_body};
