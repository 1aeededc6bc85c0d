//! What questions cost, as ratios within one run.
//!
//! `cargo bench -p pelton-tests --bench queries`, or with `-- rows`, `samples` or
//! `completions` one part of it. The unit is the likelihood of complete
//! rows, in one thread, of four hidden Chow-Liu trees with 12 states and 69 variables.
//! Ratios compare measurements of the same minute and are what to look at.

use pelton_compiler::circuit::Event;
use pelton_compiler::kernel::Precision;
use pelton_runtime::data::{Column, MISSING_SMALL, Table};
use pelton_runtime::query::{
    CircuitSampler, MapOptions, answer_rows, ask, ask_given, marginals, most_probable,
};
use pelton_runtime::{Model, ModelOptions, Parameters};
use pelton_tests::dice::Dice;
use pelton_tests::measure::fastest;
use pelton_workload::{self as workload, SEED};
use std::time::Duration;

const ROWS: usize = 100_000;
const SAMPLES: usize = 1_000_000;

fn main() {
    let checked = workload::checked(workload::hclt(69, 4, 12, SEED));
    let model = Model::compile(checked, &ModelOptions::default()).expect("the engine runs here");
    let parameters = model.start_parameters();
    let complete = workload::rows(model.circuit(), ROWS, SEED);
    let subject = Subject {
        gaps: with_gaps(&complete),
        complete,
        model,
        parameters,
    };
    let only = std::env::args()
        .nth(1)
        .filter(|name| !name.starts_with('-'));
    let is_asked = |name: &str| only.as_deref().is_none_or(|only| only == name);
    if is_asked("rows") {
        subject.rows();
    }
    if is_asked("samples") {
        subject.samples();
    }
    if is_asked("completions") {
        completions(&subject.gaps);
    }
}

struct Subject {
    model: Model,
    parameters: Parameters,
    complete: Table,
    /// The same rows with half of their cells missing, each by chance.
    gaps: Table,
}

impl Subject {
    fn rows(&self) {
        let (model, parameters) = (&self.model, &self.parameters);
        let likelihood = |table: &Table| drop(model.log_likelihoods(parameters, table, 1));
        let unit = fastest(3, || likelihood(&self.complete));
        let nothing = Event::And(Vec::new());
        let names: Vec<&str> = (model.circuit().variables().iter())
            .map(|variable| variable.name.as_str())
            .collect();
        let query = ask(model.circuit(), &format!("P({} | {})", names[0], names[1]));
        let query = [query.expect("the names are the circuit's")];
        println!("{:<28} {:>12} {:>8}", "question", "ns a row", "ratio");
        let tell = |name: &str, time: Duration| {
            let nanoseconds = time.as_secs_f64() * 1e9 / ROWS as f64;
            let ratio = time.as_secs_f64() / unit.as_secs_f64();
            println!("{name:<28} {nanoseconds:>12.0} {ratio:>8.2}");
        };
        tell("likelihood", unit);
        tell(
            "likelihood, missing cells",
            fastest(3, || likelihood(&self.gaps)),
        );
        tell(
            "conditional",
            fastest(3, || {
                drop(answer_rows(model, parameters, &query, &self.gaps, 1));
            }),
        );
        tell(
            "all posteriors",
            fastest(3, || {
                drop(marginals(model, parameters, &nothing, &self.gaps, 1));
            }),
        );
    }

    fn samples(&self) {
        let circuit = self.model.circuit();
        let text = format!(
            "{}, !{}",
            circuit.variables()[3].name,
            circuit.variables()[7].name
        );
        let given = ask_given(circuit, &text).expect("the names are the circuit's");
        let time = fastest(2, || {
            let sampler = CircuitSampler::new(&self.model, &self.parameters, &given);
            let sampler = sampler.expect("both values are possible");
            drop(sampler.draw(0..SAMPLES, SEED, 1));
        });
        println!("\n{SAMPLES} conditional samples in one thread: {time:.2?}");
    }
}

/// Completions in double precision, as `pelton map` computes them.
fn completions(gaps: &Table) {
    let checked = workload::checked(workload::hclt(69, 4, 12, SEED));
    let options = ModelOptions {
        precision: Precision::F64,
        ..ModelOptions::default()
    };
    let model = Model::compile(checked, &options).expect("the engine runs here");
    let (parameters, table) = (model.start_parameters(), gaps.slice(0..ROWS / 10));
    let nothing = Event::And(Vec::new());
    let map_options = MapOptions {
        samples: 0,
        threads: 1,
        ..MapOptions::default()
    };
    let unit = fastest(10, || drop(model.log_likelihoods(&parameters, &table, 1)));
    let max = fastest(10, || drop(model.completions(&parameters, &table, 1)));
    let scored = fastest(3, || {
        drop(most_probable(
            &model,
            &parameters,
            &nothing,
            &table,
            &map_options,
        ));
    });
    let ratio = |time: Duration| time.as_secs_f64() / unit.as_secs_f64();
    println!(
        "max-product completions in double precision: {:.2} of the likelihood there",
        ratio(max)
    );
    println!("most probable, scored by likelihood: {:.2}", ratio(scored));
}

fn with_gaps(table: &Table) -> Table {
    let mut dice = Dice::new(SEED);
    let columns = table.columns().iter().map(|column| match column {
        Column::Small(cells) => Column::Small(
            cells
                .iter()
                .map(|&cell| if dice.chance(50) { MISSING_SMALL } else { cell })
                .collect(),
        ),
        other => other.clone(),
    });
    Table::new(table.n_rows(), columns.collect())
}
