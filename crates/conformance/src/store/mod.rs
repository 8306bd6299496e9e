//! The suite that every store must pass: one case for each aspect of the promises of [`store`](formalize_core::store).
//!
//! A case is an async function with an empty, migrated store as its parameter. It panics with the broken promise, or
//! returns the error of the store. The suite does not depend on how a store works. To test your own, define how to
//! create one:
//!
//! ```
//! # // Each case becomes a `#[test]`, which a documentation test does not run.
//! mod my_store {
//!     use std::sync::Arc;
//!     use formalize_core::store::{Store, memory::MemoryStore};
//!
//!     async fn empty_store() -> Arc<dyn Store> {
//!         Arc::new(MemoryStore::new())
//!     }
//!
//!     formalize_conformance::conformance_suite!(empty_store());
//! }
//! ```
//!
//! A case ends at the first record of a [part](formalize_core::store::Part) that the store does not have.
//!
//! Promise 2 (durability) is not tested, because that requires killing a process. Cases about concurrency run up to
//! sixteen tasks with a transaction each, and hold up to three transactions open in one task, of which one writes.

#![expect(clippy::panic, reason = "cases fail by panicking")]

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::{Store, StoreError, StoreResult};

mod dump;
mod events;
mod list;
mod samples;
mod scene;
mod tasks;

// The cases. They are public only because the macro refers to them.
#[doc(hidden)]
pub mod cascades;
#[doc(hidden)]
pub mod event_log;
#[doc(hidden)]
pub mod event_order;
#[doc(hidden)]
pub mod file_holds;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod form_places;
#[doc(hidden)]
pub mod holders;
#[doc(hidden)]
pub mod kept_responses;
#[doc(hidden)]
pub mod links;
#[doc(hidden)]
pub mod locks;
#[doc(hidden)]
pub mod nested;
#[doc(hidden)]
pub mod parts;
#[doc(hidden)]
pub mod places;
#[doc(hidden)]
pub mod races;
#[doc(hidden)]
pub mod random;
#[doc(hidden)]
pub mod records;
#[doc(hidden)]
pub mod scope_items;
#[doc(hidden)]
pub mod scope_resources;
#[doc(hidden)]
pub mod scope_submissions;
#[doc(hidden)]
pub mod tags;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod tokens;
#[doc(hidden)]
pub mod transactions;
#[doc(hidden)]
pub mod unique;
#[doc(hidden)]
pub mod values;
#[doc(hidden)]
pub mod webhooks;
#[doc(hidden)]
pub mod windows;

/// The future of a running case.
pub type CaseFuture = Pin<Box<dyn Future<Output = StoreResult<()>> + Send>>;

/// A case of the suite. Its parameter is an empty store.
pub type Case = fn(Arc<dyn Store>) -> CaseFuture;

/// Every case by name, for custom runners. Each needs a new store, and a multi-threaded tokio runtime with a timer.
pub const CASES: &[(&str, Case)] = crate::conformance_suite!(@cases);

/// The timeout of a case.
const LIMIT: Duration = Duration::from_mins(2);

/// A store under test, together with values that must live as long, such as a temporary folder.
pub trait Fixture: Send {
    /// The store.
    fn store(&self) -> Arc<dyn Store>;
}

impl Fixture for Arc<dyn Store> {
    fn store(&self) -> Arc<dyn Store> {
        Arc::clone(self)
    }
}

impl<G: Send> Fixture for (Arc<dyn Store>, G) {
    fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.0)
    }
}

/// Runs one case on a new runtime, like [`conformance_suite!`](crate::conformance_suite). A case ends at the first record of a
/// [part](formalize_core::store::Part) that the store does not have.
pub fn run<F: Fixture>(fixture: impl Future<Output = F>, case: Case) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .unwrap_or_else(|error| panic!("no runtime for the case: {error}"));
    runtime.block_on(async {
        let fixture = fixture.await;
        let case = tasks::joined(tokio::spawn(case(fixture.store())));
        let Ok(outcome) = tokio::time::timeout(LIMIT, case).await else {
            panic!("the case did not finish within {LIMIT:?}; is a lock never released?");
        };
        match outcome {
            Ok(()) | Err(StoreError::NotConfigured(_)) => {}
            Err(error) => panic!("{error}"),
        }
    });
}

