//! A page of a list costs the same at any depth, whatever the database knows about its tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use formalize_core::{
    Action, Caller, Page, PageRequest, PageSize, Position, ResourceRef, SubmissionRules,
    SubmissionState,
    events::{EventFilter, FeedRequest, FeedStart},
    forms::{SubmittedAction, SubmittedActions},
    webhooks::NewWebhook,
};
use formalize_sql::{DatabaseKind, Plan, Plans};
use formalize_tests::stores::Database;
use formalize_tests::world::World;

use self::cost::{Cost, cost, outlined};
use self::fill::{Scene, fill, run};

mod cost;
mod fill;
mod lists;

/// The number of rows of most lists.
const ROWS: usize = 20_000;

/// The number of items of a page.
const PAGE: usize = 100;

/// What PostgreSQL knows about its tables while lists are walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Statistics {
    Missing,
    /// Recorded when the tables were empty.
    Empty,
    /// Recorded after half of the rows were added.
    Half,
    Current,
}

#[tokio::test]
async fn sqlite() {
    assert_flat(
        &Database::sqlite().await,
        DatabaseKind::Sqlite,
        Statistics::Missing,
    )
    .await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn postgres_never_analyzed() {
    assert_flat(
        &Database::postgres().await,
        DatabaseKind::Postgres,
        Statistics::Missing,
    )
    .await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn postgres_recorded_as_empty() {
    assert_flat(
        &Database::postgres().await,
        DatabaseKind::Postgres,
        Statistics::Empty,
    )
    .await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn postgres_analyzed_at_half() {
    assert_flat(
        &Database::postgres().await,
        DatabaseKind::Postgres,
        Statistics::Half,
    )
    .await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn postgres_analyzed() {
    assert_flat(
        &Database::postgres().await,
        DatabaseKind::Postgres,
        Statistics::Current,
    )
    .await;
}

async fn assert_flat(database: &Database, kind: DatabaseKind, statistics: Statistics) {
    if statistics == Statistics::Empty {
        run(database, "VACUUM ANALYZE").await;
    }
    let mut walker = Walker::new(database, kind).await;
    // More often than PostgreSQL plans a statement for its arguments. The plans that it then keeps are for empty tables.
    for _ in 0..7 {
        lists::all(&mut walker).await;
    }
    let scene = walker.scene;
    fill(database, kind, &scene, (1, ROWS / 2)).await;
    if statistics == Statistics::Half {
        run(database, "ANALYZE").await;
    }
    fill(database, kind, &scene, (ROWS / 2 + 1, ROWS)).await;
    if statistics == Statistics::Current {
        run(database, "ANALYZE").await;
    }
    walker.rows = ROWS;
    lists::all(&mut walker).await;
    let faults: Vec<_> = walker
        .walks
        .iter()
        .filter(|walk| !walk.is_flat(kind))
        .collect();
    let reports: Vec<_> = faults
        .iter()
        .map(|walk| format!("{walk}\n{}", walk.highest()))
        .collect();
    assert!(
        faults.is_empty(),
        "{} of {} lists:\n{}",
        faults.len(),
        walker.walks.len(),
        reports.join("\n")
    );
}

/// The cost of a page at each tenth of a list.
struct Walk {
    name: String,
    costs: Vec<Cost>,
    plans: Vec<Vec<Plan>>,
}

impl Walk {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            costs: Vec::new(),
            plans: Vec::new(),
        }
    }

    fn add(&mut self, plans: Vec<Plan>) {
        self.costs.push(cost(&plans));
        self.plans.push(plans);
    }

    fn is_flat(&self, kind: DatabaseKind) -> bool {
        // A statement has costs of its own, and some rows are in blocks with others.
        let is_even = |of: fn(&Cost) -> u64| {
            let costs = self.costs.iter().map(of);
            let (least, most) = (
                costs.clone().min().unwrap_or_default(),
                costs.max().unwrap_or_default(),
            );
            most <= least + least / 4 + 40
        };
        let most = self
            .costs
            .iter()
            .map(|cost| cost.rows)
            .max()
            .unwrap_or_default();
        let for_each = match kind {
            DatabaseKind::Sqlite => 600,
            DatabaseKind::Postgres => 60,
        };
        let is_bounded =
            most <= for_each * PAGE as u64 || lists::reads_all_grants_on_one_form(&self.name);
        is_even(|cost| cost.rows) && is_even(|cost| cost.blocks) && is_bounded
    }

    /// The plans of the page that cost most.
    fn highest(&self) -> String {
        let costs = self.costs.iter().zip(&self.plans);
        let highest = costs.max_by_key(|(cost, _)| **cost).map(|(_, plans)| plans);
        let plans = highest.into_iter().flatten();
        let plans = plans.map(|plan| format!("{}\n{}", plan.statement, outlined(plan)));
        plans.collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for Walk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:", self.name)?;
        for Cost { rows, blocks } in &self.costs {
            write!(formatter, " {rows}/{blocks}")?;
        }
        Ok(())
    }
}

/// Measures pages of lists at all depths.
struct Walker {
    scene: Scene,
    /// On a store that measures.
    world: World,
    plans: Plans,
    /// On another store, for what is not measured.
    skipping: World,
    /// The number of rows that were added: none, or [`ROWS`].
    rows: usize,
    walks: Vec<Walk>,
    /// The ends of change feeds before rows were added.
    start: BTreeMap<String, String>,
}

impl Walker {
    async fn new(database: &Database, kind: DatabaseKind) -> Self {
        let plans = Plans::default();
        let store = database.open_sql().await;
        assert_eq!(store.kind(), kind);
        let world = World::on(Arc::new(store.measuring_into(plans.clone()))).await;
        let skipping = World::on(database.open().await).await;
        Self {
            scene: scene(&skipping).await,
            world,
            plans,
            skipping,
            rows: 0,
            walks: Vec::new(),
            start: BTreeMap::new(),
        }
    }

    /// Walks a list of `rows`, and measures the page at each tenth. Without rows, asks for the first page.
    async fn walk<T>(
        &mut self,
        name: &str,
        rows: usize,
        list: impl AsyncFn(&World, &PageRequest) -> formalize_core::Result<Page<T>>,
    ) {
        let mut walk = Walk::new(name);
        let mut request = PageRequest {
            size: size(PAGE),
            ..PageRequest::default()
        };
        if rows == 0 {
            list(&self.world, &request)
                .await
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            return;
        }
        for tenth in 0..10 {
            if tenth > 0 {
                let before = u32::try_from(tenth * rows / 10).unwrap();
                request = PageRequest::after(self.cursor(name, before, &list).await, size(PAGE));
            }
            self.plans.take();
            let page = list(&self.world, &request)
                .await
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(page.items.len(), PAGE, "{name}, at tenth {tenth}");
            walk.add(self.plans.take());
        }
        self.walks.push(walk);
    }

    /// The cursor of the page after the first `rows` of a list. It is the same however one gets there. A page with a number is
    /// found by the database alone, while a walk to it would return every row.
    async fn cursor<T>(
        &self,
        name: &str,
        rows: u32,
        list: impl AsyncFn(&World, &PageRequest) -> formalize_core::Result<Page<T>>,
    ) -> String {
        let request = PageRequest {
            size: size(1),
            position: Position::Number(rows),
        };
        let page = list(&self.skipping, &request).await;
        let page = page.unwrap_or_else(|error| panic!("{name}: {error}"));
        page.next.unwrap()
    }

    /// Walks the change feed in the same way, from the events that were added.
    async fn follow(&mut self, name: &str, rows: usize, caller: &Caller) {
        let filter = &EventFilter::default();
        let mut request = FeedRequest {
            limit: u32::try_from(PAGE).unwrap(),
            ..FeedRequest::default()
        };
        if rows == 0 {
            let page = self.world.events().list(caller, filter, &request).await;
            self.start.insert(name.to_owned(), page.unwrap().next);
            return;
        }
        request.start = FeedStart::Cursor(self.start[name].clone());
        let mut walk = Walk::new(name);
        for _ in 0..10 {
            self.plans.take();
            let page = self.world.events().list(caller, filter, &request).await;
            let page = page.unwrap();
            assert_eq!(page.events.len(), PAGE, "{name}");
            walk.add(self.plans.take());
            request.start = FeedStart::Cursor(page.next);
            for _ in 1..rows / 10 / PAGE {
                let page = self.skipping.events().list(caller, filter, &request).await;
                request.start = FeedStart::Cursor(page.unwrap().next);
            }
        }
        self.walks.push(walk);
    }
}

fn size(items: usize) -> PageSize {
    PageSize::new(u32::try_from(items).unwrap()).unwrap()
}

async fn scene(world: &World) -> Scene {
    let rules = |grant_based| SubmissionRules {
        grant_based,
        allowed_actions_when_submitted: SubmittedAction::ALL.iter().copied().collect(),
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    };
    let group = world.group("Many members").await;
    world.member(group, "bob").await;
    let granted = world.form(rules(true)).await;
    let allow_nothing = SubmissionRules {
        allowed_actions_when_submitted: SubmittedActions::NONE,
        ..rules(true)
    };
    let imported = world.form(allow_nothing).await;
    let (created, linked) = (
        world.form(rules(false)).await,
        world.form(rules(false)).await,
    );
    for resource in [
        ResourceRef::group(group),
        ResourceRef::form(granted),
        ResourceRef::form(imported),
        ResourceRef::form(created),
        ResourceRef::form(linked),
    ] {
        world.grant_to("ann", &Action::MANAGE, &resource).await;
    }
    let url = world
        .webhooks()
        .parse_url("https://example.org/hook")
        .unwrap();
    let webhook = world
        .webhooks()
        .create(&Caller::System, NewWebhook::of(granted, url))
        .await;
    Scene {
        group,
        granted,
        imported,
        created,
        linked,
        webhook: webhook.unwrap().0.id,
    }
}

#[test]
fn every_list_is_walked_or_exempt() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formalize-core/src/service");
    let mut found = BTreeSet::new();
    functions(&folder, &folder, &mut found);
    let known = lists::WALKED
        .iter()
        .copied()
        .chain(lists::EXEMPT.iter().map(|(list, _)| *list));
    let known: BTreeSet<_> = known.map(str::to_owned).collect();
    assert_eq!(found, known);
}

/// The public functions of the services that return lists, each with its file.
fn functions(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            functions(root, &path, found);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for function in text.split("    pub async fn ").skip(1) {
            let signature = function.split('{').next().unwrap();
            let (_, returned) = signature.split_once("->").unwrap_or_default();
            if ["Page<", "FeedPage", "Vec<EventSubscription>"]
                .iter()
                .any(|list| returned.contains(list))
            {
                let name = function.split(['(', '<']).next().unwrap();
                let file = path.strip_prefix(root).unwrap().display();
                found.insert(format!("{file} {name}"));
            }
        }
    }
}
