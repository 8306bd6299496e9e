use serde_json::json;

use crate::support::{App, DYNAMIC_GROUPS, at};

#[tokio::test]
async fn dynamic_groups_are_listed_by_name() {
    let app = App::new().await;
    let expected = json!({
        "items": [{ "identifier": "everybody" }, { "identifier": "staff" }],
        "page": 1, "perPage": 30, "nextCursor": null,
    });
    assert_eq!(app.bob().get(DYNAMIC_GROUPS).await.expect(200), expected);
}

#[tokio::test]
async fn everyone_may_read_a_dynamic_group() {
    let app = App::new().await;
    let staff = app
        .bob()
        .get(&at(DYNAMIC_GROUPS, "staff"))
        .await
        .expect(200);
    assert_eq!(staff, json!({ "identifier": "staff" }));
    app.bob()
        .get(&at(DYNAMIC_GROUPS, "everybody"))
        .await
        .expect(200);
    for unknown in ["Staff", "nobody", "%00", &"x".repeat(300)] {
        let refused = app.bob().get(&at(DYNAMIC_GROUPS, unknown)).await;
        refused.refuse(404, "authorization:dynamic-group-not-found", json!([]));
    }
}
