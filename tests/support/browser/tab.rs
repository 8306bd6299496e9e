//! A page that a test uses like a person: it clicks, types and reads.
//!
//! Chromium is controlled with the `DevTools` protocol through a pipe.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value returns null for a missing member"
)]

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use data_encoding::BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::{ARGUMENTS, program};
use crate::Result;
use crate::patience::LIMIT;

/// Chromium reads commands from file descriptor 3 and writes responses to 4. A shell connects them to the standard
/// streams of the child.
const SHELL: [&str; 3] = ["-c", r#"exec "$@" 3<&0 4>&1 1>&2"#, "sh"];

/// Disables name resolution, so that only this machine can be reached.
const OFFLINE: &str = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/// Size of the window in pixels.
const SIZE: (u32, u32) = (1200, 860);

/// A page in a new browser, which is closed with this value.
#[derive(Debug)]
pub struct Tab {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    requests: Vec<String>,
    errors: Vec<String>,
    /// Dropping it ends the browser and deletes its profile.
    _browser: (Child, TempDir),
}

impl Tab {
    /// Opens the page at a URL.
    ///
    /// # Errors
    ///
    /// If there is no browser, or it does not answer.
    pub async fn open(url: &str) -> Result<Self> {
        let program = program::find().ok_or("there is no browser")?;
        let profile = TempDir::with_prefix("formalize-browser-")?;
        let mut browser = Command::new("sh")
            .args(SHELL)
            .arg(program)
            .args(ARGUMENTS)
            .args([OFFLINE, "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let input = browser.stdin.take().ok_or("no pipe to the browser")?;
        let output = browser.stdout.take().ok_or("no pipe from the browser")?;
        let mut tab = Self {
            input,
            output: BufReader::new(output),
            session: None,
            last: 0,
            requests: Vec::new(),
            errors: Vec::new(),
            _browser: (browser, profile),
        };
        tab.attach().await?;
        tab.call("Page.navigate", json!({ "url": url })).await?;
        Ok(tab)
    }

    async fn attach(&mut self) -> Result<()> {
        let page = json!({ "url": "about:blank" });
        let page = self.call("Target.createTarget", page).await?;
        let target = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = self.call("Target.attachToTarget", target).await?;
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        let (width, height) = SIZE;
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size)
            .await?;
        self.call("Network.enable", json!({})).await?;
        self.call("Log.enable", json!({})).await?;
        self.call("Runtime.enable", json!({})).await?;
        Ok(())
    }

    /// Leads the tab to another page.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub async fn go(&mut self, url: &str) -> Result<()> {
        self.call("Page.navigate", json!({ "url": url })).await?;
        Ok(())
    }

    /// Leads the tab to another page. Returns `true` if the browser shows it, and `false` if it starts a download.
    ///
    /// # Errors
    ///
    /// If the browser does not answer, or cannot load the page.
    pub async fn shows(&mut self, url: &str) -> Result<bool> {
        let navigated = self.call("Page.navigate", json!({ "url": url })).await?;
        match navigated.get("errorText").and_then(Value::as_str) {
            None => Ok(true),
            Some("net::ERR_ABORTED") => Ok(false),
            Some(other) => Err(other.into()),
        }
    }

    /// Sends this token with each request, as a proxy in front of a server could.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub async fn authorize(&mut self, token: &str) -> Result<()> {
        let headers = json!({ "headers": { "Authorization": format!("Bearer {token}") } });
        self.call("Network.setExtraHTTPHeaders", headers)
            .await
            .map(drop)
    }

    /// Disables the scripts of pages that are opened from now on.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub async fn disable_scripts(&mut self) -> Result<()> {
        let disable = json!({ "value": true });
        self.call("Emulation.setScriptExecutionDisabled", disable)
            .await?;
        Ok(())
    }

    /// Sets the size of the window, in pixels, and whether dark colours are preferred.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub async fn show(&mut self, width: u32, height: u32, dark: bool) -> Result<()> {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size)
            .await?;
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", media).await?;
        Ok(())
    }

    /// Presses a key: `Tab`, `Enter`, an arrow such as `ArrowDown`, or the key of a character.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub async fn press(&mut self, key: &str) -> Result<()> {
        let (text, number) = match key {
            "Enter" => ("\r", 13),
            "Tab" => ("", 9),
            "Home" => ("", 36),
            "ArrowRight" => ("", 39),
            "ArrowDown" => ("", 40),
            character => {
                let first = character.chars().next().unwrap_or_default();
                (character, u32::from(first.to_ascii_uppercase()))
            }
        };
        let code = if key == " " { "Space" } else { key };
        let event = |kind: &str| json!({ "type": kind, "key": key, "code": code, "text": text, "windowsVirtualKeyCode": number });
        let down = if text.is_empty() {
            "rawKeyDown"
        } else {
            "keyDown"
        };
        self.call("Input.dispatchKeyEvent", event(down)).await?;
        self.call("Input.dispatchKeyEvent", event("keyUp")).await?;
        Ok(())
    }

    /// Clicks with the mouse where the middle of an element is, or of the first line of a link, as soon as it exists. If
    /// something covers it, that is clicked.
    ///
    /// # Errors
    ///
    /// If it does not appear in time.
    pub async fn point(&mut self, selector: &str) -> Result<()> {
        self.wait_for(selector).await?;
        // Until its style is there, the element may be in another place.
        let is_loaded = "document.readyState === 'complete'";
        self.wait_until(is_loaded, "end of loading").await?;
        let middle = format!(
            "(() => {{ const element = document.querySelector({}); \
             element.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const {{ left, top, width, height }} = element.getClientRects()[0]; \
             return {{ x: left + width / 2, y: top + height / 2 }}; }})()",
            json!(selector)
        );
        let middle = self.evaluate(&middle).await?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": middle["x"], "y": middle["y"], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event).await?;
        }
        Ok(())
    }

    /// Makes the browser as slow as a phone with a slow connection: the processor takes four times as long, each response
    /// at least 150 ms, and 1.6 megabits come in a second. Nothing is cached.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub async fn slow_down(&mut self) -> Result<()> {
        let network = json!({ "offline": false, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000 });
        self.call("Network.emulateNetworkConditions", network)
            .await?;
        let cache = json!({ "cacheDisabled": true });
        self.call("Network.setCacheDisabled", cache).await?;
        let processor = json!({ "rate": 4 });
        self.call("Emulation.setCPUThrottlingRate", processor)
            .await?;
        Ok(())
    }

    /// Types a text where the focus is.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub async fn write(&mut self, text: &str) -> Result<()> {
        self.call("Input.insertText", json!({ "text": text }))
            .await?;
        Ok(())
    }

    /// Sends a command and waits for its result. Meanwhile, requests and errors of the page are recorded.
    async fn call(&mut self, method: &str, parameters: Value) -> Result<Value> {
        self.last += 1;
        let mut command = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        self.input
            .write_all(format!("{command}\0").as_bytes())
            .await?;
        let result = timeout(LIMIT, self.result(self.last)).await;
        result.map_err(|_| format!("the browser does not answer {method}"))?
    }

    async fn result(&mut self, id: u64) -> Result<Value> {
        loop {
            let mut message = Vec::new();
            self.output.read_until(0, &mut message).await?;
            // A message ends with a zero byte.
            message.pop().ok_or("the browser has ended")?;
            let mut message: Value = serde_json::from_slice(&message)?;
            if message["method"] == "Network.requestWillBeSent" {
                let url = message["params"]["request"]["url"].as_str();
                self.requests.extend(url.map(str::to_owned));
            }
            self.errors.extend(error_in(&message));
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(error.to_string().into()),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    /// The value of a JavaScript expression. Promises are awaited.
    ///
    /// # Errors
    ///
    /// If it throws.
    pub async fn evaluate(&mut self, expression: &str) -> Result<Value> {
        let expression =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut evaluated = self.call("Runtime.evaluate", expression).await?;
        match evaluated.get("exceptionDetails") {
            Some(thrown) => Err(thrown.to_string().into()),
            None => Ok(evaluated["result"]["value"].take()),
        }
    }

    /// Chooses a file in an input, instead of in the dialog of the system, which a browser without a window does not show.
    ///
    /// # Errors
    ///
    /// If the selector matches no input for files.
    pub async fn choose_file(&mut self, selector: &str, file: &Path) -> Result<()> {
        let find = json!({ "expression": format!("document.querySelector({})", json!(selector)) });
        let found = self.call("Runtime.evaluate", find).await?;
        let attach = json!({ "objectId": found["result"]["objectId"], "files": [file] });
        self.call("DOM.setFileInputFiles", attach).await.map(drop)
    }

    /// Waits until an element exists, by its CSS selector.
    ///
    /// # Errors
    ///
    /// If it does not appear in time.
    pub async fn wait_for(&mut self, selector: &str) -> Result<()> {
        let is_there = format!("document.querySelector({}) !== null", json!(selector));
        self.wait_until(&is_there, selector).await
    }

    /// Waits until an expression is true, which it is on a page with `what`.
    async fn wait_until(&mut self, condition: &str, what: &str) -> Result<()> {
        let waiting = async {
            loop {
                match self.evaluate(condition).await {
                    Ok(is_true) if is_true == true => return Ok(()),
                    // The page that was asked is being replaced by the next one.
                    Err(error) if !error.to_string().contains("navigated or closed") => {
                        return Err(error);
                    }
                    Ok(_) | Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            }
        };
        if let Ok(waited) = timeout(LIMIT, waiting).await {
            return waited;
        }
        let shown = "`${document.URL}: ${document.body?.innerText}`";
        let shown = self.evaluate(shown).await?;
        Err(format!("there is no `{what}` in {shown}").into())
    }

    /// Clicks an element as soon as it exists.
    ///
    /// # Errors
    ///
    /// If it does not appear in time.
    pub async fn click(&mut self, selector: &str) -> Result<()> {
        self.wait_for(selector).await?;
        let click = format!("document.querySelector({}).click()", json!(selector));
        self.evaluate(&click).await?;
        Ok(())
    }

    /// Pastes a text into a field as soon as it exists.
    ///
    /// # Errors
    ///
    /// If it does not appear in time.
    pub async fn paste(&mut self, selector: &str, text: &str) -> Result<()> {
        self.wait_for(selector).await?;
        let focus = format!("document.querySelector({}).focus()", json!(selector));
        self.evaluate(&focus).await?;
        self.call("Input.insertText", json!({ "text": text }))
            .await?;
        Ok(())
    }

    /// The displayed text of an element, as soon as it exists.
    ///
    /// # Errors
    ///
    /// If it does not appear in time.
    pub async fn text(&mut self, selector: &str) -> Result<String> {
        self.wait_for(selector).await?;
        let text = format!("document.querySelector({}).innerText", json!(selector));
        let text = self.evaluate(&text).await?;
        Ok(text.as_str().unwrap_or_default().trim().to_owned())
    }

    /// A screenshot of the window, as a PNG.
    ///
    /// # Errors
    ///
    /// If the browser takes no screenshot.
    pub async fn picture(&mut self) -> Result<Vec<u8>> {
        let shown = self.call("Page.captureScreenshot", json!({})).await?;
        Ok(BASE64.decode(shown["data"].as_str().unwrap_or_default().as_bytes())?)
    }

    /// The errors of pages so far: reports of the content security policy, and exceptions of scripts.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub async fn errors(&mut self) -> Result<&[String]> {
        // Reads what the browser has sent until now.
        self.evaluate("1").await?;
        Ok(&self.errors)
    }

    /// The URLs of all requests of the page, beginning with the page itself.
    pub fn requests(&self) -> &[String] {
        &self.requests
    }
}

/// The error that the browser reports with a message. Responses with the status of an error are none.
fn error_in(message: &Value) -> Option<String> {
    let parameters = &message["params"];
    match message["method"].as_str()? {
        "Log.entryAdded" if parameters["entry"]["source"] == "network" => None,
        "Log.entryAdded" if parameters["entry"]["level"] != "error" => None,
        "Log.entryAdded" => Some(parameters["entry"]["text"].to_string()),
        "Runtime.exceptionThrown" => Some(parameters["exceptionDetails"].to_string()),
        _ => None,
    }
}
