//! Tests of request bodies: each row has a body and its error.

use formalize_core::parse_json;
use formalize_http::contract::ErrorKey::{
    self, FormInvalid, GrantInvalidHolder, GroupInvalid, GroupMemberInvalid, InvalidRequestBody,
};
use formalize_http::contract::Operation;
use formalize_http::failure::Refusal;
use formalize_http::request::read_members;
use formalize_views::{
    RequestBody,
    form::{FormChange, NewForm},
    grant::NewGrant,
    group::{GroupChange, NewGroup},
    member::NewGroupMember,
    submission::{NewSubmission, SubmissionChange},
};
use poem_openapi::registry::{MetaSchemaRef, Registry};
use serde_json::Value;

fn read<T: RequestBody>(operation: Operation, body: &str) -> Result<T::Value, Refusal> {
    match parse_json(body).unwrap() {
        Value::Object(object) => read_members::<T>(object, operation),
        other => panic!("{other} is not an object"),
    }
}

/// Checks the error of each body, and the fields that it names.
fn refuses<T: RequestBody>(operation: Operation, rows: &[(&str, ErrorKey, &[&str])]) {
    for (body, key, names) in rows {
        let Err(refusal) = read::<T>(operation, body) else {
            panic!("{body} is accepted")
        };
        assert_eq!(refusal.fault().key(Some(operation)), *key, "{body}");
        assert_eq!(refusal.names(), *names, "{body}");
    }
}

const HEX: &str = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";

