//! Measures files: large ones against a program that only writes or sends a file, the memory that they take, and what files
//! cost requests that have them.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;
use formalize_core::file_store::FileStore as _;
use formalize_core::{files::FileId, forms::FormAccess};
use formalize_tests::moto::{self, Moto};
use formalize_tests::process::resident;
use formalize_tests::seed::{READER, writers};
use formalize_tests::{Result, Server, contents};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use uuid::Uuid;

use crate::Scale;
use crate::events::at_least;
use crate::installation::Installation;
use crate::report::{Figure, Report, Target};
use crate::throughput::{Pace, median, rates, submit};
use crate::wrk::{Load, MULTIPART};

const MIB: u64 = 1 << 20;
/// How much is read at a time, in bytes.
const PIECE: usize = 256 << 10;
/// Limits that none of these requests reaches.
const LIMITS: [&str; 5] = [
    "--file-size-limit=2GiB",
    "--upload-limit=3GiB",
    "--creator-files-quota=off",
    "--uploads-at-once=256",
    "--file-sweep-interval=1h",
];
/// How many send or read at a time.
const AT_ONCE: usize = 16;
/// How many files are deleted beside submissions.
const DELETED: usize = 10_000;
/// How long slow clients read.
const SLOWLY: Duration = Duration::from_secs(3);

/// The sizes of a large file, and of one of many at once.
fn sizes(scale: Scale) -> (u64, u64) {
    match scale {
        Scale::Small => (128 * MIB, 16 * MIB),
        Scale::Large => (1024 * MIB, 256 * MIB),
    }
}

pub(crate) async fn measure(
    installation: &Installation,
    scale: Scale,
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    crate::note("files");
    let site = Site::new(installation).await?;
    let (large, one_of_many) = sizes(scale);
    site.large_files(large, pace, report).await?;
    site.memory(large, one_of_many, report).await?;
    site.small_requests(pace, report).await?;
    site.beside_a_sweep(pace, report).await?;
    if moto::is_installed() {
        site.in_a_bucket(large, one_of_many, pace, report).await?;
    }
    Ok(())
}

/// A form with files.
struct Site<'a> {
    installation: &'a Installation,
    form: String,
}

impl<'a> Site<'a> {
    /// A new form that takes up to 20 files of any kind.
    async fn new(installation: &'a Installation) -> Result<Self> {
        let rule = json!({
            "minNumber": 0, "maxNumber": 20, "maxSizeMb": 2048, "allowedMimeTypes": ["*/*"],
        });
        let schema = json!({ "type": "object", "files": { "f": rule } }).to_string();
        let made = installation.form(Some(schema), FormAccess::Manage);
        let (form, _) = made.await?;
        installation.let_writers_submit(&form).await?;
        Ok(Self { installation, form })
    }

    async fn start(&self) -> Result<Server> {
        let command = self.installation.command.clone();
        // On PostgreSQL, files are off by default.
        let url = format!("--files-url=file://{}", self.folder().display());
        let command = LIMITS
            .iter()
            .fold(command.arg(url), |command, argument| command.arg(*argument));
        command.start().await
    }

    /// A client of a server.
    fn client(&self, server: &Server) -> Result<Client> {
        let base = server.base_url();
        Ok(Client {
            address: base.trim_start_matches("http://").to_owned(),
            token: self.installation.token(READER)?.to_owned(),
        })
    }

    /// The parts of a submission with files before the content of the last one.
    fn form_data(&self, files: usize, content: &str) -> String {
        let submission = json!({ "formIdentifier": self.form, "dataFeedElement": "{}" });
        let part = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=");
        let file = format!("{part}\"files.f\"; filename=\"f\"\r\n\r\n");
        let others = format!("{file}{content}\r\n").repeat(files.saturating_sub(1));
        format!(
            "{part}\"submission\"\r\nContent-Type: application/json\r\n\r\n{submission}\r\n{others}{file}"
        )
    }

    /// Compares a large file with the control, in turn.
    async fn large_files(&self, size: u64, pace: Pace, report: &mut Report) -> Result<()> {
        let server = self.start().await?;
        let (client, control) = (self.client(&server)?, Control::start()?);
        let before = self.form_data(1, "");
        let control = Client {
            address: control.address,
            ..client.clone()
        };
        let (mut uploads, mut downloads) = (Vec::new(), Vec::new());
        for round in 0..=pace.rounds {
            let (client, control, before) = (client.clone(), control.clone(), before.clone());
            let (upload, download) = spawn_blocking(move || {
                let (own, submission) = client.upload(&before, size)?;
                let (other, _) = control.upload(&before, size)?;
                let upload = other.as_secs_f64() / own.as_secs_f64();
                let path = content_path(&submission)?;
                let own = client.download(&path, None)?;
                let other = control.download("/", None)?;
                let download = other.as_secs_f64() / own.as_secs_f64();
                io::Result::Ok((upload, download))
            })
            .await??;
            // The first round fills caches.
            if round > 0 {
                uploads.push(upload);
                downloads.push(download);
            }
        }
        let size = size / MIB;
        let what = format!("upload of {size} MiB, against writing a file");
        report.add(at_least(&what, median(uploads), 0.4, 0.75));
        let what = format!("download of {size} MiB, against sending a file");
        report.add(at_least(&what, median(downloads), 0.7, 0.95));
        Ok(())
    }

