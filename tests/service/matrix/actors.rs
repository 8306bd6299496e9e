//! The actors of the matrix and their permissions.

use formalize_core::{
    Action, Caller, ResourceClass, Subject, authorization::Policies, links::NewFormLink,
};
use formalize_tests::world::{
    Setup, THING, catalog, class, condition, dynamic_group, holder, user, user_with,
};

use super::stage::{Spot, Stage};

/// An actor, described by where its permissions come from.
pub(super) struct Actor {
    pub(super) name: String,
    means: Means,
}

enum Means {
    System,
    /// Created everything on the stage.
    Maker,
    /// Has this role and no grants.
    Role(&'static str),
    /// Has a public link to the form.
    Link,
    /// Holds grants.
    Grants(Path, Vec<(Spot, Action)>),
}

/// How a grant reaches its actor.
enum Path {
    Direct,
    /// The actor is a member of the group that holds the grant.
    Member,
    /// The actor is a member of a group nested two levels below the group that holds the grant.
    NestedMember,
    /// The actor is a member of a group that contains the group that holds the grant, so the grant does not reach it.
    MemberOfParent,
    /// Through a dynamic group.
    Dynamic,
}

/// The policies that refer to the actors' roles, and the dynamic group.
pub(super) fn setup() -> Setup {
    let role = |name: &str| condition(&format!(r#"user.attributes.role == "{name}""#));
    let managers = [
        ("groups manager", ResourceClass::GROUP),
        ("forms manager", ResourceClass::FORM),
        (
            "submission collections manager",
            ResourceClass::SUBMISSION_COLLECTION,
        ),
        ("single submissions manager", ResourceClass::SUBMISSION),
        ("things manager", class(THING)),
    ];
    let policies = Policies {
        administrators: Some(role("administrator")),
        create_groups: Some(condition(
            r#"user.attributes.role in ["maker", "group maker"]"#,
        )),
        create_forms: Some(condition(
            r#"user.attributes.role in ["maker", "survey maker"] && form.name.startsWith("Survey")"#,
        )),
        // The default: administrators.
        create_tokens: None,
        check_others: Some(role("checker of others")),
        search_people: Some(role("searcher of people")),
        read_local_data: Some(role("reader of local data")),
        manage_everything: Some(role("everything manager")),
        manage_collection: managers.map(|(name, class)| (class, role(name))).into(),
    };
    Setup {
        policies,
        ..Setup::default()
    }
    .dynamic_group("staff", r#""staff" in user.attributes.roles"#)
}

impl Actor {
    pub(super) fn all() -> Vec<Self> {
        let mut actors = vec![
            Self::new("system", Means::System),
            Self::new("who made it", Means::Maker),
            Self::new("stranger", Means::Role("none")),
            Self::new("public link to the form", Means::Link),
        ];
        for (spot, name) in Spot::ALL {
            for action in grantable(spot) {
                let name = format!("{name}: {action}");
                let grants = vec![(spot, action)];
                actors.push(Self::new(&name, Means::Grants(Path::Direct, grants)));
            }
        }
        for (name, path) in [
            ("member of the managing group", Path::Member),
            ("nested member of the managing group", Path::NestedMember),
            ("member of its parent", Path::MemberOfParent),
            ("in the managing dynamic group", Path::Dynamic),
        ] {
            let everything = Spot::ITEMS.map(|spot| (spot, Action::MANAGE)).to_vec();
            actors.push(Self::new(name, Means::Grants(path, everything)));
        }
        for role in [
            "administrator",
            "group maker",
            "survey maker",
            "groups manager",
            "forms manager",
            "submission collections manager",
            "single submissions manager",
            "things manager",
            "everything manager",
            "checker of others",
            "searcher of people",
            "reader of local data",
        ] {
            actors.push(Self::new(&format!("policy: {role}"), Means::Role(role)));
        }
        actors
    }

    fn new(name: &str, means: Means) -> Self {
        Self {
            name: name.to_owned(),
            means,
        }
    }

    /// Gives the actor its permissions on a stage.
    pub(super) async fn enter(&self, stage: &Stage<'_>) -> Caller {
        let name = format!("actor-{}", stage.number);
        match &self.means {
            Means::System => Caller::System,
            Means::Maker => user(&stage.maker),
            Means::Role(role) => user_with(&name, "role", *role),
            Means::Link => {
                let (links, new) = (stage.world.links(), NewFormLink::to(stage.form));
                let (link, _) = links.create(&Caller::System, new).await.unwrap();
                link.caller()
            }
            Means::Grants(path, grants) => {
                let subject = path.lead(stage, &name).await;
                for (spot, action) in grants {
                    stage.world.grant(&subject, action, &stage.at(*spot)).await;
                }
                match path {
                    Path::Dynamic => user_with(&name, "roles", vec!["staff"]),
                    _ => user(&name),
                }
            }
        }
    }
}

impl Path {
    /// Returns the subject of the grants, and connects the user with it as the path describes.
    async fn lead(&self, stage: &Stage<'_>, user: &str) -> Subject {
        let world = stage.world;
        match self {
            Self::Direct => holder(user),
            Self::Dynamic => Subject::DynamicGroup(dynamic_group("staff")),
            Self::Member => {
                let holding = world.group("Holding").await;
                world.member(holding, user).await;
                Subject::Group(holding)
            }
            Self::NestedMember => {
                let holding = world.group("Holding").await;
                let (middle, inner) = (world.group("Middle").await, world.group("Inner").await);
                world.nest(holding, middle).await;
                world.nest(middle, inner).await;
                world.member(inner, user).await;
                Subject::Group(holding)
            }
            Self::MemberOfParent => {
                let (parent, holding) = (world.group("Parent").await, world.group("Holding").await);
                world.nest(parent, holding).await;
                world.member(parent, user).await;
                Subject::Group(holding)
            }
        }
    }
}

/// The actions that can be granted at a spot.
pub(super) fn grantable(spot: Spot) -> Vec<Action> {
    let catalog = catalog();
    let actions = catalog.find(&spot.class());
    let actions = actions.into_iter().flat_map(|actions| {
        if Spot::ITEMS.contains(&spot) {
            actions.item_actions.keys()
        } else {
            actions.collection_actions.keys()
        }
    });
    actions.cloned().collect()
}
