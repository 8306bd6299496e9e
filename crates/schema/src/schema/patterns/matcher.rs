//! Compiled patterns.

use fancy_regex::{Regex, RegexBuilder};
use jsonschema::{Draft, PatternOptions, ValidationOptions};

use super::super::budget;
use super::automaton::{Automaton, Text};
use super::ecma;

/// The maximum number of backtracking steps of a match, if the remaining time suffices.
const BACKTRACKS: u64 = 2_000;

/// The maximum number of backtracking steps of the first attempt. Patterns anchored at the start of the text, such as
/// password rules, need only a few steps for any length.
const FEW_BACKTRACKS: u64 = 4;

/// The time of a backtracking step, in nanoseconds, without the time for the characters it reads.
///
/// A single step may read the whole text, as in `(?=.*x)`.
const GOING_BACK: u64 = 100;

/// A character takes one nanosecond, plus another one for each this many states of the pattern.
const STATES_PER_NANOSECOND: u64 = 64;

/// The minimum weight of a pattern, in states.
const LEAST_WEIGHT: u64 = 16;

/// The minimum weight of a pattern that needs backtracking, in states.
const LEAST_BACKTRACKING_WEIGHT: u64 = 100;

/// The maximum length of a pattern in bytes, and the maximum number of its possibly named groups, which are compared
/// pairwise to find duplicate names.
const MAX_BYTES: usize = 64 * 1024;
const MAX_NAMED_GROUPS: usize = 1_000;

/// The maximum size of a compiled pattern, in bytes: a second line of defence in addition to the weight.
const MAX_COMPILED_BYTES: usize = 64 * 1024 * 1024;

/// The maximum length of a pattern quoted in a message, in bytes.
const MAX_QUOTATION: usize = 120;

/// The message for data that does not match.
pub(in super::super) fn mismatch(source: &str) -> String {
    if source.len() <= MAX_QUOTATION {
        format!("must match the pattern `{source}`")
    } else {
        "must match the pattern".to_owned()
    }
}

/// The message for data that reaches the step limit.
pub(in super::super) fn limit_reached() -> String {
    "takes too many steps to match against the pattern".to_owned()
}

/// The common options of all compilations.
pub(super) fn options<'o>(draft: Draft) -> ValidationOptions<'o> {
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(true)
        .with_format("regex", |text: &str| is_short(text) && is_ecma_syntax(text))
        .with_pattern_options(
            PatternOptions::fancy_regex()
                .backtrack_limit(steps(BACKTRACKS))
                .size_limit(MAX_COMPILED_BYTES),
        )
}

/// The reason why a pattern is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unusable {
    Invalid,
    TooLarge,
}

impl Unusable {
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Invalid => "must be a valid regular expression of ECMA-262 in Unicode mode",
            Self::TooLarge => {
                "is too long, or all patterns of the schema have more than 200000 states in total"
            }
        }
    }
}

/// The result of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Matched,
    Missed,
    /// The limit was reached before the match finished.
    Inconclusive,
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
    Linear(Box<Automaton>),
    Backtracking { usual: Regex, restrained: Regex },
}

impl Matcher {
    /// Compiles a pattern, unless its automaton would exceed the allowed number of states.
    pub(super) fn compile(source: &str, max_weight: u64) -> Result<Self, Unusable> {
        if !is_short(source) {
            return Err(Unusable::TooLarge);
        }
        if !is_ecma_syntax(source) {
            return Err(Unusable::Invalid);
        }
        let linear = ecma::translate(source, ecma::INLINE).ok_or(Unusable::Invalid)?;
        let weight = linear.weight.saturating_add(LEAST_WEIGHT);
        if weight > max_weight {
            return Err(Unusable::TooLarge);
        }
        if let Some(automaton) = Automaton::compile(&linear.regex) {
            return Ok(Self {
                source: source.to_owned(),
                weight,
                engine: Engine::Linear(Box::new(automaton)),
            });
        }
        Self::compile_backtracking(source, max_weight)
    }

