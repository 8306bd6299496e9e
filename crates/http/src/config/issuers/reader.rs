//! Reads `[[issuers]]`, and reports every error.

use std::collections::BTreeMap;

use formalize_core::config::{Problem, Sources};
use toml::{Table, Value};

use super::{ClaimPath, ClientSecret, IssuerSettings, IssuerUrl, SignInSettings};

/// Reads the key `issuers`. People can sign in only where there are pages.
pub(in crate::config) fn read(sources: &mut Sources, has_pages: bool) -> Vec<IssuerSettings> {
    let issuers = sources.part(KEY, |value, problems| parse(value, has_pages, problems));
    issuers.unwrap_or_default()
}

/// Parses the value of the key, and adds errors to `problems`.
fn parse(value: Value, has_pages: bool, problems: &mut Vec<Problem>) -> Vec<IssuerSettings> {
    let mut reader = Reader {
        problems,
        has_pages,
    };
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
const KEY: &str = "issuers";

const KEYS: [&str; 7] = [
    "issuer",
    "audience",
    "user_claim",
    "attributes",
    "client_id",
    "client_secret_file",
    "label",
];
const DEFAULT_USER_CLAIM: &str = "sub";

const NO_CLAIM: &str = "must be the name of a claim, or a path such as `realm_access.roles`";
const NO_AUDIENCE: &str = "must be a non-empty string, or an array of such strings";
const NO_ATTRIBUTES: &str =
    "must be an array of claims, or a table that maps attribute names to claims";
const NO_TEXT: &str = "must be a non-empty string";

struct Reader<'a> {
    problems: &'a mut Vec<Problem>,
    has_pages: bool,
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
        let [url, audience, user_claim, attributes, id, secret, label] =
            KEYS.map(|member| table.remove(member));
        self.refuse(key, &table);
        let url = self.url(&format!("{key}.issuer"), url);
        let audience = self.audience(&format!("{key}.audience"), audience);
        let user_claim = user_claim.unwrap_or_else(|| DEFAULT_USER_CLAIM.into());
        let user_claim = self.claim(&format!("{key}.user_claim"), &user_claim);
        let attributes = self.attributes(&format!("{key}.attributes"), attributes);
        let sign_in = self.sign_in(key, url.as_ref(), id, secret, label);
        Some(IssuerSettings {
            url: url?,
            audience: audience?,
            user_claim: user_claim?,
            attributes: attributes?,
            sign_in,
        })
    }

    /// How people sign in; `None` if they cannot, or there are errors.
    fn sign_in(
        &mut self,
        key: &str,
        url: Option<&IssuerUrl>,
        id: Option<Value>,
        secret: Option<Value>,
        label: Option<Value>,
    ) -> Option<SignInSettings> {
        let Some(id) = id else {
            for (member, value) in [("client_secret_file", secret), ("label", label)] {
                if value.is_some() {
                    let key = format!("{key}.{member}");
                    self.note(&key, "is for signing in, which also needs `client_id`");
                }
            }
            return None;
        };
        let id_key = format!("{key}.client_id");
        if !self.has_pages {
            self.note(
                &id_key,
                "is for signing in to web pages, but `pages` is `false`",
            );
        }
        let client_id = self.text(&id_key, id);
        let secret_key = format!("{key}.client_secret_file");
        let client_secret = match secret {
            None => Some(None),
            Some(path) => self.secret(&secret_key, path).map(Some),
        };
        let label = match label {
            None => url.map(|url| url.host().to_owned()),
            Some(label) => self.text(&format!("{key}.label"), label),
        };
        Some(SignInSettings {
            client_id: client_id?,
            client_secret: client_secret?,
            label: label?,
        })
    }

    fn secret(&mut self, key: &str, path: Value) -> Option<ClientSecret> {
        let path = self.text(key, path)?;
        let secret = ClientSecret::read(&path);
        secret.map_err(|message| self.note(key, message)).ok()
    }

    fn text(&mut self, key: &str, value: Value) -> Option<String> {
        let text = text(value).filter(|text| !text.trim().is_empty());
        if text.is_none() {
            self.note(key, NO_TEXT);
        }
        text
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
        load_with(text, true)
    }

    fn load_with(text: &str, has_pages: bool) -> Result<Vec<IssuerSettings>, String> {
        let mut table: Table = text.parse().unwrap();
        let mut problems = Vec::new();
        let issuers = parse(table.remove("issuers").unwrap(), has_pages, &mut problems);
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
    fn people_sign_in_where_there_is_a_client_identifier() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret");
        std::fs::write(&file, " planted-4711\n").unwrap();
        let issuer = "[[issuers]]\nissuer = 'https://login.example.org:8443/a'\naudience = 'a'\n";
        let issuers = load(issuer).unwrap();
        assert_eq!(issuers[0].sign_in, None);
        let issuers = load(&format!("{issuer}client_id = 'forms'")).unwrap();
        let sign_in = issuers[0].sign_in.as_ref().unwrap();
        assert_eq!(
            (sign_in.client_id.as_str(), &sign_in.client_secret),
            ("forms", &None)
        );
        assert_eq!(sign_in.label, "login.example.org");

        let more = format!(
            "client_secret_file = '{}'\nlabel = 'Example'",
            file.display()
        );
        let issuers = load(&format!("{issuer}client_id = 'forms'\n{more}")).unwrap();
        let sign_in = issuers[0].sign_in.as_ref().unwrap();
        let secret = sign_in.client_secret.as_ref().unwrap();
        assert_eq!(
            (secret.expose(), sign_in.label.as_str()),
            ("planted-4711", "Example")
        );
        assert!(!format!("{issuers:?}").contains("planted-4711"));
    }

    #[test]
    fn combinations_that_do_not_let_people_sign_in_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            path.display().to_string()
        };
        let (empty, large) = (file("empty", " \n"), file("large", &"x".repeat(4097)));
        let issuer = "[[issuers]]\nissuer = 'https://a.example'\naudience = 'a'\n";
        for (lines, expected) in [
            (
                "client_secret_file = 'x'",
                "issuers[0].client_secret_file: is for signing in",
            ),
            (
                "label = 'x'",
                "issuers[0].label: is for signing in, which also needs `client_id`",
            ),
            (
                "client_id = ''",
                "issuers[0].client_id: must be a non-empty string",
            ),
            (
                "client_id = 3",
                "issuers[0].client_id: must be a non-empty string",
            ),
            (
                "client_id = 'x'\nlabel = ' '",
                "issuers[0].label: must be a non-empty string",
            ),
            (
                "client_id = 'x'\nclient_secret_file = '/nowhere/secret'",
                "issuers[0].client_secret_file: must be a file that the server can read",
            ),
            (
                &format!("client_id = 'x'\nclient_secret_file = '{empty}'"),
                "issuers[0].client_secret_file: must be a file that contains the secret",
            ),
            (
                &format!("client_id = 'x'\nclient_secret_file = '{large}'"),
                "issuers[0].client_secret_file: must be a file of at most 4 KiB",
            ),
            (
                "client_id = 'x'\nclient_secret = 'y'",
                "issuers[0].client_secret: unknown key, did you mean `client_secret_file`?",
            ),
        ] {
            let problems = load(&format!("{issuer}{lines}")).unwrap_err();
            assert!(problems.starts_with(expected), "{problems}");
            assert_eq!(problems.lines().count(), 1, "{problems}");
        }
        let without_pages = load_with(&format!("{issuer}client_id = 'x'"), false).unwrap_err();
        assert_eq!(
            without_pages,
            "issuers[0].client_id: is for signing in to web pages, but `pages` is `false`"
        );
        assert!(load_with(issuer, false).is_ok());
    }

    #[test]
    fn an_empty_audience_is_rejected() {
        for audience in ["''", "[]", "['']", "['a', '']", "3", "['a', 3]"] {
            let text = format!("[[issuers]]\nissuer = 'https://a.example'\naudience = {audience}");
            let problems = load(&text).unwrap_err();
            assert!(problems.contains(NO_AUDIENCE), "{audience}: {problems}");
        }
    }
}
