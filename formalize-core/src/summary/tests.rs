use std::sync::Arc;

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::DataSchema;
use crate::export::Columns;
use crate::id::{FormId, Revision, SubmissionId};
use crate::model::subject::UserId;
use crate::model::submission::Submission;
use crate::model::tag::Tags;
use crate::model::words::SubmissionState;
use crate::time::Timestamp;

fn submission(data: &str, created: &str) -> Submission {
    let created: Timestamp = created.parse().unwrap();
    Submission {
        id: SubmissionId::from_uuid(Uuid::nil()),
        form: FormId::from_uuid(Uuid::nil()),
        data: Some(data.into()),
        state: SubmissionState::Submitted,
        creator: UserId::new("bob").unwrap(),
        last_modified_by: UserId::new("bob").unwrap(),
        date_created: created,
        date_last_modified: created,
        revision: Revision::from_uuid(Uuid::nil()),
        files: Vec::new(),
        tags: Tags::default(),
    }
}

fn summary_of(schema: &str, data: &[&str], minimum: u64) -> Summary {
    let schema = DataSchema::compile(schema).unwrap();
    let columns = Arc::new(Columns::of(Some(&schema), "en"));
    let leaves = Leaf::all(&columns, Some(&schema), Some("de"));
    let mut tally = Tally::new(columns, leaves);
    for data in data {
        tally.add(&submission(data, "2026-11-21T08:00:00Z"));
    }
    tally.summary(true, minimum)
}

