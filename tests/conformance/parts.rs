//! Stores that do not keep every kind of record.

use std::sync::Arc;

use formalize_conformance::store::CASES;
use formalize_core::store::memory::MemoryStore;
use formalize_core::store::{Part, Store, StoreError};
use formalize_sql::{SqlOptions, SqlStore};

/// The cases that need no part, in their order in the alphabet.
const NEED_NO_PART: &[&str] = &[
    "holders::classes_are_found",
    "nested::chains_are_walked_to_their_end",
    "nested::cycles_end",
    "nested::diamonds_give_each_group_once",
    "nested::groups_are_found_upwards",
    "nested::groups_are_lost_with_the_membership",
    "nested::only_direct_members_are_listed",
    "nested::users_are_not_groups",
    "parts::a_group_ends_with_its_grants",
    "parts::an_item_ends_with_its_grants",
    "parts::groups_and_grants_are_read_in_one_state",
    "parts::groups_and_grants_of_a_dropped_write_are_undone",
    "parts::resources_are_listed_for_their_holders",
    "parts::transactions_have_the_same_parts",
    "races::deleted_groups_leave_nothing_behind",
    "races::racing_deletions_leave_a_manager",
    "races::racing_memberships_close_no_cycle",
    "records::grants_are_found_with_their_resource",
    "records::groups_are_written_and_changed",
    "records::holders_of_the_same_text_are_different",
    "records::memberships_are_written_and_deleted",
    "records::other_manage_grants_are_noticed",
    "scope_items::all_groups",
    "scope_items::granted_groups",
    "scope_items::granted_groups_are_searched",
    "scope_items::subjects_are_taken_as_they_are",
    "scope_resources::grants_are_listed_once",
    "scope_resources::resources_and_grants_are_filtered",
    "text::a_search_follows_the_name",
    "text::a_search_takes_every_character_for_itself",
    "text::holders_and_actions_are_compared_exactly",
    "text::members_are_compared_exactly",
    "text::resources_are_compared_exactly",
    "tokens::deleted_tokens_are_told_of",
    "transactions::a_closed_store_is_unavailable",
    "transactions::a_commit_keeps_nothing_of_a_dropped_write",
    "transactions::a_ping_is_answered",
    "transactions::an_aborted_task_lets_the_next_one_in",
    "transactions::dropped_writes_do_not_touch_others",
    "transactions::reads_and_writes_do_not_wait_for_each_other",
    "transactions::reads_are_never_torn",
    "transactions::writers_at_the_same_time_all_write",
    "unique::a_deleted_record_frees_its_key",
    "unique::a_dropped_insert_frees_its_key",
    "unique::a_refused_record_does_not_end_the_transaction",
    "unique::grants_are_unique",
    "unique::memberships_are_unique",
    "unique::resources_are_unique",
    "unique::settings_are_unique",
    "windows::paging_survives_changes",
];

/// A case that needs a part is passed by a store that lacks it, so this says which cases test what every store has.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn cases_end_where_a_store_lacks_a_part() {
    let mut passed = Vec::new();
    for (name, case) in CASES {
        let outcome = case(Arc::new(MemoryStore::without(Part::ALL))).await;
        if !matches!(outcome, Err(StoreError::NotConfigured(_))) {
            outcome.unwrap();
            passed.push(*name);
        }
    }
    passed.sort_unstable();
    assert_eq!(passed, NEED_NO_PART);
}

/// So no case ends early with them.
#[tokio::test]
async fn the_stores_of_the_library_have_all_parts() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("parts.db").display());
    let database = SqlStore::open(&url, &SqlOptions::default()).await.unwrap();
    let stores: [&dyn Store; 2] = [&MemoryStore::new(), &database];
    for store in stores {
        let mut tx = store.read().await.unwrap();
        assert!(Part::ALL.iter().all(|part| tx.has(*part)));
    }
}
