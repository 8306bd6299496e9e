use super::setting::{Fallback, Setting};
use super::*;
use crate::middleware::RequestLimits;
use clap::{Args, Command, FromArgMatches};

fn flags(line: &str) -> Flags {
    let command = Flags::augment_args(Command::new("formalize-server").no_binary_name(true));
    let matches = command.try_get_matches_from(line.split_whitespace());
    Flags::from_arg_matches(&matches.unwrap()).unwrap()
}

fn load(line: &str, text: &str) -> Result<Config, ConfigError> {
    let sources = Sources::new(text.parse().unwrap());
    Config::from_sources(flags(line).add_to(sources))
}

#[test]
fn every_setting_has_its_default() {
    let config = load("", "").unwrap();
    assert_eq!(config.database_url.expose(), "sqlite://formalize.db");
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.base_url_at(config.listen.0), "http://127.0.0.1:8080");
    assert!(config.cors_allowed_origins.is_empty());
    assert_eq!(config.shutdown_delay.to_string(), "0s");
    assert_eq!(config.shutdown_timeout.to_string(), "10s");
    assert_eq!(config.limits.request_body.0, RequestLimits::DEFAULT_BODY);
    assert_eq!(config.log_format, LogFormat::Text);
    assert!(config.auto_migrate.0 && config.names_no_administrator());
}

/// Every setting as a flag.
const EVERY_FLAG: &str = "--database-url sqlite://x.db --listen 0.0.0.0:80 --base-url https://forms.example.org \
    --cors-allowed-origins https://a.example,https://b.example --cors-allowed-origins * \
    --shutdown-delay 5s --shutdown-timeout 250ms --auto-migrate=false --token-memory 1s \
    --request-body-limit 1KiB --log-format json --database-connections 40 --database-wait 1s \
    --statement-timeout 10s --request-body-timeout 20s --request-head-limit 16KiB --request-header-limit 50 \
    --request-head-timeout 5s --response-timeout 15s --keep-alive-timeout 1m --connection-limit 100 \
    --metrics-listen 127.0.0.1:9464 \
    --relay-listen 127.0.0.1:8081 --relay-base-url https://relay.example.org \
    --directory-people ../../examples/people.csv --directory-organizations ../../examples/rooms.ndjson \
    --directory-courses ../../examples/rooms.ndjson --directory-rooms ../../examples/rooms.ndjson \
    --directory-unknown-people not-found --page-size-limit 500 --user-rate-limit 100/1s --address-rate-limit off --link-rate-limit 10/1s \
    --trusted-proxies 10.0.0.0/8,::1 --bodies-budget 512MiB --responses-budget 64MiB \
    --idempotency-retention 48h --event-log=false --event-retention 30d \
    --event-stream-limit 50 --event-stream-heartbeat 30s \
    --export-limit 4 --export-timeout 30m --export-spool-limit 10GiB --export-folder /tmp --summary-minimum 5 \
    --files-url file:///srv/files --files-s3-endpoint https://s3.example.org --files-s3-region eu \
    --files-s3-credentials environment --files-s3-access-key-id id --files-s3-secret-access-key secret \
    --files-s3-allow-http --file-size-limit 10MiB --upload-limit 100MiB --files-per-submission-limit 20 \
    --creator-files-quota off --files-reserve 5GiB --uploads-at-once 8 --upload-timeout 10m --upload-grace 5m \
    --file-sweep-interval 1m \
    --pages=false --pages-title Forms --pages-language de \
    --pages-time-zone Europe/Berlin --pages-style ../../formalize-web/assets/page.css \
    --pages-logo ../../docs/pictures/documentation.png --pages-links Imprint=https://example.org/imprint \
    --webhook-delivery=false --webhook-timeout 5s --webhook-concurrency 8 --webhook-disable-after 1h \
    --webhook-log-retention 1d --webhook-allowed-targets 10.20.0.0/16,.intra.example.org \
    --webhook-secret-keys MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY= \
    --webhook-proxy http://bob:secret@proxy:3128 \
    --session-lifetime 8h --session-idle 30m --sign-in-with-token=false";

