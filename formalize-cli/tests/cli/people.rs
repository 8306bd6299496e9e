//! Groups, members, grants, resources, actions and checks.

use serde_json::json;

use crate::bench::Bench;

const UNKNOWN: &str = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";

#[test]
fn groups_are_created_found_renamed_and_deleted() {
    let bench = Bench::new();
    let id = bench.id("groups create Office");
    bench.run("groups create Other").expect(0);
    assert_eq!(
        bench.record("groups list --search OFF")[0]["identifier"],
        id.as_str()
    );
    assert_eq!(bench.count("groups list"), 2);
    assert_eq!(
        bench.record(&format!("groups rename {id} Registry"))["name"],
        "Registry"
    );
    let shown = bench.record(&format!("groups show {id}"));
    assert_eq!(shown["name"], "Registry");
    assert_eq!(shown["grantedActions"], json!(["manage"]));
    bench
        .run(&format!("groups delete {id}"))
        .expect(0)
        .saying("deleted group");
    bench.run(&format!("groups show {id}")).expect(3);
    bench.run(&format!("groups rename {id} x")).expect(3);
    bench.run(&format!("groups delete {id}")).expect(3);
    bench.run("groups show office").expect(3);
    bench
        .start(&["groups", "create", " "], &[], "")
        .expect(7)
        .saying("name");
}

#[test]
fn members_are_added_listed_and_removed() {
    let bench = Bench::new();
    let (outer, inner) = (
        bench.id("groups create Outer"),
        bench.id("groups create Inner"),
    );
    let added = bench.record(&format!("members add {outer} --user alice"));
    assert_eq!(added["userIdentifier"], "alice");
    assert_eq!(added["childGroupIdentifier"], json!(null));
    bench
        .run(&format!("members add {outer} --group {inner}"))
        .expect(0);
    assert_eq!(bench.count(&format!("members list {outer}")), 2);
    bench
        .run(&format!("members add {outer} --user alice"))
        .expect(6);
    bench
        .run(&format!("members add {inner} --group {outer}"))
        .expect(7);
    bench
        .run(&format!("members add {UNKNOWN} --user alice"))
        .expect(3);
    bench.run(&format!("members list {UNKNOWN}")).expect(3);
    let id = added["identifier"].as_str().unwrap();
    bench.run(&format!("members remove {id}")).expect(0);
    bench.run(&format!("members remove {id}")).expect(3);
}

#[test]
fn deleting_a_group_in_use_requires_confirmation() {
    let bench = Bench::new();
    let id = bench.id("groups create Office");
    let delete = format!("groups delete {id}");
    bench
        .run(&format!("members add {id} --user alice"))
        .expect(0);
    bench
        .run(&delete)
        .expect(2)
        .saying("deletes 1 member with it; confirm with --yes");
    let group = format!("DbpRelayAuthorizationGroup/{id}");
    let form = bench.id("forms create --name F");
    let form = format!("DbpRelayFormalizeForm/{form}");
    for grant in [
        format!("--action read --resource {group} --user bob"),
        format!("--action read --resource {group} --user carol"),
        format!("--action read --resource {form} --group {id}"),
    ] {
        bench.run(&format!("grants create {grant}")).expect(0);
    }
    bench
        .run(&delete)
        .expect(2)
        .saying("1 member, 1 grant it holds, 2 grants on it to anyone but its creator");
    // A user without permission to delete the group learns nothing about it.
    bench.run(&format!("{delete} --as bob")).expect(5);
    bench.run(&format!("{delete} --yes")).expect(0);
    assert_eq!(bench.count(&format!("grants list --resource {form}")), 0);
}

#[test]
fn the_grant_of_the_creator_requires_no_confirmation() {
    let bench = Bench::new();
    bench.write(
        "formalize.toml",
        "[policies]\ncreate_groups = 'user.id == \"alice\"'\n",
    );
    let id = bench.id("groups create Office --as alice");
    let group = format!("DbpRelayAuthorizationGroup/{id}");
    let share = |user| format!("grants create --action read --resource {group} --user {user}");
    bench.run(&share("alice")).expect(0);
    bench
        .run(&format!("groups delete {id} --as alice"))
        .expect(0);

    let id = bench.id("groups create Office --as alice");
    let group = format!("DbpRelayAuthorizationGroup/{id}");
    let share = format!("grants create --action read --resource {group} --user bob");
    bench.run(&share).expect(0);
    bench
        .run(&format!("groups delete {id} --as alice"))
        .expect(2)
        .saying("1 grant on it");
}

