//! Finds the columns of a schema, location by location.

use std::collections::{HashMap, HashSet};

use formalize_schema::internals::{Outline, Part, Role, SubSchema, push_token};
use serde_json::Value;

use super::column::{Column, Columns, Members, Place};
#[cfg(feature = "xlsx")]
use super::types::JsonType;
use super::types::Types;

/// The maximum number of sub-schemas to look at. What is beyond has no column.
const MAX_STEPS: usize = 100_000;

/// The maximum length of a chain of sub-schemas for one location, each applied by the one before. The types of those
/// beyond are not considered.
const MAX_CHAIN: usize = 64;

/// The columns of a schema, and where the values of members go.
pub(super) fn columns(outline: &Outline, language: &str) -> (Vec<Column>, Members) {
    let mut walk = Walk::new(outline, language);
    let root = [Subschema {
        schema: 0,
        role: Role::Always,
        holder: 0,
    }];
    let location = walk.location(&root);
    let members = walk.members(&location, &mut String::new(), &mut Vec::new());
    (walk.columns, members)
}

/// The tables of repeated groups: the index of the leaf with the list, the columns of its items, and where the values of
/// their members go.
#[cfg(feature = "xlsx")]
pub(super) fn groups(
    outline: &Outline,
    language: &str,
    leaves: &[Column],
) -> Vec<(usize, Vec<Column>, Members)> {
    let mut walk = Walk::new(outline, language);
    let mut groups = Vec::new();
    for (index, leaf) in leaves.iter().enumerate() {
        if groups.len() >= Columns::MAX_GROUPS || walk.room == 0 {
            break;
        }
        if let Some(members) = walk.items(leaf) {
            let columns = std::mem::take(&mut walk.columns);
            walk.room = walk.room.saturating_sub(columns.len());
            groups.push((index, columns, members));
        }
    }
    groups
}

/// A sub-schema for a location.
#[derive(Debug, Clone, Copy)]
struct Subschema {
    schema: usize,
    role: Role,
    /// The sub-schema with `properties` that refers to it.
    holder: usize,
}

/// What all sub-schemas for a location say.
#[derive(Default)]
struct Location<'o> {
    /// All of them, in the order in which they are mentioned.
    schemas: Vec<usize>,
    /// The members in the order of their first subschema.
    members: Vec<(&'o str, Vec<Subschema>)>,
    /// The position of each member.
    positions: HashMap<&'o str, usize>,
    /// When each of the sub-schemas applies.
    roles: HashMap<usize, Role>,
}

impl<'o> Location<'o> {
    fn subschema(&mut self, name: &'o str, subschema: Subschema) {
        let next = self.members.len();
        let position = *self.positions.entry(name).or_insert(next);
        match self.members.get_mut(position) {
            Some((_, subschemas)) => subschemas.push(subschema),
            None => self.members.push((name, vec![subschema])),
        }
    }
}

struct Walk<'o> {
    outline: &'o Outline,
    language: &'o str,
    steps_left: usize,
    /// The types that a sub-schema states, once they are known.
    types: HashMap<usize, Option<Types>>,
    columns: Vec<Column>,
    /// The maximum number of columns.
    room: usize,
}

impl<'o> Walk<'o> {
    fn new(outline: &'o Outline, language: &'o str) -> Self {
        Self {
            outline,
            language,
            steps_left: MAX_STEPS,
            types: HashMap::new(),
            columns: Vec::new(),
            room: Columns::MAX,
        }
    }

    /// Adds the columns of the items of a list, if these are objects with properties.
    #[cfg(feature = "xlsx")]
    fn items(&mut self, leaf: &Column) -> Option<Members> {
        if !leaf.allows(JsonType::Array) {
            return None;
        }
        let role = match leaf.alternatives.as_slice() {
            [_] => Role::Always,
            _ => Role::Perhaps,
        };
        let subschemas = leaf.alternatives.iter().flatten();
        let subschemas = subschemas.map(|schema| Subschema {
            schema: *schema,
            role,
            holder: 0,
        });
        let list = self.location(&subschemas.collect::<Vec<_>>());
        let mut items = Vec::new();
        for schema in &list.schemas {
            let found = self.outline.schema(*schema)?;
            if !found.prefix.is_empty() {
                return None;
            }
            items.extend(found.items.map(|item| Subschema {
                schema: item,
                role: list.roles.get(schema).copied().unwrap_or(role),
                holder: *schema,
            }));
        }
        let item = self.location(&items);
        let types = self.types_of(&items);
        let is_group = types.is_none_or(|types| types == Types::OBJECT) && !item.members.is_empty();
        is_group.then(|| self.members(&item, &mut String::new(), &mut Vec::new()))
    }

