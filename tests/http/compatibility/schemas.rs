//! Whether every value of one schema is one of another.

use serde_json::Value;

use super::operations::members;

/// Which way values go, which decides about members that only one schema knows.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    /// From clients, which send what they were told, to a service that refuses what it does not know.
    Request,
    /// From the service to clients, which look for what they were told and pass over what they do not know.
    Response,
}

/// A narrow schema compared with a wide one: whatever the narrow one allows, the wide one must allow.
pub(super) struct Narrowing<'a> {
    side: Side,
    narrow: &'a Value,
    wide: &'a Value,
    faults: Vec<String>,
    /// References that are being compared, so that recursive schemas end.
    seen: Vec<(String, String)>,
}

/// Bounds from below and from above.
const LEAST: [&str; 4] = ["minimum", "minLength", "minItems", "minProperties"];
const MOST: [&str; 4] = ["maximum", "maxLength", "maxItems", "maxProperties"];

impl<'a> Narrowing<'a> {
    /// For schemas of two documents.
    pub(super) fn new(side: Side, narrow: &'a Value, wide: &'a Value) -> Self {
        Self {
            side,
            narrow,
            wide,
            faults: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// Where the narrow schema allows what the wide one does not.
    pub(super) fn of(mut self, narrow: &'a Value, wide: &'a Value) -> Vec<String> {
        self.schema("", narrow, wide);
        self.faults
    }

    fn note(&mut self, place: &str, fault: &str) {
        self.faults.push(format!("{place}: {fault}"));
    }

    fn schema(&mut self, place: &str, narrow: &'a Value, wide: &'a Value) {
        let pair = [narrow, wide].map(|schema| reference(schema).unwrap_or_default().to_owned());
        let pair: (String, String) = pair.into();
        if !pair.0.is_empty() && self.seen.contains(&pair) {
            return;
        }
        self.seen.push(pair);
        let narrow = resolved(self.narrow, narrow);
        let wide = resolved(self.wide, wide);
        if narrow["nullable"] == true && wide["nullable"] != true {
            self.note(place, "may be null on one side alone");
        }
        self.kind(place, narrow, wide);
        self.bounds(place, narrow, wide);
        self.alternatives(place, narrow, wide);
        self.properties(place, narrow, wide);
        if wide.get("items").is_some() {
            self.schema(&format!("{place}/items"), &narrow["items"], &wide["items"]);
        }
        self.seen.pop();
    }

    fn kind(&mut self, place: &str, narrow: &Value, wide: &Value) {
        let is_number = wide["type"] == "number" && narrow["type"] == "integer";
        if wide.get("type").is_some() && narrow["type"] != wide["type"] && !is_number {
            self.note(place, "the type is another one");
        }
        for keyword in ["format", "pattern"] {
            if wide.get(keyword).is_some() && narrow[keyword] != wide[keyword] {
                self.note(place, &format!("the {keyword} is another one"));
            }
        }
        let Some(known) = wide["enum"].as_array() else {
            return;
        };
        match narrow["enum"].as_array() {
            None => self.note(place, "any word stands against certain ones"),
            Some(words) => {
                for word in words.iter().filter(|word| !known.contains(word)) {
                    self.note(place, &format!("{word} is on one side alone"));
                }
            }
        }
    }

    fn bounds(&mut self, place: &str, narrow: &Value, wide: &Value) {
        let is_within = |keyword: &str, narrow: f64, wide: f64| {
            if LEAST.contains(&keyword) {
                narrow >= wide
            } else {
                narrow <= wide
            }
        };
        for keyword in LEAST.iter().chain(&MOST) {
            let Some(bound) = wide[keyword].as_f64() else {
                continue;
            };
            let bounded = narrow[keyword].as_f64();
            if !bounded.is_some_and(|narrow| is_within(keyword, narrow, bound)) {
                self.note(place, &format!("{keyword} differs"));
            }
        }
    }

    /// Each alternative must fit one of the others.
    fn alternatives(&mut self, place: &str, narrow: &'a Value, wide: &'a Value) {
        let Some(known) = wide["oneOf"].as_array() else {
            return;
        };
        let alternatives = narrow["oneOf"].as_array().into_iter().flatten();
        for (at, alternative) in alternatives.enumerate() {
            let fits = known.iter().any(|known| {
                let narrowing = Narrowing::new(self.side, self.narrow, self.wide);
                narrowing.of(alternative, known).is_empty()
            });
            if !fits {
                self.note(place, &format!("alternative {at} is on one side alone"));
            }
        }
    }

    fn properties(&mut self, place: &str, narrow: &'a Value, wide: &'a Value) {
        let is_required = |schema: &Value, name: &Value| {
            schema["required"]
                .as_array()
                .is_some_and(|names| names.contains(name))
        };
        for name in wide["required"].as_array().into_iter().flatten() {
            if !is_required(narrow, name) {
                self.note(place, &format!("{name} is required on one side alone"));
            }
        }
        let (known, told) = match self.side {
            Side::Request => (narrow, wide),
            Side::Response => (wide, narrow),
        };
        for (name, _) in members(&known["properties"]) {
            if told["properties"].get(name).is_none() {
                self.note(place, &format!("{name} was removed"));
            }
        }
        for (name, property) in members(&narrow["properties"]) {
            if let Some(other) = wide["properties"].get(name) {
                self.schema(&format!("{place}/{name}"), property, other);
            }
        }
        let [of_narrow, of_wide] = [narrow, wide].map(|schema| &schema["additionalProperties"]);
        if of_wide.is_object() && of_narrow.is_object() {
            self.schema(&format!("{place}/*"), of_narrow, of_wide);
        }
    }
}

/// The reference that a schema consists of, with or without words around it.
fn reference(schema: &Value) -> Option<&str> {
    let alone = schema["allOf"].as_array().filter(|parts| parts.len() == 1);
    let part = alone.and_then(|parts| parts.first()).unwrap_or(schema);
    part["$ref"].as_str()
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let pointer = reference(schema).and_then(|reference| reference.strip_prefix('#'));
    pointer.map_or(schema, |pointer| {
        document.pointer(pointer).unwrap_or(&Value::Null)
    })
}
