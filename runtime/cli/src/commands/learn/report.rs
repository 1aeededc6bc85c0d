//! What is printed of a structure.

use crate::number::shown_number;
use crate::progress::shown_time;
use pelton_grammar::diagnostic::counted;
use pelton_runtime::structure::{LearnedStructure, SearchTrial};
use serde_json::Value as Json;
use std::io::{Result, Write};
use std::time::Duration;

/// Prints what is known of a structure that was found, with its parameters, in this time.
pub fn print(structure: &LearnedStructure, time: Duration, out: &mut dyn Write) -> Result<()> {
    let report = &structure.report;
    let Some(search) = &report.search else {
        let time = shown_time(report.time);
        return writeln!(out, "{}, found in {time}\n", report.summary);
    };
    print_trials(&search.trials, out)?;
    let members = search.trials.iter().filter(|trial| trial.weight > 0.0);
    let (n_trials, members, time) = (
        counted(search.trials.len(), "trial", "trials"),
        counted(members.count(), "of them is", "of them are"),
        shown_time(time),
    );
    let end = if structure.is_cancelled {
        "; the search was interrupted"
    } else {
        ""
    };
    writeln!(
        out,
        "{n_trials} in {time}; {members} in the ensemble{end}\n"
    )
}

/// A table with a line for each trial.
fn print_trials(trials: &[SearchTrial], out: &mut dyn Write) -> Result<()> {
    let mut lines: Vec<Vec<(&str, String)>> = trials.iter().map(cells).collect();
    let names = lines.first().into_iter().flatten();
    let header = names.map(|(name, _)| (*name, name.to_string())).collect();
    lines.insert(0, header);
    let width = |at: usize| lines.iter().map(|line| line[at].1.len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    for line in &lines {
        let cells = line.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|((_, cell), width)| format!("{cell:>width$}"))
            .collect();
        writeln!(out, "{}", cells.join("  "))?;
    }
    Ok(())
}

/// What a line of the table shows, under which names.
fn cells(trial: &SearchTrial) -> Vec<(&'static str, String)> {
    let choices = trial.choices.iter().filter(|(name, _)| *name != "seed");
    let shown = |value: &Json| value.as_str().map_or(value.to_string(), str::to_string);
    let mut cells: Vec<_> = choices.map(|(name, value)| (*name, shown(value))).collect();
    let time = Duration::try_from_secs_f64(trial.seconds).unwrap_or_default();
    cells.extend([
        ("train", shown_number(trial.train.mean)),
        ("valid", shown_number(trial.valid.mean)),
        ("time", shown_time(time)),
        ("weight", format!("{:.3}", trial.weight)),
    ]);
    cells
}
