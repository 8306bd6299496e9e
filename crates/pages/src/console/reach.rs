//! What the members of a group may do.

use std::collections::BTreeSet;

use formalize_core::{
    Action, Error, FormId, Grant, GroupId, Resource, Subject, authorization::Object,
};
use formalize_http::failure::Refusal;
use formalize_web::{Reached, ReachedKind, Right};

use super::{super::visit::Visit, groups::name_of, rights::rights_of};

/// The number of grants on a page.
const ROWS: u32 = 50;

/// What grants of a group permit that the reader may see, and the cursor of the next page.
pub(super) async fn of_group(
    visit: &Visit,
    group: GroupId,
) -> Result<(Vec<Reached>, Option<String>), Refusal> {
    let request = visit.page_request("reach", Some(ROWS));
    let (caller, grants) = (visit.caller()?, visit.formalize().grants());
    let holder = Subject::Group(group);
    let page = grants.list_of_holder(caller, &holder, &request).await?;
    let mut by_resource: Vec<(Resource, BTreeSet<Action>)> = Vec::new();
    for Grant {
        resource, action, ..
    } in page.items.into_iter().map(|grant| grant.item)
    {
        match by_resource.iter_mut().find(|(other, _)| *other == resource) {
            Some((_, actions)) => {
                actions.insert(action);
            }
            None => by_resource.push((resource, [action].into())),
        }
    }
    let mut reached = Vec::new();
    for (resource, actions) in &by_resource {
        reached.push(one(visit, resource, actions).await?);
    }
    Ok((reached, page.next))
}

async fn one(
    visit: &Visit,
    resource: &Resource,
    actions: &BTreeSet<Action>,
) -> Result<Reached, Refusal> {
    let (name, path, kind) = match resource.object {
        Object::Form(form) => {
            let (name, path) = form_name(visit, form, "").await?;
            (name, path, ReachedKind::Form)
        }
        Object::Submissions(form) => {
            let (name, path) = form_name(visit, form, "/submissions").await?;
            (name, path, ReachedKind::Answers)
        }
        Object::Group(group) => {
            let (name, path) = name_of(visit, group).await?;
            (name, path, ReachedKind::Group)
        }
        Object::Submission { id, .. } => (
            id.to_string(),
            Some(format!("/s/{id}")),
            ReachedKind::Answer,
        ),
        Object::Other(_) => {
            let class = resource.resource.class.to_string();
            let name = resource.resource.identifier.as_ref();
            let name = name.map_or_else(|| class.clone(), ToString::to_string);
            (name, None, ReachedKind::Other(class))
        }
    };
    let names = actions.iter().map(|action| action.as_str().to_owned());
    let rights = match resource.object {
        Object::Form(_) => rights_of(&actions.iter().collect()),
        Object::Submissions(_) => names.map(Right::OnAnswers).collect(),
        Object::Group(_) | Object::Submission { .. } | Object::Other(_) => {
            names.map(Right::Other).collect()
        }
    };
    Ok(Reached {
        name,
        path,
        kind,
        rights,
    })
}

/// The name of a form and the path of a page about it, or the identifier for those who may not read the form.
async fn form_name(
    visit: &Visit,
    form: FormId,
    page: &str,
) -> Result<(String, Option<String>), Refusal> {
    let forms = visit.formalize().forms();
    match forms.get(visit.caller()?, form).await {
        Ok(found) => {
            let path = format!("/console/forms/{form}{page}");
            Ok((found.item.name.as_str().to_owned(), Some(path)))
        }
        Err(Error::Forbidden | Error::FormNotFound) => Ok((form.to_string(), None)),
        Err(error) => Err(error.into()),
    }
}