#[test]
fn every_setting_has_a_flag() {
    let shown = load(EVERY_FLAG, "").unwrap().to_string();
    let expected = "address_rate_limit = \"off\"\n\
                    auto_migrate = false\n\
                    base_url = \"https://forms.example.org\"\n\
                    bodies_budget = \"512MiB\"\n\
                    connection_limit = 100\n\
                    cors_allowed_origins = [\"https://a.example\", \"https://b.example\", \"*\"]\n\
                    creator_files_quota = \"off\"\n\
                    database_connections = 40\n\
                    database_url = \"sqlite://x.db\"\n\
                    database_wait = \"1s\"\n\
                    directory_courses = \"../../examples/rooms.ndjson\"\n\
                    directory_organizations = \"../../examples/rooms.ndjson\"\n\
                    directory_people = \"../../examples/people.csv\"\n\
                    directory_rooms = \"../../examples/rooms.ndjson\"\n\
                    directory_unknown_people = \"not-found\"\n\
                    event_log = false\n\
                    event_retention = \"30d\"\n\
                    event_stream_heartbeat = \"30s\"\n\
                    event_stream_limit = 50\n\
                    export_folder = \"/tmp\"\n\
                    export_limit = 4\n\
                    export_spool_limit = \"10GiB\"\n\
                    export_timeout = \"30m\"\n\
                    file_size_limit = \"10MiB\"\n\
                    file_sweep_interval = \"1m\"\n\
                    files_per_submission_limit = 20\n\
                    files_reserve = \"5GiB\"\n\
                    files_s3_access_key_id = \"id\"\n\
                    files_s3_allow_http = true\n\
                    files_s3_credentials = \"environment\"\n\
                    files_s3_endpoint = \"https://s3.example.org\"\n\
                    files_s3_region = \"eu\"\n\
                    files_s3_secret_access_key = \"***\"\n\
                    files_url = \"file:///srv/files\"\n\
                    idempotency_retention = \"48h\"\n\
                    keep_alive_timeout = \"1m\"\n\
                    link_rate_limit = \"10/1s\"\n\
                    listen = \"0.0.0.0:80\"\n\
                    log_format = \"json\"\n\
                    metrics_listen = \"127.0.0.1:9464\"\n\
                    otlp_endpoint = \"off\"\n\
                    page_size_limit = 500\n\
                    pages = false\n\
                    pages_language = \"de\"\n\
                    pages_links = [\"Imprint=https://example.org/imprint\"]\n\
                    pages_logo = \"../../docs/pictures/documentation.png\"\n\
                    pages_style = \"../../formalize-web/assets/page.css\"\n\
                    pages_time_zone = \"Europe/Berlin\"\n\
                    pages_title = \"Forms\"\n\
                    relay_base_url = \"https://relay.example.org\"\n\
                    relay_listen = \"127.0.0.1:8081\"\n\
                    request_body_limit = \"1KiB\"\n\
                    request_body_timeout = \"20s\"\n\
                    request_head_limit = \"16KiB\"\n\
                    request_head_timeout = \"5s\"\n\
                    request_header_limit = 50\n\
                    response_timeout = \"15s\"\n\
                    responses_budget = \"64MiB\"\n\
                    session_idle = \"30m\"\n\
                    session_lifetime = \"8h\"\n\
                    shutdown_delay = \"5s\"\n\
                    shutdown_timeout = \"250ms\"\n\
                    sign_in_with_token = false\n\
                    statement_timeout = \"10s\"\n\
                    summary_minimum = 5\n\
                    token_memory = \"1s\"\n\
                    trusted_proxies = [\"10.0.0.0/8\", \"::1/128\"]\n\
                    upload_grace = \"5m\"\n\
                    upload_limit = \"100MiB\"\n\
                    upload_timeout = \"10m\"\n\
                    uploads_at_once = 8\n\
                    user_rate_limit = \"100/1s\"\n\
                    webhook_allowed_targets = [\"10.20.0.0/16\", \".intra.example.org\"]\n\
                    webhook_concurrency = 8\n\
                    webhook_delivery = false\n\
                    webhook_disable_after = \"1h\"\n\
                    webhook_log_retention = \"1d\"\n\
                    webhook_proxy = \"http://bob:***@proxy:3128/\"\n\
                    webhook_secret_keys = [\"***\"]\n\
                    webhook_timeout = \"5s\"\n";
    let policies = "\n[policies]\n\
                    check_others = \"false\"\n\
                    create_forms = \"false\"\n\
                    create_groups = \"false\"\n\
                    create_tokens = \"false\"\n\
                    manage_everything = \"false\"\n\
                    read_local_data = \"false\"\n\
                    search_people = \"true\"\n";
    assert_eq!(shown, format!("{expected}{policies}"));
    assert_eq!(
        expected.lines().count(),
        setting::ALL.len(),
        "a setting is not read"
    );
    let loaded = load("--auto-migrate", "auto_migrate = false").unwrap();
    assert!(loaded.auto_migrate.0);
}

