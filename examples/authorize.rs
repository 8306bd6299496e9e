//! An application without forms that uses formalize to authorize access to its own resources.
//!
//! Grace runs a library. Books are resources; Alice manages one of them and shares it with a reading circle, of which Bob is
//! a member.

use std::error::Error;
use std::sync::Arc;

use formalize_core::store::memory::MemoryStore;
use formalize_core::{
    Action, Caller, Formalize, GroupName, NewGrant, NewGroup, NewMembership, PageRequest,
    ResourceClass, ResourceFilter, ResourceIdentifier, ResourceRef, UserId,
    authorization::{ActionCatalog, ClassActions, Labels},
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let book = ResourceClass::new("LibraryBook")?;
    let borrow = Action::new("borrow")?;

    // The application defines its classes and their actions.
    let labels = Labels::from([
        ("en".to_owned(), "Borrow".to_owned()),
        ("de".to_owned(), "Ausleihen".to_owned()),
    ]);
    let actions = ClassActions {
        item_actions: [(borrow.clone(), labels)].into(),
        ..ClassActions::default()
    };
    let catalog = ActionCatalog::default().with_class(book.clone(), actions)?;
    let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
        .catalog(catalog)
        .build()
        .await?;

    let (alice, bob) = (UserId::new("alice")?, UserId::new("bob")?);
    let (as_alice, as_bob) = (Caller::user(alice.clone()), Caller::user(bob.clone()));

    // The application registers its items; several calls can share a transaction.
    let moby_dick = ResourceRef::item(book.clone(), ResourceIdentifier::new("moby-dick")?);
    let hidden = ResourceRef::item(book.clone(), ResourceIdentifier::new("hidden")?);
    let mut tx = formalize.store().write().await?;
    let resources = formalize.resources();
    resources
        .register_in(
            tx.as_mut(),
            &Caller::System,
            moby_dick.clone(),
            Some(&alice),
        )
        .await?;
    resources
        .register_in(tx.as_mut(), &Caller::System, hidden, None)
        .await?;
    tx.commit().await?;

    assert!(
        !resources.is_granted(&as_bob, &moby_dick, &borrow).await?,
        "nobody has shared it with Bob yet"
    );

    // The application creates the group.
    let circle = formalize
        .groups()
        .create(
            &Caller::System,
            NewGroup {
                name: GroupName::new("Reading circle")?,
            },
        )
        .await?
        .item;
    let membership = NewMembership::new(circle.id, bob);
    formalize
        .memberships()
        .create(&Caller::System, membership)
        .await?;

    // Alice manages the book, so she can share it.
    let to_circle = NewGrant::new(circle.id, borrow.clone(), moby_dick.clone());
    formalize.grants().create(&as_alice, to_circle).await?;

    // Bob may borrow it as a member of the circle.
    resources.check(&as_bob, &moby_dick, &borrow).await?;

    let books = ResourceFilter {
        class: Some(book.clone()),
        ..ResourceFilter::default()
    };
    let page = resources
        .list(&as_bob, &books, &PageRequest::default())
        .await?;
    for shown in page.items {
        let identifier = shown
            .item
            .resource
            .identifier
            .ok_or("a book has an identifier")?;
        let actions: Vec<&str> = shown.granted_actions.iter().map(Action::as_str).collect();
        #[expect(clippy::print_stdout, reason = "this is what the example shows")]
        {
            println!("Bob may {} {identifier}", actions.join(", "));
        }
    }
    Ok(())
}
