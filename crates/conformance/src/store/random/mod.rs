//! Promises 6, 7, 8, 11 and 12 with random records: the store must return the same as the reference.
//!
//! The same random records are written to the store and to a [`MemoryStore`]. Then the same random queries are sent to
//! both, the same random changes are made, and the queries are repeated.

use std::sync::Arc;

use uuid::Uuid;

use formalize_core::Resource;
use formalize_core::store::memory::MemoryStore;
use formalize_core::store::{HeldGrant, ReadTx, Store, StoreResult, Window};

use crate::store::dump::contents;
use crate::store::list::Row;
use crate::store::random::draw::{Draw, USERS};
use crate::store::random::world::{Step, World, change, creation};
use crate::store::samples::{Ids, user};
use crate::store::windows::part;

mod draw;
mod world;

/// The number of lists to compare in each state.
const LISTS: usize = 100;
/// The number of changes.
const CHANGES: usize = 40;

/// The first set of random records.
pub async fn a_random_world(store: Arc<dyn Store>) -> StoreResult<()> {
    random_world(store, 1).await
}

/// A second set of random records.
pub async fn a_second_random_world(store: Arc<dyn Store>) -> StoreResult<()> {
    random_world(store, 2).await
}

/// A third set of random records.
pub async fn a_third_random_world(store: Arc<dyn Store>) -> StoreResult<()> {
    random_world(store, 3).await
}

/// A fourth set of random records.
pub async fn a_fourth_random_world(store: Arc<dyn Store>) -> StoreResult<()> {
    random_world(store, 4).await
}

/// Compares an empty store with the reference on the random records of this seed.
///
/// The cases use a few seeds. A custom runner can try any number, each on a new store.
pub async fn random_world(store: Arc<dyn Store>, seed: u64) -> StoreResult<()> {
    let mut draw = Draw::new(seed);
    let ids = Ids::default();
    let pair = Pair {
        store,
        reference: MemoryStore::new(),
        seed,
    };
    pair.take(&creation(&mut draw, &ids)).await?;
    pair.compare(&mut draw).await?;
    for _ in 0..CHANGES {
        let world = World::read(&mut *pair.reference.read().await?).await?;
        if let Some(step) = change(&mut draw, &ids, &world) {
            pair.take(&[step]).await?;
        }
    }
    pair.compare(&mut draw).await
}

/// A store under test and the reference.
struct Pair {
    store: Arc<dyn Store>,
    reference: MemoryStore,
    seed: u64,
}

impl Pair {
    /// Takes the same steps in both stores, in one transaction each.
    async fn take(&self, steps: &[Step]) -> StoreResult<()> {
        let mut tested = self.store.write().await?;
        let mut reference = self.reference.write().await?;
        for step in steps {
            let expected = step.take(&mut *reference).await?;
            let answer = step.take(&mut *tested).await?;
            assert_eq!(answer, expected, "seed {}: {step:?}", self.seed);
        }
        reference.commit().await?;
        tested.commit().await
    }

    async fn compare(&self, draw: &mut Draw) -> StoreResult<()> {
        let mut tested = self.store.read().await?;
        let mut reference = self.reference.read().await?;
        let (tested, reference) = (&mut *tested, &mut *reference);
        let expected = contents(reference).await?.rows;
        let answer = contents(tested).await?.rows;
        self.must_equal(&answer, &expected, &"everything");
        let world = World::read(reference).await?;
        self.compare_users(&world, tested, reference).await?;
        self.compare_groups(&world, tested, reference).await?;
        for _ in 0..LISTS {
            self.compare_held(draw, &world, tested, reference).await?;
            self.compare_list(draw, &world, tested, reference).await?;
        }
        Ok(())
    }

    /// Fails with the differences unless the rows are the same.
    fn must_equal(&self, answer: &[Row], expected: &[Row], what: &dyn std::fmt::Debug) {
        let without = |rows: &[Row], others: &[Row]| -> Vec<Row> {
            let rest = rows.iter().filter(|row| !others.contains(row));
            rest.cloned().collect()
        };
        assert!(
            answer == expected,
            "seed {}: {what:?}: {} rows of {}; missing: {:#?}; unexpected: {:#?}",
            self.seed,
            answer.len(),
            expected.len(),
            without(expected, answer),
            without(answer, expected),
        );
    }

