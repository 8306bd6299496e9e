use super::*;

/// The example in the documentation of the command line.
const EXAMPLE: &str = r#"
database_url = "sqlite://formalize.db"
listen = "127.0.0.1:8080"
administrators = 'user.id == "admin"'

[policies]
create_groups = 'user.id in ["admin", "grace"]'
create_forms  = '"staff" in user.attributes.roles'
create_tokens = 'user.id == "heidi"'
check_others = 'user.id == "portal"'
search_people = 'user.id != "guest"'
read_local_data = 'user.id == "registrar"'
manage_everything = 'user.id == "grace"'
[policies.manage_collection]
DbpRelayFormalizeForm = 'user.id == "admin"'

[dynamic_groups]
staff = '"staff" in user.attributes.roles'

[[issuers]]
issuer   = "https://login.example.org/realms/main"
audience = "formalize"
user_claim = "sub"
attributes = ["roles"]

[resource_classes.VendorThing]            # classes of other applications
item_actions       = { write = { en = "Write", de = "Schreiben" } }
collection_actions = { create = { en = "Create", de = "Erstellen" } }
"#;

fn problems(text: &str) -> Vec<String> {
    let mut table: Table = text.parse().unwrap();
    match Settings::take_from(&mut table).unwrap_err() {
        ConfigError::Invalid(problems) => problems.iter().map(ToString::to_string).collect(),
        other => panic!("{other}"),
    }
}

#[test]
fn the_documented_example_is_read_without_the_keys_of_the_server() {
    let mut table: Table = EXAMPLE.parse().unwrap();
    let settings = Settings::take_from(&mut table).unwrap();
    let left: Vec<_> = table.keys().collect();
    assert_eq!(left, ["database_url", "issuers", "listen"]);

    let source = |condition: Option<&Condition>| condition.unwrap().source().to_owned();
    let policies = &settings.policies;
    assert_eq!(
        source(policies.administrators.as_ref()),
        r#"user.id == "admin""#
    );
    assert_eq!(
        source(policies.create_groups.as_ref()),
        r#"user.id in ["admin", "grace"]"#
    );
    assert_eq!(
        source(policies.create_forms.as_ref()),
        r#""staff" in user.attributes.roles"#
    );
    assert_eq!(
        source(policies.create_tokens.as_ref()),
        r#"user.id == "heidi""#
    );
    assert_eq!(
        source(policies.check_others.as_ref()),
        r#"user.id == "portal""#
    );
    assert_eq!(
        source(policies.manage_everything.as_ref()),
        r#"user.id == "grace""#
    );
    assert_eq!(
        source(policies.manage_collection.get(&ResourceClass::FORM)),
        r#"user.id == "admin""#
    );
    let staff = DynamicGroupId::new("staff").unwrap();
    assert_eq!(
        source(settings.dynamic_groups.get(&staff)),
        r#""staff" in user.attributes.roles"#
    );

    let class = ResourceClass::new("VendorThing").unwrap();
    let write = Action::new("write").unwrap();
    let actions = settings.catalog.find(&class).unwrap();
    assert_eq!(
        actions.item_actions.get(&write).unwrap().get("de").unwrap(),
        "Schreiben"
    );
    assert!(settings.catalog.defines(&class, false, &Action::CREATE));
    assert!(settings.catalog.defines(&class, true, &Action::MANAGE));
}

#[test]
fn every_key_of_the_librarys_tables_is_documented() {
    let reference = include_str!("../../../docs/configuration.md");
    let policies = POLICIES.map(|key| format!("| `{key}` |"));
    let actions = CLASS_ACTIONS.map(|key| format!("| `{key}` |"));
    let tables = Settings::KEYS.map(|key| format!("`{key}`"));
    for named in policies.iter().chain(&actions).chain(&tables) {
        assert!(reference.contains(named), "{named}");
    }
}

#[test]
fn an_empty_configuration_has_the_defaults() {
    let settings = Settings::take_from(&mut Table::new()).unwrap();
    assert!(settings.policies.administrators.is_none());
    assert!(settings.dynamic_groups.is_empty());
    assert_eq!(settings.catalog, ActionCatalog::default());
}

fn assert_problems<const N: usize>(table: [(&str, &str); N]) {
    for (text, problem) in table {
        assert_eq!(problems(text), [problem], "{text}");
    }
}

#[test]
fn policies_and_groups_are_checked() {
    assert_problems([
        (
            "administrators = true",
            "administrators: must be a string, not a boolean",
        ),
        (
            "administrators = 'admin'",
            "administrators: line 1, column 1: unknown variable `admin`",
        ),
        (
            "administrators = 'form.name == \"x\"'",
            "administrators: `form` is available only in policies.create_forms",
        ),
        ("policies = []", "policies: must be a table, not an array"),
        (
            "policies.create_forms = '''\nuser.id ==\n'''",
            "policies.create_forms: line 2, column 1: unexpected end",
        ),
        (
            "policies.create_form = 'true'",
            "policies.create_form: unknown key, did you mean `create_forms`?",
        ),
        ("policies.colour = 'true'", "policies.colour: unknown key"),
        (
            "policies.create_groups = 'form.name == \"x\"'",
            "policies.create_groups: `form` is available only in policies.create_forms",
        ),
        (
            "policies.manage_everything = 'form.name == \"x\"'",
            "policies.manage_everything: `form` is available only in policies.create_forms",
        ),
        (
            "policies.manage_collection = 'true'",
            "policies.manage_collection: must be a table, not a string",
        ),
        (
            "policies.manage_collection.DbpRelayFormalizeForms = 'true'",
            "policies.manage_collection.DbpRelayFormalizeForms: unknown resource class, \
             did you mean `DbpRelayFormalizeForm`?",
        ),
        (
            "policies.manage_collection.DbpRelayFormalizeForm = '1 +'",
            "policies.manage_collection.DbpRelayFormalizeForm: line 1, column 4: unexpected end",
        ),
        (
            "dynamic_groups.everybody = 'true'",
            "dynamic_groups.everybody: predefined: all authenticated users",
        ),
        (
            "dynamic_groups.'a\tb' = 'true'",
            "dynamic_groups.\"a\\tb\": the name must have 1 to 255 characters and no control characters",
        ),
        (
            "dynamic_groups.'' = 'true'",
            "dynamic_groups.\"\": the name must have 1 to 255 characters and no control characters",
        ),
        (
            "dynamic_groups.'a.b' = 1",
            "dynamic_groups.\"a.b\": must be a string, not a number",
        ),
    ]);
}

