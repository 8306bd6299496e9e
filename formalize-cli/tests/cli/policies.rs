//! Policies and dynamic groups, tested for a user.

use serde_json::json;

use crate::bench::Bench;

#[test]
fn a_condition_that_fails_is_only_mentioned_where_it_explains_a_refusal() {
    let bench = Bench::new();
    bench.write(
        "formalize.toml",
        "[policies]\ncreate_forms = '\"staff\" in user.attributes.roles'\n",
    );
    let listed = bench.run("groups list --as alice").expect(0);
    assert_eq!(listed.err, "");
    let reason = "policies.create_forms does not hold for `alice`";
    let refused = bench.run("forms create Survey --as alice").expect(5);
    assert!(
        refused.err.contains(reason) && refused.err.contains("`roles`"),
        "{refused:?}"
    );
    let check = "check --user alice --action create --resource DbpRelayFormalizeForm";
    let denied = bench.run(check);
    assert_eq!((denied.code, denied.out.as_str()), (5, "denied\n"));
    assert!(denied.err.contains(reason), "{denied:?}");
    // It does not decide about single forms.
    let form = bench.id("forms create F");
    let denied = bench.run(&format!(
        "check --user alice --action read --resource DbpRelayFormalizeForm/{form}"
    ));
    assert_eq!((denied.code, denied.err.as_str()), (5, ""));
    let attribute = "roles=[\"staff\"]";
    let words = [
        "forms",
        "create",
        "Survey",
        "--as",
        "alice",
        "--attribute",
        attribute,
    ];
    let created = bench.start(&words, &[], "").expect(0);
    assert_eq!(created.err, "");
}

const CONFIGURATION: &str = r#"
administrators = 'user.id == "admin"'
[policies]
create_groups = '"staff" in user.attributes.roles'
create_forms = 'form.name.startsWith("Survey")'
manage_everything = 'user.id == "grace"'
[policies.manage_collection]
DbpRelayFormalizeForm = 'user.attributes.level > 3'
[dynamic_groups]
staff = '"staff" in user.attributes.roles'
"#;

/// The setting, the result, and the error of each row.
fn tested(bench: &Bench, words: &[&str]) -> Vec<(String, bool, Option<String>)> {
    let words = [&["policies", "test", "-o", "json"], words].concat();
    let rows = bench.start(&words, &[], "").expect(0).json();
    let rows = rows.as_array().unwrap().iter().map(|row| {
        let text = |field: &str| row[field].as_str().map(ToOwned::to_owned);
        let holds = row["holds"].as_bool().unwrap();
        (text("setting").unwrap(), holds, text("failure"))
    });
    rows.collect()
}

#[test]
fn policies_and_dynamic_groups_are_tested_without_a_database() {
    let bench = Bench::empty();
    bench.write("formalize.toml", CONFIGURATION);
    let staff = ["--user", "grace", "--attribute", r#"roles=["staff"]"#];
    let level = ["--attribute", "level=\"high\"", "--form-name", "Survey 1"];
    let failure = |text: &str| Some(text.to_owned());
    let found = tested(&bench, &[staff, level].concat());
    let expected = [
        ("administrators", false, None),
        ("policies.create_groups", true, None),
        ("policies.create_forms", true, None),
        // By default, these are the administrators.
        ("policies.create_tokens", false, None),
        ("policies.check_others", false, None),
        // By default, these are all users.
        ("policies.search_people", true, None),
        ("policies.read_local_data", false, None),
        ("policies.manage_everything", true, None),
        (
            "policies.manage_collection.DbpRelayFormalizeForm",
            false,
            failure("a value has the wrong type"),
        ),
        ("dynamic_groups.staff", true, None),
    ];
    for ((setting, holds, why), expected) in found.iter().zip(&expected) {
        assert_eq!((setting.as_str(), *holds), (expected.0, expected.1));
        let starts = why.as_deref().unwrap_or_default();
        assert!(starts.starts_with(expected.2.as_deref().unwrap_or_default()));
        assert_eq!(why.is_some(), expected.2.is_some(), "{setting}: {why:?}");
    }
    assert_eq!(found.len(), expected.len());

    let without_roles = tested(&bench, &["--user", "admin"]);
    assert_eq!(without_roles[0], ("administrators".to_owned(), true, None));
    let missing = "the user has no attribute `roles`";
    assert_eq!(without_roles[9].2.as_deref(), Some(missing));
    assert!(!bench.path("formalize.db").exists());
}

#[test]
fn every_format_has_the_same_content() {
    let bench = Bench::empty();
    bench.write("formalize.toml", CONFIGURATION);
    let test = "policies test --user admin";
    let table = bench.run(test).expect(0);
    assert!(table.err.contains("--form-name"), "{table:?}");
    insta::assert_snapshot!("policies", table.out);
    let csv = bench.run(&format!("{test} -o csv")).expect(0);
    assert_eq!(
        csv.out.lines().next(),
        Some("setting,holds,failure,condition")
    );
    let lines = bench.run(&format!("{test} -o ndjson")).expect(0);
    let first: serde_json::Value = serde_json::from_str(lines.out.lines().next().unwrap()).unwrap();
    let expected = json!({
        "setting": "administrators", "holds": true, "failure": null,
        "condition": "user.id == \"admin\"",
    });
    assert_eq!(first, expected);
}

#[test]
fn unset_policies_apply_to_nobody_except_for_the_search_for_people() {
    let bench = Bench::empty();
    let tested = bench.run("policies test --user admin -o json").expect(0);
    assert!(tested.err.contains("configuration file"), "{tested:?}");
    for row in tested.json().as_array().unwrap() {
        let is_search = row["setting"] == "policies.search_people";
        assert_eq!(row["holds"], is_search);
        assert_eq!(
            row["condition"],
            if is_search {
                json!("true")
            } else {
                json!(null)
            }
        );
    }
    bench.run("policies test --user admin --as bob").expect(2);
    bench.write("formalize.toml", "administrators = 'user.'\n");
    bench.run("policies test --user admin").expect(2);
}

#[test]
fn attributes_that_are_too_large_are_reported() {
    let bench = Bench::empty();
    bench.write("formalize.toml", "administrators = 'true'\n");
    let numbers = (0..20_000).map(|number| number.to_string());
    let attribute = format!("a=[{}]", numbers.collect::<Vec<_>>().join(","));
    let found = tested(&bench, &["--user", "grace", "--attribute", &attribute]);
    let reason = Some("the user's attributes are too large");
    assert_eq!(found[0].2.as_deref(), reason);
}

#[test]
fn a_manager_of_everything_sees_and_shares_all_forms() {
    let bench = Bench::new();
    bench.write("formalize.toml", CONFIGURATION);
    let form = bench.id("forms create --name F");
    let listed = |user: &str| bench.count(&format!("forms list --as {user}"));
    assert_eq!((listed("grace"), listed("admin")), (1, 0));
    let share = format!("forms share {form} --with user:bob --to fill --as");
    bench.run(&format!("{share} admin")).expect(5);
    bench.run(&format!("{share} grace")).expect(0);
    assert_eq!(listed("bob"), 1);
    // A draft of someone else.
    let draft = format!("submissions create --form {form} --state draft --data - --as bob");
    let allow =
        format!("forms update {form} --allowed-submission-states draft,submitted --as grace");
    bench.run(&allow).expect(0);
    bench.run_with_input(&draft, "{}").expect(0);
    let listed = format!("submissions list --form {form} --as");
    assert_eq!(bench.count(&format!("{listed} bob")), 1);
    assert_eq!(bench.count(&format!("{listed} grace")), 0);
}
