//! Benchmarks of the parts, on databases that they fill: `cargo bench`, or `cargo bench -- lists` for some of them.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use formalize_core::internals::{Held, Target, effective_actions};
use formalize_core::parse_json;
use formalize_core::questions::{Answers, Entries};
use formalize_core::store::HeldGrant;
use formalize_core::store::Store;
use formalize_core::{
    Action, Attributes, Caller, DataSchema, FormFilter, FormId, FormName, Formalize, PageRequest,
    ResourceClass, ResourceRef, SubmissionFilter, UserId, authorization::Anchor, forms::FormHead,
    tokens::NewApiToken,
};
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::seed::{
    AT_LONG_CHAIN, AT_SHORT_CHAIN, DATA, Landmarks, MEMBER, READER, SCHEMA, Sizes, fill, page,
};
use formalize_web::{FormPage, Language, Shell};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use uuid::Uuid;

/// A filled database.
struct Site {
    name: &'static str,
    formalize: Formalize,
    landmarks: Landmarks,
    _folder: TempDir,
}

impl Site {
    async fn on_sqlite(name: &'static str, sizes: Sizes) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/bench.db", folder.path().display());
        let store = SqlStore::open(&url, &SqlOptions::default()).await.unwrap();
        store.migrate().await.unwrap();
        let store: Arc<dyn Store> = Arc::new(store);
        let landmarks = fill(Arc::clone(&store), &sizes).await.unwrap();
        Self {
            name,
            formalize: Formalize::builder(store).build().await.unwrap(),
            landmarks,
            _folder: folder,
        }
    }
}

fn caller(user: &str) -> Caller {
    Caller::user(UserId::new(user).unwrap())
}

/// From grants to effective actions, without a store.
fn decisions(criterion: &mut Criterion) {
    let form = FormId::from_uuid(Uuid::from_u128(1));
    let target = Target::Form(form);
    let mut group = criterion.benchmark_group("decide");
    for grants in [1, 10, 100] {
        let held: Held = (0..grants)
            .map(|number| HeldGrant {
                anchor: Anchor::from(form),
                class: ResourceClass::FORM,
                action: Action::new(format!("action-{number}")).unwrap(),
            })
            .collect();
        group.bench_with_input(
            BenchmarkId::new("grants", grants),
            &held,
            |bencher, held| {
                bencher.iter(|| effective_actions(black_box(held), black_box(&target)));
            },
        );
    }
}

/// A schema of fifteen fields. It is compiled once for each revision of a form and applied to each submission.
fn validation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("validation");
    group.bench_function("compile", |bencher| {
        bencher.iter(|| DataSchema::compile(black_box(SCHEMA)).unwrap());
    });
    let schema = DataSchema::compile(SCHEMA).unwrap();
    let data = parse_json(DATA).unwrap();
    group.bench_function("apply", |bencher| {
        bencher.iter(|| schema.validate(black_box(&data)).unwrap());
    });
    group.bench_function("parse and apply", |bencher| {
        bencher.iter(|| {
            let data = parse_json(black_box(DATA)).unwrap();
            schema.validate(&data).unwrap();
        });
    });
}

/// The page of a form with 17 questions, and the answers that come back.
fn pages(criterion: &mut Criterion) {
    let schema = page::schema().to_string();
    let schema = DataSchema::compile(&schema).unwrap();
    let entered = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter();
        Entries::new(pairs.map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))).unwrap()
    };
    let (none, answered) = (entered(&[]), entered(&page::answers().0));
    let mut group = criterion.benchmark_group("page");
    for (name, entries) in [("questions", &none), ("answers", &answered)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| Answers::of(Some(&schema), None, black_box(entries), None).unwrap());
        });
    }
    let shown = Answers::of(Some(&schema), None, &none, None).unwrap();
    let shell = Shell::new(Language::of_tag("en").unwrap());
    group.bench_function("HTML", |bencher| {
        bencher.iter(|| {
            FormPage::new(Some(&conference()), black_box(&shown.questions)).render(&shell)
        });
    });
}

fn conference() -> FormHead {
    FormHead::named(FormName::new("Conference").unwrap())
}

