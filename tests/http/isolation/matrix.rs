//! Tries every operation of the document as every kind of caller.

use std::collections::BTreeSet;

use poem::http::Method;
use serde_json::{Value, json};

use super::cast::Asker;
use super::rows::{Row, rows};
use super::stage::Stage;
use crate::openapi::{Described, operations};
use crate::support::{Answer, App};

/// Fails for a new route without a row.
#[tokio::test]
async fn every_authenticated_operation_has_a_row() {
    let described = operations(&App::new().await).await;
    let closed = described.into_iter().filter(|it| !it.public);
    let closed: BTreeSet<String> = closed.map(|it| it.id).collect();
    let tried: BTreeSet<String> = rows().iter().map(|it| it.operation.to_owned()).collect();
    assert_eq!(tried, closed);
}

#[tokio::test]
async fn exactly_permitted_callers_may_use_authorization() {
    try_area("authorization").await;
}

#[tokio::test]
async fn exactly_permitted_callers_may_use_forms() {
    try_area("formalize").await;
}

async fn try_area(area: &str) {
    let described = operations(&App::new().await).await;
    for row in rows() {
        let mut described = described.iter().filter(|it| it.id == row.operation);
        let described = described.next().unwrap();
        if described.area == area {
            try_row(described, &row).await;
        }
    }
}

async fn try_row(described: &Described, row: &Row) {
    let (mut app, mut stage) = set().await;
    for (number, asker) in Asker::all(row).into_iter().enumerate() {
        let token = asker.enter(&app, &stage, number).await;
        let asked = (row.ask)(&stage);
        let answer = ask(&app, token.as_deref(), &described.method, asked).await;
        let may = asker.is_entitled(row);
        let refused = |status, error: &str| {
            let error_id = format!("{}:{error}", described.area);
            answer.refuse(status, &error_id, json!([]));
        };
        match row.shows {
            _ if !asker.is_known() => refused(401, "authentication-required"),
            Some(shows) => {
                let is_there = shows(&stage, &answer.expect(200));
                assert_eq!(is_there, may, "{asker:?}: {answer}");
            }
            None if !may => refused(403, "forbidden"),
            None => assert!(answer.status.is_success(), "{asker:?}: {answer}"),
        }
        let has_changed = answer.status.is_success() && described.method != Method::GET;
        if has_changed || asker.uses_up_the_stage() {
            (app, stage) = set().await;
        }
    }
}

async fn set() -> (App, Stage) {
    let app = App::new().await;
    let stage = Stage::build(&app).await;
    (app, stage)
}

/// Sends the request with a token.
pub(super) async fn ask(
    app: &App,
    token: Option<&str>,
    method: &Method,
    (path, body): (String, Value),
) -> Answer {
    let actor = token.map_or_else(|| app.anon(), |token| app.with_token(token));
    let request = actor.request(method.clone(), &path);
    match body {
        Value::Null => request.send().await,
        body => request.json(&body).send().await,
    }
}
