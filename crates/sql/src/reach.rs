//! The ways in which grants reach resources, as sources of identifiers.

use formalize_core::authorization::IdentifierFilter;
use formalize_core::forms::{SubmissionStates, SubmittedActions};
use formalize_core::store::scope::{Holding, Reach, Reached};
use formalize_core::{Action, ResourceClass, ResourceFilter, SubmissionState};

use super::kept_forms;
use super::query::{Query, Source};

/// Collections have no identifier; an empty one is stored for them.
const IS_ITEM: &str = "resources.identifier <> ''";

/// The stored identifier of a collection.
const OF_COLLECTIONS: &str = "";

/// A filter of resources.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filter<'a> {
    class: Option<&'a str>,
    /// The identifier, as it is stored.
    identifier: Option<&'a str>,
    items_only: bool,
}

impl<'a> Filter<'a> {
    pub(super) fn new(filter: &'a ResourceFilter) -> Self {
        Self {
            class: filter.class.as_ref().map(ResourceClass::as_str),
            identifier: match &filter.identifier {
                IdentifierFilter::Any | IdentifierFilter::Items => None,
                IdentifierFilter::Collections => Some(OF_COLLECTIONS),
                IdentifierFilter::Is(identifier) => Some(identifier.as_str()),
            },
            items_only: filter.identifier == IdentifierFilter::Items,
        }
    }

    /// The resources of a class.
    pub(super) fn of_class(class: &'a ResourceClass) -> Self {
        Self {
            class: Some(class.as_str()),
            identifier: None,
            items_only: false,
        }
    }

    fn admits(self, class: &ResourceClass) -> bool {
        self.class.is_none_or(|wanted| wanted == class.as_str())
    }

    pub(super) fn on_resources(self, query: &mut Query<'a>) -> Vec<String> {
        let wanted = [("class", self.class), ("identifier", self.identifier)];
        let wanted = wanted
            .into_iter()
            .filter_map(|(column, wanted)| Some((column, wanted?)))
            .map(|(column, wanted)| format!("resources.{column} = {}", query.bind(wanted)));
        wanted
            .chain(self.items_only.then(|| IS_ITEM.to_owned()))
            .collect()
    }

    /// The grants of the source on resources that match the filter.
    pub(super) fn on_grants(self, query: &mut Query<'a>, source: Source) -> Source {
        let source = match self.class {
            Some(class) => {
                let class = query.bind(class);
                source.and(format!("grants.class = {class}"))
            }
            None => source,
        };
        let source = if self.items_only {
            let on = format!("resources.id = grants.resource_id AND {IS_ITEM}");
            source.join("resources", &on)
        } else {
            source
        };
        self.identified(query, source, "grants.resource_id")
    }

    /// Restricts a source to resources with the identifier. Few resources have the same one, so they are found first,
    /// and there is a set for each.
    fn identified(self, query: &mut Query<'a>, mut source: Source, resource: &str) -> Source {
        let Some(identifier) = self.identifier else {
            return source;
        };
        let identifier = query.bind(identifier);
        let wanted = format!(
            "(SELECT id FROM formalize_resources WHERE identifier = {identifier}) AS wanted"
        );
        source.each.insert(0, wanted);
        source.and(format!("{resource} = wanted.id"))
    }
}

/// The sources of the identifiers of reachable resources.
pub(super) fn sources<'a>(
    query: &mut Query<'a>,
    reached: &'a Reached,
    filter: Filter<'a>,
) -> Vec<Source> {
    let mut sources = selective(query, reached, filter);
    if let Some(reachable) = everything(query, reached, "resources") {
        let all = Source::of("resources", "resources.id", filter.on_resources(query));
        sources.push(all.and(reachable));
    }
    sources
}

