//! `formalize submissions`.

use std::path::PathBuf;

use formalize_core::{
    Action, Caller, Change, FormId, OutputValidation, ResourceRef, SubmissionChange,
    SubmissionFilter, SubmissionId, SubmissionState,
};

use crate::args;
use crate::failure::Failure;
use crate::input;
use crate::record::Submission;
use crate::session::{Outcome, Session, as_read, confirm, note, patiently, plural, tally};

mod create;
mod rejected;

/// Create, show, change and delete what was entered into forms
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Submit to a form: one submission, or one for each line
    ///
    /// A file with one JSON document makes one submission, whose data is kept exactly as the file holds it, a line break at
    /// its end included. A file with a JSON document on each line (NDJSON) makes one submission for each, of any number:
    /// lines that are refused go with their reasons to a file of their own, stop none of the others, and make the exit
    /// code 7. What is printed as created is there to stay.
    #[command(
        after_help = "Example:\n  echo '{\"email\": \"bob@example.org\"}' |\n    formalize submissions create --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --data - --as bob\n  formalize submissions create --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --ndjson --data old.ndjson \\\n    --rejected refused.ndjson -o ndjson"
    )]
    Create(create::Create),
    /// List the submissions of a form
    #[command(
        after_help = "Example:\n  formalize submissions list --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b -o ndjson"
    )]
    List(List),
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
    /// It keeps its state unless another is given: correcting a draft does not submit it.
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
    /// Always asks.
    #[command(
        after_help = "Example:\n  formalize submissions delete-all --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --yes"
    )]
    DeleteAll {
        /// The form's identifier
        #[arg(long, value_name = "ID", visible_alias = "form-identifier", value_parser = args::form_id)]
        form: FormId,
    },
}

/// Which submissions to list, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct List {
    /// The form's identifier
    #[arg(long, value_name = "ID", visible_alias = "form-identifier", value_parser = args::form_id)]
    form: FormId,
    /// Only those of this creator
    #[arg(long, value_name = "USER")]
    creator_id_equals: Option<String>,
    /// Only those in this state: draft or submitted
    #[arg(long, visible_alias = "submission-state", value_parser = args::state)]
    state: Option<SubmissionState>,
    /// KEYS reduces the data to the keys that the schema's top-level properties define
    #[arg(long, value_name = "NONE|KEYS", value_parser = output_validation, default_value = "NONE")]
    output_validation: OutputValidation,
}

/// What to change of a submission; at least one thing.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
pub(crate) struct Update {
    /// The submission's identifier
    #[arg(value_parser = args::submission_id)]
    id: SubmissionId,
    /// A file with the new data as JSON
    #[arg(
        long,
        value_name = "FILE|-",
        visible_alias = "data-feed-element",
        group = "change"
    )]
    data: Option<PathBuf>,
    /// Leave the submission without data
    #[arg(long, group = "change", conflicts_with = "data")]
    clear_data: bool,
    /// The new state: submitted, or draft for what is a draft
    #[arg(
        long,
        visible_alias = "submission-state",
        group = "change",
        value_parser = args::state
    )]
    state: Option<SubmissionState>,
}

fn output_validation(word: &str) -> Result<OutputValidation, &'static str> {
    match word {
        "NONE" => Ok(OutputValidation::None),
        "KEYS" => Ok(OutputValidation::Keys),
        _ => Err("must be NONE or KEYS"),
    }
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Create(create) => create.run(session).await,
            Self::List(list) => list.run(session).await,
            Self::Show { id } => show(session, id).await,
            Self::Update(update) => update.run(session).await,
            Self::Delete { id } => delete(session, id).await,
            Self::DeleteAll { form } => delete_all(session, form).await,
        }
    }
}

impl List {
    async fn run(self, session: &mut Session) -> Outcome {
        let (formalize, caller) = session.service();
        let submissions = formalize.submissions();
        let filter = SubmissionFilter {
            creator: self.creator_id_equals,
            state: self.state,
            output: self.output_validation,
        };
        session
            .print_list::<_, Submission>(async |request| {
                submissions.list(&caller, self.form, &filter, request).await
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
            // Asked as the system, since the user may be entitled to change it and not to read it.
            None => submissions.get(&Caller::System, self.id).await?.item.state,
        };
        let change = SubmissionChange {
            data,
            state: state.into(),
        };
        let submission = submissions
            .update(&session.caller, submission, change)
            .await?;
        session.print_changed::<_, Submission>(submission)
    }
}

async fn delete(session: &mut Session, id: SubmissionId) -> Outcome {
    let submissions = session.formalize.submissions();
    submissions.delete(&session.caller, id).await?;
    note(&format!("deleted submission {id}"));
    Ok(())
}

async fn delete_all(session: &mut Session, form: FormId) -> Outcome {
    let resource = ResourceRef::form(form);
    if session
        .must_ask(&resource, &Action::DELETE_SUBMISSIONS)
        .await?
    {
        announce(session, form).await?;
    }
    let submissions = session.formalize.submissions();
    let deleting = submissions.delete_all(&session.caller, form);
    let deleted = patiently("deleting", deleting).await?;
    let ending = if deleted == 1 { "" } else { "s" };
    note(&format!("deleted {deleted} submission{ending}"));
    Ok(())
}

async fn announce(session: &Session, id: FormId) -> Outcome {
    let form = session
        .formalize
        .forms()
        .get(&Caller::System, id)
        .await?
        .form;
    let submitted = SubmissionFilter {
        state: Some(SubmissionState::Submitted),
        ..SubmissionFilter::default()
    };
    let submissions = plural(number(session, id, &submitted).await?, "submission");
    let name = form.name.as_str();
    confirm(&format!("this deletes {submissions} of the form `{name}`"))
}

/// How many submissions of a form there are.
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
