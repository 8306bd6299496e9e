//! The fuzz targets. A target fails if it panics or takes longer than a second.
//!
//! `fuzz/run` generates the input; a test of the workspace replays the inputs in `fuzz/corpus`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{Seek, SeekFrom, Write};
use std::sync::Arc;

use bytes::Bytes;
use formalize_core::condition::{Condition, Facts};
use formalize_core::config::ConfigError;
use formalize_core::store::memory::MemoryStore;
use formalize_core::{
    Caller, DataSchema, Error, Formalize, GroupFilter, GroupName, NewGroup, PageRequest, PageSize,
    SystemClock, parse_json,
};
use formalize_http::auth::{Authenticate, Issuers};
use formalize_http::config::{Config, Flags};
use formalize_http::request::{Malformed, Multipart};
use formalize_tests::issuer::{TestIssuer, TestKey, part};
use futures_util::stream;
use poem::http::{HeaderMap, HeaderValue, header::CONTENT_TYPE};
use tempfile::NamedTempFile;
use tokio::runtime::{Builder, Runtime};

/// A runtime, and a value that is created on it once.
struct Stage<T> {
    runtime: Runtime,
    stage: T,
}

impl<T> Stage<T> {
    fn new(make: impl AsyncFnOnce() -> T) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let stage = runtime.block_on(make());
        Self { runtime, stage }
    }
}

/// A cursor. A forged one must be rejected, and a genuine one must work regardless of how it is encoded.
pub fn cursor(data: &[u8]) {
    struct Lists {
        formalize: Formalize,
        genuine: String,
    }
    thread_local! {
        static LISTS: Stage<Lists> = Stage::new(async || {
            let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await.unwrap();
            for name in ["a", "b"] {
                let group = NewGroup { name: GroupName::new(name).unwrap() };
                formalize.groups().create(&Caller::System, group).await.unwrap();
            }
            let request = PageRequest { size: PageSize::new(1).unwrap(), ..PageRequest::default() };
            let filter = GroupFilter::default();
            let groups = formalize.groups();
            let page = groups.list(&Caller::System, &filter, &request).await.unwrap();
            let genuine = page.next.unwrap();
            Lists { formalize, genuine }
        });
    }
    LISTS.with(|Stage { runtime, stage }| {
        let text = String::from_utf8_lossy(data);
        // Changes a genuine cursor by overwriting its end.
        let mut changed = stage.genuine.clone();
        let keep = changed.len().saturating_sub(text.chars().count());
        changed.truncate(keep);
        changed.push_str(&text);
        for cursor in [text.into_owned(), changed] {
            let is_genuine = cursor == stage.genuine;
            let request = PageRequest::after(cursor, PageSize::default());
            let groups = stage.formalize.groups();
            let filter = GroupFilter::default();
            let page = runtime.block_on(groups.list(&Caller::System, &filter, &request));
            let refused = matches!(page, Err(Error::InvalidCursor));
            assert!(refused || page.is_ok(), "{page:?}");
            assert_eq!(page.is_ok(), is_genuine, "a forged cursor is accepted");
        }
    });
}

/// A schema. It must be rejected with a message, or be able to validate data of every kind.
pub fn data_feed_schema(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match DataSchema::compile(text) {
        Ok(schema) => {
            assert_eq!(schema.text(), text);
            for data in ["null", "[1, 1.0, {}]", r#"{"a": "b", "c": [{"d": 2.5}]}"#] {
                let data = parse_json(data).unwrap();
                assert_eq!(schema.validate(&data), schema.validate(&data));
            }
        }
        Err(refused) => assert!(!refused.messages().is_empty()),
    }
}

/// Data for a schema: the first line is the schema, the rest the data.
pub fn data_feed_element(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let (schema, data) = text.split_once('\n').unwrap_or(("{}", text));
    let (Ok(schema), Ok(parsed)) = (DataSchema::compile(schema), parse_json(data)) else {
        return;
    };
    if let Err(refused) = schema.validate(&parsed) {
        assert!(!refused.messages().is_empty());
    }
    let reduced = schema.reduce_to_keys(data);
    assert!(parse_json(&reduced).unwrap().is_object(), "{reduced}");
}

/// An expression of a policy. It must be rejected with a position, or evaluate to a result or an error.
pub fn cel(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let attributes = serde_json::json!({"roles": ["staff", "a"], "age": 7, "name": {"first": "Ada"}, "on": true});
    let attributes: BTreeMap<_, _> = serde_json::from_value(attributes).unwrap();
    match Condition::compile(text) {
        Ok(condition) => {
            let facts = Facts {
                user_id: "alice",
                attributes: &attributes,
                form_name: Some("Registration"),
            };
            let result = condition.evaluate(&facts);
            assert_eq!(condition.holds(&facts), result.unwrap_or(false));
        }
        Err(refused) => assert!(refused.line > 0 && !refused.message.is_empty()),
    }
}

