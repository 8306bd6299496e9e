//! Files on pages: people choose, keep, remove and download them.

use std::sync::Arc;

use formalize_core::file_store::FileStoreError;
use formalize_core::{Store, files::FileLimits};
use formalize_http::middleware::UploadLimits;
use formalize_pages::PageSetup;
use formalize_tests::failing::Failure;
use formalize_tests::{FILE_CAUSE, FileStep, on_every_store};
use poem::http::Method;
use serde_json::{Value, json};

use super::reader::multipart;
use super::{Page, Reader};
use crate::support::{App, FORM_LINKS, SUBMISSIONS, at, each, id, items};

on_every_store! {
    files_are_sent_with_a_form,
    mistakes_lose_no_answers,
    the_files_of_a_draft_stay,
    files_are_replaced_when_changes_are_saved,
    anyone_sends_files_by_a_link,
    limits_are_sentences_on_the_page,
    a_page_without_a_valid_token_stores_nothing,
    only_readers_download_files,
    the_table_of_answers_counts_files,
    answers_are_stored_although_a_connection_was_lost,
}

const PDF: &[u8] = b"%PDF-1.7 a document";
const SCHEMA: &str = r#"{
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "a\"b": {"type": "string"}, "more": {"type": "array", "items": {"type": "string"}}},
    "files": {
        "cv": {"allowedMimeTypes": ["application/pdf"]},
        "notes": {"minNumber": 0, "maxNumber": 2, "maxSizeMb": 0.001, "allowedMimeTypes": ["text/*"]}
    },
    "x-form": {"files": {"cv": {"label": {"en": "Curriculum vitae"}}}}
}"#;

const CV: (&str, &str, &[u8]) = ("cv", "Ada.pdf", PDF);

async fn paged(store: Arc<dyn Store>) -> App {
    App::on_store(store).await.with_pages(PageSetup::default())
}

fn members() -> Value {
    json!({
        "dataFeedSchema": SCHEMA,
        "allowedSubmissionStates": ["draft", "submitted"],
        "allowedActionsWhenSubmitted": ["read", "update"],
    })
}

/// The submissions of a form.
async fn submissions(app: &App, form: &str) -> Vec<Value> {
    let list = format!("{SUBMISSIONS}?formIdentifier={form}");
    items(&app.alice().get(&list).await.expect(200)).clone()
}

/// The names of the files of a submission that Bob can read.
async fn names(app: &App, submission: &str) -> Vec<String> {
    let shown = app
        .bob()
        .get(&at(SUBMISSIONS, submission))
        .await
        .expect(200);
    let files = json!({ "items": shown["submittedFiles"] });
    each(&files, "fileName")
        .into_iter()
        .map(str::to_owned)
        .collect()
}

/// The notes about files that must be chosen again, with the labels of their questions.
fn lost(page: &Page) -> Vec<String> {
    page.texts(".field:has(> p.problem) > label bdi")
}

async fn files_are_sent_with_a_form(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    let notes: &[u8] = b"a,b";
    let files = [CV, ("notes", "1.csv", notes), ("notes", "2.csv", notes)];
    let answers = [("/name", "Ada"), ("/a\"b", "quoted")];
    let sent = bob.press_with_files(&page, "send", &answers, &files).await;
    let receipt = bob.follow(&sent).await;
    assert_eq!(receipt.status(), 200);
    let found = submissions(&app, &form).await;
    let [submission] = found.as_slice() else {
        panic!("{found:?}");
    };
    let data = json!({"name": "Ada", "a\"b": "quoted"});
    let stored: Value =
        serde_json::from_str(submission["dataFeedElement"].as_str().unwrap()).unwrap();
    assert_eq!(stored, data);
    assert_eq!(
        names(&app, &id(submission)).await,
        ["Ada.pdf", "1.csv", "2.csv"]
    );

    // The page of the submission has them, with links.
    let page = bob.open(&format!("/s/{}", id(submission))).await;
    assert_eq!(page.texts(".files bdi"), ["Ada.pdf", "1.csv", "2.csv"]);
    let path = page.links()[0].clone();
    let content = bob.open(&path).await;
    assert_eq!(
        (content.status(), content.answer.body.as_slice()),
        (200, PDF)
    );
    for (name, value) in [
        ("content-type", "application/pdf"),
        (
            "content-disposition",
            "attachment; filename=\"Ada.pdf\"; filename*=UTF-8''Ada.pdf",
        ),
        (
            "content-security-policy",
            "default-src 'none'; frame-ancestors 'none'; sandbox",
        ),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(content.answer.header(name), Some(value), "{name}");
    }
    let part = bob
        .send(Method::GET, &path, None, &[("range", "bytes=1-3")])
        .await;
    assert_eq!(
        (part.status(), part.answer.body.as_slice()),
        (206, &b"PDF"[..])
    );
}

