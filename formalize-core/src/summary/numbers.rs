//! Histograms of numbers that are not known beforehand, in limited memory.

use std::collections::BTreeMap;

use super::{Bin, Count, NumberSummary, Summary, told};

/// The maximum number of fine bins. The bins of a summary are wider than these: they have at least a twentieth of the range,
/// and this many fine bins are in a hundredth of it at most.
const MAX_FINE: usize = 200;

/// Numbers below this have all their fine bins in an `i64`, and are exact as a float.
const MAX_KEY: f64 = 1e15;

/// Numbers that were added up.
#[derive(Debug)]
pub(super) struct Numbers {
    count: u64,
    mean: f64,
    least: f64,
    greatest: f64,
    /// The width of fine bins, as a power of ten.
    exponent: i32,
    /// How many numbers are in each fine bin, by its lower bound in widths.
    fine: BTreeMap<i64, u64>,
}

impl Numbers {
    /// None yet. If all of them will be whole, no bin is narrower than 1.
    pub(super) fn new(are_whole: bool) -> Self {
        Self {
            count: 0,
            mean: 0.0,
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
            exponent: if are_whole { 0 } else { -9 },
            fine: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, number: f64) {
        self.count = self.count.saturating_add(1);
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let count = self.count as f64;
        // Differences of huge numbers would overflow.
        self.mean += number / count - self.mean / count;
        self.least = self.least.min(number);
        self.greatest = self.greatest.max(number);
        while scaled(number, self.exponent).abs() >= MAX_KEY {
            self.coarsen();
        }
        let key = key(scaled(number, self.exponent));
        let bin = self.fine.entry(key).or_default();
        *bin = bin.saturating_add(1);
        while self.fine.len() > MAX_FINE {
            self.coarsen();
        }
    }

    /// Makes the fine bins ten times as wide.
    fn coarsen(&mut self) {
        self.exponent = self.exponent.saturating_add(1);
        self.fine = grouped(&self.fine, 10);
    }

    pub(super) fn summary(&self, others: u64, minimum: u64) -> NumberSummary {
        let (bins, counts) = self.bins();
        let numbers: Vec<u64> = counts.iter().copied().chain([others]).collect();
        let mut told = told(&numbers, minimum).into_iter();
        let bins = bins.into_iter().zip(&mut told);
        let bins = bins.map(|((from, to), count)| Bin { from, to, count });
        let is_told = self.count >= minimum.max(1);
        let statistic = |number| Some(number).filter(|_| is_told);
        NumberSummary {
            bins: bins.collect(),
            others: told.next().unwrap_or(Count::Number(others)),
            least: statistic(self.least),
            greatest: statistic(self.greatest),
            mean: statistic(self.mean.clamp(self.least, self.greatest.max(self.least))),
        }
    }

    /// The bounds of the bins, and how many numbers are in each.
    fn bins(&self) -> (Vec<(f64, f64)>, Vec<u64>) {
        let mut exponent = self.exponent;
        let mut fine = self.fine.clone();
        let is_one = self.fine.len() == 1;
        // One bin needs no narrow bounds.
        while is_one && exponent < 0 {
            exponent = exponent.saturating_add(1);
            fine = grouped(&fine, 10);
        }
        loop {
            for multiple in [1, 2, 5] {
                let bins = grouped(&fine, multiple);
                let (Some((first, _)), Some((last, _))) =
                    (bins.first_key_value(), bins.last_key_value())
                else {
                    return (Vec::new(), Vec::new());
                };
                let keys = *first..=*last;
                if last.abs_diff(*first) < Summary::MAX_BINS as u64 {
                    let bound = |key: i64| unscaled(key.saturating_mul(multiple), exponent);
                    let bounds = |key| (bound(key), bound(key.saturating_add(1)));
                    let count = |key| bins.get(&key).copied().unwrap_or_default();
                    return (
                        keys.clone().map(bounds).collect(),
                        keys.map(count).collect(),
                    );
                }
            }
            exponent = exponent.saturating_add(1);
            fine = grouped(&fine, 10);
        }
    }
}

/// Bins that are this many times as wide.
fn grouped(bins: &BTreeMap<i64, u64>, multiple: i64) -> BTreeMap<i64, u64> {
    let mut wide: BTreeMap<i64, u64> = BTreeMap::new();
    for (key, count) in bins {
        let bin = wide.entry(key.div_euclid(multiple)).or_default();
        *bin = bin.saturating_add(*count);
    }
    wide
}

/// A number in units of a power of ten.
fn scaled(number: f64, exponent: i32) -> f64 {
    match exponent {
        0.. => number / 10_f64.powi(exponent),
        _ => number * 10_f64.powi(exponent.saturating_neg()),
    }
}

fn unscaled(key: i64, exponent: i32) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "keys are below 1e15")]
    let key = key as f64;
    match exponent {
        0.. => key * 10_f64.powi(exponent),
        _ => key / 10_f64.powi(exponent.saturating_neg()),
    }
}

/// The whole number at or below a number. What is less than rounding off away from the next one is that one: `0.29` in units
/// of 0.01 is 29.
fn key(scaled: f64) -> i64 {
    let nearest = scaled.round();
    let is_near = (scaled - nearest).abs() <= scaled.abs() * (4.0 * f64::EPSILON);
    let key = if is_near { nearest } else { scaled.floor() };
    #[expect(clippy::cast_possible_truncation, reason = "it is below 1e15")]
    let key = key as i64;
    key
}
