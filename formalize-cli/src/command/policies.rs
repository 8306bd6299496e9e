//! `formalize policies`.

use formalize_core::condition::{Condition, Facts};
use formalize_core::config::Settings;
use formalize_core::{Attributes, ResourceClass, UserId};

use crate::args::Global;
use crate::output::Printer;
use crate::record::Policy;
use crate::session::{Outcome, note};

/// Test the policies and dynamic groups of the configuration file
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Show which policies and dynamic groups apply to a user, and evaluation errors
    ///
    /// Pass attributes of the user with --attribute. No database is opened: grants, and the administrator created by the
    /// first start of the server, are not taken into account.
    #[command(
        after_help = "Example:\n  formalize policies test --user alice --attribute roles='[\"staff\"]' --form-name Newsletter"
    )]
    Test(Test),
}

/// The user to test.
#[derive(Debug, clap::Args)]
pub(crate) struct Test {
    /// The user
    #[arg(long, value_name = "USER", visible_alias = "user-identifier")]
    user: UserId,
    /// Name of the form to create, for `policies.create_forms`
    #[arg(long, value_name = "NAME")]
    form_name: Option<String>,
}

/// The only setting whose condition can use the form.
const CREATE_FORMS: &str = "policies.create_forms";

impl Args {
    pub(crate) fn run(
        self,
        global: &Global,
        settings: &Settings,
        printer: &mut Printer,
    ) -> Outcome {
        let Self::Test(test) = self;
        test.run(global, settings, printer)
    }
}

impl Test {
    fn run(&self, global: &Global, settings: &Settings, printer: &mut Printer) -> Outcome {
        let facts = Facts {
            user_id: self.user.as_str(),
            attributes: &global.attributes,
            form_name: None,
        };
        let policies = settings.policies.by_setting().map(|(setting, condition)| {
            let form_name = self
                .form_name
                .as_deref()
                .filter(|_| setting == CREATE_FORMS);
            let facts = Facts { form_name, ..facts };
            evaluated(setting, condition, &facts)
        });
        let groups = settings.dynamic_groups.iter().map(|(group, condition)| {
            let setting = format!("dynamic_groups.{group}");
            evaluated(setting, Some(condition), &facts)
        });
        printer.all(policies.chain(groups))?;
        self.mention_form(settings);
        Ok(())
    }

    fn mention_form(&self, settings: &Settings) {
        let create_forms = settings.policies.create_forms.as_ref();
        if self.form_name.is_none() && create_forms.is_some_and(Condition::reads_form) {
            note("note: policies.create_forms uses `form.name`; set it with --form-name");
        }
    }
}

/// Whether a policy may decide about an action on a collection, or on items if there is none.
fn decides(setting: &str, collection: Option<&ResourceClass>) -> bool {
    match setting {
        "policies.manage_everything" => true,
        "administrators" => collection.is_some(),
        "policies.create_groups" => collection == Some(&ResourceClass::GROUP),
        CREATE_FORMS => collection == Some(&ResourceClass::FORM),
        other => {
            let class = other.strip_prefix("policies.manage_collection.");
            class.is_some() && class == collection.map(ResourceClass::as_str)
        }
    }
}

/// The policies and dynamic groups that might allow a user something on a collection, or on items if there is none, and cannot
/// be evaluated: each with the reason, in a sentence.
pub(crate) fn failing(
    settings: &Settings,
    user: &UserId,
    attributes: &Attributes,
    collection: Option<&ResourceClass>,
) -> Vec<String> {
    let facts = Facts {
        user_id: user.as_str(),
        attributes,
        // Any name.
        form_name: Some(""),
    };
    let policies = settings
        .policies
        .by_setting()
        .filter(|(setting, _)| decides(setting, collection))
        .filter_map(|(setting, condition)| Some((setting, condition?)));
    let groups = settings.dynamic_groups.iter();
    let groups = groups.map(|(group, condition)| (format!("dynamic_groups.{group}"), condition));
    let failing = policies.chain(groups).filter_map(|(setting, condition)| {
        let failure = condition.explain(&facts).err()?;
        Some(format!(
            "{setting} does not hold for `{user}`: {failure}; see --attribute"
        ))
    });
    failing.collect()
}

fn evaluated(setting: String, condition: Option<&Condition>, facts: &Facts<'_>) -> Policy {
    let result = condition.map(|condition| condition.explain(facts));
    Policy {
        setting,
        holds: matches!(result, Some(Ok(true))),
        failure: result
            .and_then(Result::err)
            .map(|failure| failure.to_string()),
        condition: condition.map(|condition| condition.source().to_owned()),
    }
}
