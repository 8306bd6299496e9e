//! A pattern as a finite automaton whose states are built on demand.
//!
//! Matching takes linear time as long as few states are needed. A pattern such as `.{0,5000}x` needs a new state for
//! almost every character, each as large as the pattern: ten thousand characters take seconds. Potentially expensive
//! matches therefore have a limit on the memory for states, which also limits the time to build them.

use std::fmt;

use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{Compiler, Config, NFA, WhichCaptures};
use regex_automata::util::pool::Pool;

use super::super::budget;

/// The largest product of text length and pattern states that is matched without a limit.
const HARMLESS: u64 = 100_000;

/// The memory for states if matching continues with an empty cache when it is full, in bytes.
const KEPT_STATES: usize = 256 * 1024;

/// The memory for states if matching is aborted when it is full, in bytes.
const MOST_STATES: usize = 4 * 1024 * 1024;

/// The same limit for property names, which the validator matches again at a similar cost.
const MOST_STATES_OF_KEYS: usize = 1024 * 1024;

/// The maximum memory of the automaton itself, in bytes.
const MOST_MEMORY: usize = 64 * 1024 * 1024;

/// The time to build states, in nanoseconds per byte.
const MAKING_A_BYTE: u64 = 4;

/// The time to start a match, in nanoseconds.
const BEGINNING: u64 = 50;

type Caches = Pool<Cache, Box<dyn Fn() -> Cache + Send + Sync>>;

/// A compiled pattern.
pub(super) struct Automaton {
    unbounded: DFA,
    caches: Caches,
    bounded: DFA,
    bounded_for_keys: DFA,
    states: u64,
}

impl fmt::Debug for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Automaton")
            .field("states", &self.states)
            .finish_non_exhaustive()
    }
}

/// The role of a text in the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    Value,
    Key,
}

impl Automaton {
    /// Compiles a pattern; `None` if no automaton can match it.
    pub(super) fn compile(regex: &str) -> Option<Self> {
        let config = Config::new()
            .utf8(false)
            .which_captures(WhichCaptures::None)
            .nfa_size_limit(Some(MOST_MEMORY));
        let nfa = Compiler::new().configure(config).build(regex).ok()?;
        let states = u64::try_from(nfa.states().len()).unwrap_or(u64::MAX);
        let unbounded = dfa(&nfa, KEPT_STATES, None)?;
        let to_fill = unbounded.clone();
        Some(Self {
            caches: Pool::new(Box::new(move || to_fill.create_cache())),
            unbounded,
            bounded: dfa(&nfa, MOST_STATES, Some(0))?,
            bounded_for_keys: dfa(&nfa, MOST_STATES_OF_KEYS, Some(0))?,
            states,
        })
    }

    /// The worst-case cost of matching a text: each character may be processed in each state.
    fn product(&self, text: &str) -> u64 {
        let length = budget::to_u64(text.len());
        length.saturating_mul(self.states.min(length))
    }

    /// Whether a text is matched with a limit.
    pub(super) fn is_costly_on(&self, text: &str) -> bool {
        self.product(text) > HARMLESS
    }

    /// Whether a text matches; `None` if that exceeds the limits of this validation.
    pub(super) fn matches(&self, text: &str, kind: Text) -> Option<bool> {
        let length = budget::to_u64(text.len());
        let input = Input::new(text).earliest(true);
        let product = self.product(text);
        if product <= HARMLESS {
            budget::spend_on_matching(BEGINNING + length + product / 3)?;
            let mut cache = self.caches.get();
            let found = self.unbounded.try_search_fwd(&mut cache, &input);
            return found.ok().map(|found| found.is_some());
        }
        budget::spend_on_matching(BEGINNING + length)?;
        let dfa = match kind {
            Text::Value => &self.bounded,
            Text::Key => &self.bounded_for_keys,
        };
        let mut cache = dfa.create_cache();
        let before = cache.memory_usage();
        let found = dfa.try_search_fwd(&mut cache, &input);
        let made = cache.memory_usage().saturating_sub(before);
        budget::spend_on_matching(budget::to_u64(made).saturating_mul(MAKING_A_BYTE))?;
        found.ok().map(|found| found.is_some())
    }
}

fn dfa(nfa: &NFA, capacity: usize, most_clearings: Option<usize>) -> Option<DFA> {
    let config = DFA::config()
        .cache_capacity(capacity)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(most_clearings);
    let dfa = DFA::builder().configure(config).build_from_nfa(nfa.clone());
    dfa.ok()
}
