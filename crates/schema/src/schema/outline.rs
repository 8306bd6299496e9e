//! A schema as a tree of what its sub-schemas ask for, from which questions are made.
//!
//! A [`DataSchema`](super::DataSchema) judges data, but does not tell what data it would like to have. An outline has
//! every sub-schema with its keywords, and its references as indices. The differences between the drafts of JSON Schema
//! end here: users of an outline know one vocabulary.
//!
//! Whether data *fits* a condition is decided by the validator and not by the outline, so that both agree. One schema
//! is compiled for that, which has a property for each sub-schema that decides something:
//! `{"properties": {"12": {"$ref": "…/then"}, …}}`. Data fits sub-schema 12 if `{"12": data}` is valid.

use std::collections::HashMap;

use jsonschema::{Draft, ValidationOptions, Validator};
use referencing::Registry;
use serde_json::{Map, Value, json};

use super::budget::{self, Budget};
use super::document_size::DocumentSize;
use super::key_order::KeyOrder;
use super::patterns::Patterns;
use super::references::Link;
use super::structure::Structure;
use super::{dialect, plain, stack};

/// The URI of the whole schema, to which the schema of the conditions refers.
const WHOLE: &str = "json-schema:///whole";

/// A checked schema, from which an outline is read.
pub(super) struct SourceSchema<'a, 's> {
    pub(super) text: &'a str,
    pub(super) structure: &'a Structure<'s>,
    pub(super) links: &'a [Link],
    /// The schema for the validator.
    pub(super) plain: &'a Value,
    pub(super) patterns: &'a Patterns,
}

/// All sub-schemas of a schema; the first one is the schema itself.
#[derive(Debug)]
pub struct Outline {
    schemas: Vec<SubSchema>,
    deciding: Validator,
    nesting: usize,
}

/// A sub-schema. Its sub-schemas are indices of [`Outline::schema`].
#[derive(Debug, Default)]
pub struct SubSchema {
    /// Whether it is the schema `false`, which nothing matches.
    pub is_false: bool,
    /// The keywords without sub-schemas.
    pub keywords: Map<String, Value>,
    /// The texts of `localizedName`, by language, in the order of the schema.
    pub names: Words,
    /// The texts of `localizedDescription`.
    pub(crate) descriptions: Words,
    /// The texts in `x-form`, by name.
    pub(crate) form_texts: Vec<(&'static str, Words)>,
    /// The groups of `files`, in the order of the schema; only in the schema itself.
    pub(crate) files: Vec<FileTexts>,
    /// `properties`, in the order of the schema.
    pub properties: Vec<(String, usize)>,
    /// The schema of all items behind those of `prefix`.
    pub items: Option<usize>,
    /// The schemas of the first items, one for each.
    pub prefix: Vec<usize>,
    /// What applies besides: the target of `$ref` and the schemas of `allOf`.
    pub(crate) also: Vec<usize>,
    /// `oneOf` and `anyOf`.
    pub alternatives: Vec<Vec<usize>>,
    /// `if`, `then` and `else`.
    pub condition: Option<Condition>,
    /// The schema of `not`.
    pub(crate) negated: Option<usize>,
    /// What applies, and which members are required, where a member is present.
    pub(crate) dependents: Vec<Dependent>,
    /// Whether it has schemas for members without a name: `patternProperties` or `additionalProperties`.
    pub(crate) takes_other_members: bool,
    /// Whether its reference depends on the path to it.
    pub(crate) is_dynamic: bool,
    /// Its `properties` and the sub-schemas for the same location, in the order of the text.
    pub parts: Vec<Part>,
}

/// A keyword, or a sub-schema in one, that describes the same location as the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `properties`.
    Properties,
    /// A sub-schema, and when it applies.
    Schema(usize, Role),
}

/// When a sub-schema applies. Of two roles, the one that says less is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// With the schema: `$ref`, `allOf`.
    Always,
    /// For some data: `anyOf`, `oneOf`, `then`, `else`, `dependentSchemas`.
    Perhaps,
    /// Never, but other sub-schemas depend on it: `if`.
    Tested,
}

/// The keywords that refer to a schema for the same location.
const KEYWORDS_OF_REFERENCES: [&str; 3] = ["$ref", "$recursiveRef", "$dynamicRef"];