#[test]
fn grants_are_created_listed_and_deleted() {
    let bench = Bench::new();
    let form = bench.id("forms create --name F");
    let resource = format!("DbpRelayFormalizeForm/{form}");
    let create = |rest: &str| format!("grants create --resource {resource} {rest}");
    let managed = bench.id(&create("--action manage --user alice"));
    let read = bench.record(&create("--action read --dynamic-group everybody"));
    assert_eq!(read["dynamicGroupIdentifier"], "everybody");
    assert_eq!(read["resourceIdentifier"], form.as_str());
    bench
        .run(&create("--action read --dynamic-group everybody"))
        .expect(6);
    bench.run(&create("--action fly --user alice")).expect(7);
    bench
        .run(&create("--action read --dynamic-group staff"))
        .expect(7);
    bench
        .run(&create(&format!("--action read --group {UNKNOWN}")))
        .expect(3);
    bench
        .run(&create("--action read --user carol --as bob"))
        .expect(5);
    let unknown = format!("DbpRelayFormalizeForm/{UNKNOWN}");
    bench
        .run(&format!(
            "grants create --action read --user a --resource {unknown}"
        ))
        .expect(3);
    let collection = "grants create --action create --user bob --resource DbpRelayFormalizeForm";
    assert_eq!(bench.record(collection)["resourceIdentifier"], json!(null));

    assert_eq!(bench.count("grants list"), 3);
    assert_eq!(
        bench.count("grants list --resource DbpRelayFormalizeForm"),
        3
    );
    assert_eq!(
        bench.count(&format!("grants list --resource {resource}")),
        2
    );
    assert_eq!(bench.count("grants list --as bob"), 2);

    bench
        .run(&format!("grants delete {managed}"))
        .expect(6)
        .saying("last `manage` grant");
    let read = read["identifier"].as_str().unwrap();
    bench
        .run(&format!("grants delete {read} --as bob"))
        .expect(5);
    bench.run(&format!("grants delete {read}")).expect(0);
    bench.run(&format!("grants delete {read}")).expect(3);
}

#[test]
fn resources_of_configured_classes_are_registered() {
    let bench = Bench::new();
    bench.run("resources register VendorThing/42").expect(3);
    let classes = "[resource_classes.VendorThing]\nitem_actions = { write = { en = \"Write\" } }\n";
    bench.write("formalize.toml", classes);
    let registered = bench.record("resources register VendorThing/42 --manager alice");
    assert_eq!(registered["resourceClass"], "VendorThing");
    assert_eq!(registered["resourceIdentifier"], "42");
    bench.run("resources register VendorThing/42").expect(6);
    bench
        .run("resources register DbpRelayFormalizeForm/42")
        .expect(7);
    bench
        .run("resources register VendorThing/43 --as alice")
        .expect(5);
    bench.run("resources register VendorThing/44").expect(0);
    assert_eq!(bench.count("resources list --resource VendorThing"), 3);
    assert_eq!(bench.count("resources list --resource VendorThing/42"), 1);
    assert_eq!(bench.count("resources list --as alice"), 1);

    bench.run("resources deregister VendorThing/44").expect(0);
    bench
        .run("resources deregister VendorThing/42")
        .expect(2)
        .saying("deletes 1 grant with it");
    bench
        .run("resources deregister VendorThing/42 --yes")
        .expect(0);
    bench
        .run("resources deregister VendorThing/42 --yes")
        .expect(3);
    bench
        .run("resources deregister DbpRelayFormalizeForm/42")
        .expect(7);
}

#[test]
fn actions_are_listed_by_class() {
    let bench = Bench::new();
    assert_eq!(bench.count("actions list"), 4);
    let one = bench.record("actions list DbpRelayFormalizeSubmission");
    assert_eq!(
        one[0]["itemActions"]["read"],
        json!({"de": "Lesen", "en": "Read"})
    );
    let table = bench
        .run("actions list DbpRelayFormalizeSubmission")
        .expect(0);
    assert!(
        table.out.contains("delete, manage, read, update"),
        "{table:?}"
    );
    bench.run("actions list VendorThing").expect(3);
}

