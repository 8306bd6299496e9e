//! `formalize forms`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use formalize_core::{
    Caller, Change, Error, FormChange, FormFilter, FormId, FormName, NewForm, Page, ResourceRef,
    SubmissionFilter, SubmissionRules, Timestamp,
    authorization::Operation,
    forms::{
        AdditionalData, Availability, AvailableTags, FormDetails, FormDetailsChange, FormWarning,
        FrontendKey, FrontendKeys, LanguageTag, LocalizedNames, SubmissionCap, SubmissionLimit,
        SubmissionStates, SubmittedActions, TagPermissions,
    },
};

use serde_json::Value;

use super::demo::Demo;
use crate::args;
use crate::failure::Failure;
use crate::grammar::{FormArg, NameArg};
use crate::input;
use crate::naming::Reference;
use crate::record::{CountedForm, Form, MOST_ANSWERS, Question};
use crate::session::{Outcome, Session, as_read, confirm, note, plural, with_spinner};

/// Create, show, change and delete forms
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Create a form
    #[command(
        after_help = "Example:\n  formalize forms create --name Newsletter --schema newsletter.schema.json \\\n    --allowed-submission-states draft,submitted --availability-ends 2026-12-31"
    )]
    Create {
        #[command(flatten)]
        name: NameArg,
        /// Identifier of the form: a UUID of any version [default: a new one]
        #[arg(long, value_name = "UUID")]
        identifier: Option<FormId>,
        #[command(flatten)]
        fields: Box<Fields>,
    },
    /// Create the demo form of the Relay web client, unless it exists
    ///
    /// Everybody may see the form and submit to it.
    #[command(after_help = "Example:\n  formalize forms demo --manager alice")]
    Demo(Demo),
    /// List forms
    #[command(after_help = "Example:\n  formalize forms list -o ndjson")]
    List {
        /// Only forms with submissions that the user may read, or all of whose submissions the user may read
        #[arg(long)]
        where_read_form_submissions_granted: bool,
        /// Only forms with one of these frontend keys
        #[arg(long, value_name = "KEYS", value_delimiter = ',', value_parser = args::frontend_key)]
        where_frontend_key_in: Option<Vec<FrontendKey>>,
        /// Only forms with none of these frontend keys
        #[arg(long, value_name = "KEYS", value_delimiter = ',', value_parser = args::frontend_key)]
        where_frontend_key_not_in: Vec<FrontendKey>,
    },
    /// Show a form with all its fields
    #[command(
        after_help = "Example:\n  formalize forms show 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b -o json"
    )]
    Show(FormArg),
    /// Show the questions that a form asks, as its pages and other renderers see them
    ///
    /// With --data, they are those for this data, with its problems. The output in JSON is the tree of questions; tables
    /// have one line for each of them.
    #[command(after_help = "Example:\n  formalize forms questions Workshop --language de")]
    Questions {
        #[command(flatten)]
        form: FormArg,
        /// JSON entered so far; without it, the form is empty
        #[arg(long, value_name = "FILE|-")]
        data: Option<PathBuf>,
        /// Language of the texts, such as de-AT; by default, the first one that the schema has
        #[arg(long, value_name = "TAG")]
        language: Option<String>,
    },
    /// Change fields of a form
    #[command(
        override_usage = "formalize forms update [OPTIONS] <FORM|--form <FORM>>",
        after_help = "Example:\n  formalize forms update 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b \\\n    --max-num-submissions-per-creator 3 --clear availability-ends"
    )]
    Update(Box<Update>),
    /// Delete a form with all its submissions and drafts, and all grants on them
    ///
    /// Asks for confirmation if the form has submissions.
    #[command(
        after_help = "Example:\n  formalize forms delete 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --yes"
    )]
    Delete {
        #[command(flatten)]
        form: FormArg,
        /// Delete nothing, and print the number of records that would be deleted
        #[arg(long)]
        dry_run: bool,
    },
    /// Share a form: create the grants that someone needs to fill it, to see what was submitted, or to manage it
    ///
    /// Prints the grants that are new. Sharing again with the same person changes nothing.
    #[command(
        after_help = "Example:\n  formalize forms share Workshop --with everybody --to fill\n  formalize forms share Workshop --with user:grace --to read-answers"
    )]
    Share(super::share::Share),
    /// Stop sharing a form: delete the grants that `share` created
    ///
    /// Grants that the same person needs for something else stay. Taking back read-answers takes back change-answers too.
    #[command(
        after_help = "Example:\n  formalize forms unshare Workshop --with everybody --to fill"
    )]
    Unshare(super::share::Share),
}

