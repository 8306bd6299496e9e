//! Where each block of the documents runs.

use super::block::Block;

/// Where the blocks of a section run, and the expected result.
#[derive(Debug)]
pub(super) struct Row {
    document: &'static str,
    section: &'static str,
    pub(super) world: World,
    /// Commands that run first and are not shown.
    pub(super) before: &'static str,
    /// Texts that must be printed to standard output or standard error.
    pub(super) shows: &'static [&'static str],
    /// The exit codes of the commands that are expected to fail, in order.
    pub(super) exits: &'static [i32],
}

/// The environment in which a block runs, or how it is tested otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum World {
    /// A clone that has been built, with its server running. All sections of a document share it, in order.
    Clone,
    /// Installed programs and a SQLite database with records of every kind, new for each section.
    Installed(Thing),
    /// The same on PostgreSQL.
    Postgres,
    /// Not run; the server parses it as its configuration file.
    Configuration,
    /// Not run; nginx parses it.
    Nginx,
    /// Not run; HAProxy parses it.
    HaProxy,
    /// Not run; it is the content of this file.
    File(&'static str),
    /// Not run; Prometheus parses it.
    Prometheus,
    /// Not run; it is compared with the first line that an import rejects.
    Refusal,
    /// Not run; the library compiles it as the schema of a form.
    Schema,
    /// Run by a script of the checks, because it takes long or runs the tests themselves. The script must contain the
    /// command, possibly with more arguments that shorten it.
    Script(Script),
    /// Not run, for this reason. The shell checks its syntax, and the programs of the repository that it starts must
    /// exist.
    Elsewhere(&'static str),
}

/// A script that runs a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Script {
    pub(super) path: &'static str,
    /// A replacement that the script makes in the block.
    pub(super) instead: Option<(&'static str, &'static str)>,
}

/// The kind of record that the identifier in an example refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    Nothing,
    Form,
    Submission,
    Group,
    Membership,
    Grant,
    Token,
    Link,
    Webhook,
    File,
}

use Thing::{File, Form, Grant, Group, Link, Membership, Nothing, Submission, Token, Webhook};

impl Thing {
    /// The variable with its identifier, as prepared by [`super::worlds`].
    pub(super) fn variable(self) -> Option<&'static str> {
        match self {
            Nothing => None,
            Form => Some("FORM"),
            Submission => Some("SUBMISSION"),
            Group => Some("GROUP"),
            Membership => Some("MEMBERSHIP"),
            Grant => Some("GRANT"),
            Token => Some("TOKEN_ID"),
            Link => Some("LINK"),
            Webhook => Some("WEBHOOK"),
            File => Some("FILE"),
        }
    }
}

impl World {
    fn language(self) -> &'static str {
        match self {
            Self::Configuration => "toml",
            Self::Nginx => "nginx",
            Self::HaProxy => "haproxy",
            Self::Prometheus => "yaml",
            Self::Refusal | Self::Schema => "json",
            Self::File(path) => match path.rsplit_once('.') {
                Some((_, "yml")) => "yaml",
                Some((_, "cfg")) => "haproxy",
                Some((_, other)) => other,
                None => "sh",
            },
            _ => "sh",
        }
    }
}

impl Row {
    fn is_for(&self, block: &Block) -> bool {
        self.document == block.document
            && self.section == block.section
            && self.world.language() == block.language
    }
}

/// The row for a block.
pub(super) fn row_for(block: &Block) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.is_for(block))
}

/// The rows without a block.
pub(super) fn idle_rows(blocks: &[Block]) -> Vec<&'static Row> {
    let is_idle = |row: &&Row| !blocks.iter().any(|block| row.is_for(block));
    ROWS.iter().filter(is_idle).collect()
}

const fn row(document: &'static str, section: &'static str, world: World) -> Row {
    Row {
        document,
        section,
        world,
        before: "",
        shows: &[],
        exits: &[],
    }
}

impl Row {
    const fn after(mut self, before: &'static str) -> Self {
        self.before = before;
        self
    }

    const fn shows(mut self, shows: &'static [&'static str]) -> Self {
        self.shows = shows;
        self
    }

    const fn exits(mut self, exits: &'static [i32]) -> Self {
        self.exits = exits;
        self
    }
}

