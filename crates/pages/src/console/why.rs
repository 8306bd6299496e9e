//! Why a person may do something with a form.

use std::collections::BTreeSet;

use formalize_core::{
    DynamicGroupId, Subject, UserId,
    authorization::{HolderReason, Reason},
};
use formalize_http::failure::Refusal;
use formalize_web::{PermissionReason, Why, WhyRow};

use super::{super::visit::Visit, form::ManagedForm, groups::name_of, rights::rights_of};

/// The permissions of the person whose identifier is in the address of the page, if there is one.
pub(super) async fn find(visit: &Visit, managed: &ManagedForm) -> Result<Option<Why>, Refusal> {
    let Some(user) = visit.parameter("why").map(str::trim) else {
        return Ok(None);
    };
    let asked = Why {
        user: user.to_owned(),
        ..Why::default()
    };
    let Ok(user) = UserId::new(user) else {
        let is_invalid = true;
        return Ok(Some(Why {
            is_invalid,
            ..asked
        }));
    };
    let (caller, forms) = (visit.caller()?, visit.formalize().forms());
    let explained = forms.explain(caller, managed.id, &user).await?;
    let mut reasons = Vec::new();
    for reason in &explained.reasons {
        reasons.push(row(visit, reason).await?);
    }
    Ok(Some(Why {
        reasons,
        manages_everything: explained.by_policy == Some(true),
        ..asked
    }))
}

async fn row(visit: &Visit, reason: &Reason) -> Result<WhyRow, Refusal> {
    let holder = match &reason.holder {
        Subject::DynamicGroup(group) => group.as_str().to_owned(),
        Subject::User(_) | Subject::Group(_) => String::new(),
    };
    let is_everybody = reason.holder == Subject::from(DynamicGroupId::EVERYBODY);
    let because = match &reason.because {
        HolderReason::Oneself => PermissionReason::Oneself,
        HolderReason::Member(groups) => {
            let mut names = Vec::new();
            for group in groups {
                names.push(name_of(visit, *group).await?.0);
            }
            PermissionReason::Member(names)
        }
        HolderReason::DynamicGroup if is_everybody => PermissionReason::Everybody,
        HolderReason::DynamicGroup => PermissionReason::DynamicGroup(holder),
        HolderReason::MaybeDynamicGroup => PermissionReason::MaybeDynamicGroup(holder),
    };
    let held: BTreeSet<_> = reason.actions.iter().collect();
    Ok(WhyRow {
        because,
        rights: rights_of(&held),
    })
}
