//! Names of forms and groups, for tables of records that refer to them by identifiers.

use std::collections::HashMap;

use formalize_core::{
    Caller, Error, FormId, Formalize, Grant, GroupId, Member, Membership, Page, Resource,
    ResourceClass, ResourceRef, Subject, Viewed,
};

/// A record with the names of what it refers to, as far as the caller may read them.
pub(crate) struct Named<T> {
    pub(crate) item: T,
    /// The name of the group that holds a grant, or is a member.
    pub(crate) holder: Option<String>,
    /// The name of the form or group that a resource stands for.
    pub(crate) resource: Option<String>,
}

/// A record whose names are not shown.
impl<T> From<T> for Named<T> {
    fn from(item: T) -> Self {
        Self {
            item,
            holder: None,
            resource: None,
        }
    }
}

/// Looks names up, each once for a page.
pub(crate) struct Names {
    formalize: Formalize,
    caller: Caller,
    forms: HashMap<FormId, Option<String>>,
    groups: HashMap<GroupId, Option<String>>,
    /// Whether nothing shows names.
    is_off: bool,
}

impl Names {
    /// The names that the caller may read; with `is_off`, none are looked up.
    pub(crate) fn new(formalize: Formalize, caller: Caller, is_off: bool) -> Self {
        Self {
            formalize,
            caller,
            forms: HashMap::new(),
            groups: HashMap::new(),
            is_off,
        }
    }

    async fn of_form(&mut self, id: FormId) -> Result<Option<String>, Error> {
        if let Some(known) = self.forms.get(&id) {
            return Ok(known.clone());
        }
        let found = self.formalize.forms().get(&self.caller, id).await;
        let name = readable(found)?.map(|form| form.item.name.as_str().to_owned());
        self.forms.insert(id, name.clone());
        Ok(name)
    }

    async fn of_group(&mut self, id: GroupId) -> Result<Option<String>, Error> {
        if let Some(known) = self.groups.get(&id) {
            return Ok(known.clone());
        }
        let found = self.formalize.groups().get(&self.caller, id).await;
        let name = readable(found)?.map(|group| group.item.name.as_str().to_owned());
        self.groups.insert(id, name.clone());
        Ok(name)
    }

    async fn of_resource(&mut self, resource: &ResourceRef) -> Result<Option<String>, Error> {
        let Some(identifier) = &resource.identifier else {
            return Ok(None);
        };
        let class = &resource.class;
        let identifier = identifier.as_str();
        if *class == ResourceClass::GROUP {
            return match identifier.parse() {
                Ok(id) => self.of_group(id).await,
                Err(_) => Ok(None),
            };
        }
        let is_form = [ResourceClass::FORM, ResourceClass::SUBMISSION_COLLECTION].contains(class);
        match identifier.parse() {
            Ok(id) if is_form => self.of_form(id).await,
            _ => Ok(None),
        }
    }

    /// Adds names to the records of a page. They are forgotten then, because a list takes constant memory.
    pub(crate) async fn named<T: Refers>(
        &mut self,
        page: Page<T>,
    ) -> Result<Page<Named<T>>, Error> {
        let mut items = Vec::with_capacity(page.items.len());
        for item in page.items {
            let mut named = Named::from(item);
            if !self.is_off {
                if let Some(group) = named.item.group() {
                    named.holder = self.of_group(group).await?;
                }
                if let Some(on) = named.item.resource() {
                    named.resource = self.of_resource(on).await?;
                }
            }
            items.push(named);
        }
        self.forms.clear();
        self.groups.clear();
        Ok(Page {
            items,
            next: page.next,
        })
    }
}

/// A record that refers to others by identifiers.
pub(crate) trait Refers {
    /// The group that holds a grant, or is a member.
    fn group(&self) -> Option<GroupId> {
        None
    }

    /// What it is about.
    fn resource(&self) -> Option<&ResourceRef> {
        None
    }
}

impl Refers for Viewed<Grant> {
    fn group(&self) -> Option<GroupId> {
        match self.item.subject {
            Subject::Group(group) => Some(group),
            _ => None,
        }
    }

    fn resource(&self) -> Option<&ResourceRef> {
        Some(&self.item.resource.resource)
    }
}

impl Refers for Viewed<Resource> {
    fn resource(&self) -> Option<&ResourceRef> {
        Some(&self.item.resource)
    }
}

impl Refers for Membership {
    fn group(&self) -> Option<GroupId> {
        match self.member {
            Member::ChildGroup(group) => Some(group),
            Member::User(_) => None,
        }
    }
}

/// The record, unless it does not exist any more or the caller may not read it.
fn readable<T>(found: Result<T, Error>) -> Result<Option<T>, Error> {
    match found {
        Ok(record) => Ok(Some(record)),
        Err(error @ Error::Store(_)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// What a grant is on, in words: the item, by its name if that is known, and its kind. The name comes first, because the end
/// may be cut off.
pub(crate) fn on(resource: &ResourceRef, name: Option<&str>) -> String {
    let kinds = [
        (ResourceClass::FORM, "form", "all forms"),
        (
            ResourceClass::SUBMISSION_COLLECTION,
            "its submissions",
            "all submissions",
        ),
        (ResourceClass::SUBMISSION, "submission", "all submissions"),
        (ResourceClass::GROUP, "group", "all groups"),
    ];
    let kind = kinds.iter().find(|(class, ..)| *class == resource.class);
    match (kind, &resource.identifier) {
        (Some((_, kind, _)), Some(identifier)) => {
            format!("{} ({kind})", name.unwrap_or(identifier.as_str()))
        }
        (Some((_, _, collection)), None) => (*collection).to_owned(),
        (None, Some(identifier)) => format!("{}/{identifier}", resource.class),
        (None, None) => format!("all of {}", resource.class),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use formalize_core::store::memory::MemoryStore;
    use formalize_core::{GroupName, NewGroup, PageRequest, ResourceFilter, ResourceIdentifier};

    #[tokio::test]
    async fn names_are_known_for_a_page() -> Result<(), Error> {
        let store = Arc::new(MemoryStore::new());
        let formalize = Formalize::builder(store).build().await?;
        let system = Caller::System;
        let name = GroupName::new("Office")?;
        let groups = formalize.groups();
        groups.create(&system, NewGroup { name }).await?;
        let filter = ResourceFilter::default();
        let request = PageRequest::default();
        let page = formalize
            .resources()
            .list(&system, &filter, &request)
            .await?;
        let mut names = Names::new(formalize, system, false);
        let page = names.named(page).await?;
        let mut shown = page.items.iter().map(|item| item.resource.as_deref());
        assert!(shown.any(|name| name == Some("Office")));
        assert!(names.groups.is_empty());
        Ok(())
    }

    #[test]
    fn a_grant_is_on_a_named_item_or_on_a_collection() {
        let id = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";
        let form: FormId = id.parse().unwrap();
        let thing = ResourceClass::new("Thing").unwrap();
        let item = ResourceRef::item(thing.clone(), ResourceIdentifier::new("a/b").unwrap());
        for (resource, name, expected) in [
            (ResourceRef::form(form), Some("Workshop"), "Workshop (form)"),
            (ResourceRef::form(form), None, &*format!("{id} (form)")),
            (
                ResourceRef::submission_collection(form),
                Some("Workshop"),
                "Workshop (its submissions)",
            ),
            (
                ResourceRef::collection(ResourceClass::FORM),
                None,
                "all forms",
            ),
            (item, None, "Thing/a/b"),
            (ResourceRef::collection(thing), None, "all of Thing"),
        ] {
            assert_eq!(on(&resource, name), expected);
        }
    }
}
