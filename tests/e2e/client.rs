//! A server with an administrator, and its client.

use formalize_tests::Server;
pub(crate) use formalize_tests::client::{Client, Installation};

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
