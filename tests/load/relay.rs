//! Measures the interface for the Relay web client against the REST interface, its largest pages, and the search for people.

use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use formalize_core::forms::FormAccess;
use formalize_tests::process::resident;
use formalize_tests::seed::{DATA, READER};
use formalize_tests::{Result, Server};
use serde_json::{Value, json};

use crate::events::at_least;
use crate::installation::Installation;
use crate::report::{Figure, Report, Target};
use crate::throughput::{Pace, rates};
use crate::wrk::{JSON, Load, MULTIPART};

/// The number of people in the directory.
const PEOPLE: usize = 100_000;
/// The size of the pages that large ones are compared with.
const PAGE: usize = 500;

pub(crate) async fn measure(
    few: &Installation,
    many: &Installation,
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    crate::note("Relay web client");
    both_interfaces(few, pace, report).await?;
    large_page(many, report).await?;
    people(few, pace, report).await
}

/// The URL of the interface of a server.
fn url_of(server: &Server) -> Result<String> {
    let lines = server.stdout();
    let mut urls = lines
        .iter()
        .filter_map(|line| line.strip_prefix("relay listening on "));
    Ok(urls
        .next()
        .ok_or("the server has no such interface")?
        .to_owned())
}

/// Compares the same requests to both interfaces.
async fn both_interfaces(
    installation: &Installation,
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    let command = installation
        .command
        .clone()
        .arg("--relay-listen=127.0.0.1:0");
    let server = command.start().await?;
    let (rest, relay) = (server.base_url(), url_of(&server)?);
    let landmarks = &installation.landmarks;
    let token = installation.token(READER)?;
    let item = format!("/formalize/submissions/{}", landmarks.submission);
    let list = format!(
        "/formalize/submissions?formIdentifier={}&perPage=30",
        landmarks.form
    );
    let (form, _) = installation.form(None, FormAccess::Manage).await?;
    let submissions = "/formalize/submissions";
    let as_json = json!({ "formIdentifier": form, "dataFeedElement": DATA });
    let part = "--a-boundary\r\nContent-Disposition: form-data; name=";
    let as_form = format!(
        "{part}\"form\"\r\n\r\n/formalize/forms/{form}\r\n{part}\"dataFeedElement\"\r\n\r\n{DATA}\r\n\
         {part}\"submissionState\"\r\n\r\n4\r\n--a-boundary--\r\n"
    );
    let post = |url: String, body: String, content_type: &'static str| Load {
        body: Some(body),
        content_type,
        ..Load::get(url, token).connections(64)
    };
    let loads = [
        Load::get(format!("{relay}{item}"), token),
        Load::get(format!("{rest}{item}"), token),
        Load::get(format!("{relay}{list}"), token),
        Load::get(format!("{rest}{list}"), token),
        post(format!("{relay}{submissions}"), as_form, MULTIPART),
        post(format!("{rest}{submissions}"), as_json.to_string(), JSON),
    ];
    let [item, item_of_rest, list, list_of_rest, post, post_of_rest] = rates(&loads, pace).await?;
    for (what, ratio, must) in [
        ("GET a submission, against REST", item / item_of_rest, 0.85),
        (
            "list of 30 submissions, against REST",
            list / list_of_rest,
            0.85,
        ),
        (
            "POST form data, against JSON to REST",
            post / post_of_rest,
            0.7,
        ),
    ] {
        report.add(at_least(what, ratio, must, 0.95));
    }
    Ok(())
}

/// Reads the largest form on one page, and on pages of the REST interface.
async fn large_page(installation: &Installation, report: &mut Report) -> Result<()> {
    let forms = &installation.landmarks.forms_by_size;
    let found = forms.iter().rev().find(|(size, _)| *size <= PEOPLE);
    let (rows, form) = found.ok_or("no form")?;
    let command = installation
        .command
        .clone()
        .arg("--relay-listen=127.0.0.1:0");
    let server = command.arg("--page-size-limit=500").start().await?;
    let token = installation.token(READER)?;
    let http = reqwest::Client::new();
    let get = async |url: String| -> Result<reqwest::Response> {
        let request = http.get(url).bearer_auth(token).send();
        Ok(request.await?.error_for_status()?)
    };
    let list = format!("/formalize/submissions?formIdentifier={form}");
    let idle = resident(server.id(), "VmRSS")?;
    let begun = Instant::now();
    let mut page = get(format!("{}{list}&perPage=100000", url_of(&server)?)).await?;
    page.chunk().await?.ok_or("an empty page")?;
    let first = begun.elapsed().as_secs_f64() * 1_000.0;
    while page.chunk().await?.is_some() {}
    let whole = begun.elapsed();
    let growth = resident(server.id(), "VmHWM")? - idle;
    let begun = Instant::now();
    let mut next = Some(format!("{list}&perPage={PAGE}"));
    while let Some(path) = next {
        let text = get(format!("{}{path}", server.base_url()))
            .await?
            .text()
            .await?;
        let page: Value = serde_json::from_str(&text)?;
        let cursor = page.get("nextCursor").and_then(Value::as_str);
        next = cursor.map(|cursor| format!("{list}&perPage={PAGE}&cursor={cursor}"));
    }
    let in_pages = begun.elapsed();
    let bounded = |what: String, measured: f64, unit, most: f64| {
        Figure::new(what, measured, unit).must(Target::AtMost(most), None)
    };
    report.add(bounded(
        format!("page of {rows} submissions: memory"),
        growth,
        "MB",
        32.0,
    ));
    report.add(bounded("its first byte".to_owned(), first, "ms", 100.0));
    let ratio = in_pages.as_secs_f64() / whole.as_secs_f64();
    report.add(
        Figure::new("its speed, against pages of 500 over REST", ratio, "×")
            .must(Target::AtLeast(0.7), None),
    );
    Ok(())
}

/// Searches for people, most of whom do not match.
async fn people(installation: &Installation, pace: Pace, report: &mut Report) -> Result<()> {
    let file = installation.command.folder().join("people.csv");
    let mut text = "identifier,givenName,familyName\n".to_owned();
    for number in 0..PEOPLE {
        writeln!(text, "person-{number},Given{number},Family Name{number}")?;
    }
    fs::write(&file, text)?;
    let command = installation
        .command
        .clone()
        .arg("--relay-listen=127.0.0.1:0");
    let command = command
        .arg("--directory-people")
        .arg(file.display().to_string());
    let server = command.start().await?;
    let url = format!("{}/base/people?search=given99999%20name9", url_of(&server)?);
    let search = Load::get(url, installation.token(READER)?).connections(1);
    let median = search.run(pace.seconds).await?.median.as_secs_f64() * 1_000.0;
    report.add(
        Figure::new(format!("search in {PEOPLE} people"), median, "ms")
            .must(Target::AtMost(10.0), None),
    );
    Ok(())
}