/// An example of the command line reference.
const fn cli(section: &'static str, stands_for: Thing, shows: &'static [&'static str]) -> Row {
    row("docs/cli.md", section, World::Installed(stands_for)).shows(shows)
}

/// The script that runs everything else.
pub(super) const CHECKS: &str = ".ci/run";

const fn script(path: &'static str, instead: Option<(&'static str, &'static str)>) -> World {
    World::Script(Script { path, instead })
}

const NO_ENGINE: &str = "it needs a container engine and images from elsewhere";
const CRATES: &str = "it installs from crates.io";

const HIGH_AVAILABILITY: &str = "docs/high-availability.md";

/// A file of the recipe for high availability.
macro_rules! recipe {
    ($name:literal) => {
        World::File(concat!("packaging/high-availability/", $name))
    };
}

const ROWS: &[Row] = &[
    row("README.md", "Start", World::Clone),
    row("README.md", "Tests", script(CHECKS, None)),
    row("README.md", "With curl", World::Clone).shows(&[
        "form 0",
        "formalize:submission-invalid-json",
        "\"/email\"",
        "\"submissionState\":\"submitted\"",
        "\"items\":[{",
    ]),
    row("README.md", "With the command line", World::Clone)
        .shows(&[
            "create_submissions",
            "`name` is required",
            "/email: must be a valid email address",
            "/seats: must be at most 4",
            "{\"name\": \"Grace\"",
            "identifier                            state      name   email              creator",
            "exported 1 submission to workshop.csv",
        ])
        .exits(&[7]),
    row("README.md", "Configuration", World::Configuration),
    row("CONTRIBUTING.md", "Set-up", script(CHECKS, None)),
    row(
        "CONTRIBUTING.md",
        "The oracle",
        World::Elsewhere("it tries worlds for an hour"),
    ),
    row("docs/configuration.md", "An example", World::Configuration),
    row(
        "docs/configuration.md",
        "`[policies]`",
        World::Elsewhere("it needs a server with this policy, at the address of the example"),
    ),
    row(
        "docs/files.md",
        "Sending files",
        World::Elsewhere("it needs a running server, its address in URL, and a form in FORM"),
    ),
    row(
        "docs/files.md",
        "Reading files",
        World::Elsewhere("it needs a running server, its address in URL, and a file in FILE"),
    ),
    row("docs/files.md", "S3", World::Configuration),
    row("docs/files.md", "Backup", World::Installed(Nothing))
        .after("formalize backup copy.db --files /backup/files\n")
        .shows(&["copied 1 file to", "1 were there"]),
    row(
        "docs/identity.md",
        "Users of an identity provider",
        World::Configuration,
    ),
    row(
        "docs/webhooks.md",
        "Creating webhooks",
        World::Installed(Form),
    )
    .shows(&["whsec_", "https://example.org/hook"]),
    row(
        "docs/events.md",
        "Reading the log",
        World::Installed(Nothing),
    )
    .shows(&["\"type\":\"form.created\""]),
    row(
        "docs/events.md",
        "Keeping and deleting events",
        World::Installed(Nothing),
    )
    .shows(&["deleted 0 events"]),
    row(
        "docs/events.md",
        "After restoring a backup",
        World::Installed(Nothing),
    )
    .shows(&["reset the event log"]),
    row(
        "docs/idempotency.md",
        "Many submissions in one request",
        World::Elsewhere("it needs a running server, its address in URL, and a form in FORM"),
    ),
    row("docs/identity.md", "Keycloak", World::Configuration),
    row("docs/identity.md", "Entra ID", World::Configuration),
    row("docs/identity.md", "Auth0", World::Configuration),
    row("docs/operations.md", "One server", World::Configuration),
    row("docs/operations.md", "Proxy and TLS", World::Nginx),
    row("docs/operations.md", "Proxy and TLS", World::HaProxy),
    row(
        "docs/operations.md",
        "One server",
        World::Installed(Nothing),
    )
    .after(
        "echo \"database_url = 'sqlite:///var/lib/formalize/formalize.db'\" > /etc/formalize/formalize.toml\n",
    )
    .shows(&["fmz_", "issued token"]),
    row("docs/operations.md", "SQLite", World::Installed(Nothing)).shows(&["no findings"]),
    row("docs/operations.md", "PostgreSQL", World::Postgres).shows(&["no findings"]),
    row(
        "docs/permissions.md",
        "Everybody submits",
        World::Installed(Nothing),
    )
    .shows(&["create_submissions", "Workshop (form)"]),
    row(
        "docs/permissions.md",
        "Over REST",
        World::Elsewhere("it needs a running server, its address in URL, and a form in FORM"),
    ),
    row(
        "docs/permissions.md",
        "Reviewers of a group read",
        World::Installed(Nothing),
    )
    .shows(&["group:Reviewers", "Workshop (form)"]),
    row(
        "docs/permissions.md",
        "A help desk that changes",
        World::Installed(Nothing),
    )
    .shows(&["update_submissions", "group:Help desk"]),
    row(
        "docs/permissions.md",
        "Your own classes",
        World::Installed(Nothing),
    )
    .shows(&["VendorThing", "allowed"]),
    row(
        "docs/pages.md",
        "Signing in with an identity provider",
        World::Configuration,
    ),
    row("docs/pages.md", "Public links", World::Installed(Nothing)).shows(&["/l/fml_"]),
    row(
        "docs/performance.md",
        "Performance",
        script(
            CHECKS,
            Some((
                "cargo run --release -p formalize-tests --bin load -- ",
                "\"${CARGO_TARGET_DIR:-target}/debug/load\" ",
            )),
        ),
    ),
    row(
        "docs/relay.md",
        "The interface for the Relay web client",
        World::Configuration,
    ),
    row(
        "docs/relay.md",
        "Forms with fixed identifiers",
        World::Installed(Nothing),
    )
    .shows(&["Demo form", "e78869ce-e9b3-4df2-854b-cf88a35285f5"]),
    row("docs/relay.md", "Directory", World::Configuration),
    row(
        "docs/relay.md",
        "Directory",
        World::File("examples/people.csv"),
    ),
    row(
        "docs/relay.md",
        "Directory",
        World::File("examples/people.ndjson"),
    ),
    row("docs/relay.md", "Proxy", World::Nginx),
    row("docs/relay.md", "Proxy", World::Nginx),
    row(
        "docs/tags.md",
        "Tags",
        World::Elsewhere(
            "it needs a running server, its address in URL, and a submission in SUBMISSION",
        ),
    ),
    row("docs/reliability.md", "Reliability", script(CHECKS, None)),
    row(HIGH_AVAILABILITY, "etcd", recipe!("etcd.yml")),
    row(HIGH_AVAILABILITY, "Patroni", recipe!("patroni.yml")),
    row(HIGH_AVAILABILITY, "HAProxy", recipe!("haproxy.cfg")),
    row(HIGH_AVAILABILITY, "The database", recipe!("create.sql")),
    row(HIGH_AVAILABILITY, "formalize", World::Configuration),
    row(
        HIGH_AVAILABILITY,
        "SQLite with Litestream",
        recipe!("litestream.yml"),
    ),
    row(
        HIGH_AVAILABILITY,
        "Trying to disprove it",
        script(CHECKS, None),
    ),
    row("docs/cli.md", "Importing submissions", World::Refusal),
    row("docs/schemas.md", "Rules about files", World::Schema),
    cli("formalize forms create", Nothing, &["Newsletter"]),
    cli("formalize forms demo", Nothing, &["Demo form"]),
    cli("formalize forms list", Nothing, &["\"name\":\"Workshop\""]),
    cli("formalize forms questions", Nothing, &["kind"]),
    cli("formalize forms show", Form, &["\"name\": \"Workshop\""]),
    cli(
        "formalize forms update",
        Form,
        &["maxNumSubmissionsPerCreator        3"],
    ),
    cli("formalize forms delete", Form, &["deleted"]),
    cli(
        "formalize forms share",
        Nothing,
        &["dynamic-group:everybody", "user:grace"],
    ),
    cli("formalize forms unshare", Nothing, &["no longer shared"]),
    cli(
        "formalize submissions create",
        Form,
        &["bob@example.org", "carol@example.org", "dave@example.org"],
    ),
    cli(
        "formalize submissions list",
        Form,
        &["\"creatorId\":\"alice\""],
    ),
    cli("formalize submissions export", Form, &["to answers.csv"]),
    cli(
        "formalize submissions import",
        Form,
        &["2 submissions would be created", "2 submissions created"],
    )
    .after(
        "formalize submissions export --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b answers.csv\n",
    ),
    cli(
        "formalize submissions show",
        Submission,
        &["\"submissionState\": \"draft\""],
    ),
    cli(
        "formalize submissions update",
        Submission,
        &["submissionState    submitted"],
    ),
    cli("formalize submissions delete", Submission, &["deleted"]),
    cli("formalize submissions delete-all", Form, &["deleted"]),
    cli(
        "formalize links create",
        Form,
        &["http://127.0.0.1:8080/l/fml_", "created 1 link to form"],
    ),
    cli("formalize links list", Form, &["submissions"]),
    cli("formalize links revoke", Link, &["revoked link"]),
    cli("formalize groups create", Nothing, &["Examination office"]),
    cli("formalize groups list", Nothing, &["Registrar's office"]),
    cli(
        "formalize groups show",
        Group,
        &["\"name\": \"Registrar's office\""],
    ),
    cli("formalize groups rename", Group, &["Registry"]),
    cli("formalize groups delete", Group, &["deleted"]),
    cli("formalize members add", Group, &["alice"]),
    cli("formalize members list", Group, &["heidi"]),
    cli("formalize members remove", Membership, &["removed"]),
    cli("formalize grants create", Form, &["everybody"]),
    cli("formalize grants list", Nothing, &["create_submissions"]),
    cli("formalize grants delete", Grant, &["deleted"]),
    cli("formalize resources register", Nothing, &["VendorThing"]),
    cli("formalize resources list", Nothing, &["VendorThing"])
        .after("formalize resources register VendorThing/42 > registered\n"),
    cli("formalize resources deregister", Nothing, &[])
        .after("formalize resources register VendorThing/42 > registered\n"),
    cli("formalize actions list", Nothing, &["read_submissions"]),
    cli("formalize tokens create", Nothing, &["issued token"]),
    cli(
        "formalize tokens list",
        Nothing,
        &["identifier,kind,userIdentifier", ",api,grace,"],
    ),
    cli(
        "formalize tokens revoke",
        Token,
        &["revoked", "ended 0 sessions of `alice`"],
    ),
    cli(
        "formalize events list",
        Nothing,
        &["\"type\":\"form.created\""],
    ),
    cli(
        "formalize events subscriptions list",
        Nothing,
        &["position"],
    ),
    row(
        "docs/cli.md",
        "formalize events subscriptions delete",
        World::Elsewhere("it needs a program that reads the log"),
    ),
    cli("formalize events purge", Nothing, &["deleted 0 events"]),
    cli("formalize events reset", Nothing, &["reset the event log"]),
    cli("formalize webhooks create", Form, &["whsec_"]),
    cli(
        "formalize webhooks list",
        Form,
        &["https://example.org/hook"],
    ),
    cli("formalize webhooks show", Webhook, &["eventTypes"]),
    cli("formalize webhooks update", Webhook, &["owner"]),
    cli("formalize webhooks delete", Webhook, &["deleted webhook"]),
    cli("formalize webhooks rotate-secret", Webhook, &["whsec_"]),
    cli(
        "formalize webhooks reencrypt",
        Nothing,
        &["webhook_secret_keys"],
    )
    .exits(&[1]),
    row(
        "docs/cli.md",
        "formalize webhooks test",
        World::Elsewhere("it sends a request to another machine"),
    ),
    cli("formalize webhooks deliveries", Webhook, &["attempts"]),
    cli(
        "formalize webhooks resend",
        Webhook,
        &["queued 0 deliveries"],
    ),
    cli("formalize maintain", Nothing, &["and 0 events"]),
    cli("formalize check", Form, &["allowed"]),
    cli("formalize policies test", Nothing, &["create_forms"]),
    cli("formalize migrate status", Nothing, &["\"applied\""]),
    cli("formalize migrate up", Nothing, &[]),
    cli(
        "formalize backup",
        Nothing,
        &["/var/backups/formalize-2026-11-21.db"],
    ),
    cli("formalize files list", Form, &["fileName"]),
    cli("formalize files show", File, &["notes.txt"]),
    cli("formalize files get", File, &[]),
    cli("formalize files add", Submission, &["cv.pdf"]).after("echo text > cv.pdf\n"),
    cli("formalize files delete", File, &["deleted file"]),
    cli(
        "formalize files sweep",
        Nothing,
        &["would delete 0 contents"],
    ),
    cli("formalize files copy", Nothing, &["copied 1 file"]),
    cli("formalize files hold", Nothing, &["-"]),
    cli("formalize files release", Nothing, &["has ended"]).exits(&[3]),
    cli("formalize verify", Nothing, &["[]"]),
    cli("formalize completions", Nothing, &[]),
    cli("formalize man", Nothing, &[]),
    row(
        "packaging/README.md",
        "Static programs",
        World::Elsewhere("it builds a release for a quarter of an hour"),
    ),
    row(
        "packaging/README.md",
        "systemd",
        World::Elsewhere("it needs systemd and its administrator"),
    ),
    row(
        "packaging/README.md",
        "Completions and manual pages",
        World::Installed(Nothing),
    )
    .shows(&["/usr/local/share/man/man1"]),
    row("packaging/README.md", "Image", World::Elsewhere(NO_ENGINE)),
    row("packaging/README.md", "Secrets", World::Installed(Nothing)),
    row("packaging/README.md", "Start", World::Elsewhere(NO_ENGINE)),
    row("docs/observability.md", "Metrics", World::Configuration),
    row("docs/observability.md", "Metrics", World::Prometheus),
    row(
        "docs/observability.md",
        "What to alert on",
        World::Prometheus,
    ),
    row(
        "docs/observability.md",
        "Traces",
        script("tests/otlp/run", Some((" --release ", " --locked --workspace "))),
    ),
    row(
        "formalize-cli/README.md",
        "formalize-cli",
        World::Elsewhere(CRATES),
    ),
    row(
        "formalize-server/README.md",
        "formalize-server",
        World::Elsewhere(CRATES),
    ),
];
