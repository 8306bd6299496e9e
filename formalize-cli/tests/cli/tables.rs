//! Tables, on terminals and elsewhere.

use crate::bench::Bench;

on_both_databases! {
    grants_show_what_they_are_on_and_names,
    forms_show_whether_they_are_open_and_their_answers,
}

/// A form and a group with the same names everywhere, and grants on both.
fn workshop(bench: &Bench) -> String {
    let form = bench.id("forms create Workshop");
    bench.run("groups create Office").expect(0);
    bench.run("members add Office --user heidi").expect(0);
    bench.run("groups create Staff").expect(0);
    bench.run("members add Office --group Staff").expect(0);
    for share in [
        "--with group:Office --to change-answers",
        "--with user:grace --to manage",
        "--with everybody --to fill",
    ] {
        bench.run(&format!("forms share {form} {share}")).expect(0);
    }
    let grant = "grants create --action create --resource DbpRelayFormalizeForm --user grace";
    bench.run(grant).expect(0);
    bench
        .run("grants create --action read --resource DbpRelayAuthorizationGroup --user nobody")
        .expect(7);
    form
}

fn grants_show_what_they_are_on_and_names(bench: &Bench) {
    let form = workshop(bench);
    let table = bench.run("grants list").expect(0).out;
    for row in [
        &["update_submissions", "group:Office", "Workshop (form)"],
        &["manage", "user:grace", "Workshop (form)"],
        &["read", "dynamic-group:everybody", "Workshop (form)"],
        &["create", "user:grace", "all forms"],
    ] {
        let has_all = |line: &&str| row.iter().all(|cell| line.contains(cell));
        assert!(table.lines().any(|line| has_all(&line)), "{row:?}: {table}");
    }
    let members = bench.run("members list Office").expect(0).out;
    assert!(
        members.contains("group:Staff") && members.contains("user:heidi"),
        "{members}"
    );
    let resources = bench.run("resources list").expect(0).out;
    let line = resources.lines().find(|line| line.contains(&form));
    let line = line.unwrap();
    assert!(
        line.starts_with(&format!("DbpRelayFormalizeForm/{form}")) && line.contains("Workshop"),
        "{resources}"
    );
    // Names that the user may not read are identifiers.
    let seen = bench.run("grants list --as heidi").expect(0).out;
    assert!(!seen.contains("group:Office"), "{seen}");
    assert!(seen.contains("Workshop (form)"), "{seen}");
    let wide = bench.run("grants list -o wide").expect(0).out;
    assert!(wide.contains("DbpRelayFormalizeForm") && wide.contains(&form));
}

fn forms_show_whether_they_are_open_and_their_answers(bench: &Bench) {
    let list = |of: &str| bench.run(&format!("forms list {of}")).expect(0).out;
    let form = bench.id("forms create Workshop");
    bench
        .run("forms create Past --availability-ends 2020-01-01")
        .expect(0);
    bench
        .run("forms create Future --available-starts 2999-12-31")
        .expect(0);
    let lines = "{}\n".repeat(1_001);
    let create = "submissions create Workshop --ndjson --data -";
    bench.run_with_input(create, &lines).expect(0);
    let table = list("");
    for (name, state) in [
        ("Workshop", "open  "),
        ("Past", "closed"),
        ("Future", "opens 2999-12-31 00:00"),
    ] {
        let line = table.lines().find(|line| line.contains(name)).unwrap();
        assert!(line.contains(state), "{table}");
    }
    let titles = table.lines().next().unwrap();
    assert_eq!(
        titles.split_whitespace().collect::<Vec<_>>(),
        ["identifier", "name", "state", "answers", "created"]
    );
    let count = |table: &str| {
        let line = table.lines().find(|line| line.contains(&form)).unwrap();
        let rest = line.split("open").nth(1).unwrap().trim_start().to_owned();
        rest.split("  ").next().unwrap().to_owned()
    };
    assert_eq!(count(&table), "over 1,000");
    // Others are counted as far as the user may read them.
    bench
        .run("forms share Workshop --with user:alice --to fill")
        .expect(0);
    let answer = "submissions create Workshop --data - --as alice";
    bench.run_with_input(answer, "{}").expect(0);
    assert_eq!(count(&list("--as alice")), "0");
    bench
        .run("forms update Workshop --allowed-actions-when-submitted read")
        .expect(0);
    assert_eq!(count(&list("--as alice")), "1");
}

