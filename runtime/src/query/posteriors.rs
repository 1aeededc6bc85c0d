//! All single-variable posteriors at once.

use super::QueryFailure;
use super::boxes::given_boxes;
use super::overlay::BoxOverlay;
use crate::data::Table;
use crate::model::{Model, Parameters, Posteriors, divide};
use pelton_compiler::circuit::Event;

/// What each variable is, given an event and what each row has observed.
///
/// Costs one pass up and one down a row for each box of what is given. A row whose
/// evidence is impossible has a logarithm of -inf; others have that of the probability, or
/// density, of what is given and observed.
pub fn marginals(
    model: &Model,
    parameters: &Parameters,
    given: &Event,
    table: &Table,
    threads: usize,
) -> Result<Posteriors, QueryFailure> {
    let mut all: Option<Posteriors> = None;
    for part in given_boxes(model.circuit(), given)? {
        let overlay = BoxOverlay::new(model.circuit(), table, &part);
        let parameters = parameters.within(overlay.within.clone());
        let mut found = model.posteriors(&parameters, &overlay.table, threads);
        for row in (0..table.n_rows()).filter(|&row| !overlay.is_possible(row)) {
            found.forbid(row);
        }
        match &mut all {
            Some(all) => all.mix(&found),
            None => all = Some(found),
        }
    }
    let mut all = all.ok_or_else(|| QueryFailure::of_given(given))?;
    // Where there is no mass, all rows are impossible, whatever they are divided by.
    divide(&mut all.logs, model.log_mass(parameters).unwrap_or(0.0));
    Ok(all)
}
