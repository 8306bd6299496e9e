//! What the client asks of a directory of people, organizations, courses and rooms.

use std::fs;

use formalize_http::config::{DirectorySettings, UnknownPeople};
use formalize_http::directory::{Directory, DirectoryFile, Kind};
use serde_json::{Value, json};

use super::support::{get, item, keys, members, refused};
use crate::support::{App, RELAY_BASE};

const PEOPLE: &str = r#"
{"identifier": "alice", "givenName": "Alice", "familyName": "Adams", "localData": {"email": "alice@example.org", "office": null}}
{"identifier": "bob", "givenName": "Bob", "familyName": "Straße", "localData": {"email": "bob@example.org"}, "preparedFilters": ["staff"]}
{"identifier": "a/b", "givenName": "Änne", "familyName": "Berg"}
"#;
const ROOMS: &str = r#"
{"identifier": "w 1", "name": "Hall West", "seats": 200}
{"identifier": "e 1", "name": "Hall East"}
"#;

fn directory(unknown_people: UnknownPeople) -> DirectorySettings {
    let folder = tempfile::tempdir().unwrap();
    let files = [(Kind::People, PEOPLE), (Kind::Rooms, ROOMS)].map(|(kind, text)| {
        let path = folder.path().join("file.ndjson");
        fs::write(&path, text).unwrap();
        DirectoryFile::open(kind, &path).unwrap()
    });
    DirectorySettings {
        records: Directory::new(files),
        unknown_people,
    }
}

/// The identifiers in a list.
async fn listed(app: &App, path: &str) -> Vec<String> {
    let answer = get(app.bob(), path).await;
    let found = members(&answer);
    let found = found.iter().map(|member| &member["identifier"]);
    found
        .map(|identifier| identifier.as_str().unwrap().to_owned())
        .collect()
}

fn local_data(person: &Value) -> &Value {
    person.get("localData").unwrap()
}

#[tokio::test]
async fn without_a_directory_every_person_is_found_under_the_identifier() {
    let app = App::new().await;
    let person = item(&get(app.bob(), "/base/people/a%2Fb").await, 200);
    let expected = json!({
        "@context": person["@context"],
        "@id": "/base/people/a%2Fb",
        "@type": "Person",
        "identifier": "a/b",
        "givenName": "",
        "familyName": "a/b",
    });
    assert_eq!(person, expected);
    let path = "/base/people/alice?includeLocal=email,title";
    let answer = get(app.bob(), path).await;
    let person: Value = serde_json::from_slice(&answer.body).unwrap();
    let unknown = json!({ "email": null, "title": null });
    assert_eq!(person["localData"], unknown);
}

#[tokio::test]
async fn without_a_directory_lists_are_empty() {
    let app = App::new().await;
    for path in ["people", "organizations", "courses", "rooms"] {
        let path = format!("/base/{path}?search=alice&perPage=9999");
        let answer = get(app.bob(), &path).await;
        assert!(members(&answer).is_empty(), "{path}");
        let answer = get(app.bob(), &format!("{path}&page=0")).await;
        assert_eq!(answer.status.as_u16(), 400, "{path}");
    }
    for path in ["/base/rooms/1", "/base/courses/1", "/base/organizations/1"] {
        assert_eq!(get(app.bob(), path).await.status.as_u16(), 404, "{path}");
    }
}

#[tokio::test]
async fn people_have_the_names_of_the_directory() {
    let app = App::new().await;
    let app = app.with_directory(directory(UnknownPeople::Echo));
    let person = item(&get(app.bob(), "/base/people/a%2Fb").await, 200);
    let expected = json!({
        "@context": person["@context"],
        "@id": "/base/people/a%2Fb",
        "@type": "Person",
        "identifier": "a/b",
        "givenName": "Änne",
        "familyName": "Berg",
    });
    assert_eq!(person, expected);
    assert_eq!(
        person["@context"]["@vocab"],
        format!("{RELAY_BASE}/docs.jsonld#")
    );
    let person = item(&get(app.bob(), "/base/people/carol").await, 200);
    assert_eq!(person["familyName"], "carol");

    let app = app.with_directory(directory(UnknownPeople::NotFound));
    let person = item(&get(app.bob(), "/base/people/alice").await, 200);
    assert_eq!(person["familyName"], "Adams");
    let answer = get(app.bob(), "/base/people/carol").await;
    assert_eq!(answer.status.as_u16(), 404);
}