    /// Counts a step. Returns `false` if there were too many.
    fn step(&mut self) -> bool {
        let left = self.steps_left.checked_sub(1);
        self.steps_left = left.unwrap_or(0);
        left.is_some()
    }

    /// Unites the sub-schemas for a location.
    fn location(&mut self, subschemas: &[Subschema]) -> Location<'o> {
        let mut location = Location::default();
        let mut seen = HashSet::new();
        let of_subschema =
            |subschema: &Subschema| (Part::Schema(subschema.schema, subschema.role), 0);
        // The next part is the last one.
        let mut pending: Vec<(Part, usize)> = subschemas.iter().rev().map(of_subschema).collect();
        while let Some((part, of)) = pending.pop() {
            let (schema, role) = match part {
                Part::Schema(schema, role) => (schema, role),
                Part::Properties => {
                    let role = location.roles.get(&of).copied();
                    self.mention_properties(&mut location, of, role);
                    continue;
                }
            };
            if !seen.insert(schema) || !self.step() {
                continue;
            }
            location.schemas.push(schema);
            location.roles.insert(schema, role);
            let Some(found) = self.outline.schema(schema) else {
                continue;
            };
            pending.extend(found.parts.iter().rev().map(|part| match part {
                Part::Schema(part, inner) => (Part::Schema(*part, role.max(*inner)), schema),
                Part::Properties => (Part::Properties, schema),
            }));
        }
        location
    }

    fn mention_properties(&mut self, location: &mut Location<'o>, of: usize, role: Option<Role>) {
        let Some(found) = self.outline.schema(of) else {
            return;
        };
        for (name, schema) in &found.properties {
            if !self.step() {
                return;
            }
            let subschema = Subschema {
                schema: *schema,
                role: role.unwrap_or(Role::Always),
                holder: of,
            };
            location.subschema(name, subschema);
        }
    }

    /// The columns of the members of an object. `holders` are the sub-schemas in whose `properties` the walk is.
    fn members(
        &mut self,
        location: &Location<'o>,
        pointer: &mut String,
        holders: &mut Vec<usize>,
    ) -> Members {
        let mut members = HashMap::new();
        for (name, subschemas) in &location.members {
            if self.columns.len() >= self.room {
                break;
            }
            let (length, held) = (pointer.len(), holders.len());
            push_token(pointer, name);
            holders.extend(subschemas.iter().map(|subschema| subschema.holder));
            let place = self.place(subschemas, pointer, holders);
            members.insert((*name).to_owned(), place);
            holders.truncate(held);
            pointer.truncate(length);
        }
        Members(members)
    }

    fn place(
        &mut self,
        subschemas: &[Subschema],
        pointer: &mut String,
        holders: &mut Vec<usize>,
    ) -> Place {
        let location = self.location(subschemas);
        let types = self.types_of(subschemas);
        // Slashes in names are escaped.
        let depth = pointer.matches('/').count();
        let is_recursive = location
            .schemas
            .iter()
            .any(|schema| holders.contains(schema));
        let is_object = types.is_none_or(|types| types == Types::OBJECT);
        let has_members = !location.members.is_empty();
        if has_members && is_object && !is_recursive && depth < Columns::MAX_DEPTH {
            return Place::Opened(self.members(&location, pointer, holders));
        }
        let column = Column {
            pointer: pointer.clone(),
            label: String::new(),
            types: types.unwrap_or(Types::ALL),
            alternatives: alternatives(subschemas),
        };
        let label = self.label(&location);
        let label = label.unwrap_or_else(|| column.name()).to_owned();
        self.columns.push(Column { label, ..column });
        Place::Leaf(self.columns.len().saturating_sub(1))
    }

    /// The text of the schema that names a location.
    fn label(&self, location: &Location<'o>) -> Option<&'o str> {
        let outline = self.outline;
        // The texts of a constant among alternatives are those of a choice.
        let is_choice = |schema: &SubSchema| {
            let mut keywords = ["const", "enum"].into_iter();
            keywords.any(|keyword| schema.keywords.contains_key(keyword))
        };
        let schemas = || {
            let schemas = location.schemas.iter().enumerate();
            let schemas = schemas.filter_map(|(at, one)| Some((at, outline.schema(*one)?)));
            let of_location = schemas.filter(move |(at, schema)| *at == 0 || !is_choice(schema));
            of_location.map(|(_, schema)| schema)
        };
        let in_language = |language: &str| {
            let mut words = schemas().flat_map(|schema| &schema.names);
            let found =
                words.find(|(tag, text)| tag.eq_ignore_ascii_case(language) && !text.is_empty());
            found.map(|(_, text)| text.as_str())
        };
        let title = |schema: &'o SubSchema| schema.keywords.get("title")?.as_str();
        let name = [self.language, "en"].into_iter().find_map(in_language);
        name.or_else(|| schemas().filter_map(title).find(|title| !title.is_empty()))
    }

    /// The types of values at a location; `None` if they are not stated.
    ///
    /// Where no sub-schema applies always, these are the types of all that may apply.
    fn types_of(&mut self, subschemas: &[Subschema]) -> Option<Types> {
        let with = |role| {
            subschemas
                .iter()
                .filter(move |subschema| subschema.role == role)
        };
        if with(Role::Always).next().is_none() {
            let branches: Vec<_> = with(Role::Perhaps)
                .map(|subschema| subschema.schema)
                .collect();
            return self.types_of_branches(&branches, 0);
        }
        let mut types = None;
        for subschema in with(Role::Always) {
            let stated = self.stated_types(subschema.schema, 0);
            types = narrowed(types, stated);
        }
        types
    }

    /// The types that any of the alternatives allows. `None` if there are no alternatives, or if one does not state its types.
    fn types_of_branches(&mut self, branches: &[usize], depth: usize) -> Option<Types> {
        let mut types = None;
        for branch in branches {
            let mut stated = self.stated_types(*branch, depth);
            let found = self.outline.schema(*branch);
            if stated.is_none() && found.is_some_and(|found| !found.properties.is_empty()) {
                stated = Some(Types::OBJECT);
            }
            types = Some(stated?.or(types.unwrap_or(Types::NONE)));
        }
        types
    }

    fn stated_types(&mut self, schema: usize, depth: usize) -> Option<Types> {
        if let Some(known) = self.types.get(&schema) {
            return *known;
        }
        // A reference back to this sub-schema adds nothing.
        self.types.insert(schema, None);
        let found = self.outline.schema(schema)?;
        if depth > MAX_CHAIN || !self.step() {
            return None;
        }
        let below = depth.saturating_add(1);
        let mut types = own_types(found);
        for part in &found.parts {
            if let Part::Schema(part, Role::Always) = part {
                types = narrowed(types, self.stated_types(*part, below));
            }
        }
        for alternatives in &found.alternatives {
            types = narrowed(types, self.types_of_branches(alternatives, below));
        }
        let condition = found.condition;
        if let Some((then, otherwise)) = condition.and_then(|one| Some((one.then?, one.otherwise?)))
        {
            types = narrowed(types, self.types_of_branches(&[then, otherwise], below));
        }
        self.types.insert(schema, types);
        types
    }
}

