//! Measures requests per second, relative to what the bare HTTP server achieves on the same machine at the same time.

use formalize_tests::{Result, Server};
use serde_json::json;

use crate::StoreKind;
use crate::installation::Installation;
use crate::report::{Figure, Report, Target};
use crate::wrk::Load;
use formalize_tests::issuer::{TestIssuer, TestKey};
use formalize_tests::seed::{DATA, READER, writers};

const KEY: TestKey = TestKey::Ec;
const KEY_ID: &str = "of-the-load";

/// The duration of the measurement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) seconds: u32,
    pub(crate) rounds: usize,
}

/// The targets of a store, as shares of the rate of `/healthz`.
struct Targets {
    get: (f64, f64),
    with_jwt: (f64, f64),
    post: (f64, f64),
}

impl StoreKind {
    const fn targets(self) -> Targets {
        match self {
            Self::Sqlite => Targets {
                get: (0.25, 0.5),
                with_jwt: (0.22, 0.45),
                post: (0.12, 0.3),
            },
            Self::Postgres => Targets {
                get: (0.12, 0.25),
                with_jwt: (0.12, 0.25),
                post: (0.07, 0.15),
            },
        }
    }
}

/// Interleaves the rounds, so that other activity on the machine affects all loads equally.
pub(crate) async fn measure(
    installation: &Installation,
    kind: StoreKind,
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    crate::note("throughput");
    let issuer = TestIssuer::start(&[KEY.jwk(KEY_ID)?]).await?;
    let believing = format!(
        "[[issuers]]\nissuer = '{}'\naudience = 'formalize'",
        issuer.url()
    );
    let server = installation.command.clone().config(&believing)?;
    let server = server.start().await?;
    let bare = Load::without_token(format!("{}/healthz", server.base_url()));
    let get = read(installation, &server)?;
    let with_jwt = Load {
        tokens: vec![jwt(&issuer)?],
        ..get.clone()
    };
    let post = submit(installation, &server)?;
    let by_one = Load {
        tokens: post.tokens.iter().take(1).cloned().collect(),
        ..post.clone()
    };
    let loads = [bare, get, with_jwt, post, by_one];
    let [bare, get, with_jwt, many, by_one] = rates(&loads, pace).await?;
    let targets = kind.targets();
    report.add(Figure::new(
        "B: GET /healthz, 32 connections",
        bare,
        "requests/s",
    ));
    report.add(share("GET a submission", get / bare, targets.get));
    report.add(share(
        "GET a submission, JWT seen before",
        with_jwt / bare,
        targets.with_jwt,
    ));
    report.add(share(
        "POST a submission, 64 connections",
        many / bare,
        targets.post,
    ));
    report.add(Figure::new("the same, all by one user", by_one / bare, "B"));
    Ok(())
}

fn share(what: &str, measured: f64, (must, aim): (f64, f64)) -> Figure {
    Figure::new(what, measured, "B").must(Target::AtLeast(must), Some(Target::AtLeast(aim)))
}

/// A JWT of the reader. It is the same for all requests, as in a user's session.
fn jwt(issuer: &TestIssuer) -> Result<String> {
    const FAR_AHEAD: u64 = 4_102_444_800;
    let header = json!({"alg": "ES256", "kid": KEY_ID});
    let claims = json!({
        "iss": issuer.url(),
        "aud": "formalize",
        "sub": READER,
        "exp": FAR_AHEAD,
    });
    KEY.sign(&header, &claims)
}

fn read(installation: &Installation, server: &Server) -> Result<Load> {
    let submission = installation.landmarks.submission;
    let url = format!("{}/formalize/submissions/{submission}", server.base_url());
    Ok(Load::get(url, installation.token(READER)?))
}

/// Many users submit to one form, as happens before a deadline.
pub(crate) fn submit(installation: &Installation, server: &Server) -> Result<Load> {
    let url = format!("{}/formalize/submissions", server.base_url());
    let form = installation.landmarks.form.to_string();
    let body = json!({"formIdentifier": form, "dataFeedElement": DATA});
    let tokens = writers().map(|writer| installation.token(&writer).map(str::to_owned));
    Ok(Load {
        tokens: tokens.collect::<Result<_>>()?,
        body: Some(body.to_string()),
        ..Load::without_token(url).connections(64)
    })
}

/// The median rate of each load.
pub(crate) async fn rates<const N: usize>(loads: &[Load; N], pace: Pace) -> Result<[f64; N]> {
    let mut rates = [const { Vec::new() }; N];
    for load in loads {
        // The first requests open connections, prepare statements and compile schemas.
        load.run(1).await?;
    }
    for _ in 0..pace.rounds {
        for (load, rates) in loads.iter().zip(&mut rates) {
            rates.push(load.run(pace.seconds).await?.rate);
        }
    }
    Ok(rates.map(median))
}

/// The middle value; of an even number of values, the higher of the two.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