#[tokio::test]
async fn people_are_listed_by_name_and_found_by_words() {
    let app = App::new().await;
    let app = app.with_directory(directory(UnknownPeople::Echo));
    for (query, expected) in [
        ("", &["alice", "a/b", "bob"][..]),
        ("?sort=identifier&lang=de", &["alice", "a/b", "bob"]),
        ("?search=%C3%84NNE", &["a/b"]),
        ("?search=bob%20STRASSE", &["bob"]),
        ("?search=b", &["a/b", "bob"]),
        // Unknown people are not echoed: a mistyped identifier must not look like a person.
        ("?search=carol", &[]),
        ("?search=example.org", &[]),
        ("?preparedFilter=staff", &["bob"]),
        ("?preparedFilter=other", &[]),
        ("?preparedFilter=staff&search=alice", &[]),
        ("?perPage=2", &["alice", "a/b"]),
        ("?perPage=2&page=2", &["bob"]),
        ("?perPage=2&page=3", &[]),
        ("?search=b&perPage=1&page=2", &["bob"]),
    ] {
        let path = format!("/base/people{query}");
        assert_eq!(listed(&app, &path).await, expected, "{query}");
    }
    let answer = get(app.bob(), "/base/people?perPage=2").await;
    let list: Value = serde_json::from_slice(&answer.body).unwrap();
    let view = json!({
        "@id": "/base/people?perPage=2&page=1",
        "@type": "hydra:PartialCollectionView",
        "hydra:next": "/base/people?perPage=2&page=2",
    });
    assert_eq!(list["hydra:view"], view);
    let first = &list["hydra:member"][0];
    let names = ["@id", "@type", "familyName", "givenName", "identifier"];
    assert_eq!(keys(first), names);
    assert_eq!(first["@id"], "/base/people/alice");
}

#[tokio::test]
async fn large_pages_of_people_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.ndjson");
    let lines = (0..1_234).map(|number| format!("{{\"identifier\":\"p{number:04}\"}}\n"));
    fs::write(&path, lines.collect::<String>()).unwrap();
    let file = DirectoryFile::open(Kind::People, &path).unwrap();
    let app = App::new().await.with_directory(DirectorySettings {
        records: Directory::new([file]),
        unknown_people: UnknownPeople::Echo,
    });
    let all = listed(&app, "/base/people?perPage=9999").await;
    let expected: Vec<String> = (0..1_234).map(|number| format!("p{number:04}")).collect();
    assert_eq!(all, expected);
    let second = listed(&app, "/base/people?perPage=600&page=2").await;
    assert_eq!(second, expected[600..1_200]);
    let found = listed(&app, "/base/people?search=9&perPage=100000").await;
    assert!(found.iter().all(|identifier| identifier.contains('9')));
    let nines = expected
        .iter()
        .filter(|identifier| identifier.contains('9'));
    assert_eq!(found.len(), nines.count());
}

#[tokio::test]
async fn local_data_are_shown_to_the_person_and_to_whom_the_policy_names() {
    let app = App::with("policies.read_local_data = 'user.id == \"carol\"'").await;
    let app = app.with_directory(directory(UnknownPeople::Echo));
    let query = "?includeLocal=email,,title";
    let hidden = json!({ "email": null, "title": null });
    for (reader, own) in [(app.bob(), "bob"), (app.alice(), "alice")] {
        for person in ["alice", "bob", "carol"] {
            let path = format!("/base/people/{person}{query}");
            let found: Value = serde_json::from_slice(&get(reader, &path).await.body).unwrap();
            let email = json!({ "email": format!("{person}@example.org"), "title": null });
            let expected = if person == own { &email } else { &hidden };
            assert_eq!(local_data(&found), expected, "{own} reads {person}");
        }
    }
    let answer = get(app.bob(), &format!("/base/people{query}")).await;
    let list: Value = serde_json::from_slice(&answer.body).unwrap();
    let shown: Vec<&Value> = list["hydra:member"]
        .as_array()
        .unwrap()
        .iter()
        .map(|person| &local_data(person)["email"])
        .collect();
    assert_eq!(
        shown,
        [&json!(null), &json!(null), &json!("bob@example.org")]
    );
    let answer = get(app.carol(), &format!("/base/people{query}")).await;
    let list: Value = serde_json::from_slice(&answer.body).unwrap();
    let email = &local_data(&list["hydra:member"][0])["email"];
    assert_eq!(email, "alice@example.org");
    // Nothing is shown that was not asked for.
    let person = item(&get(app.carol(), "/base/people/bob").await, 200);
    assert!(person.get("localData").is_none());
    let nothing: Value = serde_json::from_slice(
        &get(app.carol(), "/base/people/bob?includeLocal=")
            .await
            .body,
    )
    .unwrap();
    assert_eq!(local_data(&nothing), &json!({}));
}