    async fn compare_list(
        &self,
        draw: &mut Draw,
        world: &World,
        tested: &mut dyn ReadTx,
        reference: &mut dyn ReadTx,
    ) -> StoreResult<()> {
        let list = draw.list(world);
        let expected = list.rows(reference, Window::ALL).await?;
        let answer = list.rows(tested, Window::ALL).await?;
        self.must_equal(&answer, &expected, &list);
        let whole: Vec<Uuid> = expected.iter().map(Row::id).collect();
        for _ in 0..2 {
            let window = draw.window(&whole);
            let shown = list.ids(tested, window).await?;
            let expected = part(&whole, window);
            assert_eq!(
                shown, expected,
                "seed {}: {window:?} of {list:?}",
                self.seed
            );
        }
        Ok(())
    }

    async fn compare_held(
        &self,
        draw: &mut Draw,
        world: &World,
        tested: &mut dyn ReadTx,
        reference: &mut dyn ReadTx,
    ) -> StoreResult<()> {
        let subjects = draw.subjects(world);
        let resources = draw.some_of(&world.resources, 10);
        let anchors: Vec<_> = resources.iter().map(Resource::anchor).collect();
        let expected = as_set(reference.held(&anchors, &subjects).await?);
        let answer = as_set(tested.held(&anchors, &subjects).await?);
        let seed = self.seed;
        assert_eq!(answer, expected, "seed {seed}: {subjects:?} on {anchors:?}");
        Ok(())
    }

    async fn compare_users(
        &self,
        world: &World,
        tested: &mut dyn ReadTx,
        reference: &mut dyn ReadTx,
    ) -> StoreResult<()> {
        for user in USERS.map(user) {
            let mut expected = reference.groups_of(&user).await?;
            expected.sort_unstable();
            let mut answer = tested.groups_of(&user).await?;
            answer.sort_unstable();
            assert_eq!(answer, expected, "seed {}: groups of {user}", self.seed);
            let mut expected = reference.memberships_above(&user).await?;
            expected.sort_unstable_by_key(|row| row.id);
            let mut answer = tested.memberships_above(&user).await?;
            answer.sort_unstable_by_key(|row| row.id);
            assert_eq!(answer, expected, "seed {}: above {user}", self.seed);
            for form in &world.forms {
                let expected = reference
                    .read_submissions()?
                    .places_taken(form.id, &user)
                    .await?;
                let answer = tested
                    .read_submissions()?
                    .places_taken(form.id, &user)
                    .await?;
                assert_eq!(answer, expected, "seed {}: places of {user}", self.seed);
            }
        }
        for form in &world.forms {
            let expected = reference
                .read_submissions()?
                .has_submissions(form.id)
                .await?;
            let answer = tested.read_submissions()?.has_submissions(form.id).await?;
            assert_eq!(answer, expected, "seed {}: {form:?}", self.seed);
            let expected = reference
                .read_submissions()?
                .form_places_taken(form.id)
                .await?;
            let answer = tested
                .read_submissions()?
                .form_places_taken(form.id)
                .await?;
            assert_eq!(answer, expected, "seed {}: places of {form:?}", self.seed);
        }
        Ok(())
    }

    async fn compare_groups(
        &self,
        world: &World,
        tested: &mut dyn ReadTx,
        reference: &mut dyn ReadTx,
    ) -> StoreResult<()> {
        for inner in &world.groups {
            for outer in &world.groups {
                let expected = reference.is_within(inner.id, outer.id).await?;
                let answer = tested.is_within(inner.id, outer.id).await?;
                assert_eq!(
                    answer, expected,
                    "seed {}: {inner:?} within {outer:?}",
                    self.seed
                );
            }
        }
        Ok(())
    }
}

/// Held grants are not ordered, and a grant held by several subjects may be repeated.
fn as_set(mut held: Vec<HeldGrant>) -> Vec<HeldGrant> {
    held.sort_by_key(|grant| format!("{grant:?}"));
    held.dedup();
    held
}
