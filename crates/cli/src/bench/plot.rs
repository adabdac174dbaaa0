//! Time against memory, a panel for each number of scalars.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::measure::{LENGTHS, Measured};
use frumious_app::failure::Failure;

/// The picture as SVG. A curve joins the tables of the same `t`.
pub fn draw(tables: &[Measured]) -> Result<String, Failure> {
    let mut svg = String::new();
    let drawn = {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        draw_panels(&area, tables)
    };
    drawn
        .map(|()| svg)
        .map_err(|error| Failure::bad_input(format!("the plot: {error}")))
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type DrawError<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

fn draw_panels<'a>(area: &Area<'a>, tables: &[Measured]) -> Result<(), DrawError<'a>> {
    area.fill(&WHITE)?;
    let titled = area.titled(
        "Commitments through tables: microseconds against MiB, by number of scalars n",
        ("sans-serif", 22),
    )?;
    for (place, panel) in titled.split_evenly((3, 3)).iter().enumerate() {
        draw_panel(panel, place, tables)?;
    }
    area.present()
}

/// The commitments to `LENGTHS[place]` scalars; memory on a logarithmic axis.
fn draw_panel<'a>(
    panel: &Area<'a>,
    place: usize,
    tables: &[Measured],
) -> Result<(), DrawError<'a>> {
    let point = |table: &Measured| (table.mib(), table.rows[place].time.as_secs_f64() * 1e6);
    let points = || tables.iter().map(point);
    let mut chart = ChartBuilder::on(panel)
        .caption(format!("n = {}", LENGTHS[place]), ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(24)
        .y_label_area_size(44)
        .build_cartesian_2d(
            range(points().map(|point| point.0)).log_scale(),
            0.0..points().map(|point| point.1).fold(1.0, f64::max) * 1.1,
        )?;
    chart
        .configure_mesh()
        .x_labels(6)
        .y_labels(6)
        .x_label_formatter(&|mib| short(*mib))
        .y_label_formatter(&|time| short(*time))
        .light_line_style(WHITE)
        .draw()?;
    for (index, curve) in tables
        .chunk_by(|left, right| curve(left) == curve(right))
        .enumerate()
    {
        let colour = Palette99::pick(index).to_rgba();
        let series = LineSeries::new(curve.iter().map(point), colour.stroke_width(2)).point_size(3);
        chart
            .draw_series(series)?
            .label(self::curve(&curve[0]))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], colour.stroke_width(2)));
    }
    if place == 0 {
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
    }
    Ok(())
}

/// The name up to the comma: what tables of a curve have in common.
fn curve(table: &Measured) -> &str {
    let name = &table.candidate.name;
    name.split(',').next().unwrap_or(name)
}

/// From a little below the least to a little above the greatest.
fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (least, greatest) = values
        .fold((f64::MAX, f64::MIN_POSITIVE), |(least, greatest), value| {
            (least.min(value), greatest.max(value))
        });
    // A plot of one value has a width too.
    least / 1.2..greatest * 1.2
}

/// Two digits, without an exponent.
fn short(value: f64) -> String {
    if value >= 10.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.1}")
    }
}

/// Width and height in pixels.
const SIZE: (u32, u32) = (1500, 1200);
