//! Pages on which people sign in.

use maud::html;

use crate::shell::Shell;

/// The page on which people sign in.
#[derive(Debug, Clone, Default)]
pub struct SignInPage<'a> {
    /// Whether API tokens are accepted.
    pub takes_tokens: bool,
    /// Whether a token was sent that is not valid.
    pub is_wrong: bool,
    /// The identity providers: pairs of label and path.
    pub providers: &'a [(String, String)],
    /// Where people who have just signed out can sign out of an identity provider, too: pairs of its name and address.
    pub sign_outs: &'a [(String, String)],
    /// The path to go to afterwards.
    pub destination: Option<&'a str>,
}

impl SignInPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let heading = language.say("signIn");
        let invalid = self.is_wrong.then_some("true");
        let described = if self.is_wrong {
            "token.problem token.help"
        } else {
            "token.help"
        };
        let content = html! {
            @if !self.sign_outs.is_empty() {
                div.note role="status" {
                    p { (language.say("signedOut")) }
                    ul.plain {
                        @for (label, address) in self.sign_outs {
                            li {
                                a href=(address) dir="auto" {
                                    (language.say_with("signOutOf", &[("provider", label)]))
                                }
                            }
                        }
                    }
                }
            }
            h1 { (heading) }
            @for (label, path) in self.providers {
                p { a.button.primary href=(shell.at(path)) dir="auto" { (label) } }
            }
            @if self.takes_tokens {
                form method="post" action=(shell.action("/sign-in/token")) {
                    @if let Some(destination) = self.destination {
                        input type="hidden" name="return" value=(destination);
                    }
                    div.field.wrong[self.is_wrong] {
                        label for="token" { (language.say("token")) }
                        p.help id="token.help" { (language.say("tokenHelp")) }
                        @if self.is_wrong {
                            p.problem id="token.problem" { (language.say("tokenWrong")) }
                        }
                        input type="password" id="token" name="secret" required autocomplete="current-password"
                            aria-invalid=[invalid] aria-describedby=(described) autofocus[self.is_wrong];
                    }
                    div.actions {
                        button.primary type="submit" { (heading) }
                    }
                }
            }
            @if !self.takes_tokens && self.providers.is_empty() {
                p { (language.say("signInUnavailable")) }
            }
        };
        let title = if self.is_wrong {
            language.say_with("errorTitle", &[("title", heading)])
        } else {
            heading.to_owned()
        };
        shell.page(&title, content)
    }
}

/// The page that says that signing in with an identity provider did not work.
#[derive(Debug, Clone, Copy)]
pub struct SignInFailedPage<'a> {
    /// Whether the identity provider does not respond.
    pub is_outage: bool,
    /// The path at which to try again.
    pub again: &'a str,
    /// The id of the request, which an operator can look up in the log.
    pub request_id: &'a str,
}

impl SignInFailedPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let heading = language.say("signInFailed");
        let text = if self.is_outage {
            "signInFailed.outage"
        } else {
            "signInFailed.text"
        };
        let content = html! {
            h1 { (heading) }
            p { (language.say(text)) }
            p { a.button.primary href=(shell.at(self.again)) { (language.say("tryAgain")) } }
            p.hint { (language.say_with("requestId", &[("id", self.request_id)])) }
        };
        shell.page(heading, content)
    }
}

/// The page on which the administrator of a new installation signs in for the first time.
#[derive(Debug, Clone, Copy)]
pub struct FirstSignInPage;

impl FirstSignInPage {
    /// The page as HTML.
    pub fn render(self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            h1 { (language.say("first")) }
            p { (language.say("firstText")) }
            form method="post" {
                div.actions {
                    button.primary type="submit" { (language.say("signIn")) }
                }
            }
        };
        shell.page(language.say("first"), content)
    }
}
