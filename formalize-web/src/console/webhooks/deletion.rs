//! The page that asks whether to delete a webhook.

use maud::html;

use super::WebhookRow;
use crate::console::frame::{FormFrame, FormTab};
use crate::console::parts::{Problems, token};
use crate::shell::Shell;

/// The page that asks whether to delete a webhook.
#[derive(Debug, Clone)]
pub struct DeleteWebhookPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// The token against forged requests.
    pub token: String,
    /// The webhook.
    pub webhook: WebhookRow,
    /// Why nothing was deleted.
    pub problems: Problems,
}

impl DeleteWebhookPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            (self.problems.summary(language))
            section.card aria-labelledby="delete" {
                h2 id="delete" { (language.say("deleteWebhook.title")) }
                p { (self.webhook.name()) }
                p { (language.say("deleteWebhook.text")) }
                form method="post" {
                    (token(&self.token))
                    div.actions {
                        button.danger type="submit" name="do" value="delete" { (language.say("delete")) }
                        a.button href=(shell.at(&self.webhook.path)) { (language.say("cancel")) }
                    }
                }
            }
        };
        let is_refused = !self.problems.is_empty();
        self.frame
            .page(shell, FormTab::Webhooks, is_refused, None, &content)
    }
}