/// The sub-schemas that always apply, or each of those that may apply if there are no others.
fn alternatives(subschemas: &[Subschema]) -> Vec<Vec<usize>> {
    let always = subschemas
        .iter()
        .filter(|subschema| subschema.role == Role::Always);
    let always: Vec<usize> = always.map(|subschema| subschema.schema).collect();
    if always.is_empty() {
        subschemas
            .iter()
            .map(|subschema| vec![subschema.schema])
            .collect()
    } else {
        vec![always]
    }
}

/// The types that both allow.
fn narrowed(types: Option<Types>, stated: Option<Types>) -> Option<Types> {
    match (types, stated) {
        (Some(types), Some(stated)) => Some(types.and(stated)),
        (types, stated) => types.or(stated),
    }
}

/// The types that the keywords of a sub-schema allow.
fn own_types(schema: &SubSchema) -> Option<Types> {
    if schema.is_false {
        return Some(Types::NONE);
    }
    let keyword = |name: &str| schema.keywords.get(name);
    let stated = keyword("type").map(Types::stated);
    let values = keyword("enum").and_then(Value::as_array);
    let of_values = values.map(Types::of_values);
    let constant = keyword("const").map(|value| Types::of_values([value]));
    narrowed(narrowed(stated, of_values), constant)
}
