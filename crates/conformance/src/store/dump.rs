//! The whole content of a store as one value.

use formalize_core::store::scope::{GrantScope, ItemScope, ResourceScope};
use formalize_core::store::{Part, ReadTx, StoreResult, Window};
use formalize_core::{FormId, GroupId};

use crate::store::list::{ALL_FORMS, ANY, List, Row};
use formalize_core::internals::scopes::every_submission;

/// Every record that is listed. Tokens are listed without their secrets, and settings are not listed.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Contents {
    pub(super) rows: Vec<Row>,
}

/// Everything that is visible to the transaction.
pub(super) async fn contents(tx: &mut dyn ReadTx) -> StoreResult<Contents> {
    let mut rows = Vec::new();
    let mut lists = vec![
        List::Groups(ItemScope::All, None),
        List::Resources(ResourceScope::All, ANY),
        List::Grants(GrantScope::All, ANY),
    ];
    lists.extend(tx.has(Part::Forms).then_some(List::Forms(ALL_FORMS)));
    lists.extend(tx.has(Part::Tokens).then_some(List::Tokens));
    for list in lists {
        rows.extend(list.rows(tx, Window::ALL).await?);
    }
    let within: Vec<List> = rows.iter().filter_map(rows_of).collect();
    for list in within {
        rows.extend(list.rows(tx, Window::ALL).await?);
    }
    Ok(Contents { rows })
}

/// The list of the records that belong to a row.
fn rows_of(row: &Row) -> Option<List> {
    match row {
        Row::Group(group) => Some(members(group.id)),
        Row::Form(form) => Some(submissions(form.id)),
        _ => None,
    }
}

/// The members of a group.
pub(super) fn members(group: GroupId) -> List {
    List::Memberships(group)
}

/// Every submission of a form.
pub(super) fn submissions(form: FormId) -> List {
    List::Submissions(form, every_submission(), None)
}
