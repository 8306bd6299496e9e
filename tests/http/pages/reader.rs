//! Somebody who uses pages: a browser without scripts, reduced to cookies, forms and links.

use poem::http::Method;
use scraper::{ElementRef, Html, Selector};

use crate::support::{Answer, App};

const ORIGIN: &str = "https://forms.example.org";
/// The path of the base URL, which the proxy before the service removes.
const BASE_PATH: &str = "/service";
const COOKIE: &str = "__Host-formalize";

/// A person with a browser.
pub(super) struct Reader<'a> {
    app: &'a App,
    pub(super) cookie: Option<String>,
    /// Other cookies.
    pub(super) remembered: Vec<String>,
    language: &'static str,
}

/// A page in a browser.
pub(super) struct Page {
    pub(super) path: String,
    pub(super) answer: Answer,
    pub(super) html: Html,
}

impl<'a> Reader<'a> {
    /// Somebody who has not signed in.
    pub(super) fn new(app: &'a App) -> Self {
        Self {
            app,
            cookie: None,
            remembered: Vec::new(),
            language: "en",
        }
    }

    /// Somebody who has signed in.
    pub(super) async fn signed_in(app: &'a App, user: &str) -> Self {
        let mut reader = Self::new(app);
        reader.cookie = Some(app.session(user).await);
        reader
    }

    pub(super) fn speaking(mut self, language: &'static str) -> Self {
        self.language = language;
        self
    }

    /// Opens a page, without following redirects.
    pub(super) async fn open(&mut self, path: &str) -> Page {
        self.ask(Method::GET, path, None, &[]).await
    }

