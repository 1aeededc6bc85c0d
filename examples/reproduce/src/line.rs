//! A line of the table: a data set and its runs.

use super::benchmarks::{Printed, printed};
use super::rounding::{down, printed as hundredths};
use super::spread::{deviation, mean, shown_spread};
use pelton_cli::progress::shown_time;
use pelton_grammar::diagnostic::thousands;
use serde_json::{Value as Json, json};
use std::time::Duration;

/// How far below a value a likelihood may be to be near it, as a part of it.
const NEAR: f64 = 0.002;

/// A data set and its runs.
pub struct TableLine<'a> {
    name: &'a str,
    runs: &'a [Json],
    printed: Option<Printed>,
}

/// How a likelihood compares with one in print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    Below,
    /// Below by no more than [`NEAR`].
    Near,
    /// At or above, with the two digits that are printed.
    Reached,
}

impl<'a> TableLine<'a> {
    /// A data set with the results of its runs, of which there is at least one.
    pub fn new(name: &'a str, runs: &'a [Json]) -> Self {
        TableLine {
            name,
            runs,
            printed: printed(name),
        }
    }

    /// What was printed of it, and how that compares.
    pub fn standing(&self, value: fn(&Printed) -> f64) -> Option<(f64, Standing)> {
        let value = value(&self.printed?);
        let own = self.test().map(down);
        let near = (hundredths(value) as f64 * (1.0 + NEAR)).ceil() as i64;
        let standing = match own {
            Some(own) if own >= hundredths(value) => Standing::Reached,
            Some(own) if own >= near => Standing::Near,
            _ => Standing::Below,
        };
        Some((value, standing))
    }

    fn numbers(&self, name: &str) -> Vec<f64> {
        let numbers = self.runs.iter().filter_map(|run| run[name].as_f64());
        numbers.collect()
    }

    /// The mean test likelihood; none if a run makes a test row impossible.
    fn test(&self) -> Option<f64> {
        let all = self.numbers("test_ll");
        mean(&all).filter(|_| all.len() == self.runs.len())
    }

    fn deviation(&self) -> Option<f64> {
        self.test()
            .and_then(|_| deviation(&self.numbers("test_ll")))
    }

    /// Seconds of one seed, on average.
    pub fn seconds(&self) -> f64 {
        mean(&self.numbers("seconds")).unwrap_or_default()
    }

    fn size(&self, name: &str) -> usize {
        let data = &self.runs[0]["data"];
        let found = data["rows"][name].as_u64().or(data[name].as_u64());
        found.unwrap_or_default() as usize
    }

    /// The line in Markdown. Values that are near are marked if `marks_near` says so.
    pub fn markdown(&self, marks_near: bool) -> String {
        let test = match self.test() {
            None => "-inf".to_string(),
            Some(_) => shown_spread(&self.numbers("test_ll")),
        };
        let cell = |value: fn(&Printed) -> f64, marks_near: bool| match self.standing(value) {
            None => String::new(),
            Some((value, Standing::Reached)) => format!("{value:.2} ✓"),
            Some((value, Standing::Near)) if marks_near => format!("{value:.2} ≈"),
            Some((value, _)) => format!("{value:.2}"),
        };
        let time = Duration::try_from_secs_f64(self.seconds()).unwrap_or_default();
        let cells = [
            self.name.to_string(),
            thousands(self.size("variables")),
            thousands(self.size("train")),
            test,
            cell(|printed| printed.paper, false),
            cell(|printed| printed.logs, marks_near),
            cell(|printed| printed.best, false),
            self.printed.map_or("", |printed| printed.whose).to_string(),
            self.runs.len().to_string(),
            shown_time(time),
        ];
        format!("| {} |\n", cells.join(" | "))
    }

    /// The line for programs, with all digits.
    pub fn to_json(&self) -> Json {
        let reached = |value: fn(&Printed) -> f64| {
            let standing = self.standing(value);
            standing.map(|(_, standing)| standing == Standing::Reached)
        };
        let near = self.standing(|printed| printed.logs);
        json!({
            "data_set": self.name,
            "variables": self.size("variables"),
            "rows": self.runs[0]["data"]["rows"],
            "seeds": self.runs.len(),
            "test_ll": self.test(),
            "test_ll_deviation": self.deviation(),
            "test_lls": self.runs.iter().map(|run| &run["test_ll"]).collect::<Vec<_>>(),
            "valid_lls": self.runs.iter().map(|run| &run["valid_ll"]).collect::<Vec<_>>(),
            "train_lls": self.runs.iter().map(|run| &run["train_ll"]).collect::<Vec<_>>(),
            "sum_edges": self.runs.iter().map(|run| &run["sum_edges"]).collect::<Vec<_>>(),
            "seconds_per_seed": self.seconds(),
            "paper": self.printed.map(|printed| printed.paper),
            "paper_logs": self.printed.map(|printed| printed.logs),
            "best_printed": self.printed.map(|printed| printed.best),
            "best_printed_whose": self.printed.map(|printed| printed.whose),
            "reaches_paper": reached(|printed| printed.paper),
            "reaches_paper_logs": reached(|printed| printed.logs),
            "is_near_paper_logs": near.map(|(_, standing)| standing >= Standing::Near),
            "reaches_best_printed": reached(|printed| printed.best),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(test: f64) -> Json {
        json!({
            "test_ll": test,
            "seconds": 2.0,
            "data": {"variables": 69, "rows": {"train": 17412}},
        })
    }

    /// What is shown is what is compared: -14.2601 is not the -14.26 of the paper.
    #[test]
    fn likelihoods_are_compared_as_they_are_shown() {
        let standings = [-14.2599, -14.2601, -14.275, -14.2801].map(|test| {
            let runs = [run(test)];
            let line = TableLine::new("plants", &runs);
            line.standing(|printed| printed.paper).map(|(_, s)| s)
        });
        let (reached, near) = (Some(Standing::Reached), Some(Standing::Near));
        assert_eq!(standings, [reached, near, near, Some(Standing::Below)]);
    }

    #[test]
    fn lines_are_written() {
        let runs = [run(-14.261), run(-14.263)];
        let line = TableLine::new("plants", &runs).markdown(true);
        let expected = "| plants | 69 | 17,412 | -14.27 ± 0.01 | -14.26 | -14.27 ✓ | -12.54 | \
                        ID-SPN | 2 | 2.00 s |\n";
        assert_eq!(line, expected);
        let other = TableLine::new("mine", &runs).markdown(true);
        assert_eq!(
            other,
            "| mine | 69 | 17,412 | -14.27 ± 0.01 |  |  |  |  | 2 | 2.00 s |\n"
        );
    }

    /// The mean of the other rows or runs would look better than it is.
    #[test]
    fn impossible_rows_are_not_left_out() {
        let mut lost = run(-1.0);
        lost["test_ll"] = Json::Null;
        let runs = [run(-14.0), lost];
        let line = TableLine::new("plants", &runs).markdown(true);
        assert!(line.contains("| -inf | -14.26 | -14.27 |"), "{line}");
    }
}
