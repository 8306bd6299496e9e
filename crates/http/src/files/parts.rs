//! Submissions that are sent with their files, as `multipart/form-data`: first a part `submission` with the JSON, then parts
//! `files.<fileAttributeName>`.

use std::{
    collections::BTreeSet,
    io,
    pin::pin,
    sync::{Mutex, PoisonError},
};

use formalize_core::{
    self as core, Caller, Error, Expected, Formalize, SubmissionId, Viewed,
    files::{FileAttributeName, FileName, NewFile, Upload},
    store,
};
use futures_util::{StreamExt as _, stream};
use hyper::body::Bytes;
use poem::http::HeaderMap;

use crate::contract::ErrorKey;
use crate::failure::Refusal;
use crate::middleware::Streamed;
use crate::request::{Malformed, Multipart, Part};

/// The name of the part with the JSON.
const SUBMISSION: &str = "submission";
/// What the names of parts with files begin with.
const FILES: &str = "files.";
/// The maximum size of the JSON, in bytes.
const JSON_BYTES: usize = 2 << 20;

/// The parts of a body.
pub struct FormParts {
    parts: Multipart,
    body: Streamed,
    /// The name of the buttons of a page. One that was pressed may follow the files.
    button: Option<&'static str>,
    /// The button that followed the files.
    pressed: Option<String>,
    /// The groups of the files that were found.
    groups: BTreeSet<String>,
}

/// A part with a file.
pub struct FormFile {
    new: NewFile,
    /// The beginning of its content.
    first: Option<Bytes>,
    part: Part,
}

impl FormParts {
    /// Begins to read a body with these headers.
    ///
    /// # Errors
    ///
    /// A refusal if the boundary is invalid.
    pub fn open(headers: &HeaderMap, body: Streamed) -> Result<Self, Refusal> {
        let parts = Multipart::new(headers, body.read());
        Ok(Self {
            parts: parts.map_err(|malformed| refusal(malformed, &body))?,
            body,
            button: None,
            pressed: None,
            groups: BTreeSet::new(),
        })
    }

    /// Begins to read what a page sends. There may be so many inputs beside the files. `button` is the
    /// name of buttons.
    ///
    /// # Errors
    ///
    /// A refusal if the boundary is invalid.
    pub fn of_page(
        headers: &HeaderMap,
        body: Streamed,
        inputs: usize,
        button: &'static str,
    ) -> Result<Self, Refusal> {
        let form = Self::open(headers, body)?;
        Ok(Self {
            parts: form.parts.with_inputs(inputs),
            button: Some(button),
            ..form
        })
    }

    /// Reads the inputs of a page up to the first file, and returns both. `reserve` is called with the number of bytes so
    /// far, and refuses them if there are too many.
    ///
    /// # Errors
    ///
    /// A refusal if the body is malformed, or by `reserve`.
    pub async fn inputs(
        &mut self,
        mut reserve: impl FnMut(usize) -> Result<(), Refusal>,
    ) -> Result<(Vec<(String, String)>, Option<FormFile>), Refusal> {
        let (mut inputs, mut bytes) = (Vec::new(), 0);
        while let Some(mut part) = self.next().await? {
            if part.name.starts_with(FILES) {
                self.parts.expect_files();
                match self.file(part).await? {
                    Some(file) => return Ok((inputs, Some(file))),
                    None => continue,
                }
            }
            // Browsers write quotes like this, because names are quoted.
            let name = part.name.replace("%22", "\"");
            let mut text = Vec::new();
            bytes += name.len();
            while let Some(chunk) = self.read(part.chunk().await)? {
                bytes += chunk.len();
                reserve(bytes)?;
                text.extend_from_slice(&chunk);
            }
            let text = String::from_utf8(text).map_err(|_| at_fault(&name, "must be UTF-8"))?;
            inputs.push((name, text));
        }
        Ok((inputs, None))
    }

    /// The button that was pressed, if it followed the files that were read.
    pub fn pressed(&mut self) -> Option<String> {
        self.pressed.take()
    }

    /// The groups of the files that were found so far.
    pub fn groups(&self) -> impl Iterator<Item = &String> {
        self.groups.iter()
    }

    /// Reads the first part: JSON, which has not been parsed.
    ///
    /// # Errors
    ///
    /// A refusal if it is another part or too large, or the body cannot be read.
    pub async fn submission(&mut self) -> Result<Vec<u8>, Refusal> {
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
        Ok(json)
    }

