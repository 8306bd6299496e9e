//! `formalize submissions import`.

mod source;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use formalize_core::import::{ImportOptions, Keys, Row};
use formalize_core::submissions::ImportTrial;
use formalize_core::{
    Caller, Error, FormId, Formalize, SubmissionState,
    submissions::{BatchItem, BatchOutcome, SubmissionBatch},
};
use tokio::sync::mpsc::Receiver;

use self::source::{Reader, Source};
use super::format_of;
use super::rejected::Rejected;
use crate::args;
use crate::failure::{Exit, Failure};
use crate::grammar::FormAndFile;
use crate::input::{self, Line};
use crate::progress::Progress;
use crate::session::{Outcome, Session, note, plural};

/// The number of rows to create at once, in one transaction.
const ROWS_AT_ONCE: usize = 64;

/// With so many bytes, fewer rows are created at once.
const BYTES_AT_ONCE: usize = 4 * 1024 * 1024;

/// What to import, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    #[command(flatten)]
    place: FormAndFile,
    /// The format: by default that of the file's extension, and data on standard input
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Read the column with this header as the one with this path, which is the header of an export
    #[arg(long, value_name = "HEADER=PATH", value_parser = mapping)]
    map: Vec<(String, String)>,
    /// Ignore the column with this header
    #[arg(long, value_name = "HEADER")]
    ignore: Vec<String>,
    /// Ignore all columns that the form does not have
    #[arg(long)]
    ignore_unknown: bool,
    /// The column with the keys of rows; rows with known keys are skipped (default: _identifier)
    #[arg(long, value_name = "HEADER", conflicts_with = "no_keys")]
    key_column: Option<String>,
    /// Import all rows, even if they were imported before
    #[arg(long)]
    no_keys: bool,
    /// How long keys are remembered, in s, m, h, d or w, up to 90d (default: 30d)
    #[arg(long, value_name = "DURATION", value_parser = retention, conflicts_with = "no_keys")]
    remember: Option<Duration>,
    /// draft or submitted, for all rows (default: `_submissionState`, or submitted)
    #[arg(long, visible_alias = "submission-state", value_parser = args::state)]
    state: Option<SubmissionState>,
    /// File for rejected rows and the reasons; must not exist
    /// [default: a new file next to the input, or in the working directory; standard output for a dry run]
    #[arg(long, value_name = "FILE|-")]
    rejected: Option<PathBuf>,
    /// Create nothing, and tell what would be rejected
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A table with the columns of an export
    Csv,
    /// A submission on each line, as in an export
    Ndjson,
    /// The data of a submission on each line
    Data,
}

impl Format {
    const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Data => "data",
        }
    }

    /// The extension of files with rejected rows.
    const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson | Self::Data => "ndjson",
        }
    }
}

fn mapping(text: &str) -> Result<(String, String), &'static str> {
    let (header, path) = text.rsplit_once('=').ok_or("expected HEADER=PATH")?;
    Ok((header.to_owned(), path.to_owned()))
}

fn retention(text: &str) -> Result<Duration, String> {
    const LONGEST: Duration = Duration::from_hours(90 * 24);
    let seconds = args::duration(text)?.unsigned_abs();
    let retention = Duration::from_secs(seconds);
    let is_short = retention <= LONGEST;
    is_short
        .then_some(retention)
        .ok_or_else(|| "must be at most 90d".to_owned())
}

impl ImportArgs {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        let (form, file) = self.place.given()?;
        let file =
            file.ok_or_else(|| Failure::usage("name the file to import, or - for standard input"))?;
        let format = format_of(&file, self.format, Format::Data)?;
        let options = self.options(format)?;
        let form = session.form(&form).await?;
        let (formalize, caller) = session.service();
        // This also checks whether the user may create submissions.
        let submissions = formalize.submissions();
        let columns = submissions.import_columns(&caller, form).await?;
        let source = Source::open(&file, format, columns, options)?;
        let import = Import {
            rejected: self.rejected(&file, format)?,
            file,
            form,
            caller,
            formalize,
            retention: self.remember.unwrap_or(Duration::from_hours(30 * 24)),
            trial: self.dry_run.then(ImportTrial::default),
            progress: Progress::of_input(source.length),
            reader: source.reader,
            counts: Counts::default(),
        };
        import.run(source.lines).await
    }

    /// # Errors
    ///
    /// If an option does not apply to the format, or a header is mapped twice.
    fn options(&self, format: Format) -> Result<ImportOptions, Failure> {
        let (is_csv, has_members) = (format == Format::Csv, format != Format::Data);
        let unused = [
            ("--map", !self.map.is_empty() && !is_csv),
            ("--ignore", !self.ignore.is_empty() && !has_members),
            ("--ignore-unknown", self.ignore_unknown && !has_members),
            ("--key-column", self.key_column.is_some() && !has_members),
            ("--no-keys", self.no_keys && !has_members),
            ("--remember", self.remember.is_some() && !has_members),
        ];
        if let Some((option, _)) = unused.into_iter().find(|(_, is_unused)| *is_unused) {
            let format = format.name();
            let message = format!("{option} does not apply to the format {format}");
            return Err(Failure::usage(message));
        }
        let mut renamed = HashMap::new();
        for (header, path) in &self.map {
            if renamed.insert(header.clone(), path.clone()).is_some() {
                let message = format!("--map has the header `{header}` twice");
                return Err(Failure::usage(message));
            }
        }
        Ok(ImportOptions {
            renamed,
            ignored: self.ignore.iter().cloned().collect(),
            ignores_unknown: self.ignore_unknown,
            keys: match &self.key_column {
                Some(header) => Keys::Named(header.clone()),
                None if self.no_keys => Keys::None,
                None => Keys::Identifier,
            },
            state: self.state,
        })
    }

    fn rejected(&self, from: &Path, format: Format) -> Result<Rejected, Failure> {
        let file = match &self.rejected {
            None if self.dry_run => Some(Path::new("-")),
            file => file.as_deref(),
        };
        Rejected::of("row", from, file, format.extension())
    }
}

