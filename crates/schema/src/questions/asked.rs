//! What all sub-schemas that apply to one location ask for together.

use std::collections::{BTreeSet, VecDeque};

use serde_json::Value;

use super::Questions;
use super::limits::Limits;
use super::walk::{Place, Walk};
use crate::schema::{Outline, SubSchema, strings};

/// A type of JSON Schema other than `null`, which only means that there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Type {
    Text,
    Integer,
    Number,
    Boolean,
    Object,
    Array,
}

impl Type {
    pub(super) const ALL: [Self; 6] = [
        Self::Text,
        Self::Integer,
        Self::Number,
        Self::Boolean,
        Self::Object,
        Self::Array,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Object => "object",
            Self::Array => "array",
        }
    }

    /// Whether a value has this type.
    pub(super) fn is_of(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Integer => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            Self::Number => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::Array => value.is_array(),
        }
    }
}

/// A possible answer, with its text if the schema has one.
#[derive(Debug, Clone)]
pub(super) struct Answer<'o> {
    pub(super) value: &'o Value,
    pub(super) schema: Option<&'o SubSchema>,
}

impl Answer<'_> {
    pub(super) const NULL: Self = Self {
        value: &Value::Null,
        schema: None,
    };
}

/// A member of an object, with all sub-schemas that apply to it.
#[derive(Debug)]
pub(super) struct Member<'o> {
    pub(super) name: &'o str,
    pub(super) schemas: Vec<usize>,
}

/// What the sub-schemas ask for.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one independent fact about the location"
)]
pub(super) struct Asked<'o> {
    /// The sub-schemas, the outermost first: its annotations take precedence.
    pub(super) schemas: Vec<&'o SubSchema>,
    /// The allowed types, if they are restricted.
    pub(super) types: Option<BTreeSet<Type>>,
    pub(super) answers: Option<Vec<Answer<'o>>>,
    /// The only allowed value.
    pub(super) constant: Option<&'o Value>,
    pub(super) format: Option<&'o str>,
    pub(super) limits: Limits,
    pub(super) members: Vec<Member<'o>>,
    pub(super) required: BTreeSet<&'o str>,
    pub(super) items: Vec<usize>,
    pub(super) prefix: Vec<Vec<usize>>,
    pub(super) are_items_unique: bool,
    pub(super) takes_other_members: bool,
    /// Whether there are more members than questions.
    pub(super) has_more_members: bool,
    /// The lists of alternatives that ask for different things.
    pub(super) variants: Vec<Vec<usize>>,
    /// Whether no question but JSON can express this.
    pub(super) is_unclear: bool,
    /// Whether nothing is allowed here.
    pub(super) is_forbidden: bool,
    seen: BTreeSet<usize>,
}

impl<'o> Asked<'o> {
    /// Unites the sub-schemas that apply to a place, including those whose conditions the data fits.
    pub(super) fn at(walk: &mut Walk<'o>, place: &mut Place<'_, 'o>, schemas: &[usize]) -> Self {
        let mut asked = Self::default();
        for schema in schemas {
            asked.add(walk, place, *schema);
        }
        asked
    }

    /// Adds a sub-schema, and those that apply because of it.
    ///
    /// Unconditional ones are added first, so that the members on which a condition depends have their positions when
    /// the members that it adds are placed behind them.
    pub(super) fn add(&mut self, walk: &mut Walk<'o>, place: &mut Place<'_, 'o>, schema: usize) {
        let mut conditional = VecDeque::new();
        self.gather(walk, schema, &mut None, &mut conditional);
        while let Some(schema) = conditional.pop_front() {
            let Some(found) = walk.outline.schema(schema) else {
                continue;
            };
            if let Some(condition) = found.condition {
                let drivers = drivers(walk.outline, condition.test);
                let mut next = Some(self.behind(&drivers));
                walk.note_drivers(place, &drivers);
                let fits = place.fits(walk, condition.test);
                let applied = if fits {
                    condition.then
                } else {
                    condition.otherwise
                };
                if let Some(applied) = applied {
                    self.gather(walk, applied, &mut next, &mut conditional);
                }
            }
            for dependent in &found.dependents {
                let driver = vec![vec![dependent.member.as_str()]];
                walk.note_drivers(place, &driver);
                if !place.has_member(&dependent.member) {
                    continue;
                }
                self.required
                    .extend(dependent.required.iter().map(String::as_str));
                let mut next = Some(self.behind(&driver));
                if let Some(applied) = dependent.schema {
                    self.gather(walk, applied, &mut next, &mut conditional);
                }
            }
        }
    }

