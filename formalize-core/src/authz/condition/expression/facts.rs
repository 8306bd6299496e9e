//! The input of a condition in CEL.

use std::collections::HashMap;
use std::sync::Arc;

use cel::objects::Map;
use cel::{Context, Value};
use serde_json::Value as JsonValue;

use super::{ENVIRONMENT, EvaluationError, Facts, MAX_ATTRIBUTE_DEPTH, MAX_ATTRIBUTES};

impl Facts<'_> {
    /// The variables available to the expression.
    pub(super) fn context(&self) -> Result<Context<'static, 'static>, EvaluationError> {
        let mut room = MAX_ATTRIBUTES;
        for (name, value) in self.attributes {
            take(&mut room, name.len())?;
            measure(value, MAX_ATTRIBUTE_DEPTH, &mut room)?;
        }
        let attributes = self
            .attributes
            .iter()
            .map(|(name, value)| (name.clone(), to_cel(value)));
        let attributes: HashMap<String, Value> = attributes.collect();
        let user = HashMap::from([
            ("id", Value::from(self.user_id)),
            ("attributes", Value::Map(Map::from(attributes))),
        ]);
        let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
        context.add_variable_from_value("user", user);
        if let Some(name) = self.form_name {
            context.add_variable_from_value("form", HashMap::from([("name", name)]));
        }
        Ok(context)
    }
}

/// Subtracts the size of a value, as defined by [`MAX_ATTRIBUTES`], from the remaining room. Arrays and objects may be
/// nested `levels` deep, which also bounds the recursion.
fn measure(value: &JsonValue, levels: usize, room: &mut usize) -> Result<(), EvaluationError> {
    take(room, size_of::<u64>())?;
    let below = levels.checked_sub(1).ok_or(EvaluationError::TooDeep);
    match value {
        JsonValue::String(text) => take(room, text.len()),
        JsonValue::Array(items) => {
            let below = below?;
            items.iter().try_for_each(|item| measure(item, below, room))
        }
        JsonValue::Object(members) => {
            let below = below?;
            members.iter().try_for_each(|(name, value)| {
                take(room, name.len())?;
                measure(value, below, room)
            })
        }
        JsonValue::Null | JsonValue::Bool(_) | JsonValue::Number(_) => Ok(()),
    }
}

fn take(room: &mut usize, bytes: usize) -> Result<(), EvaluationError> {
    *room = room.checked_sub(bytes).ok_or(EvaluationError::TooLarge)?;
    Ok(())
}

/// Converts a JSON value to a CEL value. Whole numbers become `int`, like the literals they are compared with, and
/// `uint` only if they are out of range for `int`.
fn to_cel(value: &JsonValue) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(value) => Value::Bool(*value),
        JsonValue::Number(number) => number
            .as_i64()
            .map(Value::Int)
            .or_else(|| number.as_u64().map(Value::UInt))
            .or_else(|| number.as_f64().map(Value::Float))
            .unwrap_or(Value::Null),
        JsonValue::String(text) => Value::from(text.as_str()),
        JsonValue::Array(items) => Value::List(Arc::new(items.iter().map(to_cel).collect())),
        JsonValue::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), to_cel(value)));
            Value::Map(Map::from(members.collect::<HashMap<_, _>>()))
        }
    }
}