#[test]
fn unset_settings_are_shown_with_their_defaults() {
    for (line, rates) in [
        ("", ["off", "off", "off"]),
        ("--listen 0.0.0.0:80", ["6000/60s", "600/60s", "120/60s"]),
    ] {
        // The URL of the Relay interface is shown if that is served.
        let line = format!("{line} --relay-listen 127.0.0.1:8081");
        let shown = load(&line, "").unwrap().to_string();
        let shown: Table = shown.parse().unwrap();
        // These have no default.
        let of_bucket = [
            setting::FILES_S3_ENDPOINT,
            setting::FILES_S3_ACCESS_KEY_ID,
            setting::FILES_S3_SECRET_ACCESS_KEY,
        ];
        for setting in setting::ALL {
            let is_expected = !of_bucket.contains(setting);
            assert_eq!(
                shown.contains_key(setting.key),
                is_expected,
                "{}",
                setting.key
            );
        }
        let settings = shown.len() - usize::from(shown.contains_key(POLICIES));
        assert_eq!(settings, setting::ALL.len() - of_bucket.len());
        assert_eq!(shown["metrics_listen"].as_str(), Some("off"));
        assert_eq!(shown["files_url"].as_str(), Some("file:formalize.db.files"));
        assert_eq!(shown["connection_limit"].as_integer(), Some(900));
        assert_eq!(shown["request_body_limit"].as_str(), Some("4MiB"));
        assert_eq!(shown["trusted_proxies"].as_array().map(Vec::len), Some(0));
        let keys = ["user_rate_limit", "address_rate_limit", "link_rate_limit"];
        assert_eq!(keys.map(|key| shown[key].as_str().unwrap()), rates);
    }
}

#[test]
fn policies_are_shown_with_what_applies_without_them() {
    let text = "administrators = 'user.id == \"ann\"'\n[policies]\ncreate_forms = 'true'\n\
                [policies.manage_collection]\nDbpRelayFormalizeForm = 'false'";
    let shown: Table = load("", text).unwrap().to_string().parse().unwrap();
    let policies = &shown[POLICIES];
    for (name, condition) in [
        ("create_forms", "true"),
        // Whoever administers may create tokens.
        ("create_tokens", "user.id == \"ann\""),
        ("search_people", "true"),
        ("check_others", "false"),
    ] {
        assert_eq!(policies[name].as_str(), Some(condition), "{name}");
    }
    let of_forms = &policies["manage_collection"]["DbpRelayFormalizeForm"];
    assert_eq!(of_forms.as_str(), Some("false"));
}

#[test]
fn webhooks_are_disabled_before_their_events_are_deleted() {
    for (line, fits) in [
        ("", true),
        ("--event-retention 6d", true),
        ("--event-retention 143h", false),
        ("--event-retention 143h --webhook-delivery=false", true),
        ("--webhook-disable-after 6d", true),
        ("--webhook-disable-after 6d --event-retention 6d", false),
        ("--webhook-disable-after 3s --event-retention 2d", true),
    ] {
        assert_eq!(load(line, "").is_ok(), fits, "{line}");
    }
    let refused = load("--event-retention 2d", "").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "webhook_disable_after: must be at least a day shorter than `event_retention`"
    );
    for line in [
        "--webhook-timeout 999ms",
        "--webhook-timeout 31s",
        "--webhook-disable-after 0s",
        "--webhook-disable-after 31d --event-retention 400d",
        "--webhook-concurrency 0",
        "--webhook-proxy socks5://proxy",
    ] {
        assert!(load(line, "").is_err(), "{line}");
    }
}

