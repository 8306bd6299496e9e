//! From a schema to cards.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::choices::{Choices, choices_of};
use super::conditions::Conditional;
use super::known::{kind_of, limits};
use super::texts::{self, HELP, LABEL};
use super::{Card, CardCondition, CardFields, SchemaText, below, path, pointer};
use crate::questions::QuestionKind as Kind;

/// Keywords of the root that ask or decide something besides `properties`, and that the editor does not know.
const FOREIGN: [&str; 18] = [
    "$ref",
    "$recursiveRef",
    "$dynamicRef",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "patternProperties",
    "propertyNames",
    "additionalProperties",
    "unevaluatedProperties",
    "items",
    "prefixItems",
];

/// Where the schema of a property is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Location {
    /// The path of the schema that has the property.
    pub(super) object: Vec<String>,
    pub(super) name: String,
    /// For which answer to another question the property is asked.
    pub(super) condition: Option<CardCondition>,
    pub(super) is_nested: bool,
}

impl Location {
    /// The path of `properties`.
    pub(super) fn properties(&self) -> Vec<String> {
        below(&self.object, ["properties"])
    }

    /// The path of the schema of the property.
    pub(super) fn schema(&self) -> Vec<String> {
        below(&self.object, ["properties", &self.name])
    }

    pub(super) fn required(&self) -> Vec<String> {
        below(&self.object, ["required"])
    }
}

