//! The lists of a store as values, so that a case can test all of them.

use uuid::Uuid;

use formalize_core::store::scope::{
    FormScope, GrantScope, ItemScope, ResourceScope, SubmissionScope,
};
use formalize_core::store::{ReadTx, Selection, Store, StoreResult, Window};
use formalize_core::{
    Form, FormId, Grant, Group, GroupId, Membership, Resource, ResourceFilter, Submission,
    authorization::IdentifierFilter, forms::FrontendKeys, tokens::ApiToken,
};

/// A list of a store.
#[derive(Debug, Clone)]
pub(super) enum List {
    Groups(ItemScope, Option<String>),
    Memberships(GroupId),
    Resources(ResourceScope, ResourceFilter),
    Grants(GrantScope, ResourceFilter),
    Forms(FormScope),
    Submissions(FormId, SubmissionScope, Option<String>),
    /// Submissions, perhaps of a creator, with a tag.
    Tagged(FormId, SubmissionScope, Option<String>, String),
    Tokens,
}

/// A row of a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Row {
    Group(Group),
    Membership(Membership),
    Resource(Resource),
    Grant(Grant),
    Form(Form),
    Submission(Submission),
    Token(ApiToken),
}

impl Row {
    /// The identifier that the list is ordered by.
    pub(super) fn id(&self) -> Uuid {
        match self {
            Self::Group(row) => row.id.as_uuid(),
            Self::Membership(row) => row.id.as_uuid(),
            Self::Resource(row) => row.id.as_uuid(),
            Self::Grant(row) => row.id.as_uuid(),
            Self::Form(row) => row.id.as_uuid(),
            Self::Submission(row) => row.id.as_uuid(),
            Self::Token(row) => row.id.as_uuid(),
        }
    }
}

fn rows<T>(rows: Vec<T>, row: impl Fn(T) -> Row) -> Vec<Row> {
    rows.into_iter().map(row).collect()
}

impl List {
    /// The rows in the window.
    pub(super) async fn rows(&self, tx: &mut dyn ReadTx, window: Window) -> StoreResult<Vec<Row>> {
        Ok(match self {
            Self::Groups(scope, search) => rows(
                tx.groups(scope, search.as_deref(), window).await?,
                Row::Group,
            ),
            Self::Memberships(group) => {
                rows(tx.memberships(*group, window).await?, Row::Membership)
            }
            Self::Resources(scope, filter) => {
                rows(tx.resources(scope, filter, window).await?, Row::Resource)
            }
            Self::Grants(scope, filter) => {
                rows(tx.grants(scope, filter, window).await?, Row::Grant)
            }
            Self::Forms(scope) => rows(tx.read_forms()?.forms(scope, window).await?, Row::Form),
            Self::Submissions(form, scope, creator) => {
                let found = tx.read_submissions()?.submissions(
                    *form,
                    scope,
                    of_creator(creator.as_deref()),
                    window,
                );
                let found = found.await?;
                if creator.is_none() && window.bytes == Window::ALL.bytes {
                    let counted = tx
                        .read_submissions()?
                        .count_submissions(*form, scope, window)
                        .await?;
                    assert_eq!(counted, found.len() as u64, "{self:?} {window:?}");
                }
                rows(found, Row::Submission)
            }
            Self::Tagged(form, scope, creator, tag) => {
                let selection = Selection {
                    tag: Some(tag),
                    ..of_creator(creator.as_deref())
                };
                rows(
                    tx.read_submissions()?
                        .submissions(*form, scope, selection, window)
                        .await?,
                    Row::Submission,
                )
            }
            Self::Tokens => rows(tx.read_tokens()?.tokens(window).await?, Row::Token),
        })
    }

    /// The identifiers of the rows in the window.
    pub(super) async fn ids(&self, tx: &mut dyn ReadTx, window: Window) -> StoreResult<Vec<Uuid>> {
        let rows = self.rows(tx, window).await?;
        Ok(rows.iter().map(Row::id).collect())
    }

    /// Fails unless the list contains exactly these rows, each once and in order.
    pub(super) async fn must_hold(
        &self,
        store: &dyn Store,
        expected: &[Uuid],
        why: &str,
    ) -> StoreResult<()> {
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        let mut tx = store.read().await?;
        let listed = self.ids(&mut *tx, Window::ALL).await?;
        assert_eq!(listed, expected, "{why}: {self:?}");
        Ok(())
    }
}

/// Selects the submissions of a creator, or all.
pub(super) fn of_creator(creator: Option<&str>) -> Selection<'_> {
    Selection {
        creator,
        ..Selection::default()
    }
}

/// Every form, with or without submissions.
pub(super) const ALL_FORMS: FormScope = FormScope {
    items: ItemScope::All,
    with_submissions: None,
    keys: FrontendKeys::ALL,
};

/// A filter that matches every resource.
pub(super) const ANY: ResourceFilter = ResourceFilter {
    class: None,
    identifier: IdentifierFilter::Any,
};