/// The members of `x-form` with texts for people.
const FORM_TEXTS: [&str; 4] = ["hint", "send", "thanks", "closed"];

/// Texts by language. A text for all languages has the language `""`.
pub(crate) type Words = Vec<(String, String)>;

/// The texts in `x-form` about a group of files.
#[derive(Debug)]
pub(crate) struct FileTexts {
    pub(crate) group: String,
    pub(crate) label: Words,
    pub(crate) hint: Words,
}

/// `if`, `then` and `else`.
#[derive(Debug, Clone, Copy)]
pub struct Condition {
    pub(crate) test: usize,
    /// The schema of `then`.
    pub then: Option<usize>,
    /// The schema of `else`.
    pub otherwise: Option<usize>,
}

/// An entry of `dependentSchemas`, `dependentRequired` or `dependencies`.
#[derive(Debug, Clone)]
pub(crate) struct Dependent {
    pub(crate) member: String,
    pub(crate) schema: Option<usize>,
    pub(crate) required: Vec<String>,
}

impl Outline {
    /// Reads the sub-schemas. `options` are those of the validator of the whole schema.
    ///
    /// Returns `None` if the schema of the conditions cannot be compiled.
    pub(super) fn of(
        source: &SourceSchema<'_, '_>,
        options: ValidationOptions<'_>,
        nesting: usize,
    ) -> Option<Self> {
        let links = source.links.iter();
        let reader = Reader {
            structure: source.structure,
            links: links
                .map(|link| ((link.node, link.keyword), link))
                .collect(),
            order: &KeyOrder::of(source.text),
        };
        let nodes = 0..source.structure.nodes.len();
        let schemas: Vec<_> = nodes.map(|node| reader.sub_schema(node)).collect();
        let deciding = deciding(source, &schemas, options)?;
        Some(Self {
            schemas,
            deciding,
            nesting: nesting.saturating_add(2),
        })
    }

    /// A sub-schema by its index.
    pub fn schema(&self, index: usize) -> Option<&SubSchema> {
        self.schemas.get(index)
    }

    /// Runs `work`, which may ask whether parts of `data` fit, and reduces the budget by what it uses.
    ///
    /// Returns `None` if it exhausts the budget.
    pub(super) fn within<T: Send>(
        &self,
        budget: &mut Budget,
        data: &Value,
        work: impl FnOnce() -> T + Send,
    ) -> Option<T> {
        let levels = DocumentSize::of(data).depth.saturating_add(3);
        let frames = self.nesting.saturating_mul(levels);
        stack::with_stack(frames, || budget::within_rest(budget, work)).flatten()
    }

    /// Prepares to compare data with sub-schemas.
    pub(crate) fn compare(&self, data: Value) -> Comparison<'_> {
        Comparison {
            outline: self,
            data,
        }
    }
}

/// Data that is compared with sub-schemas.
pub(crate) struct Comparison<'o> {
    outline: &'o Outline,
    data: Value,
}

impl Comparison<'_> {
    /// Whether the data matches a sub-schema that decides: `if`, or one of several alternatives.
    ///
    /// The work counts against the budget of [`Outline::within`].
    pub(crate) fn fits(&mut self, schema: usize) -> bool {
        let key = schema.to_string();
        let mut object = Map::new();
        object.insert(key.clone(), self.data.take());
        let object = Value::Object(object);
        let is_valid = self.outline.deciding.is_valid(&object);
        if let Value::Object(mut object) = object {
            self.data = object.remove(&key).unwrap_or_default();
        }
        is_valid
    }
}

/// Compiles the schema of all sub-schemas that decide.
fn deciding(
    source: &SourceSchema<'_, '_>,
    schemas: &[SubSchema],
    options: ValidationOptions<'_>,
) -> Option<Validator> {
    let mut properties = Map::new();
    for schema in schemas {
        let tests = schema.condition.iter().map(|condition| condition.test);
        for index in tests.chain(schema.alternatives.iter().flatten().copied()) {
            let fragment = plain::fragment(source.structure, source.patterns, index);
            properties.insert(
                index.to_string(),
                json!({"$ref": format!("{WHOLE}#{fragment}")}),
            );
        }
    }
    let draft = source.structure.draft;
    let registry = Registry::new()
        .draft(draft)
        .add(WHOLE, draft.create_resource_ref(source.plain))
        .ok()?
        .prepare()
        .ok()?;
    // With `additionalProperties`, the validator looks only at properties that the data has. There is always one.
    let document = json!({"properties": properties, "additionalProperties": false});
    options.with_registry(&registry).build(&document).ok()
}