impl SchemaText {
    /// The languages of the texts of all cards, in the order of their appearance.
    ///
    /// ```
    /// use formalize_core::editor::SchemaText;
    ///
    /// let text = r#"{"properties": {"a": {"type": "string", "localizedName": {"fr": "Nom", "de": "Name"}}}}"#;
    /// assert_eq!(SchemaText::new(text)?.languages(), ["fr", "de"]);
    /// # Ok::<(), formalize_core::Rejection>(())
    /// ```
    pub fn languages(&self) -> Vec<String> {
        let mut found = Vec::new();
        for location in self.locations() {
            let schema = location.schema();
            let mut places = vec![schema.clone()];
            let lists = ["enum", "oneOf", "anyOf"];
            for list in lists.map(|list| below(&schema, [list])) {
                let items = 0..self.spelled.elements(&list).len();
                places.extend(items.map(|at| below(&list, [&at.to_string()])));
            }
            for place in places {
                for keyword in ["localizedName", "localizedDescription"] {
                    found.extend(self.spelled.names(&below(&place, [keyword])));
                }
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|language| !language.is_empty() && seen.insert(language.clone()));
        found
    }

    /// The cards, in the order in which a page asks the questions. Parts that are no properties come last.
    ///
    /// ```
    /// use formalize_core::editor::SchemaText;
    /// use formalize_core::questions::QuestionKind;
    ///
    /// let text = r##"{"properties": {"a": {"type": "string", "title": "Name"}, "b": {"$ref": "#/$defs/b"}}}"##;
    /// let cards = SchemaText::new(text)?.cards(&[]);
    /// let fields = cards[0].fields.as_ref().unwrap();
    /// assert_eq!((fields.kind, &*fields.labels[0]), (QuestionKind::Text, "Name"));
    /// assert!(cards[1].fields.is_none());
    /// # Ok::<(), formalize_core::Rejection>(())
    /// ```
    pub fn cards(&self, languages: &[String]) -> Vec<Card> {
        let mut cards = Vec::new();
        if self.has_properties() {
            let conditionals = self.conditionals();
            for name in self.spelled.names(&below(&[], ["properties"])) {
                let asked_then = conditionals
                    .iter()
                    .filter(|entry| entry.condition.question == name);
                let asked_then: Vec<_> = asked_then
                    .flat_map(|entry| self.cards_in(&entry.then(), &[], Some(entry), languages))
                    .collect();
                cards.extend(self.card(&[], &[], &name, None, languages));
                cards.extend(asked_then);
            }
        }
        cards.extend(self.others());
        cards
    }

    /// Whether the questions of the root are properties.
    pub(super) fn has_properties(&self) -> bool {
        let stated = self.value.get("type");
        let properties = self.value.get("properties");
        self.value.is_object()
            && stated.is_none_or(|stated| stated == "object")
            && properties.is_none_or(Value::is_object)
    }

    /// The locations of all properties that have cards.
    pub(super) fn locations(&self) -> Vec<Location> {
        if !self.has_properties() {
            return Vec::new();
        }
        let mut objects = vec![(Vec::new(), None)];
        let conditionals = self.conditionals();
        objects.extend(
            conditionals
                .into_iter()
                .map(|entry| (entry.then(), Some(entry.condition))),
        );
        let mut found = Vec::new();
        for (object, condition) in objects {
            for name in self.spelled.names(&below(&object, ["properties"])) {
                let location = Location {
                    object: object.clone(),
                    name,
                    condition: condition.clone(),
                    is_nested: false,
                };
                let inner = self.inner_object(&location);
                found.push(location);
                let Some(inner) = inner else {
                    continue;
                };
                let names = self.spelled.names(&below(&inner, ["properties"]));
                found.extend(names.into_iter().map(|name| Location {
                    object: inner.clone(),
                    name,
                    condition: None,
                    is_nested: true,
                }));
            }
        }
        found
    }

    /// The path of the schema with the questions within a group or a list.
    pub(super) fn inner_object(&self, location: &Location) -> Option<Vec<String>> {
        let schema = location.schema();
        let inner = match kind_of(self.at(&schema)?, location.is_nested)? {
            Kind::Group => schema,
            Kind::List => below(&schema, ["items"]),
            _ => return None,
        };
        let is_group = self.at(&inner)?.get("properties").is_some();
        is_group.then_some(inner)
    }

    /// The location of a card.
    pub(super) fn location(&self, card: &str) -> Option<Location> {
        let tokens = path(card);
        let [name, inner @ ..] = tokens.as_slice() else {
            return None;
        };
        let mut locations = self.locations().into_iter();
        let outer = locations.find(|one| !one.is_nested && one.name == *name)?;
        match inner {
            [] => Some(outer),
            [inner] => {
                let object = self.inner_object(&outer)?;
                locations.find(|one| one.object == object && one.name == *inner)
            }
            _ => None,
        }
    }

    /// The fields of a card in languages; `None` if it is written by hand.
    pub(super) fn fields(&self, location: &Location, languages: &[String]) -> Option<CardFields> {
        let path = location.schema();
        let schema = self.at(&path)?;
        let kind = kind_of(schema, location.is_nested)?;
        let choices = match kind {
            Kind::Choice => self.choices(&path, languages)?.fields,
            Kind::Choices => self.choices(&below(&path, ["items"]), languages)?.fields,
            _ => Vec::new(),
        };
        let limit = |keyword: &str| {
            let raw = self.spelled.raw(&below(&path, [keyword]));
            raw.unwrap_or_default().to_owned()
        };
        let (least, most) = limits(kind).map_or_else(Default::default, |(least, most)| {
            (limit(least), limit(most))
        });
        let pattern = schema.get("pattern").and_then(Value::as_str);
        let pattern = pattern.filter(|_| kind == Kind::Text).unwrap_or_default();
        let fields = CardFields {
            kind,
            labels: texts::read(schema, LABEL, languages),
            helps: texts::read(schema, HELP, languages),
            is_required: self.requires(location),
            choices,
            least,
            most,
            pattern: pattern.to_owned(),
            condition: location.condition.clone(),
        };
        can_be_entered(&fields).then_some(fields)
    }

    pub(super) fn choices(&self, schema: &[String], languages: &[String]) -> Option<Choices> {
        choices_of(self.at(schema)?.as_object()?, languages)
    }

    fn requires(&self, location: &Location) -> bool {
        let required = self.at(&location.required()).and_then(Value::as_array);
        let name = Value::from(location.name.as_str());
        required.is_some_and(|required| required.contains(&name))
    }

    /// The cards of the properties of an object.
    fn cards_in(
        &self,
        object: &[String],
        above: &[String],
        entry: Option<&Conditional>,
        languages: &[String],
    ) -> Vec<Card> {
        let names = self.spelled.names(&below(object, ["properties"]));
        let cards = names
            .iter()
            .filter_map(|name| self.card(object, above, name, entry, languages));
        cards.collect()
    }

    fn card(
        &self,
        object: &[String],
        above: &[String],
        name: &str,
        entry: Option<&Conditional>,
        languages: &[String],
    ) -> Option<Card> {
        let location = Location {
            object: object.to_vec(),
            name: name.to_owned(),
            condition: entry.map(|entry| entry.condition.clone()),
            is_nested: !above.is_empty(),
        };
        let names = self.spelled.names(&location.properties());
        let at = names.iter().position(|other| other == name)?;
        let own = below(above, [name]);
        let fields = self.fields(&location, languages);
        let inner = self.inner_object(&location).filter(|_| fields.is_some());
        let children = inner.map(|inner| self.cards_in(&inner, &own, None, languages));
        Some(Card {
            pointer: pointer(&own),
            name: name.to_owned(),
            fields,
            children: children.unwrap_or_default(),
            moves_up: at > 0,
            moves_down: at + 1 < names.len(),
        })
    }

    /// The parts of the schema that are no properties.
    pub(super) fn others(&self) -> Vec<Card> {
        let card = |path: &[String], name: &str| Card {
            pointer: format!("#{}", pointer(path)),
            name: name.to_owned(),
            fields: None,
            children: Vec::new(),
            moves_up: false,
            moves_down: false,
        };
        if !self.has_properties() {
            return vec![card(&[], "type")];
        }
        let is_plain = |keyword: &str| {
            let value = self.value.get(keyword);
            value.is_none_or(|value| {
                value.is_boolean() || value.as_object().is_some_and(Map::is_empty)
            })
        };
        let names = self.spelled.names(&[]);
        let foreign = names
            .iter()
            .filter(|name| FOREIGN.contains(&name.as_str()) && !is_plain(name));
        let mut cards: Vec<Card> = foreign
            .map(|name| card(&below(&[], [name]), name))
            .collect();
        let known: Vec<usize> = self
            .conditionals()
            .iter()
            .map(|entry| entry.index)
            .collect();
        let entries = self.value.get("allOf").and_then(Value::as_array);
        let unknown = (0..entries.map_or(0, Vec::len)).filter(|at| !known.contains(at));
        cards.extend(unknown.map(|at| card(&below(&[], ["allOf", &at.to_string()]), "allOf")));
        cards
    }
}

/// Whether inputs of a page can have the fields: those for one line have no line breaks.
fn can_be_entered(fields: &CardFields) -> bool {
    let lines = fields.labels.iter().chain([&fields.pattern]);
    let is_line = |text: &String| !text.contains(['\r', '\n', '\0']);
    let is_text = |text: &String| !text.contains(['\r', '\0']);
    lines.into_iter().all(is_line) && fields.helps.iter().all(is_text)
}
