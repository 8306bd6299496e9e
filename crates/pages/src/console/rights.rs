//! What actions on a form allow.

use std::collections::BTreeSet;

use formalize_core::{Action, forms::FormAccess};
use formalize_web::Right;

/// What actions on a form allow: the accesses that they are complete for, and each other action.
pub(super) fn rights_of(held: &BTreeSet<&Action>) -> Vec<Right> {
    let accesses = FormAccess::largest_of(held);
    let is_single = |action: &&Action| {
        let mut covering = accesses.iter().flat_map(|access| access.actions());
        !covering.any(|covered| covered == *action)
    };
    let single = held.iter().copied().filter(is_single);
    let single: Vec<Right> = single
        .map(|action| Right::Action(action.as_str().to_owned()))
        .collect();
    accesses
        .iter()
        .copied()
        .map(Right::Access)
        .chain(single)
        .collect()
}