struct Reader<'a, 's> {
    structure: &'a Structure<'s>,
    links: HashMap<(usize, &'static str), &'a Link>,
    order: &'a KeyOrder,
}

impl Reader<'_, '_> {
    fn sub_schema(&self, node: usize) -> SubSchema {
        let Some(schema) = self.structure.nodes.get(node).map(|node| node.schema) else {
            return SubSchema::default();
        };
        let Value::Object(members) = schema else {
            return SubSchema {
                is_false: schema == &Value::Bool(false),
                ..SubSchema::default()
            };
        };
        let draft = self.structure.draft;
        if dialect::ref_hides_siblings(draft)
            && let Some(target) = self.links.get(&(node, "$ref"))
        {
            return SubSchema {
                also: vec![target.target],
                parts: vec![Part::Schema(target.target, Role::Always)],
                ..SubSchema::default()
            };
        }
        let order = self.order.at(&self.structure.pointer(node));
        let find =
            |keyword: &str| dialect::applicator(draft, keyword).and_then(|_| members.get(keyword));
        let one = |keyword: &str| find(keyword).and_then(|schema| self.structure.node_of(schema));
        let several = |keyword: &str| self.several(find(keyword));
        let words = |value: Option<&Value>, order: &KeyOrder| in_order(value, order);
        let form = members.get("x-form");
        let (items, prefix) = self.items(&find);
        let rest = ["additionalProperties", "unevaluatedProperties"];
        let mut also = Vec::new();
        let links = KEYWORDS_OF_REFERENCES.map(|keyword| self.links.get(&(node, keyword)));
        also.extend(links.iter().flatten().map(|link| link.target));
        also.extend(several("allOf"));
        SubSchema {
            is_false: false,
            keywords: members
                .iter()
                .filter(|(keyword, _)| dialect::applicator(draft, keyword).is_none())
                .filter(|(keyword, _)| !matches!(keyword.as_str(), "dependentRequired"))
                .map(|(keyword, value)| (keyword.clone(), value.clone()))
                .collect(),
            names: words(members.get("localizedName"), order.under("localizedName")),
            descriptions: words(
                members.get("localizedDescription"),
                order.under("localizedDescription"),
            ),
            form_texts: FORM_TEXTS
                .into_iter()
                .map(|name| {
                    let text = form.and_then(|form| form.get(name));
                    (name, words(text, order.under("x-form").under(name)))
                })
                .filter(|(_, words)| !words.is_empty())
                .collect(),
            files: if node == 0 {
                file_texts(members, order)
            } else {
                Vec::new()
            },
            properties: self.properties(find("properties"), order.under("properties")),
            items,
            prefix,
            also,
            alternatives: ["oneOf", "anyOf"]
                .map(several)
                .into_iter()
                .filter(|alternatives| !alternatives.is_empty())
                .collect(),
            condition: one("if").map(|test| Condition {
                test,
                then: one("then"),
                otherwise: one("else"),
            }),
            negated: one("not"),
            dependents: self.dependents(members),
            takes_other_members: find("patternProperties").is_some()
                || rest
                    .into_iter()
                    .filter_map(find)
                    .any(|schema| schema.as_object().is_some_and(|schema| !schema.is_empty())),
            is_dynamic: links.iter().flatten().any(|link| link.dynamic.is_some()),
            parts: self.parts(node, members, order),
        }
    }