async fn mistakes_lose_no_answers(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    assert_eq!(
        page.texts(".field:has([type=file]) .hint"),
        [
            "One file, up to 10 MB: PDF.",
            "At most 2 files, each up to 0.001 MB: text files."
        ]
    );
    // In the answers.
    let refused = bob
        .press_with_files(&page, "send", &[("/a\"b", "kept")], &[CV])
        .await;
    assert_eq!(refused.status(), 422);
    assert_eq!(
        refused.texts(".summary li"),
        ["Name – Please answer this question"]
    );
    assert_eq!(refused.value("/a\"b").as_deref(), Some("kept"));
    assert_eq!(lost(&refused), ["Curriculum vitae"]);
    // In the files.
    let big = [b'a'; 2000];
    for (files, problem, again) in [
        (
            &[][..],
            "Curriculum vitae – Choose at least one file",
            &[][..],
        ),
        (
            &[CV, CV],
            "Curriculum vitae – Choose at most one file",
            &["Curriculum vitae"],
        ),
        (
            &[("cv", "a.pdf", &b"text"[..])],
            "Curriculum vitae – Files of this type are not allowed: text files",
            &["Curriculum vitae"],
        ),
        (
            &[CV, ("notes", "a", &big[..])],
            "Notes – A file is larger than 0.001 MB",
            &["Curriculum vitae", "Notes"],
        ),
    ] {
        let refused = bob
            .press_with_files(&page, "send", &[("/name", "Ada")], files)
            .await;
        assert_eq!(refused.status(), 422, "{problem}");
        assert_eq!(refused.texts(".summary li"), [problem]);
        assert_eq!(refused.value("/name").as_deref(), Some("Ada"));
        assert_eq!(lost(&refused), again, "{problem}");
        let link = refused.all(".summary a")[0].attr("href").unwrap();
        let input = refused.all("[aria-invalid=true]")[0];
        assert_eq!(link.strip_prefix('#'), input.attr("id"));
    }
    // Other buttons store nothing, and say what browsers do not keep.
    let more = bob
        .press_with_files(&page, "add:/more", &[("/name", "Ada")], &[CV])
        .await;
    assert_eq!(
        (more.status(), lost(&more)),
        (200, vec!["Curriculum vitae".to_owned()])
    );
    assert!(submissions(&app, &form).await.is_empty());
    let sent = bob
        .press_with_files(&more, "send", &[("/more/0", "x")], &[CV])
        .await;
    sent.leads_to();
    assert_eq!(submissions(&app, &form).await.len(), 1);
}

async fn the_files_of_a_draft_stay(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    let note = ("notes", "n.txt", &b"text"[..]);
    let saved = bob.press_with_files(&page, "save", &[], &[CV, note]).await;
    let path = saved.leads_to().split('?').next().unwrap().to_owned();
    let submission = path.strip_prefix("/s/").unwrap().to_owned();
    let page = bob.open(&path).await;
    assert_eq!(page.texts(".files bdi"), ["Ada.pdf", "n.txt"]);

    // A mistake in other answers.
    let more = ("notes", "m.txt", &b"text"[..]);
    let refused = bob.press_with_files(&page, "send", &[], &[more]).await;
    assert_eq!((refused.status(), lost(&refused).len()), (422, 0));
    assert_eq!(refused.texts(".files bdi"), ["Ada.pdf", "n.txt", "m.txt"]);

    // A file is removed when the page is saved, and not before.
    let remove = refused.all(".files button")[1]
        .attr("value")
        .unwrap()
        .to_owned();
    let marked = bob
        .press_with_files(&refused, &remove, &[("/name", "Ada")], &[])
        .await;
    assert_eq!(marked.status(), 200);
    assert_eq!(marked.texts(".files li:has(strong) bdi"), ["n.txt"]);
    assert_eq!(marked.value("/name").as_deref(), Some("Ada"));
    assert_eq!(
        names(&app, &submission).await,
        ["Ada.pdf", "n.txt", "m.txt"]
    );
    let keep = remove.replace("remove-", "keep-");
    let kept = bob.press_with_files(&marked, &keep, &[], &[]).await;
    assert!(!kept.has(".files strong"));
    let other = ("notes", "o.txt", &b"text"[..]);
    let saved = bob.press_with_files(&marked, "save", &[], &[other]).await;
    assert_eq!(saved.leads_to(), format!("{path}?saved"));
    assert_eq!(
        names(&app, &submission).await,
        ["Ada.pdf", "m.txt", "o.txt"]
    );
    let page = bob.open(&path).await;
    assert_eq!(page.value("/name").as_deref(), Some("Ada"));
    let sent = bob.press_with_files(&page, "send", &[], &[]).await;
    assert!(sent.leads_to().starts_with(&format!("/f/{form}/sent")));
    assert_eq!(
        names(&app, &submission).await,
        ["Ada.pdf", "m.txt", "o.txt"]
    );
}