/// What became of the rows.
#[derive(Debug, Default)]
struct Counts {
    /// The rows that were read.
    rows: u64,
    created: usize,
    repeated: usize,
    /// Whether there are rows without a key, which would be imported again.
    has_unkeyed: bool,
    /// The end marker, with its line and the number of rows in it.
    end: Option<(u64, u64)>,
    /// Whether there are rows behind it.
    goes_on: bool,
}

/// An import under way.
struct Import {
    file: PathBuf,
    form: FormId,
    caller: Caller,
    formalize: Formalize,
    retention: Duration,
    /// What a dry run has checked so far.
    trial: Option<ImportTrial>,
    reader: Reader,
    rejected: Rejected,
    progress: Progress,
    counts: Counts,
}

/// What is known about a row.
enum Judged {
    /// It is a submission with this position in the batch.
    Item(usize),
    Rejected(String),
    /// It is the end marker of an export.
    End,
}

impl Import {
    async fn run(mut self, mut lines: Receiver<io::Result<Line>>) -> Outcome {
        let ended = loop {
            let (group, failed) = next_group(&mut lines).await;
            if group.is_empty() && failed.is_none() {
                break Ok(());
            }
            if let Err(failure) = self.import(group).await {
                break Err(failure);
            }
            if let Some(error) = failed {
                break Err(input::unreadable(&self.file, &error));
            }
        };
        self.end(ended)
    }

    /// Imports rows that follow each other.
    async fn import(&mut self, group: Vec<Line>) -> Outcome {
        let (mut items, mut judged) = (Vec::new(), Vec::with_capacity(group.len()));
        for line in &group {
            judged.push(self.judge(line, &mut items));
        }
        let consumed = group.iter().map(|line| line.consumed).sum();
        let first = group.first().map_or(0, |line| line.number);
        let outcomes = self.create(items).await.map_err(|error| {
            let failure = Failure::from(error).with_subject(&format!("stopped at line {first}"));
            self.resumable(failure)
        })?;
        let mut outcomes: Vec<Option<BatchOutcome>> = outcomes.into_iter().map(Some).collect();
        let mut unwritten: Option<(u64, Failure)> = None;
        let mut created_behind = Vec::new();
        for (line, judged) in group.iter().zip(judged) {
            let reason = match judged {
                Judged::End => continue,
                Judged::Rejected(reason) => reason,
                Judged::Item(position) => {
                    let outcome = outcomes.get_mut(position).and_then(Option::take);
                    let Some(reason) = self.count(outcome) else {
                        created_behind.extend(unwritten.is_some().then_some(line.number));
                        continue;
                    };
                    reason
                }
            };
            if unwritten.is_none() {
                let written = self.reject(line, &reason);
                unwritten = written.err().map(|failure| (line.number, failure));
            }
        }
        self.progress.advance(consumed);
        self.progress.say(&self.told());
        match unwritten {
            None => Ok(()),
            Some((line, failure)) => Err(self.stopped(line, failure, &created_behind)),
        }
    }

    fn judge(&mut self, line: &Line, items: &mut Vec<BatchItem>) -> Judged {
        let row = self.reader.row(line);
        if let Ok(Row::End(rows)) = row {
            self.counts.end = Some((line.number, rows));
            return Judged::End;
        }
        self.counts.goes_on |= self.counts.end.is_some();
        self.counts.rows += 1;
        match row {
            Ok(Row::Submission(item)) => {
                self.counts.has_unkeyed |= item.key.is_none();
                items.push(item);
                Judged::Item(items.len() - 1)
            }
            Ok(Row::End(_)) => Judged::End,
            Err(reason) => Judged::Rejected(reason),
        }
    }

