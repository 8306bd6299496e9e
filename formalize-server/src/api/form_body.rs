//! Submissions that are sent with their files, as `multipart/form-data`: first a part `submission` with the JSON, then parts
//! `files.<fileAttributeName>`.

use std::{
    io,
    sync::{Mutex, PoisonError},
};

use formalize_core::{
    self as core, Caller, Error, FileAttributeName, FileName, NewFile, Upload, Viewed,
};
use futures_util::stream;
use hyper::body::Bytes;
use poem::{Request, RequestBody, Result, http::HeaderMap};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaRequest, Registry},
};

use crate::{
    contract::{ErrorKey, Operation},
    failure::Refusal,
    middleware::Streamed,
    request::{Malformed, Multipart, Part},
    wire::{Body, RequestBody as Declared},
};

/// The name of the part with the JSON.
const SUBMISSION: &str = "submission";
/// What the names of parts with files begin with.
const FILES: &str = "files.";
/// The maximum size of the JSON, in bytes.
const JSON_BYTES: usize = 2 << 20;

/// A request body of type `T`, alone or with files.
pub enum BodyOrForm<T: Declared> {
    /// The value for the core.
    Body(T::Value),
    /// A body that is read while it arrives.
    Form(SentForm),
}

impl<'a, T: Declared + 'static> ApiExtractor<'a> for BodyOrForm<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        Body::<T>::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Body::<T>::request_meta()
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        if let (Some(streamed), Some(operation)) =
            (request.data::<Streamed>(), request.data::<Operation>())
        {
            return Ok(Self::Form(SentForm {
                body: streamed.clone(),
                headers: request.headers().clone(),
                operation: *operation,
            }));
        }
        let Body(value) = Body::<T>::from_request(request, body, options).await?;
        Ok(Self::Body(value))
    }
}

/// A body of `multipart/form-data`.
pub struct SentForm {
    body: Streamed,
    headers: HeaderMap,
    operation: Operation,
}

impl SentForm {
    /// Begins to read the body.
    ///
    /// # Errors
    ///
    /// A refusal if its boundary is invalid.
    pub(super) fn open(self) -> Result<FormParts, Refusal> {
        let parts = Multipart::new(&self.headers, self.body.read());
        Ok(FormParts {
            parts: parts.map_err(|malformed| refusal(malformed, &self.body))?,
            body: self.body,
            operation: self.operation,
        })
    }
}

/// The parts of a body.
pub(super) struct FormParts {
    parts: Multipart,
    body: Streamed,
    operation: Operation,
}

/// A part with a file.
pub(super) struct FormFile {
    new: NewFile,
    /// The beginning of its content.
    first: Option<Bytes>,
    part: Part,
}

