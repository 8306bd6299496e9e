//! What a store in a bucket of S3 needs.

use std::fmt;

/// A bucket, and how to use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct S3Options {
    /// The name of the bucket.
    pub bucket: String,
    /// The prefix of all keys, without slashes at its ends; may be empty.
    pub prefix: String,
    /// The URL of the service; `None` for AWS. The name of the bucket is put into the path.
    pub endpoint: Option<String>,
    /// The region of the bucket.
    pub region: String,
    /// The credentials that sign requests.
    pub credentials: S3Credentials,
    /// Whether contents may be sent without encryption, to an endpoint that begins with `http://`.
    pub allows_http: bool,
}

/// The credentials that sign requests to S3.
#[derive(Clone, PartialEq, Eq)]
pub enum S3Credentials {
    /// An access key.
    Static {
        /// Its public identifier.
        access_key_id: String,
        /// The secret.
        secret_access_key: String,
    },
    /// Those of the environment: variables that begin with `AWS_`, a web identity, or the role of a container or an instance.
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