#[test]
fn columns_without_values_are_not_shown() {
    let bench = Bench::new();
    bench.run("forms create Workshop").expect(0);
    bench.run("tokens create --user alice").expect(0);
    let titles = |line: &str| {
        let table = bench.run(line).expect(0).out;
        table.lines().next().unwrap().to_owned()
    };
    let tokens = titles("tokens list");
    assert!(!tokens.contains("last used") && !tokens.contains("attributes"));
    assert!(!titles("forms list -o wide").contains("opens"));
    bench
        .run("forms update Workshop --available-starts 2020-01-01")
        .expect(0);
    assert!(titles("forms list -o wide").contains("opens"));
    let tags = "forms update Workshop --available-tags -";
    bench
        .run_with_input(tags, r#"[{"identifier": "urgent"}]"#)
        .expect(0);
    let create = "submissions create Workshop --tag urgent --data -";
    bench.run_with_input(create, "{}").expect(0);
    let wide = titles("submissions list Workshop -o wide");
    assert!(
        wide.contains("modified") && wide.ends_with("tags"),
        "{wide}"
    );
    assert!(!titles("submissions list Workshop").contains("tags"));
}

formalize_tests::test_on_terminal! {
    /// On a terminal of any width, what has to be named in the next command is complete, lines are not longer than the terminal,
    /// and a note says once what was left out.
    #[cfg(target_os = "linux")]
    fn terminals_show_identifiers_and_say_what_is_left_out() {
        let bench = Bench::new();
        workshop(&bench);
        bench.run("links create Workshop --label Poster").expect(0);
        for list in [
            "forms list",
            "groups list",
            "members list Office",
            "grants list",
            "links list Workshop",
            "tokens list",
        ] {
            let records = bench.record(list);
            for columns in [80, 120] {
                let shown = bench.on_terminal(columns, list);
                for record in records.as_array().unwrap() {
                    let id = record["identifier"].as_str().unwrap();
                    assert!(shown.contains(id), "{list}, {columns}: {shown}");
                }
                let plain = without_styles(&shown);
                let long = plain.lines().filter(|line| !line.starts_with("note: "));
                let long = long.filter(|line| line.chars().count() > columns);
                assert_eq!(long.count(), 0, "{list}, {columns}: {shown}");
                let notes = shown.matches("note: the terminal is too narrow").count();
                let is_cut = shown.contains('…');
                assert!(notes <= 1 && (!is_cut || notes == 1), "{list}: {shown}");
            }
        }
        let grants = bench.on_terminal(120, "grants list");
        assert!(
            grants.contains("group:Office") && grants.contains("Workshop (form)"),
            "{grants}"
        );
        assert!(grants.contains("\u{1b}["), "titles have no style: {grants}");
        let narrow = bench.on_terminal(60, "grants list");
        assert!(narrow.contains("; left out: "), "{narrow}");
        let refused = bench.on_terminal(80, "forms show Nothing");
        assert!(
            refused.contains("error:\u{1b}["),
            "`error:` has no style: {refused}"
        );
    }
}

formalize_tests::test_on_terminal! {
    #[cfg(target_os = "linux")]
    fn help_wraps_at_words() {
        let bench = Bench::empty();
        for line in ["help", "help submissions import", "webhooks create --help"] {
            let shown = bench.on_terminal(80, line);
            let plain = without_styles(&shown);
            // clap does not wrap the line with the usage.
            let wrapped = plain.lines().filter(|line| !line.starts_with("Usage: "));
            let long = wrapped.filter(|line| line.chars().count() > 80);
            assert_eq!(long.collect::<Vec<_>>(), Vec::<&str>::new(), "{line}");
        }
    }
}

formalize_tests::test_on_terminal! {
    /// What people submit does not act on a terminal.
    #[cfg(target_os = "linux")]
    fn submissions_are_safe_on_a_terminal() {
        let bench = Bench::new();
        let schema = r#"{"properties": {"age": {"type": "integer"}}}"#;
        bench.write("schema.json", schema);
        bench.run("forms create Survey --schema schema.json").expect(0);
        bench.write("rows.csv", "age\n\u{1b}]52;c;eA==\n");
        let rejected = bench.on_terminal(80, "submissions import Survey rows.csv --dry-run");
        assert!(rejected.contains("\\u{1b}]52;"), "{rejected}");
        assert!(!rejected.contains("\u{1b}]52;"), "{rejected}");
        let workbook = bench.on_terminal(80, "submissions export Survey --format xlsx");
        assert!(workbook.contains("; name a file\n"), "{workbook}");
        assert!(!workbook.contains("PK"), "{workbook}");
    }
}

/// A text without the sequences that set colours and other styles.
#[cfg(target_os = "linux")]
fn without_styles(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        let rest = part.split_once('m').map_or(part, |(_, rest)| rest);
        plain + rest
    })
}

#[test]
fn a_check_without_findings_says_so() {
    let bench = Bench::new();
    let verified = bench.run("verify").expect(0);
    assert_eq!(verified.out, "no findings\n");
    let verified = bench.run("verify -o csv").expect(0);
    assert_eq!(verified.out.lines().count(), 1);
}