    /// The growth of the memory of new servers.
    async fn memory(&self, large: u64, one_of_many: u64, report: &mut Report) -> Result<()> {
        let before = self.form_data(1, "");
        let server = self.start().await?;
        let idle = resident(server.id(), "VmRSS")?;
        let (client, fields) = (self.client(&server)?, before.clone());
        let (_, submission) = spawn_blocking(move || client.upload(&fields, large)).await??;
        let growth = resident(server.id(), "VmHWM")? - idle;
        let what = format!("memory for an upload of {} MiB", large / MIB);
        report.add(at_most(what, growth, 16.0, 8.0));
        drop(server);

        let server = self.start().await?;
        let growth = self.growth_of_uploads(&server, one_of_many).await?;
        let size = one_of_many / MIB;
        let what = format!("memory for {AT_ONCE} uploads of {size} MiB at once");
        report.add(at_most(what, growth, 48.0, 24.0));
        drop(server);

        let server = self.start().await?;
        let idle = resident(server.id(), "VmRSS")?;
        let client = self.client(&server)?;
        let path = content_path(&submission)?;
        let all = (0..AT_ONCE).map(|_| {
            let (client, path) = (client.clone(), path.clone());
            spawn_blocking(move || client.download(&path, Some(SLOWLY)).map(drop))
        });
        for download in all.collect::<Vec<_>>() {
            download.await??;
        }
        let growth = resident(server.id(), "VmHWM")? - idle;
        let what = format!("memory for {AT_ONCE} slow downloads");
        report.add(at_most(what, growth, 32.0, 16.0));
        Ok(())
    }

    /// Compares requests with files with the same ones without.
    async fn small_requests(&self, pace: Pace, report: &mut Report) -> Result<()> {
        let server = self.start().await?;
        let token = self.installation.token(READER)?;
        let url = format!("{}/formalize/submissions", server.base_url());
        let senders = writers().map(|user| self.installation.token(&user).map(str::to_owned));
        let senders: Vec<String> = senders.collect::<Result<_>>()?;
        let submit = |body: String, content_type: &'static str| Load {
            tokens: senders.clone(),
            body: Some(body),
            content_type,
            ..Load::get(url.clone(), token)
        };
        let small = "x".repeat(10 << 10);
        let with_file = self.form_data(1, "") + &small + &end();
        let with_file = submit(with_file, MULTIPART);
        let body = json!({ "formIdentifier": self.form, "dataFeedElement": "{}" }).to_string();
        let plain = submit(body.clone(), crate::wrk::JSON);
        let [with_file, plain] = rates(&[with_file, plain], pace).await?;
        let what = "POST with a file of 10 KiB, against without";
        report.add(at_least(what, with_file / plain, 0.15, 0.4));

