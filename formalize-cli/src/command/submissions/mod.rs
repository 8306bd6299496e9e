//! `formalize submissions`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use formalize_core::{
    Caller, Change, FormId, ResourceRef, SubmissionChange, SubmissionFilter, SubmissionId,
    SubmissionState, Timestamp,
    authorization::Operation,
    files::{FileAttributeName, FileId},
    submissions::OutputValidation,
};

use crate::args;
use crate::command::files::upload;
use crate::failure::Failure;
use crate::grammar::FormArg;
use crate::input;
use crate::naming::Reference;
use crate::record::Submission;
use crate::session::{Outcome, Session, as_read, confirm, note, plural, tally, with_spinner};

mod create;
mod export;
mod import;
mod rejected;

/// Create, list, show, change and delete submissions
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Submit to a form: one submission, or one per line of the input
    ///
    /// A file with one JSON document becomes one submission; its data is stored byte for byte. A file with a JSON document
    /// on each line (NDJSON) becomes one submission per line. Rejected lines are written to a separate file with the
    /// reasons; the other lines are still imported, and the exit code is 7. Printed submissions are stored durably.
    #[command(
        after_help = "Example:\n  echo '{\"email\": \"bob@example.org\"}' |\n    formalize submissions create --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --data - --as bob\n  formalize submissions create --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --ndjson --data old.ndjson \\\n    --rejected refused.ndjson -o ndjson"
    )]
    Create(create::Create),
    /// List the submissions of a form
    ///
    /// The table has columns for the first properties of the schema, as many as fit the terminal.
    #[command(
        after_help = "Example:\n  formalize submissions list --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b -o ndjson"
    )]
    List(List),
    /// Write all submissions of a form to a file, or to standard output: csv, ndjson, json or xlsx
    ///
    /// The submissions are those of one moment. A table has a column for each value that the schema describes, named by
    /// its path, and a last column `_other` for everything else. The file gets its name once it is complete, and never
    /// overwrites another one. Only its owner can read it. A workbook
    /// (xlsx) is for spreadsheet programs.
    #[command(
        after_help = "Example:\n  formalize submissions export --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b answers.csv"
    )]
    Export(export::ExportArgs),
    /// Create submissions from a file: csv, ndjson, or data
    ///
    /// The file is a table (CSV), an export (NDJSON), or data on each line; save workbooks as CSV.
    /// The columns are those of an export, and the options map or ignore others. Each row becomes a submission of the user,
    /// with a new identifier and time. Rejected rows are written to a file of the same format with a last column `_error`;
    /// correct it and import it. A row with a key (by default its `_identifier`) is imported once, so you can run an import
    /// again after it was stopped.
    #[command(
        override_usage = "formalize submissions import [OPTIONS] <FORM> <FILE|->",
        after_help = "Example:\n  formalize submissions import --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b answers.csv --dry-run\n  formalize submissions import --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b answers.csv"
    )]
    Import(import::ImportArgs),
    /// Show a submission with its data
    #[command(
        after_help = "Example:\n  formalize submissions show 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b -o json"
    )]
    Show {
        /// The submission's identifier
        #[arg(value_parser = args::submission_id)]
        id: SubmissionId,
    },
    /// Change a submission
    ///
    /// The state stays the same unless --state is given: correcting a draft does not submit it.
    #[command(
        after_help = "Example:\n  formalize submissions update 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --state submitted"
    )]
    Update(Update),
    /// Delete a submission
    #[command(
        after_help = "Example:\n  formalize submissions delete 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"
    )]
    Delete {
        /// The submission's identifier
        #[arg(value_parser = args::submission_id)]
        id: SubmissionId,
    },
    /// Delete all submissions of a form except drafts
    ///
    /// Always asks for confirmation, except for a dry run.
    #[command(
        after_help = "Example:\n  formalize submissions delete-all --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --yes"
    )]
    DeleteAll {
        #[command(flatten)]
        form: FormArg,
        /// Delete nothing, and print the number of records that would be deleted
        #[arg(long)]
        dry_run: bool,
    },
}

/// Which submissions to list, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct List {
    #[command(flatten)]
    form: FormArg,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Which submissions of a form to list or to export.
