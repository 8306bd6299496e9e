//! Writes all pages to a directory, to look at them in a browser:
//! `cargo run -p formalize-web --example pictures DIRECTORY`.

use std::error::Error;
use std::fs;
use std::path::Path;

use formalize_web::{
    Account, AnswerColumn, AnswerRow, AnswersFilter, AnswersPage, Asset, AttemptRow, ConsolePage,
    CreatedLink, DeleteAllPage, DeleteGroupPage, DeletePage, DeleteWebhookPage, DeliveryList,
    DeliveryPage, DeliveryRow, EditorNotice, EditorPage, EditorView, EndedPage, Entry,
    FirstSignInPage, FormFrame, FormOverviewPage, FormPage, FormRow, FormState, FormTab, Grantee,
    GroupMember, GroupPage, GroupsPage, Holder, Language, LinkPage, LinkPlaces, LinkRow,
    LinkValues, LinksPage, LocalTime, MessagePage, NewFormPage, Notice, PermissionReason, Problems,
    Reached, ReachedKind, ReadingPage, Right, SentPage, SettingsPage, SettingsValues, SharingPage,
    Shell, ShownFile, SignInFailedPage, SignInPage, SummaryPage, TokenRow, TokensPage,
    WebhookNotice, WebhookPage, WebhookRow, WebhookValues, WebhooksPage, Why, WhyRow,
};

#[path = "../src/tests/pages.rs"]
mod pages;

/// A logo that is visible on light and dark backgrounds.
const LOGO: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 32">
<path d="M4 28 20 4l8 12 8-8 24 20z" fill="#3d8f5f"/></svg>"##;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("expected a directory")?;
    let directory = Path::new(&directory);
    fs::create_dir_all(directory)?;
    fs::write(directory.join("page.css"), Asset::Style.content())?;
    fs::write(directory.join("console.css"), Asset::ConsoleStyle.content())?;
    fs::write(directory.join("icon.svg"), Asset::Icon.content())?;
    fs::write(directory.join("logo.svg"), LOGO)?;
    for language in [Language::English, Language::German, Language::Pseudo] {
        for (name, html) in pages::pages(language, &str::to_owned)? {
            // Opened as files, pages find what they load beside them.
            let html = html
                .replace("=\"/base/", "=\"/")
                .replace(Asset::Style.path(), "page.css")
                .replace(Asset::ConsoleStyle.path(), "console.css")
                .replace(Asset::Icon.path(), "icon.svg")
                .replace("/logo.svg", "logo.svg");
            let file = format!("{name}.{}.html", language.tag());
            fs::write(directory.join(file), html)?;
        }
    }
    Ok(())
}