#[test]
fn resource_classes_are_checked() {
    let long = "x".repeat(256);
    assert_problems([
        (
            "resource_classes.DbpRelayFormalizeForm = {}",
            "resource_classes.DbpRelayFormalizeForm: \
             the class `DbpRelayFormalizeForm` is built in and cannot be redefined",
        ),
        (
            "resource_classes.A = 1",
            "resource_classes.A: must be a table, not a number",
        ),
        (
            "resource_classes.A.item_action = {}",
            "resource_classes.A.item_action: unknown key, did you mean `item_actions`?",
        ),
        (
            "resource_classes.A.item_actions.manage = {}",
            "resource_classes.A.item_actions.manage: predefined for every class",
        ),
        (
            "resource_classes.A.collection_actions.manage = {}",
            "resource_classes.A.collection_actions.manage: predefined for every class",
        ),
        (
            "resource_classes.A.item_actions.read = 'Read'",
            "resource_classes.A.item_actions.read: must be a table, not a string",
        ),
        (
            "resource_classes.A.item_actions.read.en = 1",
            "resource_classes.A.item_actions.read.en: must be a string, not a number",
        ),
        (
            "resource_classes.A.item_actions.read = { en = 'Read', '' = 'Read' }",
            "resource_classes.A.item_actions.read.\"\": must be a language tag such as \"en\"",
        ),
        (
            "resource_classes.A.item_actions.read = { de = 'Lesen' }",
            "resource_classes.A.item_actions.read: must have a label in English, such as `en = \"Read\"`",
        ),
        (
            "resource_classes.A.collection_actions.create = {}",
            "resource_classes.A.collection_actions.create: must have a label in English, such as `en = \"Read\"`",
        ),
        (
            "resource_classes.A.item_actions.\"\\u0000\" = {}",
            "resource_classes.A.item_actions.\"\\0\": \
             the name must have 1 to 255 characters and no control characters",
        ),
        (
            &format!("resource_classes.{long} = {{}}"),
            &format!(
                "resource_classes.{long}: the name must have 1 to 255 characters and no control characters"
            ),
        ),
    ]);
}

#[test]
fn names_may_have_255_characters_of_any_script() {
    let long = "ä".repeat(255);
    let mut table = format!("dynamic_groups.'{long}' = 'true'\nresource_classes.'{long}' = {{}}")
        .parse()
        .unwrap();
    let settings = Settings::take_from(&mut table).unwrap();
    assert!(
        settings
            .dynamic_groups
            .contains_key(&DynamicGroupId::new(&*long).unwrap())
    );
    assert!(
        settings
            .catalog
            .find(&ResourceClass::new(long).unwrap())
            .is_some()
    );
}

#[test]
fn a_configured_class_can_have_a_policy() {
    let text = "policies.manage_collection.Thing = 'true'\nresource_classes.Thing = {}";
    let settings = Settings::take_from(&mut text.parse().unwrap()).unwrap();
    assert!(
        settings
            .policies
            .manage_collection
            .contains_key(&ResourceClass::new("Thing").unwrap())
    );
}

#[test]
fn keys_with_problems_are_removed_and_all_reported() {
    let text = "
        listen = 1
        administrators = 'x'
        [policies]
        create = 'true'
        create_forms = 'y'
        [dynamic_groups]
        staff = 'z'
    ";
    let mut table: Table = text.parse().unwrap();
    let error = Settings::take_from(&mut table).unwrap_err();
    assert_eq!(table.keys().collect::<Vec<_>>(), ["listen"]);
    let expected = "administrators: line 1, column 1: unknown variable `x`\n\
        dynamic_groups.staff: line 1, column 1: unknown variable `z`\n\
        policies.create: unknown key\n\
        policies.create_forms: line 1, column 1: unknown variable `y`";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn unknown_top_level_keys_have_no_prefix() {
    let problem = Problem::unknown_key("", "polices", &Settings::KEYS);
    assert_eq!(
        problem.to_string(),
        "polices: unknown key, did you mean `policies`?"
    );
}

#[test]
fn errors_of_files_name_the_position() {
    let path = std::env::temp_dir().join(format!("formalize-config-{}.toml", std::process::id()));
    let name = path.display().to_string();
    assert!(
        read_file(&path)
            .unwrap_err()
            .to_string()
            .starts_with(&format!("cannot read {name}: "))
    );

    std::fs::write(&path, EXAMPLE).unwrap();
    assert_eq!(read_file(&path).unwrap().len(), 7);

    std::fs::write(&path, "# ä\ndatabase_url = 'ä' secret").unwrap();
    let error = read_file(&path).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(
        error.starts_with(&format!("{name}, line 2, column 20: ")),
        "{error}"
    );
    assert!(!error.contains("secret"), "{error}");
}