    /// The position behind the last of the members on which something depends.
    fn behind(&self, drivers: &[Vec<&str>]) -> usize {
        let is_driver = |member: &Member<'_>| {
            drivers
                .iter()
                .any(|driver| driver.first() == Some(&member.name))
        };
        let last = self.members.iter().rposition(is_driver);
        last.map_or(self.members.len(), |last| last.saturating_add(1))
    }

    /// Adds a sub-schema and what applies unconditionally besides. `next` is the position of the next new member, if
    /// it is not the end.
    fn gather(
        &mut self,
        walk: &mut Walk<'o>,
        schema: usize,
        next: &mut Option<usize>,
        conditional: &mut VecDeque<usize>,
    ) {
        if !self.seen.insert(schema) || !walk.step() {
            return;
        }
        let Some(found) = walk.outline.schema(schema) else {
            return;
        };
        self.is_forbidden |= found.is_false;
        self.is_unclear |= found.is_dynamic;
        self.takes_other_members |= found.takes_other_members;
        self.schemas.push(found);
        self.add_keywords(found);
        for (name, schema) in &found.properties {
            self.add_member(name, *schema, next);
        }
        self.items.extend(found.items);
        for (at, schema) in found.prefix.iter().enumerate() {
            if self.prefix.len() <= at {
                self.prefix.push(Vec::new());
            }
            if let Some(schemas) = self.prefix.get_mut(at) {
                schemas.push(*schema);
            }
        }
        if found.condition.is_some() || !found.dependents.is_empty() {
            conditional.push_back(schema);
        }
        for schema in &found.also {
            self.gather(walk, *schema, next, conditional);
        }
        for alternatives in &found.alternatives {
            self.add_alternatives(walk, alternatives, next, conditional);
        }
    }

    fn add_member(&mut self, name: &'o str, schema: usize, next: &mut Option<usize>) {
        if let Some(known) = self.members.iter_mut().find(|member| member.name == name) {
            known.schemas.push(schema);
            return;
        }
        if self.members.len() >= Questions::MAX {
            self.has_more_members = true;
            return;
        }
        let member = Member {
            name,
            schemas: vec![schema],
        };
        match next {
            Some(at) => {
                self.members.insert(*at, member);
                *at = at.saturating_add(1);
            }
            None => self.members.push(member),
        }
    }

    fn add_keywords(&mut self, schema: &'o SubSchema) {
        let keyword = |name: &str| schema.keywords.get(name);
        if let Some(stated) = keyword("type") {
            self.restrict_types(types(stated));
        }
        if let Some(values) = keyword("enum").and_then(Value::as_array) {
            let answers = values.iter().filter(|value| !value.is_null());
            let answers = answers.map(|value| Answer {
                value,
                schema: None,
            });
            self.restrict_answers(answers.collect());
        }
        if let Some(constant) = keyword("const") {
            self.is_unclear |= self.constant.is_some_and(|known| known != constant);
            self.constant = Some(constant);
        }
        if let Some(format) = keyword("format").and_then(Value::as_str) {
            self.is_unclear |= self.format.is_some_and(|known| known != format);
            self.format = Some(format);
        }
        self.is_unclear |= keyword("contentEncoding").is_some();
        self.are_items_unique |= keyword("uniqueItems") == Some(&Value::Bool(true));
        let required = keyword("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().filter_map(Value::as_str);
        self.required.extend(required);
        self.limits.add(schema);
    }

    fn restrict_types(&mut self, stated: BTreeSet<Type>) {
        // An integer is a number.
        let allows = |types: &BTreeSet<Type>, one: Type| {
            types.contains(&one) || (one == Type::Integer && types.contains(&Type::Number))
        };
        let types = match self.types.take() {
            None => stated,
            Some(known) => Type::ALL
                .into_iter()
                .filter(|one| allows(&known, *one) && allows(&stated, *one))
                .filter(|one| known.contains(one) || stated.contains(one))
                .collect(),
        };
        self.types = Some(types);
    }

    fn restrict_answers(&mut self, stated: Vec<Answer<'o>>) {
        /// Longer lists are not compared with others.
        const MAX_COMPARED: usize = 1_000;

        self.answers = Some(match self.answers.take() {
            None => stated,
            Some(known) if known.len().max(stated.len()) > MAX_COMPARED => {
                self.is_unclear = true;
                known
            }
            Some(known) => {
                let label = |value: &Value| {
                    let same = stated.iter().find(|answer| answer.value == value)?;
                    Some(same.schema)
                };
                known
                    .into_iter()
                    .filter_map(|answer| {
                        let schema = label(answer.value)?;
                        Some(Answer {
                            schema: answer.schema.or(schema),
                            ..answer
                        })
                    })
                    .collect()
            }
        });
    }

    fn add_alternatives(
        &mut self,
        walk: &mut Walk<'o>,
        alternatives: &'o [usize],
        next: &mut Option<usize>,
        conditional: &mut VecDeque<usize>,
    ) {
        let possible: Vec<usize> = alternatives
            .iter()
            .copied()
            .filter(|schema| !is_empty_or_null(walk.outline, *schema))
            .collect();
        let constants: Option<Vec<_>> = possible
            .iter()
            .map(|schema| constant_of(walk.outline, *schema))
            .collect();
        match (possible.as_slice(), constants) {
            (_, Some(answers)) if !answers.is_empty() => self.restrict_answers(answers),
            ([only], _) if alternatives.len() > 1 => self.gather(walk, *only, next, conditional),
            (possible, _) if possible.iter().any(|schema| asks(walk, *schema)) => {
                self.variants.push(possible.to_vec());
            }
            // Alternatives that only restrict, such as `anyOf` of several `required`, change no question.
            _ => {}
        }
    }

    /// The first value of a keyword among the sub-schemas.
    pub(super) fn keyword(&self, name: &str) -> Option<&'o Value> {
        self.schemas
            .iter()
            .find_map(|schema| schema.keywords.get(name))
    }

    /// Whether `null` is among the listed values, and nothing forbids it.
    pub(super) fn takes_null(&self) -> bool {
        let values = |schema: &'o SubSchema| schema.keywords.get("enum");
        let allows = |schema: &'o SubSchema| {
            let types = schema.keywords.get("type");
            let is_allowed = |types: &Value| match types {
                Value::Array(several) => several.iter().any(|one| one == "null"),
                one => one == "null",
            };
            types.is_none_or(is_allowed) && values(schema).is_none_or(has_null)
        };
        let mut schemas = self.schemas.iter().copied();
        let is_listed = schemas.any(|schema| values(schema).is_some_and(has_null));
        is_listed && self.schemas.iter().copied().all(allows)
    }

    /// The only type, stated or inferred from other keywords. `None` if there is none, or more than one.
    pub(super) fn only_type(&self) -> Option<Type> {
        if let Some(types) = &self.types {
            let mut types = types.iter();
            return types.next().copied().filter(|_| types.next().is_none());
        }
        let by_keyword = [
            (!self.members.is_empty(), Type::Object),
            (
                !self.items.is_empty() || !self.prefix.is_empty(),
                Type::Array,
            ),
            (self.format.is_some_and(is_format_of_text), Type::Text),
        ];
        let mut inferred = by_keyword.into_iter().filter(|(is_it, _)| *is_it);
        let only = inferred.next().map(|(_, only)| only);
        only.filter(|_| inferred.next().is_none())
    }
}