async fn files_are_replaced_when_changes_are_saved(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    let sent = bob
        .press_with_files(&page, "send", &[("/name", "Ada")], &[CV])
        .await;
    let submission = sent.leads_to().split_once('=').unwrap().1.to_owned();
    let page = bob.open(&format!("/s/{submission}")).await;
    let old = bob.open(&format!("/s/{submission}")).await;
    let new = ("cv", "New.pdf", PDF);
    let refused = bob.press_with_files(&page, "send", &[], &[new]).await;
    assert_eq!(
        refused.texts(".summary li"),
        ["Curriculum vitae – Choose at most one file"]
    );
    let remove = page.all(".files button")[0]
        .attr("value")
        .unwrap()
        .to_owned();
    let marked = bob.press_with_files(&refused, &remove, &[], &[]).await;
    let refused = bob.press_with_files(&marked, "send", &[], &[]).await;
    assert_eq!(
        refused.texts(".summary li"),
        ["Curriculum vitae – Choose at least one file"]
    );
    assert!(refused.has(".files strong"), "it is still marked");
    let saved = bob.press_with_files(&refused, "send", &[], &[new]).await;
    assert_eq!(saved.leads_to(), format!("/s/{submission}?changed"));
    assert_eq!(names(&app, &submission).await, ["New.pdf"]);
    // A page from before shows what there is now, and replaces nothing.
    let late = bob
        .press_with_files(&old, "send", &[("/name", "Eve")], &[new])
        .await;
    assert_eq!(late.status(), 412);
    assert_eq!(late.texts(".files bdi"), ["New.pdf"]);
    assert_eq!(lost(&late), ["Curriculum vitae"]);
}

async fn anyone_sends_files_by_a_link(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let clock = app.clock.clone();
    let app = app.with_pages(PageSetup {
        clock,
        ..PageSetup::default()
    });
    let form = id(&app.form(json!({ "dataFeedSchema": SCHEMA })).await);
    let link = app
        .alice()
        .post(FORM_LINKS, json!({ "formIdentifier": form }));
    let link = link.await.expect(201);
    let url = link["url"].as_str().unwrap();
    let path = url.split_once("/service").unwrap().1.to_owned();
    let mut anyone = Reader::new(&app);
    let page = anyone.open(&path).await;
    // Too early: files must be chosen again, because there is no draft.
    let early = anyone
        .press_with_files(&page, "send", &[("/name", "Ada")], &[CV])
        .await;
    assert_eq!(
        (early.status(), lost(&early)),
        (422, vec!["Curriculum vitae".to_owned()])
    );
    assert_eq!(early.value("/name").as_deref(), Some("Ada"));
    let sent = anyone.press_with_files(&early, "send", &[], &[CV]).await;
    let receipt = anyone.follow(&sent).await;
    assert_eq!(receipt.status(), 200);
    let found = submissions(&app, &form).await;
    assert_eq!(found.len(), 1);
    let file = &found[0]["submittedFiles"][0];
    assert_eq!(file["fileName"], "Ada.pdf");
    assert_eq!(file["creatorId"], format!("link:{}", id(&link)));
    let download = format!("/s/{}/files/{}", id(&found[0]), id(file));
    let refused = anyone.open(&download).await;
    assert!(refused.leads_to_sign_in(), "a link can read nothing");
}

