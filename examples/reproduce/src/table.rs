//! The table of test likelihoods.

use super::benchmarks::Printed;
use super::best;
use super::curves;
use super::dataset::Dataset;
use super::halt::Halt;
use super::line::{Standing, TableLine};
use super::paper;
use super::part::{Part, provenance, provenance_json};
use super::piece::{Piece, ResultStore};
use crate::arguments::SettingName;
use pelton_cli::CommandResult;
use pelton_cli::progress::shown_time;
use serde_json::{Value as Json, json};
use std::time::Duration;

/// Runs of each data set if nothing else is asked for.
const N_SEEDS: usize = 3;

/// Runs all data sets with one seed after the other, so that there is soon a whole
/// table. It is written anew after each run.
pub fn run(datasets: &[Dataset], store: &mut ResultStore) -> Result<Part, Halt> {
    let n_seeds = store.options.seeds.unwrap_or(N_SEEDS);
    let mut table = Table {
        setting: store.options.setting,
        datasets,
        runs: vec![Vec::new(); datasets.len()],
        n_seeds,
    };
    for seed in 0..n_seeds as u64 {
        for at in 0..datasets.len() {
            let result = table.run_one(at, seed, store)?;
            table.runs[at].push(result);
            table.part(store).write(store)?;
            table.draw(at, store)?;
        }
    }
    Ok(table.part(store))
}

/// The runs that are done.
struct Table<'a> {
    setting: SettingName,
    datasets: &'a [Dataset],
    /// Of each data set, by seed.
    runs: Vec<Vec<Json>>,
    n_seeds: usize,
}

impl Table<'_> {
    fn run_one(&self, at: usize, seed: u64, store: &mut ResultStore) -> Result<Json, Halt> {
        let (dataset, n_datasets) = (&self.datasets[at], self.datasets.len());
        let name = &dataset.name;
        let place = match self.n_seeds {
            1 => format!("{}/{n_datasets} {name}", at + 1),
            _ => format!("{}/{n_datasets} {name}, seed {seed}", at + 1),
        };
        let piece = Piece {
            dataset,
            folder: self.setting.name(),
            name: format!("{name}-{seed}"),
            options: match self.setting {
                SettingName::Paper => paper::options(seed, store),
                SettingName::Best => best::options(seed, store),
            },
            uses_test: true,
        };
        let n_after = self.n_seeds * n_datasets - (seed as usize * n_datasets + at + 1);
        store.result(&piece, |store| match self.setting {
            SettingName::Paper => paper::run(dataset, seed, place, store),
            SettingName::Best => {
                let budget = store.options.budget;
                let after = budget.saturating_mul(u32::try_from(n_after).unwrap_or(u32::MAX));
                best::run(dataset, seed, (place, after), store)
            }
        })
    }

    /// The curves of a data set.
    fn draw(&self, at: usize, store: &ResultStore) -> CommandResult<()> {
        let (name, runs) = (&self.datasets[at].name, &self.runs[at]);
        let chart = match self.setting {
            SettingName::Paper => curves::of_epochs(name, runs),
            SettingName::Best => curves::of_trials(name, runs),
        };
        let path = store.path(self.setting.name(), &format!("{name}.svg"));
        store.write(&path, &chart.to_svg())
    }

    fn lines(&self) -> Vec<TableLine<'_>> {
        let pairs = self.datasets.iter().zip(&self.runs);
        let done = pairs.filter(|(_, runs)| !runs.is_empty());
        done.map(|(dataset, runs)| TableLine::new(&dataset.name, runs))
            .collect()
    }

    fn part(&self, store: &ResultStore) -> Part {
        Part {
            name: self.setting.name(),
            markdown: self.markdown(store),
            json: self.to_json(store),
        }
    }

    fn n_done(&self) -> usize {
        self.runs.iter().map(Vec::len).sum()
    }

    fn all_runs(&self) -> impl Iterator<Item = &Json> {
        self.runs.iter().flatten()
    }

    fn markdown(&self, store: &ResultStore) -> String {
        let is_paper = self.setting == SettingName::Paper;
        let lines = self.lines();
        let mut text = format!(
            "# Test log-likelihoods, setting `{}`\n\n\
             | data set | variables | rows | test LL | paper | its logs | best printed | whose \
             | seeds | time a seed |\n\
             |---|--:|--:|--:|--:|--:|--:|---|--:|--:|\n",
            self.setting.name()
        );
        text.extend(lines.iter().map(|line| line.markdown(is_paper)));
        text += "\nMeans over seeds, rounded down; standard deviations, rounded up. ✓: at or above \
                 the printed value.";
        if is_paper {
            text += " ≈: below it by at most 0.2 %.";
        }
        text += "\n\n";
        text += &totals(&lines, is_paper);
        let n_runs = self.n_seeds * self.datasets.len();
        if self.n_done() < n_runs {
            text += &format!("* {} of {n_runs} runs are done.\n", self.n_done());
        }
        let seconds = lines.iter().map(TableLine::seconds).sum();
        let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        text += &format!("* Time for one seed: {}.\n", shown_time(time));
        text + &provenance(self.all_runs(), store)
    }

    fn to_json(&self, store: &ResultStore) -> Json {
        let lines = self.lines();
        let count = |value| reached(&lines, value, Standing::Reached);
        let near = reached(&lines, |printed| printed.logs, Standing::Near);
        let mut json = json!({
            "setting": self.setting.name(),
            "lines": lines.iter().map(TableLine::to_json).collect::<Vec<_>>(),
            "runs_done": self.n_done(),
            "runs": self.n_seeds * self.datasets.len(),
            "benchmarks": n_printed(&lines),
            "reach_paper": count(|printed| printed.paper),
            "reach_paper_logs": count(|printed| printed.logs),
            "near_paper_logs": near,
            "reach_best_printed": count(|printed| printed.best),
            "seconds_per_seed": lines.iter().map(TableLine::seconds).sum::<f64>(),
        });
        json["provenance"] = provenance_json(self.all_runs(), store);
        json
    }
}

fn n_printed(lines: &[TableLine]) -> usize {
    let printed = lines.iter().filter_map(|line| line.standing(|p| p.paper));
    printed.count()
}

/// How many lines stand at least so beside a column.
fn reached(lines: &[TableLine], value: fn(&Printed) -> f64, least: Standing) -> usize {
    let standings = lines.iter().filter_map(|line| line.standing(value));
    standings.filter(|(_, standing)| *standing >= least).count()
}

fn totals(lines: &[TableLine], is_paper: bool) -> String {
    let n = n_printed(lines);
    if n == 0 {
        return String::new();
    }
    let count = |value| reached(lines, value, Standing::Reached);
    let paper = count(|printed| printed.paper);
    let logs = count(|printed| printed.logs);
    let best = count(|printed| printed.best);
    let near = if is_paper {
        let near = reached(lines, |printed| printed.logs, Standing::Near);
        format!(" (within 0.2 % or above: {near})")
    } else {
        String::new()
    };
    format!(
        "* At or above the paper's value: {paper} of {n}.\n\
         * At or above its logs at the best validation: {logs} of {n}{near}.\n\
         * At or above the best printed value: {best} of {n}.\n"
    )
}
