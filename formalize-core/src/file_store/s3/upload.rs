//! Uploads in parts.

use bytes::Bytes;
use object_store::{MultipartUpload, PutPayload, PutPayloadMut, Result};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::file_store::{ContentStream, FileStoreResult, next};

/// The size of all parts but the last one: the smallest that S3 accepts.
const PART: usize = 5 * 1024 * 1024;

/// The size of the blocks into which a part is copied. Small pieces are copied together, so that a content that arrives byte by
/// byte takes no more memory than others.
const BLOCK: usize = 64 * 1024;

/// A content in parts of the same size.
pub(super) struct Parts<'a> {
    content: ContentStream<'a>,
    /// What has arrived of the part after the last one.
    rest: Bytes,
}

impl<'a> Parts<'a> {
    pub(super) fn of(content: ContentStream<'a>) -> Self {
        Self {
            content,
            rest: Bytes::new(),
        }
    }

    /// The next part, and whether it is the last one. Only the last one may be smaller, or empty.
    pub(super) async fn next(&mut self) -> FileStoreResult<(PutPayload, bool)> {
        let mut part = PutPayloadMut::new().with_block_size(BLOCK);
        loop {
            let room = PART.saturating_sub(part.content_length());
            if room == 0 {
                return Ok((part.freeze(), false));
            }
            if self.rest.is_empty() {
                match next(&mut self.content).await? {
                    Some(piece) => self.rest = piece,
                    None => return Ok((part.freeze(), true)),
                }
            }
            let taken = self.rest.split_to(room.min(self.rest.len()));
            part.extend_from_slice(&taken);
        }
    }
}

/// A multipart upload. It sends one part while the next one arrives. Dropping it before it is complete aborts it, so that its
/// parts take no space in the bucket.
pub(super) struct Upload {
    /// `None` if it is complete.
    parts: Option<Box<dyn MultipartUpload>>,
    sending: Option<JoinHandle<Result<()>>>,
}

impl Upload {
    pub(super) fn of(parts: Box<dyn MultipartUpload>) -> Self {
        Self {
            parts: Some(parts),
            sending: None,
        }
    }

    /// Waits until the previous part is sent, and starts to send this one.
    pub(super) async fn send(&mut self, part: PutPayload) -> Result<()> {
        self.wait().await?;
        let part = self.parts.as_mut().map(|parts| parts.put_part(part));
        self.sending = part.map(tokio::spawn);
        Ok(())
    }

    /// Completes the upload, after which the content can be read.
    pub(super) async fn complete(mut self) -> Result<()> {
        self.wait().await?;
        if let Some(parts) = &mut self.parts {
            parts.complete().await?;
        }
        self.parts = None;
        Ok(())
    }

    /// Waits until the part is sent. The task stays in its field meanwhile, so that dropping this future still aborts it.
    async fn wait(&mut self) -> Result<()> {
        match &mut self.sending {
            Some(sending) => {
                let sent = sending.await;
                self.sending = None;
                sent?
            }
            None => Ok(()),
        }
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(sending) = &self.sending {
            sending.abort();
        }
        // Without a runtime, the process is ending; a lifecycle rule of the bucket removes the parts.
        if let (Some(mut parts), Ok(runtime)) = (self.parts.take(), Handle::try_current()) {
            runtime.spawn(async move {
                if let Err(error) = parts.abort().await {
                    tracing::debug!(%error, "cannot abort an upload");
                }
            });
        }
    }
}
