//! The set-up of the examples in the documentation of `formalize-core`, which hide it. It may change at any time.
//!
//! It is in this crate because examples can use what tests can, and because the library itself has no runtime.

#![expect(clippy::expect_used, reason = "an example fails by panicking")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

pub use std::sync::Arc;
pub use std::time::Duration;

use formalize_core::file_store::memory::MemoryFileStore;
pub use formalize_core::store::memory::MemoryStore;
pub use formalize_core::{
    authorization::*, events::*, files::*, forms::*, idempotency::*, links::*, submissions::*,
    tokens::*, webhooks::*, *,
};

/// What an example returns.
pub type Outcome = std::result::Result<(), Box<dyn std::error::Error>>;

/// Runs an example that prepares everything itself.
pub fn run(example: impl AsyncFnOnce() -> Outcome) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().expect("a runtime");
    runtime.block_on(example()).expect("no error");
}

/// Runs an example with an empty store.
pub fn with_formalize(example: impl AsyncFnOnce(Formalize) -> Outcome) {
    run(async || example(builder().build().await?).await);
}

fn builder() -> Builder {
    let files = Arc::new(MemoryFileStore::default());
    Formalize::builder(Arc::new(MemoryStore::new())).file_store(files)
}

/// Runs an example with a form for objects with an `entry`, a string.
pub fn with_form(example: impl AsyncFnOnce(Formalize, Form) -> Outcome) {
    with_formalize(async |formalize| {
        let schema = r#"{"type": "object", "properties": {"entry": {"type": "string"}}}"#;
        let form = create_form(&formalize, schema).await?;
        example(formalize, form).await
    });
}

/// Creates a form with a schema. It allows drafts.
pub async fn create_form(formalize: &Formalize, schema: &str) -> Result<Form> {
    let mut new = NewForm::new(FormName::new("Guest book")?);
    new.data_feed_schema = Some(schema.to_owned());
    new.rules.allowed_states = SubmissionState::ALL.iter().copied().collect();
    Ok(formalize.forms().create(&Caller::System, new).await?.item)
}

/// Runs an example with a form and a submission to it.
pub fn with_submission(example: impl AsyncFnOnce(Formalize, Form, Submission) -> Outcome) {
    with_form(async |formalize, form| {
        let new = NewSubmission::new(form.id, r#"{"entry": "Lovely."}"#);
        let created = formalize.submissions().create(&Caller::System, new).await?;
        example(formalize, form, created.item).await
    });
}

/// Runs an example with a group.
pub fn with_group(example: impl AsyncFnOnce(Formalize, Group) -> Outcome) {
    with_formalize(async |formalize| {
        let name = GroupName::new("Editors")?;
        let new = NewGroup { name };
        let created = formalize.groups().create(&Caller::System, new).await?;
        example(formalize, created.item).await
    });
}

/// Runs an example of a program with documents that can be published. The one that it gets is not registered.
pub fn with_document(example: impl AsyncFnOnce(Formalize, ResourceRef, Action) -> Outcome) {
    run(async || {
        let (class, publish) = (ResourceClass::new("Document")?, Action::new("publish")?);
        let actions = ClassActions {
            item_actions: [(publish.clone(), Labels::new())].into(),
            ..ClassActions::default()
        };
        let catalog = ActionCatalog::default().with_class(class.clone(), actions)?;
        let handbook = ResourceRef::item(class, ResourceIdentifier::new("handbook")?);
        example(builder().catalog(catalog).build().await?, handbook, publish).await
    });
}

/// Runs an example with three users, of which Grace may create forms and groups, and her form for talks. Creators may read
/// what they have submitted to it.
pub fn with_conference(example: impl AsyncFnOnce(Formalize, [Caller; 3], FormId) -> Outcome) {
    run(async || {
        let organiser = Condition::new(|facts| facts.user_id == "grace");
        let policies = Policies {
            create_forms: Some(organiser.clone()),
            create_groups: Some(organiser),
            ..Policies::default()
        };
        let formalize = builder().policies(policies).build().await?;
        let user = |name| UserId::new(name).map(Caller::user);
        let (grace, alice, bob) = (user("grace")?, user("alice")?, user("bob")?);
        let mut new = NewForm::new(FormName::new("Call for talks")?);
        new.rules.allowed_actions_when_submitted = [SubmittedAction::Read].into_iter().collect();
        let form = formalize.forms().create(&grace, new).await?.item.id;
        example(formalize, [grace, alice, bob], form).await
    });
}

/// Submits to a service over HTTP, whose route is `/forms/{id}`, whose callers are in the header `x-user`, and whose data is text.
pub async fn submit_over_http(formalize: &Formalize, address: SocketAddr) -> Outcome {
    let schema = r#"{"required": ["email"], "properties": {"email": {"format": "email"}}}"#;
    let form = create_form(formalize, schema).await?.id;
    let (bob, on_form) = (UserId::new("bob")?, ResourceRef::form(form));
    let grant = NewGrant::new(bob, Action::CREATE_SUBMISSIONS, on_form);
    formalize.grants().create(&Caller::System, grant).await?;
    let good = r#"{"email": "bob@example.org"}"#;
    let form = form.to_string();
    let requests = [
        ("bob", form.clone(), good, "201"),
        ("bob", form.clone(), r#"{"email": "bob"}"#, "422"),
        ("bob", "nothing".to_owned(), good, "404"),
        ("alice", form.clone(), good, "403"),
        ("", form, good, "401"),
    ];
    for (user, form, data, status) in requests {
        let request = move || post(address, user, &form, data);
        let answer = tokio::task::spawn_blocking(request).await??;
        let expected = format!("HTTP/1.1 {status}");
        assert!(answer.starts_with(&expected), "{status}: {answer}");
    }
    Ok(())
}

fn post(address: SocketAddr, user: &str, form: &str, data: &str) -> std::io::Result<String> {
    let mut connection = TcpStream::connect(address)?;
    let (length, end) = (data.len(), "\r\n");
    write!(
        connection,
        "POST /forms/{form} HTTP/1.1{end}Host: localhost{end}Connection: close{end}x-user: {user}{end}\
         Content-Type: text/plain{end}Content-Length: {length}{end}{end}{data}",
    )?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer)?;
    Ok(answer)
}