/// Defines a `#[test]` for every case of the [suite](crate::store).
///
/// The argument is an expression for a future that returns a [`Fixture`](crate::store::Fixture) with an
/// empty, migrated store: an `Arc<dyn Store>`, or a pair of it and a value to drop after the case. It is evaluated once
/// for each case, within a tokio runtime. Attributes after it are added to every test:
///
/// ```
/// # mod my_store {
/// # use std::sync::Arc;
/// # use formalize_core::store::{Store, memory::MemoryStore};
/// # async fn empty_store() -> Arc<dyn Store> { Arc::new(MemoryStore::new()) }
/// formalize_conformance::conformance_suite!(empty_store(), #[ignore = "needs a server"]);
/// # }
/// ```
#[macro_export]
macro_rules! conformance_suite {
    (@cases) => {
        $crate::conformance_suite!(@all cases {})
    };
    (@cases {} $($module:ident { $($case:ident)+ })+) => {
        &[$($((
            concat!(stringify!($module), "::", stringify!($case)),
            |store| Box::pin($crate::store::$module::$case(store)),
        ),)+)+]
    };
    (@tests $context:tt $($module:ident { $($case:ident)+ })+) => {
        $($crate::conformance_suite! { @module $context $module { $($case)+ } })+
    };
    (@module $context:tt $module:ident { $($case:ident)+ }) => {
        $($crate::conformance_suite! { @test $context $module $case })+
    };
    (@test { $factory:expr; $($attribute:tt)* } $module:ident $case:ident) => {
        #[test]
        $($attribute)*
        fn $case() {
            $crate::store::run(
                async { $factory.await },
                |store| Box::pin($crate::store::$module::$case(store)),
            );
        }
    };
    (@all $target:ident $context:tt) => {
        $crate::conformance_suite! { @$target $context
            transactions {
                a_commit_keeps_everything
                a_dropped_write_leaves_nothing
                a_dropped_write_changes_nothing
                a_commit_keeps_nothing_of_a_dropped_write
                a_write_sees_what_it_wrote
                what_is_not_committed_is_not_seen
                a_read_sees_one_state
                a_long_read_sees_one_state
                reads_are_never_torn
                reads_and_writes_do_not_wait_for_each_other
                a_dropped_write_lets_the_next_one_in
                an_aborted_task_lets_the_next_one_in
                writers_at_the_same_time_all_write
                dropped_writes_do_not_touch_others
                a_ping_is_answered
                a_closed_store_is_unavailable
            }
            parts {
                transactions_have_the_same_parts
                groups_and_grants_of_a_dropped_write_are_undone
                groups_and_grants_are_read_in_one_state
                a_group_ends_with_its_grants
                an_item_ends_with_its_grants
                resources_are_listed_for_their_holders
            }
            text {
                names_come_back_exactly
                creators_are_compared_exactly
                resources_are_compared_exactly
                holders_and_actions_are_compared_exactly
                members_are_compared_exactly
                settings_and_tokens_come_back_exactly
                a_search_takes_every_character_for_itself
                a_search_follows_the_name
            }
            values {
                attributes_keep_their_values
                json_comes_back_byte_for_byte
                instants_come_back_to_the_millisecond
                rules_come_back
            }
            records {
                what_is_not_there_is_not_found
                groups_are_written_and_changed
                memberships_are_written_and_deleted
                resources_are_found_both_ways
                grants_are_found_with_their_resource
                held_grants_are_those_of_the_subjects
                other_manage_grants_are_noticed
                holders_of_the_same_text_are_different
                records_are_found_by_several_identifiers
                submissions_are_written_and_changed
            }
            links {
                links_are_found_and_changed
                links_come_back_with_every_value
                links_of_a_form_are_listed
                submissions_through_a_link_are_counted
                links_end_with_their_grants
                links_need_a_grant_and_a_secret
            }
            tokens {
                tokens_are_found_by_their_secret
                tokens_of_a_user
                sessions_of_a_user_are_deleted
                ended_sessions_are_deleted
                tokens_end_with_their_origin
                surplus_sessions_are_deleted
                deleted_tokens_are_told_of
            }
            kept_responses {
                a_key_has_one_response
                a_submission_is_written_with_its_response
                expired_responses_are_deleted
            }
            holders {
                grants_are_found_for_a_holder
                who_holds_nothing_finds_records
                classes_are_found
                a_single_question_is_answered
            }
            windows {
                lists_are_in_the_order_of_identifiers
                windows_are_parts_of_the_list
                selections_are_parts_of_the_list
                paging_survives_changes
            }
            nested {
                groups_are_found_upwards
                groups_are_lost_with_the_membership
                diamonds_give_each_group_once
                chains_are_walked_to_their_end
                cycles_end
                users_are_not_groups
                only_direct_members_are_listed
            }
            unique {
                memberships_are_unique
                forms_are_unique
                resources_are_unique
                grants_are_unique
                settings_are_unique
                a_refused_record_does_not_end_the_transaction
                a_deleted_record_frees_its_key
                racing_inserts_write_one
                a_dropped_insert_frees_its_key
            }
            cascades {
                what_goes_with_a_group
                what_goes_with_a_resource
                what_goes_with_a_form
                what_goes_with_a_large_form
                what_goes_with_a_submission
                what_goes_with_everything_submitted
                submissions_without_resources_go_too
            }
            scope_items {
                all_groups
                granted_groups
                subjects_are_taken_as_they_are
                items_are_listed_once
                granted_groups_are_searched
                granted_forms
                forms_whose_submissions_are_reached
                forms_with_submissions_of_ones_own
                forms_with_shared_submissions
                forms_must_be_readable_too
            }
            scope_submissions {
                submissions_by_state
                submissions_by_creator
                submissions_by_grants
                submissions_by_every_part
            }
            scope_resources {
                resources_and_grants_are_filtered
                resources_by_grants_on_themselves
                resources_under_the_same_anchor
                submissions_by_grants_on_themselves
                submissions_by_grants_on_the_form
                managed_collections_are_reached
                everything_is_reached_without_grants
                grants_are_listed_once
                every_way_lists_once
            }
            places {
                places_are_counted
                places_are_given_back
                a_form_that_has_changed_gets_no_submission
                racing_creators_get_the_places_there_are
                racing_creators_have_their_own_places
                racing_deletions_give_places_back_once
                submissions_made_at_once_are_told_apart
            }
            form_places {
                places_of_a_form_are_counted
                a_new_limit_counts_earlier_submissions
                places_of_a_form_are_given_back
                places_are_taken_together
                several_submissions_take_places_together
                racing_requests_get_the_places_of_a_form
                submissions_made_at_once_get_all_places
                a_racing_limit_counts_every_submission
            }
            tags {
                tags_come_back_with_their_submissions
                submissions_by_tag
            }
            files {
                files_come_back_with_their_submissions
                files_of_one_submission_are_no_others
                changes_of_a_submission_keep_its_files
                what_has_expired_is_added_to_nothing
                files_expire_with_their_submissions
                files_of_a_large_form_expire_with_it
                unused_files_are_deleted_in_portions
                bytes_are_counted_for_each_form_and_creator
                a_dropped_change_of_files_changes_nothing
                racing_uploads_keep_the_quota
                racing_sweepers_never_take_a_file_in_use
            }
            file_holds {
                all_files_are_listed_in_order
                holds_on_files_last_until_they_end
            }
            event_log {
                events_come_back_with_every_value
                events_are_part_of_their_transaction
                submissions_are_logged_with_their_places
                events_are_filtered
                old_events_are_deleted
                audiences_are_those_who_could_read
                audiences_go_with_their_events
                a_reset_log_has_another_epoch
                subscriptions_have_one_holder
                subscriptions_keep_their_place
            }
            event_order {
                positions_are_dense_and_final
                changes_of_a_record_are_in_order
                changes_are_in_the_order_in_which_they_are_observed
                the_end_of_a_form_is_behind_its_submissions
            }
            webhooks {
                webhooks_come_back_with_every_value
                secrets_are_replaced
                data_is_kept_for_webhooks_that_send_it
                deliveries_about_one_thing_are_leased_in_order
                deliveries_are_leased_once
                failing_receivers_leave_leases_to_others
                webhooks_that_pause_send_nothing
                deliveries_that_were_asked_for_take_earlier_ones_along
                leases_go_to_webhooks_that_can_use_them
                failing_receivers_of_a_form_share_a_limit_in_races
                deliveries_that_were_asked_for_do_not_wait
                finished_deliveries_are_queued_again
                webhooks_end_with_their_form
            }
            locks {
                changes_wait_for_locks
            }
            races {
                racing_memberships_close_no_cycle
                racing_deletions_leave_a_manager
                exclusive_form_locks_wait_for_shared_ones
                a_form_that_turns_gets_no_submission
                exclusive_locks_see_the_newest_state
                deleted_groups_leave_nothing_behind
                deleted_forms_leave_nothing_behind
            }
            random {
                a_random_world
                a_second_random_world
                a_third_random_world
                a_fourth_random_world
            }
        }
    };
    ($factory:expr $(, #[$attribute:meta])* $(,)?) => {
        $crate::conformance_suite! { @all tests { $factory; $(#[$attribute])* } }
    };
}

#[cfg(test)]
mod tests {
    use super::CASES;

    #[test]
    fn every_case_is_in_the_list() {
        let sources = [
            ("cascades", include_str!("cascades.rs")),
            ("event_log", include_str!("event_log.rs")),
            ("event_order", include_str!("event_order.rs")),
            ("file_holds", include_str!("file_holds.rs")),
            ("files", include_str!("files.rs")),
            ("form_places", include_str!("form_places.rs")),
            ("holders", include_str!("holders.rs")),
            ("kept_responses", include_str!("kept_responses.rs")),
            ("links", include_str!("links.rs")),
            ("locks", include_str!("locks.rs")),
            ("nested", include_str!("nested.rs")),
            ("parts", include_str!("parts.rs")),
            ("places", include_str!("places.rs")),
            ("races", include_str!("races.rs")),
            ("random", include_str!("random/mod.rs")),
            ("records", include_str!("records.rs")),
            ("scope_items", include_str!("scope_items.rs")),
            ("scope_resources", include_str!("scope_resources.rs")),
            ("scope_submissions", include_str!("scope_submissions.rs")),
            ("tags", include_str!("tags.rs")),
            ("text", include_str!("text.rs")),
            ("tokens", include_str!("tokens.rs")),
            ("transactions", include_str!("transactions.rs")),
            ("unique", include_str!("unique.rs")),
            ("values", include_str!("values.rs")),
            ("webhooks", include_str!("webhooks.rs")),
            ("windows", include_str!("windows.rs")),
        ];
        let mut listed: Vec<String> = CASES.iter().map(|(name, _)| (*name).to_owned()).collect();
        let mut written: Vec<String> = sources
            .iter()
            .flat_map(|(module, source)| cases_in(module, source))
            .filter(|case| case != "random::random_world")
            .collect();
        listed.sort_unstable();
        written.sort_unstable();
        assert_eq!(listed, written);
    }

    fn cases_in(module: &str, source: &str) -> Vec<String> {
        let starts = source
            .lines()
            .filter_map(|line| line.strip_prefix("pub async fn "));
        let names = starts.filter_map(|rest| rest.split('(').next());
        names.map(|name| format!("{module}::{name}")).collect()
    }
}