    /// The parts of a schema that describe the same location.
    fn parts(&self, node: usize, members: &Map<String, Value>, order: &KeyOrder) -> Vec<Part> {
        let draft = self.structure.draft;
        let mut keywords: Vec<_> = members.iter().collect();
        keywords.sort_by_key(|(keyword, _)| order.position(keyword));
        let mut parts = Vec::new();
        for (keyword, value) in keywords {
            if let Some(link) = KEYWORDS_OF_REFERENCES
                .into_iter()
                .find(|reference| reference == keyword)
                .and_then(|reference| self.links.get(&(node, reference)))
            {
                parts.push(Part::Schema(link.target, Role::Always));
            }
            if dialect::applicator(draft, keyword).is_none() {
                continue;
            }
            let role = match keyword.as_str() {
                "properties" => {
                    parts.push(Part::Properties);
                    continue;
                }
                "allOf" => Role::Always,
                "anyOf" | "oneOf" | "then" | "else" | "dependentSchemas" | "dependencies" => {
                    Role::Perhaps
                }
                "if" => Role::Tested,
                _ => continue,
            };
            let schemas = match value {
                Value::Object(schemas) if keyword.starts_with("depend") => {
                    let mut schemas: Vec<_> = schemas.iter().collect();
                    let order = order.under(keyword);
                    schemas.sort_by_key(|(member, _)| order.position(member));
                    schemas.into_iter().map(|(_, schema)| schema).collect()
                }
                Value::Array(schemas) => schemas.iter().collect(),
                schema => vec![schema],
            };
            let schemas = schemas.into_iter();
            let indices = schemas.filter_map(|schema| self.structure.node_of(schema));
            parts.extend(indices.map(|index| Part::Schema(index, role)));
        }
        parts
    }

    fn several(&self, schemas: Option<&Value>) -> Vec<usize> {
        let schemas = schemas.and_then(Value::as_array).into_iter().flatten();
        schemas
            .filter_map(|schema| self.structure.node_of(schema))
            .collect()
    }

    fn properties(&self, properties: Option<&Value>, order: &KeyOrder) -> Vec<(String, usize)> {
        let members = properties.and_then(Value::as_object).into_iter().flatten();
        let mut properties: Vec<_> = members
            .filter_map(|(name, schema)| Some((name.clone(), self.structure.node_of(schema)?)))
            .collect();
        properties.sort_by_key(|(name, _)| order.position(name));
        properties
    }

    /// The schemas of items: before 2020-12, `items` may be a list, and `additionalItems` the schema of the others.
    fn items<'v>(&self, find: &impl Fn(&str) -> Option<&'v Value>) -> (Option<usize>, Vec<usize>) {
        let one = |schema: Option<&Value>| schema.and_then(|schema| self.structure.node_of(schema));
        match find("items") {
            Some(list) if list.is_array() && self.structure.draft < Draft::Draft202012 => {
                (one(find("additionalItems")), self.several(Some(list)))
            }
            items => (one(items), self.several(find("prefixItems"))),
        }
    }

    fn dependents(&self, members: &Map<String, Value>) -> Vec<Dependent> {
        let keywords: &[&str] = if self.structure.draft >= Draft::Draft201909 {
            &["dependentSchemas", "dependentRequired", "dependencies"]
        } else {
            &["dependencies"]
        };
        let entries = keywords
            .iter()
            .filter_map(|keyword| members.get(*keyword)?.as_object())
            .flatten();
        entries
            .map(|(member, what)| Dependent {
                member: member.clone(),
                schema: self.structure.node_of(what),
                required: strings(what),
            })
            .collect()
    }
}

/// The strings of an array.
pub(crate) fn strings(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

/// The groups of the keyword `files`, with their texts.
fn file_texts(members: &Map<String, Value>, order: &KeyOrder) -> Vec<FileTexts> {
    let groups = members.get("files").and_then(Value::as_object);
    let texts = members.get("x-form").and_then(|form| form.get("files"));
    let order_of_texts = order.under("x-form").under("files");
    let groups = groups.into_iter().flat_map(Map::keys).map(|group| {
        let words = |name: &str| {
            let text = texts.and_then(|texts| texts.get(group)?.get(name));
            in_order(text, order_of_texts.under(group).under(name))
        };
        FileTexts {
            group: group.clone(),
            label: words("label"),
            hint: words("hint"),
        }
    });
    let mut groups: Vec<_> = groups.collect();
    groups.sort_by_key(|texts| order.under("files").position(&texts.group));
    groups
}

/// The texts of an annotation: one text, or a map from language to text.
fn in_order(value: Option<&Value>, order: &KeyOrder) -> Words {
    match value {
        Some(Value::String(text)) => vec![(String::new(), text.clone())],
        Some(Value::Object(texts)) => {
            let texts = texts.iter();
            let mut words: Vec<_> = texts
                .filter_map(|(language, text)| Some((language.clone(), text.as_str()?.to_owned())))
                .collect();
            words.sort_by_key(|(language, _)| order.position(language));
            words
        }
        _ => Vec::new(),
    }
}
