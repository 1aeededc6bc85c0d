//! What regularization gains in deterministic circuits.

mod given;
mod measure;
mod subsample;

use super::dataset::Dataset;
use super::halt::Halt;
use super::part::{Part, provenance, provenance_json};
use super::piece::{Piece, ResultStore};
use super::rounding::{down, gain, shown};
use super::spread::mean;
use measure::{METHODS, measure, options};
use pelton_cli::CommandResult;
use pelton_cli::plot::{Chart, ChartSeries, SeriesForm};
use pelton_grammar::diagnostic::thousands;
use serde_json::{Value as Json, json};

/// Learns Chow-Liu trees, and circuits that are given, from all rows and from fewer, which
/// overfit more, with every way to regularize.
pub fn run(datasets: &[Dataset], store: &mut ResultStore) -> Result<Part, Halt> {
    let mut results = Vec::new();
    for (at, dataset) in datasets.iter().enumerate() {
        let place = format!(
            "deterministic {}/{} {}",
            at + 1,
            datasets.len(),
            dataset.name
        );
        let given = given::find(store.options.circuits.as_deref(), dataset)?;
        let given = given.as_deref();
        let piece = Piece {
            dataset,
            folder: "deterministic",
            name: dataset.name.clone(),
            options: options(given, store)?,
            uses_test: true,
        };
        let work = |store: &ResultStore| measure(dataset, given, &place, store);
        let result = store.result(&piece, work)?;
        results.push(result);
        let part = part(datasets, &results, store);
        part.write(store)?;
    }
    draw(&results, store)?;
    Ok(part(datasets, &results, store))
}

/// What a method gains over pseudocounts in a circuit; none if a row is impossible.
fn gained(circuit: &Json, method: &str) -> Option<f64> {
    let test = |name: &str| circuit["methods"][name]["test_ll"].as_f64();
    Some(test(method)? - test(METHODS[0].name)?)
}

/// The circuits of a result.
fn circuits(result: &Json) -> impl Iterator<Item = &Json> {
    result["circuits"].as_array().into_iter().flatten()
}

/// The names of methods that are compared with the first.
fn others() -> impl Iterator<Item = &'static str> {
    METHODS[1..].iter().map(|method| method.name)
}

fn draw(results: &[Json], store: &ResultStore) -> CommandResult<()> {
    let series = others().enumerate().map(|(color, method)| {
        let points = results.iter().flat_map(circuits).filter_map(|circuit| {
            let overfitting = circuit["overfitting"].as_f64()?;
            Some((overfitting, gained(circuit, method)?))
        });
        ChartSeries {
            name: method.to_string(),
            points: points.collect(),
            color,
            form: SeriesForm::Points,
            ..ChartSeries::default()
        }
    });
    let chart = Chart {
        title: "Deterministic circuits: gain over pseudocounts alone".to_string(),
        x_label: "degree of overfitting".to_string(),
        y_label: "gain in test log-likelihood".to_string(),
        y_min: None,
        series: series.collect(),
    };
    store.write(&store.path("", "deterministic.svg"), &chart.to_svg())
}

fn part(datasets: &[Dataset], results: &[Json], store: &ResultStore) -> Part {
    let mut markdown = "# Deterministic circuits: what regularization gains\n\n\
                        | data set | circuit | rows | overfitting | pseudocount, test LL | softening \
                        | entropy | both |\n\
                        |---|---|--:|--:|--:|--:|--:|--:|\n"
        .to_string();
    for (dataset, result) in datasets.iter().zip(results) {
        markdown.extend(circuits(result).map(|circuit| line(&dataset.name, circuit)));
    }
    markdown += &totals(results);
    markdown += "\nThe degree of overfitting is (validation - train) / validation under pseudocount \
                 1. Gains are over the best pseudocount; softening and entropy have pseudocount 1. All \
                 is tuned by validation; likelihoods and gains are rounded down.\n\n";
    markdown += &provenance(results.iter(), store);
    let named = datasets.iter().zip(results);
    let named = named
        .map(|(dataset, result)| json!({"data_set": dataset.name, "circuits": result["circuits"]}));
    let json = json!({
        "data_sets": named.collect::<Vec<_>>(),
        "provenance": provenance_json(results.iter(), store),
    });
    Part {
        name: "deterministic",
        markdown,
        json,
    }
}

fn line(name: &str, circuit: &Json) -> String {
    let rows = circuit["rows"].as_u64().unwrap_or_default() as usize;
    let plain = circuit["methods"][METHODS[0].name]["test_ll"].as_f64();
    let plain = plain.map_or("-inf".to_string(), |mean| shown(down(mean)));
    let gains = others().map(|method| gained(circuit, method).map_or("-inf".into(), gain));
    let structure = match circuit["structure"].as_str() {
        Some("clt") | None => "Chow-Liu tree",
        Some(file) => file,
    };
    let overfitting = circuit["overfitting"].as_f64();
    let overfitting = overfitting.map_or(String::new(), |degree| format!("{degree:.4}"));
    format!(
        "| {name} | {structure} | {} | {overfitting} | {plain} | {} |\n",
        thousands(rows),
        gains.collect::<Vec<String>>().join(" | "),
    )
}

/// The mean of each method, and how often it gains anything.
fn totals(results: &[Json]) -> String {
    let total = |method| {
        let gains = results.iter().flat_map(circuits);
        let gains: Vec<f64> = gains
            .filter_map(|circuit| gained(circuit, method))
            .collect();
        let n_risen = gains.iter().filter(|gain| **gain > 0.0).count();
        let mean = mean(&gains).map_or(String::new(), gain);
        format!("{mean} ({n_risen} of {} gain)", gains.len())
    };
    let totals: Vec<String> = others().map(total).collect();
    format!("| mean |  |  |  |  | {} |\n", totals.join(" | "))
}
