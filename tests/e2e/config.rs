//! Where settings come from, and errors about wrong ones.

use std::fs;
use std::process::{Command, Output};

use formalize_tests::{ServerCommand, binary};

/// A server command that is never started; only its folder is used.
struct Bench(ServerCommand);

impl Bench {
    fn new(config: &str) -> Self {
        Self(ServerCommand::new().unwrap().config(config).unwrap())
    }

    fn run(&self, line: &str, variables: &[(&str, &str)]) -> Output {
        Command::new(binary("formalize-server").unwrap())
            .args(line.split_whitespace())
            .envs(variables.iter().copied())
            .current_dir(self.0.folder())
            .output()
            .unwrap()
    }

    /// The output of `config check`.
    fn check(&self, line: &str, variables: &[(&str, &str)]) -> String {
        let output = self.run(&format!("config check {line}"), variables);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The error that `config check` and `serve` report.
    fn refused(&self, line: &str, variables: &[(&str, &str)]) -> String {
        let said = ["config check", "serve"].map(|command| {
            let output = self.run(&format!("{command} {line}"), variables);
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            assert!(output.stdout.is_empty(), "{output:?}");
            String::from_utf8(output.stderr).unwrap()
        });
        assert_eq!(said[0], said[1]);
        said[0].clone()
    }
}

#[test]
fn config_check_shows_effective_settings_without_secrets_or_database() {
    let bench = Bench::new(
        "listen = '127.0.0.1:1'\nbase_url = 'https://forms.example.org'\nshutdown_timeout = '1m'",
    );
    let variables = [
        ("FORMALIZE_LISTEN", "127.0.0.1:2"),
        ("FORMALIZE_SHUTDOWN_DELAY", "5s"),
    ];
    let url = "postgres://alice:hush@127.0.0.1:1/forms";
    let line = format!("--listen 127.0.0.1:3 --database-url {url}");
    let shown = bench.check(&line, &variables);
    for line in [
        "base_url = \"https://forms.example.org\"",
        "database_url = \"postgres://alice:***@127.0.0.1:1/forms\"",
        "listen = \"127.0.0.1:3\"",
        "shutdown_delay = \"5s\"",
        "shutdown_timeout = \"1m\"",
        "webhook_disable_after = \"5d\"",
        "search_people = \"true\"",
        "connection_limit = 900",
        "metrics_listen = \"off\"",
        "user_rate_limit = \"off\"",
    ] {
        assert!(
            shown.lines().any(|shown| shown == line),
            "{line} in {shown}"
        );
    }
    assert!(shown.ends_with("\nok\n"), "{shown}");
    bench.check("", &[]);
    let said = |variables: &[_]| {
        let output = bench.run("config check", variables);
        String::from_utf8(output.stderr).unwrap()
    };
    let note = "note: the secrets of webhooks are stored in readable form";
    assert!(said(&[]).starts_with(note), "{}", said(&[]));
    let key = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    let key = ("FORMALIZE_WEBHOOK_SECRET_KEYS", key);
    assert_eq!(said(&[key]), "");
    let proxy = ("FORMALIZE_TRUSTED_PROXIES", "127.0.0.1");
    let limits = ["USER", "ADDRESS", "LINK"].map(|of| format!("FORMALIZE_{of}_RATE_LIMIT"));
    let [of_user, of_address, of_link] = limits.each_ref().map(|name| (name.as_str(), "100/1m"));
    let warning = said(&[key, proxy, of_user]);
    let expected = "warning: `trusted_proxies` is set, so others reach this server through a proxy, but these limits are off: \
        `address_rate_limit`, `link_rate_limit`;";
    assert!(warning.starts_with(expected), "{warning}");
    assert_eq!(said(&[key, proxy, of_user, of_address, of_link]), "");
    let files = fs::read_dir(bench.0.folder()).unwrap();
    assert_eq!(files.count(), 1, "only the configuration");
}

#[test]
fn secrets_can_be_read_from_files() {
    let bench = Bench::new("");
    fs::write(
        bench.0.folder().join("url"),
        "postgres://alice:hush@db/forms\n",
    )
    .unwrap();
    let file = ("FORMALIZE_DATABASE_URL_FILE", "url");
    let shown = bench.check("", &[file]);
    assert!(
        shown.contains("database_url = \"postgres://alice:***@db/forms\""),
        "{shown}"
    );
    let variable = ("FORMALIZE_DATABASE_URL", "sqlite://x.db");
    assert_eq!(
        bench.refused("", &[file, variable]),
        "error: FORMALIZE_DATABASE_URL_FILE: must not be set together with `FORMALIZE_DATABASE_URL`\n"
    );
    let missing = bench.refused("", &[("FORMALIZE_DATABASE_URL_FILE", "nowhere")]);
    assert!(missing.contains("cannot read nowhere"), "{missing}");
}

#[test]
fn all_configuration_errors_are_reported_at_once() {
    let bench = Bench::new("listne = 'x'\nlog_format = 'xml'\n[policies]\ncreate_form = 'true'");
    let said = bench.refused(
        "--listen nowhere",
        &[("FORMALIZE_REQUEST_BODY_LIMIT", "4MB")],
    );
    for line in [
        "error: --listen: must be an IP address and a port",
        "FORMALIZE_REQUEST_BODY_LIMIT: must be ",
        "listne: unknown key, did you mean `listen`?",
        "log_format: must be `text` or `json`",
        "policies.create_form: unknown key, did you mean `create_forms`?",
    ] {
        assert!(said.lines().any(|said| said.starts_with(line)), "{said}");
    }
}

#[test]
fn a_named_configuration_file_must_exist() {
    let bench = Bench::new("");
    let said = bench.refused("--config missing.toml", &[]);
    assert!(said.contains("cannot read missing.toml"), "{said}");
}

#[test]
fn a_file_of_the_directory_must_be_valid_at_the_start() {
    let bench = Bench::new("directory_people = 'people.csv'\ndirectory_rooms = 'rooms.ndjson'");
    let write = |name: &str, text: &str| fs::write(bench.0.folder().join(name), text).unwrap();
    let error = bench.refused("", &[]);
    assert!(
        error.contains("directory_people: cannot read the file: No such file"),
        "{error}"
    );
    write("people.csv", "identifier,givenName,familyName\na,b,c\n");
    write(
        "rooms.ndjson",
        "{\"identifier\": \"1\"}\n{\"name\": \"secret\"}\n",
    );
    let error = bench.refused("", &[]);
    assert_eq!(
        error,
        "error: directory_rooms: line 2: `identifier` is missing\n"
    );
    write("rooms.ndjson", "{\"identifier\": \"1\"}\n");
    bench.check("", &[]);
}
