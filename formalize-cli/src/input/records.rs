//! The records of CSV, of any length, in constant memory.
//!
//! The crate `csv` has no limit on the length of a record, so records are separated here, and the crate then reads their cells.

use std::io::{self, BufRead};

use super::Source;
use super::lines::{Line, as_length};

/// What may separate cells, in the order of preference.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// The records of CSV, without empty ones.
pub(crate) struct Records {
    from: Source,
    longest: usize,
    /// The number of the current line.
    line: u64,
    /// Whether the last record ended with a carriage return, to which a line feed may belong.
    after_return: bool,
    /// What separates cells; before the first record is read, all that might.
    separators: Vec<u8>,
}

/// Where a byte is in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the beginning of a cell.
    Start,
    /// In a cell without quotation marks, or behind them.
    Plain,
    Quoted,
    /// Behind a quotation mark in a quoted cell, which ends it or begins an escaped one.
    AfterQuote,
}

impl Place {
    fn after(self, byte: u8, separators: &[u8]) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::AfterQuote,
            (Self::Start | Self::AfterQuote, b'"') | (Self::Quoted, _) => Self::Quoted,
            (_, byte) if separators.contains(&byte) => Self::Start,
            _ => Self::Plain,
        }
    }
}

impl Records {
    /// The records of an input, of at most `longest` bytes each.
    pub(crate) fn new(from: Source, longest: usize) -> Self {
        Self {
            from,
            longest,
            line: 1,
            after_return: false,
            separators: SEPARATORS.to_vec(),
        }
    }

    /// Reads the first record, in which the most frequent separator is that of all records. Returns it with the separator.
    pub(crate) fn first(&mut self) -> io::Result<Option<(Line, u8)>> {
        let Some(first) = self.read()? else {
            return Ok(None);
        };
        let mut place = Place::Start;
        let mut counts = [0_usize; SEPARATORS.len()];
        for byte in &first.text {
            let found = SEPARATORS.iter().position(|one| one == byte);
            let count = found.and_then(|found| counts.get_mut(found));
            if let Some(count) = count.filter(|_| place != Place::Quoted) {
                *count += 1;
            }
            place = place.after(*byte, &SEPARATORS);
        }
        let most = counts.iter().max().copied().unwrap_or_default();
        let found = SEPARATORS
            .iter()
            .zip(counts)
            .find(|(_, count)| *count == most);
        let separator = found.map_or(b',', |(separator, _)| *separator);
        self.separators = vec![separator];
        Ok(Some((first, separator)))
    }

    /// The next record that is not empty, without its line break.
    pub(crate) fn read(&mut self) -> io::Result<Option<Line>> {
        let mut consumed = 0;
        while let Some(record) = self.record()? {
            consumed += record.consumed;
            if !record.text.is_empty() {
                return Ok(Some(Line { consumed, ..record }));
            }
        }
        Ok(None)
    }

