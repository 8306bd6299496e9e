//! Collections. A page of many rows is sent while it is read, in batches, so that its size costs no memory.

use std::{io, sync::Arc};

use formalize_core::{Caller, Error, PageRequest, PageSize, Position, offload_for};
use formalize_http::failure::Refusal;
use formalize_http::rate::{Holder, Reservation, ResponsesBudget};
use futures_util::stream;
use hyper::body::Bytes;
use poem::{Body, Response, http::StatusCode};

use crate::{
    forms, grants, hydra,
    request::{Shared, Target, Visit},
    rows::Rows,
    submissions,
};

/// The maximum number of rows that are read at a time.
const BATCH: u64 = 500;
/// Batches up to this size, in bytes, are written in well under a millisecond.
const LIGHT: usize = 64 * 1024;
/// The size of a row without its texts, roughly.
const ROW: usize = 768;

/// Some rows of a collection.
struct Batch {
    /// The rows as JSON, separated by commas.
    json: String,
    count: u64,
    /// The cursor of the next rows.
    next: Option<String>,
}

/// Where the rows of a collection are read.
#[derive(Clone)]
struct Source {
    shared: Shared,
    caller: Caller,
    rows: Arc<Rows>,
    responses: ResponsesBudget,
}

impl Source {
    /// Reads at most `most` rows.
    async fn read(&self, position: Position, most: u64) -> Result<Batch, Refusal> {
        let size = u32::try_from(most.min(BATCH)).unwrap_or_default();
        let size = PageSize::new(size).unwrap_or_default();
        let request = PageRequest { size, position };
        let (core, caller) = (&self.shared.core, &self.caller);
        match self.rows.as_ref() {
            Rows::Forms(filter) => {
                let page = core.forms().list(caller, filter, &request).await?;
                let bytes = page.items.iter().map(|view| view.item.bytes()).sum();
                let write = |view| forms::element(view, false);
                self.write(page.items, page.next, bytes, write).await
            }
            Rows::Submissions(form, filter) => {
                let submissions = core.submissions();
                let page = submissions.list(caller, *form, filter, &request).await?;
                let data = page.items.iter();
                let bytes = data
                    .map(|view| {
                        let data = view.item.data.as_ref().map_or(0, |data| data.len());
                        data + ROW * view.item.files.len()
                    })
                    .sum();
                let base_url = Arc::clone(&self.shared.base_url);
                let write = move |view| submissions::element(view, &base_url);
                self.write(page.items, page.next, bytes, write).await
            }
            Rows::Grants(filter) => {
                let page = core.grants().list(caller, filter, &request).await?;
                self.write(page.items, page.next, 0, grants::element).await
            }
            Rows::ClassActions => {
                let page = core.actions().list(caller, &request).await?;
                self.write(page.items, page.next, 0, grants::class_element)
                    .await
            }
            Rows::Nothing => Ok(Batch {
                json: String::new(),
                count: 0,
                next: None,
            }),
            Rows::Directory(selection) => {
                let selection = Arc::clone(selection);
                let read = move || selection.read(&request);
                let read = offload_for(&self.caller, read).await;
                let (json, count, next) = read.map_err(Error::from)??;
                Ok(Batch { json, count, next })
            }
        }
    }

    /// Writes rows as JSON. Many bytes are written on another thread.
    async fn write<T: Send + 'static, U: serde::Serialize>(
        &self,
        items: Vec<T>,
        next: Option<String>,
        texts: usize,
        element: impl Fn(T) -> U + Send + 'static,
    ) -> Result<Batch, Refusal> {
        let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
        let bytes = texts + ROW * items.len();
        let write = move || {
            let mut text = String::with_capacity(bytes);
            for item in items {
                if !text.is_empty() {
                    text.push(',');
                }
                text.push_str(&formalize_views::json(&element(item)));
            }
            text
        };
        let json = if bytes <= LIGHT {
            write()
        } else {
            let written = offload_for(&self.caller, write).await;
            written.map_err(Error::from)?
        };
        Ok(Batch { json, count, next })
    }
}

/// A page that is sent while it is read.
struct Sending {
    source: Source,
    target: Target,
    page: u64,
    /// How many rows may follow.
    left: u64,
    next: Option<String>,
    has_ended: bool,
    /// The memory of a batch.
    reserved: Option<Reservation>,
}

