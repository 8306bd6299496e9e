//! Forms, and the formats of records.

use std::sync::Arc;

use formalize_core::{Caller, Formalize, GroupName, NewGroup};
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::stores::sqlite_connection;
use serde_json::{Value, json};

use crate::bench::{Bench, block_on};

on_both_databases! {
    lists_are_complete,
    every_format_has_the_fields_of_the_interface,
    authors_are_warned_where_no_files_are_taken,
}

#[test]
fn authors_are_warned_of_misspelled_keywords() {
    let bench = Bench::new();
    bench.write(
        "schema.json",
        r#"{"properties": {"a": {}}, "requried": ["a"]}"#,
    );
    let warning = "warning: the unknown keyword `requried` is ignored; did you mean `required`?";
    for line in ["forms create --name Job", "forms update Job"] {
        let stored = bench.run(&format!("{line} --schema schema.json")).expect(0);
        assert!(stored.err.contains(warning), "{stored:?}");
    }
}

const SCHEMA: &str = "{\"type\": \"object\",  \"required\": [\"email\"]}\n";

fn authors_are_warned_where_no_files_are_taken(bench: &Bench) {
    let files = r#"{"files": {"cv": {"allowedMimeTypes": ["*/*"]}}}"#;
    bench.write("files.json", files);
    bench.write("plain.json", SCHEMA);
    let folder = format!("files_url = \"file://{}\"\n", bench.path("files").display());
    for (settings, takes_files) in [("files_url = \"off\"\n", false), (&*folder, true)] {
        bench.write("formalize.toml", settings);
        for (schema, is_warned) in [("files.json", !takes_files), ("plain.json", false)] {
            let create = format!("forms create --name Job --schema {schema} -o json");
            let created = bench.run(&create).expect(0);
            let warning =
                "warning: the schema has rules about files, but this service takes no files";
            assert_eq!(created.err.contains(warning), is_warned, "{created:?}");
            let form = created.json();
            let id = form["identifier"].as_str().unwrap();
            let changed = bench.run(&format!("forms update {id} --schema {schema}"));
            assert_eq!(changed.err.contains(warning), is_warned, "{changed:?}");
            let renamed = bench
                .run(&format!("forms update {id} --name Other"))
                .expect(0);
            assert!(!renamed.err.contains("warning"), "{renamed:?}");
        }
    }
}