    fn record(&mut self) -> io::Result<Option<Line>> {
        let mut record = Line {
            number: self.line,
            text: Vec::new(),
            is_cut: false,
            is_unclosed: false,
            consumed: 0,
        };
        let mut place = Place::Start;
        loop {
            let buffer = self.from.fill_buf()?;
            if buffer.is_empty() {
                record.is_unclosed = place == Place::Quoted;
                return Ok((record.consumed > 0).then_some(record));
            }
            let (mut used, mut ended) = (0, false);
            for byte in buffer {
                used += 1;
                if std::mem::take(&mut self.after_return) && *byte == b'\n' {
                    continue;
                }
                if place != Place::Quoted && matches!(byte, b'\r' | b'\n') {
                    (ended, self.after_return) = (true, *byte == b'\r');
                    self.line += 1;
                    break;
                }
                self.line += u64::from(*byte == b'\n');
                place = place.after(*byte, &self.separators);
                if record.text.len() < self.longest {
                    record.text.push(*byte);
                } else {
                    record.is_cut = true;
                }
            }
            self.from.consume(used);
            record.consumed += as_length(used);
            if ended {
                return Ok(Some(record));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use super::*;

    /// Reads few bytes at a time.
    fn records(text: &str) -> Records {
        let from = BufReader::with_capacity(3, Cursor::new(text.to_owned().into_bytes()));
        Records::new(Box::new(from), 12)
    }

    fn all(text: &str) -> Vec<(u64, String)> {
        let mut records = records(text);
        let next = || records.read().unwrap();
        let found = std::iter::from_fn(next).map(|record| {
            assert!(!record.is_cut && !record.is_unclosed);
            (record.number, String::from_utf8(record.text).unwrap())
        });
        found.collect()
    }

    #[test]
    fn records_end_at_line_breaks_that_are_not_quoted() {
        let expected = |records: &[(u64, &str)]| -> Vec<(u64, String)> {
            let records = records
                .iter()
                .map(|(line, text)| (*line, (*text).to_owned()));
            records.collect()
        };
        assert_eq!(all("a,b\r\n1,2\r\n"), expected(&[(1, "a,b"), (2, "1,2")]));
        assert_eq!(all("a\n\n\nb"), expected(&[(1, "a"), (4, "b")]));
        assert_eq!(all("a\rb\r\rc"), expected(&[(1, "a"), (2, "b"), (4, "c")]));
        let quoted = "\"x\r\ny\",z\r\n\"\"\"\n\"\n";
        assert_eq!(
            all(quoted),
            expected(&[(1, "\"x\r\ny\",z"), (3, "\"\"\"\n\"")])
        );
        // A quotation mark within a cell quotes nothing.
        assert_eq!(all("a\"b\nc"), expected(&[(1, "a\"b"), (2, "c")]));
        assert_eq!(all("\"a\"b\"\nc"), expected(&[(1, "\"a\"b\""), (2, "c")]));
        assert_eq!(all(""), []);
        assert_eq!(all("\r\n\n"), []);
    }

    #[test]
    fn the_first_record_has_the_separator() {
        for (text, separator) in [
            ("a,b", b','),
            ("a;b", b';'),
            ("a\tb,c\td", b'\t'),
            ("\"a,b,c\";d", b';'),
            ("\"a\"\",,\";b", b';'),
            ("a", b','),
        ] {
            let (_, found) = records(text).first().unwrap().unwrap();
            assert_eq!(found, separator, "{text:?}");
        }
        assert!(records("\n").first().unwrap().is_none());
        // Then the others are part of cells.
        let mut by_semicolon = records("a;b\n\"x\",\"y\nz\n");
        by_semicolon.first().unwrap();
        assert_eq!(by_semicolon.read().unwrap().unwrap().text, b"\"x\",\"y");
    }

    #[test]
    fn long_records_are_cut_and_the_next_is_complete() {
        let mut found = records("0123456789ab\n\"123456789\nabc\"\nx\n");
        let record = found.read().unwrap().unwrap();
        assert_eq!((record.is_cut, record.text.len()), (false, 12));
        let record = found.read().unwrap().unwrap();
        assert_eq!((record.is_cut, record.text.len()), (true, 12));
        let record = found.read().unwrap().unwrap();
        assert_eq!((record.number, record.text.as_slice()), (4, &b"x"[..]));
    }

    #[test]
    fn a_quotation_mark_that_is_not_closed_is_noticed() {
        let mut found = records("a\n\"b\n");
        assert!(!found.read().unwrap().unwrap().is_unclosed);
        assert!(found.read().unwrap().unwrap().is_unclosed);
    }

    #[test]
    fn every_byte_is_counted_once() {
        let text = "a,b\r\n\r\n\"x\r\ny\",z\n\n0123456789abcdef\nend";
        let mut records = records(text);
        let next = || records.read().unwrap();
        let consumed: u64 = std::iter::from_fn(next).map(|record| record.consumed).sum();
        assert_eq!(consumed, text.len() as u64);
    }
}
