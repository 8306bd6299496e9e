//! Input with one document per line, of any length, in constant memory.

use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;
use std::thread;

use serde::de::IgnoredAny;
use tokio::sync::mpsc;

use super::{Source, open};
use crate::failure::Failure;

/// The number of lines to read ahead.
const AHEAD: usize = 64;

/// The two kinds of input.
pub(crate) enum Input {
    /// One document, including its white space, cut off one byte after the maximum length.
    Document(Vec<u8>),
    /// One document on each line.
    Lines(Lines),
}

/// The lines of an input, without blank ones.
pub(crate) struct Lines {
    from: Source,
    longest: usize,
    number: u64,
    /// The length of the input in bytes, if known.
    pub(crate) length: Option<u64>,
}

/// A line without its line break.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Counted from 1, blank lines included.
    pub(crate) number: u64,
    pub(crate) text: Vec<u8>,
    /// Whether the line is too long, so that only its beginning is included.
    pub(crate) is_cut: bool,
    /// Whether the input ends within quotation marks. Only [records](super::Records) have any.
    pub(crate) is_unclosed: bool,
    /// The number of bytes of the input from the end of the previous returned line to the end of this one.
    pub(crate) consumed: u64,
}

impl Lines {
    /// Opens a file, or standard input, as lines of at most `longest` bytes.
    pub(crate) fn open(file: &Path, longest: usize) -> Result<Self, Failure> {
        let (from, length) = open(file)?;
        Ok(Self {
            length,
            ..Self::new(from, longest)
        })
    }

    /// The lines of an opened input.
    pub(crate) fn new(from: Source, longest: usize) -> Self {
        Self {
            from,
            longest,
            number: 0,
            length: None,
        }
    }

    /// The next line that is not blank.
    pub(crate) fn read(&mut self) -> io::Result<Option<Line>> {
        let mut consumed = 0;
        loop {
            let mut text = Vec::new();
            // Two more bytes, because a line of the maximum length may end in `\r\n`.
            let limit = as_length(self.longest).saturating_add(2);
            let read = (&mut self.from).take(limit).read_until(b'\n', &mut text)?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            consumed += as_length(read);
            let ended = without_end(&mut text);
            if !ended {
                consumed += self.skip_line()?;
            }
            if is_blank(&text) && text.len() <= self.longest {
                continue;
            }
            let is_cut = text.len() > self.longest;
            text.truncate(self.longest);
            return Ok(Some(Line {
                number: self.number,
                text,
                is_cut,
                is_unclosed: false,
                consumed,
            }));
        }
    }

    /// Skips the rest of a line and returns its length.
    fn skip_line(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        loop {
            let buffer = self.from.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(buffer.len(), |end| end + 1);
            self.from.consume(length);
            skipped += as_length(length);
            if length == 0 || end.is_some() {
                return Ok(skipped);
            }
        }
    }

    /// Reads in a separate thread, so that slow input does not block the runtime.
    pub(crate) fn in_background(mut self) -> mpsc::Receiver<io::Result<Line>> {
        in_background(move || self.read())
    }

    /// Decides by the first line that is not blank whether the input is a single document or has one per line. If a
    /// document starts there and does not end, the input is that document.
    pub(crate) fn or_document(mut self) -> io::Result<Input> {
        let most = as_length(self.longest).saturating_add(1);
        let mut seen = Vec::new();
        let mut first_is_whole = false;
        loop {
            let start = seen.len();
            let room = most.saturating_sub(as_length(start));
            let read = (&mut self.from).take(room).read_until(b'\n', &mut seen)?;
            let line = seen.get(start..).unwrap_or_default();
            let (is_blank, is_full) = (is_blank(line), seen.len() > self.longest);
            if read == 0 || (is_full && (is_blank || !first_is_whole)) {
                return Ok(Input::Document(seen));
            }
            if is_blank {
                continue;
            }
            if first_is_whole {
                let from = Box::new(Cursor::new(seen).chain(self.from));
                return Ok(Input::Lines(Self { from, ..self }));
            }
            if goes_on(line) {
                let room = most.saturating_sub(as_length(seen.len()));
                (&mut self.from).take(room).read_to_end(&mut seen)?;
                return Ok(Input::Document(seen));
            }
            first_is_whole = true;
        }
    }
}

