//! Measures latencies on one connection that must not grow with the amount of data.

use std::time::Instant;

use formalize_tests::{Result, Server};
use serde_json::{Value, json};

use crate::installation::Installation;
use crate::plot::Curve;
use crate::report::{Figure, Report, Target};
use crate::throughput::{Pace, median};
use crate::wrk::Load;
use formalize_tests::seed::{AT_LONG_CHAIN, AT_SHORT_CHAIN, MEMBER, MOVER, READER};

/// The depth of the page that is compared with the first one.
const DEPTH: usize = 50_000;

/// How often the group is moved.
const MOVES: usize = 50;

/// Measures, and returns the curves of latency against size.
pub(crate) async fn measure(
    few: &Installation,
    many: &Installation,
    pace: Pace,
    report: &mut Report,
) -> Result<Vec<Curve>> {
    crate::note("flatness");
    let (small, large) = (few.start().await?, many.start().await?);
    let site = Site {
        installation: many,
        server: &large,
        pace,
    };
    let curves = vec![
        site.lists_of_forms(report).await?,
        site.lists_of_submissions(report).await?,
    ];
    site.pages(report).await?;
    let other = Site {
        installation: few,
        server: &small,
        pace,
    };
    memberships(&other, &site, report).await?;
    site.chains(report).await?;
    site.moves(report).await?;
    submissions_by_tag(&site, report).await?;
    forms_by_key(&other, &site, report).await?;
    Ok(curves)
}

/// The server under test.
struct Site<'a> {
    installation: &'a Installation,
    server: &'a Server,
    pace: Pace,
}

