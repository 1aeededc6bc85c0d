//! `pelton moments`

use super::asked;
use crate::Failure;
use crate::arguments::{Messages, Moments};
use crate::exit::Exit;
use crate::number::shown_number;
use pelton_compiler::circuit::{Circuit, Domain};
use pelton_grammar::diagnostic::counted;
use pelton_runtime::information::{Summary, VariableMoments, mentioned, summary};
use serde_json::{Value, json};
use std::io::Write;

/// Prints means and variances.
pub fn run(options: &Moments, messages: &Messages) -> Result<Exit, Failure> {
    let asked = match asked(&options.model, &options.reading, &[], messages)? {
        Ok(asked) => asked,
        Err(exit) => return Ok(exit),
    };
    let circuit = asked.checked.circuit();
    let values = circuit.start_values();
    let parts = match asked.given(&options.given, messages)? {
        Ok(parts) => parts,
        Err(exit) => return Ok(exit),
    };
    let found = summary(circuit, &values, &parts, options.covariance);
    let found = found.map_err(|error| asked.failure(error, messages))?;
    note_categories(circuit, messages);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match (options.json, &found.covariance) {
        (true, Some(matrix)) => writeln!(out, "{}", matrix_json(circuit, &found, matrix))?,
        (true, None) => {
            for own in &found.variables {
                writeln!(out, "{}", to_json(circuit, own))?;
            }
        }
        (false, _) => tell(circuit, &found, &mut out)?,
    }
    out.flush()?;
    Ok(Exit::Ok)
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

/// A number, or null if it is not finite.
fn number(value: f64) -> Value {
    match value.is_finite() {
        true => json!(value),
        false => Value::Null,
    }
}

fn to_json(circuit: &Circuit, own: &VariableMoments) -> Value {
    json!({
        "variable": circuit.variable(own.variable).name,
        "mean": number(own.mean),
        "variance": number(own.variance),
        "sd": number(own.variance.sqrt()),
    })
}

fn matrix_json(circuit: &Circuit, found: &Summary, matrix: &[Vec<f64>]) -> Value {
    let all = || found.variables.iter();
    let rows = matrix
        .iter()
        .map(|row| row.iter().map(|&x| number(x)).collect::<Vec<_>>());
    json!({
        "variables": all().map(|own| circuit.variable(own.variable).name.as_str()).collect::<Vec<_>>(),
        "mean": all().map(|own| number(own.mean)).collect::<Vec<_>>(),
        "variance": all().map(|own| number(own.variance)).collect::<Vec<_>>(),
        "covariance": rows.collect::<Vec<_>>(),
    })
}

fn tell(circuit: &Circuit, found: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
    let name = |own: &VariableMoments| circuit.variable(own.variable).name.clone();
    let width = found
        .variables
        .iter()
        .map(|own| name(own).chars().count())
        .max();
    let width = width.unwrap_or(0).max("variable".len());
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
