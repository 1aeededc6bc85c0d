//! Questions about rows, part by part.
//!
//! Also without rows a question is asked once, so that what is wrong with it is told.

use crate::rows::PythonTable;
use crate::work::InterruptibleParts;
use pelton::{Batch, Circuit, Result};
use std::ops::Range;

/// The logarithm of each row's probability, given the row of the same number of evidence.
pub fn conditionals(
    circuit: &Circuit,
    rows: &PythonTable,
    evidence: &PythonTable,
    parts: &InterruptibleParts<'_>,
    logs: &mut [f64],
) -> Result<()> {
    let n_rows = rows.n_rows();
    if n_rows != evidence.n_rows() {
        // The library says what is wrong.
        return pair(
            circuit,
            (rows, 0..n_rows),
            (evidence, 0..evidence.n_rows()),
            logs,
        );
    }
    parts.each(n_rows.max(1), |part| {
        let part = part.start..part.end.min(n_rows);
        let logs = &mut logs[part.clone()];
        pair(circuit, (rows, part.clone()), (evidence, part), logs)
    })
}

/// The logarithm of each row's probability, given an event.
pub fn conditionals_given(
    circuit: &Circuit,
    rows: &PythonTable,
    given: &str,
    parts: &InterruptibleParts<'_>,
    logs: &mut [f64],
) -> Result<()> {
    let n_rows = rows.n_rows();
    parts.each(n_rows.max(1), |part| {
        let part = part.start..part.end.min(n_rows);
        let found = rows.with(part.clone(), |batch| {
            circuit.log_conditional_given(batch, given)
        })?;
        logs[part].copy_from_slice(&found);
        Ok(())
    })
}

type PythonTableSlice<'a> = (&'a PythonTable, Range<usize>);

fn pair(
    circuit: &Circuit,
    rows: PythonTableSlice<'_>,
    evidence: PythonTableSlice<'_>,
    logs: &mut [f64],
) -> Result<()> {
    rows.0.with(rows.1, |rows| {
        let given = |given: &Batch<'_>| circuit.log_conditional_into(rows, given, logs);
        evidence.0.with(evidence.1, given)
    })
}

/// Asks about all rows, part by part; what is found is added to what was.
pub fn by_parts<T: Default>(
    rows: &PythonTable,
    parts: &InterruptibleParts<'_>,
    mut ask: impl FnMut(&Batch<'_>, &mut T) -> Result<()>,
) -> Result<T> {
    let (mut all, n_rows) = (T::default(), rows.n_rows());
    parts.each(n_rows.max(1), |part| {
        let part = part.start..part.end.min(n_rows);
        rows.with(part, |batch| ask(batch, &mut all))
    })?;
    Ok(all)
}

pub fn widths(circuit: &Circuit) -> Result<Vec<usize>> {
    let none = circuit.marginals(&Batch::nothing(0), "")?;
    let variables = 0..circuit.variables().len();
    Ok(variables.map(|at| none.n_numbers(at)).collect())
}

/// Fills places with samples of all variables.
pub fn samples(
    circuit: &Circuit,
    seed: u64,
    given: &str,
    parts: &InterruptibleParts<'_>,
    values: &mut [f64],
) -> Result<()> {
    let n_variables = circuit.variables().len();
    let n_samples = values.len() / n_variables.max(1);
    parts.each(n_samples.max(1), |part| {
        let part = part.start..part.end.min(n_samples);
        let place = part.start * n_variables..part.end * n_variables;
        let own = circuit.sample_range(part, seed, given)?;
        values[place].copy_from_slice(&own.values);
        Ok(())
    })
}
