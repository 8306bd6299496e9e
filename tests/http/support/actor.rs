//! Sending requests.

use poem::http::{HeaderMap, HeaderValue, Method};
use poem::{Body, Endpoint, Request, Response};
use serde_json::Value;
use tokio::io::AsyncRead;

use super::{Answer, App, described, files, items, query};
use crate::laws;

/// A caller.
#[derive(Clone, Copy)]
pub(crate) struct Actor<'a> {
    pub(super) app: &'a App,
    pub(super) token: Option<&'a str>,
    pub(super) is_at_relay: bool,
}

impl<'a> Actor<'a> {
    /// The same caller, whose requests are sent to the interface for the Relay web client.
    pub(crate) fn at_relay(self) -> Self {
        Self {
            is_at_relay: true,
            ..self
        }
    }

    pub(crate) async fn get(self, path: &str) -> Answer {
        self.request(Method::GET, path).send().await
    }

    pub(crate) async fn post(self, path: &str, body: Value) -> Answer {
        self.request(Method::POST, path).json(&body).send().await
    }

    pub(crate) async fn patch(self, path: &str, body: Value) -> Answer {
        let media = "application/merge-patch+json";
        let request = self
            .request(Method::PATCH, path)
            .header("content-type", media);
        request.body(body.to_string()).send().await
    }

    pub(crate) async fn delete(self, path: &str) -> Answer {
        self.request(Method::DELETE, path).send().await
    }

    /// A request with special properties.
    pub(crate) fn request(self, method: Method, path: &str) -> Asking<'a> {
        let mut headers = HeaderMap::new();
        if let Some(token) = self.token {
            headers.insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        Asking {
            app: self.app,
            is_at_relay: self.is_at_relay,
            method,
            path: path.to_owned(),
            headers,
            body: Body::empty(),
        }
    }

    /// A POST with this text as JSON.
    pub(crate) async fn post_text(self, path: &str, text: impl Into<Vec<u8>>) -> Answer {
        self.request(Method::POST, path)
            .header("content-type", "application/json")
            .body(text)
            .send()
            .await
    }

    /// Adds a file to a submission.
    pub(crate) async fn add_file(
        self,
        submission: &str,
        attribute: &str,
        name: &str,
        content: impl Into<Vec<u8>>,
    ) -> Answer {
        let named = [("fileAttributeName", attribute), ("fileName", name)];
        let path = query(&files(submission), &named);
        let request = self.request(Method::POST, &path).body(content);
        request.send().await
    }

    /// Every item of a list, read page by page by following the links.
    pub(crate) async fn walk(self, path: &str) -> Vec<Value> {
        let mut found = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next {
            let answer = self.get(&path).await;
            next = answer.next();
            found.extend(items(&answer.expect(200)).clone());
        }
        found
    }
}

/// A request under construction.
pub(crate) struct Asking<'a> {
    app: &'a App,
    is_at_relay: bool,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Body,
}

impl Asking<'_> {
    /// Adds a header.
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.append(name, value.parse().unwrap());
        self
    }

    /// Adds a header with arbitrary allowed bytes.
    pub(crate) fn header_bytes(mut self, name: &'static str, value: &[u8]) -> Self {
        self.headers
            .append(name, HeaderValue::from_bytes(value).unwrap());
        self
    }

    pub(crate) fn body(self, body: impl Into<Vec<u8>>) -> Self {
        let body = Body::from_vec(body.into());
        Self { body, ..self }
    }

    /// A body sent in chunks, without a stated length.
    pub(crate) fn streamed(self, body: Vec<u8>) -> Self {
        let body = Body::from_async_read(std::io::Cursor::new(body));
        Self { body, ..self }
    }

    /// A body that is sent slowly by another task.
    pub(crate) fn slowly(self, body: impl AsyncRead + Send + 'static) -> Self {
        let body = Body::from_async_read(body);
        Self { body, ..self }
    }

    pub(crate) fn json(self, value: &Value) -> Self {
        self.header("content-type", "application/json")
            .body(value.to_string())
    }

    /// The response, whose body is not read.
    pub(crate) async fn begin(self) -> Response {
        let mut request = Request::builder()
            .method(self.method)
            .uri(self.path.parse().unwrap())
            .body(self.body);
        *request.headers_mut() = self.headers;
        let endpoint = if self.is_at_relay {
            &self.app.relay
        } else {
            &self.app.endpoint
        };
        endpoint.get_response(request).await
    }

    pub(crate) async fn send(self) -> Answer {
        let asked = format!("{} {}", self.method, self.path);
        let is_at_relay = self.is_at_relay;
        let mut response = self.begin().await;
        let answer = Answer {
            asked,
            status: response.status(),
            headers: response.headers().clone(),
            drawn: response.data().copied(),
            body: response.take_body().into_vec().await.unwrap(),
        };
        laws::obeyed(&answer);
        if !is_at_relay {
            described::check(&answer);
        }
        answer
    }
}