/// Pages that are large for one reason each. The costs in `crates/schema/src/questions/extent.rs` were fitted to these.
fn large_pages(criterion: &mut Criterion) {
    let text = |_| json!({"type": "string"});
    let buttons = |_| json!({"enum": (0..20).collect::<Vec<_>>()});
    let explained = |_| json!({"type": "string", "description": "x".repeat(10_000)});
    let options = |_| json!({"enum": (0..5_000).collect::<Vec<_>>()});
    let forms = [
        ("1000 questions", properties(1_000, text)),
        ("100 questions with 20 buttons", properties(100, buttons)),
        ("100 questions with 10 kB", properties(100, explained)),
        ("5000 options", properties(1, options)),
    ];
    let none = Entries::new([]).unwrap();
    let shell = Shell::new(Language::of_tag("en").unwrap());
    let mut group = criterion.benchmark_group("large page");
    for (name, schema) in forms {
        let schema = DataSchema::compile(&schema.to_string()).unwrap();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let shown = Answers::of(Some(&schema), None, black_box(&none), None).unwrap();
                FormPage::new(Some(&conference()), &shown.questions).render(&shell)
            });
        });
    }
}

/// The schema of an object with as many properties.
fn properties(number: usize, schema: impl Fn(usize) -> Value) -> Value {
    let properties = (0..number).map(|one| (format!("property{one}"), schema(one)));
    json!({"type": "object", "properties": properties.collect::<Map<_, _>>()})
}

/// The subjects of a caller, decisions and lists, in a small database and in one a hundred times as large.
fn stores(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let sites = runtime.block_on(async {
        [
            Site::on_sqlite("few", Sizes::few()).await,
            Site::on_sqlite("many", Sizes::large().divided_by(10)).await,
        ]
    });
    for site in &sites {
        tokens(criterion, &runtime, site);
        subjects(criterion, &runtime, site);
        checks(criterion, &runtime, site);
        lists(criterion, &runtime, site);
    }
}

fn tokens(criterion: &mut Criterion, runtime: &Runtime, site: &Site) {
    let new = NewApiToken {
        user: UserId::new(READER).unwrap(),
        attributes: Attributes::new(),
        date_expires: None,
    };
    let tokens = site.formalize.tokens();
    let (_, secret) = runtime
        .block_on(tokens.create(&Caller::System, new))
        .unwrap();
    let mut group = criterion.benchmark_group("token");
    group.bench_function(BenchmarkId::new("authenticate", site.name), |bencher| {
        bencher.to_async(runtime).iter(async || {
            let tokens = site.formalize.tokens();
            tokens.authenticate(secret.expose()).await.unwrap().unwrap()
        });
    });
}

fn subjects(criterion: &mut Criterion, runtime: &Runtime, site: &Site) {
    let mut group = criterion.benchmark_group("subjects");
    for user in [MEMBER, AT_SHORT_CHAIN, AT_LONG_CHAIN] {
        let id = UserId::new(user).unwrap();
        group.bench_function(BenchmarkId::new(user, site.name), |bencher| {
            bencher.to_async(runtime).iter(async || {
                let mut tx = site.formalize.store().read().await.unwrap();
                tx.groups_of(&id).await.unwrap()
            });
        });
    }
}

fn checks(criterion: &mut Criterion, runtime: &Runtime, site: &Site) {
    let resource = ResourceRef::form(site.landmarks.form);
    let mut group = criterion.benchmark_group("check");
    for user in [READER, MEMBER, AT_LONG_CHAIN] {
        let caller = caller(user);
        group.bench_function(BenchmarkId::new(user, site.name), |bencher| {
            bencher.to_async(runtime).iter(async || {
                let resources = site.formalize.resources();
                let granted = resources.is_granted(&caller, &resource, &Action::READ);
                granted.await.unwrap()
            });
        });
    }
}

fn lists(criterion: &mut Criterion, runtime: &Runtime, site: &Site) {
    let mut group = criterion.benchmark_group("lists");
    let first = PageRequest::default();
    for (readable, user) in &site.landmarks.readers {
        let caller = caller(user);
        let name = format!("forms/{}/readable", site.name);
        group.bench_function(BenchmarkId::new(name, readable), |bencher| {
            bencher.to_async(runtime).iter(async || {
                let forms = site.formalize.forms();
                let all = FormFilter::default();
                forms.list(&caller, &all, &first).await.unwrap()
            });
        });
    }
    let reader = caller(READER);
    let filter = SubmissionFilter::default();
    for (size, form) in &site.landmarks.forms_by_size {
        let name = format!("submissions/{}/of form with", site.name);
        group.bench_function(BenchmarkId::new(name, size), |bencher| {
            bencher.to_async(runtime).iter(async || {
                let submissions = site.formalize.submissions();
                let page = submissions.list(&reader, *form, &filter, &first);
                page.await.unwrap()
            });
        });
    }
}

criterion_group!(benches, decisions, validation, pages, large_pages, stores);
criterion_main!(benches);
