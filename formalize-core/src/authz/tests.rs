//! The tables of `docs/permissions.md`, as they follow from the rules.

use super::policy::{Operation, Policy, Rule};
use super::ways::{Basis, Way, When};
use crate::forms::FormAccess;
use crate::model::action::{Action, ActionCatalog};
use crate::model::resource::ResourceClass;

const DOCUMENT: &str = include_str!("../../../docs/permissions.md");

const SYSTEM: &str =
    "the system: the command line without `--as`, or the program that uses the library";

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn listed<'a>(actions: impl IntoIterator<Item = &'a Action>) -> String {
    let actions: Vec<String> = actions.into_iter().map(|it| code(it.as_str())).collect();
    actions.join(", ")
}

/// `FormListToFillIn` is `Form list to fill in`.
fn words(operation: Operation) -> String {
    let name = format!("{operation:?}");
    let mut words = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_uppercase() && at > 0 {
            words.push(' ');
            words.extend(letter.to_lowercase());
        } else {
            words.push(letter);
        }
    }
    words
}

fn needed(rule: &Rule) -> String {
    let of = |class: &ResourceClass| code(class.as_str());
    let action = |action: &Action| code(action.as_str());
    match rule {
        Rule::OnCollection(class, it) => {
            format!(
                "{} on the collection of {}, or a policy",
                action(it),
                of(class)
            )
        }
        Rule::OnItem(class, it) => format!("{} on the {}", action(it), of(class)),
        Rule::EitherOnItem(class, one, other) => {
            format!("{} or {} on the {}", action(one), action(other), of(class))
        }
        Rule::OnResource(it) => format!("{} on the resource", action(it)),
        Rule::AnyAction => "any action on the resource".to_owned(),
        Rule::HolderOr(it) => format!("being its holder, or {} on the resource", action(it)),
        Rule::Items(get) => {
            let get = words(*get);
            format!("nothing; the list has the items for which this is allowed: {get}")
        }
        Rule::SystemOnly => SYSTEM.to_owned(),
        Rule::TokenCreator => {
            "the policy `create_tokens`, by default that of `administrators`".to_owned()
        }
        Rule::CheckerOfOthers => "the policy `check_others`".to_owned(),
        Rule::PeopleSearcher => "the policy `search_people`, by default every user".to_owned(),
        Rule::LocalDataReader => "the policy `read_local_data`".to_owned(),
        Rule::Oneself => "being a user; it concerns what belongs to oneself".to_owned(),
    }
}

fn also_given(way: &Way) -> String {
    let by = match &way.basis {
        Basis::Grant(class, action) => {
            format!("{} on its {}", code(action.as_str()), code(class.as_str()))
        }
        Basis::Authorship => "having created it".to_owned(),
    };
    let when = match way.when {
        When::Always => "always",
        When::Submitted => "if it is submitted",
        When::AllowedByForm => "if it is a draft, or the form still allows it",
        When::SubmittedAndAllowedByForm => "if it is submitted, and the form still allows it",
    };
    let (action, class) = (code(way.action.as_str()), code(way.class.as_str()));
    format!("| {action} on a {class} | {by} | {when} |")
}

/// Checks that the document has this table.
#[track_caller]
fn documented(titles: &str, rows: Vec<String>) {
    let columns = titles.matches('|').count() - 1;
    let rule = format!("|{}", "---|".repeat(columns));
    let table = [vec![titles.to_owned(), rule], rows].concat().join("\n");
    let section = DOCUMENT.split(titles).nth(1).unwrap_or_default();
    let found = format!(
        "{titles}{}",
        section.split("\n\n").next().unwrap_or_default()
    );
    assert_eq!(found.trim_end(), table, "update docs/permissions.md");
}

#[test]
fn the_classes_and_actions_are_documented() {
    let rows = ActionCatalog::default()
        .iter()
        .map(|(class, actions)| {
            let (item, collection) = (&actions.item_actions, &actions.collection_actions);
            let (class, item) = (code(class.as_str()), listed(item.keys()));
            format!("| {class} | {item} | {} |", listed(collection.keys()))
        })
        .collect();
    documented(
        "| Class | Actions on an item | Actions on the collection |",
        rows,
    );
}

#[test]
fn what_each_operation_needs_is_documented() {
    let policy = Policy::default();
    let row = |operation: &Operation| {
        let needed = needed(&policy.rule(*operation));
        format!("| {} | {needed} |", words(*operation))
    };
    documented(
        "| Operation | Needs |",
        Operation::ALL.iter().map(row).collect(),
    );
}

#[test]
fn the_ways_to_an_action_are_documented() {
    let classes = [
        ResourceClass::FORM,
        ResourceClass::SUBMISSION_COLLECTION,
        ResourceClass::SUBMISSION,
    ];
    let ways = classes.iter().flat_map(Way::indirect);
    documented(
        "| This action | is also given by | when |",
        ways.map(also_given).collect(),
    );
}

#[test]
fn what_forms_are_shared_for_is_documented() {
    let rows = FormAccess::ALL.map(|access| {
        format!(
            "| {} | {} |",
            code(access.as_str()),
            listed(access.actions())
        )
    });
    documented("| Access | Actions on the form |", rows.to_vec());
}

/// Who grants over REST finds the names of the classes there, and the way to the document.
#[test]
fn the_interface_names_the_classes_and_the_document() {
    let interface: serde_json::Value =
        serde_json::from_str(include_str!("../../../openapi.json")).unwrap();
    let description = |path: &str| {
        let text = interface["paths"][path]["post"]["description"].as_str();
        text.unwrap_or_default().to_owned()
    };
    let grant = description("/authorization/resource-action-grants");
    for class in ResourceClass::BUILT_IN {
        assert!(grant.contains(&code(class.as_str())), "{class}: {grant}");
    }
    for text in [grant, description("/formalize/forms")] {
        assert!(text.contains("`docs/permissions.md`"), "{text}");
    }
}
