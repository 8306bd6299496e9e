//! Pages on which the questions of a form are edited.

mod draft;
mod saving;

use draft::Draft;
use formalize_core::{
    Error, Form, FormId, Revision,
    authorization::Operation,
    editor::{Card, SchemaText, extent},
    forms::SchemaTrial,
    offload_for,
    questions::Entries,
};
use formalize_http::failure::Refusal;
use formalize_web::{EditorNotice, EditorPage, EditorView, NewFormPage, Template};
use poem::{Response, http::StatusCode};

use super::{
    super::{sent::Sent, visit::Visit},
    form::ManagedForm,
};

/// What the editor begins with if a form has no schema.
const NO_SCHEMA: &str = "{\n  \"type\": \"object\",\n  \"properties\": {}\n}\n";

/// The form that is edited; a new one has none.
pub(super) struct Edited {
    form: Option<(ManagedForm, Form)>,
}

impl Edited {
    /// The form at an identifier in a path, for somebody who may change it.
    ///
    /// # Errors
    ///
    /// A refusal if there is no such form, or the reader may not change it.
    async fn of(visit: &Visit, id: &str) -> Result<Self, Refusal> {
        let managed = ManagedForm::allowing(visit, id, Operation::FormUpdate).await?;
        let form = managed.form.readable()?.clone();
        Ok(Self {
            form: Some((managed, form)),
        })
    }

    /// A form that does not exist yet, for somebody who may create one.
    ///
    /// # Errors
    ///
    /// A refusal if the reader may create no forms.
    async fn new(visit: &Visit) -> Result<Self, Refusal> {
        let forms = visit.formalize().forms();
        if forms.may_create(visit.caller()?).await? {
            Ok(Self { form: None })
        } else {
            Err(Error::Forbidden.into())
        }
    }

    fn id(&self) -> Option<FormId> {
        self.form.as_ref().map(|(_, form)| form.id)
    }

    /// The text that is stored, or with which the editor begins.
    fn text(&self) -> &str {
        let form = self.form.as_ref();
        let schema = form.and_then(|(_, form)| form.data_feed_schema.as_deref());
        schema.unwrap_or(NO_SCHEMA)
    }

    fn revision(&self) -> Option<Revision> {
        self.form.as_ref().map(|(_, form)| form.revision)
    }
}

/// The page on which a form is edited.
pub(super) async fn show(visit: &Visit, id: &str, old: Option<&Sent>) -> Result<Response, Refusal> {
    let edited = Edited::of(visit, id).await?;
    if let Some(sent) = old {
        return show_again(visit, edited, sent).await;
    }
    let notice = match () {
        () if visit.parameter("saved").is_some() => Some(EditorNotice::Saved),
        () if visit.parameter("unchanged").is_some() => Some(EditorNotice::Unchanged),
        () => None,
    };
    let draft = fresh(visit, edited.text().to_owned()).await?;
    let editor = OpenEditor::new(visit, edited, draft);
    editor.page(StatusCode::OK, notice).await
}

/// The page on which a new form begins, or that of a template.
pub(super) async fn show_new(visit: &Visit, old: Option<&Sent>) -> Result<Response, Refusal> {
    let edited = Edited::new(visit).await?;
    if let Some(sent) = old {
        return show_again(visit, edited, sent).await;
    }
    let Some(template) = visit.parameter("template").and_then(Template::of_key) else {
        return Ok(visit.html(StatusCode::OK, NewFormPage.render(&visit.shell())));
    };
    let draft = fresh(visit, template.schema(visit.language)).await?;
    let mut editor = OpenEditor::new(visit, edited, draft);
    template
        .form_name(visit.language)
        .clone_into(&mut editor.name);
    editor.page(StatusCode::OK, None).await
}

/// Edits a form, tries answers, or saves the questions.
pub(super) async fn send(visit: &Visit, id: &str, sent: &Sent) -> Result<Response, Refusal> {
    let edited = Edited::of(visit, id).await?;
    OpenEditor::read(visit, edited, sent)
        .await?
        .work(sent)
        .await
}

/// Edits a new form, tries answers, or creates it.
pub(super) async fn send_new(visit: &Visit, sent: &Sent) -> Result<Response, Refusal> {
    let edited = Edited::new(visit).await?;
    OpenEditor::read(visit, edited, sent)
        .await?
        .work(sent)
        .await
}

/// The draft of an unchanged text.
async fn fresh(visit: &Visit, text: String) -> Result<Draft, Refusal> {
    let draft = offload_for(visit.caller()?, move || Draft::of(text)).await;
    Ok(draft.map_err(Error::from)?)
}

/// What a page shows of a text.
struct Shown {
    cards: Vec<Card>,
    takes_conditions: bool,
}

impl Shown {
    /// `None` if the text is not JSON.
    fn of(text: &str, languages: &[String]) -> Option<Self> {
        let schema = SchemaText::new(text).ok()?;
        Some(Self {
            cards: schema.cards(languages),
            takes_conditions: schema.takes_conditions(),
        })
    }
}

/// Shows the questions again that came without a valid token: the page is older than the session. Nothing is done.
async fn show_again(visit: &Visit, edited: Edited, sent: &Sent) -> Result<Response, Refusal> {
    let mut editor = OpenEditor::read(visit, edited, sent).await?;
    editor.is_tried = false;
    editor
        .page(StatusCode::FORBIDDEN, Some(EditorNotice::Resend))
        .await
}

