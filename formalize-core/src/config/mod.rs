//! Configuration: the sources of settings, and the library's part of the configuration file, which defines policies,
//! dynamic groups and resource classes.
//!
//! [`setting`] describes single settings, and [`Sources`] finds their values. [`Settings::take_from`] reads the
//! library's part, for programs with a configuration file of their own.
//!
//! ```
//! use formalize_core::config::{ConfigError, Settings};
//!
//! let mut table = r#"
//!     listen = "127.0.0.1:8080"
//!     administrators = 'user.id == "admin"'
//!     [dynamic_groups]
//!     staff = '"staff" in user.attributes.roles'
//! "#
//! .parse()?;
//! let settings = Settings::take_from(&mut table)?;
//! assert!(settings.policies.administrators.is_some());
//! assert_eq!(settings.dynamic_groups.len(), 1);
//! assert_eq!(table.keys().collect::<Vec<_>>(), ["listen"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use formalize_schema::nearest_name;
use toml::{Table, Value};

pub use self::database_url::DatabaseUrl;
pub use self::egress_proxy::EgressProxy;
pub use self::error::{ConfigError, InvalidSetting, Problem};
use self::error::{did_you_mean, join};
pub use self::events::EventSettings;
pub use self::files::{FileSettings, FilesUrl};
pub use self::sources::{DEFAULT_FILE, Sources};
pub use self::units::{ByteSize, Count, OrOff, Period, Switch, Timeout};
pub use self::webhooks::WebhookSettings;
use crate::authz::Policies;
use crate::authz::condition::Condition;
use crate::model::action::{Action, ActionCatalog, ClassActions, Labels};
use crate::model::resource::ResourceClass;
use crate::model::subject::DynamicGroupId;
use crate::model::text::{InvalidText, is_plain};

mod database_url;
mod egress_proxy;
mod error;
mod events;
mod files;
pub mod setting;
mod sources;
#[cfg(test)]
mod tests;
mod units;
mod webhooks;

/// The library's part of a configuration file.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Permissions without a grant: `administrators` and `[policies]`.
    pub policies: Policies,
    /// The dynamic groups besides [`DynamicGroupId::EVERYBODY`], each with its condition.
    pub dynamic_groups: BTreeMap<DynamicGroupId, Condition>,
    /// The built-in classes and those of `[resource_classes]`.
    pub catalog: ActionCatalog,
}

/// Reads a file as TOML.
///
/// # Errors
///
/// [`ConfigError::Unreadable`] and [`ConfigError::Syntax`]; neither repeats the text of the file, which may contain
/// secrets.
pub fn read_file(path: impl AsRef<Path>) -> Result<Table, ConfigError> {
    let path = path.as_ref();
    table_of(path, std::fs::read_to_string(path))
}

