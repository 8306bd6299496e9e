//! `formalize forms demo`.

use formalize_core::{
    DynamicGroupId, Error, FormId, FormName, NewForm, SubmissionRules, UserId,
    forms::{FormAccess, FormDetails, LanguageTag, LocalizedNames, SubmittedAction},
};

use crate::record::Form;
use crate::session::{Outcome, Session, note};

/// The identifier by which the Relay web client knows its demo form.
const IDENTIFIER: &str = "e78869ce-e9b3-4df2-854b-cf88a35285f5";

/// The client sends an empty text for what was not filled in, so no text has a format.
const SCHEMA: &str = include_str!("demo_form.json");

/// The user who manages the form, and the form's identifier.
#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// Let this user manage the form
    #[arg(long, value_name = "USER")]
    manager: Option<UserId>,
    /// Identifier of the form
    #[arg(long, value_name = "UUID", default_value = IDENTIFIER)]
    identifier: FormId,
}

impl Demo {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        let forms = session.formalize.forms();
        let created = forms.create_with_id(&session.caller, self.identifier, form()?);
        match created.await {
            Ok(_) => {}
            // A form that is still being deleted has the identifier, too.
            Err(Error::FormExists) => {
                let id = self.identifier;
                return match forms.get(&session.caller, id).await {
                    Ok(_) => {
                        note(&format!("the form {id} exists; nothing was changed"));
                        Ok(())
                    }
                    Err(Error::FormNotFound) => Err(Error::FormExists.into()),
                    Err(error) => Err(error.into()),
                };
            }
            Err(error) => return Err(error.into()),
        }
        let mut shared = vec![(DynamicGroupId::EVERYBODY.into(), FormAccess::Fill)];
        shared.extend(self.manager.map(|user| (user.into(), FormAccess::Manage)));
        for (with, access) in &shared {
            let caller = &session.caller;
            let _ = forms.share(caller, self.identifier, with, *access).await?;
        }
        let form = forms.get(&session.caller, self.identifier).await?;
        Ok(session.printer.item(&Form::from(form))?)
    }
}

fn form() -> Result<NewForm, Error> {
    let german = (LanguageTag::new("de")?, FormName::new("Demo-Formular")?);
    let actions = [
        SubmittedAction::Read,
        SubmittedAction::Update,
        SubmittedAction::Delete,
    ];
    Ok(NewForm {
        data_feed_schema: Some(SCHEMA.to_owned()),
        rules: SubmissionRules {
            allowed_actions_when_submitted: actions.into_iter().collect(),
            ..SubmissionRules::default()
        },
        details: FormDetails {
            localized_names: LocalizedNames::new([german])?,
            ..FormDetails::default()
        },
        ..NewForm::new(FormName::new("Demo form")?)
    })
}
