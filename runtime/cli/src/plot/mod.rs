//! Charts as SVG, for curves of learning: lines, points, and bands around lines.
//!
//! A [`Chart`] is plain data; [`Chart::to_svg`] writes a picture that needs no
//! other program: axes with round numbers, a legend, a white background.

mod draw;
mod ticks;

/// A chart of lines and points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Stands above it.
    pub title: String,
    /// What the horizontal axis counts.
    pub x_label: String,
    /// What the vertical axis measures.
    pub y_label: String,
    /// Nothing below this is shown; a line that falls below it leaves the chart.
    pub y_min: Option<f64>,
    /// What is drawn, the first below the others.
    pub series: Vec<ChartSeries>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SeriesForm {
    /// As a line through them.
    #[default]
    Line,
    /// As a dot each; those that are not finite are left out.
    Points,
}

/// A line through points, or the points alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartSeries {
    /// Its name in the legend.
    pub name: String,
    /// Points from left to right. One that is not finite interrupts the line.
    pub points: Vec<(f64, f64)>,
    /// Which color it has. Lines of one color belong together.
    pub color: usize,
    /// How they are drawn.
    pub form: SeriesForm,
    /// A band around them, such as mean ± deviation: x, and from where to where it
    /// goes. One that is not finite interrupts it.
    pub band: Vec<(f64, f64, f64)>,
    /// Whether the line is dashed.
    pub is_dashed: bool,
    /// A point that is marked by a dot.
    pub mark: Option<(f64, f64)>,
}

impl Chart {
    /// The chart as an SVG file.
    pub fn to_svg(&self) -> String {
        draw::draw(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>) -> Chart {
        Chart {
            title: "a < b & c".to_string(),
            series: vec![ChartSeries {
                name: "train".to_string(),
                points,
                ..ChartSeries::default()
            }],
            ..Chart::default()
        }
    }

    #[test]
    fn texts_are_escaped() {
        let svg = chart(vec![(1.0, -2.0), (2.0, -1.0)]).to_svg();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("a &lt; b &amp; c"), "{svg}");
    }

    #[test]
    fn what_is_not_finite_interrupts_a_line() {
        let points = vec![
            (1.0, 1.0),
            (2.0, 2.0),
            (3.0, f64::NAN),
            (4.0, 1.0),
            (5.0, 3.0),
        ];
        let svg = chart(points).to_svg();
        assert_eq!(svg.matches("<polyline").count(), 2, "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn points_are_dots_without_a_line() {
        let mut chart = chart(vec![(1.0, 1.0), (2.0, f64::NAN), (3.0, 2.0)]);
        chart.series[0].form = SeriesForm::Points;
        let svg = chart.to_svg();
        assert_eq!(svg.matches("<polyline").count(), 0, "{svg}");
        // Two in the chart and one in the legend.
        assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
        assert!(!svg.contains("NaN"), "{svg}");
    }

    /// A band is one shape from the first point to the last and back, and the chart is
    /// large enough for it.
    #[test]
    fn bands_are_drawn_behind_their_lines() {
        let mut chart = chart(vec![(0.0, 1.0), (1.0, 2.0)]);
        let narrow = chart.to_svg();
        chart.series[0].band = vec![
            (0.0, -9.0, 9.0),
            (1.0, -9.0, 9.0),
            (2.0, f64::NAN, 9.0),
            (3.0, 0.0, 1.0),
            (4.0, 0.0, 1.0),
        ];
        let svg = chart.to_svg();
        assert_eq!(svg.matches("<polygon").count(), 2, "{svg}");
        let (band, line) = (svg.find("<polygon"), svg.find("<polyline"));
        assert!(band < line, "{svg}");
        assert!(
            !narrow.contains(">\u{2212}5<") && svg.contains(">\u{2212}5<"),
            "{svg}"
        );
        assert!(!svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn there_is_a_picture_of_nothing_and_of_one_point() {
        for points in [vec![], vec![(1.0, 5.0)], vec![(0.0, f64::INFINITY)]] {
            let svg = chart(points).to_svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
