//! Summaries count what lists contain.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use formalize_core::summary::{AnswerSummary, Count, Summary};
use formalize_core::{
    Action, Caller, Clock, DynamicGroupId, Error, FormId, Formalize, ResourceRef, Store,
    StoreError, SubmissionFilter, SubmissionRules, SubmissionState, Timestamp,
    forms::SubmittedAction,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    World, everything, holder, instant, new_form_with, new_grant, new_submission, user,
};
use futures_util::future::join_all;
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::{Strategy, any};
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::{SYSTEM, fails};

on_every_store! {
    a_summary_counts_the_submissions_of_the_list,
    summaries_count_what_random_callers_list,
    a_summary_that_takes_too_long_has_the_newest,
    a_user_with_many_summaries_does_not_keep_others_from_theirs,
    what_nobody_shows_a_user_has_no_questions,
    small_counts_are_withheld,
}

const SCHEMA: &str = r#"{"properties": {
    "meal": {"enum": ["fish", "meat"]}, "guests": {"type": "integer"}, "name": {"type": "string"}
}}"#;

async fn asked(world: &World) -> FormId {
    let rules = SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    };
    let new = new_form_with(SCHEMA, rules);
    let form = world.forms().create(SYSTEM, new).await.unwrap().item.id;
    let resource = ResourceRef::form(form);
    for name in ["ann", "bob"] {
        world
            .grant_to(name, &Action::CREATE_SUBMISSIONS, &resource)
            .await;
    }
    world
        .grant_to("reader", &Action::READ_SUBMISSIONS, &resource)
        .await;
    form
}

async fn submit(world: &World, caller: &Caller, form: FormId, data: &str, state: SubmissionState) {
    let new = new_submission(form, data, state);
    world.submissions().create(caller, new).await.unwrap();
}

async fn summary(formalize: &Formalize, caller: &Caller, form: FormId) -> Summary {
    let all = SubmissionFilter::default();
    let submissions = formalize.submissions();
    submissions.summary(caller, form, &all, None).await.unwrap()
}

/// The counts of a list, in the form of those of a summary.
fn counted(items: &[(Timestamp, Value)]) -> Value {
    let mut days: BTreeMap<String, u64> = BTreeMap::new();
    for (created, _) in items {
        let created = created.to_string();
        let (day, _) = created.split_once('T').unwrap();
        *days.entry(day.to_owned()).or_default() += 1;
    }
    let number = |wanted: &dyn Fn(&Value) -> bool| {
        let data = items.iter().map(|(_, data)| data);
        data.filter(|data| wanted(data)).count()
    };
    let meals = ["fish", "meat"];
    let guests: Vec<i64> = items
        .iter()
        .filter_map(|(_, data)| data["guests"].as_i64())
        .collect();
    json!({
        "days": days,
        "meals": meals.map(|meal| number(&|data| data["meal"] == meal)),
        "otherMeals": number(&|data| data["meal"].as_str().is_some_and(|meal| !meals.contains(&meal))),
        "leastGuests": guests.iter().min(),
        "greatestGuests": guests.iter().max(),
        "guests": guests.len(),
        "names": number(&|data| data["name"].as_str().is_some_and(|name| !name.is_empty())),
    })
}

fn shown(summary: &Summary) -> Value {
    let json = serde_json::to_value(summary).unwrap();
    let pairs = json["byDay"].as_array().unwrap().iter();
    let days: BTreeMap<&str, &Value> = pairs
        .map(|day| (day["date"].as_str().unwrap(), &day["count"]))
        .collect();
    let question = |pointer: &str| {
        let mut questions = json["questions"].as_array().unwrap().iter();
        questions
            .find(|question| question["pointer"] == pointer)
            .unwrap_or(&Value::Null)
    };
    let (meal, guests) = (question("/meal"), question("/guests"));
    let bins = guests["bins"].as_array().into_iter().flatten();
    let in_bins: u64 = bins.map(|bin| bin["count"].as_u64().unwrap()).sum();
    assert_eq!(guests["numAnswered"], in_bins);
    json!({
        "days": days,
        "meals": [&meal["counts"][0]["count"], &meal["counts"][1]["count"]],
        "otherMeals": meal["others"],
        "leastGuests": guests["least"],
        "greatestGuests": guests["greatest"],
        "guests": guests["numAnswered"],
        "names": question("/name")["numAnswered"],
    })
}