/// The only question of a schema with one property.
fn question(property: &str, answers: &[&str], minimum: u64) -> QuestionSummary {
    let data: Vec<String> = answers
        .iter()
        .map(|answer| format!(r#"{{"a": {answer}}}"#))
        .collect();
    let data: Vec<&str> = data.iter().map(String::as_str).collect();
    let schema = format!(r#"{{"properties": {{"a": {property}}}}}"#);
    let summary = summary_of(&schema, &data, minimum);
    assert_eq!(summary.num_submissions, answers.len() as u64);
    summary.questions.into_iter().next().unwrap()
}

fn choices(question: &QuestionSummary) -> (Vec<(&str, &str, String)>, String) {
    let AnswerSummary::Choices { counts, others } = &question.answers else {
        panic!("{question:?}");
    };
    let told = |choice: &ChoiceCount| choice.count.to_string();
    let counts = counts
        .iter()
        .map(|choice| (choice.value.as_str(), choice.label.as_str(), told(choice)));
    (counts.collect(), others.to_string())
}

fn numbers(property: &str, answers: &[&str]) -> NumberSummary {
    let AnswerSummary::Numbers(numbers) = question(property, answers, 1).answers else {
        panic!("not numbers");
    };
    numbers
}

fn bins(numbers: &NumberSummary) -> Vec<(f64, f64, u64)> {
    let bins = numbers.bins.iter();
    bins.map(|bin| (bin.from, bin.to, bin.count.number().unwrap()))
        .collect()
}

const MEALS: &str = r#"{"oneOf": [
    {"const": "meat", "title": "Meat", "localizedName": {"de": "Fleisch"}}, {"const": "fish"}, {"const": 1}
]}"#;

#[test]
fn choices_are_counted_with_their_texts() {
    let answers = [r#""meat""#, r#""meat""#, "1", r#""tofu""#, r#""""#, "null"];
    let question = question(MEALS, &answers, 1);
    assert_eq!(
        (question.num_answered, question.kind),
        (4, QuestionKind::Choice)
    );
    let count = |value, label, count: u64| (value, label, count.to_string());
    let expected = vec![
        count("meat", "Fleisch", 2),
        count("fish", "fish", 0),
        count("1", "1", 1),
    ];
    assert_eq!(choices(&question), (expected, "1".to_owned()));
}

#[test]
fn each_choice_of_several_is_counted_once_a_submission() {
    let property = r#"{"type": "array", "uniqueItems": true, "items": {"enum": ["a", "b"]}}"#;
    let answers = [
        r#"["a", "b"]"#,
        r#"["a", "a", "c", "d"]"#,
        "[]",
        "[ ]",
        r#""b""#,
    ];
    let question = question(property, &answers, 1);
    assert_eq!(
        (question.num_answered, question.kind),
        (3, QuestionKind::Choices)
    );
    let count = |value, count: u64| (value, value, count.to_string());
    assert_eq!(
        choices(&question),
        (vec![count("a", 2), count("b", 1)], "3".to_owned())
    );
}

#[test]
fn booleans_are_counted() {
    let question = question(
        r#"{"type": "boolean"}"#,
        &["true", "false", "true", r#""yes""#],
        1,
    );
    let count = |value, count: u64| (value, value, count.to_string());
    assert_eq!(
        choices(&question),
        (vec![count("true", 2), count("false", 1)], "1".to_owned())
    );
}

#[test]
fn at_most_fifty_choices_are_counted_one_by_one() {
    let values: Vec<String> = (0..60).map(|number| format!(r#""{number}""#)).collect();
    let property = format!(r#"{{"enum": [{}]}}"#, values.join(", "));
    let answers: Vec<&str> = values.iter().map(String::as_str).collect();
    let question = question(&property, &answers, 1);
    let (counts, others) = choices(&question);
    assert_eq!((counts.len(), others.as_str()), (50, "10"));
}

#[test]
fn choices_under_several_conditions_are_united() {
    let schema = r#"{
        "properties": {"kind": {"enum": ["pet", "tree"]}},
        "if": {"properties": {"kind": {"const": "pet"}}},
        "then": {"properties": {"name": {"enum": ["Rex", "Mimi"]}, "mixed": {"type": "string"}}},
        "else": {"properties": {"name": {"enum": ["Oak", "Mimi"]}, "mixed": {"type": "integer"}}}
    }"#;
    let data = [
        r#"{"kind": "pet", "name": "Rex", "mixed": "x"}"#,
        r#"{"kind": "tree", "name": "Oak", "mixed": 1}"#,
    ];
    let summary = summary_of(schema, &data, 1);
    let [_, name, mixed] = summary.questions.as_slice() else {
        panic!("{summary:?}")
    };
    let count = |value, count: u64| (value, value, count.to_string());
    let expected = vec![count("Rex", 1), count("Mimi", 0), count("Oak", 1)];
    assert_eq!(choices(name), (expected, "0".to_owned()));
    assert_eq!(
        (mixed.num_answered, &mixed.answers),
        (2, &AnswerSummary::Untold)
    );
}

#[test]
fn nothing_of_texts_is_told() {
    for property in [
        r#"{"type": "string"}"#,
        r#"{"format": "email"}"#,
        r#"{"type": "array"}"#,
        "{}",
    ] {
        let question = question(property, &[r#""secret""#, r#""""#, "null", "[]", "{ }"], 1);
        assert_eq!(
            (question.num_answered, question.answers),
            (1, AnswerSummary::Untold),
            "{property}"
        );
    }
}

#[test]
fn bins_have_round_bounds() {
    let integer = r#"{"type": "integer"}"#;
    let few = numbers(integer, &["1", "2", "2", "5.0", r#""5""#, "null"]);
    assert_eq!(
        (few.least, few.greatest, few.mean),
        (Some(1.0), Some(5.0), Some(2.5))
    );
    assert_eq!(few.others, Count::Number(1));
    assert_eq!(
        bins(&few),
        [
            (1.0, 2.0, 1),
            (2.0, 3.0, 2),
            (3.0, 4.0, 0),
            (4.0, 5.0, 0),
            (5.0, 6.0, 1)
        ]
    );
    let same = numbers(integer, &["7", "7"]);
    assert_eq!(bins(&same), [(7.0, 8.0, 2)]);
    let number = r#"{"type": "number"}"#;
    let one = numbers(number, &["0.25"]);
    assert_eq!(bins(&one), [(0.0, 1.0, 1)]);
    let fractions = numbers(number, &["0.3", "0.29", "0.31"]);
    let found = bins(&fractions);
    let ends = (found.len(), found.first(), found.last());
    assert_eq!(ends, (11, Some(&(0.29, 0.292, 1)), Some(&(0.31, 0.312, 1))));
    let wide = numbers(number, &["-5", "1e6"]);
    assert_eq!((wide.bins[0].from, wide.bins[0].to), (-100_000.0, 0.0));
    assert_eq!(wide.bins.last().map(|bin| bin.to), Some(1_100_000.0));
    let huge = numbers(number, &["-1e308", "1e308", "0"]);
    assert!(huge.bins.len() <= Summary::MAX_BINS);
    assert!(
        huge.bins[0].from <= -1e308 && huge.mean == Some(0.0),
        "{huge:?}"
    );
}

#[test]
fn dates_are_counted_by_a_unit_with_few_of_them() {
    let property = r#"{"type": "string", "format": "date"}"#;
    let dates = |number_of: i64, step: i64| -> Vec<String> {
        let day = |at: i64| Timestamp::from_millis(at * step * 86_400_000).unwrap();
        (0..number_of)
            .map(|at| format!(r#""{}""#, day(at).to_string().split_once('T').unwrap().0))
            .collect()
    };
    for (number_of, step, unit, first) in [
        (100, 1, DateUnit::Day, "1970-01-01"),
        (101, 1, DateUnit::Month, "1970-01"),
        (101, 31, DateUnit::Year, "1970"),
    ] {
        let answers = dates(number_of, step);
        let answers: Vec<&str> = answers
            .iter()
            .map(String::as_str)
            .chain([r#""soon""#])
            .collect();
        let AnswerSummary::Dates {
            unit: by,
            counts,
            others,
        } = question(property, &answers, 1).answers
        else {
            panic!("not dates");
        };
        assert_eq!(
            (by, counts[0].date.as_str(), others),
            (unit, first, Count::Number(1))
        );
        let sum: u64 = counts
            .iter()
            .map(|count| count.count.number().unwrap())
            .sum();
        assert_eq!(i64::try_from(sum).unwrap(), number_of);
    }
}

#[test]
fn small_counts_are_withheld_with_the_one_that_would_reveal_them() {
    let told = |numbers: &[u64], minimum| -> Vec<String> {
        told(numbers, minimum)
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(told(&[0, 1, 4, 5], 1), ["0", "1", "4", "5"]);
    assert_eq!(told(&[0, 1, 4, 5], 5), ["0", "< 5", "< 5", "5"]);
    assert_eq!(
        told(&[9, 0, 1, 7, 7], 5),
        ["9", "0", "< 5", "withheld", "7"]
    );
    assert_eq!(told(&[0, 3], 5), ["0", "< 5"]);
    let two = question(r#"{"type": "number"}"#, &["3", "4"], 3);
    let AnswerSummary::Numbers(two) = two.answers else {
        panic!("not numbers")
    };
    assert_eq!((two.least, two.greatest, two.mean), (None, None, None));
}

#[test]
fn days_are_those_of_creation() {
    let mut tally = Tally::new(Arc::default(), Vec::new());
    for created in [
        "2026-11-21T23:59:59.999Z",
        "2026-11-21T00:00:00Z",
        "2026-11-23T00:00:00Z",
    ] {
        tally.add(&submission("{}", created));
    }
    let days = tally.summary(true, 1).by_day;
    let days: Vec<_> = days
        .iter()
        .map(|day| (day.date.as_str(), day.count))
        .collect();
    assert_eq!(
        days,
        [
            ("2026-11-21", Count::Number(2)),
            ("2026-11-23", Count::Number(1))
        ]
    );
}

proptest! {
    #[test]
    fn bins_contain_the_numbers_within_their_bounds(
        drawn in proptest::collection::vec(-1e7_f64..1e7, 1..300),
        digits in 0..4_i32,
    ) {
        let unit = 10_f64.powi(digits);
        let drawn: Vec<f64> = drawn.iter().map(|number| (number * unit).round() / unit).collect();
        let answers: Vec<String> = drawn.iter().map(f64::to_string).collect();
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        let summary = numbers(r#"{"type": "number"}"#, &answers);
        prop_assert!(summary.bins.len() <= Summary::MAX_BINS);
        for bin in &summary.bins {
            let within = drawn.iter().filter(|number| **number >= bin.from && **number < bin.to);
            prop_assert_eq!(bin.count, Count::Number(within.count() as u64), "{:?}", bin);
        }
        let sum: u64 = summary.bins.iter().map(|bin| bin.count.number().unwrap()).sum();
        prop_assert_eq!(sum, drawn.len() as u64);
    }
}