/// The fields that a form may have besides its name.
#[derive(Debug, clap::Args)]
pub(crate) struct Fields {
    /// JSON Schema for submissions
    #[arg(long, value_name = "FILE|-", visible_alias = "data-feed-schema")]
    schema: Option<PathBuf>,
    /// Use grants for access to single submissions, instead of authorship
    #[arg(
        long,
        value_name = "true|false",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    grant_based_submission_authorization: Option<bool>,
    /// Actions still allowed after submission: read, update, delete, manage ('' for none)
    #[arg(long, value_name = "ACTIONS", value_parser = args::actions)]
    allowed_actions_when_submitted: Option<Vec<SubmittedActions>>,
    /// Allowed submission states: draft, submitted
    #[arg(long, value_name = "STATES", value_parser = args::states)]
    allowed_submission_states: Option<Vec<SubmissionStates>>,
    /// Opening time: a date (start of day, UTC) or a timestamp such as 2026-11-21T08:00:00Z
    #[arg(long, value_name = "DATE", value_parser = Timestamp::parse_start)]
    available_starts: Option<Timestamp>,
    /// Closing time: a date (end of day, UTC) or a timestamp
    #[arg(long, value_name = "DATE", value_parser = Timestamp::parse_end)]
    availability_ends: Option<Timestamp>,
    /// Maximum number of submissions per creator, including drafts
    #[arg(long, value_name = "NUMBER", value_parser = args::cap)]
    max_num_submissions_per_creator: Option<SubmissionCap>,
    /// Maximum number of submitted submissions, by all creators together
    #[arg(long, value_name = "NUMBER", value_parser = args::limit)]
    max_num_submissions: Option<SubmissionLimit>,
    /// Display name in another language, such as de=Anmeldung; can be repeated
    #[arg(long, value_name = "LANGUAGE=NAME", value_parser = args::localized_name)]
    localized_name: Vec<(LanguageTag, FormName)>,
    /// Key of the user interface that belongs to the form
    #[arg(long, value_name = "KEY", value_parser = args::frontend_key)]
    frontend_key: Option<FrontendKey>,
    /// JSON object or array of an application; a change of an object is merged into it (RFC 7396)
    #[arg(long, value_name = "FILE|-")]
    additional_data: Option<PathBuf>,
    /// JSON array of the tags that submissions may get: objects with an identifier; '[]' for none
    #[arg(long, value_name = "FILE|-")]
    available_tags: Option<PathBuf>,
    /// What submitters may do with tags: read, add, remove ('' for nothing)
    #[arg(long, value_name = "ACTIONS", value_parser = args::tag_permissions)]
    tag_permissions_for_submitters: Option<TagPermissions>,
}

/// The changes to a form; at least one.
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
    "max_num_submissions",
    "localized_name",
    "frontend_key",
    "additional_data",
    "available_tags",
    "tag_permissions_for_submitters",
    "clear",
]))]
pub(crate) struct Update {
    #[command(flatten)]
    form: FormArg,
    /// Display name
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    fields: Fields,
    /// Fields to unset
    #[arg(long, value_enum, value_name = "FIELDS", value_delimiter = ',')]
    clear: Vec<Clearable>,
}

/// A field that can be unset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Clearable {
    #[value(alias = "schema")]
    DataFeedSchema,
    AvailableStarts,
    AvailabilityEnds,
    MaxNumSubmissionsPerCreator,
    MaxNumSubmissions,
    LocalizedNames,
    FrontendKey,
    AdditionalData,
}