#[tokio::test]
async fn a_policy_says_who_may_search_for_people() {
    let app = App::with("policies.search_people = 'user.id == \"carol\"'").await;
    let app = app.with_directory(directory(UnknownPeople::Echo));
    for path in ["/base/people", "/base/people?search=alice"] {
        refused(&get(app.bob(), path).await, 403, "", json!({}));
        assert!(!members(&get(app.carol(), path).await).is_empty());
    }
    // Nobody else learns who there is by asking for one person after the other.
    let known = item(&get(app.bob(), "/base/people/alice").await, 200);
    let unknown = item(&get(app.bob(), "/base/people/nobody").await, 200);
    assert_eq!(known["familyName"], "alice");
    assert_eq!(unknown["familyName"], "nobody");
    let own = item(&get(app.alice(), "/base/people/alice").await, 200);
    assert_eq!(own["familyName"], "Adams");
    let found = item(&get(app.carol(), "/base/people/alice").await, 200);
    assert_eq!(found["familyName"], "Adams");
    assert_eq!(listed(&app, "/base/rooms").await, ["w 1", "e 1"]);
}

#[tokio::test]
async fn rooms_have_their_members() {
    let app = App::new().await;
    let app = app.with_directory(directory(UnknownPeople::Echo));
    let room = item(&get(app.bob(), "/base/rooms/w%201").await, 200);
    let expected = json!({
        "@context": room["@context"],
        "@id": "/base/rooms/w%201",
        "@type": "Room",
        "identifier": "w 1",
        "name": "Hall West",
        "seats": 200,
    });
    assert_eq!(room, expected);
    assert_eq!(listed(&app, "/base/rooms").await, ["w 1", "e 1"]);
    assert_eq!(listed(&app, "/base/rooms?search=east").await, ["e 1"]);
    // People alone have filters and local data.
    let path = "/base/rooms?preparedFilter=x&includeLocal=name";
    let answer = get(app.bob(), path).await;
    assert!(members(&answer)[0].get("localData").is_none());
    for path in ["/base/rooms/w", "/base/courses/1", "/base/organizations/1"] {
        assert_eq!(get(app.bob(), path).await.status.as_u16(), 404, "{path}");
    }
}

const COURSES: &str = r#"
{"identifier": "c1", "code": "448001", "name": "Drawing", "localData": {"semesterKey": "2025W", "typeKey": "VO"}}
{"identifier": "c2", "code": "448002", "name": "Building", "localData": {"semesterKey": "2026S", "typeKey": "UE"}, "ects": 3}
{"identifier": "c3", "code": "448003", "name": "448002", "localData": {"semesterKey": "2026W"}, "ects": 4.5, "isNew": false}
{"identifier": "c4", "code": 448002, "name": "\"code\":\"448002\"", "part": {"code": "448002"}, "localData": []}
"#;

/// A directory whose organizations, courses and rooms are the same records.
fn courses() -> DirectorySettings {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("courses.ndjson");
    fs::write(&path, COURSES).unwrap();
    let kinds = [Kind::Organizations, Kind::Courses, Kind::Rooms];
    DirectorySettings {
        records: Directory::new(kinds.map(|kind| DirectoryFile::open(kind, &path).unwrap())),
        unknown_people: UnknownPeople::Echo,
    }
}

/// A condition as the client writes it, by `URLSearchParams`.
fn condition(path: &str, operator: &str, value: &str) -> String {
    let value = formalize_http::percent::encode(value);
    let name = "filter%5Bfoo%5D%5Bcondition%5D";
    format!("{name}%5Bpath%5D={path}&{name}%5Boperator%5D={operator}&{name}%5Bvalue%5D={value}")
}

