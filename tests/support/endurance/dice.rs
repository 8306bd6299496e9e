//! Reproducible random numbers.

use std::ops::Range;

/// A pseudo-random sequence, determined by its seed (`SplitMix64`).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Starts another sequence, which depends on this one.
    #[must_use]
    pub fn split(&mut self) -> Self {
        Self(self.roll())
    }

    /// Any number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from a non-empty range.
    pub fn number(&mut self, range: Range<u64>) -> u64 {
        range.start + self.roll() % (range.end - range.start).max(1)
    }

    /// A random item, unless there are none.
    pub fn one_of<T>(&mut self, mut some: impl ExactSizeIterator<Item = T>) -> Option<T> {
        let length = u64::try_from(some.len()).unwrap_or(u64::MAX);
        if length == 0 {
            return None;
        }
        some.nth(usize::try_from(self.number(0..length)).unwrap_or(0))
    }

    /// Returns `true` with a probability of one in `times`.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.number(0..times) == 0
    }
}
