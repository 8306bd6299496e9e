//! One pattern, compiled.

use std::sync::LazyLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ValidationOptions, Validator};
use serde_json::{Value, json};

use super::ecma;
use super::watch;

/// How often a match may go back, while the validation has an allowance for it.
const BACKTRACKS: usize = 20_000;

/// How often a match may go back in a text for which there is no allowance.
///
/// A single step may read the whole text, as `(?=.*x)` does. But patterns that begin at the start of the
/// text, as those of passwords do, take a handful of steps whatever its length.
const FEW_BACKTRACKS: usize = 100;

/// How often matching a key may go back; keys are matched by the validator itself, under one bound.
const KEY_BACKTRACKS: usize = 1_000;

/// A second line of defence behind the weight, in bytes of a compiled pattern.
const MAX_COMPILED_BYTES: usize = 256 * 1024 * 1024;

/// Longer patterns are not repeated in messages.
const MAX_QUOTATION: usize = 120;

/// What is wrong with data that does not match.
pub(in super::super) fn mismatch(source: &str) -> String {
    if source.len() <= MAX_QUOTATION {
        format!("must match the pattern `{source}`")
    } else {
        "must match the pattern".to_owned()
    }
}

/// What is wrong with data for which the bound on steps is reached.
pub(in super::super) fn limit_reached() -> String {
    "takes too many steps to match against the pattern".to_owned()
}

/// The options that hold for everything that is compiled.
pub(super) fn options<'o>(draft: Draft) -> ValidationOptions<'o> {
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(true)
        .with_pattern_options(
            PatternOptions::fancy_regex()
                .backtrack_limit(KEY_BACKTRACKS)
                .size_limit(MAX_COMPILED_BYTES),
        )
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unusable {
    Invalid,
    TooLarge,
}

impl Unusable {
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Invalid => "must be a valid regular expression of ECMA-262 in Unicode mode",
            Self::TooLarge => "must not take the patterns of the schema beyond 400000 repetitions",
        }
    }
}

/// What matching a text came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Matched,
    Missed,
    /// The bound was reached before there was an answer.
    Unfinished,
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Matcher {
    source: String,
    weight: u64,
    engine: Engine,
}

#[derive(Debug)]
enum Engine {
    Linear(Validator),
    Backtracking {
        usual: Validator,
        restrained: Validator,
    },
}

impl Matcher {
    /// Compiles a pattern, unless its automaton would have more states than allowed.
    pub(super) fn compile(source: &str, max_weight: u64) -> Result<Self, Unusable> {
        if !is_ecma_syntax(source) {
            return Err(Unusable::Invalid);
        }
        let linear = ecma::translate(source, ecma::INLINE).ok_or(Unusable::Invalid)?;
        if linear.weight > max_weight {
            return Err(Unusable::TooLarge);
        }
        let engine = PatternOptions::regex().size_limit(MAX_COMPILED_BYTES);
        let automaton = options(Draft::Draft202012)
            .with_pattern_options(engine)
            .build(&json!({"pattern": linear.regex}));
        if let Ok(automaton) = automaton {
            return Ok(Self {
                source: source.to_owned(),
                weight: linear.weight,
                engine: Engine::Linear(automaton),
            });
        }
        Self::compile_backtracking(source, max_weight)
    }

    fn compile_backtracking(source: &str, max_weight: u64) -> Result<Self, Unusable> {
        let pattern = ecma::translate(source, ecma::LOOK_AROUND).ok_or(Unusable::Invalid)?;
        let weight = pattern.weight.saturating_mul(2);
        if weight > max_weight {
            return Err(Unusable::TooLarge);
        }
        let engine = |limit| {
            let engine = PatternOptions::fancy_regex()
                .backtrack_limit(limit)
                .size_limit(MAX_COMPILED_BYTES);
            options(Draft::Draft202012)
                .with_pattern_options(engine)
                .build(&json!({"pattern": pattern.regex}))
                .map_err(|_| Unusable::Invalid)
        };
        Ok(Self {
            source: source.to_owned(),
            weight,
            engine: Engine::Backtracking {
                usual: engine(BACKTRACKS)?,
                restrained: engine(FEW_BACKTRACKS)?,
            },
        })
    }

    pub(super) fn source(&self) -> &str {
        &self.source
    }

    pub(super) fn weight(&self) -> u64 {
        self.weight
    }

    pub(super) fn backtracks(&self) -> bool {
        matches!(self.engine, Engine::Backtracking { .. })
    }

    /// Matches a value; what is no string matches everything.
    pub(super) fn matches(&self, value: &Value) -> Outcome {
        let Some(text) = value.as_str() else {
            return Outcome::Matched;
        };
        let engine = match &self.engine {
            Engine::Linear(engine) => engine,
            Engine::Backtracking { .. } if watch::is_exhausted() => return Outcome::Unfinished,
            Engine::Backtracking { usual, .. } if watch::allows(text) => usual,
            Engine::Backtracking { restrained, .. } => restrained,
        };
        match engine.validate(value) {
            Ok(()) => Outcome::Matched,
            Err(error) if matches!(error.kind(), ValidationErrorKind::Pattern { .. }) => {
                Outcome::Missed
            }
            Err(_) => Outcome::Unfinished,
        }
    }
}

/// Whether a text is in the syntax of ECMA-262 in Unicode mode.
///
/// Identity escapes such as `\-` are let pass although Unicode mode knows them inside of classes only:
/// they have one meaning, and many schemas have them.
fn is_ecma_syntax(source: &str) -> bool {
    static SYNTAX: LazyLock<Option<Validator>> = LazyLock::new(|| {
        let format = json!({"format": "regex"});
        options(Draft::Draft202012).build(&format).ok()
    });
    let syntax = SYNTAX.as_ref();
    syntax.is_some_and(|syntax| syntax.is_valid(&Value::from(source)))
}
