//! Tokens that must be rejected.

use formalize_tests::issuer::{
    Behaviour, TestIssuer, TestKey, part, sign_with_secret, weak_jwk, with,
};
use jsonwebtoken::Algorithm;
use serde_json::{Value, json};

use super::{Log, app, claims, header, now, table, token};
use crate::support::FORMS;

/// The issuer of the tests, and the parts of a valid token.
struct Stage {
    issuer: TestIssuer,
    claims: Value,
    header: Value,
}

// The log message.
const NO_JWT: &str = "neither an API token nor a signed JWT";
const WRONG: &str = "invalid signature";
const ALGORITHM: &str = "use RS256, ES256 or EdDSA";
const OTHER: &str = "is for another algorithm";
const UNKNOWN: &str = "no usable key";
const ISSUER: &str = "is not configured";
const AUDIENCE: &str = "another audience";
const USER: &str = "the claim `sub` is missing or not a valid user identifier";

/// The problem, the token, and the expected log message.
type Case = (&'static str, String, &'static str);

impl Stage {
    async fn set() -> Self {
        let keys = [
            TestKey::Rsa.jwk("rsa").unwrap(),
            TestKey::Ec.jwk("ec").unwrap(),
            TestKey::Ec.jwk("ec-2").unwrap(),
            TestKey::Ed25519.jwk("ed").unwrap(),
            with(TestKey::OtherRsa.jwk("enc").unwrap(), json!({"use": "enc"})),
            with(
                TestKey::OtherRsa.jwk("oaep").unwrap(),
                json!({"alg": "RSA-OAEP"}),
            ),
            with(
                TestKey::OtherRsa.jwk("pss").unwrap(),
                json!({"alg": "PS256"}),
            ),
            with(
                TestKey::OtherRsa.jwk("ops").unwrap(),
                json!({"key_ops": ["sign"]}),
            ),
            weak_jwk("weak"),
            json!({"kty": "oct", "kid": "secret", "k": part("secret"), "alg": "HS256"}),
            json!({"kty": "new", "kid": "new"}),
            json!("no key"),
        ];
        let issuer = TestIssuer::start(&keys).await.unwrap();
        Self {
            claims: claims(issuer.url()),
            header: header(TestKey::Rsa, "rsa"),
            issuer,
        }
    }

    /// A token with some members of its header replaced.
    fn headed(&self, members: Value) -> String {
        let header = with(self.header.clone(), members);
        TestKey::Rsa.sign(&header, &self.claims).unwrap()
    }

    /// A token with some claims replaced.
    fn claiming(&self, members: Value) -> String {
        token(self.issuer.url(), TestKey::Rsa, "rsa", members)
    }

    fn without(&self, claim: &str) -> String {
        let mut claims = self.claims.clone();
        claims.as_object_mut().unwrap().remove(claim);
        TestKey::Rsa.sign(&self.header, &claims).unwrap()
    }

