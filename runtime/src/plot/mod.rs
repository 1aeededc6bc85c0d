//! Line charts as SVG, for curves of learning.
//!
//! A [`Chart`] is plain data; [`Chart::to_svg`] writes a picture that needs no
//! other program: axes with round numbers, a legend, a white background.

mod draw;
mod ticks;

/// A chart of lines.
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
    /// The lines.
    pub series: Vec<Series>,
}

/// A line through points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Points from left to right. One that is not finite interrupts the line.
    pub points: Vec<(f64, f64)>,
    /// Which color it has. Lines of one color belong together.
    pub color: usize,
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
            series: vec![Series {
                name: "train".to_string(),
                points,
                ..Series::default()
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
    fn there_is_a_picture_of_nothing_and_of_one_point() {
        for points in [vec![], vec![(1.0, 5.0)], vec![(0.0, f64::INFINITY)]] {
            let svg = chart(points).to_svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
