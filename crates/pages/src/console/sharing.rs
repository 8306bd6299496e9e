//! The page that shows who may do what with a form.

use std::collections::{BTreeMap, HashMap};

use formalize_core::{
    Action, DynamicGroupId, Error, Field, Grant, GroupFilter, GroupId, NewGrant, PageRequest,
    ResourceFilter, ResourceRef, Subject, UserId,
    authorization::{InvalidGrant, Operation},
    forms::FormAccess,
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_web::{Entry, Grantee, Holder, Problems, Right, SharingPage};
use poem::{Response, http::StatusCode};

use super::{
    super::{sent::Sent, visit::Visit},
    form::ManagedForm,
    groups::name_of,
    next_page, opened,
    rights::rights_of,
    why,
};

/// The number of grants and of groups on a page.
const ROWS: u32 = 500;

/// The page that shows who may do what with a form and its answers.
pub(super) async fn show(visit: &Visit, id: &str, old: Option<&Sent>) -> Result<Response, Refusal> {
    let managed = manageable(visit, id).await?;
    let (status, problems) = opened(old);
    let entry = old.map(entry).unwrap_or_default();
    page(visit, &managed, status, entry, problems).await
}

/// Shares a form, or takes a permission back.
pub(super) async fn change(visit: &Visit, id: &str, sent: &Sent) -> Result<Response, Refusal> {
    let managed = manageable(visit, id).await?;
    let button = sent.own("do").unwrap_or_default();
    let changed = match button.split_once(':') {
        None if button == "share" => share(visit, &managed, sent).await,
        Some(("access", rest)) => unshare(visit, &managed, rest, sent).await,
        Some(("grant", grant)) => remove(visit, grant).await,
        _ => return Err(Refusal::is(ErrorKey::InvalidRequestBody)),
    };
    match changed {
        Ok(()) => Ok(visit.redirect(&format!("{}/sharing", managed.path()))),
        Err(error @ (Error::Forbidden | Error::FormNotFound | Error::Store(_))) => {
            Err(error.into())
        }
        Err(error) => {
            let (status, problems) = (StatusCode::UNPROCESSABLE_ENTITY, Problems::of(&error));
            page(visit, &managed, status, entry(sent), problems).await
        }
    }
}

/// The form, for those who manage at least its answers.
async fn manageable(visit: &Visit, id: &str) -> Result<ManagedForm, Refusal> {
    let managed = ManagedForm::of(visit, id).await?;
    if managed.form.manages_submissions() {
        Ok(managed)
    } else {
        Err(Error::Forbidden.into())
    }
}

fn entry(sent: &Sent) -> Entry {
    let text = |name| sent.own(name).unwrap_or_default().trim().to_owned();
    Entry {
        holder: text("holder"),
        user: text(Field::UserIdentifier.as_str()),
        right: text("right"),
    }
}

async fn share(visit: &Visit, managed: &ManagedForm, sent: &Sent) -> Result<(), Error> {
    let entry = entry(sent);
    let (caller, with) = (caller(visit)?, subject(&entry)?);
    let Some(action) = entry.right.strip_prefix("action:") else {
        let access: FormAccess = entry
            .right
            .parse()
            .map_err(|_| Error::InvalidGrant(InvalidGrant::ActionUndefined))?;
        let forms = visit.formalize().forms();
        forms.share(caller, managed.id, &with, access).await?;
        return Ok(());
    };
    let action =
        Action::new(action).map_err(|_| Error::InvalidGrant(InvalidGrant::ActionUndefined))?;
    let new = NewGrant::new(with, action, ResourceRef::form(managed.id));
    visit.formalize().grants().create(caller, new).await?;
    Ok(())
}

/// Takes back an access from a holder, both of which a button names. With that of managers, the links and webhooks that the
/// holder has created end, too, if that was chosen.
async fn unshare(
    visit: &Visit,
    managed: &ManagedForm,
    rest: &str,
    sent: &Sent,
) -> Result<(), Error> {
    let (access, holder) = rest.split_once(':').ok_or(Error::GrantNotFound)?;
    let access: FormAccess = access.parse().map_err(|_| Error::GrantNotFound)?;
    let (kind, name) = holder.split_once(':').ok_or(Error::GrantNotFound)?;
    let subject = match kind {
        "user" => user(name)?.into(),
        kind => subject_of(kind, name)?,
    };
    let (forms, caller) = (visit.formalize().forms(), caller(visit)?);
    if let Subject::User(manager) = &subject
        && access == FormAccess::Manage
        && sent.own("end").is_some()
    {
        forms.dismiss(caller, managed.id, manager).await?;
    } else {
        forms.unshare(caller, managed.id, &subject, access).await?;
    }
    Ok(())
}

async fn remove(visit: &Visit, grant: &str) -> Result<(), Error> {
    let grant: formalize_core::GrantId = grant.parse().map_err(|_| Error::GrantNotFound)?;
    visit
        .formalize()
        .grants()
        .delete(caller(visit)?, grant)
        .await
}

fn caller(visit: &Visit) -> Result<&formalize_core::Caller, Error> {
    visit.caller().map_err(|_| Error::Forbidden)
}

/// With whom a form is shared.
fn subject(entry: &Entry) -> Result<Subject, Error> {
    match entry.holder.split_once(':') {
        Some((kind, name)) => subject_of(kind, name),
        None => Ok(user(&entry.user)?.into()),
    }
}

fn subject_of(kind: &str, name: &str) -> Result<Subject, Error> {
    if kind == "group" {
        let unknown = |_| Error::GroupNotFound(Some(Field::GroupIdentifier));
        return Ok(name.parse::<GroupId>().map_err(unknown)?.into());
    }
    let unknown = |_| Error::InvalidGrant(InvalidGrant::DynamicGroupUndefined);
    Ok(DynamicGroupId::new(name).map_err(unknown)?.into())
}

fn user(name: &str) -> Result<UserId, Error> {
    let invalid = |_| Error::InvalidGrant(InvalidGrant::Holder(vec![Field::UserIdentifier]));
    UserId::new(name).map_err(invalid)
}

async fn page(
    visit: &Visit,
    managed: &ManagedForm,
    status: StatusCode,
    entered: Entry,
    problems: Problems,
) -> Result<Response, Refusal> {
    let manages_form = managed.form.may(Operation::GrantCreate);
    let (holders, next) = if manages_form {
        let form = ResourceRef::form(managed.id);
        holders(visit, managed, form, "cursor", rights).await?
    } else {
        (Vec::new(), None)
    };
    let answers = ResourceRef::submission_collection(managed.id);
    let of_answers = self::holders(visit, managed, answers, "answers", rights_on_answers);
    let (holders_of_answers, next_of_answers) = of_answers.await?;
    let search = visit.parameter("search").unwrap_or_default();
    let (groups, has_more_groups) = groups(visit, search).await?;
    let why = if manages_form {
        why::find(visit, managed).await?
    } else {
        None
    };
    let is_invalid = why.as_ref().is_some_and(|why| why.is_invalid);
    let status = if is_invalid && status == StatusCode::OK {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        status
    };
    let page = SharingPage {
        frame: managed.frame(),
        token: visit.token(&visit.path),
        manages_form,
        holders,
        next,
        holders_of_answers,
        next_of_answers,
        groups,
        search: search.to_owned(),
        has_more_groups,
        entered,
        why,
        problems,
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

/// Groups with which the form can be shared, and whether there are more of them.
async fn groups(visit: &Visit, search: &str) -> Result<(Vec<Grantee>, bool), Refusal> {
    let (caller, request) = (visit.caller()?, PageRequest::default());
    let filter = GroupFilter {
        search: Some(search.to_owned()),
    };
    let dynamic = visit
        .formalize()
        .actions()
        .list_dynamic_groups(caller, &request)?;
    let dynamic = dynamic.items.iter().map(dynamic_group);
    let groups = visit
        .formalize()
        .groups()
        .list(caller, &filter, &request)
        .await?;
    let named = groups.items.iter().map(|group| {
        let name = group.item.name.as_str().to_owned();
        Grantee::Group(group.item.id.to_string(), name)
    });
    Ok((dynamic.chain(named).collect(), groups.next.is_some()))
}

fn dynamic_group(group: &DynamicGroupId) -> Grantee {
    if *group == DynamicGroupId::EVERYBODY {
        Grantee::Everybody
    } else {
        Grantee::DynamicGroup(group.as_str().to_owned())
    }
}

/// The grants of a holder by their actions.
type Held = BTreeMap<Action, Grant>;

/// What somebody may do, each with the button that takes it back.
type Rights = Vec<(Right, Option<String>)>;

/// The holders of grants on a resource, each with what the grants allow, and the path of the next page. A parameter has
/// the cursor.
async fn holders(
    visit: &Visit,
    managed: &ManagedForm,
    on: ResourceRef,
    parameter: &str,
    rights: fn(&Grantee, &Held) -> Rights,
) -> Result<(Vec<Holder>, Option<String>), Refusal> {
    let request = visit.page_request(parameter, Some(ROWS));
    let grants = visit.formalize().grants();
    let filter = ResourceFilter::of(on);
    let page = grants.list(visit.caller()?, &filter, &request).await?;
    let path = format!("{}/sharing", managed.path());
    let next = next_page(&path, parameter, page.next.as_deref());
    let mut order = Vec::new();
    let mut by_holder: HashMap<Subject, Held> = HashMap::new();
    for grant in page.items.into_iter().map(|grant| grant.item) {
        let own = by_holder.entry(grant.subject.clone()).or_insert_with(|| {
            order.push(grant.subject.clone());
            BTreeMap::new()
        });
        own.insert(grant.action.clone(), grant);
    }
    let mut holders = Vec::new();
    for subject in order {
        let grants = by_holder.remove(&subject).unwrap_or_default();
        let grantee = grantee(visit, &subject).await?;
        let rights = rights(&grantee, &grants);
        holders.push(Holder { grantee, rights });
    }
    // With more pages, another one may have a manager.
    if visit.parameter(parameter).is_none() && next.is_none() {
        keep_manager(&mut holders);
    }
    Ok((holders, next))
}

/// Takes away the button that would remove the last manager of a form, which the service refuses.
fn keep_manager(holders: &mut [Holder]) {
    let rights = holders.iter_mut().flat_map(|holder| &mut holder.rights);
    let mut managers =
        rights.filter(|(right, _)| matches!(right, Right::Access(FormAccess::Manage)));
    if let (Some((_, button)), None) = (managers.next(), managers.next()) {
        *button = None;
    }
}

async fn grantee(visit: &Visit, subject: &Subject) -> Result<Grantee, Refusal> {
    Ok(match subject {
        Subject::User(user) if user.is_reserved() => {
            let (_, link) = user.as_str().split_once(':').unwrap_or_default();
            Grantee::Link(link.to_owned())
        }
        Subject::User(user) => Grantee::User(user.as_str().to_owned()),
        Subject::DynamicGroup(group) => dynamic_group(group),
        Subject::Group(group) => {
            let (name, _) = name_of(visit, *group).await?;
            Grantee::Group(group.to_string(), name)
        }
    })
}

/// What grants on the answers of a form allow.
fn rights_on_answers(_: &Grantee, grants: &Held) -> Rights {
    let right = |grant: &Grant| {
        let action = grant.action.as_str().to_owned();
        (
            Right::OnAnswers(action),
            Some(format!("grant:{}", grant.id)),
        )
    };
    grants.values().map(right).collect()
}

/// What grants on a form allow.
fn rights(holder: &Grantee, grants: &Held) -> Rights {
    let name = match holder {
        Grantee::User(name) => Some(format!("user:{name}")),
        Grantee::Group(id, _) => Some(format!("group:{id}")),
        Grantee::DynamicGroup(name) => Some(format!("dynamic:{name}")),
        Grantee::Everybody => Some(format!("dynamic:{}", DynamicGroupId::EVERYBODY)),
        // Links are revoked on their own page.
        Grantee::Link(_) => None,
    };
    let button = |right: &Right| {
        let name = name.as_ref()?;
        match right {
            Right::Access(access) => Some(format!("access:{}:{name}", access.as_str())),
            Right::Action(action) | Right::OnAnswers(action) | Right::Other(action) => {
                let grant = grants
                    .values()
                    .find(|grant| grant.action.as_str() == action)?;
                Some(format!("grant:{}", grant.id))
            }
        }
    };
    let rights = rights_of(&grants.keys().collect()).into_iter();
    rights
        .map(|right| {
            let button = button(&right);
            (right, button)
        })
        .collect()
}
