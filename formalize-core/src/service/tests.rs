use std::sync::Arc;

use super::Formalize;
use crate::authz::policy::{Operation, Policy, Rule};
use crate::error::Error;
use crate::id::FormId;
use crate::model::action::Action;
use crate::model::form::{FormFilter, NewForm};
use crate::model::form_details::FormName;
use crate::model::grant::NewGrant;
use crate::model::resource::{ResourceClass, ResourceRef};
use crate::model::subject::{Caller, UserId};
use crate::page::PageRequest;
use crate::store::memory::MemoryStore;

fn bob() -> UserId {
    UserId::new("bob").unwrap()
}

/// A form on which Bob has been granted an action.
async fn form_for_bob(service: &Formalize, action: Action) -> FormId {
    let new = NewForm::new(FormName::new("Survey").unwrap());
    let form = service.forms().create(&Caller::System, new).await.unwrap();
    let id = form.item.id;
    let grant = NewGrant::new(bob(), action, ResourceRef::form(id));
    let granted = service.grants().create(&Caller::System, grant).await;
    granted.unwrap();
    id
}

/// The forms in Bob's list. Fails unless he can also get each of them, and no others.
async fn forms_of_bob(service: &Formalize, all: &[FormId]) -> Vec<FormId> {
    let (forms, bob) = (service.forms(), Caller::user(bob()));
    let request = PageRequest::default();
    let list = forms.list(&bob, &FormFilter::default(), &request).await;
    let listed: Vec<FormId> = list
        .unwrap()
        .items
        .iter()
        .map(|view| view.item.id)
        .collect();
    for id in all {
        match forms.get(&bob, *id).await {
            Ok(_) => assert!(listed.contains(id), "{id} is missing in the list"),
            Err(Error::Forbidden) => assert!(!listed.contains(id), "{id} cannot be read"),
            Err(error) => panic!("{error}"),
        }
    }
    listed
}

#[tokio::test]
async fn the_rule_of_an_operation_applies_to_items_and_lists() {
    let builder = Formalize::builder(Arc::new(MemoryStore::new()));
    let mut service = builder.build().await.unwrap();
    let readable = form_for_bob(&service, Action::READ).await;
    let changeable = form_for_bob(&service, Action::UPDATE).await;
    let managed = form_for_bob(&service, Action::MANAGE).await;
    let all = [readable, changeable, managed];
    assert_eq!(forms_of_bob(&service, &all).await, [readable, managed]);

    let shared = Arc::get_mut(&mut service.0).unwrap();
    shared.authority.policy = Policy(|operation| match operation {
        Operation::FormGet => Rule::OnItem(ResourceClass::FORM, Action::UPDATE),
        operation => Policy::default().rule(operation),
    });
    assert_eq!(forms_of_bob(&service, &all).await, [changeable, managed]);
}