impl Site<'_> {
    fn request(&self, path: &str, user: &str) -> Result<Load> {
        let url = format!("{}{path}", self.server.base_url());
        Ok(Load::get(url, self.installation.token(user)?).connections(1))
    }

    /// The first thirty forms, for callers who may read more and more of them.
    async fn lists_of_forms(&self, report: &mut Report) -> Result<Curve> {
        let readers = &self.installation.landmarks.readers;
        let loads: Result<Vec<Load>> = readers
            .iter()
            .map(|(_, user)| self.request("/formalize/forms", user))
            .collect();
        let medians = medians(&loads?, self.pace).await?;
        let points: Vec<(usize, f64)> =
            readers.iter().map(|(size, _)| *size).zip(medians).collect();
        report.add(
            Figure::new(
                format!("list of forms, first 30: {}", ends(&points, "readable")),
                growth(&points),
                "×",
            )
            .must(Target::AtMost(10.0), Some(Target::AtMost(4.0))),
        );
        Ok(Curve {
            name: "first 30 forms, by the forms the caller may read",
            points,
        })
    }

    /// The first thirty submissions, for larger and larger forms.
    async fn lists_of_submissions(&self, report: &mut Report) -> Result<Curve> {
        let forms = &self.installation.landmarks.forms_by_size;
        let loads: Result<Vec<Load>> = forms
            .iter()
            .map(|(_, form)| {
                let path = format!("/formalize/submissions?formIdentifier={form}");
                self.request(&path, READER)
            })
            .collect();
        let medians = medians(&loads?, self.pace).await?;
        let points: Vec<(usize, f64)> = forms.iter().map(|(size, _)| *size).zip(medians).collect();
        let compared = from_a_thousand(&points);
        report.add(
            Figure::new(
                format!(
                    "list of a form's submissions: {}",
                    ends(&compared, "submissions")
                ),
                growth(&compared),
                "×",
            )
            .must(Target::AtMost(1.3), Some(Target::AtMost(1.0))),
        );
        Ok(Curve {
            name: "first 30 submissions, by the submissions of the form",
            points,
        })
    }

    /// A page deep in the largest form, reached by cursors, compared with the first page.
    async fn pages(&self, report: &mut Report) -> Result<()> {
        let landmarks = &self.installation.landmarks;
        let (size, form) = landmarks.forms_by_size.last().ok_or("no form")?;
        let depth = DEPTH.min(size / 2);
        let first = format!("/formalize/submissions?formIdentifier={form}");
        let (mut cursor, mut reached) = (String::new(), 0);
        while reached < depth {
            let step = (depth - reached).min(1_000);
            let page = self
                .get(&format!("{first}&perPage={step}{cursor}"), READER)
                .await?;
            let next = text(&page, "nextCursor")?;
            cursor = format!("&cursor={next}");
            reached += step;
        }
        let loads = [
            self.request(&first, READER)?,
            self.request(&format!("{first}{cursor}"), READER)?,
        ];
        let medians = medians(&loads, self.pace).await?;
        let points: Vec<(usize, f64)> = [0, depth].into_iter().zip(medians).collect();
        report.add(
            Figure::new(
                format!("list, page by cursor: {}", ends(&points, "rows before it")),
                growth(&points),
                "×",
            )
            .must(Target::AtMost(1.3), Some(Target::AtMost(1.0))),
        );
        Ok(())
    }

    /// A check through a long chain of groups, compared with a short one.
    async fn chains(&self, report: &mut Report) -> Result<()> {
        let path = self.check_path();
        let loads = [
            self.request(&path, AT_SHORT_CHAIN)?,
            self.request(&path, AT_LONG_CHAIN)?,
        ];
        let medians = medians(&loads, self.pace).await?;
        let points: Vec<(usize, f64)> = [1, 2].into_iter().zip(medians).collect();
        report.add(
            Figure::new(
                "check: a long chain of groups against one of 5",
                growth(&points),
                "×",
            )
            .must(Target::AtMost(50.0), Some(Target::AtMost(20.0))),
        );
        Ok(())
    }

    fn check_path(&self) -> String {
        let form = self.installation.landmarks.form;
        format!("/authorization/granted-actions/DbpRelayFormalizeForm/{form}")
    }

    /// Moves a group with its members into another group and out again.
    async fn moves(&self, report: &mut Report) -> Result<()> {
        let landmarks = &self.installation.landmarks;
        let members = format!("{}/authorization/groups-members", self.server.base_url());
        let token = self.installation.token(MOVER)?;
        let client = reqwest::Client::new();
        let body = json!({
            "groupIdentifier": landmarks.target.to_string(),
            "childGroupIdentifier": landmarks.moved.to_string(),
        });
        let mut times = Vec::new();
        for _ in 0..MOVES {
            let begun = Instant::now();
            let sent = client
                .post(&members)
                .bearer_auth(token)
                .json(&body)
                .send()
                .await?;
            let membership: Value = sent.error_for_status()?.json().await?;
            times.push(begun.elapsed().as_secs_f64() * 1_000.0);
            let membership = text(&membership, "identifier")?;
            let url = format!("{members}/{membership}");
            let removed = client.delete(url).bearer_auth(token).send().await?;
            removed.error_for_status()?;
        }
        let must = if self.installation.url.starts_with("sqlite") {
            5.0
        } else {
            20.0
        };
        report.add(
            Figure::new("moving a large group under another", median(times), "ms")
                .must(Target::AtMost(must), None),
        );
        Ok(())
    }

    /// Fails unless the first page of a list has thirty items.
    async fn must_be_full(&self, path: &str, user: &str) -> Result<()> {
        let page = self.get(path, user).await?;
        match page.get("items").and_then(Value::as_array).map(Vec::len) {
            Some(30) => Ok(()),
            other => Err(format!("{path} has {other:?} items").into()),
        }
    }

    async fn get(&self, path: &str, user: &str) -> Result<Value> {
        let url = format!("{}{path}", self.server.base_url());
        let request = reqwest::Client::new().get(url);
        let sent = request
            .bearer_auth(self.installation.token(user)?)
            .send()
            .await?;
        Ok(sent.error_for_status()?.json().await?)
    }
}

/// A check for a member of equally many groups in two databases, one of which holds many more memberships.
async fn memberships(few: &Site<'_>, many: &Site<'_>, report: &mut Report) -> Result<()> {
    let loads = [
        few.request(&few.check_path(), MEMBER)?,
        many.request(&many.check_path(), MEMBER)?,
    ];
    let medians = medians(&loads, many.pace).await?;
    let points: Vec<(usize, f64)> = [1, 2].into_iter().zip(medians).collect();
    report.add(
        Figure::new(
            "check: many memberships against 1,000",
            growth(&points),
            "×",
        )
        .must(Target::AtMost(2.0), Some(Target::AtMost(1.2))),
    );
    Ok(())
}

