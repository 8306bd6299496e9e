//! The command line on PostgreSQL.

use std::process::{Command, Output};

use formalize_http::config::setting;
use formalize_tests::{TestDatabase, binary};

fn run(line: &str, url: &str) -> Output {
    Command::new(binary("formalize").unwrap())
        .args(line.split(' '))
        .env("FORMALIZE_DATABASE_URL", url)
        .current_dir(std::env::temp_dir())
        .output()
        .unwrap()
}

/// `postgres://user@...` with another user.
fn as_role(url: &str, role: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap();
    let place = rest.split_once('@').map_or(rest, |(_, place)| place);
    format!("{scheme}://{role}@{place}")
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn rejected_database_credentials_have_their_own_exit_code() {
    let database = TestDatabase::empty().await.unwrap();
    let nobody = as_role(database.url(), "nobody_at_all:hush");
    for line in ["forms list", "migrate up", "tokens create --user alice"] {
        let refused = run(line, &nobody);
        let error = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(4), "{line}: {error}");
        assert!(
            error.contains("rejected the credentials; check the user and the password"),
            "{error}"
        );
        assert!(!error.contains("hush"), "{error}");
    }
    let migrated = run("migrate up", database.url());
    assert_eq!(migrated.status.code(), Some(0), "{migrated:?}");
    let listed = run("forms list -o json", database.url());
    assert_eq!(String::from_utf8(listed.stdout).unwrap(), "[]\n");
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn verifying_needs_no_right_but_to_read() {
    let database = TestDatabase::empty().await.unwrap();
    let url = database.url();
    for line in ["migrate up", "groups create Kept"] {
        let done = run(line, url);
        assert_eq!(done.status.code(), Some(0), "{line}: {done:?}");
    }
    let separator = if url.contains('?') { '&' } else { '?' };
    let reader = format!("{url}{separator}options=-c%20role%3Dpg_read_all_data");
    let refused = run("groups create Refused", &reader);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let verified = run("verify -o json", &reader);
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
    assert_eq!(String::from_utf8(verified.stdout).unwrap(), "[]\n");
}

#[test]
fn a_file_with_every_setting_of_the_server_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let keys = setting::ALL.iter().map(|setting| setting.key);
    // The command line reads these, too.
    let own = [
        setting::DATABASE_URL.key,
        setting::EVENT_LOG.key,
        setting::EVENT_RETENTION.key,
        setting::WEBHOOK_ALLOWED_TARGETS.key,
        setting::WEBHOOK_TIMEOUT.key,
        setting::WEBHOOK_PROXY.key,
        setting::WEBHOOK_SECRET_KEYS.key,
        setting::WEBHOOK_LOG_RETENTION.key,
        setting::FILES_URL.key,
        setting::FILES_S3_ENDPOINT.key,
        setting::FILES_S3_REGION.key,
        setting::FILES_S3_CREDENTIALS.key,
        setting::FILES_S3_ACCESS_KEY_ID.key,
        setting::FILES_S3_SECRET_ACCESS_KEY.key,
        setting::FILES_S3_ALLOW_HTTP.key,
        setting::FILE_SIZE_LIMIT.key,
        setting::FILES_PER_SUBMISSION_LIMIT.key,
        setting::CREATOR_FILES_QUOTA.key,
        setting::FILES_RESERVE.key,
        setting::UPLOAD_TIMEOUT.key,
        setting::UPLOAD_GRACE.key,
    ];
    let keys = keys.filter(|key| !own.contains(key));
    let lines = keys.chain(["issuers"]);
    let lines: Vec<_> = lines
        .map(|key| format!("{key} = 'for the server to check'"))
        .collect();
    let file = lines.join("\n");
    std::fs::write(folder.path().join("formalize.toml"), file).unwrap();
    let migrated = Command::new(binary("formalize").unwrap())
        .args(["migrate", "up"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(migrated.status.code(), Some(0), "{migrated:?}");
}
