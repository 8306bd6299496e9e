//! The OpenID Connect issuers of a configuration file: `[[issuers]]`.

use std::{collections::BTreeMap, fmt, net::IpAddr};

use formalize_core::config::Problem;
use reqwest::Url;
use toml::{Table, Value};

use super::ClaimPath;

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
}

/// The URL of an issuer: HTTPS, or HTTP on loopback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuerUrl {
    /// The original text, which the tokens of the issuer must contain exactly.
    text: String,
    discovery: Url,
}

impl IssuerUrl {
    /// Parses a URL.
    ///
    /// # Errors
    ///
    /// The requirement that the text does not meet.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let url = Url::parse(text).map_err(|_| "must be a URL")?;
        if !is_protected(&url) {
            return Err("must begin with `https://`; `http://` is for loopback addresses only");
        }
        let is_bare = url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        if !is_bare {
            return Err("must not contain a user name, a password, a query or a fragment");
        }
        let base = text.strip_suffix('/').unwrap_or(text);
        let discovery = Url::parse(&format!("{base}/.well-known/openid-configuration"));
        Ok(Self {
            text: text.to_owned(),
            discovery: discovery.map_err(|_| "must be a URL")?,
        })
    }

    /// The URL exactly as configured.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The URL of the discovery document.
    pub(crate) fn discovery(&self) -> Url {
        self.discovery.clone()
    }
}