/// The editor, with what somebody works on.
struct OpenEditor {
    visit: Visit,
    edited: Edited,
    draft: Draft,
    name: String,
    /// The revision with which the author began.
    revision: Option<Revision>,
    entries: Entries,
    spoken: Option<String>,
    is_tried: bool,
    /// Whether nobody has worked on it yet.
    is_fresh: bool,
}

impl OpenEditor {
    fn new(visit: &Visit, edited: Edited, draft: Draft) -> Self {
        Self {
            visit: visit.clone(),
            revision: edited.revision(),
            edited,
            draft,
            name: String::new(),
            entries: Entries::default(),
            spoken: None,
            is_tried: false,
            is_fresh: true,
        }
    }

    async fn read(visit: &Visit, edited: Edited, sent: &Sent) -> Result<Self, Refusal> {
        let inputs = sent.clone();
        let draft = offload_for(visit.caller()?, move || Draft::read(&inputs)).await;
        let mut editor = Self::new(visit, edited, draft.map_err(Error::from)??);
        sent.own("name")
            .unwrap_or_default()
            .clone_into(&mut editor.name);
        if editor.edited.form.is_some() {
            editor.revision = Some(sent.revision()?);
        }
        editor.entries = visit.tried(sent)?;
        editor.is_fresh = false;
        editor.spoken = sent.own("spoken").map(str::to_owned);
        editor.is_tried = sent.own("do") == Some("try");
        Ok(editor)
    }

    async fn work(mut self, sent: &Sent) -> Result<Response, Refusal> {
        let button = sent.own("do").unwrap_or_default();
        match button {
            "save" | "save-anyway" if self.draft.problem.is_none() => {
                Box::pin(self.save(sent, button == "save-anyway")).await
            }
            "show" | "try" => self.page(StatusCode::OK, None).await,
            _ => {
                self.press(button.to_owned(), sent.clone()).await?;
                let status = match self.draft.problem {
                    Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
                    None => StatusCode::OK,
                };
                self.page(status, None).await
            }
        }
    }

    async fn press(&mut self, button: String, sent: Sent) -> Result<(), Refusal> {
        let mut draft = self.draft.clone();
        let press = move || {
            draft.press(&button, &sent);
            draft
        };
        let pressed = offload_for(self.visit.caller()?, press).await;
        self.draft = pressed.map_err(Error::from)?;
        Ok(())
    }

    async fn trial(&self) -> Result<SchemaTrial, Refusal> {
        let languages = &self.draft.languages;
        let spoken = self
            .spoken
            .as_ref()
            .filter(|spoken| languages.contains(spoken));
        let language = spoken.cloned().unwrap_or_else(|| self.visit.spoken());
        let forms = self.visit.formalize().forms();
        let (caller, id) = (self.visit.caller()?, self.edited.id());
        let (text, entries) = (self.draft.text.clone(), self.entries.clone());
        Ok(forms
            .try_schema(caller, id, text, entries, Some(language), self.is_tried)
            .await?)
    }

    /// The page, with a trial of its text.
    async fn page(
        self,
        status: StatusCode,
        notice: Option<EditorNotice>,
    ) -> Result<Response, Refusal> {
        // Boxed here and for saving, because all that the page shows is large.
        Box::pin(self.made_page(status, notice)).await
    }

    async fn made_page(
        self,
        status: StatusCode,
        notice: Option<EditorNotice>,
    ) -> Result<Response, Refusal> {
        let visit = self.visit.clone();
        let trial = self.trial().await?;
        let (text, languages) = (self.draft.text.clone(), self.draft.languages.clone());
        let read = move || Shown::of(&text, &languages);
        let shown = offload_for(visit.caller()?, read).await;
        let shown = shown.map_err(Error::from)?;
        let cards = shown.as_ref().map_or(&[][..], |shown| &shown.cards);
        let preview = trial.answers.as_ref().map(|answers| &answers.questions);
        let extent = extent(&self.draft.text, cards, preview);
        // Boxed, because it is moved several times and holds all that the page shows.
        let draw =
            Box::new(move |visit: &Visit| self.draw(visit, &trial, shown.as_ref(), status, notice));
        visit.draw(extent, draw).await
    }

    fn draw(
        &self,
        visit: &Visit,
        trial: &SchemaTrial,
        shown: Option<&Shown>,
        status: StatusCode,
        notice: Option<EditorNotice>,
    ) -> Response {
        let draft = &self.draft;
        let form = self.edited.form.as_ref();
        let is_rejected = trial.is_accepted == Some(false) && status == StatusCode::OK;
        let spoken = self.spoken.as_deref().or(Some(visit.language.tag()));
        let page = EditorPage {
            frame: form.map(|(managed, _)| managed.frame()),
            action: &visit.path,
            token: visit.token(&visit.path),
            name: &self.name,
            revision: self.revision.map(|revision| revision.as_uuid().to_string()),
            text: &draft.text,
            is_changed: !self.is_fresh && draft.text != self.edited.text(),
            // A text that is not JSON has no cards.
            view: if shown.is_some() {
                draft.view()
            } else {
                EditorView::Text
            },
            cards: shown.map_or(&[][..], |shown| &shown.cards),
            takes_conditions: shown.is_some_and(|shown| shown.takes_conditions),
            languages: &draft.languages,
            open: draft.open.as_deref(),
            entered: draft.entered.as_ref(),
            problem: draft.problem.as_ref(),
            focus: draft.focus.as_deref(),
            notice,
            trial,
            entries: &self.entries,
            spoken,
        };
        let status = if is_rejected {
            StatusCode::UNPROCESSABLE_ENTITY
        } else {
            status
        };
        visit.html(status, page.render(&visit.shell()))
    }
}