/// The same without [`Reach::Everything`], which has too many resources to select other rows by them.
pub(super) fn selective<'a>(
    query: &mut Query<'a>,
    reached: &'a Reached,
    filter: Filter<'a>,
) -> Vec<Source> {
    let subjects = query.bind_subjects(&reached.subjects);
    let mut sources: Vec<Source> = reached
        .ways
        .iter()
        .filter_map(|way| source(query, &subjects, way, filter))
        .collect();
    sources.extend(managed_collections(
        query,
        &reached.managed_collections,
        filter,
    ));
    sources
}

/// `None` if the filter matches nothing that is reachable in this way.
fn source<'a>(
    query: &mut Query<'a>,
    subjects: &str,
    way: &'a Reach,
    filter: Filter<'a>,
) -> Option<Source> {
    match way {
        Reach::Itself(actions) => Some(itself(query, subjects, actions.as_deref(), filter)),
        // Resources of one class never share an anchor, so the resource with this anchor is the resource itself.
        Reach::SameAnchor { target, holding } if *target == holding.class => {
            let class = query.bind(target.as_str());
            let itself = itself(query, subjects, Some(&holding.actions), filter);
            Some(itself.and(format!("grants.class = {class}")))
        }
        Reach::SameAnchor { target, holding } => filter
            .admits(target)
            .then(|| same_anchor(query, subjects, target, holding, filter)),
        Reach::Submission { actions, in_force } => filter
            .admits(&ResourceClass::SUBMISSION)
            .then(|| submission(query, subjects, actions, *in_force, filter)),
        Reach::SubmissionsOfForm(holding) => filter
            .admits(&ResourceClass::SUBMISSION)
            .then(|| submissions_of_form(query, subjects, holding, filter)),
        Reach::Everything { .. } => None,
    }
}

/// The condition for rows of a table, of resources or of the grants on them, that [`Reach::Everything`] reaches. `None` if
/// that is not among the ways.
///
/// One condition instead of one set for submissions and one for the rest, because most rows of the table meet it: a page
/// reads past few others.
pub(super) fn everything(query: &mut Query<'_>, reached: &Reached, table: &str) -> Option<String> {
    let mut ways = reached.ways.iter().filter_map(|way| match way {
        Reach::Everything { submitted } => Some(*submitted),
        _ => None,
    });
    let first = ways.next()?;
    let is_other = format!("{table}.form_id IS NULL");
    if !first && !ways.any(|submitted| submitted) {
        return Some(is_other);
    }
    let submitted = query.bind(state_bit(SubmissionState::Submitted));
    Some(format!(
        "({is_other} OR (SELECT forms.grant_based AND submissions.state = {submitted} \
         FROM formalize_submissions AS submissions JOIN formalize_forms AS forms ON forms.id = submissions.form_id \
         WHERE submissions.id = {table}.anchor AND {}))",
        kept_forms::is_kept("forms.id")
    ))
}

/// Resources with grants on themselves: one set for each subject, and for each action if the way restricts actions.
/// Resources that belong to a form are submissions.
fn itself<'a>(
    query: &mut Query<'a>,
    subjects: &str,
    actions: Option<&[Action]>,
    filter: Filter<'a>,
) -> Source {
    let source = match actions {
        Some(actions) => of_actions(query, subjects, actions, "grants.resource_id"),
        None => of_subjects(query, subjects, "grants.resource_id"),
    };
    filter.on_grants(query, source.and("grants.form_id IS NULL"))
}

/// Grants, one set for each subject.
pub(super) fn of_subjects(query: &Query<'_>, subjects: &str, id: &'static str) -> Source {
    Source {
        each: vec![query.dialect().texts("subject", subjects)],
        ..Source::of(
            "grants",
            id,
            vec!["grants.subject = subject.value".to_owned()],
        )
    }
}

/// Grants, one set for each subject and action.
pub(super) fn of_actions(
    query: &mut Query<'_>,
    subjects: &str,
    actions: &[Action],
    id: &'static str,
) -> Source {
    let actions = query.bind_actions(actions);
    let mut source = of_subjects(query, subjects, id).and("grants.action = action.value");
    source.each.push(query.dialect().texts("action", &actions));
    source
}

