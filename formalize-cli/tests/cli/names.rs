//! Forms and groups, given by name.

use crate::bench::Bench;

on_both_databases! {
    a_form_can_be_given_by_a_unique_name,
    a_group_can_be_given_by_a_unique_name,
    an_ambiguous_name_is_rejected_with_its_candidates,
    names_refer_to_readable_records_only,
    the_beginning_of_an_identifier_is_enough,
    arguments_are_options_too,
}

fn the_beginning_of_an_identifier_is_enough(bench: &Bench) {
    let ids = [
        "7fd8c4c5-3e5b-4a06-9f6a-0d5f2d1f5f0e",
        "7fd8c4c5-9000-4a06-9f6a-0d5f2d1f5f0e",
    ];
    for (id, name) in ids.iter().zip(["A", "B"]) {
        let create = format!("forms create {name} --identifier {id}");
        bench.run(&create).expect(0);
    }
    let shown = |text: &str| bench.record(&format!("forms show {text}"))["identifier"].clone();
    assert_eq!(shown("7fd8c4c5-3"), ids[0]);
    assert_eq!(shown("7FD8C4C5-9"), ids[1]);
    let several = bench.run("forms delete 7fd8c4c5 --yes").expect(2);
    for id in ids {
        assert!(several.err.contains(id), "{several:?}");
    }
    // Too short.
    bench.run("forms show 7fd8c4c").expect(3);
    // A name comes first.
    let named = bench.id("forms create 7fd8c4c5");
    assert_eq!(shown("7fd8c4c5"), named.as_str());
    let group = bench.id("groups create Office");
    let beginning = group.get(..34).unwrap();
    let found = bench.record(&format!("groups show {beginning}"));
    assert_eq!(found["identifier"], group.as_str());
}

fn arguments_are_options_too(bench: &Bench) {
    let form = bench.id("forms create --name Workshop");
    let group = bench.id("groups create --name Office");
    bench.run("members add Office --user alice").expect(0);
    bench
        .run_with_input("submissions create Workshop --data -", "{}")
        .expect(0);
    for (argument, option) in [
        ("forms show Workshop", "forms show --form Workshop"),
        (
            "submissions list Workshop",
            "submissions ls --form Workshop",
        ),
        ("groups show Office", "groups show --group Office"),
        ("members list Office", "members ls --group Office"),
    ] {
        let records = [argument, option].map(|line| bench.record(line));
        assert_eq!(records[0], records[1], "{option}");
    }
    bench
        .run("groups rename --group Office --name Registry")
        .expect(0);
    bench.run("groups rename --group Registry Desk").expect(0);
    bench.run("groups rename Desk --name Help").expect(0);
    let renamed = bench.record("groups show Help");
    assert_eq!(renamed["identifier"], group.as_str());
    bench.run("submissions export Workshop a.csv").expect(0);
    bench
        .run("submissions export --form Workshop b.csv")
        .expect(0);
    let read = |file: &str| std::fs::read_to_string(bench.path(file)).unwrap();
    assert_eq!(read("a.csv"), read("b.csv"));
    bench
        .run("submissions import Workshop a.csv --no-keys")
        .expect(0);
    bench.run("submissions import --form Workshop").expect(2);
    let update = format!("forms update --form {form} --name Course");
    assert_eq!(bench.record(&update)["name"], "Course");
}

fn a_form_can_be_given_by_a_unique_name(bench: &Bench) {
    let id = bench.id("forms create --name Workshop");
    bench.run("forms create --name Workshops").expect(0);
    assert_eq!(
        bench.record("forms show Workshop")["identifier"],
        id.as_str()
    );
    let create = "submissions create --form Workshop --data -";
    bench.run_with_input(create, "{}").expect(0);
    assert_eq!(bench.count("submissions list --form Workshop"), 1);
    bench
        .run("submissions delete-all --form Workshop --yes")
        .expect(0);
    let update = "forms update Workshop --name Course";
    assert_eq!(bench.record(update)["identifier"], id.as_str());
    bench
        .run("forms show Workshop")
        .expect(3)
        .saying("`Workshop`");
    bench.run("forms delete Course").expect(0);
    bench.run(&format!("forms show {id}")).expect(3);
}

fn a_group_can_be_given_by_a_unique_name(bench: &Bench) {
    let id = bench.id("groups create Office");
    bench.run("groups create office").expect(0);
    bench.run("groups create Staff").expect(0);
    assert_eq!(
        bench.record("groups show Office")["identifier"],
        id.as_str()
    );
    bench.run("members add Office --user alice").expect(0);
    bench.run("members add Office --group Staff").expect(0);
    assert_eq!(bench.count("members list Office"), 2);
    let grant = "grants create --action create --resource DbpRelayFormalizeForm --group Office";
    assert_eq!(bench.record(grant)["groupIdentifier"], id.as_str());
    bench.run("groups rename Office Registry").expect(0);
    bench.run("groups delete Registry --yes").expect(0);
    bench.run(&format!("groups show {id}")).expect(3);
}

fn an_ambiguous_name_is_rejected_with_its_candidates(bench: &Bench) {
    let forms = [(); 2].map(|()| bench.id("forms create --name F"));
    let refused = bench.run("forms delete F --yes").expect(2);
    for id in &forms {
        assert!(refused.err.contains(id.as_str()), "{refused:?}");
    }
    assert_eq!(bench.count("forms list"), 2);
    let groups = [(); 2].map(|()| bench.id("groups create G"));
    let refused = bench.run("members add G --user alice").expect(2);
    for id in &groups {
        assert!(refused.err.contains(id.as_str()), "{refused:?}");
    }
}

fn names_refer_to_readable_records_only(bench: &Bench) {
    let (first, _) = (
        bench.id("forms create --name F"),
        bench.id("forms create --name F"),
    );
    bench.run("forms show F --as alice").expect(3);
    bench
        .run(&format!(
            "forms share {first} --with user:alice --to manage"
        ))
        .expect(0);
    let shown = bench.record("forms show F --as alice");
    assert_eq!(shown["identifier"], first.as_str());
}
