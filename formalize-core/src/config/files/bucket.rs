//! The settings of buckets.

use std::fmt;
use std::str::FromStr;

use url::Url;

use super::super::setting::{
    FILES_S3_ACCESS_KEY_ID, FILES_S3_ALLOW_HTTP, FILES_S3_CREDENTIALS, FILES_S3_ENDPOINT,
    FILES_S3_REGION, FILES_S3_SECRET_ACCESS_KEY, Setting,
};
use super::super::units::worded_setting;
use super::super::{InvalidSetting, Problem, Sources, Switch};
use super::FilesUrl;
use crate::file_store::{S3Credentials, S3Options};

/// Reads the settings, and checks whether they suffice if contents are in a bucket.
pub(super) fn read(
    sources: &mut Sources,
    url: Option<&FilesUrl>,
) -> Result<Option<S3Options>, Problem> {
    // All are read before the first `?`, so that all problems are reported.
    let endpoint = sources.optional::<Endpoint>(&FILES_S3_ENDPOINT);
    let region = sources.value::<String>(&FILES_S3_REGION);
    let kind = sources.value::<CredentialKind>(&FILES_S3_CREDENTIALS);
    let id = sources.optional::<String>(&FILES_S3_ACCESS_KEY_ID);
    let secret = sources.optional::<SecretText>(&FILES_S3_SECRET_ACCESS_KEY);
    let allows_http = sources.value::<Switch>(&FILES_S3_ALLOW_HTTP);
    let (endpoint, region, kind) = (endpoint?, region?, kind?);
    let (id, secret, allows_http) = (id?, secret?, allows_http?.0);
    let Some((bucket, prefix)) = url.and_then(FilesUrl::bucket) else {
        return Ok(None);
    };
    let required = |setting: &Setting| Problem {
        key: setting.key.to_owned(),
        message: "is required for a bucket, unless `files_s3_credentials` is `environment`"
            .to_owned(),
    };
    let credentials = match kind {
        CredentialKind::Environment => S3Credentials::Environment,
        CredentialKind::Static => S3Credentials::Static {
            access_key_id: id.ok_or_else(|| required(&FILES_S3_ACCESS_KEY_ID))?,
            secret_access_key: secret
                .ok_or_else(|| required(&FILES_S3_SECRET_ACCESS_KEY))?
                .0,
        },
    };
    let is_plain = endpoint
        .as_ref()
        .is_some_and(|url| url.0.scheme() == "http");
    if is_plain && !allows_http {
        return Err(Problem {
            key: FILES_S3_ENDPOINT.key.to_owned(),
            message: "must begin with `https://`, or contents are sent without encryption; set `files_s3_allow_http` to `true` to permit that"
                .to_owned(),
        });
    }
    Ok(Some(S3Options {
        bucket: bucket.to_owned(),
        prefix: prefix.to_owned(),
        endpoint: endpoint.as_ref().map(ToString::to_string),
        region,
        credentials,
        allows_http,
    }))
}

/// The URL of a service.
#[derive(Debug, Clone)]
struct Endpoint(Url);

impl FromStr for Endpoint {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let url = Url::parse(text).ok().filter(|url| {
            matches!(url.scheme(), "http" | "https")
                && url.has_host()
                && url.username().is_empty()
                && url.password().is_none()
                && url.query().is_none()
                && url.fragment().is_none()
        });
        url.map(Self).ok_or(InvalidSetting(
            "the URL of a service, such as `https://s3.example.org`",
        ))
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The client appends a slash and the path.
        formatter.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

/// A secret. What is shown of settings has asterisks in its place.
struct SecretText(String);

impl FromStr for SecretText {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for SecretText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

/// Where the credentials are.
#[derive(Debug, Clone, Copy)]
enum CredentialKind {
    Static,
    Environment,
}

worded_setting! {
    CredentialKind, "`static` or `environment`": "static" = Static, "environment" = Environment
}

#[cfg(test)]
mod tests {
    use super::super::FileSettings;
    use super::*;

    fn read(toml: &str) -> Result<FileSettings, Problem> {
        FileSettings::read(&mut Sources::new(toml.parse().unwrap()))
    }

    fn key_at_fault(toml: &str) -> String {
        read(toml).unwrap_err().key
    }

    #[test]
    fn a_bucket_needs_a_key_or_the_environment() {
        let bucket = "files_url = 's3://bucket'";
        let id = "files_s3_access_key_id = 'id'";
        let secret = "files_s3_secret_access_key = 'hidden'";
        let all = format!("{bucket}\n{id}\n{secret}");
        assert_eq!(key_at_fault(bucket), "files_s3_access_key_id");
        let without_secret = format!("{bucket}\n{id}");
        assert_eq!(key_at_fault(&without_secret), "files_s3_secret_access_key");
        let settings = read(&all).unwrap();
        assert!(!format!("{settings:?}").contains("hidden"));
        let environment = format!("{bucket}\nfiles_s3_credentials = 'environment'");
        assert!(read(&environment).is_ok());
        // They are not needed elsewhere.
        assert!(read("files_url = 'file:files'").is_ok());
        let other = format!("{bucket}\nfiles_s3_credentials = 'other'");
        assert_eq!(key_at_fault(&other), "files_s3_credentials");
    }

    #[test]
    fn contents_are_encrypted_unless_it_is_said_otherwise() {
        let with = |endpoint: &str| {
            format!(
                "files_url = 's3://bucket'\nfiles_s3_credentials = 'environment'\nfiles_s3_endpoint = '{endpoint}'"
            )
        };
        assert!(read(&with("https://s3.example.org")).is_ok());
        let plain = with("http://127.0.0.1:9000/");
        assert_eq!(key_at_fault(&plain), "files_s3_endpoint");
        let settings = read(&format!("{plain}\nfiles_s3_allow_http = true")).unwrap();
        let endpoint = settings.bucket().unwrap().endpoint.as_deref();
        assert_eq!(endpoint, Some("http://127.0.0.1:9000"));
        for endpoint in [
            "s3.example.org",
            "ftp://s3.example.org",
            "https://key:secret@s3.example.org",
            "https://s3.example.org/?a=b",
        ] {
            assert_eq!(key_at_fault(&with(endpoint)), "files_s3_endpoint");
        }
    }
}