    /// Sends a request as a page of this service does, unless the headers say something else.
    pub(super) async fn ask(
        &mut self,
        method: Method,
        path: &str,
        body: Option<&[(String, String)]>,
        headers: &[(&'static str, &str)],
    ) -> Page {
        let urlencoded = "application/x-www-form-urlencoded";
        let body = body.map(|pairs| (urlencoded, encoded(pairs).into_bytes()));
        self.send(method, path, body, headers).await
    }

    /// Like [`Reader::ask`], with any body.
    pub(super) async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: Option<(&str, Vec<u8>)>,
        headers: &[(&'static str, &str)],
    ) -> Page {
        let has_body = body.is_some();
        let mut asking = self.app.anon().request(method, path);
        asking = asking.header("accept-language", self.language);
        if let Some(cookie) = &self.cookie {
            asking = asking.header("cookie", &format!("other=1; {COOKIE}={cookie}"));
        }
        for cookie in &self.remembered {
            asking = asking.header("cookie", cookie);
        }
        if let Some((content_type, body)) = body {
            asking = asking.header("content-type", content_type);
            asking = if content_type.starts_with("multipart/") {
                asking.streamed(body)
            } else {
                asking.body(body)
            };
        }
        let names_site = headers.iter().any(|(name, _)| *name == "sec-fetch-site");
        if has_body && !names_site {
            asking = asking.header("origin", ORIGIN);
        }
        for (name, value) in headers {
            asking = asking.header(name, value);
        }
        let answer = asking.send().await;
        for cookie in answer.cookies() {
            let (pair, attributes) = cookie.split_once(';').unwrap();
            assert!(
                attributes.contains("HttpOnly; SameSite=Lax; Secure")
                    && attributes.contains("Path=/;")
            );
            let (name, value) = pair.split_once('=').unwrap();
            let kept = (!value.is_empty()).then_some(value);
            if name == COOKIE {
                self.cookie = kept.map(str::to_owned);
                continue;
            }
            self.forget(name);
            self.remembered.extend(kept.map(|_| pair.to_owned()));
        }
        let html = Html::parse_document(&String::from_utf8_lossy(&answer.body));
        Page {
            path: path.to_owned(),
            answer,
            html,
        }
    }

    fn forget(&mut self, name: &str) {
        let is_other = |cookie: &String| {
            let rest = cookie.strip_prefix(name);
            rest.is_none_or(|rest| !rest.starts_with('='))
        };
        self.remembered.retain(is_other);
    }

    /// Sends the form of a page with these changes, by pressing a button.
    pub(super) async fn press(
        &mut self,
        page: &Page,
        button: &str,
        changes: &[(&str, &str)],
    ) -> Page {
        let mut sent = page.sent();
        for (name, value) in changes {
            // A control with several inputs sends the empty one and those that are selected.
            let place = sent.iter().rposition(|(other, _)| other == name);
            match place.and_then(|place| sent.get_mut(place)) {
                Some((_, old)) => (*value).clone_into(old),
                None => panic!("the page has no {name}"),
            }
        }
        sent.push(("do".to_owned(), button.to_owned()));
        self.ask(Method::POST, &page.path, Some(&sent), &[]).await
    }

    /// Sends the form of a page with these changes and files, by pressing a button. A file has a group, a name and a content.
    pub(super) async fn press_with_files(
        &mut self,
        page: &Page,
        button: &str,
        changes: &[(&str, &str)],
        files: &[(&str, &str, &[u8])],
    ) -> Page {
        let form = page.all("main form[enctype='multipart/form-data']")[0];
        let buttons = Selector::parse(&format!("button[value='{button}']")).unwrap();
        let pressed = form.select(&buttons).next();
        let pressed = pressed.unwrap_or_else(|| panic!("no {button}: {}", page.answer));
        let address = pressed.attr("formaction").or(form.attr("action")).unwrap();
        let path = address.strip_prefix(BASE_PATH).unwrap();
        let mut sent = page.sent();
        for (name, value) in changes {
            let place = sent.iter().rposition(|(other, _)| other == name);
            let place = place.unwrap_or_else(|| panic!("the page has no {name}"));
            sent[place].1 = (*value).to_owned();
        }
        let mut parts: Vec<(String, Option<&str>, &[u8])> = Vec::new();
        for (name, value) in &sent {
            parts.push((name.replace('"', "%22"), None, value.as_bytes()));
        }
        for input in page.all("main input[type=file][name]") {
            let name = input.attr("name").unwrap();
            let chosen = files
                .iter()
                .filter(|(group, ..)| format!("files.{group}") == name);
            let before = parts.len();
            for (_, file_name, content) in chosen {
                parts.push((name.to_owned(), Some(*file_name), *content));
            }
            if parts.len() == before {
                parts.push((name.to_owned(), Some(""), b""));
            }
        }
        parts.push(("do".to_owned(), None, button.as_bytes()));
        let body = Some(("multipart/form-data; boundary=x", multipart(&parts)));
        let mut answered = self.send(Method::POST, path, body, &[]).await;
        // The browser shows the page under the address without the button.
        answered.path = path.split('?').next().unwrap().to_owned();
        answered
    }

    /// Sends that form of a page which has this button. Each name among the changes has exactly the values that follow.
    pub(super) async fn press_one(
        &mut self,
        page: &Page,
        button: &str,
        changes: &[(&str, &[&str])],
    ) -> Page {
        let has_it = Selector::parse(&format!("button[value='{button}']")).unwrap();
        let mut forms = page.all("main form").into_iter();
        let form = forms.find(|form| form.select(&has_it).next().is_some());
        let form = form.unwrap_or_else(|| panic!("no form has {button}: {}", page.answer));
        let mut sent = controls(form);
        for (name, values) in changes {
            let has_name = Selector::parse(&format!("[name='{name}']")).unwrap();
            assert!(form.select(&has_name).next().is_some(), "no input {name}");
            sent.retain(|(other, _)| other != name);
            sent.extend(
                values
                    .iter()
                    .map(|value| ((*name).to_owned(), (*value).to_owned())),
            );
        }
        sent.push(("do".to_owned(), button.to_owned()));
        self.ask(Method::POST, &page.path, Some(&sent), &[]).await
    }

    /// Follows a redirect.
    pub(super) async fn follow(&mut self, page: &Page) -> Page {
        let to = page.leads_to();
        self.open(&to).await
    }
}

impl Page {
    pub(super) fn status(&self) -> u16 {
        self.answer.status.as_u16()
    }

    /// The path of a redirect after a form was sent.
    #[track_caller]
    pub(super) fn leads_to(&self) -> String {
        assert_eq!(self.status(), 303, "{}", self.answer);
        let location = self.answer.header("location").unwrap();
        location.strip_prefix(BASE_PATH).unwrap().to_owned()
    }

    /// Whether it is a redirect of somebody who has not signed in.
    pub(super) fn leads_to_sign_in(&self) -> bool {
        let location = self.answer.header("location").unwrap_or_default();
        location.starts_with(&format!("{BASE_PATH}/sign-in?return="))
    }

    pub(super) fn all(&self, selector: &str) -> Vec<ElementRef<'_>> {
        let selector = Selector::parse(selector).unwrap();
        self.html.select(&selector).collect()
    }

    pub(super) fn has(&self, selector: &str) -> bool {
        !self.all(selector).is_empty()
    }

    /// The texts of elements that a person sees.
    pub(super) fn texts(&self, selector: &str) -> Vec<String> {
        let all = self.all(selector).into_iter();
        let shown = all.filter(|element| element.attr("hidden").is_none());
        shown.map(|element| element.text().collect()).collect()
    }

    /// What a browser sends of the form for signing out.
    pub(super) fn sign_out_form(&self) -> Vec<(String, String)> {
        let inputs = self.all("header form input").into_iter();
        let pair = |input: ElementRef<'_>| {
            let attribute = |name| input.attr(name).unwrap().to_owned();
            (attribute("name"), attribute("value"))
        };
        inputs.map(pair).collect()
    }

    /// The paths of the links in the content.
    pub(super) fn links(&self) -> Vec<String> {
        let links = self.all("main a[href]").into_iter();
        let paths = links.filter_map(|link| link.attr("href")?.strip_prefix(BASE_PATH));
        paths.map(str::to_owned).collect()
    }

    /// What a browser sends of the form in the content, without the button.
    pub(super) fn sent(&self) -> Vec<(String, String)> {
        let main = self.all("main").into_iter();
        main.flat_map(controls).collect()
    }

    /// The value that an input would send.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        let mut sent = self.sent().into_iter().rev();
        let found = sent.find(|(other, _)| other == name);
        found.map(|(_, value)| value)
    }
}