/// Resources of a class with the same anchor as the resources of the grants.
fn same_anchor<'a>(
    query: &mut Query<'a>,
    subjects: &str,
    target: &'a ResourceClass,
    holding: &Holding,
    filter: Filter<'a>,
) -> Source {
    let granted = Source::granted(query, subjects, holding);
    let class = query.bind(target.as_str());
    let source = beside_resources(granted, filter)
        .and("resources.anchor = grants.anchor")
        .and(format!("resources.class = {class}"));
    filter.identified(query, source, "resources.id")
}

/// Submissions of grant-based forms with grants on themselves, one set for each subject and action.
fn submission<'a>(
    query: &mut Query<'a>,
    subjects: &str,
    actions: &[Action],
    in_force: SubmittedActions,
    filter: Filter<'a>,
) -> Source {
    let own = own_rights_count(query, in_force);
    let source = of_actions(query, subjects, actions, "grants.resource_id")
        .and("grants.form_id IS NOT NULL")
        .join("forms", "forms.id = grants.form_id AND forms.grant_based")
        .and(kept_forms::is_kept("forms.id"))
        .join("submissions", "submissions.id = grants.anchor")
        .and(own);
    filter.on_grants(query, source)
}

/// Submitted submissions of grant-based forms, one set for each form with a matching grant.
fn submissions_of_form<'a>(
    query: &mut Query<'a>,
    subjects: &str,
    holding: &Holding,
    filter: Filter<'a>,
) -> Source {
    let forms = Source::granted(query, subjects, holding)
        .join("forms", "forms.id = grants.anchor AND forms.grant_based")
        .distinct(query.dialect());
    let submitted = query.bind(state_bit(SubmissionState::Submitted));
    let of_form = vec!["resources.form_id = form.id".to_owned()];
    let source = Source {
        each: vec![format!("({forms}) AS form")],
        ..Source::of("resources", "resources.id", of_form)
    }
    .join("submissions", "submissions.id = resources.anchor")
    .and(format!("submissions.state = {submitted}"));
    filter.identified(query, source, "resources.id")
}

/// Collections that a policy gives access to.
fn managed_collections<'a>(
    query: &mut Query<'a>,
    classes: &[ResourceClass],
    filter: Filter<'a>,
) -> Option<Source> {
    let classes: Vec<String> = classes
        .iter()
        .filter(|class| filter.admits(class))
        .map(ToString::to_string)
        .collect();
    let has_collections = filter.identifier.is_none_or(|it| it == OF_COLLECTIONS);
    if classes.is_empty() || !has_collections || filter.items_only {
        return None;
    }
    let classes = query.bind(classes);
    let conditions = vec![
        query.dialect().any_text("resources.class", &classes),
        "resources.identifier = ''".to_owned(),
    ];
    let collections = Source::of("resources", "resources.id", conditions);
    Some(collections.ordered_by("resources.id"))
}

/// Joins resources, as the first table if an identifier selects them.
fn beside_resources(source: Source, filter: Filter<'_>) -> Source {
    let mut source = source.ordered_by("resources.id");
    let resources = "formalize_resources AS resources";
    source.from = match filter.identifier {
        Some(_) => format!("{resources} CROSS JOIN {}", source.from),
        None => format!("{} CROSS JOIN {resources}", source.from),
    };
    source
}

/// Whether rights on the submission itself apply: always to drafts, and to others as far as the form allows.
pub(super) fn own_rights_count(query: &mut Query<'_>, in_force: SubmittedActions) -> String {
    let draft = query.bind(state_bit(SubmissionState::Draft));
    let in_force = query.bind(i64::from(in_force.bits()));
    format!("(submissions.state = {draft} OR (forms.allowed_actions & {in_force}) <> 0)")
}

/// A state as it is stored: the set that contains only it.
pub(super) fn state_bit(state: SubmissionState) -> i64 {
    let set: SubmissionStates = [state].into_iter().collect();
    i64::from(set.bits())
}