async fn limits_are_sentences_on_the_page(store: Arc<dyn Store>) {
    let none = UploadLimits {
        at_once: 0,
        ..UploadLimits::default()
    };
    let setup = PageSetup::default;
    let limits = |limits| App::with_file_limits(Arc::clone(&store), limits);
    let (few, quota, size) = (
        FileLimits {
            per_submission: 0,
            ..FileLimits::default()
        },
        FileLimits {
            creator_quota: Some(10),
            ..FileLimits::default()
        },
        FileLimits {
            file_size: 10,
            ..FileLimits::default()
        },
    );
    let usual = || App::on_store(Arc::clone(&store));
    let full = usual().await;
    let cause = FileStoreError::Full(FILE_CAUSE.to_owned());
    full.files.fail_at(FileStep::PutBegins, cause);
    for (app, status, sentence) in [
        (
            usual().await.with_pages_and_uploads(setup(), none),
            429,
            "too many files are being sent",
        ),
        (
            limits(few).await.with_pages(setup()),
            400,
            "there are too many files",
        ),
        (
            limits(quota).await.with_pages(setup()),
            403,
            "not enough room left for your files",
        ),
        (
            limits(size).await.with_pages(setup()),
            413,
            "too large for this service",
        ),
        (full.with_pages(setup()), 507, "has no room for files"),
        (
            App::without_files(Arc::clone(&store))
                .await
                .with_pages(setup()),
            501,
            "this service takes no files",
        ),
    ] {
        let form = app.open_form(members()).await;
        let mut bob = Reader::signed_in(&app, "bob").await;
        let page = bob.open(&format!("/f/{form}")).await;
        // Requests that are smaller take no place.
        let length = if status == 429 { 256 << 10 } else { 9000 };
        let (big, pdf) = ([b'a'; 900], [PDF, &vec![b' '; length]].concat());
        let files = [("cv", "Ada.pdf", pdf.as_slice()), ("notes", "a", &big)];
        let answers = [("/name", "Ada"), ("/a\"b", "kept")];
        let refused = bob.press_with_files(&page, "send", &answers, &files).await;
        assert_eq!(refused.status(), status, "{sentence}");
        let notes = refused.texts("p.note");
        assert!(notes[0].contains(sentence), "{sentence}: {notes:?}");
        assert!(notes[0].contains("Your answers are still here."));
        assert_eq!(refused.value("/name").as_deref(), Some("Ada"));
        assert_eq!(refused.value("/a\"b").as_deref(), Some("kept"));
        assert!(lost(&refused).contains(&"Curriculum vitae".to_owned()));
        assert!(submissions(&app, &form).await.is_empty(), "{sentence}");
    }
}

