//! `formalize submissions create`: creates one submission, or one per line.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;

use formalize_core::{
    Caller, Error, FormId, Formalize, NewSubmission, SubmissionState, Viewed,
    files::FileAttributeName, submissions::MAX_DATA_BYTES,
};
use tokio::sync::mpsc::Receiver;
use tokio::task::JoinHandle;

use super::rejected::Rejected;
use crate::args;
use crate::command::files::upload;
use crate::failure::{Exit, Failure};
use crate::grammar::FormArg;
use crate::input::{self, Input, Line, Lines};
use crate::output::List;
use crate::progress::Progress;
use crate::record::Submission;
use crate::session::{Outcome, Session, note, plural};

/// What to submit.
#[derive(Debug, clap::Args)]
pub(crate) struct Create {
    #[command(flatten)]
    form: FormArg,
    /// File with the data as JSON, or with the data of one submission on each line
    #[arg(long, value_name = "FILE|-", visible_alias = "data-feed-element")]
    data: PathBuf,
    /// draft or submitted; data of submitted submissions must match the form's schema
    #[arg(
        long,
        visible_alias = "submission-state",
        value_parser = args::state,
        default_value = "submitted"
    )]
    state: SubmissionState,
    /// Read one submission from each line, even if there is only one line
    #[arg(long)]
    ndjson: bool,
    /// File for rejected lines and the reasons; must not exist. Implies --ndjson
    /// [default: a new file next to the input, or in the working directory]
    #[arg(long, value_name = "FILE|-")]
    rejected: Option<PathBuf>,
    /// File to add to the submission, and its group of files of the form; can be repeated
    #[arg(
        long = "file",
        value_name = "ATTRIBUTE=FILE",
        value_parser = args::file_of_attribute,
        conflicts_with_all = ["ndjson", "rejected"]
    )]
    files: Vec<(FileAttributeName, PathBuf)>,
    /// Tag of each submission, of those that the form has; can be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
}

impl Create {
    /// Whether contents of files are written.
    pub(super) fn needs_contents(&self) -> bool {
        !self.files.is_empty()
    }

    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        let form = session.form(self.form.given()?).await?;
        let lines = Lines::open(&self.data, MAX_DATA_BYTES)?;
        if self.ndjson || self.rejected.is_some() {
            return self.each(session, form, lines).await;
        }
        let input = lines
            .or_document()
            .map_err(|error| input::unreadable(&self.data, &error))?;
        match input {
            Input::Document(bytes) => {
                let data = input::text(bytes, &self.data)?;
                self.one(session, form, data).await
            }
            Input::Lines(_) if self.needs_contents() => {
                let message =
                    "files can be added to one submission only, and the data has several lines";
                Err(Failure::usage(message))
            }
            Input::Lines(lines) => self.each(session, form, lines).await,
        }
    }

    async fn one(&self, session: &mut Session, form: FormId, data: String) -> Outcome {
        let submissions = session.formalize.submissions();
        let new = self.submission(form, data);
        let created = if self.files.is_empty() {
            Some(submissions.create(&session.caller, new).await?)
        } else {
            let begun = submissions.upload_new(&session.caller, new).await?;
            upload(begun, self.files.clone()).await?.finish().await?
        };
        session.print_changed::<_, Submission>(created)
    }

    /// Creates a submission for each line. A rejected line does not affect the others.
    async fn each(self, session: &mut Session, form: FormId, lines: Lines) -> Outcome {
        let (formalize, caller) = session.service();
        let rejected = Rejected::of("line", &self.data, self.rejected.as_deref(), "ndjson")?;
        let mut created = if rejected.is_standard() {
            None
        } else {
            Some(session.printer.list()?)
        };
        let mut import = Import {
            progress: Progress::of_input(lines.length),
            created: 0,
            list: created.as_mut(),
            rejected,
            stopped: None,
        };
        let mut queue = Queue {
            at_once: at_once(&formalize, form).await,
            create: self,
            form,
            formalize,
            caller,
            lines: Some(lines.in_background()),
            running: VecDeque::new(),
            unreadable: None,
        };
        while let Some(attempts) = queue.next().await? {
            import.note(attempts);
            if import.stopped.is_some() {
                queue.lines = None;
            }
        }
        let ended = import.end();
        let printed = created.map_or(Ok(()), List::end);
        queue.unreadable.map_or(Ok(()), Err).and(ended)?;
        Ok(printed?)
    }

    fn submission(&self, form: FormId, data: String) -> NewSubmission {
        NewSubmission {
            form,
            data: Some(data),
            state: self.state.into(),
            tags: self.tags.clone(),
        }
    }
}