/// The client takes the first record of the list for the one that the user chose.
#[tokio::test]
async fn a_condition_finds_the_record_that_was_chosen() {
    let app = App::new().await.with_directory(courses());
    let code = |value: &str| condition("code", "EQUALS", value);
    for (query, expected) in [
        (code("\"448002\""), &["c2"][..]),
        (
            format!("includeLocal=typeKey%2CsemesterKey&{}", code("\"448002\"")),
            &["c2"],
        ),
        (code("448002"), &["c4"]),
        (code("\"448009\""), &[]),
        (condition("name", "EQUALS", "\"448002\""), &["c3"]),
        (condition("ects", "EQUALS", "3"), &["c2"]),
        (condition("isNew", "EQUALS", "false"), &["c3"]),
        (condition("localData.typeKey", "EQUALS", "\"VO\""), &["c1"]),
        ("filter[code]=\"448003\"".to_owned(), &["c3"]),
        ("filter[ects][value]=4.5".to_owned(), &["c3"]),
        // The client's list of the courses of three semesters.
        (
            "includeLocal=semesterKey&filter[localData.semesterKey][operator]=IN\
             &filter[localData.semesterKey][value][]=\"2026S\"\
             &filter[localData.semesterKey][value][]=\"2026W\"\
             &filter[localData.semesterKey][value][]=\"2027S\"&search="
                .to_owned(),
            &["c2", "c3"],
        ),
        (
            format!("{}&filter[name]=\"Building\"", code("\"448002\"")),
            &["c2"],
        ),
        (
            format!("{}&filter[name]=\"Drawing\"", code("\"448002\"")),
            &[],
        ),
        (format!("{}&search=drawing", code("\"448002\"")), &[]),
        // What is not understood finds nothing.
        ("filter=448002".to_owned(), &[]),
        (code("448002x"), &[]),
        (code(""), &[]),
        (condition("code", "NOT_EQUALS", "\"448002\""), &[]),
        (condition("part.code", "EQUALS", "\"448002\""), &[]),
        (condition("unknown", "EQUALS", "null"), &[]),
        (condition("localData", "EQUALS", "[]"), &[]),
        (
            format!("{}&filter[y][group][conjunction]=OR", code("\"448002\"")),
            &[],
        ),
    ] {
        for list in ["organizations", "courses", "rooms"] {
            let path = format!("/base/{list}?perPage=2&{query}");
            let path = path.replace('"', "%22");
            assert_eq!(listed(&app, &path).await, expected, "{path}");
        }
    }
    // Pages are those of what is found.
    let path = "/base/courses?perPage=1&page=2&filter[localData.semesterKey][operator]=IN\
                &filter[localData.semesterKey][value][]=%222026S%22\
                &filter[localData.semesterKey][value][]=%222026W%22";
    assert_eq!(listed(&app, path).await, ["c3"]);
}

#[tokio::test]
async fn a_condition_does_not_disclose_local_data() {
    let app = App::with("policies.read_local_data = 'user.id == \"carol\"'").await;
    let app = app.with_directory(directory(UnknownPeople::Echo));
    for (person, query) in [
        ("bob", condition("familyName", "EQUALS", "\"Straße\"")),
        ("alice", condition("identifier", "EQUALS", "\"alice\"")),
    ] {
        let path = format!("/base/people?{query}");
        assert_eq!(listed(&app, &path).await, [person], "{query}");
    }
    for (person, is_bob) in [("alice", false), ("bob", true)] {
        let email = format!("\"{person}@example.org\"");
        let query = condition("localData.email", "EQUALS", &email);
        let path = format!("/base/people?{query}");
        let expected: &[&str] = if is_bob { &[person] } else { &[] };
        assert_eq!(listed(&app, &path).await, expected);
        let seen = members(&get(app.carol(), &path).await);
        assert_eq!(seen.len(), 1, "{person}");
    }
}

#[tokio::test]
async fn the_directory_requires_credentials() {
    let app = App::new().await;
    for path in [
        "/base/people",
        "/base/people/alice",
        "/base/rooms",
        "/base/rooms/1",
    ] {
        let answer = get(app.anon(), path).await;
        refused(&answer, 401, "", json!({}));
    }
}
