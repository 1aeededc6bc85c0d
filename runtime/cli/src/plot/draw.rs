//! Writes a chart as SVG.

use super::ticks::Axis;
use super::{Chart, ChartSeries, SeriesForm};
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;
/// Height of a line of the legend.
const LINE: f64 = 20.0;
/// About the width of a character of the legend.
const CHARACTER: f64 = 6.6;

/// Colors that remain distinct for eyes that see few of them (Okabe and Ito).
const COLORS: [&str; 6] = [
    "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];

/// The chart as SVG.
pub(super) fn draw(chart: &Chart) -> String {
    let frame = PlotFrame::of(chart);
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = frame.write(chart, &mut svg);
    svg
}

/// The axes and where they lie.
struct PlotFrame {
    x: Axis,
    y: Axis,
}

impl PlotFrame {
    fn of(chart: &Chart) -> Self {
        let points = || chart.series.iter().flat_map(|series| &series.points);
        let bands = || chart.series.iter().flat_map(|series| &series.band);
        let is_shown = |y: &f64| chart.y_min.is_none_or(|low| *y >= low);
        let edges = bands().flat_map(|place| [place.1, place.2]);
        let y = points().map(|point| point.1).chain(edges).filter(is_shown);
        let x = points().map(|point| point.0);
        let x = Axis::holding(x.chain(bands().map(|place| place.0)), 8);
        let has_dots = chart.series.iter().any(is_dotted);
        PlotFrame {
            // A line may end at the frame, a dot would be cut.
            x: if has_dots { x.padded(0.03) } else { x },
            y: Axis::holding(y, 6).padded(0.04),
        }
    }

    /// Where a point is drawn.
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let left = LEFT + self.x.share(x) * (WIDTH - LEFT - RIGHT);
        let top = HEIGHT - BOTTOM - self.y.share(y) * (HEIGHT - TOP - BOTTOM);
        (left, top)
    }

    fn write(&self, chart: &Chart, svg: &mut String) -> std::fmt::Result {
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">"
        )?;
        writeln!(
            svg,
            "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>"
        )?;
        self.write_axes(svg)?;
        self.write_labels(chart, svg)?;
        self.write_lines(chart, svg)?;
        self.write_legend(chart, svg)?;
        writeln!(svg, "</svg>")
    }

    fn write_axes(&self, svg: &mut String) -> std::fmt::Result {
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        for (x, text) in self.x.ticks() {
            let (at, below) = (self.place((x, self.y.low)).0, bottom + 18.0);
            writeln!(
                svg,
                "<path d=\"M{at:.1} {bottom}v5\" stroke=\"#555\"/>\
                 <text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\" fill=\"#333\">{text}</text>"
            )?;
        }
        for (y, text) in self.y.ticks() {
            let (at, before) = (self.place((self.x.low, y)).1, LEFT - 8.0);
            let middle = at + 4.0;
            writeln!(
                svg,
                "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#e4e4e4\"/>\
                 <text x=\"{before}\" y=\"{middle:.1}\" text-anchor=\"end\" fill=\"#333\">{text}</text>"
            )?;
        }
        writeln!(
            svg,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#555\"/>"
        )
    }

    fn write_labels(&self, chart: &Chart, svg: &mut String) -> std::fmt::Result {
        let (center, middle) = ((LEFT + WIDTH - RIGHT) / 2.0, (TOP + HEIGHT - BOTTOM) / 2.0);
        let below = HEIGHT - 14.0;
        writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"26\" font-size=\"16\" fill=\"#111\">{}</text>\n\
             <text x=\"{center}\" y=\"{below}\" text-anchor=\"middle\" fill=\"#333\">{}</text>\n\
             <text transform=\"translate(18 {middle}) rotate(-90)\" text-anchor=\"middle\" \
             fill=\"#333\">{}</text>",
            escaped(&chart.title),
            escaped(&chart.x_label),
            escaped(&chart.y_label),
        )
    }

    fn write_lines(&self, chart: &Chart, svg: &mut String) -> std::fmt::Result {
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        writeln!(
            svg,
            "<clipPath id=\"inside\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" \
             height=\"{height}\"/></clipPath>\n<g clip-path=\"url(#inside)\">"
        )?;
        // Bands lie behind all lines. What is not finite cuts either into pieces.
        for series in &chart.series {
            let is_finite = |place: &(f64, f64, f64)| {
                [place.0, place.1, place.2]
                    .iter()
                    .all(|number| number.is_finite())
            };
            for piece in series.band.split(|place| !is_finite(place)) {
                self.write_band(series, piece, svg)?;
            }
        }
        for series in &chart.series {
            let pieces = series
                .points
                .split(|(x, y)| !x.is_finite() || !y.is_finite());
            for piece in pieces {
                if is_dotted(series) {
                    for &point in piece {
                        let (x, y) = self.place(point);
                        writeln!(svg, "{}", dot(series, x, y))?;
                    }
                } else {
                    self.write_shape(("polyline", &stroke(series)), piece.iter().copied(), svg)?;
                }
            }
        }
        writeln!(svg, "</g>")?;
        self.write_marks(chart, svg)
    }

    fn write_marks(&self, chart: &Chart, svg: &mut String) -> std::fmt::Result {
        for series in &chart.series {
            let is_shown = |mark: &(f64, f64)| mark.1 >= self.y.low;
            if let Some(mark) = series.mark.filter(is_shown) {
                let ((x, y), color) = (self.place(mark), color(series));
                writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"white\" \
                     stroke=\"{color}\" stroke-width=\"2\"/>"
                )?;
            }
        }
        Ok(())
    }

    /// Along the upper edge of a band, and along the lower one back.
    fn write_band(
        &self,
        series: &ChartSeries,
        piece: &[(f64, f64, f64)],
        svg: &mut String,
    ) -> std::fmt::Result {
        let upper = piece.iter().map(|&(x, _, high)| (x, high));
        let lower = piece.iter().rev().map(|&(x, low, _)| (x, low));
        let fill = format!("fill=\"{}\" fill-opacity=\"0.18\"", color(series));
        self.write_shape(("polygon", &fill), upper.chain(lower), svg)
    }

    /// A line or a polygon, unless it has no points.
    fn write_shape(
        &self,
        (shape, style): (&str, &str),
        points: impl Iterator<Item = (f64, f64)>,
        svg: &mut String,
    ) -> std::fmt::Result {
        let mut points = points.map(|point| self.place(point)).peekable();
        if points.peek().is_none() {
            return Ok(());
        }
        write!(svg, "<{shape} {style} points=\"")?;
        points.try_for_each(|(x, y)| write!(svg, "{x:.1},{y:.1} "))?;
        writeln!(svg, "\"/>")
    }

    /// The legend stands where the lines leave most room: in the lower or the
    /// upper right corner.
    fn write_legend(&self, chart: &Chart, svg: &mut String) -> std::fmt::Result {
        let longest = chart
            .series
            .iter()
            .map(|series| series.name.chars().count());
        let width = 52.0 + CHARACTER * longest.max().unwrap_or(0) as f64;
        let height = LINE * chart.series.len() as f64 + 10.0;
        let left = WIDTH - RIGHT - 8.0 - width;
        let (high, low) = (TOP + 8.0, HEIGHT - BOTTOM - 8.0 - height);
        // The corner that holds fewer points; the lower one if they are alike.
        let crowd = |top: f64| {
            let points = chart.series.iter().flat_map(|series| &series.points);
            let places = points.map(|&point| self.place(point));
            let inside = places.filter(|&(x, y)| x > left && y > top && y < top + height);
            inside.count()
        };
        let top = if crowd(low) <= crowd(high) { low } else { high };
        writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             rx=\"4\" fill=\"white\" fill-opacity=\"0.9\" stroke=\"#ccc\"/>"
        )?;
        for (at, series) in chart.series.iter().enumerate() {
            let middle = top + 5.0 + LINE * (at as f64 + 0.5);
            let (start, end) = (left + 8.0, left + 36.0);
            let sample = if is_dotted(series) {
                dot(series, (start + end) / 2.0, middle)
            } else {
                format!(
                    "<path d=\"M{start:.1} {middle:.1}H{end:.1}\" {}/>",
                    stroke(series)
                )
            };
            writeln!(
                svg,
                "{sample}<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#111\">{}</text>",
                end + 8.0,
                middle + 4.0,
                escaped(&series.name),
            )?;
        }
        Ok(())
    }
}

fn is_dotted(series: &ChartSeries) -> bool {
    series.form == SeriesForm::Points
}

fn dot(series: &ChartSeries, x: f64, y: f64) -> String {
    let color = color(series);
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{color}\" fill-opacity=\"0.75\"/>"
    )
}

/// The color of a series.
fn color(series: &ChartSeries) -> &'static str {
    COLORS[series.color % COLORS.len()]
}

fn stroke(series: &ChartSeries) -> String {
    let dashes = if series.is_dashed {
        " stroke-dasharray=\"6 4\""
    } else {
        ""
    };
    let color = color(series);
    format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" stroke-linejoin=\"round\"{dashes}")
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
