//! Exports of submissions.

use std::{sync::Arc, time::Duration};

use formalize_core::Store;
use formalize_http::config::{Count, ExportSettings, ExportTimeout};
use formalize_http::exports::Exports;
use formalize_http::observe::metrics::ExportMetrics;
use formalize_tests::{
    failing::Failure,
    on_every_store,
    patience::{found, until},
};
use poem::http::Method;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

use crate::support::{App, NOWHERE, SUBMISSIONS, draft, id, items, query, submission};

on_every_store! {
    an_export_has_the_submissions_of_the_list,
    exports_are_limited_in_number,
    a_workbook_is_sent_with_its_size,
    a_slow_client_gets_everything,
}

const EXPORT: &str = "/formalize/submissions/export";
const SCHEMA: &str =
    r#"{"properties": {"name": {"type": "string", "title": "Name"}, "age": {"type": "integer"}}}"#;

fn export(form: &str, parameters: &[(&str, &str)]) -> String {
    query(EXPORT, &[&[("formIdentifier", form)], parameters].concat())
}

fn text(body: Vec<u8>) -> String {
    String::from_utf8(body).unwrap()
}

/// The app with a form and submissions of two people.
async fn filled(app: &App) -> String {
    let settings = json!({
        "name": "B\u{e4}r/2026", "dataFeedSchema": SCHEMA,
        "allowedSubmissionStates": ["draft", "submitted"], "allowedActionsWhenSubmitted": ["read"],
    });
    let form = app.open_form(settings).await;
    for data in [
        r#"{"name": "Ada", "age": 1.0}"#,
        r#"{"name": "=1+1", "more": [1, 2]}"#,
    ] {
        let new = submission(&form, data);
        app.bob().post(SUBMISSIONS, new).await.expect(201);
    }
    app.travel(LATER);
    app.carol()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    app.bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    form
}

/// When some of the submissions of [`filled`] are created.
const LATER: &str = "2026-11-21T09:00:00.001Z";

async fn an_export_has_the_submissions_of_the_list(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = filled(&app).await;
    for filter in [
        &[][..],
        &[("submissionState", "draft")],
        &[("creatorIdEquals", "carol")],
        &[("createdFrom", LATER)],
        &[("createdBefore", LATER)],
        &[("createdFrom", LATER), ("createdBefore", LATER)],
    ] {
        for person in [app.alice(), app.bob(), app.carol()] {
            let listed = query(
                SUBMISSIONS,
                &[&[("formIdentifier", &*form)], filter].concat(),
            );
            let page = person.get(&listed).await.expect(200);
            let mut listed = items(&page).clone();
            for item in &mut listed {
                for member in ["grantedActions", "submittedFiles", "grantedTagActions"] {
                    item.as_object_mut().unwrap().remove(member);
                }
            }
            let parameters = [filter, &[("format", "json")]].concat();
            let exported = person.get(&export(&form, &parameters)).await.expect(200);
            assert_eq!(exported, json!({"items": listed, "count": listed.len()}));

            let parameters = [filter, &[("format", "ndjson")]].concat();
            let lines = person.get(&export(&form, &parameters)).await;
            assert_eq!(lines.header("content-type"), Some("application/x-ndjson"));
            let lines: Vec<Value> = text(lines.body)
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            assert_eq!(lines, listed);
        }
    }
}