/// The maximum number of lines to submit at once. They share the cost of a durable commit. The number is low enough
/// that they do not wait for each other longer than the timeout of the store.
const AT_ONCE: usize = 16;

/// The number of lines to submit at once. If the form has a cap or a limit, lines are submitted one by one, so that the
/// first ones get the places. Any other problem with the form is reported when a line is submitted.
async fn at_once(formalize: &Formalize, form: FormId) -> usize {
    let form = formalize.forms().get(&Caller::System, form).await;
    let is_limited = form.is_ok_and(|view| {
        let rules = view.item.rules;
        rules.cap.is_some() || rules.limit.is_some()
    });
    if is_limited { 1 } else { AT_ONCE }
}

/// A line with its result.
struct Attempt {
    line: Line,
    result: Result<Viewed<formalize_core::Submission>, Failure>,
    /// Whether the error concerns only this line, so that others may succeed.
    is_of_line: bool,
}

/// Lines that are being submitted; results are returned in order.
struct Queue {
    create: Create,
    form: FormId,
    at_once: usize,
    formalize: Formalize,
    caller: Caller,
    /// `None` after the last line.
    lines: Option<Receiver<io::Result<Line>>>,
    running: VecDeque<JoinHandle<Attempt>>,
    /// The error that prevented reading the whole input.
    unreadable: Option<Failure>,
}

impl Queue {
    /// The next results in order; `None` after the last line.
    async fn next(&mut self) -> Result<Option<Vec<Attempt>>, Failure> {
        loop {
            let has_room = self.running.len() < self.at_once;
            tokio::select! {
                line = receive(&mut self.lines), if has_room && self.lines.is_some() => {
                    match line.transpose() {
                        Ok(Some(line)) => self.start(line),
                        Ok(None) => self.lines = None,
                        Err(error) => {
                            self.unreadable = Some(input::unreadable(&self.create.data, &error));
                            self.lines = None;
                        }
                    }
                }
                attempt = front(&mut self.running), if !self.running.is_empty() => {
                    self.running.pop_front();
                    return self.with_followers(attempt?).await.map(Some);
                }
                else => return Ok(None),
            }
        }
    }

    /// Adds the results that directly follow and are ready.
    async fn with_followers(&mut self, first: Attempt) -> Result<Vec<Attempt>, Failure> {
        let mut attempts = vec![first];
        while let Some(next) = self.running.pop_front_if(|next| next.is_finished()) {
            attempts.push(next.await.map_err(|error| not_imported(&error))?);
        }
        Ok(attempts)
    }

    fn start(&mut self, line: Line) {
        let (formalize, caller) = (self.formalize.clone(), self.caller.clone());
        let data = if line.is_cut {
            Err(Error::SubmissionDataTooLarge.into())
        } else {
            input::text(line.text.clone(), std::path::Path::new("the line"))
        };
        let new = data.map(|data| self.create.submission(self.form, data));
        self.running.push_back(tokio::spawn(async move {
            match new {
                Err(unusable) => Attempt {
                    line,
                    result: Err(unusable),
                    is_of_line: true,
                },
                Ok(new) => {
                    let result = formalize.submissions().create(&caller, new).await;
                    Attempt {
                        line,
                        is_of_line: result.as_ref().is_err_and(is_of_line),
                        result: result.map_err(Failure::from),
                    }
                }
            }
        }));
    }
}

/// Whether other lines may be accepted after this error.
fn is_of_line(error: &Error) -> bool {
    matches!(
        error,
        Error::SubmissionDataInvalid(_)
            | Error::SubmissionDataTooLarge
            | Error::SubmissionCapReached
            | Error::SubmissionLimitReached
            | Error::FormNotAvailable
    )
}