#[derive(Debug, clap::Args)]
struct FilterArgs {
    /// Only submissions of this creator
    #[arg(long, value_name = "USER")]
    creator_id_equals: Option<String>,
    /// Only submissions in this state: draft or submitted
    #[arg(long, visible_alias = "submission-state", value_parser = args::state)]
    state: Option<SubmissionState>,
    /// Only submissions with this tag
    #[arg(long)]
    tag: Option<String>,
    /// Only submissions created at this time or later: a date (its start, UTC) or a timestamp
    #[arg(long, value_name = "TIME", value_parser = Timestamp::parse_start)]
    created_from: Option<Timestamp>,
    /// Only submissions created before this time: a date (its start, UTC) or a timestamp
    #[arg(long, value_name = "TIME", value_parser = Timestamp::parse_start)]
    created_before: Option<Timestamp>,
    /// KEYS reduces the data to the top-level properties of the schema
    #[arg(long, value_name = "NONE|KEYS", value_parser = output_validation, default_value = "NONE")]
    output_validation: OutputValidation,
}

impl From<FilterArgs> for SubmissionFilter {
    fn from(args: FilterArgs) -> Self {
        Self {
            creator: args.creator_id_equals,
            state: args.state,
            tag: args.tag,
            created_from: args.created_from,
            created_before: args.created_before,
            output: args.output_validation,
            newest_first: false,
        }
    }
}

/// The changes to a submission; at least one.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
pub(crate) struct Update {
    /// The submission's identifier
    #[arg(value_parser = args::submission_id)]
    id: SubmissionId,
    /// File with the new data as JSON
    #[arg(
        long,
        value_name = "FILE|-",
        visible_alias = "data-feed-element",
        group = "change"
    )]
    data: Option<PathBuf>,
    /// Remove the data
    #[arg(long, group = "change", conflicts_with = "data")]
    clear_data: bool,
    /// New state: submitted, or draft if it is a draft
    #[arg(
        long,
        visible_alias = "submission-state",
        group = "change",
        value_parser = args::state
    )]
    state: Option<SubmissionState>,
    /// File to add, and its group of files of the form; can be repeated
    #[arg(
        long = "file",
        value_name = "ATTRIBUTE=FILE",
        group = "change",
        value_parser = args::file_of_attribute
    )]
    files: Vec<(FileAttributeName, PathBuf)>,
    /// Identifier of a file to remove; can be repeated
    #[arg(long = "remove-file", value_name = "ID", group = "change", value_parser = args::file_id)]
    removed: Vec<FileId>,
    /// Tag that the submission has afterwards, instead of its tags; can be repeated
    #[arg(long = "tag", value_name = "TAG", group = "change")]
    tags: Vec<String>,
    /// Remove all tags
    #[arg(long, group = "change", conflicts_with = "tags")]
    clear_tags: bool,
}

fn output_validation(word: &str) -> Result<OutputValidation, &'static str> {
    match word {
        "NONE" => Ok(OutputValidation::None),
        "KEYS" => Ok(OutputValidation::Keys),
        _ => Err("expected NONE or KEYS"),
    }
}

impl Args {
    /// Whether contents of files are written.
    pub(crate) fn needs_contents(&self) -> bool {
        match self {
            Self::Create(create) => create.needs_contents(),
            Self::Update(update) => !update.files.is_empty(),
            _ => false,
        }
    }

    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Create(create) => create.run(session).await,
            Self::List(list) => list.run(session).await,
            Self::Export(export) => export.run(session).await,
            Self::Import(import) => import.run(session).await,
            Self::Show { id } => show(session, id).await,
            Self::Update(update) => update.run(session).await,
            Self::Delete { id } => delete(session, id).await,
            Self::DeleteAll { form, dry_run } => delete_all(session, form.given()?, dry_run).await,
        }
    }
}

impl List {
    async fn run(self, session: &mut Session) -> Outcome {
        let form = session.form(self.form.given()?).await?;
        let (formalize, caller) = session.service();
        let mut schema = None;
        // A user who may read submissions may lack permission to read the form.
        if session.printer.is_table()
            && let Ok(view) = formalize.forms().get(&caller, form).await
        {
            schema = view.item.data_feed_schema;
        }
        let columns = Submission::columns(&session.printer, schema.as_deref());
        let submissions = formalize.submissions();
        let filter = SubmissionFilter::from(self.filter);
        session
            .print_list_of::<_, Submission>(columns, async |request| {
                submissions.list(&caller, form, &filter, request).await
            })
            .await
    }
}