    /// The next file; `None` at the end. Inputs of a page without a file are skipped.
    ///
    /// # Errors
    ///
    /// A refusal if the next part is not a file, or its names are invalid.
    pub async fn next_file(&mut self) -> Result<Option<FormFile>, Refusal> {
        while let Some(mut part) = self.next().await? {
            if self.button.is_some_and(|name| name == part.name) {
                // Buttons are short.
                let text = self.read(part.chunk().await)?.unwrap_or_default();
                self.pressed = String::from_utf8(text.to_vec()).ok();
                continue;
            }
            if part.name == SUBMISSION {
                return Err(at_fault(SUBMISSION, "must be sent once"));
            }
            if let Some(file) = self.file(part).await? {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    /// The file in a part; `None` if it is an input of a page without a file.
    async fn file(&mut self, part: Part) -> Result<Option<FormFile>, Refusal> {
        let Some(attribute) = part.name.strip_prefix(FILES) else {
            let sentence = "is not a known part: send submission and files.<fileAttributeName>";
            return Err(at_fault(&part.name, sentence));
        };
        let attribute = attribute.to_owned();
        self.file_of(part, &attribute).await
    }

    /// The file in a part, of this group; `None` if it has neither a name nor a content, as inputs without a file are sent.
    ///
    /// # Errors
    ///
    /// A refusal if the name of the group or of the file is invalid, or the body cannot be read.
    pub async fn file_of(
        &mut self,
        mut part: Part,
        attribute: &str,
    ) -> Result<Option<FormFile>, Refusal> {
        let attribute = FileAttributeName::new(attribute).map_err(Error::from)?;
        let Some(name) = part.file_name.clone() else {
            return Err(at_fault(&part.name, "must have a file name"));
        };
        let first = if name.is_empty() {
            match self.read(part.chunk().await)? {
                None => return Ok(None),
                first => first,
            }
        } else {
            None
        };
        self.groups.insert(attribute.as_str().to_owned());
        let mut new = NewFile::new(attribute, FileName::clean(&name)?);
        new.declared_type.clone_from(&part.content_type);
        Ok(Some(FormFile { new, first, part }))
    }

    /// Adds this file and all that follow, and finishes the upload. If a file cannot be added, what was stored is given up.
    ///
    /// # Errors
    ///
    /// A refusal if the body cannot be read. The inner result is that of adding the files, and of the end.
    pub async fn upload(
        &mut self,
        mut upload: Upload<'_>,
        first: FormFile,
    ) -> Result<Result<Option<Viewed<core::Submission>>, Error>, Refusal> {
        match self.add_all(&mut upload, first).await {
            Ok(Ok(())) => Ok(upload.finish().await),
            Ok(Err(error)) => {
                upload.discard().await;
                Ok(Err(error))
            }
            Err(refusal) => {
                upload.discard().await;
                Err(refusal)
            }
        }
    }

    async fn add_all(
        &mut self,
        upload: &mut Upload<'_>,
        first: FormFile,
    ) -> Result<Result<(), Error>, Refusal> {
        let mut next = Some(first);
        while let Some(file) = next {
            if let Err(error) = self.add(upload, file).await? {
                return Ok(Err(error));
            }
            next = self.next_file().await?;
        }
        Ok(Ok(()))
    }

    /// Adds a file to an upload.
    ///
    /// # Errors
    ///
    /// A refusal if the body cannot be read. The inner result is that of adding the file.
    pub async fn add(
        &mut self,
        upload: &mut Upload<'_>,
        file: FormFile,
    ) -> Result<Result<(), Error>, Refusal> {
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
            (Ok(_), _) => Ok(Ok(())),
            (Err(Error::UploadInterrupted), Some(malformed)) => Err(refusal(malformed, &self.body)),
            (Err(error), _) => Ok(Err(error)),
        }
    }

    /// The text in a part of at most `most` bytes; `None` if it is larger.
    ///
    /// # Errors
    ///
    /// A refusal if it is not UTF-8, or the body cannot be read.
    pub async fn text(&self, part: &mut Part, most: usize) -> Result<Option<String>, Refusal> {
        let mut text = Vec::new();
        while let Some(chunk) = self.read(part.chunk().await)? {
            if text.len() + chunk.len() > most {
                return Ok(None);
            }
            text.extend_from_slice(&chunk);
        }
        let text = String::from_utf8(text).map_err(|_| at_fault(&part.name, "must be UTF-8"))?;
        Ok(Some(text))
    }

    /// Reads a part of at most `most` bytes that is ignored, and returns its size; `None` if it is larger.
    ///
    /// # Errors
    ///
    /// A refusal if the body cannot be read.
    pub async fn skip(&self, part: &mut Part, most: usize) -> Result<Option<usize>, Refusal> {
        let mut size = 0;
        while let Some(chunk) = self.read(part.chunk().await)? {
            size += chunk.len();
            if size > most {
                return Ok(None);
            }
        }
        Ok(Some(size))
    }

    /// The next part; `None` at the end.
    ///
    /// # Errors
    ///
    /// A refusal if the body is malformed.
    pub async fn next(&mut self) -> Result<Option<Part>, Refusal> {
        let next = self.parts.next().await;
        let next = self.read(next)?;
        if next.is_none() {
            self.end().await?;
        }
        Ok(next)
    }

    /// Reads what follows the last part. Without it, a request that broke off behind the last part would be performed.
    async fn end(&self) -> Result<(), Refusal> {
        let mut rest = pin!(self.body.read());
        while let Some(piece) = rest.next().await {
            piece.map_err(|_| refusal(Malformed::Interrupted, &self.body))?;
        }
        Ok(())
    }

    fn read<T>(&self, read: Result<T, Malformed>) -> Result<T, Refusal> {
        read.map_err(|malformed| refusal(malformed, &self.body))
    }
}

/// Whether the caller may change a submission, which is judged before the body of the request is read. No files are needed
/// for that.
///
/// # Errors
///
/// Those of the change.
pub async fn may_change(
    formalize: &Formalize,
    caller: &Caller,
    submission: Expected<SubmissionId>,
) -> Result<(), Error> {
    match formalize.files().upload(caller, submission).await {
        Ok(_) | Err(Error::FilesNotConfigured | Error::NotConfigured(store::Part::Files)) => Ok(()),
        Err(error) => Err(error),
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
        (Malformed::Part { name, must }, _) => at_fault(&name, must),
    }
}

/// The refusal of a body one of whose parts is at fault.
pub fn at_fault(part: &str, must: &str) -> Refusal {
    Refusal::is(ErrorKey::InvalidRequestBody).about(part, must)
}
