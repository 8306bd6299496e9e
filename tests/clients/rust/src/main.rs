//! A scenario with the Rust client that progenitor generates: create a form, submit invalid and valid data, list page
//! by page, share and read. See tests/clients/run.

use std::{env, error::Error};

use client::types::{
    Form, FormChange, NewForm, NewResourceActionGrant, NewSubmission, SubmissionState,
};
use client::{Client, Error as Failure};
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde_json::json;

/// The generated code.
#[allow(
    clippy::all,
    clippy::pedantic,
    dead_code,
    unused_imports,
    mismatched_lifetime_syntaxes
)]
mod client {
    include!(concat!(env!("OUT_DIR"), "/client.rs"));
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const SCHEMA: &str = r#"{
    "type": "object",
    "required": ["name", "email"],
    "properties": { "name": { "type": "string" }, "email": { "type": "string", "format": "email" } }
}"#;
const DATA: &str = r#"{"name": "Ada", "email": "ada@example.org"}"#;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let token = env::var("FORMALIZE_TOKEN")?;
    let headers = HeaderMap::from_iter([(AUTHORIZATION, format!("Bearer {token}").parse()?)]);
    let http = reqwest::Client::builder()
        .default_headers(headers)
        .build()?;
    let client = Client::new_with_client(&env::var("FORMALIZE_URL")?, http);

    let form = create_form(&client).await?;
    submit_with_mistakes(&client, &form).await?;
    submit_and_list(&client, &form).await?;
    walk(&client, &form).await?;
    share(&client, &form).await?;
    read(&client, &form).await?;
    println!("Rust: passed");
    Ok(())
}

async fn create_form(client: &Client) -> Result<Form> {
    let new = NewForm::builder()
        .name("Workshop registration")
        .data_feed_schema(SCHEMA.to_owned());
    let form = client.create_form().body(new).send().await?.into_inner();
    assert_eq!(form.data_feed_schema.as_deref(), Some(SCHEMA));
    assert_eq!(form.availability_ends, None);
    assert_eq!(form.granted_actions, ["manage"]);
    Ok(form)
}

async fn submit_with_mistakes(client: &Client, form: &Form) -> Result<()> {
    let mistaken = NewSubmission::builder()
        .form_identifier(form.identifier)
        .data_feed_element(json!({ "email": "ada" }).to_string());
    let Err(Failure::ErrorResponse(refused)) =
        client.create_submission().body(mistaken).send().await
    else {
        return Err("invalid data was accepted".into());
    };
    assert_eq!(refused.status().as_u16(), 400);
    let problem = refused.into_inner();
    assert_eq!(problem.relay_error_id, "formalize:submission-invalid-json");
    let mut places: Vec<_> = problem
        .violations
        .iter()
        .map(|violation| (violation.keyword.as_str(), violation.instance_path.as_str()))
        .collect();
    places.sort_unstable();
    assert_eq!(places, [("format", "/email"), ("required", "")]);
    Ok(())
}

async fn submit_and_list(client: &Client, form: &Form) -> Result<()> {
    let new = NewSubmission::builder()
        .form_identifier(form.identifier)
        .data_feed_element(DATA.to_owned());
    let submission = client
        .create_submission()
        .body(new)
        .send()
        .await?
        .into_inner();
    assert_eq!(submission.data_feed_element.as_deref(), Some(DATA));
    assert_eq!(submission.submission_state, SubmissionState::Submitted);
    let list = client
        .list_submissions()
        .form_identifier(form.identifier.to_string());
    let page = list.per_page(10).send().await?.into_inner();
    assert_eq!(page.items.len(), 1);
    assert_eq!(page.items[0].identifier, submission.identifier);
    assert_eq!(page.next_cursor, None);
    Ok(())
}

/// Reads all submissions, one on each page, with the defaults of the document.
async fn walk(client: &Client, form: &Form) -> Result<()> {
    for _ in 0..2 {
        let new = NewSubmission::builder()
            .form_identifier(form.identifier)
            .data_feed_element(DATA.to_owned());
        client.create_submission().body(new).send().await?;
    }
    let mut walked = 0;
    let mut cursor = None;
    loop {
        let mut list = client
            .list_submissions()
            .form_identifier(form.identifier.to_string())
            .per_page(1);
        if let Some(cursor) = cursor {
            list = list.cursor::<String>(cursor);
        }
        let page = list.send().await?.into_inner();
        walked += page.items.len();
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(walked, 3);
    Ok(())
}

async fn share(client: &Client, form: &Form) -> Result<()> {
    let new = NewResourceActionGrant::builder()
        .resource_class("DbpRelayFormalizeForm".to_owned())
        .resource_identifier(form.identifier.to_string())
        .action("read")
        .dynamic_group_identifier("everybody".to_owned());
    let made = client
        .create_resource_action_grant()
        .body(new)
        .send()
        .await?
        .into_inner();
    let read = client
        .get_resource_action_grant()
        .identifier(made.identifier.to_string());
    let read = read.send().await?.into_inner();
    assert_eq!(read.identifier, made.identifier);
    assert_eq!(read.dynamic_group_identifier.as_deref(), Some("everybody"));
    Ok(())
}

async fn read(client: &Client, form: &Form) -> Result<()> {
    let identifier = form.identifier.to_string();
    let found = client
        .get_form()
        .identifier(&identifier)
        .send()
        .await?
        .into_inner();
    assert_eq!(found.num_submissions_by_current_user, Some(3));
    let change = FormChange::builder().max_num_submissions_per_creator(2);
    let change = client
        .update_form()
        .identifier(&identifier)
        .if_match("*")
        .body(change);
    assert_eq!(
        change
            .send()
            .await?
            .into_inner()
            .max_num_submissions_per_creator,
        Some(2)
    );
    Ok(())
}
