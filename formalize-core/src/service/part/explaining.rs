//! Why a user may do something with a form.

use std::collections::{HashMap, HashSet, VecDeque, hash_map::Entry};

use crate::authorizer::Authorizer;
use crate::authz::decision::{Held, HeldGrant, Target, effective_actions};
use crate::authz::policy::Operation;
use crate::authz::scope::{GrantScope, Subjects};
use crate::error::Result;
use crate::id::{FormId, GroupId};
use crate::model::action::Actions;
use crate::model::grant::Grant;
use crate::model::membership::{Member, Membership};
use crate::model::resource::{ResourceFilter, ResourceRef};
use crate::model::subject::{Caller, DynamicGroupId, Subject, UserId};
use crate::page::{Page, Window};
use crate::service::FormsService;
use crate::store::ReadTx;

/// Why a user may do something with a form, as far as the one who asks may know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The holders whose grants on the form apply to the user, and those whose grants may apply.
    pub reasons: Vec<Reason>,
    /// Whether the policy `manage_everything` applies to the user. It may depend on attributes, which are known only for
    /// the caller; `None` for other users.
    pub by_policy: Option<bool>,
}

/// A holder of grants that apply to a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The holder.
    pub holder: Subject,
    /// What the grants permit to do with the form.
    pub actions: Actions,
    /// Why they apply to the user.
    pub because: HolderReason,
}

/// Why the grants of a holder apply to a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HolderReason {
    /// The user is the holder.
    Oneself,
    /// The user is a member of the first of these groups, each group is a member of the next one, and the last one is the
    /// holder.
    Member(Vec<GroupId>),
    /// The holder is a dynamic group to which the user belongs.
    DynamicGroup,
    /// The holder is a dynamic group. Whether the user belongs to it depends on attributes, which are known only for the
    /// caller.
    MaybeDynamicGroup,
}

impl FormsService<'_> {
    /// Explains what a user may do with a form: which grants on the form and on the collection of its submissions apply to
    /// the user, and why.
    ///
    /// The explanation contains nothing that the caller could not read otherwise: grants on a form are for its managers, and
    /// memberships for those who may read the group. A group is left out if the caller may not read it, or another group
    /// through which the user is in it.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`](crate::Error::FormNotFound), [`Error::Forbidden`](crate::Error::Forbidden) unless the caller
    /// manages the form, [`Error::Store`](crate::Error::Store).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let grace = UserId::new("grace")?;
    /// let new = NewGroup { name: GroupName::new("Committee")? };
    /// let committee = formalize.groups().create(&Caller::System, new).await?.item.id;
    /// let new = NewMembership::new(committee, grace.clone());
    /// formalize.memberships().create(&Caller::System, new).await?;
    /// let (to, access) = (committee.into(), FormAccess::ReadAnswers);
    /// formalize.forms().share(&Caller::System, form.id, &to, access).await?;
    ///
    /// let explained = formalize.forms().explain(&Caller::System, form.id, &grace).await?;
    /// assert_eq!(explained.reasons.len(), 1);
    /// assert_eq!(explained.reasons[0].because, HolderReason::Member(vec![committee]));
    /// assert!(explained.reasons[0].actions.allows(&Action::READ_SUBMISSIONS));
    /// # Ok(()) });
    /// ```
    pub async fn explain(&self, caller: &Caller, id: FormId, user: &UserId) -> Result<Explanation> {
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            authorizer
                .require_form(tx.as_mut(), Operation::GrantGet, id)
                .await?;
            let memberships = tx.memberships_above(user).await?;
            let readable = readable(&authorizer, tx.as_mut(), &memberships).await?;
            let chains = chains(user, &memberships, &readable);
            let mut because: HashMap<Subject, HolderReason> = chains
                .into_iter()
                .map(|(group, chain)| (Subject::Group(group), HolderReason::Member(chain)))
                .collect();
            because.insert(Subject::User(user.clone()), HolderReason::Oneself);
            because.extend(self.dynamic_groups(caller, user));
            let subjects = Subjects::new(because.keys().cloned().collect());
            let grants = grants_on(tx.as_mut(), id, subjects).await?;
            Ok(Explanation {
                reasons: reasons(id, &grants, &because),
                by_policy: match caller {
                    Caller::User(own) if own.id == *user => {
                        Some(self.0.authority.manages_everything(own))
                    }
                    _ => None,
                },
            })
        });
        reading.await
    }

    /// The dynamic groups to which a user belongs or may belong.
    fn dynamic_groups(&self, caller: &Caller, user: &UserId) -> Vec<(Subject, HolderReason)> {
        let authority = &self.0.authority;
        let known = |group| (Subject::DynamicGroup(group), HolderReason::DynamicGroup);
        match caller {
            // A public link belongs to none, not even to everybody.
            _ if user.is_reserved() => Vec::new(),
            Caller::User(own) if own.id == *user => {
                let groups = authority.dynamic_groups_of(own);
                groups.into_iter().map(known).collect()
            }
            _ => {
                let groups = authority.dynamic_groups().into_iter();
                let groups = groups.map(|group| {
                    if group == DynamicGroupId::EVERYBODY {
                        known(group)
                    } else {
                        (
                            Subject::DynamicGroup(group),
                            HolderReason::MaybeDynamicGroup,
                        )
                    }
                });
                groups.collect()
            }
        }
    }
}