impl fmt::Display for IssuerUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Whether responses from this URL cannot be tampered with: it uses HTTPS or a loopback address.
pub(crate) fn is_protected(url: &Url) -> bool {
    match url.scheme() {
        "https" => true,
        "http" => url.host_str().is_some_and(is_loopback),
        _ => false,
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Parses the value of the key `issuers`, and adds errors to `problems`.
pub(super) fn read(value: Value, problems: &mut Vec<Problem>) -> Vec<IssuerSettings> {
    let mut reader = Reader { problems };
    let Value::Array(tables) = value else {
        reader.note(KEY, "must be an array of tables: `[[issuers]]`");
        return Vec::new();
    };
    let mut issuers: Vec<IssuerSettings> = Vec::new();
    for (index, value) in tables.into_iter().enumerate() {
        let key = format!("{KEY}[{index}]");
        let Some(issuer) = reader.issuer(&key, value) else {
            continue;
        };
        if issuers.iter().any(|other| other.url == issuer.url) {
            reader.note(
                &format!("{key}.issuer"),
                "must be unique; another issuer has the same URL",
            );
        }
        issuers.push(issuer);
    }
    issuers
}

/// The key of the table.
pub(super) const KEY: &str = "issuers";

const KEYS: [&str; 4] = ["issuer", "audience", "user_claim", "attributes"];
const DEFAULT_USER_CLAIM: &str = "sub";

const NO_CLAIM: &str = "must be the name of a claim, or a path such as `realm_access.roles`";
const NO_AUDIENCE: &str = "must be a non-empty string, or an array of such strings";
const NO_ATTRIBUTES: &str =
    "must be an array of claims, or a table that maps attribute names to claims";

struct Reader<'a> {
    problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    fn note(&mut self, key: &str, message: impl Into<String>) {
        self.problems.push(Problem {
            key: key.to_owned(),
            message: message.into(),
        });
    }

    /// Parses one issuer; `None` if it has errors.
    fn issuer(&mut self, key: &str, value: Value) -> Option<IssuerSettings> {
        let Value::Table(mut table) = value else {
            self.note(key, "must be a table");
            return None;
        };
        let [url, audience, user_claim, attributes] = KEYS.map(|member| table.remove(member));
        self.refuse(key, &table);
        let url = self.url(&format!("{key}.issuer"), url);
        let audience = self.audience(&format!("{key}.audience"), audience);
        let user_claim = user_claim.unwrap_or_else(|| DEFAULT_USER_CLAIM.into());
        let user_claim = self.claim(&format!("{key}.user_claim"), &user_claim);
        let attributes = self.attributes(&format!("{key}.attributes"), attributes);
        Some(IssuerSettings {
            url: url?,
            audience: audience?,
            user_claim: user_claim?,
            attributes: attributes?,
        })
    }

    fn refuse(&mut self, key: &str, rest: &Table) {
        let unknown = rest.keys();
        self.problems
            .extend(unknown.map(|unknown| Problem::unknown_key(key, unknown, &KEYS)));
    }

    fn url(&mut self, key: &str, value: Option<Value>) -> Option<IssuerUrl> {
        let url = match value {
            None => Err("missing"),
            Some(Value::String(text)) => IssuerUrl::parse(&text),
            Some(_) => Err("must be a string"),
        };
        url.map_err(|message| self.note(key, message)).ok()
    }

    fn audience(&mut self, key: &str, value: Option<Value>) -> Option<Vec<String>> {
        let Some(value) = value else {
            self.note(
                key,
                "missing; without it, tokens for other services would be accepted",
            );
            return None;
        };
        let audience = match value {
            Value::String(text) => Some(vec![text]),
            Value::Array(texts) => texts.into_iter().map(text).collect(),
            _ => None,
        };
        let audience = audience.filter(|audience: &Vec<String>| {
            !audience.is_empty() && audience.iter().all(|text| !text.is_empty())
        });
        if audience.is_none() {
            self.note(key, NO_AUDIENCE);
        }
        audience
    }

    fn claim(&mut self, key: &str, value: &Value) -> Option<ClaimPath> {
        let claim = value.as_str().and_then(ClaimPath::new);
        if claim.is_none() {
            self.note(key, NO_CLAIM);
        }
        claim
    }

    /// An array contains paths of claims, which are also the names of the attributes.
    fn attributes(
        &mut self,
        key: &str,
        value: Option<Value>,
    ) -> Option<BTreeMap<String, ClaimPath>> {
        let named: Vec<(String, Value)> = match value {
            None => Vec::new(),
            Some(Value::Array(claims)) => claims
                .into_iter()
                .map(|claim| (claim.as_str().unwrap_or_default().to_owned(), claim))
                .collect(),
            Some(Value::Table(claims)) => claims.into_iter().collect(),
            Some(_) => {
                self.note(key, NO_ATTRIBUTES);
                return None;
            }
        };
        let claims = named
            .into_iter()
            .map(|(name, claim)| Some((name, self.claim(key, &claim)?)));
        claims.collect()
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<Vec<IssuerSettings>, String> {
        let mut table: Table = text.parse().unwrap();
        let mut problems = Vec::new();
        let issuers = read(table.remove("issuers").unwrap(), &mut problems);
        if problems.is_empty() {
            return Ok(issuers);
        }
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Err(lines.join("\n"))
    }

    #[test]
    fn an_issuer_has_defaults() {
        let text = "[[issuers]]\nissuer = 'https://login.example.org/'\naudience = 'formalize'";
        let issuers = load(text).unwrap();
        assert_eq!(issuers[0].url.as_str(), "https://login.example.org/");
        assert_eq!(
            issuers[0].url.discovery().as_str(),
            "https://login.example.org/.well-known/openid-configuration"
        );
        assert_eq!(issuers[0].audience, ["formalize"]);
        assert_eq!(issuers[0].user_claim.to_string(), "sub");
        assert!(issuers[0].attributes.is_empty());
    }

    #[test]
    fn attributes_are_an_array_or_a_table() {
        let issuer = "issuer = 'https://a.example'\naudience = ['a', 'b']\n";
        let text = format!(
            "[[issuers]]\n{issuer}attributes = ['roles', 'realm_access.roles']\n\
             [[issuers]]\n{}[issuers.attributes]\nroles = 'realm_access.roles'\n",
            issuer.replace("a.example", "b.example")
        );
        let issuers = load(&text).unwrap();
        let shown = |issuer: &IssuerSettings| {
            let attributes = issuer.attributes.iter();
            attributes
                .map(|(name, path)| format!("{name}={path}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            shown(&issuers[0]),
            ["realm_access.roles=realm_access.roles", "roles=roles"]
        );
        assert_eq!(shown(&issuers[1]), ["roles=realm_access.roles"]);
        assert_eq!(issuers[1].audience, ["a", "b"]);
    }

    #[test]
    fn errors_are_reported_with_their_location() {
        let good = "issuer = 'https://a.example'\naudience = 'a'\n";
        for (text, expected) in [
            ("issuers = 'x'", "issuers: must be an array of tables"),
            ("issuers = ['x']", "issuers[0]: must be a table"),
            ("[[issuers]]\naudience = 'a'", "issuers[0].issuer: missing"),
            (
                "[[issuers]]\nissuer = 'https://a.example'",
                "issuers[0].audience: missing",
            ),
            (
                &format!("[[issuers]]\n{good}[[issuers]]\n{good}"),
                "issuers[1].issuer: must be unique; another issuer has the same URL",
            ),
            (
                &format!("[[issuers]]\n{good}audiance = 'b'"),
                "issuers[0].audiance: unknown key, did you mean `audience`?",
            ),
            (
                &format!("[[issuers]]\n{good}user_claim = ''"),
                "issuers[0].user_claim: must be the name",
            ),
            (
                &format!("[[issuers]]\n{good}attributes = 'roles'"),
                "issuers[0].attributes: must be an array",
            ),
            (
                &format!("[[issuers]]\n{good}attributes = ['a..b']"),
                "issuers[0].attributes: must be the name",
            ),
            (
                &format!("[[issuers]]\n{good}attributes = {{ roles = 3 }}"),
                "issuers[0].attributes: must be the name",
            ),
        ] {
            let problems = load(text).unwrap_err();
            assert!(problems.starts_with(expected), "{problems}");
            assert_eq!(problems.lines().count(), 1, "{problems}");
        }
    }

    #[test]
    fn an_empty_audience_is_rejected() {
        for audience in ["''", "[]", "['']", "['a', '']", "3", "['a', 3]"] {
            let text = format!("[[issuers]]\nissuer = 'https://a.example'\naudience = {audience}");
            let problems = load(&text).unwrap_err();
            assert!(problems.contains(NO_AUDIENCE), "{audience}: {problems}");
        }
    }

    #[test]
    fn plain_http_is_accepted_only_on_loopback() {
        for url in [
            "https://login.example.org",
            "https://login.example.org:8443/realms/main",
            "http://localhost:8080/realms/main",
            "http://127.0.0.1:8080",
            "http://127.1.2.3",
            "http://[::1]:8080",
        ] {
            assert_eq!(IssuerUrl::parse(url).unwrap().as_str(), url);
        }
        for url in [
            "",
            "login.example.org",
            "http://login.example.org",
            "http://localhost.example.org",
            "http://127.0.0.1.example.org",
            "http://10.0.0.1",
            "http://0.0.0.0",
            "http://[::]",
            "ftp://localhost",
            "file:///etc/passwd",
            "https://user@login.example.org",
            "https://login.example.org?tenant=a",
            "https://login.example.org#a",
        ] {
            assert!(IssuerUrl::parse(url).is_err(), "{url}");
        }
    }
}