/// The first thirty submissions with a tag that all submissions of a form have, for larger and larger forms.
async fn submissions_by_tag(site: &Site<'_>, report: &mut Report) -> Result<()> {
    // The library would take minutes. The rows of the submissions do not matter here.
    let tag = "INSERT INTO formalize_submission_tags (submission_id, tag, form_id) SELECT id, 'seen', form_id FROM formalize_submissions";
    site.installation.execute(tag).await?;
    let forms = &site.installation.landmarks.forms_by_size;
    let (mut sizes, mut loads) = (Vec::new(), Vec::new());
    for (size, form) in forms.iter().filter(|(size, _)| *size >= 1_000) {
        let path = format!("/formalize/submissions?formIdentifier={form}&tag=seen");
        site.must_be_full(&path, READER).await?;
        sizes.push(*size);
        loads.push(site.request(&path, READER)?);
    }
    let medians = medians(&loads, site.pace).await?;
    let points: Vec<(usize, f64)> = sizes.into_iter().zip(medians).collect();
    let what = format!(
        "list of submissions by tag: {}",
        ends(&points, "submissions")
    );
    report.add(at_most(what, growth(&points)));
    Ok(())
}

/// The first thirty forms with a key that all forms have, of few and of many.
async fn forms_by_key(few: &Site<'_>, many: &Site<'_>, report: &mut Report) -> Result<()> {
    let (mut sizes, mut loads) = (Vec::new(), Vec::new());
    for site in [few, many] {
        let set = "UPDATE formalize_forms SET frontend_key = 'survey'";
        site.installation.execute(set).await?;
        let (size, reader) = site
            .installation
            .landmarks
            .readers
            .last()
            .ok_or("no reader")?;
        let path = "/formalize/forms?whereFrontendKeyIn=survey";
        site.must_be_full(path, reader).await?;
        sizes.push(*size);
        loads.push(site.request(path, reader)?);
    }
    let medians = medians(&loads, many.pace).await?;
    let points: Vec<(usize, f64)> = sizes.into_iter().zip(medians).collect();
    let what = format!("list of forms by key: {}", ends(&points, "readable"));
    report.add(at_most(what, growth(&points)));
    Ok(())
}

fn at_most(what: String, growth: f64) -> Figure {
    Figure::new(what, growth, "×").must(Target::AtMost(1.3), None)
}

/// The median latency of each request in milliseconds, over interleaved rounds.
pub(crate) async fn medians(loads: &[Load], pace: Pace) -> Result<Vec<f64>> {
    let mut times = vec![Vec::new(); loads.len()];
    for _ in 0..pace.rounds {
        for (load, times) in loads.iter().zip(&mut times) {
            times.push(load.run(pace.seconds).await?.median.as_secs_f64() * 1_000.0);
        }
    }
    Ok(times.into_iter().map(median).collect())
}

pub(crate) fn text<'a>(item: &'a Value, member: &str) -> Result<&'a str> {
    let found = item.get(member).and_then(Value::as_str);
    Ok(found.ok_or_else(|| format!("no `{member}` in {item}"))?)
}

/// The last latency divided by the first.
pub(crate) fn growth(points: &[(usize, f64)]) -> f64 {
    match (points.first(), points.last()) {
        (Some((_, first)), Some((_, last))) => last / first,
        _ => f64::NAN,
    }
}

/// Those of forms with a thousand submissions or more; smaller ones are dominated by constant costs.
pub(crate) fn from_a_thousand(points: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let points = points.iter().copied();
    points.filter(|(size, _)| *size >= 1_000).collect()
}

/// For example `1000000 against 1000 submissions`.
pub(crate) fn ends(points: &[(usize, f64)], noun: &str) -> String {
    let size = |point: Option<&(usize, f64)>| point.map(|(size, _)| *size).unwrap_or_default();
    format!(
        "{} against {} {noun}",
        size(points.last()),
        size(points.first())
    )
}