#[tokio::test]
async fn csv_is_a_table_with_the_name_of_the_form() {
    let app = App::new().await;
    let form = filled(&app).await;
    let csv = app.alice().get(&export(&form, &[])).await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(csv.header("cache-control"), Some("no-store"));
    let disposition = csv.header("content-disposition").unwrap();
    assert!(
        disposition.starts_with("attachment; filename=\"B_r_2026-"),
        "{disposition}"
    );
    assert!(
        disposition.contains("filename*=UTF-8''B%C3%A4r_2026-"),
        "{disposition}"
    );
    let csv = text(csv.body);
    let lines: Vec<&str> = csv.split("\r\n").collect();
    let first =
        "_identifier,_submissionState,_creatorId,_dateCreated,_lastModifiedById,_dateLastModified,";
    assert_eq!(lines[0], format!("{first}_tags,name,age,_other"));
    assert!(lines[1].ends_with(",Ada,1.0,"), "{csv}");
    assert!(
        lines[2].ends_with(r#",'=1+1,,"{""/more"":[1,2]}""#),
        "{csv}"
    );
    assert_eq!((lines.len(), lines[4]), (5, ""));

    let options = [
        ("headers", "label"),
        ("separator", "semicolon"),
        ("bom", "true"),
        ("formulaGuard", "false"),
        ("endMarker", "true"),
        ("language", "de"),
        ("format", "csv"),
    ];
    let csv = text(app.alice().get(&export(&form, &options)).await.body);
    assert!(csv.starts_with("\u{feff}_identifier;"));
    assert!(
        csv.contains(";Name;age;_other\r\n") && csv.contains(";=1+1;;"),
        "{csv}"
    );
    assert!(csv.ends_with("\r\n#end,rows=3\r\n"), "{csv}");
}

#[tokio::test]
async fn labels_are_in_the_cells_of_tables() {
    let app = App::new().await;
    let schema = json!({"properties": {"days": {
        "title": "Days", "type": "array", "uniqueItems": true, "items": {"oneOf": [
            {"const": "sa", "title": "Saturday", "localizedName": {"de": "Samstag"}},
            {"const": "su", "title": "Sunday", "localizedName": {"de": "Sonntag"}},
        ]},
    }}});
    let form = app
        .open_form(json!({"dataFeedSchema": schema.to_string()}))
        .await;
    let new = submission(&form, r#"{"days": ["su"]}"#);
    app.bob().post(SUBMISSIONS, new).await.expect(201);
    let csv = async |options: &[(&str, &str)]| {
        let answer = app.alice().get(&export(&form, options)).await;
        text(answer.body)
    };
    let german = [("headers", "label"), ("labels", "true"), ("language", "de")];
    let labelled = csv(&german).await;
    assert!(
        labelled.contains(",Days,Days: Samstag,Days: Sonntag,_notShown\r\n"),
        "{labelled}"
    );
    assert!(labelled.ends_with(",,,1,\r\n"), "{labelled}");
    let stored = csv(&[("labels", "false")]).await;
    assert!(stored.ends_with(",\"[\"\"su\"\"]\",\r\n"), "{stored}");
    let workbook = export(&form, &[("format", "xlsx"), ("labels", "true")]);
    let workbook = app.alice().get(&workbook).await;
    assert_eq!(workbook.status.as_u16(), 200);
    let secret = json!({"name": "Secret", "dataFeedSchema": schema.to_string()});
    let secret = id(&app.form(secret).await);
    let secret = app.carol().get(&export(&secret, &german)).await;
    let secret = text(secret.body);
    assert!(
        secret.ends_with(",_dateLastModified,_notShown\r\n"),
        "{secret}"
    );
}

/// The media type of workbooks.
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The library's tests look into workbooks.
async fn a_workbook_is_sent_with_its_size(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = filled(&app).await;
    let path = export(&form, &[("format", "xlsx"), ("headers", "label")]);
    let workbook = app.alice().get(&path).await;
    assert_eq!(workbook.status.as_u16(), 200);
    assert_eq!(workbook.header("content-type"), Some(XLSX));
    assert_eq!(workbook.header("cache-control"), Some("no-store"));
    let disposition = workbook.header("content-disposition").unwrap();
    assert!(disposition.contains(".xlsx"), "{disposition}");
    let bytes = workbook.body.len().to_string();
    assert_eq!(workbook.header("content-length"), Some(&*bytes));
    assert!(workbook.body.starts_with(b"PK"));

    let head = app.alice().request(Method::HEAD, &path).send().await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    assert_eq!(head.header("content-type"), Some(XLSX));
    // Whoever may read nothing gets a workbook without rows.
    assert_eq!(app.carol().get(&path).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_workbook_that_fails_is_a_problem() {
    let app = App::new()
        .await
        .with_exports(limited(1, Duration::from_millis(1)));
    let form = with_texts(&app, 8, 700_000).await;
    let path = export(&form, &[("format", "xlsx")]);
    // The second one is not told that too many exports are running.
    for _ in 0..2 {
        let refused = app.alice().get(&path).await;
        refused.problem(500, "formalize:submissions-not-exported");
    }
}

#[tokio::test]
async fn a_client_that_does_not_wait_for_a_workbook_makes_room() {
    let app = App::new()
        .await
        .with_exports(limited(1, Duration::from_mins(1)));
    let form = with_texts(&app, 8, 700_000).await;
    let path = export(&form, &[("format", "xlsx")]);
    let asking = app.alice().request(Method::GET, &path);
    let waited = tokio::time::timeout(Duration::from_millis(20), asking.send()).await;
    assert!(waited.is_err(), "the workbook was written at once");
    until("the place is free", async || {
        app.bob().get(&export(&form, &[])).await.status.as_u16() == 200
    })
    .await;
}

#[tokio::test]
async fn the_format_is_named_or_accepted() {
    let app = App::new().await;
    let form = filled(&app).await;
    for (accept, content_type) in [
        ("*/*", "text/csv; charset=utf-8"),
        ("application/x-ndjson", "application/x-ndjson"),
        (XLSX, XLSX),
        (
            "text/csv;q=0.5, application/json",
            "application/json; charset=utf-8",
        ),
    ] {
        let path = export(&form, &[]);
        let answer = app
            .alice()
            .request(Method::GET, &path)
            .header("accept", accept);
        let answer = answer.send().await;
        assert_eq!(
            answer.header("content-type"),
            Some(content_type),
            "{accept}"
        );
    }
    let html = |path: String| {
        let asking = app.alice().request(Method::GET, &path);
        asking.header("accept", "text/html").send()
    };
    let refused = html(export(&form, &[])).await;
    refused.refuse(406, "formalize:not-acceptable", json!([]));
    let named = html(export(&form, &[("format", "json")])).await;
    named.expect(200);
}

#[tokio::test]
async fn what_a_format_has_no_use_for_is_refused() {
    let app = App::new().await;
    let form = filled(&app).await;
    for (parameters, named) in [
        (
            &[("format", "json"), ("endMarker", "true")][..],
            &["endMarker"][..],
        ),
        (&[("format", "json"), ("labels", "true")], &["labels"]),
        (&[("format", "ndjson"), ("labels", "true")], &["labels"]),
        (&[("labels", "yes")], &["labels"]),
        (
            &[("format", "ndjson"), ("bom", "false"), ("separator", "tab")],
            &["bom", "separator"],
        ),
        (
            &[
                ("format", "xlsx"),
                ("formulaGuard", "true"),
                ("endMarker", "true"),
            ],
            &["formulaGuard", "endMarker"],
        ),
        (&[("format", "xml")], &["format"]),
        (&[("separator", ";")], &["separator"]),
        (&[("page", "1")], &["page"]),
    ] {
        let refused = app.alice().get(&export(&form, parameters)).await;
        refused.refuse(400, "formalize:invalid-parameter", json!(named));
    }
    let missing = app.alice().get(EXPORT).await;
    missing.refuse(
        400,
        "formalize:required-field-missing",
        json!(["formIdentifier"]),
    );
    for unknown in [NOWHERE, "x"] {
        let refused = app.alice().get(&export(unknown, &[])).await;
        refused.refuse(404, "formalize:form-not-found", json!([]));
    }
    for method in [Method::PUT, Method::PATCH, Method::DELETE] {
        let refused = app.alice().request(method, EXPORT).send().await;
        refused.problem(405, "formalize:method-not-allowed");
        assert_eq!(refused.header("allow"), Some("GET, HEAD"));
    }
}

#[tokio::test]
async fn who_may_read_nothing_gets_no_rows_and_learns_nothing_of_the_form() {
    let app = App::new().await;
    let form = id(&app
        .form(json!({"name": "Secret", "dataFeedSchema": SCHEMA}))
        .await);
    let csv = app.carol().get(&export(&form, &[])).await;
    let disposition = csv.header("content-disposition").unwrap();
    assert!(
        disposition.starts_with("attachment; filename=\"submissions-"),
        "{disposition}"
    );
    let csv = text(csv.body);
    assert!(
        csv.ends_with("_dateLastModified,_other\r\n") && !csv.contains("name"),
        "{csv}"
    );
    let head = app
        .alice()
        .request(Method::HEAD, &export(&form, &[]))
        .send()
        .await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
}

fn limited(limit: u32, timeout: Duration) -> Exports {
    let settings = ExportSettings {
        limit: Count(limit),
        timeout: ExportTimeout(timeout),
        spool_limit: "1MiB".parse().unwrap(),
        ..ExportSettings::default()
    };
    Exports::new(
        settings,
        Duration::from_millis(100),
        ExportMetrics::default(),
    )
}

/// A form with submissions of this size, in bytes.
async fn with_texts(app: &App, number: usize, size: usize) -> String {
    let form = app.open_form(json!({})).await;
    let data = json!({"text": "x".repeat(size)}).to_string();
    for _ in 0..number {
        let new = submission(&form, &data);
        app.bob().post(SUBMISSIONS, new).await.expect(201);
    }
    form
}

async fn exports_are_limited_in_number(store: Arc<dyn Store>) {
    let app = App::on_store(store)
        .await
        .with_exports(limited(1, Duration::from_mins(1)));
    // More than is written before the client reads, so that the database is still read.
    let form = with_texts(&app, 4, 700_000).await;
    let path = export(&form, &[]);
    let running = app.alice().request(Method::GET, &path).begin().await;
    assert_eq!(running.status().as_u16(), 200);
    let refused = app.bob().get(&path).await;
    refused.refuse(503, "formalize:service-unavailable", json!([]));
    assert!(refused.header("retry-after").is_some());
    // A client that goes away makes room.
    drop(running);
    until("the place is free", async || {
        app.bob().get(&path).await.status.as_u16() == 200
    })
    .await;
}

/// A place is for reading the database, so that slow downloads keep none.
#[tokio::test]
async fn a_complete_export_that_is_not_taken_keeps_no_place() {
    let app = App::new()
        .await
        .with_exports(limited(1, Duration::from_mins(1)));
    let form = with_texts(&app, 1, 500_000).await;
    for parameters in [&[("format", "ndjson")], &[("format", "xlsx")]] {
        let path = export(&form, parameters);
        let untaken = app.alice().request(Method::GET, &path).begin().await;
        assert_eq!(untaken.status().as_u16(), 200);
        // Until the file is complete, others wait.
        until("the place is free", async || {
            app.bob().get(&path).await.status.as_u16() == 200
        })
        .await;
        drop(untaken);
    }
}

#[tokio::test]
async fn what_a_user_has_not_taken_is_limited() {
    let app = App::new()
        .await
        .with_exports(limited(3, Duration::from_mins(1)));
    let form = with_texts(&app, 4, 700_000).await;
    let path = export(&form, &[("format", "ndjson")]);
    let empty = export(&form, &[("creatorIdEquals", "nobody")]);
    let untaken = app.alice().request(Method::GET, &path).begin().await;
    assert_eq!(untaken.status().as_u16(), 200);
    let refused = found("an export is refused", async || {
        let answer = app.alice().get(&empty).await;
        (answer.status.as_u16() != 200).then_some(answer)
    });
    let refused = refused.await;
    refused.refuse(429, "formalize:too-many-requests", json!([]));
    assert!(refused.header("retry-after").is_some());
    // Others are not affected.
    assert_eq!(app.bob().get(&path).await.status.as_u16(), 200);
    drop(untaken);
    // It ends beside this test.
    until("it no longer counts", async || {
        app.alice().get(&empty).await.status.as_u16() == 200
    })
    .await;
}

async fn a_slow_client_gets_everything(store: Arc<dyn Store>) {
    let app = App::on_store(store)
        .await
        .with_exports(limited(1, Duration::from_mins(1)));
    let form = with_texts(&app, 12, 400_000).await;
    let path = export(&form, &[("format", "json")]);
    let mut running = app.alice().request(Method::GET, &path).begin().await;
    // The reader is ahead by the limit and a window, and then waits.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let asked = app.store.calls();
    let whole = running.take_body().into_vec().await.unwrap();
    assert!(app.store.calls() > asked, "it has read everything at once");
    let whole: Value = serde_json::from_slice(&whole).unwrap();
    assert_eq!(whole["count"], 12);
    let last = whole["items"][11]["dataFeedElement"].as_str().unwrap();
    assert!(last.len() > 400_000);
}

#[tokio::test]
async fn a_client_that_takes_a_little_keeps_the_snapshot_alive() {
    let app = App::new()
        .await
        .with_exports(limited(1, Duration::from_mins(1)));
    let form = with_texts(&app, 4, 950_000).await;
    let path = export(&form, &[("format", "ndjson")]);
    let mut running = app.alice().request(Method::GET, &path).begin().await;
    let mut body = running.take_body().into_async_read();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let asked = app.store.calls();
    let mut chunk = vec![0; 64 * 1024];
    for _ in 0..6 {
        tokio::time::sleep(Duration::from_secs(2)).await;
        body.read_exact(&mut chunk).await.unwrap();
    }
    // It is still too far ahead to read more, so this was done to keep the database session.
    assert!(app.store.calls() > asked);
}

#[tokio::test]
async fn an_export_that_takes_too_long_ends_with_an_error() {
    let exports = limited(1, Duration::from_secs(1));
    let app = App::new().await.with_exports(exports);
    let form = with_texts(&app, 6, 700_000).await;
    let path = export(&form, &[]);
    // The reader waits for the client, which takes longer than reading may take.
    let mut running = app.alice().request(Method::GET, &path).begin().await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(running.take_body().into_vec().await.is_err());
    let small = export(&form, &[("creatorIdEquals", "nobody")]);
    until("the place is free", async || {
        app.alice().get(&small).await.status.as_u16() == 200
    })
    .await;
}

#[tokio::test]
async fn an_export_that_fails_ends_with_an_error() {
    let app = App::new()
        .await
        .with_exports(limited(1, Duration::from_mins(1)));
    let form = with_texts(&app, 6, 700_000).await;
    let path = export(&form, &[("format", "ndjson")]);
    let mut running = app.alice().request(Method::GET, &path).begin().await;
    assert_eq!(running.status().as_u16(), 200);
    // The reader waits for the client.
    tokio::time::sleep(Duration::from_millis(100)).await;
    app.store.fail_at("submissions", Failure::Unavailable);
    assert!(running.take_body().into_vec().await.is_err());
}
