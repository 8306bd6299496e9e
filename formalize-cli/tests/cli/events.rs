//! The event log.

use serde_json::Value;

use crate::bench::Bench;

on_both_databases! {
    events_are_listed_as_json_and_as_a_table,
    events_are_filtered_and_continued,
    old_events_are_purged,
    only_the_system_manages_the_log,
    users_see_their_part_of_the_log,
    a_log_that_is_off_stays_empty,
}

/// The lines of NDJSON.
fn events(out: &str) -> Vec<Value> {
    let lines = out.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn identifier(out: &str) -> String {
    let made: Value = serde_json::from_str(out).unwrap();
    made["identifier"].as_str().unwrap().to_owned()
}

fn events_are_listed_as_json_and_as_a_table(bench: &Bench) {
    let form = bench.run("forms create --name Workshop -o json").expect(0);
    let form = identifier(&form.out);
    let listed = bench.run("events list -o ndjson").expect(0).out;
    let [event] = <[Value; 1]>::try_from(events(&listed)).unwrap();
    assert_eq!(
        (&event["sequence"], &event["type"], &event["version"]),
        (&1.into(), &"form.created".into(), &1.into())
    );
    assert_eq!(event["data"]["formIdentifier"], *form);
    assert_eq!(event.as_object().unwrap().len(), 6);
    let table = bench.run("events list -o table").expect(0).out;
    assert!(
        table.contains("position") && table.contains("form.created"),
        "{table}"
    );
    let subscriptions = bench.run("events subscriptions list -o json").expect(0);
    assert_eq!(subscriptions.out, "[]\n");
    bench
        .run("events subscriptions delete nothing --yes")
        .expect(3);
}

fn events_are_filtered_and_continued(bench: &Bench) {
    let first = bench.run("forms create --name First -o json").expect(0);
    bench.run("forms create --name Second").expect(0);
    let form = identifier(&first.out);
    bench.run(&format!("forms delete {form} --yes")).expect(0);
    let types = |line: &str| {
        let listed = bench.run(line).expect(0).out;
        let types = events(&listed).into_iter();
        let types = types.map(|event| event["type"].as_str().unwrap().to_owned());
        types.collect::<Vec<_>>().join(" ")
    };
    let of_form = format!("events list --form {form} -o ndjson");
    assert_eq!(types(&of_form), "form.created form.deleted");
    assert_eq!(
        types("events list --types form.deleted,group.created -o ndjson"),
        "form.deleted"
    );
    assert_eq!(
        types("events list --after 1 -o ndjson"),
        "form.created form.deleted"
    );
    assert_eq!(types("events list --after 3 -o ndjson"), "");
    bench
        .run("events list --after 4")
        .expect(3)
        .saying("the position 4 is in the future; the last event has the position 3");
    let unknown = bench.run("events list --types form.burned").expect(2);
    assert!(unknown.err.contains("form.cleared"), "{unknown:?}");
}

fn old_events_are_purged(bench: &Bench) {
    bench.run("forms create --name Workshop").expect(0);
    bench.run("events purge --older-than 1s").expect(2);
    let kept = bench.run("events purge --yes").expect(0);
    assert!(kept.err.contains("deleted 0 events"), "{kept:?}");
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let purged = bench.run("events purge --older-than 1s --yes").expect(0);
    assert!(purged.err.contains("deleted 1 event"), "{purged:?}");
    assert_eq!(bench.run("events list -o ndjson").expect(0).out, "");
    bench.run("events list --after 0").expect(3);
    bench.run("events reset --yes").expect(0);
    let maintained = bench.run("maintain").expect(0);
    assert!(
        maintained.err.contains("0 sessions and 0 events"),
        "{maintained:?}"
    );
}

fn only_the_system_manages_the_log(bench: &Bench) {
    for line in ["events purge --yes", "events reset --yes", "maintain"] {
        let refused = bench.run(&format!("{line} --as alice")).expect(2);
        assert!(refused.err.contains("only the system"), "{refused:?}");
    }
}

fn users_see_their_part_of_the_log(bench: &Bench) {
    let form = bench.id("forms create --name Workshop");
    bench.id("forms create --name Hidden");
    let share =
        format!("grants create --action read --resource DbpRelayFormalizeForm/{form} --user alice");
    bench.run(&share).expect(0);
    let listed = bench.run("events list --as alice -o ndjson").expect(0).out;
    let seen: Vec<_> = events(&listed)
        .iter()
        .map(|event| event["type"].clone())
        .collect();
    assert_eq!(seen, ["form.created", "grant.created"]);
    let all = bench.run("events list -o ndjson").expect(0).out;
    assert_eq!(events(&all).len(), 3);
    let refused = bench.run("events list --as alice --after 1").expect(2);
    assert!(refused.err.contains("change feed"), "{refused:?}");
    let refused = bench.run("events list --after x").expect(2);
    assert!(refused.err.contains("position"), "{refused:?}");
}

fn a_log_that_is_off_stays_empty(bench: &Bench) {
    bench.write("formalize.toml", "event_log = false\n");
    bench.run("forms create --name Workshop").expect(0);
    assert_eq!(bench.run("events list -o ndjson").expect(0).out, "");
    bench.write("formalize.toml", "event_retention = \"1d\"\n");
    let refused = bench.run("forms list").expect(2);
    assert!(refused.err.contains("from `2d` to `400d`"), "{refused:?}");
}
