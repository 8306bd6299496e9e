//! Laws that hold for every response, whatever is sent: no head is above 4 KiB, no refusal above 256 KiB, and what is above
//! 64 KiB counts in the budget of responses. Pages with questions or answers are made where their estimated cost allows.
//!
//! All but the third are checked for every response in all tests, see [`obeyed`]. The tests here send what would break them.

mod heads;
mod refusals;

use crate::support::Answer;

/// The maximum size of a head, in bytes. It includes the headers that the connection adds.
const HEAD: usize = 4 << 10;

/// About the size of a status line, `Date`, `Content-Length` and `Connection`.
const OF_CONNECTION: usize = 120;

/// The maximum size of the body of a refusal, in bytes.
const REFUSAL: usize = 256 << 10;

/// Panics if a response breaks a law.
#[track_caller]
pub(crate) fn obeyed(answer: &Answer) {
    let head = head(answer);
    assert!(head <= HEAD, "a head of {head} bytes: {answer}");
    let is_refusal = answer.status.is_client_error() || answer.status.is_server_error();
    let bytes = answer.body.len();
    // Pages are refused with all that was entered.
    let is_page = answer
        .header("content-type")
        .is_some_and(|kind| kind.starts_with("text/html"));
    if is_page && is_drawn(answer) {
        assert!(answer.drawn.is_some(), "{}", answer.asked);
    }
    if is_refusal && !is_page {
        assert!(
            bytes <= REFUSAL,
            "a refusal of {bytes} bytes: {}",
            answer.asked
        );
    }
}

/// What only pages with questions to answer, with answers, with columns of answers, and with counts of them have.
const DRAWN: [&str; 4] = [
    " data-key=\"",
    "<p class=\"value",
    "name=\"column\"",
    "class=\"card tally\"",
];

/// Whether a page has something whose cost is estimated before the page is made.
fn is_drawn(answer: &Answer) -> bool {
    let text = str::from_utf8(&answer.body).unwrap_or_default();
    DRAWN.iter().any(|part| text.contains(part))
}

fn head(answer: &Answer) -> usize {
    let headers = answer.headers.iter();
    let sizes = headers.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    OF_CONNECTION + sizes.sum::<usize>()
}
