//! Public links.

use std::sync::Arc;

use formalize_core::{Formalize, links::FormLink};
use formalize_sql::{SqlOptions, SqlStore};
use serde_json::{Value, json};

use crate::bench::{Bench, block_on};

on_both_databases! {
    links_are_created_listed_and_revoked,
    many_links_are_created_at_once,
}

/// The link that a URL leads to.
fn found(bench: &Bench, url: &str) -> Option<FormLink> {
    block_on(async {
        let options = SqlOptions::default();
        let store = SqlStore::open(&bench.url(), &options).await.unwrap();
        let formalize = Formalize::builder(Arc::new(store)).build().await.unwrap();
        let (_, secret) = url.rsplit_once('/').unwrap();
        let found = formalize.links().authenticate(secret).await.unwrap();
        formalize.store().close().await;
        found
    })
}

fn listed(bench: &Bench, form: &str) -> Vec<Value> {
    let listed = bench.run(&format!("links list --form {form} -o json"));
    listed.expect(0).json().as_array().unwrap().clone()
}

fn links_are_created_listed_and_revoked(bench: &Bench) {
    let form = bench.id("forms create --name Workshop");
    let made = bench
        .run(
            "links create --form Workshop --label Poster --expires 2126-12-31 --max 3 --once \
             --embed https://example.org --embed http://localhost:8080",
        )
        .expect(0);
    let url = made.out.strip_suffix('\n').unwrap();
    assert!(url.starts_with("http://127.0.0.1:8080/l/fml_"), "{made:?}");
    assert_eq!(made.err, format!("created 1 link to form {form}\n"));

    let link = found(bench, url).unwrap();
    let [row] = listed(bench, "Workshop").try_into().unwrap();
    let expected = json!({
        "identifier": link.id.to_string(),
        "formIdentifier": form,
        "label": "Poster",
        "expires": "2126-12-31T23:59:59.999Z",
        "maxNumSubmissions": 3,
        "numSubmissions": 0,
        "oncePerBrowser": true,
        "embedOrigins": ["https://example.org", "http://localhost:8080"],
        "dateCreated": row["dateCreated"],
        "creatorId": "",
    });
    assert_eq!(row, expected);
    let table = bench.run("links list --form Workshop").expect(0).out;
    assert!(
        table.contains("Poster") && !table.contains("fml_"),
        "{table}"
    );

    let bare = bench.run(&format!("links create --form {form}")).expect(0);
    let bare = found(bench, bare.out.trim_end()).unwrap();
    assert_eq!(
        (bare.label, bare.cap, bare.date_expires),
        (None, None, None)
    );
    assert!(!bare.once_per_browser && bare.embed_origins.iter().len() == 0);

    let revoke = format!("links revoke {}", link.id);
    bench.run(&format!("{revoke} --as bob")).expect(5);
    assert!(found(bench, url).is_some());
    let revoked = bench.run(&revoke).expect(0);
    assert_eq!(revoked.err, format!("revoked link {}\n", link.id));
    assert_eq!(found(bench, url), None);
    bench.run(&revoke).expect(3);
    bench.run("links revoke x").expect(3);
    assert_eq!(listed(bench, &form).len(), 1);
    bench.run("links list --form Elsewhere").expect(3);
    bench
        .run(&format!("links create --form {form} --as bob"))
        .expect(5);
}

fn many_links_are_created_at_once(bench: &Bench) {
    let form = bench.id("forms create --name Workshop");
    let made = bench
        .run("links create --form Workshop --max 1 --number 30")
        .expect(0);
    assert_eq!(made.err, format!("created 30 links to form {form}\n"));
    let mut urls: Vec<&str> = made.out.lines().collect();
    urls.sort_unstable();
    urls.dedup();
    assert_eq!(urls.len(), 30);
    assert_eq!(listed(bench, &form).len(), 30);
    assert_eq!(found(bench, urls[0]).unwrap().cap.unwrap().get(), 1);
}

