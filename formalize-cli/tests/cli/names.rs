//! Forms and groups, given by name.

use crate::bench::Bench;

on_both_databases! {
    a_form_can_be_given_by_a_unique_name,
    a_group_can_be_given_by_a_unique_name,
    an_ambiguous_name_is_rejected_with_its_candidates,
    names_refer_to_readable_records_only,
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
