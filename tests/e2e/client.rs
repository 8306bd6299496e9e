//! A server with an administrator, and its client.

use formalize_tests::Server;
pub(crate) use formalize_tests::client::{Client, Installation};
use formalize_tests::patience::found;

/// An installation on SQLite, and a server that is started with these arguments.
pub(crate) async fn started(arguments: &[&str]) -> (Installation, Server) {
    let installation = Installation::on_sqlite().await.unwrap();
    let command = installation.command.clone();
    let command = arguments
        .iter()
        .fold(command, |command, argument| command.arg(*argument));
    let server = command.start().await.unwrap();
    (installation, server)
}

/// Waits until `/readyz` responds with a status, and returns the response.
pub(crate) async fn readiness(server: &Server, expected: u16) -> String {
    let url = format!("{}/readyz", server.base_url());
    found(&format!("/readyz responds with {expected}"), async || {
        let answer = reqwest::get(&url).await.unwrap();
        let is_expected = answer.status().as_u16() == expected;
        let text = answer.text().await.unwrap();
        is_expected.then_some(text)
    })
    .await
}
