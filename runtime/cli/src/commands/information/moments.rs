//! `pelton moments`

use super::{Asked, asked};
use crate::arguments::{Messages, Moments};
use crate::asking::{check_stream, json_number};
use crate::exit::Exit;
use crate::mass::Mass;
use crate::number::shown_number;
use crate::stream::{Reply, serve};
use crate::{Failure, report};
use pelton_compiler::circuit::{Circuit, Domain};
use pelton_grammar::diagnostic::counted;
use pelton_runtime::query::given_boxes;
use pelton_runtime::query::{Summary, VariableMoments, mentioned, summary};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Prints means and variances.
pub fn run(options: &Moments, messages: &Messages) -> Result<Exit, Failure> {
    check_stream(&options.model, options.stream)?;
    let asked = asked(&options.model, &options.reading, &[], messages)?;
    Mass::noted(&asked.checked, messages);
    let circuit = asked.checked.circuit();
    if options.stream {
        return stream(&asked, options, messages);
    }
    let values = circuit.start_values();
    let parts = asked.given(&options.given, messages)?;
    let found = summary(circuit, &values, &parts, options.covariance);
    let found = found.map_err(|error| asked.failure(error, messages))?;
    note_categories(circuit, messages);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match (options.json, &found.covariance) {
        (true, Some(matrix)) => {
            let object = matrix_json(circuit, &found, matrix);
            writeln!(out, "{}", Value::Object(object))?;
        }
        (true, None) => {
            for own in &found.variables {
                let name = json!(circuit.variable(own.variable).name);
                let mut line = Map::from_iter([("variable".to_string(), name)]);
                line.extend(moments_json(own));
                writeln!(out, "{}", Value::Object(line))?;
            }
        }
        (false, _) => tell(circuit, &found, &mut out)?,
    }
    out.flush()?;
    Ok(Exit::Ok)
}

/// Answers requests.
fn stream(own: &Asked, options: &Moments, messages: &Messages) -> Result<Exit, Failure> {
    let otherwise = own.event(&options.given, messages)?;
    let circuit = own.checked.circuit();
    let values = circuit.start_values();
    note_categories(circuit, messages);
    serve(circuit, &["given"], |asked| {
        let given = asked.request.given(circuit, &otherwise)?;
        let parts = given_boxes(circuit, &given)?;
        let found = summary(circuit, &values, &parts, options.covariance);
        let found = found.map_err(|error| own.failure(error, messages))?;
        let fields = match &found.covariance {
            Some(matrix) => matrix_json(circuit, &found, matrix),
            None => {
                let all = found.variables.iter().map(|own| {
                    let name = circuit.variable(own.variable).name.clone();
                    (name, Value::Object(moments_json(own)))
                });
                let all = Value::Object(all.collect());
                Map::from_iter([("moments".to_string(), all)])
            }
        };
        Ok(vec![Reply::new(fields)])
    })
}

/// Categories have no mean; it is said once that they are left out.
fn note_categories(circuit: &Circuit, messages: &Messages) {
    let is_category =
        |variable: &&_| matches!(circuit.variable(**variable).domain, Domain::Categories(_));
    let n = mentioned(circuit).iter().filter(is_category).count();
    if n > 0 {
        let variables = counted(n, "variable has", "variables have");
        crate::report::note(
            &format!("{variables} categories, which have no moments"),
            messages,
        );
    }
}

fn moments_json(own: &VariableMoments) -> Map<String, Value> {
    let (mean, variance) = (own.mean, own.variance);
    let fields = [
        ("mean", mean),
        ("variance", variance),
        ("sd", variance.sqrt()),
    ];
    let fields = fields.map(|(key, value)| (key.to_string(), json_number(value)));
    Map::from_iter(fields)
}

fn matrix_json(circuit: &Circuit, found: &Summary, matrix: &[Vec<f64>]) -> Map<String, Value> {
    let all = || found.variables.iter();
    let numbers = |row: &[f64]| row.iter().map(|&x| json_number(x)).collect::<Value>();
    let name = |own: &VariableMoments| json!(circuit.variable(own.variable).name);
    let fields = [
        ("variables", all().map(name).collect()),
        ("mean", all().map(|own| json_number(own.mean)).collect()),
        (
            "variance",
            all().map(|own| json_number(own.variance)).collect(),
        ),
        (
            "covariance",
            matrix.iter().map(|row| numbers(row)).collect(),
        ),
    ];
    Map::from_iter(fields.map(|(key, value): (&str, Value)| (key.to_string(), value)))
}

fn tell(circuit: &Circuit, found: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
    let name = |own: &VariableMoments| circuit.variable(own.variable).name.clone();
    let width = found
        .variables
        .iter()
        .map(|own| name(own).chars().count())
        .max();
    let width = width.unwrap_or(0).max("variable".len());
    let out = &mut report::Visible(out);
    writeln!(
        out,
        "{:<width$} {:>14} {:>14} {:>14}",
        "variable", "mean", "variance", "sd"
    )?;
    for own in &found.variables {
        let [mean, variance, sd] = [own.mean, own.variance, own.variance.sqrt()].map(shown_number);
        writeln!(
            out,
            "{:<width$} {mean:>14} {variance:>14} {sd:>14}",
            name(own)
        )?;
    }
    let Some(matrix) = &found.covariance else {
        return Ok(());
    };
    writeln!(out, "\ncovariance")?;
    for (own, row) in found.variables.iter().zip(matrix) {
        write!(out, "{:<width$}", name(own))?;
        for &covariance in row {
            write!(out, " {:>14}", shown_number(covariance))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