impl FormParts {
    /// Reads the first part.
    ///
    /// # Errors
    ///
    /// A refusal if it is not the JSON of `T`.
    pub(super) async fn submission<T: Declared + 'static>(
        &mut self,
        caller: &Caller,
    ) -> Result<T::Value, Refusal> {
        let first = self.next().await?.filter(|part| part.name == SUBMISSION);
        let mut part =
            first.ok_or_else(|| at_fault(SUBMISSION, "must be the first part of the body"))?;
        let is_json = |declared: &String| {
            let media = declared.split(';').next().unwrap_or_default().trim();
            media.eq_ignore_ascii_case("application/json")
        };
        if !part.content_type.as_ref().is_none_or(is_json) {
            return Err(at_fault(SUBMISSION, "must be application/json"));
        }
        let mut json = Vec::new();
        while let Some(chunk) = self.read(part.chunk().await)? {
            if json.len() + chunk.len() > JSON_BYTES {
                let sentence = "submission must not be larger than 2 MiB";
                return Err(Refusal::is(ErrorKey::PayloadTooLarge).saying(sentence));
            }
            json.extend_from_slice(&chunk);
        }
        Body::<T>::read(json.into(), self.operation, caller).await
    }

    /// The next file; `None` at the end. Inputs of a page without a file are skipped.
    ///
    /// # Errors
    ///
    /// A refusal if the next part is not a file, or its names are invalid.
    pub(super) async fn next_file(&mut self) -> Result<Option<FormFile>, Refusal> {
        while let Some(mut part) = self.next().await? {
            if part.name == SUBMISSION {
                return Err(at_fault(SUBMISSION, "must be sent once"));
            }
            let Some(attribute) = part.name.strip_prefix(FILES) else {
                let sentence = "is not a known part: send submission and files.<fileAttributeName>";
                return Err(at_fault(&part.name, sentence));
            };
            let attribute = FileAttributeName::new(attribute)?;
            let Some(name) = part.file_name.clone() else {
                return Err(at_fault(&part.name, "must have a file name"));
            };
            let first = if name.is_empty() {
                match self.read(part.chunk().await)? {
                    None => continue,
                    first => first,
                }
            } else {
                None
            };
            let mut new = NewFile::new(attribute, FileName::clean(&name)?);
            new.declared_type.clone_from(&part.content_type);
            return Ok(Some(FormFile { new, first, part }));
        }
        Ok(None)
    }

    /// Adds this file and all that follow, and finishes the upload.
    ///
    /// # Errors
    ///
    /// A refusal if a file cannot be added. What was stored is given up then. The inner result is that of the end.
    pub(super) async fn upload(
        &mut self,
        mut upload: Upload<'_>,
        first: FormFile,
    ) -> Result<Result<Option<Viewed<core::Submission>>, Error>, Refusal> {
        match self.add_all(&mut upload, first).await {
            Ok(()) => Ok(upload.finish().await),
            Err(refusal) => {
                upload.discard().await;
                Err(refusal)
            }
        }
    }

    async fn add_all(&mut self, upload: &mut Upload<'_>, first: FormFile) -> Result<(), Refusal> {
        let mut next = Some(first);
        while let Some(file) = next {
            let failure = Mutex::new(None);
            let fail = |malformed: Malformed| {
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(malformed);
                io::Error::other("the body is malformed")
            };
            let begun = (file.first, file.part);
            let content = stream::try_unfold(begun, |(first, mut part)| async {
                let chunk = match first {
                    Some(first) => Some(first),
                    None => part.chunk().await.map_err(fail)?,
                };
                Ok(chunk.map(|chunk| (chunk, (None, part))))
            });
            let added = upload.add(file.new, Box::pin(content)).await;
            let failure = failure.into_inner();
            let failure = failure.unwrap_or_else(PoisonError::into_inner);
            match (added, failure) {
                (Ok(_), _) => {}
                (Err(Error::UploadInterrupted), Some(malformed)) => {
                    return Err(refusal(malformed, &self.body));
                }
                (Err(error), _) => return Err(error.into()),
            }
            next = self.next_file().await?;
        }
        Ok(())
    }

    async fn next(&mut self) -> Result<Option<Part>, Refusal> {
        let next = self.parts.next().await;
        self.read(next)
    }

    fn read<T>(&self, read: Result<T, Malformed>) -> Result<T, Refusal> {
        read.map_err(|malformed| refusal(malformed, &self.body))
    }
}

/// Why a body could not be read.
fn refusal(malformed: Malformed, body: &Streamed) -> Refusal {
    match (malformed, body.failure()) {
        (Malformed::Interrupted, Some(failure)) => failure.into(),
        (Malformed::Interrupted, None) => Error::UploadInterrupted.into(),
        (Malformed::Reason(sentence), _) => {
            Refusal::is(ErrorKey::InvalidRequestBody).saying(sentence)
        }
    }
}

fn at_fault(part: &str, must: &str) -> Refusal {
    let faults = vec![(part.to_owned(), format!("{part} {must}"))];
    Refusal::listing(ErrorKey::InvalidRequestBody, faults)
}
