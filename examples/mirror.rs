//! Keeps a copy of the forms that a user may read, and of the submissions to them that the user may read, in a JSON file.
//!
//! ```sh
//! cargo run -p formalize-examples --bin mirror -- --server http://127.0.0.1:8080 --token-file token --file copy.json
//! ```
//!
//! It reads the lists, then follows the change feed. The file has the copy and the place in the feed and is replaced as a
//! whole, so the program can be killed at any time. After a restart it may see events again, which does no harm, because
//! it stores each record as it is now. Some changes of permissions have no event that the user sees; the program finds
//! them by reading the lists again from time to time. See "Keeping a copy" in `docs/events.md`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use clap::Parser;
use reqwest::StatusCode;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::time::sleep;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const EVENTS: &str = "/formalize/events";

/// How long to wait at the end of the feed, and when no server responds.
const PAUSE: Duration = Duration::from_secs(1);

/// Keep a copy of the forms and submissions that a user may read
#[derive(Parser)]
struct Options {
    /// The URL of a server. If it does not respond, the next one is used
    #[arg(long = "server", value_name = "URL", required = true)]
    servers: Vec<String>,
    /// The file with the API token of the user
    #[arg(long)]
    token_file: String,
    /// The file with the copy
    #[arg(long)]
    file: String,
    /// Stop at the end of the feed
    #[arg(long)]
    once: bool,
    /// Read all lists again when the copy was last compared with them this many seconds ago
    #[arg(long, value_name = "SECONDS", default_value = "3600")]
    relist_after: u64,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    let mut servers = Servers::new(&options)?;
    let mut copy = Copy::default();
    if fs::exists(&options.file)? {
        copy = serde_json::from_slice(&fs::read(&options.file)?)?;
    }
    loop {
        let now = SystemTime::UNIX_EPOCH.elapsed()?.as_secs();
        if copy.cursor.is_none() || now >= copy.listed_at + options.relist_after {
            copy.read_lists(&mut servers).await?;
            copy.save(&options.file)?;
        }
        let cursor = copy.cursor.as_deref().unwrap_or_default();
        let next = format!("{EVENTS}?perPage=1000&include=item&cursor={cursor}");
        let Some(page) = servers.get::<Page<Event>>(&next).await? else {
            // The log no longer has the events behind the cursor.
            copy.cursor = None;
            continue;
        };
        let is_end = !page.has_more;
        if page.next_cursor != copy.cursor {
            copy.apply(page, &mut servers).await?;
            copy.save(&options.file)?;
        }
        if is_end && options.once {
            return Ok(());
        } else if is_end {
            sleep(PAUSE).await;
        }
    }
}

/// The content of the file.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Copy {
    /// The place in the feed.
    cursor: Option<String>,
    /// When the lists were last read, in seconds since 1970.
    listed_at: u64,
    forms: BTreeMap<String, MirroredForm>,
}

#[derive(Serialize, Deserialize)]
struct MirroredForm {
    form: Value,
    submissions: BTreeMap<String, Value>,
}

/// A page of the feed or of a list.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page<T> {
    items: Vec<T>,
    next_cursor: Option<String>,
    #[serde(default)]
    has_more: bool,
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    data: Value,
    /// The record as it is now, null if the user cannot read it.
    item: Value,
}

impl Copy {
    /// Starts again. The cursor comes before the lists, so that the feed has everything that changes meanwhile.
    async fn read_lists(&mut self, servers: &mut Servers) -> Result<()> {
        let page: Option<Page<Event>> = servers.get(&format!("{EVENTS}?from=now")).await?;
        self.cursor = page.and_then(|page| page.next_cursor);
        self.listed_at = SystemTime::UNIX_EPOCH.elapsed()?.as_secs();
        self.forms.clear();
        for (id, form) in servers.list("/formalize/forms?").await? {
            self.store_form(id, form, servers).await?;
        }
        Ok(())
    }

    async fn apply(&mut self, page: Page<Event>, servers: &mut Servers) -> Result<()> {
        for Event { kind, data, item } in page.items {
            match kind.split_once('.') {
                Some(("submission" | "draft", _)) => self.store_submission(&data, item)?,
                Some(("form", _)) => {
                    let id = text(&data, "formIdentifier")?;
                    self.store_form(id, item, servers).await?;
                }
                // The user may be permitted to read more or less than before.
                Some(("grant" | "member", _) | ("group", "deleted")) => {
                    return self.read_lists(servers).await;
                }
                _ => {}
            }
        }
        self.cursor = page.next_cursor;
        Ok(())
    }

