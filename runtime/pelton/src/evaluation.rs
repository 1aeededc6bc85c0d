//! Likelihoods of rows.

use crate::{Batch, Circuit, Error, Result};
use pelton_runtime::data::Table;
use pelton_runtime::query::log_conditionals;

impl Circuit {
    /// The natural logarithm of the probability, or density, of what each row has
    /// observed; missing cells are summed out. Impossible rows have -∞.
    ///
    /// ```
    /// use pelton::{Batch, Circuit};
    ///
    /// let circuit = Circuit::compile("var rain, wet : bool;
    ///     root 0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2);")?;
    /// let cells = [1.0, 1.0, f64::NAN, 1.0];
    /// let logs = circuit.log_likelihood(&Batch::new(&cells, 2, 2))?;
    /// assert!((logs[0].exp() - 0.27).abs() < 1e-6 && (logs[1].exp() - 0.41).abs() < 1e-6);
    /// # Ok::<(), pelton::Error>(())
    /// ```
    pub fn log_likelihood(&self, batch: &Batch<'_>) -> Result<Vec<f64>> {
        let mut logs = vec![0.0; batch.n_rows()];
        self.log_likelihood_into(batch, &mut logs)?;
        Ok(logs)
    }

    /// The logarithm of the circuit's mass: 0 if it is normalized. All answers are divided by
    /// the mass; only the likelihoods of a circuit that counts (all leaves are indicators, all
    /// weights are 1) are not, which are numbers of models. The likelihood of a row and this
    /// add up to the logarithm of the circuit's value. An error where the mass is zero or
    /// infinite.
    ///
    /// ```
    /// use pelton::{Batch, Circuit};
    ///
    /// let circuit = Circuit::compile("var sky : {clear, cloudy, storm};
    ///     root 0.5: [sky = clear] + 0.5: [sky != clear];")?;
    /// assert!((circuit.log_mass()?.exp() - 1.5).abs() < 1e-12);
    /// let logs = circuit.log_likelihood(&Batch::new(&[0.0], 1, 1))?;
    /// assert!((logs[0].exp() - 1.0 / 3.0).abs() < 1e-6);
    /// # Ok::<(), pelton::Error>(())
    /// ```
    pub fn log_mass(&self) -> Result<f64> {
        Ok(self.compiled.model.log_mass(&self.parameters)?)
    }

    /// The same as [`Circuit::log_likelihood`] into a buffer of the caller, with a place for
    /// each row. Once a few batches have been evaluated, no buffers for rows are allocated any
    /// more. After an error nothing is known of what the buffer holds.
    pub fn log_likelihood_into(&self, batch: &Batch<'_>, logs: &mut [f64]) -> Result<()> {
        check_places(batch, logs)?;
        let compiled = &*self.compiled;
        let bound = compiled.reader.bind(batch)?;
        let parameters = &self.parameters;
        let threads = self.threads();
        let model = &compiled.model;
        let log_divisor = model.log_divisor(parameters)?;
        model.log_likelihoods_into(parameters, &bound, threads, logs)?;
        // Taking 0 away changes no bit, and costs a pass over the rows.
        if log_divisor != 0.0 {
            logs.iter_mut().for_each(|log| *log -= log_divisor);
        }
        Ok(())
    }

    /// The logarithm of the probability, or density, of what each row has observed, given
    /// what the row of the same number of `evidence` has observed.
    ///
    /// -∞ where a row contradicts its evidence; not a number where the evidence is
    /// impossible. A variable that both observe alike counts as evidence.
    pub fn log_conditional(&self, batch: &Batch<'_>, evidence: &Batch<'_>) -> Result<Vec<f64>> {
        let mut logs = vec![0.0; batch.n_rows()];
        self.log_conditional_into(batch, evidence, &mut logs)?;
        Ok(logs)
    }

    /// The same into a buffer of the caller, with a place for each row.
    pub fn log_conditional_into(
        &self,
        batch: &Batch<'_>,
        evidence: &Batch<'_>,
        logs: &mut [f64],
    ) -> Result<()> {
        check_places(batch, logs)?;
        if batch.n_rows() != evidence.n_rows() {
            return Err(Error::usage(format!(
                "there are {} rows, and evidence for {}",
                batch.n_rows(),
                evidence.n_rows()
            )));
        }
        // log P(row, evidence) - log P(evidence).
        let given = self.table(evidence)?;
        let both = self.table(batch)?.laid_over(&given);
        let (model, threads) = (&self.compiled.model, self.threads());
        let of = |table: &Table| model.row_logs(&self.parameters, table, threads);
        let (log_both, log_given) = (of(&both.table), of(&given));
        for (row, log) in logs.iter_mut().enumerate() {
            *log = match log_given[row] {
                given if given.is_zero() => f64::NAN,
                _ if both.contradicts[row] => f64::NEG_INFINITY,
                given => log_both[row].over(given),
            };
        }
        Ok(())
    }

    /// The logarithm of the probability, or density, of what each row has observed, given an
    /// event such as `wet, temp <= 10`.
    ///
    /// -∞ where a row contradicts the event; not a number where that is impossible.
    pub fn log_conditional_given(&self, batch: &Batch<'_>, given: &str) -> Result<Vec<f64>> {
        let (event, table) = (self.event(given)?, self.table(batch)?);
        let (model, threads) = (&self.compiled.model, self.threads());
        let logs = log_conditionals(model, &self.parameters, &event, &table, threads);
        logs.map_err(|gap| Error::gap(given, gap))
    }

    /// The rows of a batch, checked.
    pub(crate) fn table(&self, batch: &Batch<'_>) -> Result<Table> {
        Ok(self.compiled.reader.table(batch)?)
    }
}

fn check_places(batch: &Batch<'_>, logs: &[f64]) -> Result<()> {
    if batch.n_rows() == logs.len() {
        Ok(())
    } else {
        Err(Error::usage(format!(
            "there are {} places for the results of {} rows",
            logs.len(),
            batch.n_rows()
        )))
    }
}