async fn a_summary_counts_the_submissions_of_the_list(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = asked(&world).await;
    let callers = [user("ann"), user("bob")];
    for (number, caller) in callers.iter().cycle().take(12).enumerate() {
        let day = number / 4 + 1;
        world
            .clock
            .set(instant(&format!("2026-12-0{day}T12:00:00Z")));
        let (data, state) = match number % 4 {
            0 => (
                format!(r#"{{"meal": "fish", "guests": {number}}}"#),
                SubmissionState::Submitted,
            ),
            1 => (
                r#"{"name": "Ada", "more": 1}"#.to_owned(),
                SubmissionState::Submitted,
            ),
            2 => (
                r#"{"meal": "tofu", "name": ""}"#.to_owned(),
                SubmissionState::Draft,
            ),
            _ => (
                format!(r#"{{"meal": "meat", "guests": -{number}}}"#),
                SubmissionState::Submitted,
            ),
        };
        submit(&world, caller, form, &data, state).await;
    }
    let days = [None, Some(instant("2026-12-02T00:00:00Z"))];
    for caller in [SYSTEM, &user("reader"), &callers[0], &callers[1]] {
        for (creator, state) in [
            (None, None),
            (Some("ann"), None),
            (None, Some(SubmissionState::Draft)),
            (Some("bob"), Some(SubmissionState::Submitted)),
        ] {
            for (created_from, created_before) in
                [(days[0], days[0]), (days[1], days[0]), (days[0], days[1])]
            {
                let filter = SubmissionFilter {
                    creator: creator.map(str::to_owned),
                    state,
                    created_from,
                    created_before,
                    ..SubmissionFilter::default()
                };
                let submissions = world.submissions();
                let listed = submissions.list(caller, form, &filter, &everything()).await;
                let items: Vec<_> = listed
                    .unwrap()
                    .items
                    .into_iter()
                    .map(|view| {
                        let data = serde_json::from_str(&view.item.data.unwrap()).unwrap();
                        (view.item.date_created, data)
                    })
                    .collect();
                let summary = submissions
                    .summary(caller, form, &filter, None)
                    .await
                    .unwrap();
                assert_eq!(
                    (summary.num_submissions, summary.is_complete),
                    (items.len() as u64, true)
                );
                if items.is_empty() && caller != SYSTEM {
                    assert_eq!(summary.questions, [], "{caller:?}");
                } else {
                    assert_eq!(shown(&summary), counted(&items), "{caller:?} {filter:?}");
                }
            }
        }
    }
    let unknown = FormId::from_uuid(uuid::Uuid::nil());
    let submissions = world.submissions();
    let all = SubmissionFilter::default();
    let unknown = submissions.summary(SYSTEM, unknown, &all, None);
    fails(unknown.await, "FormNotFound");
}

/// A clock that advances with each look at it.
struct Hurrying(AtomicI64);

impl Clock for Hurrying {
    fn now(&self) -> Timestamp {
        let millis = self.0.fetch_add(2_000, Ordering::Relaxed);
        Timestamp::from_millis(millis).unwrap()
    }
}

async fn a_summary_that_takes_too_long_has_the_newest(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let form = asked(&world).await;
    let name = "x".repeat(600_000);
    for guests in 0..7 {
        let data = format!(r#"{{"guests": {guests}, "name": "{name}"}}"#);
        submit(&world, SYSTEM, form, &data, SubmissionState::Submitted).await;
    }
    let begin = AtomicI64::new(instant("2026-12-01T00:00:00Z").as_millis());
    let builder = Formalize::builder(store).clock(Arc::new(Hurrying(begin)));
    let summary = summary(&builder.build().await.unwrap(), SYSTEM, form).await;
    assert!(!summary.is_complete);
    // Two fit in a window, and the time ends after the second window.
    assert_eq!(summary.num_submissions, 4);
    let AnswerSummary::Numbers(guests) = &summary.questions[1].answers else {
        panic!("{summary:?}");
    };
    assert_eq!((guests.least, guests.greatest), (Some(3.0), Some(6.0)));
}

async fn a_user_with_many_summaries_does_not_keep_others_from_theirs(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = asked(&world).await;
    let all = SubmissionFilter::default();
    let one = async |caller: Caller| {
        let submissions = world.submissions();
        submissions.summary(&caller, form, &all, None).await
    };
    for _ in 0..2 {
        let many = join_all((0..10).map(|_| one(user("reader"))));
        let (many, other, system) = tokio::join!(many, one(user("ann")), one(SYSTEM.clone()));
        let refused = |made: &&Result<Summary, Error>| {
            matches!(made, Err(Error::Store(StoreError::Unavailable(_))))
        };
        assert_eq!(many.iter().filter(refused).count(), 2);
        assert_eq!(many.iter().filter(|made| made.is_ok()).count(), 8);
        other.unwrap();
        system.unwrap();
    }
}

async fn what_nobody_shows_a_user_has_no_questions(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = asked(&world).await;
    submit(&world, SYSTEM, form, "{}", SubmissionState::Submitted).await;
    let of_stranger = summary(&world.formalize, &user("stranger"), form).await;
    assert_eq!(
        (of_stranger.num_submissions, of_stranger.questions.len()),
        (0, 0)
    );
    assert!(of_stranger.is_complete && of_stranger.by_day.is_empty());
    world
        .grant_to("stranger", &Action::READ, &ResourceRef::form(form))
        .await;
    let of_reader = summary(&world.formalize, &user("stranger"), form).await;
    assert_eq!(
        (of_reader.num_submissions, of_reader.questions.len()),
        (0, 3)
    );
}

async fn small_counts_are_withheld(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let form = asked(&world).await;
    for (meal, times) in [("fish", 1), ("meat", 4)] {
        for _ in 0..times {
            let data = format!(r#"{{"meal": "{meal}", "guests": {times}}}"#);
            submit(&world, SYSTEM, form, &data, SubmissionState::Submitted).await;
        }
    }
    let formalize = Formalize::builder(store)
        .summary_minimum(3)
        .build()
        .await
        .unwrap();
    let summary = summary(&formalize, SYSTEM, form).await;
    assert_eq!(summary.num_submissions, 5);
    let AnswerSummary::Choices { counts, others } = &summary.questions[0].answers else {
        panic!("{summary:?}");
    };
    let counts: Vec<Count> = counts.iter().map(|choice| choice.count).collect();
    assert_eq!(counts, [Count::Below(3), Count::Withheld]);
    assert_eq!(*others, Count::Number(0));
    let AnswerSummary::Numbers(guests) = &summary.questions[1].answers else {
        panic!("{summary:?}");
    };
    let bins: Vec<Count> = guests.bins.iter().map(|bin| bin.count).collect();
    assert_eq!(
        bins,
        [
            Count::Below(3),
            Count::Number(0),
            Count::Number(0),
            Count::Withheld
        ]
    );
}

/// A question of every kind whose answers are told, and some whose are not.
const KINDS: &str = r#"{"properties": {
    "meal": {"title": "Meal", "oneOf": [{"const": "fish", "title": "Fish"}, {"const": "meat"}, {"const": 7}]},
    "days": {"type": "array", "uniqueItems": true, "items": {"enum": ["sat", "sun"]}},
    "vegan": {"type": "boolean"}, "guests": {"type": "integer"}, "price": {"type": "number"},
    "born": {"type": "string", "format": "date"}, "name": {"type": "string"},
    "home": {"type": "object", "properties": {"rooms": {"type": "integer"}}}
}}"#;

const PEOPLE: [&str; 4] = ["ann", "bob", "cyd", "dee"];

/// Who gets an action, and on what.
#[derive(Debug, Clone)]
struct Share {
    /// An index in [`PEOPLE`], else the group, else everybody.
    holder: usize,
    action: Action,
    /// The submission; `None` for the form.
    submission: Option<usize>,
}

/// A form with submissions, and who may see them.
#[derive(Debug, Clone)]
struct Scenario {
    is_grant_based: bool,
    creators_read: bool,
    /// The creator as an index in [`PEOPLE`], the data, whether it is a draft, and on which day it was created.
    submissions: Vec<(usize, Value, bool, u32)>,
    shares: Vec<Share>,
    /// The members of the group, as indices in [`PEOPLE`].
    members: BTreeSet<usize>,
    /// The creator, whether only drafts are counted, and the days between which they were created.
    filter: (Option<usize>, Option<bool>, Option<u32>, Option<u32>),
}

/// Data in which each answer may be missing, or, if it is a draft, wrong.
fn data() -> impl Strategy<Value = (Value, bool)> {
    let answer = |good: Vec<Value>, wrong: Vec<Value>| {
        let (good, wrong) = (
            option::weighted(0.8, select(good)),
            option::of(select(wrong)),
        );
        (good, wrong)
    };
    let answers = [
        (
            "meal",
            json!(["fish", "fish", "meat", 7]),
            json!(["tofu", "", null, "7"]),
        ),
        (
            "days",
            json!([["sat"], ["sun", "sat"], []]),
            json!([["sat", "sat", "mon"], "sat", null]),
        ),
        ("vegan", json!([true, false]), json!(["yes", null, 1])),
        (
            "guests",
            json!([0, 1, 2, 2, 31, -4, 5.0]),
            json!(["5", 1.5, [], null]),
        ),
        (
            "price",
            json!([0.3, 0.29, 12, 1e3, -7.5]),
            json!(["much", {}, null]),
        ),
        (
            "born",
            json!(["2001-02-03", "1999-12-31", "2001-02-28"]),
            json!(["soon", "2001-02-30", "", 5]),
        ),
        ("name", json!(["", "Ada", "Grace"]), json!([null, {}, 4])),
        (
            "home",
            json!([{"rooms": 3}, {"rooms": 4, "more": 1}, {}]),
            json!([{"rooms": "many"}, [], "tent"]),
        ),
    ];
    let answers = answers.map(|(name, good, wrong)| {
        let values = |list: Value| list.as_array().unwrap().clone();
        answer(values(good), values(wrong)).prop_map(move |values| (name, values))
    });
    (Vec::from(answers), any::<bool>()).prop_map(|(answers, is_draft)| {
        let given = answers.into_iter().filter_map(|(name, (good, wrong))| {
            let value = wrong.filter(|_| is_draft).or(good);
            Some((name.to_owned(), value?))
        });
        (Value::Object(given.collect()), is_draft)
    })
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let submission = (0..PEOPLE.len(), data(), 0..4_u32);
    let submission =
        submission.prop_map(|(creator, (data, is_draft), day)| (creator, data, is_draft, day));
    let actions = [
        Action::READ,
        Action::READ_SUBMISSIONS,
        Action::UPDATE,
        Action::MANAGE,
    ];
    let share = (
        0..PEOPLE.len() + 2,
        select(Vec::from(actions)),
        option::of(0..24_usize),
    );
    let share = share.prop_map(|(holder, action, submission)| Share {
        holder,
        action,
        submission,
    });
    let filter = (
        option::of(0..PEOPLE.len()),
        option::of(any::<bool>()),
        option::of(0..4_u32),
        option::of(0..5_u32),
    );
    let all = (
        any::<bool>(),
        any::<bool>(),
        vec(submission, 0..24),
        vec(share, 0..6),
        btree_set(0..PEOPLE.len(), 0..3),
        filter,
    );
    all.prop_map(
        |(is_grant_based, creators_read, submissions, shares, members, filter)| Scenario {
            is_grant_based,
            creators_read,
            submissions,
            shares,
            members,
            filter,
        },
    )
}

fn day(day: u32) -> Timestamp {
    instant(&format!("2026-12-{:02}T00:00:00Z", day + 1))
}

impl Scenario {
    /// Makes the form, its submissions and grants.
    async fn play(&self, world: &World) -> FormId {
        let when_submitted = [SubmittedAction::Read]
            .into_iter()
            .filter(|_| self.creators_read);
        let rules = SubmissionRules {
            grant_based: self.is_grant_based,
            allowed_states: SubmissionState::ALL.iter().copied().collect(),
            allowed_actions_when_submitted: when_submitted.collect(),
            ..SubmissionRules::default()
        };
        let created = world
            .forms()
            .create(SYSTEM, new_form_with(KINDS, rules))
            .await;
        let form = created.unwrap().item.id;
        let resource = ResourceRef::form(form);
        for name in PEOPLE {
            world
                .grant_to(name, &Action::CREATE_SUBMISSIONS, &resource)
                .await;
        }
        let mut submissions = Vec::new();
        for (creator, data, is_draft, at) in &self.submissions {
            world
                .clock
                .set(day(*at).saturating_add(Duration::from_hours(9)));
            let state = if *is_draft {
                SubmissionState::Draft
            } else {
                SubmissionState::Submitted
            };
            let new = new_submission(form, &data.to_string(), state);
            let created = world
                .submissions()
                .create(&user(PEOPLE[*creator]), new)
                .await;
            submissions.push(created.unwrap().item.id);
        }
        let group = world.group("Committee").await;
        for member in &self.members {
            world.member(group, PEOPLE[*member]).await;
        }
        for share in &self.shares {
            let holder = match PEOPLE.get(share.holder) {
                Some(name) => holder(name),
                None if share.holder == PEOPLE.len() => group.into(),
                None => DynamicGroupId::EVERYBODY.into(),
            };
            let submission = share.submission.and_then(|at| submissions.get(at));
            let place =
                submission.map_or_else(|| resource.clone(), |id| ResourceRef::submission(*id));
            // Refused if the resource has no such action, or the grant exists.
            let new = new_grant(&holder, &share.action, &place);
            let _ = world.grants().create(SYSTEM, new).await;
        }
        form
    }

    fn filter(&self) -> SubmissionFilter {
        let (creator, is_draft, from, before) = self.filter;
        let state = |is_draft| {
            if is_draft {
                SubmissionState::Draft
            } else {
                SubmissionState::Submitted
            }
        };
        SubmissionFilter {
            creator: creator.map(|creator| PEOPLE[creator].to_owned()),
            state: is_draft.map(state),
            created_from: from.map(day),
            created_before: before.map(day),
            ..SubmissionFilter::default()
        }
    }
}

/// Counts of the answers to a question, straight from the rows. Histograms are left out.
fn count(rows: &[Value], pointer: &str) -> Value {
    let answers = rows.iter().filter_map(|data| data.pointer(pointer));
    let is_empty = |value: &Value| [json!(null), json!(""), json!([]), json!({})].contains(value);
    let answers: Vec<&Value> = answers.filter(|value| !is_empty(value)).collect();
    let number = answers.len();
    let equal = |wanted: &Value| answers.iter().filter(|answer| **answer == wanted).count();
    let choices = |choices: &[(Value, &str, &str)]| {
        let counts: Vec<_> = choices.iter().map(|(value, _, _)| equal(value)).collect();
        let shown = choices.iter().zip(&counts);
        let shown = shown.map(
            |((_, value, label), count)| json!({"value": value, "label": label, "count": count}),
        );
        json!({"counts": shown.collect::<Vec<_>>(), "others": number - counts.iter().sum::<usize>()})
    };
    let mut expected = match pointer {
        "/meal" => choices(&[
            (json!("fish"), "fish", "Fish"),
            (json!("meat"), "meat", "meat"),
            (json!(7), "7", "7"),
        ]),
        "/vegan" => choices(&[
            (json!(true), "true", "true"),
            (json!(false), "false", "false"),
        ]),
        "/days" => {
            let lists: Vec<_> = answers
                .iter()
                .filter_map(|answer| answer.as_array())
                .collect();
            let with = |name: &str| {
                lists
                    .iter()
                    .filter(|list| list.contains(&json!(name)))
                    .count()
            };
            let shown = ["sat", "sun"]
                .map(|name| json!({"value": name, "label": name, "count": with(name)}));
            let unknown = lists
                .iter()
                .copied()
                .flatten()
                .filter(|item| *item == "mon")
                .count();
            json!({"counts": shown, "others": number - lists.len() + unknown})
        }
        "/guests" | "/price" | "/home/rooms" => {
            let mut numbers: Vec<f64> = answers
                .iter()
                .filter_map(|answer| answer.as_f64())
                .collect();
            numbers.sort_by(f64::total_cmp);
            let sum: f64 = numbers.iter().sum();
            #[expect(clippy::cast_precision_loss, reason = "there are few")]
            let mean = (!numbers.is_empty()).then(|| rounded(sum / numbers.len() as f64));
            json!({
                "least": numbers.first(), "greatest": numbers.last(), "mean": mean, "others": number - numbers.len(),
            })
        }
        "/born" => {
            let mut days: BTreeMap<&str, usize> = BTreeMap::new();
            let texts = answers.iter().filter_map(|answer| answer.as_str());
            for date in
                texts.filter(|text| ["2001-02-03", "1999-12-31", "2001-02-28"].contains(text))
            {
                *days.entry(date).or_default() += 1;
            }
            let others = number - days.values().sum::<usize>();
            let days = days
                .iter()
                .map(|(date, count)| json!({"date": date, "count": count}));
            json!({"byDay": days.collect::<Vec<_>>(), "others": others})
        }
        _ => json!({}),
    };
    expected["numAnswered"] = json!(number);
    expected
}

/// A mean, without the digits that depend on the order of additions.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// A question of a summary in the form of [`count`]. Its histogram must contain the numbers.
fn told(question: &Value, rows: &[Value], pointer: &str) -> Value {
    let mut told = question.clone();
    let members = told.as_object_mut().unwrap();
    members.retain(|name, _| !["pointer", "label", "kind", "bins"].contains(&name.as_str()));
    for name in ["least", "greatest", "mean"] {
        if let Some(number) = members.get_mut(name).filter(|number| number.is_number()) {
            *number = json!(rounded(number.as_f64().unwrap()));
        }
    }
    let numbers = rows.iter().filter_map(|data| data.pointer(pointer));
    let numbers: Vec<f64> = numbers.filter_map(Value::as_f64).collect();
    for bin in question["bins"].as_array().into_iter().flatten() {
        let (from, to) = (bin["from"].as_f64().unwrap(), bin["to"].as_f64().unwrap());
        let within = numbers.iter().filter(|number| (from..to).contains(number));
        assert_eq!(bin["count"], within.count(), "{bin} {numbers:?}");
    }
    told
}

/// Random people count random submissions, which they see in different ways, with random filters.
async fn summaries_count_what_random_callers_list(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    // With the same seed each time: chance must not decide whether all ways of seeing submissions occur.
    let mut runner = TestRunner::deterministic();
    let (mut nothing, mut some, mut everything_listed) = (0, 0, 0);
    for _ in 0..24 {
        let scenario = scenario().new_tree(&mut runner).unwrap().current();
        let form = scenario.play(&world).await;
        let people = PEOPLE.map(user);
        for caller in people.iter().chain([SYSTEM]) {
            for filter in [SubmissionFilter::default(), scenario.filter()] {
                let submissions = world.submissions();
                let listed = submissions.list(caller, form, &filter, &everything()).await;
                let listed = listed.unwrap().items;
                let rows = listed.iter().map(|view| {
                    let data = view.item.data.as_deref().unwrap();
                    serde_json::from_str(data).unwrap()
                });
                let rows: Vec<Value> = rows.collect();
                let mut days: BTreeMap<String, u64> = BTreeMap::new();
                for view in &listed {
                    let created = view.item.date_created.to_string();
                    *days.entry(created[..10].to_owned()).or_default() += 1;
                }
                let days = days
                    .iter()
                    .map(|(date, count)| json!({"date": date, "count": count}));
                let days: Vec<Value> = days.collect();

                let summary = submissions.summary(caller, form, &filter, None).await;
                let summary = serde_json::to_value(summary.unwrap()).unwrap();
                let context = || format!("{caller:?} {filter:?} {scenario:#?}");
                assert_eq!(summary["numSubmissions"], rows.len(), "{}", context());
                assert_eq!(summary["isComplete"], true);
                assert_eq!(summary["byDay"], json!(days), "{}", context());
                let questions = summary["questions"].as_array().unwrap();
                let reads_form = world.forms().get(caller, form).await.is_ok();
                if rows.is_empty() && !reads_form {
                    assert!(questions.is_empty(), "{}", context());
                }
                let pointers: Vec<_> = questions
                    .iter()
                    .map(|one| one["pointer"].as_str().unwrap())
                    .collect();
                if !rows.is_empty() || reads_form {
                    let expected = [
                        "/meal",
                        "/days",
                        "/vegan",
                        "/guests",
                        "/price",
                        "/born",
                        "/name",
                        "/home/rooms",
                    ];
                    assert_eq!(pointers, expected, "{}", context());
                }
                for (question, pointer) in questions.iter().zip(pointers) {
                    let (told, counted) = (told(question, &rows, pointer), count(&rows, pointer));
                    assert_eq!(told, counted, "{pointer} {}", context());
                }
                if filter == SubmissionFilter::default() {
                    let total = scenario.submissions.len();
                    nothing += usize::from(rows.is_empty() && total > 0);
                    some += usize::from(!rows.is_empty() && rows.len() < total);
                    everything_listed += usize::from(rows.len() == total && caller != SYSTEM);
                }
            }
        }
    }
    let seen = (nothing, some, everything_listed);
    assert!(nothing > 2 && some > 5 && everything_listed > 2, "{seen:?}");
}
