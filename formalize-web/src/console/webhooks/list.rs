//! The page with the webhooks of a form.

use maud::html;

use super::{WebhookRow, WebhookValues, secret_card};
use crate::asset::Asset;
use crate::console::frame::{FormFrame, FormTab};
use crate::console::parts::{Problems, token};
use crate::shell::Shell;

/// The page with the webhooks of a form.
#[derive(Debug, Clone)]
pub struct WebhooksPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// The token against forged requests.
    pub token: String,
    /// The webhooks.
    pub webhooks: Vec<WebhookRow>,
    /// The secret of the webhook that was just created.
    pub secret: Option<String>,
    /// What was entered for a new webhook.
    pub values: WebhookValues,
    /// Why it was refused.
    pub problems: Problems,
}

impl WebhooksPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let inputs = self.problems.inputs(language);
        let content = html! {
            @if let Some(secret) = &self.secret { (secret_card(language, "createdWebhook", secret)) }
            (self.problems.summary(language))
            @if self.webhooks.is_empty() {
                p.empty { (language.say("noWebhooks")) }
            } @else {
                ul.rows {
                    @for webhook in &self.webhooks { (webhook.row(shell)) }
                }
            }
            section.card aria-labelledby="new-webhook" {
                h2 id="new-webhook" { (language.say("newWebhook")) }
                p.help { (language.say("newWebhook.help")) }
                form method="post" novalidate {
                    (token(&self.token))
                    (self.values.inputs(inputs))
                    div.actions {
                        button.primary type="submit" name="do" value="create" { (language.say("newWebhook.do")) }
                    }
                }
            }
        };
        let is_refused = !self.problems.is_empty();
        let script = self.secret.as_ref().map(|_| Asset::ConsoleScript);
        self.frame
            .page(shell, FormTab::Webhooks, is_refused, script, &content)
    }
}