/// The file, a variable, and the address that the server listens on say where links lead.
#[test]
fn links_begin_with_the_base_url() {
    let bench = Bench::new();
    bench.run("forms create --name F").expect(0);
    let create = ["links", "create", "--form", "F"];
    let made = |variables: &[(&str, &str)]| {
        let made = bench.start(&create, variables, "").expect(0);
        made.out.split("fml_").next().unwrap().to_owned()
    };
    let listen = ("FORMALIZE_LISTEN", "[::1]:9000");
    assert_eq!(made(&[]), "http://127.0.0.1:8080/l/");
    assert_eq!(made(&[listen]), "http://[::1]:9000/l/");
    bench.write(
        "formalize.toml",
        "base_url = 'https://forms.example.org/'\n",
    );
    assert_eq!(made(&[listen]), "https://forms.example.org/l/");
    let other = ("FORMALIZE_BASE_URL", "https://example.org/forms");
    assert_eq!(made(&[other]), "https://example.org/forms/l/");
}

#[test]
fn a_link_expires_at_a_date_or_after_a_duration() {
    let bench = Bench::new();
    bench.run("forms create --name F").expect(0);
    for (expires, expected) in [
        ("2126-12-31", "2126-12-31T23:59:59.999Z"),
        ("2126-12-31T18:00:00+01:00", "2126-12-31T17:00:00.000Z"),
    ] {
        let create = format!("links create --form F --expires {expires}");
        let made = bench.run(&create).expect(0);
        let link = found(&bench, made.out.trim_end()).unwrap();
        assert_eq!(link.date_expires.unwrap().to_string(), expected);
    }
    let made = bench.run("links create --form F --expires 1h").expect(0);
    let link = found(&bench, made.out.trim_end()).unwrap();
    let (end, start) = (link.date_expires.unwrap(), link.date_created);
    let seconds = (end.as_millis() - start.as_millis()) / 1000;
    assert!((3595..=3600).contains(&seconds), "{seconds}");
    let over = bench.run("links create --form F --expires 2020-01-01");
    assert_eq!(found(&bench, over.expect(0).out.trim_end()), None);
}

#[test]
fn invalid_values_are_explained() {
    let bench = Bench::new();
    bench.run("forms create --name F").expect(0);
    for (option, why) in [
        ("--max 0", "expected a whole number from 1 to 2147483647"),
        ("--number 0", "invalid value '0'"),
        ("--expires tomorrow", "or a duration such as 90d"),
        (
            "--embed http://example.org",
            "http:// is for loopback addresses only",
        ),
        (
            "--embed *",
            "expected an origin such as https://example.org",
        ),
    ] {
        let refused = bench.run(&format!("links create --form F {option}"));
        assert!(refused.expect(2).err.contains(why), "{option}");
    }
    let many: Vec<String> = (0..21)
        .map(|it| format!("--embed https://{it}.example"))
        .collect();
    let refused = bench.run(&format!("links create --form F {}", many.join(" ")));
    assert_eq!(
        refused.expect(7).err,
        "error: invalid link: embedOrigins must be an array of up to 20 origins such as `https://example.org`, at most 2048 \
         bytes together; `http://` is for loopback addresses only\n"
    );
    assert_eq!(bench.count("links list --form F"), 0);
}

#[test]
fn a_link_that_cannot_be_printed_is_an_error() {
    let bench = Bench::new();
    bench.run("forms create --name F").expect(0);
    assert_eq!(bench.run_unheard("links create --form F --number 3"), 1);
    assert_eq!(bench.count("links list --form F"), 1, "it can be revoked");
}

/// Links and users cannot be confused.
#[test]
fn the_users_of_links_are_reserved() {
    let bench = Bench::new();
    let form = bench.id("forms create --name F");
    let made = bench.run("links create --form F").expect(0);
    let link = found(&bench, made.out.trim_end()).unwrap().id;
    let group = bench.id("groups create G");
    for line in [
        format!("tokens create --user link:{link}"),
        format!("members add {group} --user link:{link}"),
        format!("forms share {form} --with user:link:{link} --to fill"),
        format!("forms list --as link:{link}"),
    ] {
        let refused = bench.run(&line).expect(7);
        assert!(!refused.err.is_empty(), "{line}");
    }
    // Without its grant, the link ends.
    let unshare = format!("forms unshare F --with user:link:{link} --to fill");
    bench.run(&unshare).expect(0);
    assert_eq!(bench.count("links list --form F"), 0);
}