impl Args {
    /// Whether the command creates a form.
    pub(crate) fn creates(&self) -> bool {
        matches!(self, Self::Create { .. } | Self::Demo(_))
    }

    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Create {
                name,
                identifier,
                fields,
            } => create(session, name.into_given()?, identifier, *fields).await,
            Self::Demo(demo) => demo.run(session).await,
            Self::List {
                where_read_form_submissions_granted,
                where_frontend_key_in,
                where_frontend_key_not_in,
            } => {
                let filter = FormFilter {
                    where_read_form_submissions_granted,
                    frontend_keys: FrontendKeys {
                        any_of: where_frontend_key_in,
                        none_of: where_frontend_key_not_in,
                    },
                };
                list(session, filter).await
            }
            Self::Show(form) => show(session, form.given()?).await,
            Self::Questions {
                form,
                data,
                language,
            } => {
                let data = data.as_deref().map(input::read).transpose()?;
                questions(session, form.given()?, data, language).await
            }
            Self::Update(update) => update.run(session).await,
            Self::Delete { form, dry_run } => delete(session, form.given()?, dry_run).await,
            Self::Share(share) => share.run(session).await,
            Self::Unshare(share) => share.take_back(session).await,
        }
    }
}

impl Fields {
    fn read_schema(&self) -> Result<Option<String>, Failure> {
        self.schema.as_deref().map(input::read).transpose()
    }

    fn read_additional_data(&self) -> Result<Option<Value>, Failure> {
        let Some(path) = self.additional_data.as_deref() else {
            return Ok(None);
        };
        let parsed = serde_json::from_str(&input::read(path)?);
        let value = parsed.map_err(|error| {
            Failure::usage(format!("the additional data are not JSON: {error}"))
        })?;
        Ok(Some(value))
    }

    fn read_available_tags(&self) -> Result<Option<AvailableTags>, Failure> {
        let Some(path) = self.available_tags.as_deref() else {
            return Ok(None);
        };
        let tags: Vec<Value> = serde_json::from_str(&input::read(path)?)
            .map_err(|error| Failure::usage(format!("the tags are not a JSON array: {error}")))?;
        Ok(Some(AvailableTags::new(&tags)?))
    }

    fn details(&self) -> Result<FormDetails, Failure> {
        let data = self.read_additional_data()?;
        Ok(FormDetails {
            localized_names: LocalizedNames::new(self.localized_name.clone())?,
            frontend_key: self.frontend_key.clone(),
            additional_data: data.as_ref().map(AdditionalData::new).transpose()?,
            available_tags: self.read_available_tags()?.unwrap_or_default(),
        })
    }

    /// The names to set; `None` if no name was given.
    fn names(&self) -> Option<BTreeMap<LanguageTag, Option<FormName>>> {
        let names = self.localized_name.iter().cloned();
        let names: BTreeMap<_, _> = names.map(|(tag, name)| (tag, Some(name))).collect();
        (!names.is_empty()).then_some(names)
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
            limit: self.max_num_submissions,
            tag_permissions: self.tag_permissions_for_submitters.unwrap_or_default(),
        })
    }
}

async fn create(
    session: &mut Session,
    name: String,
    identifier: Option<FormId>,
    fields: Fields,
) -> Outcome {
    let new = NewForm {
        name: FormName::new(name)?,
        data_feed_schema: fields.read_schema()?,
        rules: fields.rules()?,
        details: fields.details()?,
    };
    let forms = session.formalize.forms();
    let form = match identifier {
        Some(id) => forms.create_with_id(&session.caller, id, new).await?,
        None => forms.create(&session.caller, new).await?,
    };
    warn(&form.warnings);
    Ok(session.printer.item(&Form::from(form))?)
}

/// Says what the author of the schema may not have meant.
fn warn(warnings: &[FormWarning]) {
    for warning in warnings {
        note(&format!("warning: {warning}"));
    }
}

async fn list(session: &mut Session, filter: FormFilter) -> Outcome {
    let (formalize, caller) = session.service();
    let counts = session.printer.is_table();
    session
        .print_list::<_, Form>(async |request| {
            let page = formalize.forms().list(&caller, &filter, request).await?;
            let mut items = Vec::with_capacity(page.items.len());
            for form in page.items {
                let answers = if counts {
                    let (id, since) = (form.item.id, form.item.date_created);
                    let submissions = formalize.submissions();
                    let counted = submissions.count_since(&caller, id, since, MOST_ANSWERS + 1);
                    // The form may have been deleted in the meantime.
                    match counted.await {
                        Err(error @ Error::Store(_)) => return Err(error),
                        counted => counted.ok(),
                    }
                } else {
                    None
                };
                items.push(CountedForm { form, answers });
            }
            Ok(Page {
                items,
                next: page.next,
            })
        })
        .await
}