/// What the controls in an element send.
fn controls(element: ElementRef<'_>) -> Vec<(String, String)> {
    let mut sent = Vec::new();
    let named = Selector::parse("input[name], select, textarea[name]").unwrap();
    for control in element.select(&named) {
        let name = control.attr("name").unwrap().to_owned();
        let value = control.attr("value").unwrap_or_default().to_owned();
        match (control.value().name(), control.attr("type")) {
            ("textarea", _) => {
                let text: String = control.text().collect();
                // Browsers ignore the first line break; so does the parser.
                sent.push((name, text.replace('\n', "\r\n")));
            }
            ("select", _) if control.attr("multiple").is_some() => {
                let selected = Selector::parse("option[selected]").unwrap();
                let values = control
                    .select(&selected)
                    .map(|one| one.attr("value").unwrap());
                sent.extend(values.map(|value| (name.clone(), value.to_owned())));
            }
            ("select", _) => {
                let option = Selector::parse("option").unwrap();
                let mut options = control.select(&option);
                let first = options.clone().next().unwrap();
                let selected = options.find(|option| option.attr("selected").is_some());
                let value = selected.unwrap_or(first).attr("value").unwrap();
                sent.push((name, value.to_owned()));
            }
            (_, Some("checkbox" | "radio")) if control.attr("checked").is_none() => {}
            (_, Some("file")) => {}
            _ => sent.push((name, value)),
        }
    }
    sent
}

/// A body of `multipart/form-data` with the boundary `x`. A part has a name, the name of a file, and a content.
pub(super) fn multipart(parts: &[(String, Option<&str>, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, file_name, content) in parts {
        let file_name = file_name
            .map(|it| format!("; filename=\"{it}\""))
            .unwrap_or_default();
        let head =
            format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"{file_name}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--x--\r\n");
    body
}

fn encoded(pairs: &[(String, String)]) -> String {
    use formalize_http::percent::encode;
    let pairs = pairs
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}
