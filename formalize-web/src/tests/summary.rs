//! The summary of the answers to a form.

use formalize_core::questions::QuestionKind;
use formalize_core::summary::{
    AnswerSummary, Bin, ChoiceCount, Count, DateCount, DateUnit, NumberSummary, QuestionSummary,
    Summary,
};

use super::super::{AnswersFilter, FormFrame, FormTab, Shell, SummaryPage};
use super::{Data, Page, at, named};

/// The page with everything, with numbers that are withheld, and without answers.
pub(super) fn pages(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let name = data("Registration for the spring run");
    let frame = FormFrame {
        path: at("/console/forms", &data("1")),
        name: Some(&name),
        tabs: vec![FormTab::Overview, FormTab::Answers, FormTab::Summary],
    };
    let nothing = Summary {
        num_submissions: 0,
        is_complete: true,
        by_day: Vec::new(),
        questions: Vec::new(),
    };
    let filter = AnswersFilter {
        creator: data("ada"),
        ..AnswersFilter::default()
    };
    let answers = at("/console/forms", &data("submissions?creator=ada"));
    let pages = [
        ("summary", true, all(data)),
        ("summary-withheld", true, withheld(data)),
        ("summary-empty", true, nothing.clone()),
        ("summary-not-allowed", false, nothing),
    ];
    let pages = pages.into_iter().map(|(name, may_read, summary)| {
        let no_filter = AnswersFilter::default();
        let page = SummaryPage {
            frame: frame.clone(),
            filter: if may_read { filter.clone() } else { no_filter },
            answers: answers.clone(),
            may_read,
            summary: &summary,
        };
        named(name, page.render(shell))
    });
    pages.collect()
}

fn all(data: Data<'_>) -> Summary {
    let answered = |num_answered, question| QuestionSummary {
        num_answered,
        ..question
    };
    Summary {
        num_submissions: 183,
        is_complete: true,
        by_day: days(&[3, 8, 0, 14, 31, 22, 12, 0, 0, 17, 26, 19, 9, 22]),
        questions: vec![
            answered(183, meals(data, [97, 41, 29].map(Count::Number), 16)),
            answered(171, consent(data)),
            answered(178, distances(data)),
            answered(120, birthdays(data)),
            answered(183, months(data)),
            answered(
                44,
                question(
                    data,
                    "Remarks",
                    QuestionKind::LongText,
                    AnswerSummary::Untold,
                ),
            ),
        ],
    }
}

fn withheld(data: Data<'_>) -> Summary {
    let small = [Count::Number(20), Count::Withheld, Count::Below(5)];
    let bins = [(0.0, small[0]), (0.5, small[1]), (1.0, small[2])];
    let numbers = NumberSummary {
        least: None,
        greatest: None,
        mean: None,
        bins: bins
            .map(|(from, count)| Bin {
                from,
                to: from + 0.5,
                count,
            })
            .into(),
        others: Count::Below(5),
    };
    let mut by_day = days(&[20, 7, 3, 2]);
    for (day, count) in by_day
        .iter_mut()
        .zip([small[0], small[1], small[2], small[2]])
    {
        day.count = count;
    }
    Summary {
        num_submissions: 100_000,
        is_complete: false,
        by_day,
        questions: vec![
            meals(data, small, 0),
            question(
                data,
                "Pace",
                QuestionKind::Number,
                AnswerSummary::Numbers(numbers),
            ),
        ],
    }
}

fn question(
    data: Data<'_>,
    label: &str,
    kind: QuestionKind,
    answers: AnswerSummary,
) -> QuestionSummary {
    QuestionSummary {
        pointer: String::new(),
        label: data(label),
        kind,
        num_answered: 30,
        answers,
    }
}

/// Days in March; those without submissions are omitted.
fn days(counts: &[u64]) -> Vec<DateCount> {
    let days = counts.iter().zip(1..).filter(|(count, _)| **count > 0);
    let days = days.map(|(count, day)| DateCount {
        date: format!("2027-03-{day:02}"),
        count: Count::Number(*count),
    });
    days.collect()
}

fn meals(data: Data<'_>, counts: [Count; 3], others: u64) -> QuestionSummary {
    let labels = ["Vegetarian", "Fish", "Meat from the farm of the club"];
    let choice = |(label, count): (&str, _)| ChoiceCount {
        value: String::new(),
        label: data(label),
        count,
    };
    let answers = AnswerSummary::Choices {
        counts: labels.into_iter().zip(counts).map(choice).collect(),
        others: Count::Number(others),
    };
    question(
        data,
        "What would you like to eat?",
        QuestionKind::Choice,
        answers,
    )
}

fn consent(data: Data<'_>) -> QuestionSummary {
    let choice = |value: &str, number| ChoiceCount {
        value: value.to_owned(),
        label: value.to_owned(),
        count: Count::Number(number),
    };
    let answers = AnswerSummary::Choices {
        counts: vec![choice("true", 160), choice("false", 11)],
        others: Count::Number(0),
    };
    question(
        data,
        "May we take pictures?",
        QuestionKind::Boolean,
        answers,
    )
}

fn distances(data: Data<'_>) -> QuestionSummary {
    let bins = [4, 0, 61, 12, 0, 74, 9, 0, 18].into_iter().zip(0_u32..);
    let bins = bins.map(|(count, place)| Bin {
        from: f64::from(place) * 5.0,
        to: f64::from(place + 1) * 5.0,
        count: Count::Number(count),
    });
    let numbers = NumberSummary {
        least: Some(1.0),
        greatest: Some(42.0),
        mean: Some(19.123_456),
        bins: bins.collect(),
        others: Count::Number(2),
    };
    question(
        data,
        "Distance in km",
        QuestionKind::Integer,
        AnswerSummary::Numbers(numbers),
    )
}

fn birthdays(data: Data<'_>) -> QuestionSummary {
    let counts = [(1951, 2), (1975, 40), (1980, 7), (1999, 31), (2004, 40)];
    let answers = AnswerSummary::Dates {
        unit: DateUnit::Year,
        counts: counts
            .map(|(year, number)| DateCount {
                date: year.to_string(),
                count: Count::Number(number),
            })
            .into(),
        others: Count::Number(0),
    };
    question(data, "Date of birth", QuestionKind::Date, answers)
}

fn months(data: Data<'_>) -> QuestionSummary {
    let answers = AnswerSummary::Dates {
        unit: DateUnit::Month,
        counts: vec![
            DateCount {
                date: "2026-11".to_owned(),
                count: Count::Number(90),
            },
            DateCount {
                date: "2027-02".to_owned(),
                count: Count::Number(93),
            },
        ],
        others: Count::Number(0),
    };
    question(data, "Arrival", QuestionKind::DateTime, answers)
}