/// The text of a file as TOML.
fn table_of(path: &Path, text: std::io::Result<String>) -> Result<Table, ConfigError> {
    let text = text.map_err(|source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    text.parse().map_err(|error: toml::de::Error| {
        let offset = error.span().map_or(0, |span| span.start);
        let (line, column) = position(&text, offset);
        let message = error.message().to_owned();
        ConfigError::Syntax {
            path: path.to_owned(),
            line,
            column,
            message,
        }
    })
}

impl Settings {
    /// The top-level keys that [`take_from`](Self::take_from) removes.
    pub const KEYS: [&str; 4] = [
        "administrators",
        "policies",
        "dynamic_groups",
        "resource_classes",
    ];

    /// Removes the library's settings from a configuration; other keys stay in `table`. The keys are removed whether or not
    /// their values are valid.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Invalid`] with every problem of these settings.
    pub fn take_from(table: &mut Table) -> Result<Self, ConfigError> {
        let (settings, problems) = Self::read(table);
        ensure!(problems.is_empty(), ConfigError::Invalid(problems));
        Ok(settings)
    }

    /// The valid settings, and the problems of the others in the order of their keys.
    fn read(table: &mut Table) -> (Self, Vec<Problem>) {
        let mut reader = Reader::default();
        let [administrators, policies, dynamic_groups, resource_classes] =
            Self::KEYS.map(|key| table.remove(key));
        let catalog = reader.catalog(resource_classes);
        let settings = Self {
            policies: Policies {
                administrators: reader.condition("administrators", administrators),
                ..reader.policies(policies, &catalog)
            },
            dynamic_groups: reader.dynamic_groups(dynamic_groups),
            catalog,
        };
        reader.problems.sort_by(|a, b| a.key.cmp(&b.key));
        (settings, reader.problems)
    }
}

/// The keys of `policies`.
const POLICIES: [&str; 8] = [
    "create_groups",
    "create_forms",
    "create_tokens",
    "check_others",
    "search_people",
    "read_local_data",
    "manage_everything",
    "manage_collection",
];

/// The keys of each table in `resource_classes`.
const CLASS_ACTIONS: [&str; 2] = ["item_actions", "collection_actions"];

/// Reads values and collects their problems. A missing or invalid value is `None`, or an empty table.
#[derive(Default)]
struct Reader {
    problems: Vec<Problem>,
}

impl Reader {
    fn note(&mut self, key: &str, message: impl Into<String>) {
        self.problems.push(Problem {
            key: key.to_owned(),
            message: message.into(),
        });
    }

    fn text(&mut self, key: &str, value: Option<Value>) -> Option<String> {
        match value? {
            Value::String(text) => Some(text),
            other => {
                self.note(key, format!("must be a string, not {}", kind_of(&other)));
                None
            }
        }
    }

    fn table(&mut self, key: &str, value: Option<Value>) -> Table {
        match value {
            None => Table::new(),
            Some(Value::Table(table)) => table,
            Some(other) => {
                self.note(key, format!("must be a table, not {}", kind_of(&other)));
                Table::new()
            }
        }
    }

    /// Reports every key that is left in a table.
    fn refuse(&mut self, key: &str, rest: &Table, known: &[&str]) {
        self.problems.extend(
            rest.keys()
                .map(|unknown| Problem::unknown_key(key, unknown, known)),
        );
    }

    /// A condition about users; only one policy may use `form`.
    fn condition(&mut self, key: &str, value: Option<Value>) -> Option<Condition> {
        let condition = self.condition_about_form(key, value)?;
        if condition.reads_form() {
            self.note(key, "`form` is available only in policies.create_forms");
            return None;
        }
        Some(condition)
    }

    fn condition_about_form(&mut self, key: &str, value: Option<Value>) -> Option<Condition> {
        let source = self.text(key, value)?;
        match Condition::compile(&source) {
            Ok(condition) => Some(condition.named(key)),
            Err(error) => {
                self.note(key, error.to_string());
                None
            }
        }
    }

    fn policies(&mut self, value: Option<Value>, catalog: &ActionCatalog) -> Policies {
        let mut table = self.table("policies", value);
        let create_forms = table.remove("create_forms");
        let manage_collection = table.remove("manage_collection");
        let mut policy = |name| self.condition(&join("policies", name), table.remove(name));
        let policies = Policies {
            administrators: None,
            create_groups: policy("create_groups"),
            create_tokens: policy("create_tokens"),
            check_others: policy("check_others"),
            search_people: policy("search_people"),
            read_local_data: policy("read_local_data"),
            manage_everything: policy("manage_everything"),
            create_forms: self.condition_about_form("policies.create_forms", create_forms),
            manage_collection: self.collection_policies(manage_collection, catalog),
        };
        self.refuse("policies", &table, &POLICIES);
        policies
    }

    fn collection_policies(
        &mut self,
        value: Option<Value>,
        catalog: &ActionCatalog,
    ) -> BTreeMap<ResourceClass, Condition> {
        const TABLE: &str = "policies.manage_collection";
        let mut policies = BTreeMap::new();
        for (name, value) in self.table(TABLE, value) {
            let key = join(TABLE, &name);
            let condition = self.condition(&key, Some(value));
            let known = || catalog.iter().map(|(class, _)| class);
            let Some(class) = known().find(|class| class.as_str() == name) else {
                let nearest = nearest_name(&name, known().map(ResourceClass::as_str));
                self.note(
                    &key,
                    format!("unknown resource class{}", did_you_mean(nearest)),
                );
                continue;
            };
            policies.extend(condition.map(|condition| (class.clone(), condition)));
        }
        policies
    }

    fn dynamic_groups(&mut self, value: Option<Value>) -> BTreeMap<DynamicGroupId, Condition> {
        let mut groups = BTreeMap::new();
        for (name, value) in self.table("dynamic_groups", value) {
            let key = join("dynamic_groups", &name);
            let condition = self.condition(&key, Some(value));
            let Some(group) = self.name(&key, DynamicGroupId::new(name)) else {
                continue;
            };
            if group == DynamicGroupId::EVERYBODY {
                self.note(&key, "predefined: all authenticated users");
                continue;
            }
            groups.extend(condition.map(|condition| (group, condition)));
        }
        groups
    }

    fn catalog(&mut self, value: Option<Value>) -> ActionCatalog {
        let mut catalog = ActionCatalog::default();
        for (name, value) in self.table("resource_classes", value) {
            let key = join("resource_classes", &name);
            let actions = self.class_actions(&key, value);
            let Some(class) = self.name(&key, ResourceClass::new(name)) else {
                continue;
            };
            // `with_class` consumes the catalogue, also if it fails.
            match catalog.clone().with_class(class, actions) {
                Ok(extended) => catalog = extended,
                Err(reserved) => self.note(&key, reserved.to_string()),
            }
        }
        catalog
    }

    fn class_actions(&mut self, key: &str, value: Value) -> ClassActions {
        let mut table = self.table(key, Some(value));
        let [item_actions, collection_actions] = CLASS_ACTIONS.map(|key| table.remove(key));
        self.refuse(key, &table, &CLASS_ACTIONS);
        ClassActions {
            item_actions: self.actions(&join(key, "item_actions"), item_actions),
            collection_actions: self.actions(&join(key, "collection_actions"), collection_actions),
        }
    }

    fn actions(&mut self, key: &str, value: Option<Value>) -> BTreeMap<Action, Labels> {
        let mut actions = BTreeMap::new();
        for (name, value) in self.table(key, value) {
            let key = join(key, &name);
            let Some(action) = self.name(&key, Action::new(name)) else {
                continue;
            };
            if action == Action::MANAGE {
                self.note(&key, "predefined for every class");
                continue;
            }
            let labels = self.labels(&key, value);
            actions.extend(labels.map(|labels| (action, labels)));
        }
        actions
    }

    /// The labels of an action. Users whose language has none get the English one.
    fn labels(&mut self, key: &str, value: Value) -> Option<Labels> {
        if !value.is_table() {
            self.table(key, Some(value));
            return None;
        }
        let mut labels = Labels::new();
        let table = self.table(key, Some(value));
        if !table.contains_key("en") {
            self.note(key, "must have a label in English, such as `en = \"Read\"`");
        }
        for (language, label) in table {
            let key = join(key, &language);
            if !is_plain(&language, MAX_LANGUAGE_CHARS) {
                self.note(&key, "must be a language tag such as \"en\"");
            }
            labels.extend(self.text(&key, Some(label)).map(|label| (language, label)));
        }
        Some(labels)
    }

    fn name<T>(&mut self, key: &str, name: Result<T, InvalidText>) -> Option<T> {
        name.map_err(|error| self.note(key, format!("the name {error}")))
            .ok()
    }
}

/// Longer than any language tag in use.
const MAX_LANGUAGE_CHARS: usize = 35;

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a string",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::Boolean(_) => "a boolean",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "an array",
        Value::Table(_) => "a table",
    }
}

fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.char_indices().take_while(|(start, _)| *start < offset);
    before.fold((1, 1), |(line, column), (_, character)| match character {
        '\n' => (line + 1, 1),
        _ => (line, column + 1),
    })
}
