//! Bars as SVG. What they say is beside them as text, too.

use formalize_core::summary::Count;
use maud::{Markup, html};

use crate::language::Language;

/// The height of the tallest bar of a chart, in its units.
const HEIGHT: u64 = 100;
/// The height of a bar that is hardly visible, and of those without a number.
const LEAST: u64 = 2;
/// With fewer places, a chart is not as wide as its part of the page.
const FEW: u64 = 6;
/// What a bar of a share is wide if it is all, in its units.
const WHOLE: u64 = 1000;

/// A bar that stands on the axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bar {
    /// Where it is, in widths of bars from the first place.
    pub(super) place: u64,
    pub(super) count: Count,
}

/// Bars beside each other, with the greatest number, and texts for the ends of the axis.
pub(super) fn columns(
    language: Language,
    name: &str,
    bars: &[Bar],
    ends: [Markup; 2],
    is_histogram: bool,
) -> Markup {
    let places = bars.iter().map(|bar| bar.place).max();
    let places = places.map_or(0, |last| last.saturating_add(1));
    let most = bars.iter().filter_map(|bar| bar.count.number()).max();
    let (most, width) = (most.unwrap_or_default(), places.saturating_mul(10));
    // Bars that are alone among many places can still be seen.
    let (narrowest, gap) = (width.div_ceil(400), if is_histogram { 0 } else { 2 });
    let is_withheld = bars.iter().any(|bar| bar.count.number().is_none());
    let [first, last] = ends;
    html! {
        figure.chart.few[places < FEW] {
            @if most > 0 { div.most aria-hidden="true" { (most) } }
            svg role="img" aria-label=(language.say_with("chart", &[("name", name)])) preserveAspectRatio="none"
                viewBox={ "0 0 " (width) " " (HEIGHT) } {
                @for bar in bars {
                    @let height = height(bar.count, most);
                    rect.withheld[bar.count.number().is_none()] x=(bar.place.saturating_mul(10).saturating_add(gap / 2)) y=(HEIGHT.saturating_sub(height))
                        width=(10_u64.saturating_sub(gap).max(narrowest)) height=(height) {}
                }
            }
            div.axis aria-hidden="true" {
                span { (first) }
                @if places > 1 { span { (last) } }
            }
            @if is_withheld { figcaption { (language.say("chart.withheld")) } }
        }
    }
}

fn height(count: Count, most: u64) -> u64 {
    match count.number() {
        Some(0) => 0,
        Some(number) => scaled(number, most, HEIGHT).max(LEAST),
        None => LEAST.saturating_mul(4),
    }
}

/// A bar as long as a part of all. It is below its text.
pub(super) fn share(count: Count, all: u64) -> Markup {
    let length = count
        .number()
        .map_or(0, |number| scaled(number, all, WHOLE).min(WHOLE));
    html! {
        svg.share aria-hidden="true" preserveAspectRatio="none" viewBox={ "0 0 " (WHOLE) " 10" } {
            rect.whole width=(WHOLE) height="10" {}
            rect width=(length) height="10" {}
        }
    }
}

/// A part of a whole of another size, rounded.
pub(super) fn scaled(part: u64, whole: u64, size: u64) -> u64 {
    let product = part.saturating_mul(size).saturating_add(whole / 2);
    product.checked_div(whole).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_in_proportion_and_visible() {
        let heights = |number| height(Count::Number(number), 1000);
        assert_eq!([0, 1, 500, 1000].map(heights), [0, LEAST, 50, HEIGHT]);
        assert_eq!(height(Count::Below(5), 0), height(Count::Withheld, 1000));
    }

    #[test]
    fn parts_are_rounded() {
        assert_eq!(scaled(1, 3, 100), 33);
        assert_eq!(scaled(2, 3, 100), 67);
        assert_eq!(scaled(3, 0, 100), 0);
    }
}