    fn compile_backtracking(source: &str, max_weight: u64) -> Result<Self, Unusable> {
        let pattern = ecma::translate(source, ecma::LOOK_AROUND).ok_or(Unusable::Invalid)?;
        let weight = pattern.weight.saturating_mul(2);
        let weight = weight.saturating_add(LEAST_BACKTRACKING_WEIGHT);
        if weight > max_weight {
            return Err(Unusable::TooLarge);
        }
        let engine = |limit| {
            RegexBuilder::new(&pattern.regex)
                .backtrack_limit(steps(limit))
                .delegate_size_limit(MAX_COMPILED_BYTES)
                .build()
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

    /// Whether matching this text may be expensive.
    pub(super) fn is_costly_on(&self, text: &str) -> bool {
        match &self.engine {
            Engine::Linear(automaton) => automaton.is_costly_on(text),
            Engine::Backtracking { .. } => true,
        }
    }

    /// Matches a text.
    pub(super) fn matches(&self, text: &str, kind: Text) -> Outcome {
        match &self.engine {
            Engine::Linear(automaton) => match automaton.matches(text, kind) {
                Some(true) => Outcome::Matched,
                Some(false) => Outcome::Missed,
                None => Outcome::Inconclusive,
            },
            Engine::Backtracking { usual, restrained } => {
                match self.go_back(restrained, FEW_BACKTRACKS, text) {
                    Outcome::Inconclusive => self.go_back(usual, BACKTRACKS, text),
                    finished => finished,
                }
            }
        }
    }

    fn go_back(&self, engine: &Regex, times: u64, text: &str) -> Outcome {
        let character = 1 + self.weight / STATES_PER_NANOSECOND;
        let once = budget::to_u64(text.len()).saturating_mul(character);
        let once = once.saturating_add(GOING_BACK);
        if budget::spend_on_matching(once.saturating_mul(times)).is_none() {
            return Outcome::Inconclusive;
        }
        match engine.is_match(text) {
            Ok(true) => Outcome::Matched,
            Ok(false) => Outcome::Missed,
            Err(_) => Outcome::Inconclusive,
        }
    }
}

fn steps(limit: u64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// Whether a pattern is short enough to be parsed.
fn is_short(source: &str) -> bool {
    source.len() <= MAX_BYTES && source.matches("(?<").count() <= MAX_NAMED_GROUPS
}

/// Whether a pattern is valid ECMA-262 in Unicode mode.
///
/// Identity escapes such as `\-` are accepted although Unicode mode allows them only inside classes: their meaning is
/// unambiguous, and many schemas use them.
fn is_ecma_syntax(source: &str) -> bool {
    jsonschema_regex::is_valid_ecma_regex(source)
}

#[cfg(test)]
mod tests {
    use super::super::super::budget::{Budget, within};
    use super::*;

    fn outcome(pattern: &str, text: &str) -> Outcome {
        let matcher = Matcher::compile(pattern, u64::MAX);
        let matcher = matcher.unwrap_or_else(|_| panic!("{pattern}"));
        within(Budget::checking(), || matcher.matches(text, Text::Value))
            .0
            .unwrap()
    }

    #[test]
    fn patterns_follow_ecma_262() {
        for (pattern, matching, missing) in [
            ("abc", &["xabcx"][..], &["ab", "ABC"][..]),
            ("^abc$", &["abc"], &["abc\n", "\nabc", "xabc"]),
            ("^(?=a)abc$", &["abc"], &["abc\n"]),
            (
                "^.$",
                &["a", "é", "\u{85}", "😀"],
                &["\n", "\r", "\u{2028}", "\u{2029}", "ab"],
            ),
            ("^(?=.)a?.$", &["b"], &["\r"]),
            ("^\\d$", &["7"], &["٣", "x"]),
            ("^(?=\\d)", &["7"], &["٣"]),
            ("^\\D$", &["٣"], &["7"]),
            ("^\\w$", &["a", "Z", "0", "_"], &["é", "-"]),
            ("^\\W$", &["é", "-"], &["a", "_"]),
            (
                "^\\s$",
                &[" ", "\u{a0}", "\u{feff}", "\u{2028}"],
                &["\u{85}", "\u{200b}"],
            ),
            ("^\\S$", &["\u{85}"], &[" ", "\u{3000}"]),
            ("^[\\d\\s-]+$", &["1 -2"], &["٣"]),
            ("^[^\\d\\W]$", &["a", "_"], &["1", "é"]),
            ("^[\\D]$", &["a"], &["1"]),
            ("\\bfoo\\b", &["foo", "éfoo", "a foo."], &["xfoo", "foo_"]),
            ("\\bfoo(?=!)", &["éfoo!"], &["xfoo!", "foo"]),
            ("o\\B", &["foo"], &["fo"]),
            ("^[]$", &[], &["", "a"]),
            ("^[^]$", &["\n", "a"], &[""]),
            ("^[a-c&&b]+$", &["a&b"], &["d"]),
            ("^[a\\-z]+$", &["a-z"], &["b"]),
            ("^[\\]\\\\^-]+$", &["]\\^-"], &["["]),
            ("^[[:a]+$", &["[:a"], &["b"]),
            ("^[\\b]$", &["\u{8}"], &["b"]),
            ("^\\<b\\>$", &["<b>"], &["b"]),
            ("^\\/\\-\\@\\#\\ $", &["/-@# "], &["/"]),
            ("^\\x41\\u0042\\u{43}\\cJ\\0$", &["ABC\n\0"], &["ABC"]),
            ("^\\uD83D\\uDE00$", &["😀"], &["a"]),
            ("^[\\uD83D\\uDE00-\\u{1F64F}]$", &["😁"], &["a"]),
            ("\\uD83D", &[], &["😀"]),
            ("^\\p{Lu}\\P{Lu}$", &["Éé"], &["éÉ"]),
            ("^[\\p{L} .'-]{1,100}$", &["Zoë O'Neill"], &["a1", ""]),
            ("^\\p{Script=Greek}+$", &["αβγ"], &["abc"]),
            ("^(?<y>a|b)\\k<y>$", &["aa", "bb"], &["ab"]),
            ("^(?:(?<n>a)|(?<n>b))c\\k<n>$", &["aca", "bcb"], &["acb"]),
            ("^(a)(b)\\2\\1$", &["abba"], &["abab"]),
            ("^(?i:ab)c$", &["ABc"], &["ABC"]),
            ("^(?s:.)$", &["\n"], &[""]),
            ("(?m:^b$)", &["a\rb\nc", "b"], &["ab"]),
            (
                "^(?!-)(?:[a-z-]{1,63}(?<!-)\\.)+[a-z]{2,}$",
                &["a-b.example"],
                &["-a.example", "a-.example"],
            ),
            ("^a{2,3}?$", &["aa", "aaa"], &["a", "aaaa"]),
            ("^(a|b)*?c+$", &["abcc"], &["ab"]),
            ("^a{0}b{1,}$", &["bb"], &["ab"]),
        ] {
            for text in matching {
                assert_eq!(
                    outcome(pattern, text),
                    Outcome::Matched,
                    "{pattern} {text:?}"
                );
            }
            for text in missing {
                assert_eq!(
                    outcome(pattern, text),
                    Outcome::Missed,
                    "{pattern} {text:?}"
                );
            }
        }
    }

    #[test]
    fn patterns_that_are_invalid_in_ecma_262_are_rejected() {
        for pattern in [
            "(",
            ")",
            "[",
            "a{2,1}",
            "*",
            "a**",
            "a++",
            "(?>a)",
            "(?#x)",
            "\\A",
            "\\z",
            "\\Z",
            "\\h",
            "\\a",
            "\\1",
            "\\k<n>",
            "(?P<n>a)",
            "(?i)a",
            "{",
            "}",
            "]",
            "[b-a]",
            "[\\w-a]",
            "\\u{110000}",
            "\\c1",
            "\\x4",
            "\\u12",
            "(?<n>a)(?<n>b)",
            "\\p{NoSuchProperty}",
            "\\Qa\\E",
            "(?=a)*",
        ] {
            let refused = Matcher::compile(pattern, u64::MAX).err();
            assert_eq!(refused, Some(Unusable::Invalid), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_repeat_too_much_are_rejected_before_compilation() {
        for pattern in [
            "(a{1000}){1000}",
            "\\p{L}{2000}",
            "((.{99}){99}){99}",
            "(?:(?=a)a{999}){999}",
        ] {
            let refused = Matcher::compile(pattern, 400_000).err();
            assert_eq!(refused, Some(Unusable::TooLarge), "{pattern}");
        }
        for pattern in [
            "^[\\p{L} .'-]{1,1000}$",
            "^.{0,5000}$",
            "^(?!.*foo).{0,2000}$",
        ] {
            assert!(Matcher::compile(pattern, 400_000).is_ok(), "{pattern}");
        }
    }

    #[test]
    fn linear_patterns_have_no_step_limit() {
        let text = "a".repeat(1_000_000);
        for pattern in ["^(a|a)*b", "^(a+)+b", "\\bb\\b"] {
            let matcher = Matcher::compile(pattern, u64::MAX).unwrap();
            assert!(matches!(matcher.engine, Engine::Linear(_)), "{pattern}");
            assert_eq!(outcome(pattern, &text), Outcome::Missed, "{pattern}");
        }
    }

    #[test]
    fn backtracking_patterns_have_a_step_limit() {
        assert_eq!(
            outcome("^(a|a)*\\1b", &"a".repeat(60)),
            Outcome::Inconclusive
        );
        assert_eq!(
            outcome("(?=.*b)c", &"a".repeat(40_000)),
            Outcome::Inconclusive
        );
    }

    #[test]
    fn lookaheads_at_the_start_work_for_texts_of_any_length() {
        let pattern = "^(?!.*forbidden)(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$";
        for length in [10, 1_000, 1_000_000] {
            assert_eq!(
                outcome(pattern, &"aB1".repeat(length / 3)),
                Outcome::Matched,
                "{length}"
            );
            assert_eq!(
                outcome(pattern, &"aBc".repeat(length / 3)),
                Outcome::Missed,
                "{length}"
            );
        }
    }

    #[test]
    fn after_many_inconclusive_matches_no_more_are_started() {
        let endless = Matcher::compile("^(a|a)*\\1b", u64::MAX).unwrap();
        let quick = Matcher::compile("^(?=a)", u64::MAX).unwrap();
        let values: Vec<_> = (0..200).map(|more| "a".repeat(60 + more)).collect();
        let mut tried = 0;
        let (finished, noted) = within(Budget::checking(), || {
            for value in &values {
                tried += 1;
                if endless.matches(value, Text::Value) == Outcome::Inconclusive {
                    budget::give_up("/pattern", value);
                }
            }
        });
        assert_eq!((finished, noted.len()), (None, 16));
        assert!((16..200).contains(&tried), "{tried}");
        assert_eq!(
            within(Budget::checking(), || quick.matches("a", Text::Value)).0,
            Some(Outcome::Matched)
        );
    }
}