#[test]
fn a_check_prints_its_result_and_sets_the_exit_code() {
    let bench = Bench::new();
    let form = bench.id("forms create --name F");
    let resource = format!("DbpRelayFormalizeForm/{form}");
    bench
        .run(&format!(
            "grants create --action manage --resource {resource} --user alice"
        ))
        .expect(0);
    let check = |rest: &str| {
        let ran = bench.run(&format!("check {rest}"));
        (ran.code, ran.out.trim().to_owned())
    };
    let (allowed, denied) = ((0, "allowed".to_owned()), (5, "denied".to_owned()));
    assert_eq!(
        check(&format!("--user alice --action read --resource {resource}")),
        allowed
    );
    assert_eq!(
        check(&format!("--user bob --action read --resource {resource}")),
        denied
    );
    assert_eq!(
        check(&format!("--user alice --action fly --resource {resource}")),
        denied
    );
    assert_eq!(
        check("--user alice --action create --resource DbpRelayFormalizeForm"),
        denied
    );
    assert_eq!(
        check("--user alice --action read --resource Unknown/1"),
        denied
    );
    let unheard = |user: &str| {
        bench.run_unheard(&format!(
            "check --user {user} --action read --resource {resource}"
        ))
    };
    assert_eq!((unheard("alice"), unheard("bob")), (0, 5));
    let line = format!("check --user a --action read --resource {resource} --as alice");
    bench.run(&line).expect(2);
}

#[test]
fn dynamic_groups_and_policies_come_from_the_configuration_file() {
    let bench = Bench::new();
    let form = bench.id("forms create --name F");
    let resource = format!("DbpRelayFormalizeForm/{form}");
    let check = format!(
        r#"check --user eve --attribute roles=["staff"] --action read --resource {resource}"#
    );
    let without = bench.run(&check);
    assert!(
        without.code == 5 && without.err.contains("no configuration file was found"),
        "{without:?}"
    );
    bench
        .run("forms create --name G --as eve")
        .expect(5)
        .saying("no configuration file was found");

    let settings = "[policies]\ncreate_forms = 'form.name == \"G\"'\n\
        [dynamic_groups]\nstaff = '\"staff\" in user.attributes.roles'\n";
    bench.write("formalize.toml", settings);
    bench
        .run(&format!(
            "grants create --action read --resource {resource} --dynamic-group staff"
        ))
        .expect(0);
    assert_eq!(bench.run(&check).code, 0);
    let plain = bench.run(&format!(
        "check --user eve --action read --resource {resource}"
    ));
    assert!(
        plain.code == 5 && !plain.err.contains("configuration file"),
        "{plain:?}"
    );
    bench.run("forms create --name G --as eve").expect(0);
    let show = format!("forms show {form} --as eve");
    bench.run(&show).expect(5);
    bench
        .run(&format!(r#"{show} --attribute roles=["staff"]"#))
        .expect(0);
    bench
        .run("forms list --attribute roles=[]")
        .expect(2)
        .saying("--as");
}

#[test]
fn a_missing_configuration_file_is_mentioned_only_if_it_may_be_the_cause() {
    let bench = Bench::new();
    let form = bench.id("forms create --name F");
    let resource = format!("DbpRelayFormalizeForm/{form}");
    let grant = format!("grants create --resource {resource} --action");
    bench.run(&format!("{grant} read --user eve")).expect(0);
    let mentions = |line: &str| {
        let ran = bench.run(line);
        (ran.code, ran.err.contains("configuration file"))
    };
    let check = format!("check --resource {resource} --action read --user");
    for (line, code) in [
        (format!("forms show {form} --as eve"), 0),
        ("forms list --as bob".to_owned(), 0),
        (format!("{check} eve"), 0),
        ("groups show x --as eve".to_owned(), 3),
        (format!("{grant} read --user eve"), 6),
    ] {
        assert_eq!(mentions(&line), (code, false), "{line}");
    }
    for (line, code) in [
        (format!("forms show {form} --as bob"), 5),
        (format!("{check} bob"), 5),
        (format!("{grant} read --dynamic-group staff"), 7),
        (format!("{grant} publish --user eve"), 7),
        ("actions list VendorThing".to_owned(), 3),
    ] {
        assert_eq!(mentions(&line), (code, true), "{line}");
        bench.write("formalize.toml", "");
        assert_eq!(mentions(&line), (code, false), "{line}");
        std::fs::remove_file(bench.path("formalize.toml")).unwrap();
    }
}
