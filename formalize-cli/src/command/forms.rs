//! `formalize forms`.

use std::path::PathBuf;

use formalize_core::{
    Action, Availability, Caller, Change, DataSchema, Error, FormChange, FormFilter, FormId,
    FormName, NewForm, ResourceRef, SubmissionCap, SubmissionFilter, SubmissionRules,
    SubmissionStates, SubmittedActions, Timestamp,
};

use crate::args;
use crate::failure::Failure;
use crate::input;
use crate::record::Form;
use crate::session::{Outcome, Session, as_read, confirm, note, patiently, plural};

/// Create, show, change and delete forms
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Create a form
    #[command(
        after_help = "Example:\n  formalize forms create --name Newsletter --schema newsletter.schema.json \\\n    --allowed-submission-states draft,submitted --availability-ends 2026-12-31"
    )]
    Create {
        /// What people call it
        #[arg(long)]
        name: String,
        #[command(flatten)]
        fields: Box<Fields>,
    },
    /// List forms
    #[command(after_help = "Example:\n  formalize forms list -o ndjson")]
    List {
        /// Only forms of which the user may read all submissions, or that hold one that the user may read
        #[arg(long)]
        where_read_form_submissions_granted: bool,
    },
    /// Show a form with all its fields
    #[command(
        after_help = "Example:\n  formalize forms show 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b -o json"
    )]
    Show {
        /// The form's identifier
        #[arg(value_parser = args::form_id)]
        id: FormId,
    },
    /// Change the given fields of a form, and no others
    #[command(
        override_usage = "formalize forms update [OPTIONS] <ID>",
        after_help = "Example:\n  formalize forms update 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b \\\n    --max-num-submissions-per-creator 3 --clear availability-ends"
    )]
    Update(Box<Update>),
    /// Delete a form with all its submissions, drafts included, and all grants on them
    ///
    /// Asks if the form has submissions.
    #[command(
        after_help = "Example:\n  formalize forms delete 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --yes"
    )]
    Delete {
        /// The form's identifier
        #[arg(value_parser = args::form_id)]
        id: FormId,
    },
}

/// The fields that a form may have besides its name.
#[derive(Debug, clap::Args)]
pub(crate) struct Fields {
    /// The JSON Schema that submissions must satisfy
    #[arg(long, value_name = "FILE|-", visible_alias = "data-feed-schema")]
    schema: Option<PathBuf>,
    /// Whether grants govern submissions, instead of their creators
    #[arg(
        long,
        value_name = "true|false",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    grant_based_submission_authorization: Option<bool>,
    /// What may still be done to a submitted submission: read, update, delete, manage; '' for nothing
    #[arg(long, value_name = "ACTIONS", value_parser = args::actions)]
    allowed_actions_when_submitted: Option<Vec<SubmittedActions>>,
    /// The states that submissions may have: draft, submitted
    #[arg(long, value_name = "STATES", value_parser = args::states)]
    allowed_submission_states: Option<Vec<SubmissionStates>>,
    /// From when on people may submit: a date, or an instant such as 2026-11-21T08:00:00Z
    #[arg(long, value_name = "DATE", value_parser = Timestamp::parse_start)]
    available_starts: Option<Timestamp>,
    /// Until when people may submit: a date, which includes that day, or an instant
    #[arg(long, value_name = "DATE", value_parser = Timestamp::parse_end)]
    availability_ends: Option<Timestamp>,
    /// How many submissions, drafts included, a creator may have
    #[arg(long, value_name = "NUMBER", value_parser = args::cap)]
    max_num_submissions_per_creator: Option<SubmissionCap>,
}

/// What to change of a form; at least one thing.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true).args([
    "name",
    "schema",
    "grant_based_submission_authorization",
    "allowed_actions_when_submitted",
    "allowed_submission_states",
    "available_starts",
    "availability_ends",
    "max_num_submissions_per_creator",
    "clear",
]))]
pub(crate) struct Update {
    /// The form's identifier
    #[arg(value_parser = args::form_id)]
    id: FormId,
    /// What people call it
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    fields: Fields,
    /// Fields that shall have no value any more
    #[arg(long, value_enum, value_name = "FIELDS", value_delimiter = ',')]
    clear: Vec<Clearable>,
}

/// A field that may be without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Clearable {
    #[value(alias = "schema")]
    DataFeedSchema,
    AvailableStarts,
    AvailabilityEnds,
    MaxNumSubmissionsPerCreator,
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Create { name, fields } => create(session, name, *fields).await,
            Self::List {
                where_read_form_submissions_granted,
            } => {
                let filter = FormFilter {
                    where_read_form_submissions_granted,
                };
                list(session, filter).await
            }
            Self::Show { id } => show(session, id).await,
            Self::Update(update) => update.run(session).await,
            Self::Delete { id } => delete(session, id).await,
        }
    }
}

