//! Selecting and opening the database, and creating the first tokens and migrations of an installation.

use std::thread;
use std::time::Duration;

use formalize_core::Store;
use formalize_sql::{SqlOptions, SqlStore};
use serde_json::json;

use crate::bench::{Bench, block_on};

#[test]
fn a_token_is_printed_alone() {
    let bench = Bench::new();
    let made = bench.run("tokens create --user alice").expect(0);
    assert!(
        made.out.starts_with("fmz_") && made.out.lines().count() == 1,
        "{made:?}"
    );
    assert!(!made.err.contains(made.out.trim()), "{made:?}");
    assert_eq!(bench.count("tokens list"), 1);
}

#[test]
fn only_migrate_up_creates_a_database() {
    let bench = Bench::empty();
    for line in [
        "tokens create --user alice",
        "tokens list",
        "forms create --name x",
        "forms list",
        "migrate status",
        "check --user alice --action create --resource DbpRelayFormalizeForm",
        "backup copy.db",
        "verify",
    ] {
        let refused = bench.run(line).expect(8);
        assert!(
            refused.err.contains("cannot open formalize.db: "),
            "{line}: {refused:?}"
        );
        assert!(
            refused.err.contains("formalize migrate up"),
            "{line}: {refused:?}"
        );
        let mut files = std::fs::read_dir(bench.path(".")).unwrap();
        assert!(files.next().is_none(), "{line}");
    }
    bench.run("migrate up").expect(0);
    assert!(bench.path("formalize.db").exists());
}

#[test]
fn a_missing_folder_is_named() {
    let bench = Bench::empty();
    let url = "--database-url sqlite://missing/formalize.db";
    for line in ["forms list", "migrate up", "verify"] {
        bench
            .run(&format!("{line} {url}"))
            .expect(8)
            .saying("the folder missing does not exist");
    }
}

formalize_tests::test_on_postgres! {
    fn a_postgresql_database_that_does_not_exist_is_unavailable() {
        let bench = Bench::on_postgres();
        let url = bench.url();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        let (server, _) = path.rsplit_once('/').unwrap();
        let url = format!("{server}/formalize_missing?{query}");
        let refused = bench.start(&["forms", "list", "--database-url", &url], &[], "").expect(8);
        let message = "database \"formalize_missing\" does not exist\n";
        assert!(refused.err.contains(message), "{refused:?}");
    }
}

#[test]
fn an_unmigrated_database_is_rejected() {
    let bench = Bench::empty();
    bench.write("formalize.db", "");
    bench
        .run("forms list")
        .expect(8)
        .saying("formalize migrate up");
    let status = bench.record("migrate status");
    assert_eq!(status[0]["state"], "pending");
    bench.run("migrate up").expect(0).saying("applied");
    let status = bench.record("migrate status");
    assert_eq!(status[0]["state"], "applied");
    bench
        .run("migrate up")
        .expect(0)
        .saying("applied 0 migrations");
    bench.run("forms list").expect(0);
}

#[test]
fn a_command_waits_longer_for_its_turn_than_a_request() {
    let bench = Bench::new();
    let options = SqlOptions::default();
    thread::scope(|scope| {
        block_on(async {
            let store = SqlStore::open(&bench.url(), &options).await.unwrap();
            let mut tx = store.write().await.unwrap();
            tx.lock_memberships().await.unwrap();
            let command = scope.spawn(|| bench.run("groups create --name Board"));
            thread::sleep(options.wait + Duration::from_secs(1));
            assert!(!command.is_finished());
            drop(tx);
            store.close().await;
            command.join().unwrap().expect(0);
        });
    });
}

