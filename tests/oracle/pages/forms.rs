//! The pages of the console about a form.

use std::collections::BTreeSet;

use serde_json::Value;

use super::person::{Granted, Page, Person, sorted};
use super::{Seen, webhooks};

/// The page of each tab, by what follows the path of the form.
const TABS: [&str; 8] = [
    "",
    "/edit",
    "/submissions",
    "/summary",
    "/sharing",
    "/links",
    "/webhooks",
    "/settings",
];

/// A form in the interface, as somebody sees it.
struct Given {
    id: String,
    /// The name, if the form can be read.
    name: Option<String>,
    on_form: Granted,
    on_answers: Granted,
    submissions: Vec<Value>,
    /// The links, if they can be listed.
    links: Option<Vec<Value>>,
}

/// Compares all pages about a form.
pub(super) async fn look(person: &Person<'_>, id: &str, seen: &mut Seen) {
    let of_form = format!("formIdentifier={id}");
    let submissions = person
        .list(&format!("/formalize/submissions?{of_form}"))
        .await;
    let Ok(submissions) = submissions else {
        for tab in TABS {
            let page = person.page(&format!("/console/forms/{id}{tab}")).await;
            page.same(person.name, "status", page.status, 404);
        }
        return;
    };
    let item = person.get(&format!("/formalize/forms/{id}")).await.ok();
    let answers = format!("DbpRelayFormalizeSubmissionCollection/{id}");
    let given = Given {
        id: id.to_owned(),
        name: item.map(|item| item["name"].as_str().unwrap().to_owned()),
        on_form: person.actions(&format!("DbpRelayFormalizeForm/{id}")).await,
        on_answers: person.actions(&answers).await,
        submissions,
        links: person
            .list(&format!("/formalize/form-links?{of_form}"))
            .await
            .ok(),
    };
    seen.forms += 1;
    seen.hidden_forms += usize::from(given.name.is_none());
    let pages = given.pages(person).await;
    given.compare_submissions(person, &pages[2], &pages[3]);
    given.compare_deletion(person, &pages, seen).await;
    given.compare_overview(person, &pages[0]);
    given.compare_links(person, &pages[5]);
    webhooks::compare(person, id, &pages[6], seen).await;
    given.compare_sharing(person, &pages[4], seen).await;
}

impl Given {
    fn path(&self, rest: &str) -> String {
        format!("/console/forms/{}{rest}", self.id)
    }

    /// The pages of all tabs. Each can be seen by those for whom the interface does what it is for, and leads to the
    /// others that can be used.
    async fn pages(&self, person: &Person<'_>) -> Vec<Page> {
        let is_readable = self.name.is_some();
        let changes = is_readable && self.on_form.allow("update");
        let shown = [
            is_readable,
            changes,
            true,
            true,
            self.on_answers.allow("manage"),
            self.links.is_some(),
            self.on_form.allow("manage"),
            changes,
        ];
        let mut pages = Vec::new();
        let mut tabs = None;
        for (rest, is_shown) in TABS.into_iter().zip(shown) {
            let page = person.page(&self.path(rest)).await;
            let status = if is_shown { 200 } else { 403 };
            page.same(person.name, "status", page.status, status);
            if is_shown {
                let own = page.links(".tabs a");
                let tabs = tabs.get_or_insert_with(|| own.clone());
                page.same(person.name, "tabs", &own, &*tabs);
                page.same(person.name, "title", page.texts("h1"), self.title(rest));
            } else if let Some(name) = &self.name {
                assert!(!page.text.contains(name), "{}", page.text);
            }
            pages.push(page);
        }
        let tabs = tabs.unwrap_or_default();
        for (rest, is_shown) in TABS.into_iter().zip(shown) {
            let is_there = tabs.contains(&self.path(rest));
            if rest == "/submissions" || rest == "/summary" {
                // Everybody may list submissions. Without the tab there must be none, and nothing to do with them.
                let has_some =
                    !self.submissions.is_empty() || self.on_form.allow("delete_submissions");
                assert!(
                    is_there || tabs.is_empty() || !has_some,
                    "{}",
                    pages[2].text
                );
            } else if !tabs.is_empty() {
                pages[2].same(person.name, rest, is_there, is_shown);
            }
        }
        pages
    }

    /// The heading of a page. Those who may not read the form do not learn its name.
    fn title(&self, rest: &str) -> Vec<String> {
        let own = match rest {
            "/submissions" => "Answers",
            "/summary" => "Summary",
            _ => "Sharing",
        };
        vec![self.name.clone().unwrap_or_else(|| own.to_owned())]
    }