fn load(file: &NamedTempFile) -> Result<Config, ConfigError> {
    let mut flags = Flags::default();
    flags.config = Some(file.path().to_owned());
    Config::load(&flags)
}

/// A configuration file. It must be loaded, or rejected with all its problems.
pub fn config(data: &[u8]) {
    thread_local! {
        static FILE: RefCell<NamedTempFile> = RefCell::new(NamedTempFile::new().unwrap());
    }
    FILE.with_borrow_mut(|file| {
        file.as_file().set_len(0).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(data).unwrap();
        match load(file) {
            Ok(config) => assert!(!config.to_string().is_empty()),
            Err(refused) => assert!(!refused.to_string().is_empty()),
        }
    });
}

/// A body with fields and files. Its first byte is the size of the pieces in which it arrives. What is found must not depend on
/// them.
pub fn form_data(data: &[u8]) {
    thread_local! {
        static STAGE: Stage<()> = Stage::new(async || ());
    }
    let Some((size, body)) = data.split_first() else {
        return;
    };
    STAGE.with(|Stage { runtime, .. }| {
        let whole = runtime.block_on(parts(body, body.len().max(1)));
        let in_pieces = runtime.block_on(parts(body, usize::from(*size).max(1)));
        // Which part of a malformed body is found first depends on the pieces.
        assert_eq!(whole.ok(), in_pieces.ok());
    });
}

/// The names, the names of files, and the contents of the parts of a body.
async fn parts(
    body: &[u8],
    size: usize,
) -> Result<Vec<(String, Option<String>, Vec<u8>)>, Malformed> {
    let mut headers = HeaderMap::new();
    let media_type = HeaderValue::from_static("multipart/form-data; boundary=b");
    headers.insert(CONTENT_TYPE, media_type);
    let pieces: Vec<_> = body
        .chunks(size)
        .map(Bytes::copy_from_slice)
        .map(Ok)
        .collect();
    let mut parser = Multipart::new(&headers, stream::iter(pieces))?;
    let mut parts = Vec::new();
    while let Some(mut part) = parser.next().await? {
        let mut content = Vec::new();
        while let Some(piece) = part.chunk().await? {
            assert!(!piece.is_empty());
            content.extend_from_slice(&piece);
        }
        parts.push((part.name.clone(), part.file_name.clone(), content));
    }
    Ok(parts)
}

/// A bearer token, used as it is and signed as its issuer would. An unsigned token must never authenticate anyone.
pub fn jwt(data: &[u8]) {
    struct Door {
        issuers: Issuers,
        url: String,
        _issuer: TestIssuer,
    }
    thread_local! {
        static DOOR: Stage<Door> = Stage::new(async || {
            let key = TestKey::Ed25519.jwk("k").unwrap();
            let issuer = TestIssuer::start(&[key]).await.unwrap();
            let url = issuer.url().to_owned();
            let mut file = NamedTempFile::new().unwrap();
            let text = format!("[[issuers]]\nissuer = \"{url}\"\naudience = \"formalize\"\nattributes = [\"roles\"]\n");
            file.write_all(text.as_bytes()).unwrap();
            let issuers = load(&file).unwrap().issuers;
            let issuers = Issuers::new(issuers, Arc::new(SystemClock)).unwrap();
            Door { issuers, url, _issuer: issuer }
        });
    }
    DOOR.with(|Stage { runtime, stage }| {
        let text = String::from_utf8_lossy(data).replace("ISSUER", &stage.url);
        let unsigned = match text.split_once('\n') {
            Some((header, claims)) => format!("{}.{}.{}", part(header), part(claims), part("x")),
            None => text.clone(),
        };
        let known = runtime.block_on(stage.issuers.authenticate(&unsigned));
        assert!(!matches!(known, Ok(Some(_))), "a forged token is accepted");
        let Some((header, claims)) = text.split_once('\n') else {
            return;
        };
        let (Ok(header), Ok(claims)) = (parse_json(header), parse_json(claims)) else {
            return;
        };
        if let Ok(token) = TestKey::Ed25519.sign(&header, &claims) {
            // Tests of claims check which user this is; here it only must not panic.
            let known = runtime.block_on(stage.issuers.authenticate(&token));
            assert!(known.is_ok() || text.contains("kid"), "{:?}", known.err());
        }
    });
}