        let with_files = Site::new(self.installation).await?;
        let post = async |body: String, content_type: &str| -> Result<String> {
            let request = reqwest::Client::new().post(&url).bearer_auth(token);
            let request = request.header("content-type", content_type).body(body);
            let text = request.send().await?.error_for_status()?.text().await?;
            let created: Value = serde_json::from_str(&text)?;
            let identifier = created.get("identifier").and_then(Value::as_str);
            Ok(identifier.ok_or("no identifier")?.to_owned())
        };
        let (without, _) = self.installation.form(None, FormAccess::Manage).await?;
        let plain = json!({ "formIdentifier": without, "dataFeedElement": "{}" }).to_string();
        let mut items = [String::new(), String::new()];
        for number in 0..31 {
            // The first one has ten files, and is read alone.
            let files = if number == 0 { 10 } else { 3 };
            let body = with_files.form_data(files, "text") + "text" + &end();
            let [with, without] = [
                post(body, MULTIPART).await?,
                post(plain.clone(), crate::wrk::JSON).await?,
            ];
            if number == 0 {
                items = [with, without];
            }
        }
        let items = items.map(|id| Load::get(format!("{url}/{id}"), token));
        let lists = [&with_files.form, &without]
            .map(|form| Load::get(format!("{url}?formIdentifier={form}&perPage=30"), token));
        let [[with, without], [list, plain]] =
            [rates(&items, pace).await?, rates(&lists, pace).await?];
        let what = "GET a submission with 10 files, against without";
        report.add(at_least(what, with / without, 0.6, 0.85));
        let what = "list of 30 with 3 files each, against without";
        report.add(at_least(what, list / plain, 0.5, 0.85));
        Ok(())
    }

    /// Submits while a server deletes contents, as it does when it starts, and while it does not.
    async fn beside_a_sweep(&self, pace: Pace, report: &mut Report) -> Result<()> {
        let (mut with, mut without) = (Vec::new(), Vec::new());
        let mut left = usize::MAX;
        for _ in 0..pace.rounds {
            let kept = contents(&self.folder())?.len();
            self.delete_files().await?;
            let server = self.start().await?;
            let submissions = submit(self.installation, &server)?.connections(32);
            with.push(submissions.run(pace.seconds).await?.rate);
            left = left.min(contents(&self.folder())?.len() - kept);
            while contents(&self.folder())?.len() > kept {
                sleep(Duration::from_millis(100)).await;
            }
            without.push(submissions.run(pace.seconds).await?.rate);
        }
        if left == 0 {
            return Err("the sweep ended before the submissions".into());
        }
        let what = format!("POST while contents of {DELETED} files are deleted, against without");
        report.add(at_least(&what, median(with) / median(without), 0.8, 0.95));
        Ok(())
    }

    /// Compares a large file in a bucket with the same parts sent by this program, and measures the memory for them.
    async fn in_a_bucket(
        &self,
        large: u64,
        one_of_many: u64,
        pace: Pace,
        report: &mut Report,
    ) -> Result<()> {
        let moto = Moto::start().await?;
        let start = || async {
            let command = self.installation.command.clone();
            let command = LIMITS
                .iter()
                .fold(command, |command, one| command.arg(*one));
            command.config(&moto::settings(&moto.url()))?.start().await
        };
        let server = start().await?;
        let before = self.form_data(1, "");
        let plain = moto::store_at(&moto.url())?;
        let mut ratios = Vec::new();
        for number in 0..=pace.rounds {
            let (client, fields) = (self.client(&server)?, before.clone());
            let (own, _) = spawn_blocking(move || client.upload(&fields, large)).await??;
            let id = FileId::from_uuid(Uuid::from_u128(number as u128));
            let piece = Bytes::from(vec![b'x'; PIECE]);
            let pieces = stream::iter(0..large / PIECE as u64).map(move |_| Ok(piece.clone()));
            let begun = Instant::now();
            plain.put(id, Box::pin(pieces)).await?;
            let other = begun.elapsed();
            // moto keeps everything in memory.
            plain.delete(id).await?;
            if number > 0 {
                ratios.push(other.as_secs_f64() / own.as_secs_f64());
            }
        }
        let size = large / MIB;
        let what = format!("upload of {size} MiB to a bucket, against sending the same parts");
        report.add(at_least(&what, median(ratios), 0.5, 0.8));
        drop(server);
        let server = start().await?;
        let growth = self.growth_of_uploads(&server, one_of_many).await?;
        let size = one_of_many / MIB;
        let what = format!("memory for {AT_ONCE} uploads of {size} MiB at once to a bucket");
        report.add(at_most(what, growth, 256.0, 200.0));
        Ok(())
    }

    /// How much the memory of a new server grows by uploads at the same time.
    async fn growth_of_uploads(&self, server: &Server, size: u64) -> Result<f64> {
        let idle = resident(server.id(), "VmRSS")?;
        let (client, fields) = (self.client(server)?, self.form_data(1, ""));
        let all = (0..AT_ONCE).map(|_| {
            let (client, fields) = (client.clone(), fields.clone());
            spawn_blocking(move || client.upload(&fields, size).map(drop))
        });
        for upload in all.collect::<Vec<_>>() {
            upload.await??;
        }
        Ok(resident(server.id(), "VmHWM")? - idle)
    }

    /// Creates submissions with files, and deletes them. Their contents are left.
    async fn delete_files(&self) -> Result<()> {
        let server = self.start().await?;
        let url = format!("{}/formalize/submissions", server.base_url());
        let token = self.installation.token(READER)?;
        let files = Site::new(self.installation).await?;
        let body = files.form_data(20, "text") + "text" + &end();
        let client = reqwest::Client::new();
        let posts = stream::iter(0..DELETED / 20).map(|_| {
            let request = client.post(&url).bearer_auth(token);
            let request = request.header("content-type", MULTIPART).body(body.clone());
            async { request.send().await?.error_for_status().map(drop) }
        });
        posts.buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        let all = format!("{url}?formIdentifier={}", files.form);
        let deleted = client.delete(all).bearer_auth(token).send().await?;
        deleted.error_for_status()?;
        server.terminate().await.map(drop)
    }

    fn folder(&self) -> PathBuf {
        self.installation.command.folder().join("files")
    }
}

