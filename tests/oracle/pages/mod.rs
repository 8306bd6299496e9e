//! Pages in random scenarios: what the console shows to every user of a world is what the interface gives the same user,
//! and a page has a button if and only if the interface does what it is for.
//!
//! The scenarios have fixed seeds, so every run has the same ones.

use std::sync::Arc;

use formalize_core::store::memory::MemoryStore;
use serde_json::Value;

use crate::act::{Act, Answer, Step};
use crate::model::words::DATA;
use crate::model::{Actor, Model, State, USERS};
use crate::service::Service;
use crate::{fixed_scenarios, runtime};
use person::{Granted, Person, Server, sorted};

mod forms;
mod person;
mod webhooks;

/// One in this number of scenarios of the oracle is also one of pages.
const SHARE: u32 = 40;

/// How often the comparisons had something to compare.
#[derive(Debug, Default)]
pub(super) struct Seen {
    to_fill_in: usize,
    /// Those that may be filled in but not read.
    only_to_fill_in: usize,
    to_look_after: usize,
    submissions: usize,
    forms: usize,
    hidden_forms: usize,
    deletable: usize,
    managed_answers: usize,
    grants_on_answers: usize,
    groups: usize,
    links: usize,
    ended_links: usize,
    webhooks: usize,
    deliveries: usize,
    resendable: usize,
}

#[test]
fn pages_show_what_the_interface_gives() {
    let mut seen = Seen::default();
    for steps in fixed_scenarios(SHARE) {
        runtime().block_on(look_at_world(&steps, &mut seen));
    }
    let Seen {
        to_fill_in,
        only_to_fill_in,
        to_look_after,
        submissions,
        forms,
        hidden_forms,
        deletable,
        managed_answers,
        grants_on_answers,
        groups,
        links,
        ended_links,
        webhooks,
        deliveries,
        resendable,
    } = seen;
    let all = [
        to_fill_in,
        only_to_fill_in,
        to_look_after,
        submissions,
        forms,
        hidden_forms,
        deletable,
        managed_answers,
        grants_on_answers,
        groups,
        links,
        ended_links,
        webhooks,
        deliveries,
        resendable,
    ];
    assert!(all.iter().all(|count| *count > 0), "{all:?}");
}

async fn look_at_world(steps: &[Step], seen: &mut Seen) {
    let mut service = Service::on(Arc::new(MemoryStore::new())).await;
    let mut model = Model::new();
    for step in steps {
        let (actor, act) = step.settle(&model);
        let answer = service.take(actor, &act, &model).await;
        assert_eq!(answer, model.take(actor, &act), "{actor:?}: {act:?}");
        service.follow(&model);
    }
    webhooks::create(&service, &model).await;
    let server = Server::of(&service.world);
    for user in &USERS {
        let caller = service.caller(Actor::User(user));
        let person = Person::sign_in(&server, &service.world, user.name, caller).await;
        look_at_home(&person, seen).await;
        look_at_groups(&person, &service, &model, seen).await;
        for form in 0..model.forms.len() {
            forms::look(&person, &service.form(form).to_string(), seen).await;
        }
        for submission in 0..model.submissions.len() {
            let id = service.submission(submission).to_string();
            look_at_submission(&person, &id, seen).await;
        }
    }
    look_at_links(&server, &service, &model, seen).await;
}

/// The forms to fill in, those to look after, and the button for new ones.
async fn look_at_home(person: &Person<'_>, seen: &mut Seen) {
    let (home, name) = (person.page("/console").await, person.name);
    let readable = person.list("/formalize/forms").await.unwrap();
    let reached = "/formalize/forms?whereReadFormSubmissionsGranted=true";
    let reached = person.list(reached).await.unwrap();
    let forms = "/authorization/resources?resourceClass=DbpRelayFormalizeForm";
    let mut to_fill_in = Vec::new();
    for resource in person.list(forms).await.unwrap() {
        let Some(form) = resource["resourceIdentifier"].as_str() else {
            continue;
        };
        let actions = person
            .actions(&format!("DbpRelayFormalizeForm/{form}"))
            .await;
        if actions.allow("create_submissions") {
            to_fill_in.push(Value::from(form));
        }
    }
    let to_look_after = readable.iter().filter(|form| {
        let granted = Granted::of(&form["grantedActions"]);
        granted.allow("update")
            || reached
                .iter()
                .any(|one| one["identifier"] == form["identifier"])
    });
    let (to_fill_in, to_look_after) = (
        sorted(&to_fill_in),
        sorted(to_look_after.map(|form| &form["identifier"])),
    );
    let is_readable = |id: &&String| readable.iter().any(|form| form["identifier"] == **id);
    let readable_to_fill_in = to_fill_in.iter().filter(is_readable).count();
    seen.to_fill_in += to_fill_in.len();
    seen.only_to_fill_in += to_fill_in.len() - readable_to_fill_in;
    seen.to_look_after += to_look_after.len();

    let mut shown = home.links_below("/f/");
    shown.sort_unstable();
    home.same(name, "forms to fill in", shown, to_fill_in);
    let mut shown = home.links_below("/console/forms/");
    let before = shown.len();
    shown.retain(|rest| rest != "new");
    let has_button = before > shown.len();
    shown.sort_unstable();
    home.same(name, "forms to look after", shown, to_look_after);
    let on_forms = person.actions("DbpRelayFormalizeForm").await;
    home.same(name, "new form", has_button, on_forms.allow("create"));
    let new_form = person.page("/console/forms/new").await;
    new_form.same(name, "page", new_form.status == 200, has_button);
}