    /// The table has the rows of the list, and the summary counts them.
    fn compare_submissions(&self, person: &Person<'_>, table: &Page, summary: &Page) {
        let name = person.name;
        let listed = self.submissions.iter().take(50);
        let expected = listed.map(|row| {
            let text = |member: &str| row[member].as_str().unwrap_or_default().to_owned();
            let state = match row["submissionState"].as_str() {
                Some("draft") => "Draft",
                _ => "Sent",
            };
            (text("identifier"), text("creatorId"), state.to_owned())
        });
        let shown = table.links_below("/s/").into_iter();
        let creators = table.texts("tbody td:nth-child(2)").into_iter();
        let states = table.texts("tbody td:nth-child(3)").into_iter();
        let shown = shown.zip(creators).zip(states);
        let shown = shown.map(|((id, creator), state)| (id, creator, state));
        table.same(
            name,
            "rows",
            shown.collect::<Vec<_>>(),
            expected.collect::<Vec<_>>(),
        );
        let total = match self.submissions.len() {
            0 => Vec::new(),
            1 => vec!["1 answer".to_owned()],
            number => vec![format!("{number} answers")],
        };
        summary.same(name, "total", summary.texts("h2#total"), total);
    }

    /// Buttons that delete all submissions, or the form, and the pages to which they lead.
    async fn compare_deletion(&self, person: &Person<'_>, pages: &[Page], seen: &mut Seen) {
        let links = pages.iter().flat_map(|page| page.links("main .actions a"));
        let links: BTreeSet<String> = links.collect();
        for (rest, action) in [
            ("/delete", "delete"),
            ("/submissions/delete", "delete_submissions"),
        ] {
            let path = self.path(rest);
            let may = self.on_form.allow(action);
            pages[2].same(person.name, rest, links.contains(&path), may);
            let page = person.page(&path).await;
            page.same(person.name, "page", page.status == 200, may);
            seen.deletable += usize::from(may);
            if !may {
                continue;
            }
            // Whoever does not go on comes back to a page that can be used.
            let cancel = page.links("main form a");
            let back = person.page(&cancel[0]).await;
            back.same(person.name, "way back", back.status, 200);
        }
    }

    fn compare_overview(&self, person: &Person<'_>, page: &Page) {
        if page.status != 200 {
            return;
        }
        let fill_in = page.links_below("/f/").contains(&self.id);
        let may = self.on_form.allow("create_submissions");
        page.same(person.name, "fill in", fill_in, may);
        let links = self.links.as_ref().map_or(0, Vec::len);
        let shown = page.all("section[aria-labelledby=links] li").len();
        page.same(person.name, "links", shown, links);
    }

    fn compare_links(&self, person: &Person<'_>, page: &Page) {
        let Some(links) = &self.links else { return };
        let mut shown = page.links_below(&self.path("/links/"));
        shown.sort_unstable();
        shown.dedup();
        let expected = sorted(links.iter().map(|link| &link["identifier"]));
        page.same(person.name, "links", shown, expected);
        page.same(
            person.name,
            "create",
            page.has("button[value=create]"),
            true,
        );
    }

    /// Rows for the grants on the form and on its submissions, with a button for each that can be removed.
    async fn compare_sharing(&self, person: &Person<'_>, page: &Page, seen: &mut Seen) {
        if page.status != 200 {
            return;
        }
        let name = person.name;
        seen.managed_answers += usize::from(!self.on_form.allow("manage"));
        let grants = async |class: &str| {
            let on = format!("resourceClass={class}&resourceIdentifier={}", self.id);
            let path = format!("/authorization/resource-action-grants?{on}");
            person.list(&path).await.unwrap()
        };
        let on_answers = grants("DbpRelayFormalizeSubmissionCollection").await;
        seen.grants_on_answers += on_answers.len();
        let section = "section[aria-labelledby='on-answers']";
        let buttons = page.all(&format!("{section} button")).into_iter();
        let values = buttons.filter_map(|button| button.attr("value")?.strip_prefix("grant:"));
        let mut shown: Vec<String> = values.map(str::to_owned).collect();
        shown.sort_unstable();
        let expected = sorted(on_answers.iter().map(|grant| &grant["identifier"]));
        page.same(name, "grants on the submissions", shown, expected);
        for grant in &on_answers {
            assert!(Granted::of(&grant["grantedActions"]).allow("delete"));
        }
        let rows = page.all(&format!("{section} .rows .name")).len();
        page.same(
            name,
            "holders of the submissions",
            rows,
            holders(&on_answers),
        );

        let manages = self.on_form.allow("manage");
        page.same(name, "share", page.has("button[value=share]"), manages);
        page.same(name, "why", page.has("#why"), manages);
        let of_form = if manages {
            holders(&grants("DbpRelayFormalizeForm").await)
        } else {
            0
        };
        let all = page.all("main .rows .name").len();
        page.same(name, "holders of the form", all - rows, of_form);
    }
}

/// The number of those who hold at least one of the grants.
fn holders(grants: &[Value]) -> usize {
    let holders = grants.iter().map(|grant| {
        [
            "userIdentifier",
            "groupIdentifier",
            "dynamicGroupIdentifier",
        ]
        .map(|member| grant[member].as_str().map(str::to_owned))
    });
    holders.collect::<BTreeSet<_>>().len()
}