#[test]
fn the_relay_interface_has_its_own_address_and_a_url_without_a_path() {
    assert_eq!(load("", "").unwrap().relay_listen, None);
    for (line, message) in [
        (
            "--relay-listen 127.0.0.1:8080",
            "relay_listen: must differ from `listen`",
        ),
        (
            "--relay-listen 127.0.0.1:1 --metrics-listen 127.0.0.1:1",
            "relay_listen: must differ from `metrics_listen`",
        ),
        (
            "--relay-base-url https://example.org/relay",
            "relay_base_url: must be a URL without a path, such as `https://relay.example.org`",
        ),
    ] {
        assert_eq!(load(line, "").unwrap_err().to_string(), message);
    }
    let config = load("--relay-listen 127.0.0.1:8081", "").unwrap();
    let address = config.relay_listen.unwrap().0;
    assert_eq!(config.relay_base_url_at(address), "http://127.0.0.1:8081");
    let url = "--relay-listen 127.0.0.1:8081 --relay-base-url https://relay.example.org/";
    let config = load(url, "").unwrap();
    assert_eq!(
        config.relay_base_url_at(address),
        "https://relay.example.org"
    );
}

#[test]
fn metrics_require_their_own_address() {
    for off in ["", "--metrics-listen off"] {
        assert_eq!(load(off, "").unwrap().metrics_listen, None);
    }
    let refused = load("--metrics-listen 127.0.0.1:8080", "").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "metrics_listen: must differ from `listen`"
    );
    for apart in [
        "--metrics-listen 127.0.0.1:8081",
        "--listen 127.0.0.1:0 --metrics-listen 127.0.0.1:0",
    ] {
        assert!(load(apart, "").unwrap().metrics_listen.is_some(), "{apart}");
    }
}

#[test]
fn a_collector_requires_the_otlp_feature() {
    let sent = load("--otlp-endpoint http://127.0.0.1:4318/", "");
    let badly = load("--otlp-endpoint http://user:secret@collector:4318", "");
    let badly = badly.unwrap_err().to_string();
    assert!(!badly.contains("secret"), "{badly}");
    if cfg!(feature = "otlp") {
        let endpoint = sent.unwrap().otlp_endpoint.unwrap();
        assert_eq!(endpoint.traces(), "http://127.0.0.1:4318/v1/traces");
        assert!(badly.contains("without a password"), "{badly}");
    } else {
        assert_eq!(
            sent.unwrap_err().to_string(),
            "--otlp-endpoint: must be `off`, because this program was built without the feature `otlp`"
        );
    }
}

#[test]
fn pages_without_encryption_are_noticed() {
    for (line, is_unprotected) in [
        ("", false),
        ("--listen [::1]:80", false),
        ("--listen 0.0.0.0:80", true),
        ("--listen 0.0.0.0:80 --pages=false", false),
        ("--listen 0.0.0.0:80 --base-url https://example.org", false),
        ("--listen 127.0.0.1:80 --base-url http://example.org", true),
        ("--listen 0.0.0.0:80 --base-url http://localhost:80", false),
    ] {
        let config = load(line, "").unwrap();
        let address = config.listen.0;
        assert_eq!(
            config.has_unprotected_pages(address),
            is_unprotected,
            "{line}"
        );
    }
}

