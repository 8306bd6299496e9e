//! Plots latency against size.

use std::path::Path;

use formalize_tests::Result;
use plotters::prelude::*;

/// Latencies in milliseconds by size.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<(usize, f64)>,
}

const WIDTH: u32 = 900;
const HEIGHT: u32 = 500;

/// Draws the curves into a file. Both axes are logarithmic, so growth appears as a slope.
pub(crate) fn draw(file: &Path, store: &str, curves: &[Curve]) -> Result<()> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let sizes = points().map(|(size, _)| *size);
    let (smallest, largest) = sizes.fold((usize::MAX, 1), |(low, high), size| {
        (low.min(size), high.max(size))
    });
    let slowest = points().map(|(_, time)| *time).fold(1.0, f64::max);
    let area = SVGBackend::new(file, (WIDTH, HEIGHT)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(
            format!("Time of a list against size, {store}"),
            ("sans-serif", 20),
        )
        .margin(20)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(
            (smallest..largest).log_scale(),
            (0.05..slowest * 10.0).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("records")
        .y_desc("median, ms")
        .draw()?;
    for (curve, colour) in curves.iter().zip([&BLUE, &RED, &GREEN]) {
        let line = LineSeries::new(curve.points.iter().copied(), colour).point_size(3);
        chart
            .draw_series(line)?
            .label(curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE)
        .border_style(BLACK)
        .position(SeriesLabelPosition::UpperLeft)
        .draw()?;
    Ok(area.present()?)
}
