//! Use cases of the configured classes, their actions, and dynamic groups.

use std::collections::HashSet;

use super::Shared;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::listing::Listing;
use crate::model::action::ClassActions;
use crate::model::resource::ResourceClass;
use crate::model::subject::{Caller, DynamicGroupId};
use crate::page::{Page, PageRequest, Window};
use uuid::Uuid;

/// A class with its actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassActionsView {
    /// The class.
    pub class: ResourceClass,
    /// Its actions with their labels.
    pub actions: ClassActions,
}

/// Classes, their actions, and dynamic groups, all from the configuration.
pub struct ActionsService<'a>(pub(super) &'a Shared);

impl ActionsService<'_> {
    /// Lists the classes with at least one resource that the caller may see, ordered by name.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let page = formalize.actions().list(&Caller::System, &PageRequest::default()).await?;
    /// assert!(page.items.iter().any(|known| known.class == ResourceClass::FORM));
    /// # Ok(()) });
    /// ```
    pub async fn list(
        &self,
        caller: &Caller,
        request: &PageRequest,
    ) -> Result<Page<ClassActionsView>> {
        let list = self.0.listing("actions", caller, &[], request)?;
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.lister(tx.as_mut(), caller).await?;
            let scope = authorizer.resource_scope(Operation::ResourceList)?;
            let catalog = &self.0.authority.catalog;
            let all: Vec<ResourceClass> = catalog.iter().map(|(class, _)| class.clone()).collect();
            let seen: HashSet<ResourceClass> =
                tx.classes(&scope, &all).await?.into_iter().collect();
            let classes = (1..)
                .zip(catalog.iter())
                .filter(|(_, (class, _))| seen.contains(class));
            let views = classes.map(|(number, (class, actions))| {
                let view = ClassActionsView {
                    class: class.clone(),
                    actions: actions.clone(),
                };
                (number, view)
            });
            Ok(page(&list, views.collect()))
        });
        reading.await
    }

    /// Gets a class with its actions.
    ///
    /// # Errors
    ///
    /// [`Error::ResourceClassNotFound`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let forms = formalize.actions().get(ResourceClass::FORM.as_str())?;
    /// assert_eq!(forms.actions.item_actions[&Action::READ]["de"], "Lesen");
    /// assert!(matches!(formalize.actions().get("Unknown"), Err(Error::ResourceClassNotFound)));
    /// # Ok(()) });
    /// ```
    pub fn get(&self, class: &str) -> Result<ClassActionsView> {
        let class = ResourceClass::new(class).map_err(|_| Error::ResourceClassNotFound)?;
        let actions = self
            .0
            .authority
            .catalog
            .find(&class)
            .ok_or(Error::ResourceClassNotFound)?
            .clone();
        Ok(ClassActionsView { class, actions })
    }

    /// Lists the dynamic groups, ordered by name.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let page = formalize.actions().list_dynamic_groups(&Caller::System, &PageRequest::default())?;
    /// assert_eq!(page.items, [DynamicGroupId::EVERYBODY]);
    /// # Ok(()) });
    /// ```
    pub fn list_dynamic_groups(
        &self,
        caller: &Caller,
        request: &PageRequest,
    ) -> Result<Page<DynamicGroupId>> {
        let list = self.0.listing("dynamic groups", caller, &[], request)?;
        let numbered = (1..).zip(self.0.authority.dynamic_groups()).collect();
        Ok(page(&list, numbered))
    }

    /// The dynamic groups that the caller is in, ordered by name.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let alice = Caller::user(UserId::new("alice")?);
    /// assert_eq!(formalize.actions().dynamic_groups_of(&alice), [DynamicGroupId::EVERYBODY]);
    /// # Ok(()) });
    /// ```
    pub fn dynamic_groups_of(&self, caller: &Caller) -> Vec<DynamicGroupId> {
        let mut groups = match caller {
            Caller::User(user) => self.0.authority.dynamic_groups_of(user),
            Caller::Link(_) | Caller::System => Vec::new(),
        };
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Gets a dynamic group.
    ///
    /// # Errors
    ///
    /// [`Error::DynamicGroupNotFound`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// assert_eq!(formalize.actions().get_dynamic_group("everybody")?, DynamicGroupId::EVERYBODY);
    /// assert!(matches!(formalize.actions().get_dynamic_group("staff"), Err(Error::DynamicGroupNotFound)));
    /// # Ok(()) });
    /// ```
    pub fn get_dynamic_group(&self, group: &str) -> Result<DynamicGroupId> {
        let group = DynamicGroupId::new(group).map_err(|_| Error::DynamicGroupNotFound)?;
        let is_defined = self.0.authority.defines_dynamic_group(&group);
        ensure!(is_defined, Error::DynamicGroupNotFound);
        Ok(group)
    }
}

/// A page of a constant list, whose rows are identified by their position, counted from 1.
fn page<T>(list: &Listing<'_>, rows: Vec<(u128, T)>) -> Page<T> {
    let Window {
        after, skip, limit, ..
    } = list.window;
    let behind = rows
        .into_iter()
        .filter(|(number, _)| *number > after.as_u128());
    let rows = behind.skip(usize_of(skip)).take(usize_of(limit)).collect();
    list.page(rows, |(number, _)| Uuid::from_u128(*number))
        .map(|(_, row)| row)
}

fn usize_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