fn at_most(what: String, measured: f64, must: f64, aim: f64) -> Figure {
    Figure::new(what, measured, "MB").must(Target::AtMost(must), Some(Target::AtMost(aim)))
}

/// The boundary in [`MULTIPART`].
const BOUNDARY: &str = "a-boundary";

fn end() -> String {
    format!("\r\n--{BOUNDARY}--\r\n")
}

/// The path of the content of the only file of a submission.
fn content_path(submission: &Value) -> io::Result<String> {
    let url = submission.pointer("/submittedFiles/0/downloadUrl");
    let path = url.and_then(|url| url.as_str()?.split_once("://")?.1.split_once('/'));
    let (_, path) = path.ok_or_else(|| io::Error::other(submission.to_string()))?;
    Ok(format!("/{path}"))
}

/// A client that writes requests itself, so that it takes as little time as possible.
#[derive(Clone)]
struct Client {
    address: String,
    token: String,
}

impl Client {
    fn send_head(&self, to: &mut TcpStream, line: &str, headers: &str) -> io::Result<()> {
        let token = &self.token;
        let head = format!(
            "{line} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n{headers}\r\n",
            self.address
        );
        to.write_all(head.as_bytes())
    }

    /// Sends a file of this size behind these parts. Returns the time, and the submission.
    fn upload(&self, before: &str, size: u64) -> io::Result<(Duration, Value)> {
        let end = end();
        let length = before.len() as u64 + size + end.len() as u64;
        let piece: Vec<u8> = (0..MIB).map(|at| (at * 7 % 251) as u8).collect();
        let begun = Instant::now();
        let mut stream = TcpStream::connect(&self.address)?;
        let headers = format!("Content-Type: {MULTIPART}\r\nContent-Length: {length}\r\n");
        self.send_head(&mut stream, "POST /formalize/submissions", &headers)?;
        stream.write_all(before.as_bytes())?;
        for _ in 0..size / MIB {
            stream.write_all(&piece)?;
        }
        stream.write_all(end.as_bytes())?;
        let mut response = String::new();
        stream.read_to_string(&mut response)?;
        let time = begun.elapsed();
        let body = response.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        if !response.starts_with("HTTP/1.1 201") {
            return Err(io::Error::other(response));
        }
        Ok((time, serde_json::from_str(body)?))
    }

    /// Reads a content; for this long if one is given, at a mebibyte a second, and then gives up.
    fn download(&self, path: &str, slowly: Option<Duration>) -> io::Result<Duration> {
        let begun = Instant::now();
        let mut stream = TcpStream::connect(&self.address)?;
        self.send_head(&mut stream, &format!("GET {path}"), "")?;
        let mut piece = vec![0; PIECE];
        let mut bytes = 0;
        loop {
            match stream.read(&mut piece)? {
                0 => break,
                read => bytes += read as u64,
            }
            if let Some(time) = slowly {
                thread::sleep(Duration::from_millis(250));
                if begun.elapsed() > time {
                    break;
                }
            }
        }
        if bytes < MIB {
            return Err(io::Error::other(format!("{path} has {bytes} bytes")));
        }
        Ok(begun.elapsed())
    }
}

/// A server that writes each body to a file, which it makes durable, and sends this file. It does nothing else.
struct Control {
    address: String,
}

impl Control {
    fn start() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?.to_string();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if let Err(error) = answer(stream, &folder) {
                    crate::note(&format!("the control failed: {error}"));
                }
            }
        });
        Ok(Self { address })
    }
}

/// Answers a request.
fn answer(stream: TcpStream, folder: &TempDir) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(PIECE, stream.try_clone()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let path = folder.path().join("content");
    if head.starts_with("GET") {
        return send(stream, &path);
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("Content-Length: "));
    let length: u64 = length
        .and_then(|length| length.parse().ok())
        .ok_or_else(|| io::Error::other("no length"))?;
    let new = folder.path().join("new");
    let mut file = File::create(&new)?;
    let mut body = reader.take(length);
    loop {
        let piece = body.fill_buf()?;
        if piece.is_empty() {
            break;
        }
        file.write_all(piece)?;
        let read = piece.len();
        body.consume(read);
    }
    file.sync_all()?;
    fs::rename(new, path)?;
    let mut stream = stream;
    stream.write_all(b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}")
}

fn send(mut stream: TcpStream, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(()),
            read => stream.write_all(piece.get(..read).unwrap_or_default())?,
        }
    }
}
