//! Every operation has a test, and every error is expected by one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::openapi::operations;
use crate::support::App;

/// The tests of each operation: its name, the file, and the test of its success.
const TESTS: &[(&str, &str, &str)] = &[
    (
        "listGroups",
        "authorization/groups.rs",
        "the_list_has_exactly_the_readable_groups",
    ),
    (
        "createGroup",
        "authorization/groups.rs",
        "a_group_is_created",
    ),
    (
        "getGroup",
        "authorization/groups.rs",
        "a_group_is_returned_to_readers",
    ),
    (
        "updateGroup",
        "authorization/groups.rs",
        "a_group_is_renamed",
    ),
    (
        "deleteGroup",
        "authorization/groups.rs",
        "deleting_a_group_deletes_all_that_belongs_to_it",
    ),
    (
        "listGroupMembers",
        "authorization/members.rs",
        "the_list_has_the_direct_members_of_a_group",
    ),
    (
        "createGroupMember",
        "authorization/members.rs",
        "a_user_is_added_to_a_group",
    ),
    (
        "getGroupMember",
        "authorization/members.rs",
        "readers_of_a_group_may_read_its_members",
    ),
    (
        "deleteGroupMember",
        "authorization/members.rs",
        "a_member_is_removed",
    ),
    (
        "listResources",
        "authorization/resources.rs",
        "the_list_is_filtered_by_class_and_identifier",
    ),
    (
        "getResource",
        "authorization/resources.rs",
        "a_group_is_a_resource",
    ),
    (
        "listResourceActionGrants",
        "authorization/grants.rs",
        "the_list_is_filtered_by_resource",
    ),
    (
        "createResourceActionGrant",
        "authorization/grants.rs",
        "a_grant_is_created_for_a_user",
    ),
    (
        "getResourceActionGrant",
        "authorization/grants.rs",
        "holders_see_their_grants",
    ),
    (
        "deleteResourceActionGrant",
        "authorization/grants.rs",
        "managers_create_and_delete_grants",
    ),
    (
        "listAvailableResourceClassActions",
        "authorization/actions.rs",
        "the_list_has_the_classes_that_the_caller_may_use",
    ),
    (
        "getAvailableResourceClassActions",
        "authorization/actions.rs",
        "everyone_may_read_the_actions_of_a_class",
    ),
    (
        "listDynamicGroups",
        "authorization/dynamic_groups.rs",
        "dynamic_groups_are_listed_by_name",
    ),
    (
        "getDynamicGroup",
        "authorization/dynamic_groups.rs",
        "everyone_may_read_a_dynamic_group",
    ),
    (
        "getGrantedActions",
        "authorization/granted_actions.rs",
        "granted_actions_on_an_item",
    ),
    (
        "getCollectionGrantedActions",
        "authorization/granted_actions.rs",
        "granted_actions_on_a_collection",
    ),
    (
        "checkActions",
        "authorization/checks.rs",
        "permissions_are_answered_in_the_order_of_the_checks",
    ),
    ("getMe", "authorization/me.rs", "the_caller_is_described"),
    (
        "listForms",
        "formalize/forms.rs",
        "the_list_has_exactly_the_readable_forms",
    ),
    ("createForm", "formalize/forms.rs", "a_form_is_created"),
    (
        "getForm",
        "formalize/forms.rs",
        "a_form_is_returned_to_readers",
    ),
    (
        "getFormQuestions",
        "formalize/questions.rs",
        "the_questions_of_a_form_are_returned",
    ),
    (
        "updateForm",
        "formalize/forms.rs",
        "a_form_is_changed_member_by_member",
    ),
    (
        "deleteForm",
        "formalize/forms.rs",
        "deleting_a_form_deletes_all_that_belongs_to_it",
    ),
    (
        "listEvents",
        "formalize/events.rs",
        "the_feed_has_the_events_of_readable_records",
    ),
    (
        "listSubmissions",
        "formalize/submissions.rs",
        "the_list_has_exactly_the_readable_submissions",
    ),
    (
        "exportSubmissions",
        "formalize/exports.rs",
        "csv_is_a_table_with_the_name_of_the_form",
    ),
    (
        "summarizeSubmissions",
        "formalize/summary.rs",
        "answers_are_counted",
    ),
    (
        "createSubmissions",
        "formalize/batches.rs",
        "a_batch_creates_its_submissions_in_their_order",
    ),
    (
        "createSubmission",
        "formalize/submissions.rs",
        "a_submission_is_created",
    ),
    (
        "deleteSubmissions",
        "formalize/submissions.rs",
        "all_submissions_but_drafts_are_deleted_at_once",
    ),
    (
        "getSubmission",
        "formalize/submissions.rs",
        "a_submission_is_created",
    ),
    (
        "updateSubmission",
        "formalize/submissions.rs",
        "a_draft_is_corrected_and_then_submitted",
    ),
    (
        "deleteSubmission",
        "formalize/submissions.rs",
        "a_submission_is_deleted",
    ),
    (
        "listSubmittedFiles",
        "formalize/files.rs",
        "files_are_listed_page_by_page",
    ),
    (
        "addSubmittedFile",
        "formalize/files.rs",
        "a_file_is_added_read_and_removed",
    ),
    (
        "getSubmittedFile",
        "formalize/files.rs",
        "a_file_is_added_read_and_removed",
    ),
    (
        "getSubmittedFileContent",
        "formalize/files.rs",
        "a_file_is_added_read_and_removed",
    ),
    (
        "removeSubmittedFile",
        "formalize/files.rs",
        "a_file_is_added_read_and_removed",
    ),
    (
        "listFormLinks",
        "formalize/form_links.rs",
        "the_links_of_a_form_are_listed",
    ),
    (
        "createFormLink",
        "formalize/form_links.rs",
        "a_link_is_created",
    ),
    (
        "getFormLink",
        "formalize/form_links.rs",
        "a_link_is_created",
    ),
    (
        "updateFormLink",
        "formalize/form_links.rs",
        "a_link_is_changed_member_by_member",
    ),
    (
        "deleteFormLink",
        "formalize/form_links.rs",
        "a_link_is_deleted",
    ),
    (
        "listWebhooks",
        "formalize/webhooks.rs",
        "the_webhooks_of_managed_forms_are_listed",
    ),
    (
        "createWebhook",
        "formalize/webhooks.rs",
        "a_webhook_is_created",
    ),
    (
        "getWebhook",
        "formalize/webhooks.rs",
        "a_webhook_is_created",
    ),
    (
        "updateWebhook",
        "formalize/webhooks.rs",
        "a_webhook_is_changed_member_by_member",
    ),
    (
        "deleteWebhook",
        "formalize/webhooks.rs",
        "a_webhook_is_deleted",
    ),
    (
        "rotateWebhookSecret",
        "formalize/webhooks.rs",
        "the_secret_of_a_webhook_is_replaced",
    ),
    (
        "testWebhook",
        "formalize/webhooks.rs",
        "a_webhook_is_tested",
    ),
    (
        "resendWebhookDeliveries",
        "formalize/webhooks.rs",
        "deliveries_are_sent_again",
    ),
    (
        "listWebhookDeliveries",
        "formalize/webhooks.rs",
        "deliveries_are_listed_and_read",
    ),
    (
        "getWebhookDelivery",
        "formalize/webhooks.rs",
        "deliveries_are_listed_and_read",
    ),
    (
        "getHealth",
        "general.rs",
        "health_endpoints_require_no_credentials",
    ),
    (
        "getReadiness",
        "general.rs",
        "health_endpoints_require_no_credentials",
    ),
    (
        "getVersion",
        "general.rs",
        "health_endpoints_require_no_credentials",
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("http")
}

#[tokio::test]
async fn every_operation_has_a_test() {
    let app = App::new().await;
    let described: BTreeSet<String> = operations(&app)
        .await
        .into_iter()
        .map(|described| described.id)
        .collect();
    let tested: BTreeSet<String> = TESTS.iter().map(|(id, ..)| (*id).to_owned()).collect();
    assert_eq!(described, tested);
    for (id, file, test) in TESTS {
        let source = fs::read_to_string(folder().join(file)).unwrap();
        assert!(
            source.contains(&format!("#[tokio::test]\nasync fn {test}()")),
            "{id}: {file}: {test}"
        );
    }
}

#[tokio::test]
async fn every_error_has_a_test() {
    let app = App::new().await;
    let sources = sources(&folder());
    // As a whole word: a string, or the last column of a table.
    let expected = |error_id: &String| {
        ["\"", "\n"]
            .iter()
            .any(|end| sources.contains(&format!("{error_id}{end}")))
    };
    let described: BTreeSet<String> = operations(&app)
        .await
        .into_iter()
        .flat_map(|described| described.error_ids)
        .collect();
    let missing: Vec<_> = described
        .iter()
        .filter(|error_id| !expected(error_id))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The text of every test file but this one.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text.push_str(&sources(&path));
        } else if !path.ends_with("coverage.rs") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
    text
}
