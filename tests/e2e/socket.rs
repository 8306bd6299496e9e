//! Requests sent byte by byte.

use std::io;
use std::time::Duration;

use formalize_tests::Server;
use formalize_tests::patience::in_time;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A connection on which requests are sent in pieces.
pub(crate) struct Connection(TcpStream);

impl Connection {
    pub(crate) async fn to(server: &Server) -> Self {
        let address = server.base_url().strip_prefix("http://").unwrap();
        Self(TcpStream::connect(address).await.unwrap())
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Sends bytes that the server may no longer accept.
    pub(crate) async fn try_send(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes()).await
    }

    /// Whether the server has answered or closed the connection.
    pub(crate) async fn has_ended(&mut self) -> bool {
        let mut byte = [0];
        let seen = self.0.peek(&mut byte);
        timeout(Duration::from_millis(1), seen).await.is_ok()
    }

    /// Reads at most this many bytes, and returns them.
    pub(crate) async fn some(&mut self, most: usize) -> Vec<u8> {
        let mut buffer = vec![0; most];
        let read = in_time("a response arrives", self.0.read(&mut buffer)).await;
        buffer.truncate(read.unwrap());
        buffer
    }

    /// The number of bytes until the server closes the connection.
    pub(crate) async fn rest_of_any_kind(&mut self) -> usize {
        let (mut buffer, mut total) = (vec![0; 1 << 16], 0);
        let read = async {
            while let Ok(read @ 1..) = self.0.read(&mut buffer).await {
                total += read;
            }
            total
        };
        in_time("the server closes the connection", read).await
    }

    /// Everything until the server closes the connection.
    pub(crate) async fn rest(&mut self) -> String {
        let mut text = String::new();
        let read = self.0.read_to_string(&mut text);
        // A connection that the server closes may end with an error.
        let _ = in_time("the server closes the connection", read).await;
        text
    }

    /// One response whose body does not matter, on a connection that stays open.
    pub(crate) async fn answer(&mut self) -> String {
        self.try_answer().await.unwrap()
    }

    /// The same from a server that may have closed the connection.
    pub(crate) async fn try_answer(&mut self) -> io::Result<String> {
        let mut text = vec![0; 4096];
        let read = in_time("a response arrives", self.0.read(&mut text)).await;
        text.truncate(read?);
        Ok(String::from_utf8(text).unwrap())
    }
}
