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

/// Looks names up, each once.
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

    /// Adds names to grants.
    pub(crate) async fn name_grants(
        &mut self,
        page: Page<Viewed<Grant>>,
    ) -> Result<Page<Named<Viewed<Grant>>>, Error> {
        let mut items = Vec::with_capacity(page.items.len());
        for item in page.items {
            let (mut holder, mut resource) = (None, None);
            if !self.is_off {
                if let Subject::Group(group) = item.item.subject {
                    holder = self.of_group(group).await?;
                }
                resource = self.of_resource(&item.item.resource.resource).await?;
            }
            items.push(Named {
                item,
                holder,
                resource,
            });
        }
        Ok(Page {
            items,
            next: page.next,
        })
    }

    /// Adds names to resources.
    pub(crate) async fn name_resources(
        &mut self,
        page: Page<Viewed<Resource>>,
    ) -> Result<Page<Named<Viewed<Resource>>>, Error> {
        let mut items = Vec::with_capacity(page.items.len());
        for item in page.items {
            let mut resource = None;
            if !self.is_off {
                resource = self.of_resource(&item.item.resource).await?;
            }
            items.push(Named {
                item,
                holder: None,
                resource,
            });
        }
        Ok(Page {
            items,
            next: page.next,
        })
    }

    /// Adds names to members.
    pub(crate) async fn name_members(
        &mut self,
        page: Page<Membership>,
    ) -> Result<Page<Named<Membership>>, Error> {
        let mut items = Vec::with_capacity(page.items.len());
        for item in page.items {
            let mut holder = None;
            if let (false, Member::ChildGroup(group)) = (self.is_off, &item.member) {
                holder = self.of_group(*group).await?;
            }
            items.push(Named {
                item,
                holder,
                resource: None,
            });
        }
        Ok(Page {
            items,
            next: page.next,
        })
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
    use super::*;
    use formalize_core::ResourceIdentifier;

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