#[test]
fn a_token_is_listed_without_its_secret_and_revoked() {
    let bench = Bench::new();
    let made = bench
        .run(r#"tokens create --user alice --expires 2h --attribute roles=["staff"]"#)
        .expect(0);
    let listed = bench.run("tokens list -o json").expect(0);
    assert!(!listed.out.contains(made.out.trim()));
    let token = &listed.json()[0];
    assert_eq!(token["userIdentifier"], "alice");
    assert_eq!(token["attributes"], json!({"roles": ["staff"]}));
    assert!(token["dateExpires"].is_string() && token["dateLastUsed"].is_null());
    let id = token["identifier"].as_str().unwrap();
    bench.run(&format!("tokens revoke {id}")).expect(0);
    bench.run(&format!("tokens revoke {id}")).expect(3);
    assert_eq!(bench.count("tokens list"), 0);
    bench.run("tokens list --as alice").expect(5);
}

#[test]
fn options_override_the_environment_and_the_file() {
    let bench = Bench::empty();
    for name in ["option", "variable", "secret", "file"] {
        bench
            .run(&format!("migrate up --database-url sqlite://{name}.db"))
            .expect(0);
        let line = format!("groups create {name} --database-url sqlite://{name}.db");
        bench.run(&line).expect(0);
    }
    bench.write(
        "formalize.toml",
        "database_url = 'sqlite://file.db'\nlisten = '127.0.0.1:0'\n",
    );
    bench.write("url", "sqlite://secret.db\n");
    let option = ["--database-url", "sqlite://option.db"];
    let variable = ("FORMALIZE_DATABASE_URL", "sqlite://variable.db");
    let secret = ("FORMALIZE_DATABASE_URL_FILE", "url");
    let found = |options: &[&str], variables: &[(&str, &str)]| {
        let words = [&["groups", "list", "-o", "json"], options].concat();
        let groups = bench.start(&words, variables, "").expect(0).json();
        groups[0]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(found(&option, &[variable, secret]), "option");
    assert_eq!(found(&[], &[variable]), "variable");
    assert_eq!(found(&[], &[secret]), "secret");
    assert_eq!(found(&[], &[]), "file");
}

#[test]
fn configuration_errors_are_reported() {
    let bench = Bench::new();
    bench
        .run("groups list --config missing.toml")
        .expect(2)
        .saying("missing.toml");
    bench.write(
        "broken.toml",
        "[policies]\ncreate_forms = 'user.'\ncreate_form = 'true'\n",
    );
    let broken = bench.run("groups list --config broken.toml").expect(2);
    assert!(
        broken.err.contains("  policies.create_forms: "),
        "{broken:?}"
    );
    assert!(
        broken.err.contains("  policies.create_form: unknown key"),
        "{broken:?}"
    );
    bench.write("formalize.toml", "database_urls = 'sqlite://x.db'\n");
    bench
        .run("groups list")
        .expect(2)
        .saying("database_urls: unknown key, did you mean `database_url`?");
    bench.write(
        "formalize.toml",
        "metrics_listen = 1\nissuers = 'the server validates it'\n",
    );
    bench.run("groups list").expect(0);
    bench.run("groups list --database-url mysql://x").expect(2);
    let variable = ("FORMALIZE_DATABASE_URL", "sqlite://formalize.db");
    let secret = ("FORMALIZE_DATABASE_URL_FILE", "missing");
    let list = |variables: &[_]| bench.start(&["groups", "list"], variables, "").expect(2);
    list(&[secret]).saying("cannot read missing");
    list(&[variable, secret]).saying("must not be set together");
}

#[test]
fn an_unreachable_server_is_reported_without_its_password() {
    let bench = Bench::empty();
    let url = "postgres://formalize:hush@127.0.0.1:1/formalize";
    let refused = bench
        .run(&format!("forms list --database-url {url}"))
        .expect(8);
    assert!(!refused.err.contains("hush"), "{refused:?}");
}

#[test]
fn a_file_that_is_not_a_database_is_an_error() {
    let bench = Bench::empty();
    bench.write("formalize.db", &"this is no database\n".repeat(100));
    bench.run("forms list").expect(1);
}

#[test]
fn a_token_that_cannot_be_printed_is_an_error() {
    let bench = Bench::new();
    assert_eq!(bench.run_unheard("tokens create --user alice"), 1);
    assert_eq!(bench.count("tokens list"), 1, "it can be revoked");
}