async fn show(session: &mut Session, form: &Reference<FormId>) -> Outcome {
    let id = session.form(form).await?;
    let form = session.formalize.forms().get(&session.caller, id).await?;
    Ok(session.printer.item(&Form::from(form))?)
}

async fn questions(
    session: &mut Session,
    form: &Reference<FormId>,
    data: Option<String>,
    language: Option<String>,
) -> Outcome {
    let id = session.form(form).await?;
    let forms = session.formalize.forms();
    let questions = forms.questions(&session.caller, id, data, language);
    let questions = questions.await?;
    if session.printer.is_json() {
        return Ok(session.printer.json(&questions)?);
    }
    let mut rows = Vec::new();
    let root = &questions.root;
    if root.children.is_empty() || !root.problems.is_empty() {
        Question::add(root, 0, &mut rows);
    } else {
        // The group of all questions says nothing more.
        for question in &root.children {
            Question::add(question, 0, &mut rows);
        }
    }
    rows.extend(questions.files.iter().map(Question::of_files));
    let mut list = session.printer.list::<Question>()?;
    list.page(&rows)?;
    list.end()?;
    if !questions.is_complete {
        note("the schema asks for more than can be shown as questions; the rest is asked as JSON");
    }
    Ok(())
}

impl Update {
    async fn run(self, session: &mut Session) -> Outcome {
        let id = session.form(self.form.given()?).await?;
        let forms = session.formalize.forms();
        let read = forms.get(&session.caller, id).await;
        let form = as_read(id, read, |view| view.item.revision)?;
        let change = self.change()?;
        let form = forms.update(&session.caller, form, change).await?;
        warn(form.as_ref().map_or(&[][..], |view| &view.warnings));
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
            limit: self.member(fields.max_num_submissions, Clearable::MaxNumSubmissions)?,
            tag_permissions: fields.tag_permissions_for_submitters,
            details: FormDetailsChange {
                localized_names: self.member(fields.names(), Clearable::LocalizedNames)?,
                frontend_key: self.member(fields.frontend_key.clone(), Clearable::FrontendKey)?,
                additional_data: self
                    .member(fields.read_additional_data()?, Clearable::AdditionalData)?,
                available_tags: fields.read_available_tags()?,
                is_whole: false,
            },
        })
    }

    /// The change of a field that can be unset.
    fn member<T>(&self, given: Option<T>, field: Clearable) -> Result<Change<T>, Failure> {
        match (given, self.clear.contains(&field)) {
            (None, false) => Ok(Change::Keep),
            (None, true) => Ok(Change::Clear),
            (Some(value), false) => Ok(Change::Set(value)),
            (Some(_), true) => Err(Failure::usage("a field cannot be both set and cleared")),
        }
    }
}

async fn delete(session: &mut Session, form: &Reference<FormId>, dry_run: bool) -> Outcome {
    let id = session.form(form).await?;
    if dry_run {
        let forms = session.formalize.forms();
        let deletion = forms.check_delete(&session.caller, id).await?;
        return session.print_deletion(deletion);
    }
    if session
        .must_ask(&ResourceRef::form(id), Operation::FormDelete)
        .await?
    {
        announce(session, id).await?;
    }
    let forms = session.formalize.forms();
    with_spinner("deleting", forms.delete(&session.caller, id)).await?;
    note(&format!("deleted form {id}"));
    Ok(())
}

/// Asks for confirmation if the form has submissions.
async fn announce(session: &Session, id: FormId) -> Outcome {
    let form = session
        .formalize
        .forms()
        .get(&Caller::System, id)
        .await?
        .item;
    let number = super::submissions::number(session, id, &SubmissionFilter::default()).await?;
    if number == 0 {
        return Ok(());
    }
    let (name, submissions) = (form.name.as_str(), plural(number, "submission"));
    confirm(&format!(
        "deleting the form `{name}` deletes {submissions} with it"
    ))
}
