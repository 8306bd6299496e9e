//! Measures the console: tables and summaries of large forms.

use formalize_tests::process::resident;
use formalize_tests::seed::READER;
use formalize_tests::{Result, Server};
use reqwest::header::COOKIE;
use reqwest::redirect::Policy;

use crate::flatness::{ends, from_a_thousand, growth, medians};
use crate::installation::Installation;
use crate::report::{Figure, Report, Target};
use crate::throughput::{Pace, median, submit};
use crate::wrk::Load;

pub(crate) async fn measure(
    installation: &Installation,
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    crate::note("the console");
    tables(installation, pace, report).await?;
    let server = installation.start().await?;
    let summary = Summary::of_largest(installation, &server)?;
    let idle = resident(server.id(), "VmRSS")?;
    summary.read().await?;
    let memory = resident(server.id(), "VmHWM")? - idle;
    let what = format!("summary of {} submissions: memory", summary.rows);
    let (must, aim) = (Target::AtMost(64.0), Target::AtMost(32.0));
    report.add(Figure::new(what, memory, "MB").must(must, Some(aim)));
    let ratio = summary.beside_others(&server, pace).await?;
    let what = "POST during summaries, against without, p99";
    report.add(Figure::new(what, ratio, "×").must(Target::AtMost(1.5), None));
    Ok(())
}

/// The first page of the table of submissions, for larger and larger forms.
async fn tables(installation: &Installation, pace: Pace, report: &mut Report) -> Result<()> {
    let server = installation.start().await?;
    let session = installation.session(READER).await?;
    let forms = &installation.landmarks.forms_by_size;
    let mut loads = Vec::new();
    for (_, form) in forms {
        let url = format!("{}/console/forms/{form}/submissions", server.base_url());
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .build()?;
        let response = client.get(&url).header(COOKIE, &session).send().await?;
        // Without a session, it would lead to another page.
        if response.status() != 200 {
            return Err(format!("{url}: {}", response.status()).into());
        }
        loads.push(Load {
            cookies: Some(session.clone()),
            ..Load::without_token(url).connections(1)
        });
    }
    let medians = medians(&loads, pace).await?;
    let points: Vec<(usize, f64)> = forms.iter().map(|(size, _)| *size).zip(medians).collect();
    let compared = from_a_thousand(&points);
    let what = format!("table of submissions: {}", ends(&compared, "submissions"));
    report.add(Figure::new(what, growth(&compared), "×").must(Target::AtMost(1.3), None));
    Ok(())
}

/// The summary of the largest form.
struct Summary<'a> {
    installation: &'a Installation,
    rows: usize,
    url: String,
}

impl<'a> Summary<'a> {
    fn of_largest(installation: &'a Installation, server: &Server) -> Result<Self> {
        let forms = &installation.landmarks.forms_by_size;
        let (rows, form) = forms.last().ok_or("no form")?;
        let base = server.base_url();
        Ok(Self {
            installation,
            rows: *rows,
            url: format!("{base}/formalize/submissions/summary?formIdentifier={form}"),
        })
    }

    async fn read(&self) -> Result<()> {
        let request = reqwest::Client::new().get(&self.url);
        let request = request.bearer_auth(self.installation.token(READER)?);
        request.send().await?.error_for_status()?.bytes().await?;
        Ok(())
    }

    /// Compares the latency of submissions to another form during summaries with that without.
    async fn beside_others(&self, server: &Server, pace: Pace) -> Result<f64> {
        let post = submit(self.installation, server)?;
        post.run(1).await?;
        let (mut without, mut during) = (Vec::new(), Vec::new());
        for _ in 0..pace.rounds {
            without.push(post.run(pace.seconds).await?.p99.as_secs_f64());
            let summaries = async {
                loop {
                    self.read().await?;
                }
            };
            during.push(tokio::select! {
                measured = post.run(pace.seconds) => measured?.p99.as_secs_f64(),
                failed = summaries => return failed,
            });
        }
        Ok(median(during) / median(without))
    }
}
