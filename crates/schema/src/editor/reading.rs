//! From a schema to cards.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::choices::{Choices, choices_of};
use super::conditions::Conditional;
use super::known::{kind_of, limits};
use super::texts::{self, HELP, LABEL};
use super::{Card, CardCondition, CardFields, MAX_CARDS, SchemaText, below, path, pointer};
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
    pub(super) condition: Option<Arc<CardCondition>>,
    /// The name of the group or list that the property is in.
    pub(super) outer: Option<String>,
}

impl Location {
    /// Whether the property is in a group or a list.
    pub(super) fn is_nested(&self) -> bool {
        self.outer.is_some()
    }

    /// The pointer of the card.
    pub(super) fn pointer(&self) -> String {
        let tokens = self.outer.iter().chain([&self.name]);
        pointer(&tokens.cloned().collect::<Vec<_>>())
    }

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
    /// use formalize_schema::editor::SchemaText;
    ///
    /// let text = r#"{"properties": {"a": {"type": "string", "localizedName": {"fr": "Nom", "de": "Name"}}}}"#;
    /// assert_eq!(SchemaText::new(text)?.languages(), ["fr", "de"]);
    /// # Ok::<(), formalize_schema::Rejection>(())
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
                    let texts = below(&place, [keyword]);
                    if self.at(&texts).is_some() {
                        found.extend(self.spelled.names(&texts));
                    }
                }
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|language| !language.is_empty() && seen.insert(language.clone()));
        found
    }

    /// The cards, in the order in which a page asks the questions. Parts that are not properties come last. There are at
    /// most [`MAX_CARDS`]; what is beyond can be edited in the text only.
    ///
    /// ```
    /// use formalize_schema::editor::SchemaText;
    /// use formalize_schema::questions::QuestionKind;
    ///
    /// let text = r##"{"properties": {"a": {"type": "string", "title": "Name"}, "b": {"$ref": "#/$defs/b"}}}"##;
    /// let cards = SchemaText::new(text)?.cards(&[]);
    /// let fields = cards[0].fields.as_ref().unwrap();
    /// assert_eq!((fields.kind, &*fields.labels[0]), (QuestionKind::Text, "Name"));
    /// assert!(cards[1].fields.is_none());
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn cards(&self, languages: &[String]) -> Vec<Card> {
        let mut dealt = Dealt {
            schema: self,
            languages,
            left: MAX_CARDS,
        };
        let mut cards = Vec::new();
        if self.has_properties() {
            let mut asked_then: HashMap<String, Vec<Conditional>> = HashMap::new();
            for entry in self.conditionals() {
                let question = entry.condition.question.clone();
                asked_then.entry(question).or_default().push(entry);
            }
            let root = Object::of(self, Vec::new(), Vec::new());
            for at in 0..root.names.len() {
                let Some(card) = dealt.card(&root, at, None) else {
                    break;
                };
                let entries = asked_then.remove(&card.name).unwrap_or_default();
                cards.push(card);
                for entry in entries {
                    let object = Object::of(self, entry.then(), Vec::new());
                    cards.extend(dealt.cards(&object, Some(&entry.condition)));
                }
            }
        }
        cards.extend(self.others().into_iter().take(dealt.left));
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
                    name: name.clone(),
                    condition: condition.clone(),
                    outer: None,
                };
                let inner = self.inner_object(&location);
                found.push(location);
                let Some(inner) = inner else {
                    continue;
                };
                let names = self.spelled.names(&below(&inner, ["properties"]));
                found.extend(names.into_iter().map(|inner_name| Location {
                    object: inner.clone(),
                    name: inner_name,
                    condition: None,
                    outer: Some(name.clone()),
                }));
            }
        }
        found
    }

    /// The path of the schema with the questions within a group or a list.
    pub(super) fn inner_object(&self, location: &Location) -> Option<Vec<String>> {
        let schema = location.schema();
        let inner = match kind_of(self.at(&schema)?, location.is_nested())? {
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
        let outer = locations.find(|one| !one.is_nested() && one.name == *name)?;
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
        self.fields_if(location, self.requires(location), languages)
    }

    fn fields_if(
        &self,
        location: &Location,
        is_required: bool,
        languages: &[String],
    ) -> Option<CardFields> {
        let path = location.schema();
        let schema = self.at(&path)?;
        let kind = kind_of(schema, location.is_nested())?;
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
            is_required,
            choices,
            least,
            most,
            pattern: pattern.to_owned(),
            condition: location.condition.as_deref().cloned(),
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

    /// The parts of the schema that are not properties.
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
        let known: HashSet<usize> = self
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

/// An object with properties that have cards.
struct Object {
    path: Vec<String>,
    /// The path of the card above.
    above: Vec<String>,
    /// The names of the properties, in their order.
    names: Vec<String>,
    required: HashSet<String>,
}

impl Object {
    fn of(schema: &SchemaText, path: Vec<String>, above: Vec<String>) -> Self {
        let required = schema.at(&below(&path, ["required"]));
        let required = required.and_then(Value::as_array).into_iter().flatten();
        Self {
            names: schema.spelled.names(&below(&path, ["properties"])),
            required: required
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            path,
            above,
        }
    }
}

/// Makes the cards of a schema, as many as there may be.
struct Dealt<'a> {
    schema: &'a SchemaText,
    languages: &'a [String],
    left: usize,
}

impl Dealt<'_> {
    /// The cards of the properties of an object.
    fn cards(&mut self, object: &Object, condition: Option<&Arc<CardCondition>>) -> Vec<Card> {
        let mut cards = Vec::new();
        for at in 0..object.names.len() {
            let Some(card) = self.card(object, at, condition) else {
                break;
            };
            cards.push(card);
        }
        cards
    }

    /// The card of the property at a position of an object. `None` if there are too many cards.
    fn card(
        &mut self,
        object: &Object,
        at: usize,
        condition: Option<&Arc<CardCondition>>,
    ) -> Option<Card> {
        self.left = self.left.checked_sub(1)?;
        let name = object.names.get(at)?;
        let location = Location {
            object: object.path.clone(),
            name: name.clone(),
            condition: condition.cloned(),
            outer: object.above.last().cloned(),
        };
        let own = below(&object.above, [name]);
        let is_required = object.required.contains(name);
        let fields = (self.schema).fields_if(&location, is_required, self.languages);
        let inner = self.schema.inner_object(&location);
        let children = inner.filter(|_| fields.is_some()).map(|inner| {
            let inner = Object::of(self.schema, inner, own.clone());
            self.cards(&inner, None)
        });
        Some(Card {
            pointer: pointer(&own),
            name: name.clone(),
            fields,
            children: children.unwrap_or_default(),
            moves_up: at > 0,
            moves_down: at + 1 < object.names.len(),
        })
    }
}

/// Whether inputs of a page can have the fields: those for one line have no line breaks.
fn can_be_entered(fields: &CardFields) -> bool {
    let lines = fields.labels.iter().chain([&fields.pattern]);
    let is_line = |text: &String| !text.contains(['\r', '\n', '\0']);
    let is_text = |text: &String| !text.contains(['\r', '\0']);
    lines.into_iter().all(is_line) && fields.helps.iter().all(is_text)
}