#[test]
fn a_form_has_the_given_fields() {
    let bench = Bench::new();
    bench.write("schema.json", SCHEMA);
    bench.write("data.json", r#"{ "colour": "green", "steps": [1] }"#);
    let form = bench.record(
        "forms create --name Newsletter --schema schema.json --grant-based-submission-authorization \
         --allowed-actions-when-submitted read,update --allowed-actions-when-submitted delete \
         --allowed-submission-states draft,submitted --available-starts 2026-11-21 \
         --availability-ends 2026-11-22 --max-num-submissions-per-creator 3 \
         --max-num-submissions 300 --localized-name DE=Anmeldung --localized-name fr=Bulletin \
         --frontend-key course-evaluation --additional-data data.json --contact Registry",
    );
    let expected = json!({
        "name": "Newsletter",
        "dataFeedSchema": SCHEMA,
        "grantBasedSubmissionAuthorization": true,
        "allowedActionsWhenSubmitted": ["read", "update", "delete"],
        "allowedSubmissionStates": ["draft", "submitted"],
        "availableStarts": "2026-11-21T00:00:00.000Z",
        "availabilityEnds": "2026-11-22T23:59:59.999Z",
        "maxNumSubmissionsPerCreator": 3,
        "maxNumSubmissions": 300,
        "localizedNames": { "de": "Anmeldung", "fr": "Bulletin" },
        "frontendKey": "course-evaluation",
        "additionalData": { "colour": "green", "steps": [1] },
        "contact": "Registry",
        "grantedActions": ["manage"],
        "numSubmissionsByCurrentUser": 0,
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&form[field], value, "{field}");
    }
    let id = form["identifier"].as_str().unwrap();
    assert_eq!(bench.record(&format!("forms show {id}")), form);
}

#[test]
fn a_form_can_have_a_chosen_identifier() {
    let bench = Bench::new();
    let id = "019bdb56-6fc7-760d-938a-b128a89958a8";
    let create = format!("forms create --name Media --identifier {id}");
    assert_eq!(bench.record(&create)["identifier"], id);
    bench
        .run(&create)
        .expect(6)
        .saying("belongs to another form");
    let other = "7fd8c4c5-3e5b-4a06-9f6a-0d5f2d1f5f0e";
    let create = format!("--as alice forms create --name Media --identifier {other}");
    bench.run(&create).expect(5);
    bench
        .run("forms create --name Media --identifier media")
        .expect(2);
}

#[test]
fn the_demo_form_is_made_once() {
    let bench = Bench::new();
    let form = bench.record("forms demo --manager alice");
    let id = form["identifier"].as_str().unwrap();
    assert_eq!(id, "e78869ce-e9b3-4df2-854b-cf88a35285f5");
    assert_eq!(form["name"], "Demo form");
    assert_eq!(form["localizedNames"], json!({ "de": "Demo-Formular" }));
    assert_eq!(form["allowedSubmissionStates"], json!(["submitted"]));
    let actions = json!(["read", "update", "delete"]);
    assert_eq!(form["allowedActionsWhenSubmitted"], actions);
    let again = bench.run("forms demo --manager bob").expect(0);
    assert!(again.err.contains("nothing was changed"), "{again:?}");
    assert_eq!(again.out, "");

    // Everybody may submit to it, as the client does, with empty texts.
    bench.write(
        "data.json",
        r#"{"myString": "a", "myLongString": "", "mySpecialString": "", "myDate": "", "myDateTime": "", "myEnum": "", "myCheckbox": ""}"#,
    );
    bench.write("missing.json", r#"{"myCheckbox": true}"#);
    let submit = |user: &str, data: &str| {
        bench.run(&format!(
            "--as {user} submissions create --form {id} --data {data}"
        ))
    };
    submit("carol", "data.json").expect(0);
    submit("carol", "missing.json").expect(7);
    bench
        .run(&format!("--as alice forms update {id} --name Demo"))
        .expect(0);
    bench
        .run(&format!("--as bob forms update {id} --name Demo"))
        .expect(5);
    let other = "7fd8c4c5-3e5b-4a06-9f6a-0d5f2d1f5f0e";
    let form = bench.record(&format!("forms demo --identifier {other}"));
    assert_eq!(form["identifier"], other);
}

/// A form with many submissions is deleted in portions, and has its identifier until the last one.
#[test]
fn the_demo_form_is_not_taken_for_one_that_is_being_deleted() {
    let bench = Bench::new();
    let id = bench.id("forms demo");
    let mark = "UPDATE formalize_forms SET deleted = TRUE";
    sqlite_connection(&bench.url()).execute(mark, []).unwrap();
    bench.run(&format!("forms show {id}")).expect(3);
    bench.run("forms demo").expect(6).saying("being deleted");
}

#[test]
fn a_form_is_not_identified_by_zeroes() {
    let nil = "00000000-0000-0000-0000-000000000000";
    let create = format!("forms create --name A --identifier {nil}");
    let bench = Bench::new();
    bench.run(&create).expect(7).saying("choose another one");
}

#[test]
fn an_update_changes_only_the_given_fields() {
    let bench = Bench::new();
    bench.write("schema.json", SCHEMA);
    let create = "forms create --name A --schema schema.json --max-num-submissions-per-creator 3 \
                  --max-num-submissions 4 --allowed-actions-when-submitted read";
    let mut form = bench.record(create);
    let id = form["identifier"].as_str().unwrap().to_owned();
    let update = |rest: &str| bench.record(&format!("forms update {id} {rest}"));
    form["name"] = json!("B");
    assert_eq!(update("--name B"), form);
    form["maxNumSubmissionsPerCreator"] = json!(null);
    form["dataFeedSchema"] = json!(null);
    assert_eq!(
        update("--clear data-feed-schema,max-num-submissions-per-creator"),
        form
    );
    form["maxNumSubmissions"] = json!(5);
    assert_eq!(update("--max-num-submissions 5"), form);
    form["maxNumSubmissions"] = json!(null);
    assert_eq!(update("--clear max-num-submissions"), form);
    form["localizedNames"] = json!({ "de": "A", "fr": "B" });
    assert_eq!(update("--localized-name de=A --localized-name fr=B"), form);
    form["localizedNames"] = json!({ "de": "C", "fr": "B" });
    form["frontendKey"] = json!("k");
    assert_eq!(update("--localized-name de=C --frontend-key k"), form);
    bench.write("data.json", r#"{ "a": 1, "b": null }"#);
    form["additionalData"] = json!({ "a": 1 });
    assert_eq!(update("--additional-data data.json"), form);
    form["contact"] = json!("Registry");
    assert_eq!(update("--contact Registry"), form);
    form["contact"] = json!(null);
    form["localizedNames"] = json!({});
    form["frontendKey"] = json!(null);
    form["additionalData"] = json!(null);
    let clear = "--clear localized-names,frontend-key,additional-data,contact";
    assert_eq!(update(clear), form);
    form["allowedActionsWhenSubmitted"] = json!([]);
    form["availableStarts"] = json!("2026-11-21T07:00:00.000Z");
    let rest = "--allowed-actions-when-submitted= --available-starts 2026-11-21T08:00:00+01:00";
    assert_eq!(update(rest), form);

    let refused = |rest: &str| bench.run(&format!("forms update {id} {rest}"));
    refused("--availability-ends 2026-11-20")
        .expect(7)
        .saying("availableStarts must not be later than availabilityEnds");
    refused("--allowed-submission-states=")
        .expect(2)
        .saying("allowed-submission-states");
    refused("--available-starts 2026-11-20 --clear available-starts").expect(2);
    refused("--localized-name german=").expect(2);
    refused("--frontend-key a/b").expect(2);
    bench.write("data.json", "1");
    refused("--additional-data data.json")
        .expect(7)
        .saying("additionalData");
    bench.write("data.json", "{");
    refused("--additional-data data.json").expect(2);
    refused("--name C --as bob").expect(5);
    assert_eq!(bench.record(&format!("forms show {id}")), form);
    bench.run("forms update x --name B").expect(3);
}

#[test]
fn forms_are_listed_by_their_keys() {
    let bench = Bench::new();
    for (name, key) in [
        ("A", "--frontend-key survey"),
        ("B", ""),
        ("C", "--frontend-key exam"),
    ] {
        bench
            .run(&format!("forms create --name {name} {key}"))
            .expect(0);
    }
    for (filter, found) in [
        ("--where-frontend-key-in survey,exam", vec!["A", "C"]),
        ("--where-frontend-key-not-in survey", vec!["B", "C"]),
        (
            "--where-frontend-key-in exam --where-frontend-key-not-in exam",
            vec![],
        ),
    ] {
        let listed = bench.record(&format!("forms list {filter}"));
        let listed = listed.as_array().unwrap().iter();
        let names: Vec<_> = listed.map(|form| form["name"].as_str().unwrap()).collect();
        assert_eq!(names, found, "{filter}");
    }
    bench
        .run("forms list --where-frontend-key-in a/b")
        .expect(2);
}

#[test]
fn an_updated_form_is_not_printed_without_read_permission() {
    let bench = Bench::new();
    let id = bench.id("forms create --name A");
    let resource = format!("DbpRelayFormalizeForm/{id}");
    bench
        .run(&format!(
            "grants create --action update --user bob --resource {resource}"
        ))
        .expect(0);
    let changed = bench
        .run(&format!("forms update {id} --name B --as bob"))
        .expect(0);
    assert!(
        changed.out.is_empty() && changed.err.contains("changed"),
        "{changed:?}"
    );
    assert_eq!(bench.record(&format!("forms show {id}"))["name"], "B");
}

#[test]
fn an_invalid_schema_is_rejected_with_the_paths_of_errors() {
    let bench = Bench::new();
    bench.write(
        "schema.json",
        r#"{"type": "objekt", "properties": {"a": {"type": 3}}}"#,
    );
    let refused = bench
        .run("forms create --name F --schema schema.json")
        .expect(7);
    assert!(
        refused.err.starts_with("error: invalid schema\n"),
        "{refused:?}"
    );
    assert!(refused.err.contains("\n  /type: "), "{refused:?}");
    assert!(
        refused.err.contains("\n  /properties/a/type: "),
        "{refused:?}"
    );
    let broken = bench
        .run_with_input("forms create --name F --schema -", "{")
        .expect(7);
    assert_eq!(broken.err.lines().count(), 1, "{broken:?}");
    bench
        .run("forms create --name F --schema missing.json")
        .expect(1)
        .saying("missing.json");
    assert_eq!(bench.count("forms list"), 0);
}

#[test]
fn deleting_a_form_with_submissions_requires_confirmation() {
    let bench = Bench::new();
    let id = bench.id("forms create --name F --allowed-submission-states draft,submitted");
    let submit = format!("submissions create --form {id} --data -");
    bench.run_with_input(&submit, "{}").expect(0);
    bench
        .run_with_input(&format!("{submit} --state draft"), "{}")
        .expect(0);
    let delete = format!("forms delete {id}");
    bench
        .run(&delete)
        .expect(2)
        .saying("deleting the form `F` deletes 2 submissions with it");
    bench.run(&format!("{delete} --as bob")).expect(5);
    bench.run(&format!("{delete} --as bob --dry-run")).expect(5);
    let counted = bench.run(&format!("{delete} --dry-run -o json")).expect(0);
    let counted: Value = serde_json::from_str(&counted.out).unwrap();
    assert_eq!(
        (&counted["submissions"], &counted["drafts"]),
        (&1.into(), &1.into())
    );
    bench.run(&format!("{delete} --yes")).expect(0);
    bench.run(&delete).expect(3);
    let empty = bench.id("forms create --name G");
    bench.run(&format!("forms delete {empty}")).expect(0);
}

/// Creates more groups than a page can have. It uses the library, which is faster than running the program so often.
async fn fill(bench: &Bench, number: usize) {
    let options = SqlOptions::default();
    let store = SqlStore::open(&bench.url(), &options).await.unwrap();
    let formalize = Formalize::builder(Arc::new(store)).build().await.unwrap();
    for number in 0..number {
        let name = GroupName::new(number.to_string()).unwrap();
        formalize
            .groups()
            .create(&Caller::System, NewGroup { name })
            .await
            .unwrap();
    }
    formalize.store().close().await;
}

fn lists_are_complete(bench: &Bench) {
    const NUMBER: usize = 401;
    block_on(fill(bench, NUMBER));
    let groups = bench.record("groups list");
    let names: Vec<_> = groups
        .as_array()
        .unwrap()
        .iter()
        .map(|group| &group["name"])
        .collect();
    let expected: Vec<_> = (0..NUMBER)
        .map(|number| json!(number.to_string()))
        .collect();
    assert_eq!(names, expected.iter().collect::<Vec<_>>());
    let lines = |format| {
        let listed = bench.run(&format!("groups list -o {format}")).expect(0);
        listed.out.lines().count()
    };
    assert_eq!(lines("ndjson"), NUMBER);
    assert_eq!(lines("csv"), NUMBER + 1);
    assert_eq!(lines("table"), NUMBER + 1);
}

/// The names and order of fields in JSON are those of the header line of CSV.
fn every_format_has_the_fields_of_the_interface(bench: &Bench) {
    bench.write("formalize.toml", "[policies]\ncreate_forms = 'true'\n");
    let form = bench.id("forms create --name F --as alice");
    let submit = format!("submissions create --form {form} --data -");
    bench.run_with_input(&submit, "{}").expect(0);
    let group = bench.id("groups create G");
    bench
        .run(&format!("members add {group} --user alice"))
        .expect(0);
    bench.run("tokens create --user alice").expect(0);
    bench.run(&format!("links create --form {form}")).expect(0);
    for line in [
        "forms list".to_owned(),
        format!("forms show {form}"),
        format!("submissions list --form {form}"),
        "groups list".to_owned(),
        format!("members list {group}"),
        "grants list".to_owned(),
        "resources list".to_owned(),
        "actions list".to_owned(),
        "tokens list".to_owned(),
        format!("links list --form {form}"),
        "migrate status".to_owned(),
    ] {
        let ndjson = bench.run(&format!("{line} -o ndjson")).expect(0).out;
        let csv = bench.run(&format!("{line} -o csv")).expect(0).out;
        let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        let first: Value = serde_json::from_str(ndjson.lines().next().unwrap()).unwrap();
        let only_of_items = ["availableTags", "numSubmissionsByCurrentUser"];
        let names = first.as_object().unwrap();
        assert!(
            names.keys().all(|name| header.contains(&name.as_str())),
            "{line}"
        );
        for name in header.iter().filter(|name| !only_of_items.contains(name)) {
            assert!(names.contains_key(*name), "{line}: {name}");
        }
        let is_item = line.starts_with("forms show");
        for name in only_of_items {
            assert_eq!(names.contains_key(name), is_item, "{line}: {name}");
        }
    }
}

#[test]
fn the_questions_of_a_form_are_shown() {
    let bench = Bench::new();
    bench.write(
        "schema.json",
        r#"{"required": ["name"], "properties": {
            "name": {"type": "string", "localizedName": {"en": "Your name", "de": "Ihr Name"}},
            "comes": {"enum": ["yes", "no"]},
            "meal": {"type": "object", "properties": {"vegan": {"type": "boolean"}}}
        }, "if": {"properties": {"comes": {"const": "yes"}}}, "then": {"properties": {"guests": {"type": "integer"}}}}"#,
    );
    bench.write("data.json", r#"{"comes": "yes", "guests": "two"}"#);
    bench.record("forms create --name Party --schema schema.json");
    let table = bench.run("forms questions Party --data data.json --language de");
    insta::assert_snapshot!("questions", table.expect(0).out);
    let tree = bench.record("forms questions Party --language en");
    let children = tree["question"]["children"].as_array().unwrap();
    let labels: Vec<_> = children
        .iter()
        .map(|one| one["label"].as_str().unwrap())
        .collect();
    assert_eq!(labels, ["Your name", "Comes", "Guests", "Meal"]);
    let judged = bench.record("forms questions Party --data data.json");
    assert_eq!(
        judged["question"]["children"][2]["problems"][0]["keyword"],
        "type"
    );
    bench.write(
        "files.json",
        r#"{"files": {"cv": {"allowedMimeTypes": ["application/pdf", "image/*"]}},
            "x-form": {"files": {"cv": {"label": "Curriculum vitae"}}}}"#,
    );
    bench.record("forms create --name Job --schema files.json");
    let table = bench.run("forms questions Job -o csv").expect(0).out;
    let row = "/submittedFiles/cv,files,Curriculum vitae,true,";
    assert!(table.contains(row), "{table}");
    bench.write("broken.json", "{");
    let refused = bench.run("forms questions Party --data broken.json");
    refused.expect(7).saying("is not valid JSON");
}