fn has_null(values: &Value) -> bool {
    let values = values.as_array();
    values.is_some_and(|values| values.iter().any(Value::is_null))
}

fn is_format_of_text(format: &str) -> bool {
    matches!(
        format,
        "email"
            | "idn-email"
            | "uri"
            | "uri-reference"
            | "iri"
            | "iri-reference"
            | "date"
            | "time"
            | "date-time"
            | "hostname"
            | "idn-hostname"
            | "ipv4"
            | "ipv6"
            | "uuid"
            | "regex"
            | "duration"
    )
}

fn types(stated: &Value) -> BTreeSet<Type> {
    let names = match stated {
        Value::String(name) => vec![name.clone()],
        several => strings(several),
    };
    let has = |one: Type| names.iter().any(|name| name == one.as_str());
    let types = Type::ALL.into_iter().filter(|one| has(*one));
    // `integer` says nothing next to `number`.
    types
        .filter(|one| *one != Type::Integer || !has(Type::Number))
        .collect()
}

/// The sub-schema behind references without siblings.
pub(super) fn target(outline: &Outline, schema: usize) -> Option<&SubSchema> {
    /// Longer chains of references are not followed.
    const MAX_STEPS: usize = 16;

    let mut found = outline.schema(schema)?;
    for _ in 0..MAX_STEPS {
        match found.also.as_slice() {
            [only] if found.keywords.iter().all(|(keyword, _)| keyword == "$ref") => {
                found = outline.schema(*only)?;
            }
            _ => break,
        }
    }
    Some(found)
}

