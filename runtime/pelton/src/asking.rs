//! Questions about events, single variables and completions.

use crate::{Answer, Batch, Circuit, Completions, Error, Marginals, Result, Samples};
use pelton_compiler::circuit::Event;
use pelton_runtime::query::{
    self, CircuitSampler, MapOptions, ProbabilityKind, RowAnswer, RowSampling, ask, ask_given,
    most_probable,
};
use std::ops::Range;

/// Samples that are drawn at a time.
const CHUNK: usize = 1 << 16;

impl Circuit {
    /// Answers a question such as `P(rain | wet, temp <= 10)` exactly, in double precision.
    pub fn query(&self, question: &str) -> Result<Answer> {
        let circuit = self.compiled.checked.circuit();
        let asked = ask(circuit, question)?;
        answered(
            question,
            query::answer(circuit, self.values(), &asked).row(),
        )
    }

    /// Answers a question for each row, given also what the row has observed. Where that
    /// is impossible, the logarithm is not a number.
    pub fn query_rows(&self, question: &str, batch: &Batch<'_>) -> Result<Vec<Answer>> {
        let asked = ask(self.compiled.checked.circuit(), question)?;
        let table = self.table(batch)?;
        let (model, threads) = (&self.compiled.model, self.threads());
        let answers = query::answer_rows(model, &self.parameters, &[asked], &table, threads);
        let rows = answers.into_iter().flatten().map(|own| match own.log {
            Err(query::QueryFailure::ImpossibleGiven) => Ok(Answer {
                log: f64::NAN,
                is_density: false,
            }),
            _ => answered(question, own),
        });
        rows.collect()
    }

    /// What every variable is, given what each row has observed and an event such as
    /// `wet, temp <= 10` (the empty text is none). [`Batch::nothing`] asks without rows.
    ///
    /// ```
    /// use pelton::{Batch, Circuit, Posterior};
    ///
    /// let circuit = Circuit::compile("var rain, wet : bool;
    ///     root 0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2);")?;
    /// let marginals = circuit.marginals(&Batch::nothing(1), "wet")?;
    /// let Posterior::Probabilities(rain) = marginals.of(0, 0) else { unreachable!() };
    /// assert!((rain[1] - 0.27 / 0.41).abs() < 1e-6);
    /// # Ok::<(), pelton::Error>(())
    /// ```
    pub fn marginals(&self, evidence: &Batch<'_>, given: &str) -> Result<Marginals> {
        let (event, table) = (self.event(given)?, self.table(evidence)?);
        let (model, threads) = (&self.compiled.model, self.threads());
        let found = query::marginals(model, &self.parameters, &event, &table, threads);
        let found = found.map_err(|gap| Error::gap(given, gap))?;
        Ok(Marginals { found })
    }

    /// The most probable values of what each row has not observed, given an event.
    ///
    /// Exact where the circuit is deterministic and where completions are few; else the
    /// best of those that were tried, see [`Completions::is_exact`].
    pub fn map(&self, evidence: &Batch<'_>, given: &str) -> Result<Completions> {
        let (event, table) = (self.event(given)?, self.table(evidence)?);
        let options = MapOptions {
            threads: self.threads(),
            ..MapOptions::default()
        };
        let model = &self.compiled.model;
        let found = most_probable(model, &self.parameters, &event, &table, &options);
        let found = found.map_err(|gap| Error::gap(given, gap))?;
        let n_variables = self.variables().len();
        let mut all = Completions {
            values: Vec::with_capacity(found.len() * n_variables),
            logs: Vec::with_capacity(found.len()),
            is_exact: Vec::with_capacity(found.len()),
            n_variables,
        };
        for own in found {
            all.logs.push(own.as_ref().map_or(f64::NAN, |own| own.log));
            all.is_exact
                .push(own.as_ref().is_none_or(|own| own.is_exact));
            all.values
                .extend(own.map_or_else(|| vec![f64::NAN; n_variables], |own| own.values));
        }
        Ok(all)
    }

    /// Draws samples of all variables, given an event. They depend on the seed alone; the
    /// first ones of many are those of few.
    pub fn sample(&self, n_samples: usize, seed: u64, given: &str) -> Result<Samples> {
        self.sample_range(0..n_samples, seed, given)
    }

    /// The samples of these numbers: the same as [`Circuit::sample`] draws, of which many
    /// can be had in parts.
    pub fn sample_range(&self, range: Range<usize>, seed: u64, given: &str) -> Result<Samples> {
        let event = self.event(given)?;
        let n_variables = self.variables().len();
        let mut values = reserved(range.len(), n_variables)?;
        let model = &self.compiled.model;
        let sampler = CircuitSampler::new(model, &self.parameters, &event);
        let sampler = sampler.map_err(|gap| Error::gap(given, gap))?;
        let mut done = range.start;
        while done < range.end {
            let end = range.end.min(done.saturating_add(CHUNK));
            let table = sampler.draw(done..end, seed, self.threads());
            table.append_assignments(model.circuit(), &mut values);
            done = end;
        }
        Ok(Samples {
            values,
            n_variables,
        })
    }

    /// Draws `n_each` samples for each row of what goes with what it has observed, given
    /// an event; the samples of a row stand together.
    pub fn sample_rows(
        &self,
        evidence: &Batch<'_>,
        n_each: usize,
        seed: u64,
        given: &str,
    ) -> Result<Samples> {
        let (event, table) = (self.event(given)?, self.table(evidence)?);
        let n_variables = self.variables().len();
        let n_samples = table.n_rows().saturating_mul(n_each);
        let mut values = reserved(n_samples, n_variables)?;
        let options = RowSampling {
            n_each,
            seed,
            first_row: 0,
            threads: self.threads(),
        };
        let model = &self.compiled.model;
        let found = query::sample_rows(model, &self.parameters, &event, &table, &options);
        for row in found.map_err(|gap| Error::gap(given, gap))? {
            match row {
                Some(samples) => values.extend(samples.into_iter().flatten()),
                None => values.resize(values.len() + n_each * n_variables, f64::NAN),
            }
        }
        Ok(Samples {
            values,
            n_variables,
        })
    }

    /// What is given, read from text.
    pub(crate) fn event(&self, given: &str) -> Result<Event> {
        Ok(ask_given(self.compiled.checked.circuit(), given)?)
    }
}

/// The answer to a question, or why there is none.
fn answered(question: &str, own: RowAnswer) -> Result<Answer> {
    let log = own.log.map_err(|gap| Error::gap(question, gap))?;
    let is_density = own.kind == ProbabilityKind::Density;
    Ok(Answer { log, is_density })
}

/// Room for so many samples, if there is any.
fn reserved(n_samples: usize, n_variables: usize) -> Result<Vec<f64>> {
    let mut values = Vec::new();
    let n_values = n_samples.checked_mul(n_variables);
    let has_room = n_values.is_some_and(|n| values.try_reserve_exact(n).is_ok());
    if has_room {
        Ok(values)
    } else {
        Err(Error::usage(format!(
            "there is no memory for {n_samples} samples of {n_variables} variables"
        )))
    }
}