/// Reads in a separate thread, so that slow input does not block the runtime.
pub(crate) fn in_background(
    mut read: impl FnMut() -> io::Result<Option<Line>> + Send + 'static,
) -> mpsc::Receiver<io::Result<Line>> {
    let (sender, receiver) = mpsc::channel(AHEAD);
    thread::spawn(move || {
        while let Some(line) = read().transpose() {
            let failed = line.is_err();
            if sender.blocking_send(line).is_err() || failed {
                break;
            }
        }
    });
    receiver
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

pub(super) fn as_length(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Whether a line is the incomplete beginning of a document.
fn goes_on(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

/// Removes the line break and returns whether there was one.
fn without_end(text: &mut Vec<u8>) -> bool {
    if text.pop_if(|byte| *byte == b'\n').is_none() {
        return false;
    }
    text.pop_if(|byte| *byte == b'\r');
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines {
        Lines::new(Box::new(Cursor::new(text.to_owned().into_bytes())), 10)
    }

    fn all(mut lines: Lines) -> Vec<(u64, String, bool, u64)> {
        let next = || lines.read().unwrap();
        std::iter::from_fn(next)
            .map(|line| {
                let text = String::from_utf8(line.text).unwrap();
                (line.number, text, line.is_cut, line.consumed)
            })
            .collect()
    }

    #[test]
    fn lines_have_numbers_and_no_line_breaks() {
        let found = all(lines("{}\r\n\n  \n[1]\n\n\"last\""));
        let expected = [
            (1, "{}".to_owned(), false, 4),
            (4, "[1]".to_owned(), false, 8),
            (6, "\"last\"".to_owned(), false, 7),
        ];
        assert_eq!(found, expected);
        assert_eq!(all(lines("")), []);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_is_complete() {
        let found = all(lines("0123456789\r\n0123456789ab\n01234567890123456789\nx"));
        let cut: Vec<(u64, &str, bool)> = found
            .iter()
            .map(|(number, text, is_cut, _)| (*number, text.as_str(), *is_cut))
            .collect();
        let expected = [
            (1, "0123456789", false),
            (2, "0123456789", true),
            (3, "0123456789", true),
            (4, "x", false),
        ];
        assert_eq!(cut, expected);
        let consumed: u64 = found.iter().map(|(.., consumed)| consumed).sum();
        assert_eq!(consumed, 12 + 13 + 21 + 1);
    }

    #[test]
    fn the_first_line_distinguishes_a_document_from_lines() {
        let document = |text: &str| match lines(text).or_document().unwrap() {
            Input::Document(bytes) => Some(String::from_utf8(bytes).unwrap()),
            Input::Lines(_) => None,
        };
        for text in ["", "\n", "{}", "\n{}\n\n", "{\n}\n", "[\n1]", "x", "{\"a\""] {
            assert_eq!(document(text).as_deref(), Some(text), "{text:?}");
        }
        let long = format!("{{}}\n\"{}\"", "x".repeat(20));
        for text in ["{}\n{}", "1\n\n2\n", "x\n{}\n", "{},\n{}", &long] {
            assert_eq!(document(text), None, "{text:?}");
        }
        // One byte more than the maximum shows that it is too long.
        assert_eq!(document("[\n0123456789\n]").unwrap().len(), 11);
        assert_eq!(document("\"0123456789\"\n{}").unwrap().len(), 11);
    }

    #[test]
    fn distinguishing_them_consumes_no_lines() {
        let Input::Lines(found) = lines("\n{}\n\n[]\n1\n").or_document().unwrap() else {
            panic!("expected lines");
        };
        let numbers: Vec<u64> = all(found).iter().map(|(number, ..)| *number).collect();
        assert_eq!(numbers, [2, 4, 5]);
    }

    #[test]
    fn all_lines_are_received_in_order() {
        let mut received = lines("1\n2\n").in_background();
        let mut taken = Vec::new();
        while let Some(line) = received.blocking_recv() {
            taken.push(line.unwrap().number);
        }
        assert_eq!(taken, [1, 2]);
    }
}
