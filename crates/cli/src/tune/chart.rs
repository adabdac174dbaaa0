//! Everything measured as a chart: a dot for each ratio, a line for its interval, the fastest first.

use plotters::prelude::*;

use super::report::Report;
use frumious_app::failure::Failure;
use frumious_app::tuning::{Measured, Values};

/// The chart as SVG. The usual values are red, those that were chosen green.
pub fn draw(report: &Report) -> Result<String, Failure> {
    let mut svg = String::new();
    let rows = u32::try_from(report.found.measured.len()).unwrap_or(MOST_ROWS);
    let height = HEIGHT + ROW * rows.min(MOST_ROWS);
    let drawn = {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        draw_all(&area, report)
    };
    drawn
        .map(|()| svg)
        .map_err(|error| Failure::bad_input(format!("the chart: {error}")))
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type DrawError<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

fn draw_all<'a>(area: &Area<'a>, report: &Report) -> Result<(), DrawError<'a>> {
    area.fill(&WHITE)?;
    let measured = &report.found.measured;
    let ends = |measured: &Measured| {
        let ratio = &measured.ratio;
        let high = if ratio.high.is_finite() {
            ratio.high
        } else {
            ratio.median
        };
        [
            ratio.median,
            if ratio.low > 0.0 {
                ratio.low
            } else {
                ratio.median
            },
            high,
        ]
    };
    let all = measured.iter().flat_map(ends);
    let (least, most) = all.fold((1.0_f64, 1.0_f64), |(least, most), end| {
        (least.min(end), most.max(end))
    });
    let rows = measured.len() as f64;
    let caption = format!(
        "Time of a proof in the ratio to the usual settings: {}, {}, {} threads",
        report.machine.cpu, report.machine.backend, report.threads
    );
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .build_cartesian_2d(
            least - 0.02..most.min(MOST) + LABELS * (most.min(MOST) - least + 0.04),
            rows..0.0,
        )?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .x_desc("ratio, with its interval of 95% confidence")
        .draw()?;
    chart.draw_series(LineSeries::new([(1.0, 0.0), (1.0, rows)], RED.mix(0.4)))?;
    for (place, measured) in measured.iter().enumerate() {
        let y = place as f64 + 0.5;
        let [median, low, high] = ends(measured).map(|end| end.min(MOST));
        let colour = match &measured.values {
            values if *values == Values::usual() => RED,
            values if *values == report.found.best => RGBColor(0, 128, 0),
            _ => RGBColor(60, 90, 160),
        };
        chart.draw_series(LineSeries::new(
            [(low, y), (high, y)],
            colour.stroke_width(2),
        ))?;
        chart.draw_series([Circle::new((median, y), 3, colour.filled())])?;
        let text = measured.values.describe();
        chart.draw_series([Text::new(
            text,
            (high + 0.004, y - 0.25),
            ("sans-serif", 11),
        )])?;
    }
    area.present()
}

/// Width of the chart, its height without rows, and the height of a row, in pixels.
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 130;
const ROW: u32 = 24;

/// Rows beyond it lie closer together.
const MOST_ROWS: u32 = 400;

/// Ratios above it are drawn there.
const MOST: f64 = 2.0;

/// Room for words to the right of the largest ratio, in parts of the range of ratios.
const LABELS: f64 = 0.9;