async fn a_page_without_a_valid_token_stores_nothing(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let path = format!("/f/{form}");
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&path).await;
    let forged = [("/name", "Ada"), ("token", "0")];
    let refused = bob.press_with_files(&page, "send", &forged, &[CV]).await;
    assert_eq!(
        (refused.status(), lost(&refused)),
        (403, vec!["Curriculum vitae".to_owned()])
    );
    assert_eq!(refused.value("/name").as_deref(), Some("Ada"));
    // Files before the token: it is not read.
    let token = page.value("token").unwrap();
    let parts = |names: &[&str]| {
        let part = |name: &&str| match *name {
            "token" => ("token".to_owned(), None, token.as_bytes()),
            "/name" => ("/name".to_owned(), None, &b"Ada"[..]),
            other => (other.to_owned(), Some("a.pdf"), PDF),
        };
        multipart(&names.iter().map(part).collect::<Vec<_>>())
    };
    let to = format!("{path}?do=send");
    for (names, status) in [
        (&["files.cv", "token", "/name"][..], 403),
        (&["token", "files.cv", "/name"], 422),
        (&["token", "token", "/name"], 400),
        (&["token", "/name", "submission"], 400),
    ] {
        let body = Some(("multipart/form-data; boundary=x", parts(names)));
        let refused = bob.send(Method::POST, &to, body, &[]).await;
        assert_eq!(refused.status(), status, "{names:?}");
    }
    let whole = parts(&["token", "/name", "files.cv"]);
    for (content_type, body, status) in [
        ("multipart/form-data", whole.clone(), 400),
        ("multipart/form-data; boundary=y", whole.clone(), 400),
        (
            "multipart/form-data; boundary=x",
            whole[..whole.len() - 9].to_vec(),
            400,
        ),
        ("multipart/mixed; boundary=x", whole.clone(), 415),
    ] {
        let refused = bob
            .send(Method::POST, &to, Some((content_type, body)), &[])
            .await;
        assert_eq!(refused.status(), status, "{content_type}");
    }
    let other_site = [("sec-fetch-site", "cross-site")];
    let body = || Some(("multipart/form-data; boundary=x", whole.clone()));
    let refused = bob.send(Method::POST, &to, body(), &other_site).await;
    assert_eq!(refused.status(), 403);
    // Only pages with questions take files.
    let console = bob.send(Method::POST, "/console/tokens", body(), &[]).await;
    assert_eq!(console.status(), 415);
    let mut nobody = Reader::new(&app);
    let ended = nobody.send(Method::POST, &to, body(), &[]).await;
    assert_eq!(ended.status(), 403);
    assert!(
        ended
            .texts("main p")
            .join(" ")
            .contains("Choose the files again.")
    );
    assert_eq!(ended.value("/name").as_deref(), Some("Ada"));
    assert!(submissions(&app, &form).await.is_empty());
    let sent = bob.send(Method::POST, &to, body(), &[]).await;
    sent.leads_to();
}

async fn only_readers_download_files(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    let saved = bob.press_with_files(&page, "save", &[], &[CV]).await;
    let page = bob.follow(&saved).await;
    let path = page.links()[0].clone();
    let mut carol = Reader::signed_in(&app, "carol").await;
    let submission = path.split("/files/").next().unwrap().to_owned();
    assert_eq!(
        carol.open(&path).await.status(),
        carol.open(&submission).await.status()
    );
    assert!(Reader::new(&app).open(&path).await.leads_to_sign_in());
    let file = path.rsplit('/').next().unwrap();
    let nowhere = "01a1fd1e-8c00-7073-97d6-3f25a7101990";
    for wrong in [
        format!("{submission}/files/{nowhere}"),
        format!("{submission}/files/x"),
        format!("/s/{nowhere}/files/{file}"),
    ] {
        let missing = bob.open(&wrong).await;
        assert_eq!(
            (missing.status(), missing.has("h1")),
            (404, true),
            "{wrong}"
        );
    }
}

async fn the_table_of_answers_counts_files(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let table = format!("/console/forms/{form}/submissions");
    for files in [&[][..], &[CV, ("notes", "n.txt", b"text")]] {
        let page = bob.open(&format!("/f/{form}")).await;
        let saved = bob.press_with_files(&page, "save", &[], files).await;
        saved.leads_to();
        let page = bob.open(&table).await;
        let has_column = page.texts("thead th").contains(&"Files".to_owned());
        assert_eq!(has_column, !files.is_empty());
    }
    let page = bob.open(&table).await;
    let mut numbers = page.texts("td[data-label=Files]");
    numbers.sort();
    assert_eq!(numbers, ["0", "2"]);
}

/// The connection to the database is lost while answers are being submitted.
async fn answers_are_stored_although_a_connection_was_lost(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let form = app.open_form(members()).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let answers = [("/name", "Ada")];
    for (files, steps) in [
        (&[][..], ["read", "write", "commit"]),
        (&[CV][..], ["insert_file", "change_files", "commit"]),
    ] {
        for step in steps {
            let page = bob.open(&format!("/f/{form}")).await;
            app.store.fail_at(step, Failure::DisconnectedOnce);
            let sent = bob.press_with_files(&page, "save", &answers, files).await;
            let draft = bob.follow(&sent).await;
            assert!(!app.store.is_failing(), "{step}");

            app.store.fail_at(step, Failure::DisconnectedOnce);
            let sent = bob.press_with_files(&draft, "save", &answers, files).await;
            assert_eq!(bob.follow(&sent).await.status(), 200);
            assert!(!app.store.is_failing(), "{step}");
        }
    }
    assert_eq!(submissions(&app, &form).await.len(), 0, "all are drafts");
}
