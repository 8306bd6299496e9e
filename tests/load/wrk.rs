//! The load generator [wrk](https://github.com/wg/wrk). It shares the machine with the server, and uses few resources.

use std::io::ErrorKind;
use std::process::Stdio;
use std::time::Duration;

use formalize_tests::Result;
use tokio::process::Command;

/// The media type of most bodies.
pub(crate) const JSON: &str = "application/json";

/// The media type of what pages send.
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

/// The media type of bodies with files.
pub(crate) const MULTIPART: &str = "multipart/form-data; boundary=a-boundary";

/// In a body, stands for a number that is different in each request.
pub(crate) const NUMBER: &str = "number-of-the-request";

/// One kind of request, sent repeatedly.
#[derive(Debug, Clone)]
pub(crate) struct Load {
    /// The whole URL.
    pub(crate) url: String,
    /// The bearer tokens, used in turn. No token is sent if this is empty.
    pub(crate) tokens: Vec<String>,
    /// The cookies.
    pub(crate) cookies: Option<String>,
    /// The body of a POST. Without a body, the request is a GET. If it contains [`NUMBER`], each request is made anew, which
    /// takes time of the generator.
    pub(crate) body: Option<String>,
    /// The media type of the body.
    pub(crate) content_type: &'static str,
    /// Whether each request has an idempotency key of its own. Then each request is made anew.
    pub(crate) has_key: bool,
    /// The number of connections.
    pub(crate) connections: u32,
}

impl Load {
    pub(crate) fn get(url: impl Into<String>, token: &str) -> Self {
        Self {
            url: url.into(),
            tokens: vec![token.to_owned()],
            cookies: None,
            body: None,
            content_type: JSON,
            has_key: false,
            connections: 32,
        }
    }

    pub(crate) fn without_token(url: impl Into<String>) -> Self {
        Self {
            tokens: Vec::new(),
            ..Self::get(url, "")
        }
    }

    /// Uses this many connections instead of 32.
    pub(crate) fn connections(self, connections: u32) -> Self {
        Self {
            connections,
            ..self
        }
    }

    /// Sends the request for some seconds.
    pub(crate) async fn run(&self, seconds: u32) -> Result<Measured> {
        let script = tempfile::Builder::new().suffix(".lua").tempfile()?;
        std::fs::write(script.path(), self.script())?;
        let output = Command::new("wrk")
            .args(["-t1", "--latency", "--timeout", "10s"])
            .arg(format!("-c{}", self.connections))
            .arg(format!("-d{seconds}s"))
            .arg("-s")
            .arg(script.path())
            .arg(&self.url)
            .stdin(Stdio::null())
            .output()
            .await?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            let error = String::from_utf8_lossy(&output.stderr);
            return Err(format!("wrk ended with {}: {error}", output.status).into());
        }
        Measured::read(&text).map_err(|error| format!("{}: {error}\n{text}", self.url).into())
    }

    fn script(&self) -> String {
        let body = self.body.as_deref().map(|body| {
            // Lua makes every line end with a line feed alone.
            let lines = if body.contains("\r\n") {
                "wrk.body = wrk.body:gsub('\\n', '\\r\\n')\n"
            } else {
                ""
            };
            format!(
                "wrk.method = 'POST'\nwrk.headers['Content-Type'] = '{}'\nwrk.body = [==[{body}]==]\n{lines}",
                self.content_type
            )
        });
        let cookies = self.cookies.as_ref();
        let cookies = cookies.map(|cookies| format!("wrk.headers['Cookie'] = '{cookies}'\n"));
        body.unwrap_or_default()
            + &cookies.unwrap_or_default()
            + &self.credentials()
            + &self.numbering()
    }

    /// Puts a number into each body, and into the key. It begins with the time, so that other runs have other numbers.
    fn numbering(&self) -> String {
        let body = self.body.as_deref().unwrap_or_default();
        let parts = body.split_once(NUMBER);
        let Some((before, behind)) = parts.or_else(|| self.has_key.then_some((body, ""))) else {
            return String::new();
        };
        let (number, key) = (
            parts.map_or("''", |_| "number"),
            if self.has_key {
                "wrk.headers['Idempotency-Key'] = '\"' .. number .. '\"'\n  "
            } else {
                ""
            },
        );
        format!(
            "local run, count = os.time(), 0\n\
             request = function()\n  \
               count = count + 1\n  \
               local number = run .. '-' .. count\n  \
               {key}\
               return wrk.format(nil, nil, nil, [==[{before}]==] .. {number} .. [==[{behind}]==])\n\
             end\n"
        )
    }

    /// Requests are built once, because the CPU time of the generator is lost for the server.
    fn credentials(&self) -> String {
        let tokens = match self.tokens.as_slice() {
            [] => return String::new(),
            [one] => return format!("wrk.headers['Authorization'] = 'Bearer {one}'\n"),
            many => format!("'{}'", many.join("', '")),
        };
        format!(
            "local requests, turn = {{}}, 0\n\
             init = function()\n  \
               for _, token in ipairs({{ {tokens} }}) do\n    \
                 wrk.headers['Authorization'] = 'Bearer ' .. token\n    \
                 table.insert(requests, wrk.format())\n  \
               end\n\
             end\n\
             request = function()\n  \
               turn = turn % #requests + 1\n  \
               return requests[turn]\n\
             end\n"
        )
    }
}

/// The result of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measured {
    /// Responses per second.
    pub(crate) rate: f64,
    /// The median latency.
    pub(crate) median: Duration,
    /// The latency that one of a hundred responses exceeds.
    pub(crate) p99: Duration,
}

impl Measured {
    fn read(text: &str) -> Result<Self> {
        for trouble in ["Non-2xx or 3xx responses", "Socket errors"] {
            if text.contains(trouble) {
                return Err(trouble.into());
            }
        }
        let after = |mark: &str| {
            let line = text
                .lines()
                .map(str::trim)
                .find_map(|line| line.strip_prefix(mark));
            line.map(str::trim).ok_or_else(|| format!("no `{mark}`"))
        };
        Ok(Self {
            rate: after("Requests/sec:")?.parse()?,
            median: duration(after("50%")?).ok_or("no duration after `50%`")?,
            p99: duration(after("99%")?).ok_or("no duration after `99%`")?,
        })
    }
}

/// A duration in wrk's format: `112.00us`, `5.20ms`, `1.02s`.
fn duration(text: &str) -> Option<Duration> {
    const UNITS: [(&str, f64); 3] = [("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];
    UNITS.iter().find_map(|(unit, seconds)| {
        let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
        Duration::try_from_secs_f64(number * seconds).ok()
    })
}

/// Fails if wrk is not installed.
pub(crate) fn check() -> Result<()> {
    let started = std::process::Command::new("wrk")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match started {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err("the load generator `wrk` is missing; Debian has it: apt-get install wrk".into())
        }
        other => Ok(other.map(drop)?),
    }
}