    fn malformed(&self) -> Vec<Case> {
        let good = self.claiming(json!({}));
        let [header, claims, signature] = parts(&good);
        let twice = part(r#"{"alg":"RS256","kid":"rsa","alg":"none"}"#);
        let no_json = format!("{header}.{}.{signature}", part("hello"));
        let list = format!("{header}.{}.{signature}", part("[1]"));
        vec![
            ("a word", "hello".to_owned(), NO_JWT),
            ("empty parts", "..".to_owned(), NO_JWT),
            ("two parts", format!("{header}.{claims}"), NO_JWT),
            ("four parts", format!("{good}.x"), NO_JWT),
            ("five parts", format!("{header}.a.b.c.d"), NO_JWT),
            ("padding", format!("{header}=.{claims}.{signature}"), NO_JWT),
            (
                "a duplicate member in the header",
                format!("{twice}.{claims}.{signature}"),
                NO_JWT,
            ),
            (
                "a malformed header",
                format!("{}.{claims}.{signature}", part("1")),
                NO_JWT,
            ),
            (
                "a number as key identifier",
                self.headed(json!({"kid": 1})),
                NO_JWT,
            ),
            ("malformed claims", no_json, "has no `iss`"),
            ("a list of claims", list, "has no `iss`"),
            (
                "too long",
                self.claiming(json!({"pad": "x".repeat(20_000)})),
                "longer than",
            ),
            (
                "the prefix of API tokens",
                format!("fmz_{good}"),
                "unknown, revoked or expired",
            ),
        ]
    }

    fn forged(&self) -> Vec<Case> {
        let good = self.claiming(json!({}));
        let [header, claims, signature] = parts(&good);
        let root = part(with(self.claims.clone(), json!({"sub": "admin"})).to_string());
        let retyped = part(with(self.header.clone(), json!({"typ": "at+jwt"})).to_string());
        let unsigned = part(json!({"alg": "none"}).to_string());
        let public = TestKey::Rsa.jwk("rsa").unwrap();
        let modulus = public["n"].as_str().unwrap().to_owned();
        let by_secret = |secret: &str, kid: &str| {
            let header = json!({"alg": "HS256", "kid": kid});
            sign_with_secret(secret.as_bytes(), &header, &self.claims)
        };
        let other = |header: Value| TestKey::OtherRsa.sign(&header, &self.claims).unwrap();
        let embedded = with(
            self.header.clone(),
            json!({"jwk": TestKey::OtherRsa.jwk("rsa").unwrap()}),
        );
        let elsewhere = with(
            self.header.clone(),
            json!({"jku": "https://evil.example/keys"}),
        );
        vec![
            ("no algorithm", format!("{unsigned}.{claims}."), NO_JWT),
            (
                "no algorithm, with a signature",
                format!("{unsigned}.{claims}.{signature}"),
                NO_JWT,
            ),
            (
                "a public key as the secret",
                by_secret(&public.to_string(), "rsa"),
                ALGORITHM,
            ),
            (
                "a modulus as the secret",
                by_secret(&modulus, "rsa"),
                ALGORITHM,
            ),
            (
                "a published secret",
                by_secret("secret", "secret"),
                ALGORITHM,
            ),
            ("no signature", format!("{header}.{claims}."), WRONG),
            (
                "half a signature",
                format!("{header}.{claims}.{}", half(&signature)),
                WRONG,
            ),
            (
                "other claims",
                format!("{header}.{root}.{signature}"),
                WRONG,
            ),
            (
                "another header",
                format!("{retyped}.{claims}.{signature}"),
                WRONG,
            ),
            ("another key", other(self.header.clone()), WRONG),
            ("its own key", other(embedded), WRONG),
            ("a key at another URL", other(elsewhere), WRONG),
            (
                "another key without an identifier",
                other(json!({"alg": "RS256"})),
                WRONG,
            ),
        ]
    }

    fn of_other_keys(&self) -> Vec<Case> {
        let by = |key: TestKey, header: Value| key.sign(&header, &self.claims).unwrap();
        let strong = |algorithm: Algorithm| {
            let header = with(self.header.clone(), json!({ "alg": algorithm }));
            TestKey::Rsa
                .sign_by(algorithm, &header, &self.claims)
                .unwrap()
        };
        vec![
            ("RS512", strong(Algorithm::RS512), ALGORITHM),
            ("PS256", strong(Algorithm::PS256), ALGORITHM),
            (
                "RSA by a name of EC",
                by(TestKey::Rsa, header(TestKey::Rsa, "ec")),
                OTHER,
            ),
            (
                "EC by a name of RSA",
                by(TestKey::Ec, header(TestKey::Ec, "rsa")),
                OTHER,
            ),
            (
                "Ed25519 by a name of RSA",
                by(TestKey::Ed25519, header(TestKey::Ed25519, "rsa")),
                OTHER,
            ),
            (
                "one of two keys, without an identifier",
                by(TestKey::Ec, json!({"alg": "ES256"})),
                "no `kid`",
            ),
            (
                "an unknown key",
                by(TestKey::OtherRsa, header(TestKey::OtherRsa, "x")),
                UNKNOWN,
            ),
            (
                "a key for encryption",
                by(TestKey::OtherRsa, header(TestKey::OtherRsa, "enc")),
                UNKNOWN,
            ),
            (
                "a key for RSA-OAEP",
                by(TestKey::OtherRsa, header(TestKey::OtherRsa, "oaep")),
                UNKNOWN,
            ),
            (
                "a key for PS256",
                by(TestKey::OtherRsa, header(TestKey::OtherRsa, "pss")),
                UNKNOWN,
            ),
            (
                "a key that is not for verification",
                by(TestKey::OtherRsa, header(TestKey::OtherRsa, "ops")),
                UNKNOWN,
            ),
            (
                "a weak key",
                by(TestKey::OtherRsa, header(TestKey::OtherRsa, "weak")),
                UNKNOWN,
            ),
        ]
    }

    fn foreign(&self) -> Vec<Case> {
        let slash = format!("{}/", self.issuer.url());
        let several = json!([self.issuer.url()]);
        let sub_token = |sub: Value| self.claiming(json!({ "sub": sub }));
        vec![
            (
                "extensions",
                self.headed(json!({"crit": ["exp"], "exp": 1})),
                "`crit`",
            ),
            (
                "a logout token",
                self.headed(json!({"typ": "logout+jwt"})),
                "the `typ` in the header",
            ),
            (
                "another issuer",
                self.claiming(json!({"iss": "https://evil.example"})),
                ISSUER,
            ),
            (
                "an issuer with a slash",
                self.claiming(json!({ "iss": slash })),
                ISSUER,
            ),
            (
                "a list of issuers",
                self.claiming(json!({ "iss": several })),
                "has no `iss`",
            ),
            ("no issuer", self.without("iss"), "has no `iss`"),
            (
                "another audience",
                self.claiming(json!({"aud": "other"})),
                AUDIENCE,
            ),
            (
                "other audiences",
                self.claiming(json!({"aud": ["a", "Formalize"]})),
                AUDIENCE,
            ),
            (
                "an empty audience",
                self.claiming(json!({"aud": []})),
                AUDIENCE,
            ),
            (
                "a number as audience",
                self.claiming(json!({"aud": 3})),
                "the claim `aud`",
            ),
            ("no audience", self.without("aud"), "the claim `aud`"),
            ("no user", self.without("sub"), USER),
            ("an empty user", sub_token(json!("")), USER),
            ("a number as user", sub_token(json!(7)), USER),
            (
                "a public link",
                sub_token(json!("link:0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b")),
                USER,
            ),
            ("a long user", sub_token(json!("x".repeat(256))), USER),
            (
                "a user with a line break",
                sub_token(json!("jane\nadmin")),
                USER,
            ),
        ]
    }

    fn untimely(&self) -> Vec<Case> {
        let expires = |exp: Value| self.claiming(json!({ "exp": exp }));
        let begins = |nbf: Value| self.claiming(json!({ "nbf": nbf }));
        vec![
            ("expired", expires(json!(now() - 60)), "expired"),
            ("expired long ago", expires(json!(-5)), "the claim `exp`"),
            ("no expiry", self.without("exp"), "the claim `exp`"),
            (
                "a text as expiry",
                expires(json!("2099-01-01")),
                "the claim `exp`",
            ),
            ("a null expiry", expires(json!(null)), "the claim `exp`"),
            ("not valid yet", begins(json!(now() + 61)), "not valid yet"),
            (
                "a text as beginning",
                begins(json!("now")),
                "the claim `nbf`",
            ),
        ]
    }
}

fn half(signature: &str) -> &str {
    signature.split_at(signature.len() / 2 / 4 * 4).0
}

fn parts(token: &str) -> [String; 3] {
    let parts: Vec<String> = token.split('.').map(str::to_owned).collect();
    parts.try_into().unwrap()
}

#[tokio::test]
async fn invalid_tokens_are_rejected_and_only_the_log_says_why() {
    let (log, _guard) = Log::start();
    let stage = Stage::set().await;
    let app = app(&table(stage.issuer.url(), "")).await;
    let good = stage.claiming(json!({}));
    app.with_token(&good).get(FORMS).await.expect(200);
    let anonymous = app.anon().get(FORMS).await;

    let mut cases = stage.malformed();
    cases.extend(stage.forged());
    cases.extend(stage.of_other_keys());
    cases.extend(stage.foreign());
    cases.extend(stage.untimely());
    let mut wrong = Vec::new();
    for (case, token, reason) in cases {
        log.take();
        let refused = app.with_token(&token).get(FORMS).await;
        let logged = log.take();
        let id = refused.header("x-request-id").unwrap();
        let explains = |line: &str| {
            ["credentials refused", reason, id]
                .iter()
                .all(|text| line.contains(text))
        };
        let is_silent = refused.status == 401 && refused.body == anonymous.body;
        let is_quoted = token.len() > 20 && logged.contains(&token);
        if !is_silent || is_quoted || !logged.lines().any(explains) {
            wrong.push(format!("{case}: {refused}\n{logged}"));
            continue;
        }
        refused.refuse(401, "formalize:authentication-required", json!([]));
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"), "{case}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        stage.issuer.fetches(),
        1,
        "unknown keys are not fetched at once"
    );
    stage.issuer.behave(Behaviour::Fails);
    app.with_token(&good).get(FORMS).await.expect(200);
}
