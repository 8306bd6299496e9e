//! What a store in a bucket of S3 needs.

use std::fmt;

/// A bucket, and how to use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct S3Options {
    /// The name of the bucket.
    pub bucket: String,
    /// What the keys of all contents begin with, without a slash at its ends; empty for nothing.
    pub prefix: String,
    /// The URL of the service; `None` for AWS. The bucket is the first part of the path of requests to it.
    pub endpoint: Option<String>,
    /// The region of the bucket.
    pub region: String,
    /// What the requests are signed with.
    pub credentials: S3Credentials,
    /// Whether the URL may begin with `http://`. Then contents are sent without encryption.
    pub allows_http: bool,
}

/// What requests to S3 are signed with.
#[derive(Clone, PartialEq, Eq)]
pub enum S3Credentials {
    /// A key that does not change.
    Static {
        /// Its public identifier.
        access_key_id: String,
        /// The secret.
        secret_access_key: String,
    },
    /// What the environment of the process has: variables that begin with `AWS_`, a web identity, or the role of a container or
    /// an instance.
    Environment,
}

impl fmt::Debug for S3Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static { access_key_id, .. } => formatter
                .debug_struct("Static")
                .field("access_key_id", access_key_id)
                .finish_non_exhaustive(),
            Self::Environment => formatter.write_str("Environment"),
        }
    }
}
