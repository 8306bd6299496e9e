//! Translation of ECMA-262 regular expressions to the syntax of the engines.
//!
//! The two syntaxes look alike but differ in meaning: in ECMA-262, `\d`, `\w` and `\b` are ASCII-only, `.` excludes
//! four line terminators, `[]` matches nothing, and groups may share a name. Every construct is translated to one with
//! the same meaning in both. The result is still valid ECMA-262, because the validator checks keys of
//! `patternProperties` once more.

use std::fmt::Write;
use std::str::Chars;

use super::class::{self, Class, EVERYTHING, LINE_END, PROPERTY_WEIGHT, Ranges};

/// ASCII word boundaries that the engine matches in linear time.
///
/// They are not valid ECMA-262, so keys of `patternProperties` use [`LOOK_AROUND`] instead.
pub(super) const INLINE: Boundary = Boundary(r"(?-u:\b)");

/// ASCII word boundaries in the syntax of ECMA-262.
pub(super) const LOOK_AROUND: Boundary =
    Boundary("(?:(?<![A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<=[A-Za-z0-9_])(?![A-Za-z0-9_]))");

const NO_BOUNDARY: &str = "(?:(?<![A-Za-z0-9_])(?![A-Za-z0-9_])|(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_]))";

/// The translation of `\b`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boundary(&'static str);

/// A translated pattern.
#[derive(Debug)]
pub(super) struct Translation {
    pub(super) regex: String,
    /// The approximate number of states of the compiled pattern.
    pub(super) weight: u64,
}

/// Translates a pattern that is valid ECMA-262 in Unicode mode.
///
/// Returns `None` if it cannot be parsed nevertheless.
pub(super) fn translate(pattern: &str, boundary: Boundary) -> Option<Translation> {
    let mut translator = Translator {
        rest: pattern.chars(),
        boundary,
        group_names: group_names(pattern),
        regex: String::with_capacity(pattern.len()),
        frames: vec![Frame::default()],
    };
    while let Some(character) = translator.rest.next() {
        translator.term(character)?;
    }
    let outermost = translator.frames.pop()?;
    Some(Translation {
        regex: translator.regex,
        weight: outermost.weight,
    })
}

/// An open group.
#[derive(Debug, Default, Clone, Copy)]
struct Frame {
    weight: u64,
    /// The weight of the term that a quantifier would repeat.
    last: u64,
    flags: Flags,
}

/// The flags resolved by the translation; `i` is left to the engine.
#[derive(Debug, Default, Clone, Copy)]
struct Flags {
    dot_all: bool,
    multiline: bool,
}

struct Translator<'p> {
    rest: Chars<'p>,
    boundary: Boundary,
    /// The names of the capturing groups, in order; empty for unnamed groups.
    group_names: Vec<&'p str>,
    regex: String,
    frames: Vec<Frame>,
}

impl<'p> Translator<'p> {
    fn term(&mut self, character: char) -> Option<()> {
        match character {
            '\\' => self.escape(),
            '.' if self.flags().dot_all => self.class_of(EVERYTHING, false),
            '.' => self.class_of(LINE_END, true),
            '^' if self.flags().multiline => self.assertion(r"(?:^|(?<=[\n\r\u{2028}\u{2029}]))"),
            '$' if self.flags().multiline => self.assertion(r"(?:$|(?=[\n\r\u{2028}\u{2029}]))"),
            '^' => self.assertion("^"),
            '$' => self.assertion("$"),
            '[' => self.class(),
            '(' => self.open_group(),
            ')' => self.close_group(),
            '|' => self.assertion("|"),
            '*' | '+' | '?' => self.quantifier(character, 2),
            '{' => self.counted_quantifier(),
            literal => self.literal(u32::from(literal)),
        }
    }

    fn flags(&self) -> Flags {
        self.frames
            .last()
            .map(|frame| frame.flags)
            .unwrap_or_default()
    }

    fn eat(&mut self, expected: &str) -> bool {
        let rest = self.rest.as_str().strip_prefix(expected);
        if let Some(rest) = rest {
            self.rest = rest.chars();
        }
        rest.is_some()
    }