#[test]
fn rate_limits_are_off_on_loopback() {
    let rates = |line: &str| {
        let config = load(line, "").unwrap();
        let (limits, address) = (config.limits, config.listen.0);
        [
            limits.user_rate_at(address),
            limits.address_rate_at(address),
            limits.link_rate_at(address),
        ]
        .map(|rate| rate.to_string())
    };
    for loopback in ["", "--listen [::1]:80", "--listen 127.3.2.1:80"] {
        assert_eq!(rates(loopback), ["off", "off", "off"], "{loopback}");
    }
    assert_eq!(
        rates("--listen 0.0.0.0:80"),
        ["6000/60s", "600/60s", "120/60s"]
    );
    let chosen =
        "--listen 0.0.0.0:80 --user-rate-limit off --address-rate-limit 1/1s --link-rate-limit off";
    assert_eq!(rates(chosen), ["off", "1/1s", "off"]);
    assert_eq!(rates("--user-rate-limit 5/1m"), ["5/60s", "off", "off"]);
}

#[test]
fn all_problems_are_reported_at_once() {
    let text = "request_head_timeout = '0s'\nlissten = 1\nlisten = 8080\nauto_migrate = 'yes'\nrequest_body_limit = -1\n\
                administrators = 'user.'\n[[issuers]]\nissuer = 'x'";
    let error = load("--shutdown-delay soon", text).unwrap_err();
    let error = error.to_string();
    let lines: Vec<&str> = error.lines().collect();
    let keys: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(
        keys,
        [
            "--shutdown-delay",
            "administrators",
            "auto_migrate",
            "issuers[0].audience",
            "issuers[0].issuer",
            "lissten",
            "listen",
            "request_body_limit",
            "request_head_timeout"
        ]
    );
    assert!(lines.contains(&"lissten: unknown key, did you mean `listen`?"));
}

#[test]
fn people_sign_in_with_an_issuer_only_where_there_are_pages() {
    let issuer = "[[issuers]]\nissuer = 'https://login.example.org'\naudience = 'formalize'\nclient_id = 'forms'";
    assert!(load("", issuer).unwrap().issuers[0].sign_in.is_some());
    let refused = load("--pages=false", issuer).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "issuers[0].client_id: is for signing in to web pages, but `pages` is `false`"
    );
}

#[test]
fn shown_settings_can_be_loaded_again() {
    let text = "request_body_limit = 1024\nlog_format = 'json'\ndatabase_url = 'postgres://a:b@c/d'\n\
                [dynamic_groups]\nstaff = 'true'\n\
                [[issuers]]\nissuer = 'https://login.example.org'\naudience = 'formalize'";
    let shown = load("", text).unwrap().to_string();
    assert!(
        shown.contains("postgres://a:***@c/d") && shown.contains("staff = \"true\""),
        "{shown}"
    );
    assert!(shown.contains("https://login.example.org"), "{shown}");
    assert_eq!(load("", &shown).unwrap().to_string(), shown);
}

const REFERENCE: &str = include_str!("../../../../docs/configuration.md");

/// The row of a setting in the reference.
fn row(setting: &Setting) -> String {
    let code = |text: &str| format!("`{text}`");
    let default = match setting.default {
        Fallback::Value(value) => code(value),
        Fallback::Nothing(words) => words.to_owned(),
    };
    let variables = [Some(setting.variable()), setting.file_variable()];
    let variables: Vec<_> = variables.iter().flatten().map(|name| code(name)).collect();
    let (key, flag) = (code(setting.key), code(&format!("--{}", setting.flag())));
    let (variables, about) = (variables.join(" or "), setting.about);
    format!("| {key} | {flag} | {variables} | {default} | {about} |")
}

#[test]
fn the_reference_has_every_setting() {
    let rows: Vec<_> = setting::ALL.iter().map(row).collect();
    let written = REFERENCE
        .lines()
        .skip_while(|line| !line.starts_with("| Key | Flag"))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let written: Vec<_> = written.collect();
    assert_eq!(written.join("\n"), rows.join("\n"), "update the reference");
}

#[test]
fn the_example_of_the_reference_is_complete_and_valid() {
    let example = REFERENCE.split("```toml").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    load("", example).unwrap();
    let table: Table = example.parse().unwrap();
    // Most programs are built without the feature `otlp`.
    let keys = setting::ALL.iter().map(|setting| setting.key);
    let keys = keys.filter(|key| *key != setting::OTLP_ENDPOINT.key);
    for key in keys.chain(Settings::KEYS) {
        assert!(table.contains_key(key), "{key}");
    }
}
