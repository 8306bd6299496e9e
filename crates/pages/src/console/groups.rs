//! Pages about groups.

use formalize_core::{
    Error, Field, Group, GroupChange, GroupFilter, GroupId, GroupName, InvalidFields, Member,
    Membership, MembershipId, NewGroup, NewMembership, PageRequest, UserId, Viewed,
    authorization::Operation,
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_http::percent;
use formalize_web::{DeleteGroupPage, GroupMember, GroupPage, GroupsPage, Problems};
use poem::{Response, http::StatusCode};

use super::{
    super::{route, sent::Sent, visit::Visit},
    next_page, opened, reach, status_of,
};

/// The page with the groups that the reader may see.
pub(super) async fn show(visit: &Visit, old: Option<&Sent>) -> Result<Response, Refusal> {
    let (status, problems) = opened(old);
    let name = old.and_then(|sent| sent.own(Field::Name.as_str()));
    list(visit, status, name.unwrap_or_default(), problems).await
}

/// Creates a group.
pub(super) async fn create(visit: &Visit, sent: &Sent) -> Result<Response, Refusal> {
    let name = sent.own(Field::Name.as_str()).unwrap_or_default().trim();
    let created = match GroupName::new(name) {
        Ok(name) => {
            let groups = visit.formalize().groups();
            groups.create(visit.caller()?, NewGroup { name }).await
        }
        Err(error) => Err(error.into()),
    };
    match created {
        Ok(group) => Ok(visit.redirect(&path(group.item.id))),
        Err(error @ Error::InvalidFields(InvalidFields::Group(_))) => {
            let (status, problems) = (StatusCode::UNPROCESSABLE_ENTITY, Problems::of(&error));
            list(visit, status, name, problems).await
        }
        Err(error) => Err(error.into()),
    }
}

fn path(group: GroupId) -> String {
    format!("/console/groups/{group}")
}

async fn list(
    visit: &Visit,
    status: StatusCode,
    name: &str,
    problems: Problems,
) -> Result<Response, Refusal> {
    let (caller, groups) = (visit.caller()?, visit.formalize().groups());
    let search = visit.parameter("search").unwrap_or_default();
    let filter = GroupFilter {
        search: Some(search.to_owned()),
    };
    let found = groups
        .list(caller, &filter, &visit.page_request("cursor", None))
        .await?;
    let next = found.next.as_deref();
    let links = found.items.iter().map(|group| {
        let group = &group.item;
        (group.name.as_str().to_owned(), path(group.id))
    });
    let may_create = groups.may_create(caller).await?;
    let page = GroupsPage {
        groups: links.collect(),
        next: next.map(|cursor| {
            let (search, cursor) = (percent::encode(search), percent::encode(cursor));
            format!("/console/groups?search={search}&cursor={cursor}")
        }),
        search: search.to_owned(),
        token: may_create.then(|| visit.token("/console/groups")),
        name: name.to_owned(),
        problems,
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

/// The page about a group.
pub(super) async fn show_one(
    visit: &Visit,
    id: &str,
    old: Option<&Sent>,
) -> Result<Response, Refusal> {
    let group = found(visit, id).await?;
    let (status, problems) = opened(old);
    one(visit, &group, status, old, problems).await
}

/// Adds or removes a member, or renames a group.
pub(super) async fn change(visit: &Visit, id: &str, sent: &Sent) -> Result<Response, Refusal> {
    let group = found(visit, id).await?;
    let button = sent.own("do").unwrap_or_default();
    let changed = match button.split_once(':') {
        None if button == "add" => add(visit, group.item.id, sent).await,
        None if button == "rename" => rename(visit, &group.item, sent).await?,
        Some(("remove", member)) => remove(visit, member).await,
        _ => return Err(Refusal::is(ErrorKey::InvalidRequestBody)),
    };
    match changed {
        Ok(()) => Ok(visit.redirect(&format!("{}?saved", path(group.item.id)))),
        Err(error @ (Error::Forbidden | Error::Store(_))) => Err(error.into()),
        Err(error) => {
            let problems = Problems::of(&error);
            let status = match error {
                Error::RevisionMismatch => status_of(error),
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            };
            one(visit, &group, status, Some(sent), problems).await
        }
    }
}

async fn add(visit: &Visit, group: GroupId, sent: &Sent) -> Result<(), Error> {
    let text = |field: Field| sent.own(field.as_str()).unwrap_or_default().trim();
    let child = text(Field::ChildGroupIdentifier);
    let member: Member = if child.is_empty() {
        let invalid =
            |_| Error::InvalidFields(InvalidFields::Membership(vec![Field::UserIdentifier]));
        UserId::new(text(Field::UserIdentifier))
            .map_err(invalid)?
            .into()
    } else {
        let unknown = |_| Error::GroupNotFound(Some(Field::ChildGroupIdentifier));
        child.parse::<GroupId>().map_err(unknown)?.into()
    };
    let memberships = visit.formalize().memberships();
    let caller = visit.caller().map_err(|_| Error::Forbidden)?;
    memberships
        .create(caller, NewMembership::new(group, member))
        .await?;
    Ok(())
}

async fn rename(visit: &Visit, group: &Group, sent: &Sent) -> Result<Result<(), Error>, Refusal> {
    let name = sent.own(Field::Name.as_str()).unwrap_or_default().trim();
    let expected = group.id.at(sent.revision()?);
    let name = match GroupName::new(name) {
        Ok(name) => Some(name),
        Err(error) => return Ok(Err(error.into())),
    };
    let groups = visit.formalize().groups();
    let renamed = groups
        .update(visit.caller()?, expected, GroupChange { name })
        .await;
    Ok(renamed.map(drop))
}

async fn remove(visit: &Visit, member: &str) -> Result<(), Error> {
    let id: MembershipId = member.parse().map_err(|_| Error::MembershipNotFound)?;
    let caller = visit.caller().map_err(|_| Error::Forbidden)?;
    visit.formalize().memberships().delete(caller, id).await
}

/// The group at an identifier in a path.
async fn found(visit: &Visit, id: &str) -> Result<Viewed<Group>, Refusal> {
    let id = route::id(id, Error::GroupNotFound(None))?;
    Ok(visit.formalize().groups().get(visit.caller()?, id).await?)
}

async fn one(
    visit: &Visit,
    group: &Viewed<Group>,
    status: StatusCode,
    sent: Option<&Sent>,
    problems: Problems,
) -> Result<Response, Refusal> {
    let (caller, id) = (visit.caller()?, group.item.id);
    let memberships = visit.formalize().memberships();
    let memberships = memberships
        .list(caller, id, &visit.page_request("cursor", None))
        .await?;
    let mut members = Vec::new();
    for membership in &memberships.items {
        members.push(member(visit, membership).await?);
    }
    let may_add = group.may(Operation::MembershipCreate);
    let (groups, has_more_groups) = if may_add {
        others(visit, id).await?
    } else {
        (Vec::new(), false)
    };
    let own = |field: Field| sent.and_then(|sent| sent.own(field.as_str()));
    let name = group.item.name.as_str();
    let may_delete = group.may(Operation::GroupDelete);
    let (reached, next_reached) = reach::of_group(visit, id).await?;
    // The name that was entered is based on the one that the page had shown, unless the page shows both now.
    let shown = sent.filter(|_| status != StatusCode::PRECONDITION_FAILED);
    let shown = shown.and_then(|sent| sent.revision().ok());
    let page = GroupPage {
        name,
        token: visit.token(&visit.path),
        revision: shown.unwrap_or(group.item.revision).as_uuid().to_string(),
        members,
        next: next_page(&path(id), "cursor", memberships.next.as_deref()),
        reached,
        next_reached: next_page(&path(id), "reach", next_reached.as_deref()),
        groups,
        search: visit.parameter("search").unwrap_or_default(),
        has_more_groups,
        may_rename: group.may(Operation::GroupUpdate),
        may_add,
        may_remove: group.may(Operation::MembershipDelete),
        delete: may_delete.then(|| format!("{}/delete", path(id))),
        new_name: own(Field::Name).unwrap_or(name),
        user: own(Field::UserIdentifier).unwrap_or_default(),
        child: own(Field::ChildGroupIdentifier).unwrap_or_default(),
        problems,
        is_conflict: status == StatusCode::PRECONDITION_FAILED,
        is_saved: visit.parameter("saved").is_some() && status == StatusCode::OK,
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

async fn member(visit: &Visit, membership: &Membership) -> Result<GroupMember, Refusal> {
    let id = membership.id.to_string();
    let child = match &membership.member {
        Member::User(user) => {
            return Ok(GroupMember {
                id,
                name: user.as_str().to_owned(),
                path: None,
                is_group: false,
            });
        }
        Member::ChildGroup(child) => *child,
    };
    let (name, path) = name_of(visit, child).await?;
    Ok(GroupMember {
        id,
        name,
        path,
        is_group: true,
    })
}

/// The name of a group and the path of its page, or the identifier for those who may not read the group.
pub(super) async fn name_of(
    visit: &Visit,
    group: GroupId,
) -> Result<(String, Option<String>), Refusal> {
    let groups = visit.formalize().groups();
    match groups.get(visit.caller()?, group).await {
        Ok(found) => Ok((found.item.name.as_str().to_owned(), Some(path(group)))),
        Err(Error::Forbidden | Error::GroupNotFound(_)) => Ok((group.to_string(), None)),
        Err(error) => Err(error.into()),
    }
}

/// The groups that can become members of one, by the search in the address, and whether there are more of them.
async fn others(visit: &Visit, group: GroupId) -> Result<(Vec<(String, String)>, bool), Refusal> {
    let groups = visit.formalize().groups();
    let search = visit.parameter("search");
    let (filter, request) = (
        GroupFilter {
            search: search.map(str::to_owned),
        },
        PageRequest::default(),
    );
    let found = groups.list(visit.caller()?, &filter, &request).await?;
    let has_more = found.next.is_some();
    let others = found.items.into_iter().map(|found| found.item);
    let others = others.filter(|other| other.id != group);
    let others = others.map(|other| (other.id.to_string(), other.name.as_str().to_owned()));
    Ok((others.collect(), has_more))
}

/// The page that asks whether to delete a group.
pub(super) async fn ask_to_delete(
    visit: &Visit,
    id: &str,
    old: Option<&Sent>,
) -> Result<Response, Refusal> {
    let (status, problems) = opened(old);
    let group = found(visit, id).await?;
    group.require(Operation::GroupDelete)?;
    let page = DeleteGroupPage {
        name: group.item.name.as_str(),
        token: visit.token(&visit.path),
        path: path(group.item.id),
        problems,
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

/// Deletes a group.
pub(super) async fn delete(visit: &Visit, id: &str) -> Result<Response, Refusal> {
    let id: GroupId = route::id(id, Error::GroupNotFound(None))?;
    visit
        .formalize()
        .groups()
        .delete(visit.caller()?, id)
        .await?;
    Ok(visit.redirect("/console/groups"))
}