impl Fields {
    fn read_schema(&self) -> Result<Option<DataSchema>, Failure> {
        let Some(file) = &self.schema else {
            return Ok(None);
        };
        let text = input::read(file)?;
        let schema = DataSchema::compile(&text).map_err(Error::from)?;
        Ok(Some(schema))
    }

    fn actions(&self) -> Option<SubmittedActions> {
        let given = self.allowed_actions_when_submitted.as_ref()?;
        given.iter().copied().reduce(SubmittedActions::union)
    }

    fn states(&self) -> Option<SubmissionStates> {
        let given = self.allowed_submission_states.as_ref()?;
        given.iter().copied().reduce(SubmissionStates::union)
    }

    /// The rules of a new form.
    fn rules(&self) -> Result<SubmissionRules, Error> {
        let default = SubmissionRules::default();
        let grant_based = self.grant_based_submission_authorization;
        Ok(SubmissionRules {
            grant_based: grant_based.unwrap_or(default.grant_based),
            allowed_actions_when_submitted: self
                .actions()
                .unwrap_or(default.allowed_actions_when_submitted),
            allowed_states: self.states().unwrap_or(default.allowed_states),
            availability: Availability::new(self.available_starts, self.availability_ends)?,
            cap: self.max_num_submissions_per_creator,
        })
    }
}

async fn create(session: &mut Session, name: String, fields: Fields) -> Outcome {
    let new = NewForm {
        name: FormName::new(name)?,
        data_feed_schema: fields.read_schema()?,
        rules: fields.rules()?,
    };
    let form = session
        .formalize
        .forms()
        .create(&session.caller, new)
        .await?;
    Ok(session.printer.item(&Form::from(form))?)
}

async fn list(session: &mut Session, filter: FormFilter) -> Outcome {
    let (formalize, caller) = session.service();
    let forms = formalize.forms();
    session
        .print_list::<_, Form>(async |request| forms.list(&caller, filter, request).await)
        .await
}

async fn show(session: &mut Session, id: FormId) -> Outcome {
    let form = session.formalize.forms().get(&session.caller, id).await?;
    Ok(session.printer.item(&Form::from(form))?)
}

impl Update {
    async fn run(self, session: &mut Session) -> Outcome {
        let forms = session.formalize.forms();
        let read = forms.get(&session.caller, self.id).await;
        let form = as_read(self.id, read, |view| view.form.revision)?;
        let change = self.change()?;
        let form = forms.update(&session.caller, form, change).await?;
        session.print_changed::<_, Form>(form)
    }

    fn change(&self) -> Result<FormChange, Failure> {
        let fields = &self.fields;
        Ok(FormChange {
            name: self.name.clone().map(FormName::new).transpose()?,
            data_feed_schema: self.member(fields.read_schema()?, Clearable::DataFeedSchema)?,
            grant_based: fields.grant_based_submission_authorization,
            allowed_actions_when_submitted: fields.actions(),
            allowed_states: fields.states(),
            available_starts: self.member(fields.available_starts, Clearable::AvailableStarts)?,
            availability_ends: self
                .member(fields.availability_ends, Clearable::AvailabilityEnds)?,
            cap: self.member(
                fields.max_num_submissions_per_creator,
                Clearable::MaxNumSubmissionsPerCreator,
            )?,
        })
    }

    /// What happens to a field that may be without a value.
    fn member<T>(&self, given: Option<T>, field: Clearable) -> Result<Change<T>, Failure> {
        match (given, self.clear.contains(&field)) {
            (None, false) => Ok(Change::Keep),
            (None, true) => Ok(Change::Clear),
            (Some(value), false) => Ok(Change::Set(value)),
            (Some(_), true) => Err(Failure::usage("a field cannot be both set and cleared")),
        }
    }
}

async fn delete(session: &mut Session, id: FormId) -> Outcome {
    if session
        .must_ask(&ResourceRef::form(id), &Action::DELETE)
        .await?
    {
        announce(session, id).await?;
    }
    let forms = session.formalize.forms();
    patiently("deleting", forms.delete(&session.caller, id)).await?;
    note(&format!("deleted form {id}"));
    Ok(())
}

/// Says how many submissions go with a form and asks, if there are any.
async fn announce(session: &Session, id: FormId) -> Outcome {
    let form = session
        .formalize
        .forms()
        .get(&Caller::System, id)
        .await?
        .form;
    let number = super::submissions::number(session, id, &SubmissionFilter::default()).await?;
    if number == 0 {
        return Ok(());
    }
    let (name, submissions) = (form.name.as_str(), plural(number, "submission"));
    confirm(&format!(
        "deleting the form `{name}` deletes {submissions} with it"
    ))
}
