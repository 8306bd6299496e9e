//! What poem requires of values in schemas.

use std::borrow::Cow;

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde_json::Value;

use crate::{Id, Instant, OrNull};

/// Implements the traits that poem requires of a string with a format.
macro_rules! formatted {
    ($($name:ident: $format:literal;)+) => {$(
        impl Type for $name {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> Cow<'static, str> {
                concat!("string_", $format).into()
            }

            fn schema_ref() -> MetaSchemaRef {
                MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", $format)))
            }

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }

        impl ParseFromJSON for $name {
            fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
                match value {
                    Some(Value::String(text)) => Ok(Self(text)),
                    other => Err(ParseError::expected_type(other.unwrap_or_default())),
                }
            }
        }

        impl ToJSON for $name {
            fn to_json(&self) -> Option<Value> {
                Some(Value::String(self.0.clone()))
            }
        }
    )+};
}

formatted! {
    Id: "uuid";
    Instant: "date-time";
}

impl<T: Type> Type for OrNull<T> {
    // The field is always present; a missing value is written as null.
    const IS_REQUIRED: bool = true;
    type RawValueType = T::RawValueType;
    type RawElementValueType = T::RawElementValueType;

    fn name() -> Cow<'static, str> {
        format!("nullable_{}", T::name()).into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let nullable = MetaSchema {
            nullable: true,
            ..MetaSchema::ANY
        };
        match T::schema_ref() {
            // Beside a reference, other members are ignored. All references are to objects.
            reference @ MetaSchemaRef::Reference(_) => {
                MetaSchemaRef::Inline(Box::new(MetaSchema {
                    ty: "object",
                    all_of: vec![reference],
                    ..nullable
                }))
            }
            inline => inline.merge(nullable),
        }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self::RawValueType> {
        self.0.as_ref().and_then(T::as_raw_value)
    }

    fn raw_element_iter<'a>(
        &'a self,
    ) -> Box<dyn Iterator<Item = &'a Self::RawElementValueType> + 'a> {
        match &self.0 {
            Some(value) => value.raw_element_iter(),
            None => Box::new(std::iter::empty()),
        }
    }
}

impl<T: ParseFromJSON> ParseFromJSON for OrNull<T> {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value {
            None | Some(Value::Null) => Ok(Self(None)),
            some => T::parse_from_json(some)
                .map(|value| Self(Some(value)))
                .map_err(ParseError::propagate),
        }
    }
}

impl<T: ToJSON> ToJSON for OrNull<T> {
    fn to_json(&self) -> Option<Value> {
        Some(self.0.as_ref().and_then(T::to_json).unwrap_or(Value::Null))
    }
}