/// The list of groups, and the page of each with its buttons.
async fn look_at_groups(person: &Person<'_>, service: &Service, model: &Model, seen: &mut Seen) {
    let (page, name) = (person.page("/console/groups").await, person.name);
    let groups = person.list("/authorization/groups").await.unwrap();
    let mut shown = page.links_below("/console/groups/");
    shown.sort_unstable();
    let expected = sorted(groups.iter().map(|group| &group["identifier"]));
    page.same(name, "groups", shown, expected);
    let on_groups = person.actions("DbpRelayAuthorizationGroup").await;
    let creates = page.has("button[value=create]");
    page.same(name, "create", creates, on_groups.allow("create"));
    for group in 0..model.groups.len() {
        let id = service.group(group);
        let item = person.get(&format!("/authorization/groups/{id}")).await;
        let path = format!("/console/groups/{id}");
        let (page, delete) = (
            person.page(&path).await,
            person.page(&format!("{path}/delete")).await,
        );
        let status = item.as_ref().err().copied().unwrap_or(200);
        page.same(name, "status", page.status, status);
        let Ok(item) = item else {
            delete.same(name, "status", delete.status, status);
            continue;
        };
        seen.groups += 1;
        let granted = Granted::of(&item["grantedActions"]);
        for (button, action) in [("rename", "update"), ("add", "add_members")] {
            let is_there = page.has(&format!("button[value={button}]"));
            page.same(name, button, is_there, granted.allow(action));
        }
        let is_linked = page.links_below(&path).contains(&"/delete".to_owned());
        page.same(name, "delete", is_linked, granted.allow("delete"));
        let may_delete = delete.status == 200;
        delete.same(name, "page", may_delete, granted.allow("delete"));
        let members = format!("/authorization/groups-members?groupIdentifier={id}");
        let members = person.list(&members).await.unwrap();
        let expected = if granted.allow("delete_members") {
            sorted(members.iter().map(|member| &member["identifier"]))
        } else {
            Vec::new()
        };
        let mut shown = page.buttons("remove:");
        shown.sort_unstable();
        page.same(name, "remove", shown, expected);
    }
}

/// The page of a submission, and its buttons.
async fn look_at_submission(person: &Person<'_>, id: &str, seen: &mut Seen) {
    let (path, name) = (format!("/s/{id}"), person.name);
    let item = person.get(&format!("/formalize/submissions/{id}")).await;
    let (page, delete) = (
        person.page(&path).await,
        person.page(&format!("{path}/delete")).await,
    );
    let status = item.as_ref().err().copied().unwrap_or(200);
    page.same(name, "status", page.status, status);
    let Ok(item) = item else {
        // Without permission to read, a submission cannot be told from others, even if it may be deleted.
        delete.same(name, "status", delete.status, status);
        return;
    };
    seen.submissions += 1;
    let granted = Granted::of(&item["grantedActions"]);
    page.same(name, "save", page.has("main form"), granted.allow("update"));
    let is_linked = page.links_below(&path).contains(&"/delete".to_owned());
    page.same(name, "delete", is_linked, granted.allow("delete"));
    let may_delete = delete.status == 200;
    delete.same(name, "page", may_delete, granted.allow("delete"));
}

/// The page of each public link, which shows what the model predicts: a link cannot use the interface.
async fn look_at_links(server: &Server, service: &Service, model: &Model, seen: &mut Seen) {
    for link in 0..model.links.len() {
        let page = server.page(&format!("/l/{}", service.secret(link))).await;
        let Some(expected) = model.links.get(link) else {
            page.same("a link", "status", page.status, 404);
            seen.ended_links += 1;
            continue;
        };
        let submit = Act::Submit {
            form: expected.form,
            state: State::Submitted,
            data: Some(DATA[0]),
            tags: &[],
        };
        let answer = model.clone().take(Actor::Link(link), &submit);
        let status = match answer {
            Answer::Refused(_) => 403,
            _ => 200,
        };
        page.same("a link", "status", page.status, status);
        seen.links += 1;
    }
}
