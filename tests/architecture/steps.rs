//! The steps of a request: each front end takes them in its own order, but none has steps of its own.

use crate::members::front_ends;
use crate::sources::{root, sources};

/// Where the steps are.
const STEPS: &str = "crates/http/src/middleware/steps.rs";

/// What only the steps do, each at one place.
const ONCE: [&str; 12] = [
    "rates.begin(",
    "Refusal::too_many_in_progress()",
    "rates.of_address(",
    "rates.of_link(",
    "fn turn_away(",
    "match bearer_token(",
    "intake.receive(",
    "intake.stream(",
    "memory::count(",
    "memory::count_refusal(",
    "share.write(",
    "self.body.finish(",
];

#[test]
fn each_step_of_a_request_stands_once() {
    let folders = front_ends();
    let sources: Vec<_> = folders.iter().flat_map(|folder| sources(folder)).collect();
    let product = sources
        .iter()
        .filter(|(path, _)| !path.ends_with("tests.rs"));
    for step in ONCE {
        let found = product
            .clone()
            .flat_map(|(path, text)| text.matches(step).map(move |_| path.as_path()));
        assert_eq!(found.collect::<Vec<_>>(), [root().join(STEPS)], "{step}");
    }
}