async fn receive(lines: &mut Option<Receiver<io::Result<Line>>>) -> Option<io::Result<Line>> {
    match lines {
        Some(lines) => lines.recv().await,
        None => None,
    }
}

async fn front(running: &mut VecDeque<JoinHandle<Attempt>>) -> Result<Attempt, Failure> {
    match running.front_mut() {
        Some(first) => first.await.map_err(|error| not_imported(&error)),
        None => std::future::pending().await,
    }
}

fn not_imported(error: &tokio::task::JoinError) -> Failure {
    Failure::new(Exit::Failed, format!("cannot import a line: {error}"))
}

/// The state of an import.
struct Import<'a, 'b> {
    progress: Progress,
    created: usize,
    /// The list of printed submissions; `None` if standard output has the rejected lines or cannot be written.
    list: Option<&'a mut List<'b, Submission>>,
    rejected: Rejected,
    stopped: Option<Stop>,
}

/// The line at which an import stopped. All lines before it were created or rejected.
struct Stop {
    line: u64,
    /// An error that concerns all lines, or the reason why the line could not be written as rejected.
    failure: Failure,
    /// Later lines that were already being submitted and were created too.
    created_behind: Vec<u64>,
}

impl Stop {
    /// The failure, with the details that are needed to resume from the line.
    fn into_failure(self) -> Failure {
        let failure = self
            .failure
            .with_subject(&format!("stopped at line {}", self.line));
        if self.created_behind.is_empty() {
            return failure;
        }
        let lines: Vec<String> = self.created_behind.iter().map(u64::to_string).collect();
        failure.with_detail(&format!(
            "later lines already created: {}",
            lines.join(", ")
        ))
    }
}

impl Import<'_, '_> {
    fn note(&mut self, attempts: Vec<Attempt>) {
        let mut created = Vec::with_capacity(attempts.len());
        for attempt in attempts {
            self.progress.advance(attempt.line.consumed);
            created.extend(self.created(attempt).map(Submission::from));
        }
        self.created += created.len();
        self.print(&created);
        let (created, rejected) = (self.created, self.rejected.number);
        self.progress
            .say(&format!("{created} created, {rejected} rejected"));
    }

    /// Records the result of a line. Returns the submission, if it was created.
    fn created(&mut self, attempt: Attempt) -> Option<Viewed<formalize_core::Submission>> {
        let line = attempt.line;
        match (attempt.result, &mut self.stopped) {
            (Ok(submission), stopped) => {
                if let Some(stop) = stopped {
                    stop.created_behind.push(line.number);
                }
                return Some(submission);
            }
            // Resuming from the line where the import stopped submits this line again.
            (Err(_), Some(_)) => {}
            (Err(failure), None) => {
                let noted = if attempt.is_of_line {
                    self.rejected.write(&line, &failure)
                } else {
                    Err(failure)
                };
                self.stopped = noted.err().map(|failure| Stop {
                    line: line.number,
                    failure,
                    created_behind: Vec::new(),
                });
            }
        }
        None
    }

    /// A closed pipe, as with `head`, does not stop the import.
    fn print(&mut self, created: &[Submission]) {
        let Some(list) = &mut self.list else {
            return;
        };
        if let Err(error) = self.progress.aside(|| list.page(created)) {
            self.list = None;
            note(&format!(
                "note: cannot print the created submissions: {error}"
            ));
        }
    }

    /// Reports how many lines were created and rejected.
    fn end(self) -> Outcome {
        drop(self.progress);
        let (created, rejected) = (self.created, self.rejected.number);
        note(&format!("created {}", plural(created, "submission")));
        let refused = (rejected > 0).then(|| self.rejected.summary());
        if let Some(stop) = self.stopped {
            return Err(refused
                .iter()
                .fold(stop.into_failure(), |failure, refused| {
                    failure.with_detail(refused)
                }));
        }
        refused.map_or(Ok(()), |refused| Err(Failure::new(Exit::Invalid, refused)))
    }
}
