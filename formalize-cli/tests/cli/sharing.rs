//! Sharing forms.

use crate::bench::Bench;

on_both_databases! {
    sharing_creates_grants_once_and_unsharing_deletes_them,
    a_form_is_shared_with_users_groups_and_dynamic_groups,
    only_managers_of_a_form_can_share_it,
}

/// The action and the holder of each grant on a form.
fn grants(bench: &Bench, form: &str) -> Vec<(String, String)> {
    let list = format!("grants list --resource DbpRelayFormalizeForm/{form}");
    let grants = bench.record(&list);
    let mut found: Vec<_> = grants
        .as_array()
        .unwrap()
        .iter()
        .map(|grant| {
            let text = |field: &str| grant[field].as_str().unwrap_or_default().to_owned();
            let holder = text("userIdentifier") + &text("groupIdentifier");
            (text("action"), holder + &text("dynamicGroupIdentifier"))
        })
        .collect();
    found.sort();
    found
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let pairs = expected.iter();
    pairs
        .map(|(action, holder)| ((*action).to_owned(), (*holder).to_owned()))
        .collect()
}

fn sharing_creates_grants_once_and_unsharing_deletes_them(bench: &Bench) {
    let form = bench.id("forms create --name Workshop");
    let fill = "share Workshop --with everybody --to fill";
    let made = bench.record(&format!("forms {fill}"));
    assert_eq!(made.as_array().unwrap().len(), 2);
    let again = bench.run(&format!("forms {fill} -o json")).expect(0);
    assert_eq!(again.json().as_array().unwrap().len(), 0);
    assert!(again.err.contains("0 grants created"), "{again:?}");
    assert_eq!(
        grants(bench, &form),
        pairs(&[("create_submissions", "everybody"), ("read", "everybody")])
    );
    let submit = "submissions create --form Workshop --as grace --data -";
    bench.run_with_input(submit, "{}").expect(0);

    let un = format!("forms un{fill}");
    bench.run(&un).expect(0).saying("2 grants deleted");
    bench.run(&un).expect(0).saying("0 grants deleted");
    assert!(grants(bench, &form).is_empty());
}

fn a_form_is_shared_with_users_groups_and_dynamic_groups(bench: &Bench) {
    let form = bench.id("forms create --name F");
    let group = bench.id("groups create Office");
    bench.write("formalize.toml", "[dynamic_groups]\nstaff = 'true'\n");
    for (with, to) in [
        ("user:alice", "read-answers"),
        ("group:Office", "edit"),
        (format!("group:{group}").as_str(), "manage"),
        ("dynamic-group:staff", "change-answers"),
    ] {
        let share = format!("forms share {form} --with {with} --to {to}");
        bench.run(&share).expect(0);
    }
    assert_eq!(
        grants(bench, &form),
        pairs(&[
            ("manage", &group),
            ("read", &group),
            ("read", "alice"),
            ("read", "staff"),
            ("read_submissions", "alice"),
            ("read_submissions", "staff"),
            ("update", &group),
            ("update_submissions", "staff"),
        ])
    );
    let table = bench
        .run("grants list --resource DbpRelayFormalizeForm")
        .expect(0);
    for holder in [
        "user:alice",
        "dynamic-group:staff",
        "group:Office",
        "F (form)",
    ] {
        assert!(table.out.contains(holder), "{table:?}");
    }
}

fn only_managers_of_a_form_can_share_it(bench: &Bench) {
    let form = bench.id("forms create --name F");
    let share = format!("forms share {form} --with user:bob --to fill");
    bench.run(&format!("{share} --as alice")).expect(5);
    bench
        .run(&format!(
            "forms unshare {form} --with user:bob --to fill --as alice"
        ))
        .expect(5);
    assert!(grants(bench, &form).is_empty());
    bench
        .run(&format!("forms share {form} --with user:alice --to manage"))
        .expect(0);
    bench.run(&format!("{share} --as alice")).expect(0);
    bench
        .run(&format!(
            "forms unshare {form} --with user:alice --to manage"
        ))
        .expect(6)
        .saying("last");
    for (with, code) in [("dynamic-group:staff", 7), ("group:Nobody", 3), ("bob", 2)] {
        let share = format!("forms share {form} --with {with} --to fill");
        bench.run(&share).expect(code);
    }
    bench
        .run(&format!("forms share {form} --with user:bob --to read"))
        .expect(2)
        .saying("read-answers");
}