    fn until(&mut self, end: char) -> Option<&'p str> {
        let (taken, rest) = self.rest.as_str().split_once(end)?;
        self.rest = rest.chars();
        Some(taken)
    }

    /// Adds the weight of the term just written, which a quantifier may repeat.
    fn weigh(&mut self, weight: u64) -> Option<()> {
        let frame = self.frames.last_mut()?;
        frame.weight = frame.weight.saturating_add(weight);
        frame.last = weight;
        Some(())
    }

    fn assertion(&mut self, text: &str) -> Option<()> {
        self.regex.push_str(text);
        self.weigh(1)
    }

    fn literal(&mut self, code_point: u32) -> Option<()> {
        match char::from_u32(code_point) {
            Some(character) if character.is_alphanumeric() => self.regex.push(character),
            Some(_) => write!(self.regex, "\\u{{{code_point:X}}}").ok()?,
            // A lone surrogate does not occur in any text.
            None => self.regex.push_str(r"[^\u{0}-\u{10FFFF}]"),
        }
        self.weigh(if code_point < 0x80 { 1 } else { 4 })
    }

    fn class_of(&mut self, ranges: Ranges, negated: bool) -> Option<()> {
        let mut class = Class::new(negated);
        class.add_all(ranges, false)?;
        self.write_class(class)
    }

    fn write_class(&mut self, class: Class) -> Option<()> {
        let weight = class.weight();
        self.regex.push_str(&class.finish());
        self.weigh(weight)
    }

    fn escape(&mut self) -> Option<()> {
        let character = self.rest.next()?;
        match character {
            'b' => self.assertion(self.boundary.0),
            'B' => self.assertion(NO_BOUNDARY),
            'p' | 'P' => {
                let property = self.property(character)?;
                self.regex.push_str(&property);
                self.weigh(PROPERTY_WEIGHT)
            }
            'k' => {
                self.eat("<");
                let name = self.until('>')?;
                self.named_reference(name)
            }
            '1'..='9' => self.numbered_reference(character),
            _ => {
                if let Some((ranges, negated)) = class::named(character) {
                    return self.class_of(ranges, negated);
                }
                let code_point = self.character_escape(character)?;
                self.literal(code_point)
            }
        }
    }

    /// `\p{...}`, which both syntaxes share.
    fn property(&mut self, letter: char) -> Option<String> {
        let negation = if letter == 'P' { "P" } else { "p" };
        self.eat("{");
        let name = self.until('}')?;
        Some(format!(r"\{negation}{{{name}}}"))
    }

    fn numbered_reference(&mut self, first: char) -> Option<()> {
        self.regex.push_str("(?:\\");
        self.regex.push(first);
        while let Some(digit) = self.rest.clone().next().filter(char::is_ascii_digit) {
            self.rest.next();
            self.regex.push(digit);
        }
        self.regex.push(')');
        self.weigh(2)
    }

    /// A reference to all groups with this name, at most one of which takes part in a match.
    fn named_reference(&mut self, name: &str) -> Option<()> {
        let groups = (1..)
            .zip(&self.group_names)
            .filter(|(_, group)| **group == name);
        let alternatives: Vec<_> = groups.map(|(number, _)| format!("\\{number}")).collect();
        if alternatives.is_empty() {
            return None;
        }
        write!(self.regex, "(?:{})", alternatives.join("|")).ok()?;
        self.weigh(2)
    }

    /// An escape for a single character, inside or outside a class.
    fn character_escape(&mut self, character: char) -> Option<u32> {
        Some(match character {
            'f' => 0x0C,
            'n' => 0x0A,
            'r' => 0x0D,
            't' => 0x09,
            'v' => 0x0B,
            '0' => 0,
            'c' => u32::from(self.rest.next()?) % 32,
            'x' => self.hex_digits(2)?,
            'u' => self.unicode_escape()?,
            other => u32::from(other),
        })
    }

    fn hex_digits(&mut self, count: usize) -> Option<u32> {
        let mut value = 0;
        for _ in 0..count {
            value = value * 16 + self.rest.next()?.to_digit(16)?;
        }
        Some(value)
    }

    fn unicode_escape(&mut self) -> Option<u32> {
        if self.eat("{") {
            return u32::from_str_radix(self.until('}')?, 16).ok();
        }
        let lead = self.hex_digits(4)?;
        let before = self.rest.clone();
        if (0xD800..0xDC00).contains(&lead) && self.eat("\\u") {
            match self.hex_digits(4) {
                Some(trail) if (0xDC00..0xE000).contains(&trail) => {
                    return Some(0x1_0000 + ((lead - 0xD800) << 10) + (trail - 0xDC00));
                }
                _ => self.rest = before,
            }
        }
        Some(lead)
    }

    fn open_group(&mut self) -> Option<()> {
        let mut flags = self.flags();
        let opening = if !self.eat("?") {
            "("
        } else if let Some(look) = ["=", "!", "<=", "<!"]
            .into_iter()
            .find(|look| self.eat(look))
        {
            self.regex.push_str("(?");
            look
        } else if self.eat("<") {
            // Names are replaced by numbers: they may repeat in ECMA-262, but not in the engine.
            self.until('>')?;
            "("
        } else {
            self.modifiers(&mut flags)?
        };
        self.regex.push_str(opening);
        self.frames.push(Frame {
            flags,
            ..Frame::default()
        });
        Some(())
    }

    /// `ims-ims:` after the question mark of a group.
    fn modifiers(&mut self, flags: &mut Flags) -> Option<&'static str> {
        let mut ignore_case = None;
        let mut on = true;
        for flag in self.until(':')?.chars() {
            match flag {
                '-' => on = false,
                's' => flags.dot_all = on,
                'm' => flags.multiline = on,
                'i' => ignore_case = Some(on),
                _ => return None,
            }
        }
        Some(match ignore_case {
            None => "(?:",
            Some(true) => "(?i:",
            Some(false) => "(?-i:",
        })
    }

    fn close_group(&mut self) -> Option<()> {
        let group = self.frames.pop()?;
        self.regex.push(')');
        self.weigh(group.weight.saturating_add(2))
    }

    fn quantifier(&mut self, symbol: char, times: u64) -> Option<()> {
        self.regex.push(symbol);
        self.repeat(times)
    }

    /// `{n}`, `{n,}` or `{n,m}`.
    fn counted_quantifier(&mut self) -> Option<()> {
        let bounds = self.until('}')?;
        let (least, most) = bounds.split_once(',').unwrap_or((bounds, bounds));
        let times = if most.is_empty() { least } else { most };
        write!(self.regex, "{{{bounds}}}").ok()?;
        // A number that overflows has the same effect as any other excessive number.
        self.repeat(times.parse().unwrap_or(u64::MAX))
    }

    fn repeat(&mut self, times: u64) -> Option<()> {
        if self.eat("?") {
            self.regex.push('?');
        }
        let frame = self.frames.last_mut()?;
        let more = frame.last.saturating_mul(times.saturating_sub(1));
        frame.weight = frame.weight.saturating_add(more);
        Some(())
    }

    fn class(&mut self) -> Option<()> {
        let mut class = Class::new(self.eat("^"));
        while !self.eat("]") {
            match self.class_member()? {
                Member::Named(ranges, negated) => class.add_all(ranges, negated)?,
                Member::Property(property) => class.add_property(&property),
                Member::Character(first) => {
                    let last = self.range_end(first)?;
                    class.add(first, last)?;
                }
            }
        }
        self.write_class(class)
    }

    /// The end of the range that starts at `first`; `first` itself if it is not a range.
    fn range_end(&mut self, first: u32) -> Option<u32> {
        let follows = self.rest.as_str();
        if !follows.starts_with('-') || follows.starts_with("-]") {
            return Some(first);
        }
        self.rest.next();
        match self.class_member()? {
            Member::Character(last) => Some(last),
            _ => None,
        }
    }

    fn class_member(&mut self) -> Option<Member> {
        let character = self.rest.next()?;
        if character != '\\' {
            return Some(Member::Character(u32::from(character)));
        }
        let escaped = self.rest.next()?;
        if let Some((ranges, negated)) = class::named(escaped) {
            return Some(Member::Named(ranges, negated));
        }
        match escaped {
            'b' => Some(Member::Character(0x08)),
            'p' | 'P' => self.property(escaped).map(Member::Property),
            other => self.character_escape(other).map(Member::Character),
        }
    }
}

/// One member of a class.
enum Member {
    Character(u32),
    /// `\d` and similar, and whether it is negated.
    Named(Ranges, bool),
    Property(String),
}

/// The names of the capturing groups of a pattern, in order; empty for unnamed groups.
fn group_names(pattern: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = pattern.chars();
    let mut in_class = false;
    while let Some(character) = rest.next() {
        match character {
            '\\' => drop(rest.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => names.extend(group_name(rest.as_str())),
            _ => {}
        }
    }
    names
}

/// The name of the group that starts at `inside`; empty for an unnamed group, `None` for a non-capturing one.
fn group_name(inside: &str) -> Option<&str> {
    let Some(special) = inside.strip_prefix('?') else {
        return Some("");
    };
    let named = special.strip_prefix('<')?;
    let (name, _) = named.split_once('>')?;
    (!named.starts_with(['=', '!'])).then_some(name)
}
