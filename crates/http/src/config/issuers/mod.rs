//! The OpenID Connect issuers of a configuration file: `[[issuers]]`.

mod reader;
mod url;

use std::{collections::BTreeMap, fmt, fs::File, io::Read};

use super::ClaimPath;
pub(super) use reader::read;
pub use url::IssuerUrl;
pub(crate) use url::is_protected;

/// An OpenID Connect issuer whose tokens are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuerSettings {
    /// Its identifier in tokens, and the base URL of its documents.
    pub url: IssuerUrl,
    /// The accepted audiences; a token must have one of them. Never empty.
    pub audience: Vec<String>,
    /// The claim with the user's identifier.
    pub user_claim: ClaimPath,
    /// The attributes of users, each with the claim that supplies it.
    pub attributes: BTreeMap<String, ClaimPath>,
    /// How people sign in to web pages with it, if they can.
    pub sign_in: Option<SignInSettings>,
}

/// How people sign in to web pages with an issuer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInSettings {
    /// The identifier of this service at the issuer, which is the audience of ID tokens.
    pub client_id: String,
    /// The secret of this service at the issuer; `None` for a public client.
    pub client_secret: Option<ClientSecret>,
    /// The text of the link by which people sign in.
    pub label: String,
}

/// The secret of this service at an issuer. It is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientSecret(String);

impl ClientSecret {
    /// The maximum size of the file, in bytes.
    const MAX: u64 = 4096;

    /// Reads the secret from a file, without white space around it.
    ///
    /// # Errors
    ///
    /// The requirement that the file does not meet.
    fn read(path: &str) -> Result<Self, &'static str> {
        let mut text = String::new();
        let file = File::open(path).map_err(|_| "must be a file that the server can read")?;
        file.take(ClientSecret::MAX + 1)
            .read_to_string(&mut text)
            .map_err(|_| "must be a file that the server can read")?;
        if text.len() as u64 > Self::MAX {
            return Err("must be a file of at most 4 KiB");
        }
        match text.trim() {
            "" => Err("must be a file that contains the secret; it is empty"),
            secret => Ok(Self(secret.to_owned())),
        }
    }

    /// The secret itself.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ClientSecret(***)")
    }
}