async fn show(session: &mut Session, id: SubmissionId) -> Outcome {
    let submissions = session.formalize.submissions();
    let submission = submissions.get(&session.caller, id).await?;
    Ok(session.printer.item(&Submission::from(submission))?)
}

impl Update {
    async fn run(self, session: &mut Session) -> Outcome {
        let submissions = session.formalize.submissions();
        let read = submissions.get(&session.caller, self.id).await;
        let submission = as_read(self.id, read, |view| view.item.revision)?;
        let data = match &self.data {
            Some(file) => Change::Set(input::read(file)?),
            None if self.clear_data => Change::Clear,
            None => Change::Keep,
        };
        let state = match self.state {
            Some(state) => state,
            // Read as the system, because the user may have permission to change it but not to read it.
            None => submissions.get(&Caller::System, self.id).await?.item.state,
        };
        let change = SubmissionChange {
            data,
            state: state.into(),
            files_to_remove: self.removed,
            tags: (self.clear_tags || !self.tags.is_empty()).then_some(self.tags),
            ignores_missing_files: false,
        };
        let caller = session.caller.clone();
        let submission = if self.files.is_empty() {
            submissions.update(&caller, submission, change).await?
        } else {
            let begun = submissions.upload_change(&caller, submission, change);
            upload(begun.await?, self.files).await?.finish().await?
        };
        session.print_changed::<_, Submission>(submission)
    }
}

async fn delete(session: &mut Session, id: SubmissionId) -> Outcome {
    let submissions = session.formalize.submissions();
    submissions.delete(&session.caller, id).await?;
    note(&format!("deleted submission {id}"));
    Ok(())
}

async fn delete_all(session: &mut Session, form: &Reference<FormId>, dry_run: bool) -> Outcome {
    let form = session.form(form).await?;
    if dry_run {
        let submissions = session.formalize.submissions();
        let deletion = submissions.check_delete_all(&session.caller, form).await?;
        return session.print_deletion(deletion);
    }
    let resource = ResourceRef::form(form);
    if session
        .must_ask(&resource, Operation::SubmissionDeleteAll)
        .await?
    {
        announce(session, form).await?;
    }
    let submissions = session.formalize.submissions();
    let deleting = submissions.delete_all(&session.caller, form);
    let deleted = with_spinner("deleting", deleting).await?;
    note(&format!("deleted {}", plural(deleted, "submission")));
    Ok(())
}

async fn announce(session: &Session, id: FormId) -> Outcome {
    let form = session
        .formalize
        .forms()
        .get(&Caller::System, id)
        .await?
        .item;
    let submitted = SubmissionFilter {
        state: Some(SubmissionState::Submitted),
        ..SubmissionFilter::default()
    };
    let submissions = plural(number(session, id, &submitted).await?, "submission");
    let name = form.name.as_str();
    confirm(&format!("this deletes {submissions} of the form `{name}`"))
}

/// The number of submissions of a form.
pub(super) async fn number(
    session: &Session,
    form: FormId,
    filter: &SubmissionFilter,
) -> Result<usize, Failure> {
    let submissions = session.formalize.submissions();
    tally(
        async |request| {
            submissions
                .list(&Caller::System, form, filter, request)
                .await
        },
        |_| true,
    )
    .await
}

/// The format of a file: the one that was chosen, or else the one that its extension names.
///
/// # Errors
///
/// If no format was chosen, and the extension names none.
fn format_of<F: ValueEnum>(file: &Path, chosen: Option<F>, of_standard: F) -> Result<F, Failure> {
    if let Some(format) = chosen {
        return Ok(format);
    }
    if input::is_standard(file) {
        return Ok(of_standard);
    }
    let extension = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    F::from_str(extension, true).map_err(|_| {
        let file = file.display();
        let formats = F::value_variants().iter();
        let formats =
            formats.filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()));
        let formats = formats.collect::<Vec<_>>().join(", ");
        Failure::usage(format!(
            "{file}: the extension names no format; use --format with one of {formats}"
        ))
    })
}