    /// Stores a form and reads its submissions: the rules of the form decide who may read them, and clearing the form
    /// deletes them without further events.
    async fn store_form(&mut self, id: String, mut form: Value, from: &mut Servers) -> Result<()> {
        self.forms.remove(&id);
        if let Some(members) = form.as_object_mut() {
            // Lists do not have these members, of which the number changes without an event of the form.
            members.remove("numSubmissionsByCurrentUser");
            members.remove("availableTags");
            let path = format!("/formalize/submissions?formIdentifier={id}&");
            let submissions = from.list(&path).await?;
            self.forms.insert(id, MirroredForm { form, submissions });
        }
        Ok(())
    }

    /// Stores a submission as it is now. The copy has none of forms that the user may not read.
    fn store_submission(&mut self, data: &Value, item: Value) -> Result<()> {
        let id = text(data, "submissionIdentifier")?;
        if let Some(form) = self.forms.get_mut(&text(data, "formIdentifier")?) {
            form.submissions.remove(&id);
            if !item.is_null() {
                form.submissions.insert(id, item);
            }
        }
        Ok(())
    }

    /// Replaces the file: whenever the program stops, the file is either the old one or the new one.
    fn save(&self, path: &str) -> Result<()> {
        let unfinished = format!("{path}.new");
        fs::write(&unfinished, serde_json::to_vec(self)?)?;
        File::open(&unfinished)?.sync_all()?;
        Ok(fs::rename(unfinished, path)?)
    }
}

/// Servers on one database, which share cursors. The first one is in use.
struct Servers {
    urls: Vec<String>,
    token: String,
    http: reqwest::Client,
}

impl Servers {
    fn new(options: &Options) -> Result<Self> {
        // The default features of reqwest do this.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().timeout(Duration::from_secs(30));
        Ok(Self {
            urls: options.servers.clone(),
            token: fs::read_to_string(&options.token_file)?.trim().to_owned(),
            http: http.build()?,
        })
    }

    /// Sends a GET until a server responds. Returns nothing if the record is gone or the user may not read it.
    async fn get<T: DeserializeOwned>(&mut self, path: &str) -> Result<Option<T>> {
        loop {
            let url = self.urls.first().ok_or("no server")?;
            match self.get_from(&format!("{url}{path}")).await {
                Ok(found) => return Ok(found),
                Err(error) if is_refusal(&error) => return Err(error.into()),
                Err(_) => self.urls.rotate_left(1),
            }
            sleep(PAUSE).await;
        }
    }

    async fn get_from<T: DeserializeOwned>(&self, url: &str) -> reqwest::Result<Option<T>> {
        let response = self.http.get(url).bearer_auth(&self.token).send().await?;
        match response.status() {
            StatusCode::FORBIDDEN | StatusCode::NOT_FOUND | StatusCode::GONE => Ok(None),
            _ => response.error_for_status()?.json().await.map(Some),
        }
    }

    /// Reads a list to its end. Returns its items by identifier.
    async fn list(&mut self, path: &str) -> Result<BTreeMap<String, Value>> {
        let (mut found, mut cursor) = (BTreeMap::new(), String::new());
        while let Some(page) = self.get(&format!("{path}perPage=1000{cursor}")).await? {
            let page: Page<Value> = page;
            for item in page.items {
                found.insert(text(&item, "identifier")?, item);
            }
            let Some(next) = page.next_cursor else { break };
            cursor = format!("&cursor={next}");
        }
        Ok(found)
    }
}

/// Whether the same request would fail again, as with a revoked token.
fn is_refusal(error: &reqwest::Error) -> bool {
    let status = error.status();
    status.is_some_and(|it| it.is_client_error() && it != StatusCode::TOO_MANY_REQUESTS)
}

fn text(record: &Value, member: &str) -> Result<String> {
    let text = record.get(member).and_then(Value::as_str);
    Ok(text.ok_or(format!("no `{member}` in {record}"))?.to_owned())
}