/// The groups of these memberships whose memberships the caller may read.
async fn readable(
    authorizer: &Authorizer<'_>,
    tx: &mut dyn ReadTx,
    memberships: &[Membership],
) -> Result<HashSet<GroupId>> {
    let groups: HashSet<GroupId> = memberships.iter().map(|row| row.group).collect();
    let page = Page {
        items: groups.into_iter().collect(),
        next: None,
    };
    let viewed = authorizer
        .view_all(tx, page, |group| Target::Group(*group))
        .await?;
    let readable = viewed
        .items
        .into_iter()
        .filter(|(_, actions)| authorizer.allows(Operation::MembershipGet, actions));
    Ok(readable.map(|(group, _)| group).collect())
}

/// A shortest chain of readable groups from the user to each group that has one.
fn chains(
    user: &UserId,
    memberships: &[Membership],
    readable: &HashSet<GroupId>,
) -> HashMap<GroupId, Vec<GroupId>> {
    let mut groups_of: HashMap<&Member, Vec<GroupId>> = HashMap::new();
    for row in memberships
        .iter()
        .filter(|row| readable.contains(&row.group))
    {
        groups_of.entry(&row.member).or_default().push(row.group);
    }
    let mut found: HashMap<GroupId, Vec<GroupId>> = HashMap::new();
    let mut waiting = VecDeque::from([(Member::User(user.clone()), Vec::new())]);
    while let Some((member, chain)) = waiting.pop_front() {
        for group in groups_of.remove(&member).unwrap_or_default() {
            if let Entry::Vacant(entry) = found.entry(group) {
                let chain: Vec<GroupId> = chain.iter().copied().chain([group]).collect();
                entry.insert(chain.clone());
                waiting.push_back((Member::ChildGroup(group), chain));
            }
        }
    }
    found
}

/// The grants of these subjects on a form and on the collection of its submissions.
async fn grants_on(tx: &mut dyn ReadTx, form: FormId, subjects: Subjects) -> Result<Vec<Grant>> {
    let scope = GrantScope::held_by(subjects);
    let mut grants = Vec::new();
    for resource in [
        ResourceRef::form(form),
        ResourceRef::submission_collection(form),
    ] {
        let filter = ResourceFilter::of(resource);
        grants.extend(tx.grants(&scope, &filter, Window::ALL).await?);
    }
    Ok(grants)
}

/// What the grants of each holder permit, beginning with those of the user.
fn reasons(
    form: FormId,
    grants: &[Grant],
    because: &HashMap<Subject, HolderReason>,
) -> Vec<Reason> {
    let mut held: Vec<(&Subject, Held)> = Vec::new();
    for grant in grants {
        let own = HeldGrant {
            anchor: grant.resource.anchor(),
            class: grant.resource.resource.class.clone(),
            action: grant.action.clone(),
        };
        match held
            .iter_mut()
            .find(|(holder, _)| **holder == grant.subject)
        {
            Some((_, known)) => known.extend([own]),
            None => held.push((&grant.subject, [own].into_iter().collect())),
        }
    }
    let reasons = held.into_iter().filter_map(|(holder, held)| {
        Some(Reason {
            holder: holder.clone(),
            actions: effective_actions(&held, &Target::Form(form)),
            because: because.get(holder)?.clone(),
        })
    });
    let mut reasons: Vec<Reason> = reasons.collect();
    reasons.sort_by_key(|reason| match reason.because {
        HolderReason::Oneself => 0,
        HolderReason::Member(_) => 1,
        HolderReason::DynamicGroup => 2,
        HolderReason::MaybeDynamicGroup => 3,
    });
    reasons
}
