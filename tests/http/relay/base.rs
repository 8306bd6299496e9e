//! What the client asks of a directory of people.

use serde_json::{Value, json};

use super::support::{get, item, keys, members, refused};
use crate::support::App;

#[tokio::test]
async fn every_person_is_found_under_the_identifier() {
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
    assert_eq!(keys(&person).last(), Some(&"localData"));
}

#[tokio::test]
async fn lists_of_the_directory_are_empty() {
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
async fn the_directory_requires_credentials() {
    let app = App::new().await;
    for path in ["/base/people", "/base/people/alice", "/base/rooms"] {
        let answer = get(app.anon(), path).await;
        refused(&answer, 401, "", json!({}));
    }
}