#[test]
fn groups() {
    let long = format!(r#"{{"name": "{}"}}"#, "x".repeat(129));
    refuses::<NewGroup>(
        Operation::CreateGroup,
        &[
            ("{}", GroupInvalid, &["name"]),
            (r#"{"name": null}"#, GroupInvalid, &["name"]),
            (r#"{"name": " "}"#, GroupInvalid, &["name"]),
            (&long, GroupInvalid, &["name"]),
            (r#"{"name": 3}"#, InvalidRequestBody, &["name"]),
            (
                r#"{"nmae": "x", "b": 1, "a": 1}"#,
                InvalidRequestBody,
                &["a", "b", "nmae"],
            ),
        ],
    );
    refuses::<GroupChange>(
        Operation::UpdateGroup,
        &[
            (r#"{"name": null}"#, GroupInvalid, &["name"]),
            (r#"{"name": ""}"#, GroupInvalid, &["name"]),
            (
                r#"{"identifier": "x"}"#,
                InvalidRequestBody,
                &["identifier"],
            ),
        ],
    );
    assert!(
        read::<GroupChange>(Operation::UpdateGroup, "{}")
            .unwrap()
            .name
            .is_none()
    );
}

#[test]
fn members() {
    let both = format!(
        r#"{{"groupIdentifier": "{HEX}", "userIdentifier": "a", "childGroupIdentifier": "{HEX}"}}"#
    );
    let empty = format!(
        r#"{{"groupIdentifier": "{HEX}", "userIdentifier": "", "childGroupIdentifier": null}}"#
    );
    let holders = ["userIdentifier", "childGroupIdentifier"];
    refuses::<NewGroupMember>(
        Operation::CreateGroupMember,
        &[
            (
                "{}",
                GroupMemberInvalid,
                &["groupIdentifier", holders[0], holders[1]],
            ),
            (&both, GroupMemberInvalid, &holders),
            (&empty, GroupMemberInvalid, &["userIdentifier"]),
            (
                r#"{"groupIdentifier": 1}"#,
                InvalidRequestBody,
                &["groupIdentifier"],
            ),
        ],
    );
    // Whether there is such a group is asked later.
    let body = r#"{"groupIdentifier": "no uuid", "userIdentifier": "alice"}"#;
    assert!(read::<NewGroupMember>(Operation::CreateGroupMember, body).is_ok());
}

#[test]
fn grants() {
    refuses::<NewGrant>(
        Operation::CreateGrant,
        &[
            (
                r#"{"userIdentifier": "a"}"#,
                ErrorKey::GrantActionMissing,
                &["action"],
            ),
            (
                r#"{"action": ""}"#,
                ErrorKey::GrantActionMissing,
                &["action"],
            ),
            (
                r#"{"action": "read"}"#,
                GrantInvalidHolder,
                &[
                    "userIdentifier",
                    "groupIdentifier",
                    "dynamicGroupIdentifier",
                ],
            ),
            (
                r#"{"action": "read", "userIdentifier": "a", "dynamicGroupIdentifier": "b"}"#,
                GrantInvalidHolder,
                &["userIdentifier", "dynamicGroupIdentifier"],
            ),
            (
                r#"{"action": "read", "userIdentifier": "a"}"#,
                ErrorKey::GrantInvalidResource,
                &["resourceClass", "authorizationResourceIdentifier"],
            ),
            (
                r#"{"action": 1, "x": 1}"#,
                InvalidRequestBody,
                &["action", "x"],
            ),
        ],
    );
}

#[test]
fn forms() {
    refuses::<NewForm>(
        Operation::CreateForm,
        &[
            ("{}", ErrorKey::RequiredFieldMissing, &["name"]),
            (
                r#"{"name": null, "maxNumSubmissionsPerCreator": 3.5}"#,
                ErrorKey::RequiredFieldMissing,
                &["name"],
            ),
            (
                r#"{"name": "", "maxNumSubmissionsPerCreator": 3.5}"#,
                FormInvalid,
                &["name", "maxNumSubmissionsPerCreator"],
            ),
            (
                r#"{"name": "a", "maxNumSubmissionsPerCreator": -1}"#,
                FormInvalid,
                &["maxNumSubmissionsPerCreator"],
            ),
            (
                r#"{"name": "a", "maxNumSubmissionsPerCreator": 2147483648}"#,
                FormInvalid,
                &["maxNumSubmissionsPerCreator"],
            ),
            (
                r#"{"name": "a", "maxNumSubmissionsPerCreator": "3"}"#,
                InvalidRequestBody,
                &["maxNumSubmissionsPerCreator"],
            ),
            (
                r#"{"name": "a", "maxNumSubmissions": 2147483648}"#,
                FormInvalid,
                &["maxNumSubmissions"],
            ),
            (
                r#"{"name": "a", "allowedSubmissionStates": []}"#,
                FormInvalid,
                &["allowedSubmissionStates"],
            ),
            (
                r#"{"name": "a", "allowedSubmissionStates": ["done"]}"#,
                FormInvalid,
                &["allowedSubmissionStates"],
            ),
            (
                r#"{"name": "a", "allowedSubmissionStates": [1]}"#,
                InvalidRequestBody,
                &["allowedSubmissionStates"],
            ),
            (
                r#"{"name": "a", "allowedSubmissionStates": null}"#,
                InvalidRequestBody,
                &["allowedSubmissionStates"],
            ),
            (
                r#"{"name": "a", "allowedActionsWhenSubmitted": ["fly"]}"#,
                FormInvalid,
                &["allowedActionsWhenSubmitted"],
            ),
            (
                r#"{"name": "a", "grantBasedSubmissionAuthorization": null}"#,
                InvalidRequestBody,
                &["grantBasedSubmissionAuthorization"],
            ),
            (
                r#"{"name": "a", "availableStarts": "tomorrow"}"#,
                FormInvalid,
                &["availableStarts"],
            ),
            (
                r#"{"name": "a", "availableStarts": "2026-01-02", "availabilityEnds": "2026-01-01"}"#,
                FormInvalid,
                &["availableStarts", "availabilityEnds"],
            ),
            (
                r#"{"name": 1, "dataFeedSchema": {}, "x": null}"#,
                InvalidRequestBody,
                &["dataFeedSchema", "name", "x"],
            ),
        ],
    );
    refuses::<FormChange>(
        Operation::UpdateForm,
        &[
            (r#"{"name": null}"#, FormInvalid, &["name"]),
            (
                r#"{"allowedSubmissionStates": null}"#,
                InvalidRequestBody,
                &["allowedSubmissionStates"],
            ),
        ],
    );
}

fn detail<T: RequestBody>(operation: Operation, body: &str) -> String {
    let Err(refusal) = read::<T>(operation, body) else {
        panic!("{body} is accepted")
    };
    refusal.detail().unwrap_or_default().to_owned()
}

#[test]
fn details_name_the_field_and_its_requirement() {
    let of_form = |body| detail::<NewForm>(Operation::CreateForm, body);
    let of_grant = |body| detail::<NewGrant>(Operation::CreateGrant, body);
    let of_member = |body| detail::<NewGroupMember>(Operation::CreateGroupMember, body);
    let name = "name must be a string of 1 to 256 characters that is not blank and has no control characters";
    let cap = "maxNumSubmissionsPerCreator must be a whole number from 0 to 2147483647";
    for (body, expected) in [
        ("{}", "name is required".to_owned()),
        (r#"{"name": "a", "title": 1}"#, "unknown field \"title\"".to_owned()),
        (r#"{"name": "a", "x\n\"": 1}"#, "unknown field \"x\\n\\\"\"".to_owned()),
        (
            r#"{"name": "a", "dataFeedSchema": {}}"#,
            "dataFeedSchema must be a string containing a JSON Schema".to_owned(),
        ),
        (r#"{"name": 3, "title": 1}"#, format!("{name}; unknown field \"title\"")),
        (r#"{"name": " "}"#, name.to_owned()),
        (r#"{"name": "a", "maxNumSubmissionsPerCreator": "3"}"#, cap.to_owned()),
        (r#"{"name": " ", "maxNumSubmissionsPerCreator": 3.5}"#, format!("{name}; {cap}")),
        (
            r#"{"name": "a", "allowedSubmissionStates": []}"#,
            "allowedSubmissionStates must be an array with at least one of `draft` and `submitted`".to_owned(),
        ),
        (
            r#"{"name": "a", "availableStarts": "tomorrow"}"#,
            "availableStarts must be a date such as 2026-12-31 or a timestamp such as 2026-12-31T18:00:00Z".to_owned(),
        ),
        (
            r#"{"name": "a", "availableStarts": "2026-01-02", "availabilityEnds": "2026-01-01"}"#,
            "availableStarts must not be later than availabilityEnds".to_owned(),
        ),
        (
            r#"{"name": "a", "grantBasedSubmissionAuthorization": null}"#,
            "grantBasedSubmissionAuthorization must be true or false".to_owned(),
        ),
    ] {
        assert_eq!(of_form(body), expected, "{body}");
    }
    let changed = detail::<FormChange>(Operation::UpdateForm, r#"{"name": null}"#);
    assert_eq!(changed, name);
    assert_eq!(of_grant("{}"), "action is required");
    assert_eq!(
        of_grant(r#"{"action": "read"}"#),
        "exactly one of userIdentifier, groupIdentifier and dynamicGroupIdentifier must be given"
    );
    assert_eq!(
        of_grant(r#"{"action": "read", "userIdentifier": ""}"#),
        "userIdentifier must be a string of 1 to 255 characters without control characters, and not begin with `link:`"
    );
    assert_eq!(
        of_member("{}"),
        "groupIdentifier is required; exactly one of userIdentifier and childGroupIdentifier must be given"
    );
}

#[test]
fn the_fields_of_a_form_have_defaults() {
    let body = r#"{"name": " a ", "dataFeedSchema": null, "maxNumSubmissionsPerCreator": 3.0,
        "allowedActionsWhenSubmitted": ["read", "read"], "availabilityEnds": "2026-11-21"}"#;
    let form = read::<NewForm>(Operation::CreateForm, body).unwrap();
    assert_eq!(form.name.as_str(), " a ");
    assert_eq!(
        form.rules
            .cap
            .map(formalize_core::forms::SubmissionCap::get),
        Some(3)
    );
    assert_eq!(form.rules.allowed_actions_when_submitted.iter().count(), 1);
    assert_eq!(
        form.rules.availability.ends().unwrap().to_string(),
        "2026-11-21T23:59:59.999Z"
    );
    assert_eq!(
        form.rules.allowed_states,
        formalize_core::SubmissionRules::default().allowed_states
    );
}

#[test]
fn a_patch_distinguishes_null_from_absent() {
    use formalize_core::Change;
    let body = r#"{"dataFeedSchema": null, "availableStarts": "2026-11-21"}"#;
    let change = read::<FormChange>(Operation::UpdateForm, body).unwrap();
    assert!(matches!(change.data_feed_schema, Change::Clear));
    assert!(matches!(change.available_starts, Change::Set(_)));
    assert!(matches!(change.availability_ends, Change::Keep));
    assert!(change.name.is_none());
}

#[test]
fn submissions() {
    refuses::<NewSubmission>(
        Operation::CreateSubmission,
        &[
            ("{}", ErrorKey::RequiredFieldMissing, &["formIdentifier"]),
            (
                r#"{"formIdentifier": null}"#,
                ErrorKey::RequiredFieldMissing,
                &["formIdentifier"],
            ),
            (
                r#"{"formIdentifier": "x", "dataFeedElement": {}}"#,
                InvalidRequestBody,
                &["dataFeedElement"],
            ),
            (
                r#"{"formIdentifier": "x", "submissionState": null}"#,
                InvalidRequestBody,
                &["submissionState"],
            ),
        ],
    );
    refuses::<SubmissionChange>(
        Operation::UpdateSubmission,
        &[(
            r#"{"formIdentifier": "x"}"#,
            InvalidRequestBody,
            &["formIdentifier"],
        )],
    );
    let change = read::<SubmissionChange>(Operation::UpdateSubmission, "{}").unwrap();
    assert_eq!(change, formalize_core::SubmissionChange::default());
}

/// A body with every documented field, each of its documented type.
fn documented<T: RequestBody>() -> String {
    let members: Vec<String> = T::schema(&mut Registry::new())
        .properties
        .iter()
        .map(|(name, schema)| {
            let value = match schema {
                MetaSchemaRef::Inline(schema) if schema.ty == "boolean" => "true",
                MetaSchemaRef::Inline(schema) if schema.ty == "integer" => "1",
                MetaSchemaRef::Inline(schema) if schema.ty == "array" => "[]",
                // All references are to words. Members without a type are objects or arrays.
                MetaSchemaRef::Inline(schema)
                    if matches!(schema.ty, "object" | "") && schema.all_of.is_empty() =>
                {
                    "{}"
                }
                _ => "\"text\"",
            };
            format!("\"{name}\": {value}")
        })
        .collect();
    format!("{{{}}}", members.join(", "))
}

#[test]
fn documented_bodies_are_accepted() {
    fn check<T: RequestBody>(operation: Operation) {
        let body = documented::<T>();
        let key = read::<T>(operation, &body)
            .err()
            .map(|refusal| refusal.fault().key(Some(operation)));
        assert_ne!(key, Some(InvalidRequestBody), "{body}");
    }
    check::<NewGroup>(Operation::CreateGroup);
    check::<GroupChange>(Operation::UpdateGroup);
    check::<NewGroupMember>(Operation::CreateGroupMember);
    check::<NewGrant>(Operation::CreateGrant);
    check::<NewForm>(Operation::CreateForm);
    check::<FormChange>(Operation::UpdateForm);
    check::<NewSubmission>(Operation::CreateSubmission);
    check::<SubmissionChange>(Operation::UpdateSubmission);
}