/// Whether a sub-schema accepts nothing, or only `null`.
fn is_empty_or_null(outline: &Outline, schema: usize) -> bool {
    target(outline, schema).is_none_or(|found| {
        let is_null = |value: &Value| value.is_null();
        found.is_false
            || found
                .keywords
                .get("type")
                .is_some_and(|stated| stated == "null")
            || found.keywords.get("const").is_some_and(is_null)
    })
}

/// The only value of a sub-schema that is a constant, possibly with a title.
fn constant_of(outline: &Outline, schema: usize) -> Option<Answer<'_>> {
    let found = target(outline, schema)?;
    let value = match found.keywords.get("enum").and_then(Value::as_array) {
        Some(values) => match values.as_slice() {
            [only] => only,
            _ => return None,
        },
        None => found.keywords.get("const")?,
    };
    Some(Answer {
        value,
        schema: outline
            .schema(schema)
            .filter(|stated| has_name(stated))
            .or(Some(found)),
    })
}

fn has_name(schema: &SubSchema) -> bool {
    !schema.names.is_empty() || schema.keywords.contains_key("title")
}

/// Whether a sub-schema asks for something, instead of only restricting it.
fn asks(walk: &mut Walk<'_>, schema: usize) -> bool {
    let outline = walk.outline;
    let mut pending = vec![schema];
    let mut seen = BTreeSet::new();
    while let Some(schema) = pending.pop() {
        if !seen.insert(schema) || !walk.step() {
            continue;
        }
        let Some(found) = outline.schema(schema) else {
            continue;
        };
        let keywords = ["type", "enum", "const"];
        if keywords
            .iter()
            .any(|keyword| found.keywords.contains_key(*keyword))
            || !found.properties.is_empty()
            || found.items.is_some()
            || !found.prefix.is_empty()
        {
            return true;
        }
        pending.extend(found.also.iter().chain(found.alternatives.iter().flatten()));
    }
    false
}

/// The members that a condition looks at, each as a path from the location of the condition.
fn drivers(outline: &Outline, test: usize) -> Vec<Vec<&str>> {
    /// Conditions that look at more members drive only the first ones.
    const MAX_DRIVERS: usize = 100;
    const MAX_DEPTH: usize = 8;

    let mut drivers = Vec::new();
    let mut pending = vec![(test, Vec::new())];
    let mut steps = 0_usize;
    while let Some((schema, path)) = pending.pop() {
        steps = steps.saturating_add(1);
        let Some(found) = outline.schema(schema) else {
            continue;
        };
        if steps > 10 * MAX_DRIVERS || drivers.len() > MAX_DRIVERS || path.len() > MAX_DEPTH {
            break;
        }
        let below = |name| {
            let mut path: Vec<&str> = path.clone();
            path.push(name);
            path
        };
        let required = found.keywords.get("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().filter_map(Value::as_str);
        drivers.extend(required.map(below));
        for (name, schema) in &found.properties {
            drivers.push(below(name));
            pending.push((*schema, below(name)));
        }
        let tests = found.condition.iter().map(|condition| condition.test);
        let same = found.also.iter().chain(found.alternatives.iter().flatten());
        let same = same.copied().chain(found.negated).chain(tests);
        pending.extend(same.map(|schema| (schema, path.clone())));
    }
    drivers
}