    async fn create(&mut self, items: Vec<BatchItem>) -> Result<Vec<BatchOutcome>, Error> {
        let mut batch = SubmissionBatch::new(self.form, items)?;
        batch.key_retention = self.retention;
        let submissions = self.formalize.submissions();
        match &mut self.trial {
            Some(trial) => submissions.check_import(&self.caller, &batch, trial).await,
            None => submissions.import(&self.caller, &batch).await,
        }
    }

    /// Counts a row. Returns the reason if it was rejected.
    fn count(&mut self, outcome: Option<BatchOutcome>) -> Option<String> {
        let is_repeated = match outcome? {
            BatchOutcome::Created(_) => false,
            BatchOutcome::Repeated(_) => true,
            BatchOutcome::Acceptable { is_repeated, .. } => is_repeated,
            BatchOutcome::Omitted => return Some("was not imported".to_owned()),
            BatchOutcome::Refused(Error::IdempotencyKeyReused) => {
                return Some(
                    "a row with the same key and other data was imported before".to_owned(),
                );
            }
            BatchOutcome::Refused(error) => return Some(Failure::from(error).reasons().join("; ")),
        };
        if is_repeated {
            self.counts.repeated += 1;
        } else {
            self.counts.created += 1;
        }
        None
    }

    fn reject(&mut self, line: &Line, reason: &str) -> Outcome {
        let is_first = self.rejected.number == 0;
        let text = self.reader.rejected(line, reason, is_first)?;
        self.progress.aside(|| self.rejected.put(&text))
    }

    /// The failure to write a rejected row, after which other rows of its group may have been created.
    fn stopped(&self, line: u64, failure: Failure, created_behind: &[u64]) -> Failure {
        let failure = self.resumable(failure.with_subject(&format!("stopped at line {line}")));
        if !self.counts.has_unkeyed || created_behind.is_empty() || self.trial.is_some() {
            return failure;
        }
        let lines: Vec<String> = created_behind.iter().map(u64::to_string).collect();
        let lines = lines.join(", ");
        failure.with_detail(&format!("later rows already imported: lines {lines}"))
    }

    /// Tells how to go on.
    fn resumable(&self, failure: Failure) -> Failure {
        match (&self.trial, self.counts.has_unkeyed) {
            (Some(_), _) => failure,
            (None, false) => failure
                .with_detail("run the import again to continue; rows with known keys are skipped"),
            (None, true) => failure.with_detail(
                "some rows have no key: remove those before this line before you import the rest",
            ),
        }
    }

    /// The counts so far.
    fn told(&self) -> String {
        let created = plural(self.counts.created, "submission");
        let (repeated, rejected) = (self.counts.repeated, self.rejected.number);
        let verb = if self.trial.is_some() {
            "would be created"
        } else {
            "created"
        };
        format!("{created} {verb}, {repeated} already there, {rejected} rejected")
    }

    /// Reports what became of the rows.
    fn end(self, ended: Outcome) -> Outcome {
        let told = self.told();
        drop(self.progress);
        note(&told);
        let mut problems = Vec::new();
        if self.rejected.number > 0 {
            problems.push(self.rejected.summary());
        }
        if ended.is_ok() {
            problems.extend(self.counts.incomplete());
        }
        let mut problems = problems.into_iter();
        let failure = match ended {
            Err(failure) => Some(failure),
            Ok(()) => problems
                .next()
                .map(|first| Failure::new(Exit::Invalid, first)),
        };
        match failure {
            Some(failure) => Err(problems.fold(failure, |failure, it| failure.with_detail(&it))),
            None => Ok(()),
        }
    }
}

impl Counts {
    /// Why rows are missing, if there is an end marker that says so.
    fn incomplete(&self) -> Option<String> {
        let (line, expected) = self.end?;
        let read = plural(self.rows, "row");
        (self.goes_on || self.rows != expected).then(|| {
            format!("line {line}: the end marker says {expected}, but the file has {read}; is it complete?")
        })
    }
}

/// Waits for one row, and takes those that have been read by then as well. No rows mean the end of the input, unless there
/// is an error, which prevents reading further.
async fn next_group(lines: &mut Receiver<io::Result<Line>>) -> (Vec<Line>, Option<io::Error>) {
    let (mut group, mut bytes) = (Vec::new(), 0);
    let mut next = lines.recv().await;
    while let Some(line) = next {
        match line {
            Ok(line) => {
                bytes += line.text.len();
                group.push(line);
            }
            Err(error) => return (group, Some(error)),
        }
        if group.len() >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE {
            break;
        }
        next = lines.try_recv().ok();
    }
    (group, None)
}
