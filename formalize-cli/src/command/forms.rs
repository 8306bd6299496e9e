//! `formalize forms`.

use std::path::PathBuf;

use formalize_core::{
    Caller, Error, Field, FormFilter, FormId, Page, ResourceRef, SubmissionFilter,
    authorization::Operation,
    forms::{FormWarning, FrontendKey, FrontendKeys},
};
use formalize_views::form::{FormChange, NewForm};

use super::demo::Demo;
use crate::args;
use crate::fields::{Fields, Options};
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
        fields: Box<Fields<NewForm>>,
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

impl Options for NewForm {
    const TAKEN_OTHERWISE: &'static [Field] = &[Field::Name];
    const ALIASES: &'static [(Field, &'static str)] = ALIASES;
}

impl Options for FormChange {
    const ALIASES: &'static [(Field, &'static str)] = ALIASES;
    const IS_CHANGE: bool = true;
}

const ALIASES: &[(Field, &str)] = &[
    (Field::DataFeedSchema, "schema"),
    (Field::LocalizedNames, "localized-name"),
];

/// The changes to a form; at least one.
#[derive(Debug, clap::Args)]
pub(crate) struct Update {
    #[command(flatten)]
    form: FormArg,
    #[command(flatten)]
    fields: Fields<FormChange>,
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

async fn create(
    session: &mut Session,
    name: String,
    identifier: Option<FormId>,
    fields: Fields<NewForm>,
) -> Outcome {
    let new = fields.with(Field::Name, name).read()?;
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
    session.printer.all(rows.into_iter())?;
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
        let change = self.fields.read()?;
        let form = forms.update(&session.caller, form, change).await?;
        warn(form.as_ref().map_or(&[][..], |view| &view.warnings));
        session.print_changed::<_, Form>(form)
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