impl Sending {
    /// The next piece of the body; `None` at its end.
    async fn next(&mut self) -> Result<Option<String>, Refusal> {
        if self.has_ended {
            return Ok(None);
        }
        let cursor = match self.next.take() {
            Some(cursor) if self.left > 0 => cursor,
            cursor => {
                self.has_ended = true;
                return Ok(Some(hydra::tail(&self.target, self.page, cursor.is_some())));
            }
        };
        let _turn = self.source.shared.core.turn(&self.source.caller).await;
        let batch = self
            .source
            .read(Position::Cursor(cursor), self.left)
            .await?;
        self.reserve(batch.json.len())?;
        self.left = self.left.saturating_sub(batch.count);
        self.next = batch.next;
        Ok(Some(match batch.json.as_str() {
            "" => String::new(),
            rows => format!(",{rows}"),
        }))
    }

    /// Reserves memory for a batch in place of that for the last one.
    fn reserve(&mut self, bytes: usize) -> Result<(), Refusal> {
        if bytes <= LIGHT {
            return Ok(());
        }
        let is_there = match &mut self.reserved {
            Some(reserved) => reserved.resize(bytes),
            none => {
                let holder = Holder::with_credentials(&self.source.caller);
                *none = self.source.responses.reserve(Some(&holder), bytes);
                none.is_some()
            }
        };
        if is_there {
            Ok(())
        } else {
            Err(Refusal::no_memory_for_response())
        }
    }

    /// The response, which begins with this text. If a later batch cannot be read, the connection ends before the body
    /// does.
    fn respond(self, first: String) -> Response {
        let begun = (Some(first), self);
        let pieces = stream::try_unfold(begun, |(first, mut sending)| async move {
            let mut piece = first;
            while piece.as_ref().is_none_or(String::is_empty) {
                piece = match sending.next().await {
                    Ok(Some(piece)) => Some(piece),
                    Ok(None) => return Ok(None),
                    Err(refusal) => {
                        let cause = refusal.cause().map(ToString::to_string);
                        tracing::error!(%refusal, cause, "a list broke off");
                        return Err(io::Error::other("the list broke off"));
                    }
                };
            }
            Ok(piece.map(|piece| (Bytes::from(piece), (None, sending))))
        });
        Response::builder()
            .status(StatusCode::OK)
            .content_type(hydra::LD_JSON)
            .body(Body::from_bytes_stream(pieces))
    }
}

/// The page of a collection that a request is for. Each batch is a read of its own.
///
/// # Errors
///
/// A refusal if the first batch cannot be read, or the page is invalid.
pub(crate) async fn collection(
    visit: &Visit,
    rows: Rows,
    responses: &ResponsesBudget,
) -> Result<Response, Refusal> {
    let (page, size) = visit.query.page()?;
    let source = Source {
        shared: visit.shared.clone(),
        caller: visit.caller.clone(),
        rows: Arc::new(rows),
        responses: responses.clone(),
    };
    let skipped = (page - 1).saturating_mul(size);
    let first = if skipped == 0 {
        // The response to HEAD has no rows, so that one is enough.
        let most = if visit.is_head { 1 } else { size };
        source.read(Position::First, most).await?
    } else {
        // One row leads to the place, whatever the size of the others is.
        let place = u32::try_from(skipped + 1).unwrap_or(u32::MAX);
        source.read(Position::Number(place), 1).await?
    };
    if visit.is_head {
        return Ok(hydra::response(StatusCode::OK, String::new()));
    }
    let text = format!(
        "{}{}",
        hydra::head(&visit.shared.base_url, &visit.target),
        first.json
    );
    let mut sending = Sending {
        source,
        target: visit.target.clone(),
        page,
        left: size.saturating_sub(first.count),
        next: first.next,
        has_ended: false,
        reserved: None,
    };
    if sending.left > 0 && sending.next.is_some() {
        sending.reserve(text.len())?;
        return Ok(sending.respond(text));
    }
    let tail = hydra::tail(&sending.target, page, sending.next.is_some());
    Ok(hydra::response(StatusCode::OK, text + &tail))
}
