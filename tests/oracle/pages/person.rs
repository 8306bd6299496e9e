//! Somebody who uses pages and the interface.

use std::time::Duration;

use formalize_core::{
    Caller,
    tokens::{NewApiToken, NewSession},
};
use formalize_pages::PageSetup;
use formalize_server::App;
use formalize_tests::world::World;
use poem::endpoint::BoxEndpoint;
use poem::http::header::{AUTHORIZATION, COOKIE, HeaderName};
use poem::{Endpoint, Request, Response};
use scraper::{ElementRef, Html, Selector};
use serde_json::Value;

/// The path of the base URL.
const BASE_PATH: &str = "/service";

/// The server of a world.
pub(super) struct Server(BoxEndpoint<'static, Response>);

impl Server {
    pub(super) fn of(world: &World) -> Self {
        let clock = world.clock.clone();
        let setup = PageSetup {
            clock,
            ..PageSetup::default()
        };
        let server = App::new(world.formalize.clone())
            .base_url(format!("https://forms.example.org{BASE_PATH}"))
            .pages(setup);
        Self(server.build())
    }

    async fn get(&self, path: &str, header: Option<(HeaderName, &str)>) -> (u16, String) {
        let mut request = Request::builder().uri(path.parse().unwrap());
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        let mut response = self.0.get_response(request.finish()).await;
        let body = response.take_body().into_string().await.unwrap();
        (response.status().as_u16(), body)
    }

    /// A page for somebody who has not signed in.
    pub(super) async fn page(&self, path: &str) -> Page {
        Page::of(path, self.get(path, None).await)
    }
}

/// A user with a session and an API token.
pub(super) struct Person<'a> {
    server: &'a Server,
    pub(super) name: &'static str,
    session: String,
    token: String,
}

impl<'a> Person<'a> {
    pub(super) async fn sign_in(
        server: &'a Server,
        world: &World,
        name: &'static str,
        caller: Caller,
    ) -> Self {
        let Caller::User(user) = caller else {
            panic!("{name} is no user");
        };
        let session = NewSession {
            user: user.id.clone(),
            attributes: user.attributes.clone(),
            lifetime: Duration::from_hours(12),
            idle: Duration::from_hours(2),
        };
        let session = world.sessions().create(&Caller::System, session).await;
        let token = NewApiToken {
            user: user.id,
            attributes: user.attributes,
            date_expires: None,
        };
        let token = world.tokens().create(&Caller::System, token).await;
        Self {
            server,
            name,
            session: format!("__Host-formalize={}", session.unwrap().1.expose()),
            token: format!("Bearer {}", token.unwrap().1.expose()),
        }
    }

    /// A page of the console.
    pub(super) async fn page(&self, path: &str) -> Page {
        let page = self.server.get(path, Some((COOKIE, &self.session))).await;
        Page::of(path, page)
    }

    /// A response of the interface: its status, and the body of a success.
    pub(super) async fn get(&self, path: &str) -> Result<Value, u16> {
        let token = Some((AUTHORIZATION, self.token.as_str()));
        match self.server.get(path, token).await {
            (200, body) => Ok(serde_json::from_str(&body).unwrap()),
            (status, _) => Err(status),
        }
    }

    /// The items of a list of the interface. The worlds are small enough for one page.
    pub(super) async fn list(&self, path: &str) -> Result<Vec<Value>, u16> {
        let separator = if path.contains('?') { '&' } else { '?' };
        let page = self.get(&format!("{path}{separator}perPage=500")).await?;
        let items = page["items"].as_array().unwrap().clone();
        assert!(items.len() < 500, "{path}");
        Ok(items)
    }

    /// The effective actions on a resource, or on the collection of a class.
    pub(super) async fn actions(&self, resource: &str) -> Granted {
        let path = format!("/authorization/granted-actions/{resource}");
        Granted::of(&self.get(&path).await.unwrap()["actions"])
    }
}

/// Actions in a response.
pub(super) struct Granted(Vec<String>);

impl Granted {
    pub(super) fn of(actions: &Value) -> Self {
        let actions = actions.as_array().unwrap().iter();
        Self(
            actions
                .map(|one| one.as_str().unwrap().to_owned())
                .collect(),
        )
    }

    pub(super) fn allow(&self, action: &str) -> bool {
        self.0.iter().any(|one| one == action || one == "manage")
    }
}

/// A page in a browser.
pub(super) struct Page {
    path: String,
    pub(super) status: u16,
    pub(super) text: String,
    html: Html,
}

impl Page {
    fn of(path: &str, (status, text): (u16, String)) -> Self {
        Self {
            path: path.to_owned(),
            status,
            html: Html::parse_document(&text),
            text,
        }
    }

    pub(super) fn all(&self, selector: &str) -> Vec<ElementRef<'_>> {
        let selector = Selector::parse(selector).unwrap();
        self.html.select(&selector).collect()
    }

    pub(super) fn has(&self, selector: &str) -> bool {
        !self.all(selector).is_empty()
    }

    pub(super) fn texts(&self, selector: &str) -> Vec<String> {
        let all = self.all(selector).into_iter();
        all.map(|element| element.text().collect()).collect()
    }

    /// The paths of links.
    pub(super) fn links(&self, selector: &str) -> Vec<String> {
        let links = self.all(selector).into_iter();
        let paths = links.filter_map(|link| link.attr("href")?.strip_prefix(BASE_PATH));
        paths.map(str::to_owned).collect()
    }

    /// The links in the content whose paths have this beginning, without it.
    pub(super) fn links_below(&self, start: &str) -> Vec<String> {
        let links = self.links("main a[href]").into_iter();
        let below = links.filter_map(|link| Some(link.strip_prefix(start)?.to_owned()));
        below.collect()
    }

    /// The values of buttons that have this beginning, without it.
    pub(super) fn buttons(&self, start: &str) -> Vec<String> {
        let buttons = self.all("main button[value]").into_iter();
        let values = buttons.filter_map(|button| button.attr("value")?.strip_prefix(start));
        values.map(str::to_owned).collect()
    }

    /// Fails unless what the page shows is what it should show.
    #[track_caller]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers make the values for the comparison alone"
    )]
    pub(super) fn same<T: PartialEq + std::fmt::Debug>(
        &self,
        who: &str,
        what: &str,
        shown: T,
        expected: T,
    ) {
        let path = &self.path;
        assert_eq!(shown, expected, "{who:?}, {what} on {path}:\n{}", self.text);
    }
}

/// The same texts in an order of their own.
pub(super) fn sorted<'a>(texts: impl IntoIterator<Item = &'a Value>) -> Vec<String> {
    let texts = texts.into_iter().map(|text| text.as_str().unwrap());
    let mut texts: Vec<String> = texts.map(str::to_owned).collect();
    texts.sort_unstable();
    texts
}
