//! Circuits as the package sees them.

use crate::array::ResultArray;
use crate::ask;
use crate::diagnostic;
use crate::error::{self, OrRaise};
use crate::fit::{FitSettings, FitTables, PythonSplits, watched};
use crate::options::{CircuitSettings, choose};
use crate::rows::Rows;
use crate::work::{self, InterruptFlag, InterruptibleParts, TILES};
use pelton::{Answer, Batch, Circuit, Domain, Options, Property, Result, Shared, Verdict};
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::path::PathBuf;
use std::time::Instant;

/// Edges times rows that are evaluated in a moment.
const MOMENT: usize = 20_000_000;
/// Edges times rows of the first part of a long evaluation.
const FIRST_PART: usize = 200_000_000;
/// How much more an edge costs in questions that go up and down.
const QUESTION: usize = 50;

/// A circuit that is shared by threads.
#[pyclass(frozen, module = "pelton._pelton")]
pub struct Core {
    shared: Shared,
    /// Edges and variables: what a row costs.
    cost: usize,
}

/// Variables with their numbers of each row, width of all, and logarithms of evidence.
type MarginalArrays<'py> = (Vec<usize>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Means, variances and covariances.
type MomentArrays<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
);

#[pymethods]
impl Core {
    #[staticmethod]
    fn compile(py: Python<'_>, text: String, settings: CircuitSettings) -> PyResult<Self> {
        Core::made(py, settings, move |options| options.compile(&text))
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, settings: CircuitSettings) -> PyResult<Self> {
        Core::made(py, settings, move |options| options.load(&path))
    }

    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        bytes: PyBackedBytes,
        settings: CircuitSettings,
    ) -> PyResult<Self> {
        Core::made(py, settings, move |options| {
            options.from_bytes("model", &bytes)
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let circuit = self.shared.now();
        let bytes = work::long(py, move |_| circuit.to_bytes())?.or_raise(py)?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let circuit = self.shared.now();
        work::long(py, move |_| circuit.save(&path))?.or_raise(py)
    }

    fn to_source(&self, py: Python<'_>) -> PyResult<String> {
        let circuit = self.shared.now();
        work::long(py, move |_| circuit.to_source())?.or_raise(py)
    }

    fn to_svg(&self, py: Python<'_>) -> PyResult<String> {
        let circuit = self.shared.now();
        work::long(py, move |_| circuit.to_svg())
    }

    /// Name, kind, values of the domain, and column of each variable.
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let all = self.shared.now();
        let fields = all.variables().iter().map(|own| {
            let (kind, categories, bounds) = match &own.domain {
                Domain::Bool => ("bool", None, None),
                Domain::Categories(names) => ("categories", Some(names.to_vec()), None),
                Domain::Range { low, high } => ("range", None, Some((*low, *high))),
                Domain::Nat => ("nat", None, None),
                Domain::Real => ("real", None, None),
            };
            (
                own.name.clone(),
                kind,
                categories,
                bounds,
                own.column.clone(),
            )
        });
        PyList::new(py, fields.collect::<Vec<_>>())
    }

    fn variable(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        self.shared.now().variable(name).or_raise(py)
    }

    /// Which columns of a frame, by position, are variables.
    #[pyo3(name = "frame_columns")]
    fn columns(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Vec<usize>> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.frame_columns(py, &names)
    }

    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let circuit = self.shared.now();
        let all = circuit.diagnostics().iter();
        let all: Vec<Bound<'_, PyDict>> = all
            .map(|own| diagnostic::to_python(py, own))
            .collect::<PyResult<_>>()?;
        PyList::new(py, all)
    }

    /// Units, edges, parameters and free parameters.
    fn size(&self) -> (usize, usize, usize, usize) {
        let own = self.shared.now().size();
        (own.units, own.edges, own.parameters, own.free_parameters)
    }

    /// What is known of a property, and why nothing is.
    fn property(&self, name: &str) -> PyResult<(&'static str, Option<String>)> {
        let all = Property::ALL.map(|own| (own.name(), own));
        let property = choose("a property", name, &all)?;
        Ok(match self.shared.now().property(property) {
            Verdict::Proven => ("proven", None),
            Verdict::Refuted => ("refuted", None),
            Verdict::Unknown(reason) => ("unknown", Some(reason)),
            _ => ("unknown", None),
        })
    }

    fn log_mass(&self, py: Python<'_>) -> PyResult<f64> {
        let circuit = self.shared.now();
        let found = work::brief(py, || circuit.log_mass())?;
        found.or_raise(py)
    }

    fn log_likelihood<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = Rows::read(rows)?;
        let (circuit, n_rows) = (self.shared.now(), rows.n_rows());
        let places = ResultArray::new(py, &[n_rows])?;
        let mut target = places.target();
        if self.is_brief(n_rows, 1) {
            work::brief(py, || {
                let logs = target.numbers();
                rows.with(0..n_rows, |batch| circuit.log_likelihood_into(batch, logs))
            })?
            .or_raise(py)?;
            return Ok(places.array);
        }
        let first = self.first_part(1);
        let done = work::long(py, move |stop| {
            let logs = target.numbers();
            InterruptibleParts { first, stop }.each(n_rows, |part| {
                let logs = &mut logs[part.clone()];
                rows.with(part, |batch| circuit.log_likelihood_into(batch, logs))
            })
        })?;
        done.or_raise(py)?;
        Ok(places.array)
    }

    fn log_conditional<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        evidence: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rows, evidence) = (Rows::read(rows)?, Rows::read(evidence)?);
        let (circuit, n_rows, first) = (self.shared.now(), rows.n_rows(), self.first_part(2));
        self.filled(py, &[n_rows], 2, first, move |parts, logs| {
            ask::conditionals(&circuit, &rows, &evidence, parts, logs)
        })
    }

    /// The same given an event.
    fn log_conditional_given<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        given: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = Rows::read(rows)?;
        let (circuit, n_rows, first) = (self.shared.now(), rows.n_rows(), self.first_part(2));
        self.filled(py, &[n_rows], 2, first, move |parts, logs| {
            ask::conditionals_given(&circuit, &rows, &given, parts, logs)
        })
    }

    /// The logarithm, and whether it is of a density.
    fn query(&self, py: Python<'_>, question: String) -> PyResult<(f64, bool)> {
        let circuit = self.shared.now();
        let found = self.run(py, 1, QUESTION, move |_| circuit.query(&question))?;
        let found = found.or_raise(py)?;
        Ok((found.log, found.is_density))
    }

    fn query_rows<'py>(
        &self,
        py: Python<'py>,
        question: String,
        rows: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Vec<bool>)> {
        let found = self.by_rows(py, rows, move |circuit, batch, all: &mut Vec<Answer>| {
            all.extend(circuit.query_rows(&question, batch)?);
            Ok(())
        })?;
        let logs: Vec<f64> = found.iter().map(|own| own.log).collect();
        let densities = found.iter().map(|own| own.is_density).collect();
        Ok((ResultArray::of(py, &[logs.len()], &logs)?, densities))
    }

    /// Numbers of each variable, all numbers row by row, and logarithms of evidence.
    fn marginals<'py>(
        &self,
        py: Python<'py>,
        evidence: &Bound<'py, PyAny>,
        given: String,
    ) -> PyResult<MarginalArrays<'py>> {
        let widths = ask::widths(&self.shared.now()).or_raise(py)?;
        type Found = (Vec<f64>, Vec<f64>);
        let found = self.by_rows(py, evidence, move |circuit, batch, all: &mut Found| {
            let own = circuit.marginals(batch, &given)?;
            all.0.extend(own.numbers());
            all.1.extend_from_slice(own.log_evidence());
            Ok(())
        })?;
        let (numbers, logs) = found;
        let width = widths.iter().sum();
        let numbers = ResultArray::of(py, &[logs.len(), width], &numbers)?;
        Ok((widths, numbers, ResultArray::of(py, &[logs.len()], &logs)?))
    }

    /// Completions, their logarithms, and whether they are the most probable ones.
    fn map<'py>(
        &self,
        py: Python<'py>,
        evidence: &Bound<'py, PyAny>,
        given: String,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Vec<bool>)> {
        let n_variables = self.shared.now().variables().len();
        type Completed = (Vec<f64>, Vec<f64>, Vec<bool>);
        let found = self.by_rows(py, evidence, move |circuit, batch, all: &mut Completed| {
            let own = circuit.map(batch, &given)?;
            all.0.extend(own.values);
            all.1.extend(own.logs);
            all.2.extend(own.is_exact);
            Ok(())
        })?;
        let (values, logs, exact) = found;
        let values = ResultArray::of(py, &[logs.len(), n_variables], &values)?;
        Ok((values, ResultArray::of(py, &[logs.len()], &logs)?, exact))
    }

    fn sample<'py>(
        &self,
        py: Python<'py>,
        n_samples: usize,
        seed: u64,
        given: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let circuit = self.shared.now();
        let n_variables = circuit.variables().len();
        // Room for all of them is asked for first, and may be refused.
        let shape = [n_samples, n_variables];
        self.filled(py, &shape, QUESTION, TILES, move |parts, values| {
            ask::samples(&circuit, seed, &given, parts, values)
        })
    }

    fn sample_rows<'py>(
        &self,
        py: Python<'py>,
        evidence: &Bound<'py, PyAny>,
        n_each: usize,
        seed: u64,
        given: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let evidence = Rows::read(evidence)?;
        let (circuit, n_rows) = (self.shared.now(), evidence.n_rows());
        let n_variables = circuit.variables().len();
        let n_samples = n_rows.saturating_mul(n_each);
        let found = self.run(py, n_samples, QUESTION, move |_| {
            evidence.with(0..n_rows, |batch| {
                circuit.sample_rows(batch, n_each, seed, &given)
            })
        })?;
        let values = found.or_raise(py)?.values;
        ResultArray::of(py, &[n_rows, n_each, n_variables], &values)
    }

    /// The answer to a question of the table, as an object of JSON; so are its arguments.
    fn ask(
        &self,
        py: Python<'_>,
        question: String,
        arguments: String,
        other: Option<&Core>,
    ) -> PyResult<String> {
        let (circuit, other) = (self.shared.now(), other.map(|own| own.shared.now()));
        let ask = move |_: &InterruptFlag| circuit.ask_json(&question, &arguments, other.as_ref());
        work::long(py, ask)?.or_raise(py)
    }

    fn entropy(&self, py: Python<'_>) -> PyResult<f64> {
        let circuit = self.shared.now();
        work::long(py, move |_| circuit.entropy())?.or_raise(py)
    }

    /// Nats and their standard error.
    fn estimate_entropy(
        &self,
        py: Python<'_>,
        n_samples: usize,
        seed: u64,
    ) -> PyResult<(f64, f64)> {
        let circuit = self.shared.now();
        let found = work::long(py, move |_| circuit.estimate_entropy(n_samples, seed))?;
        let found = found.or_raise(py)?;
        Ok((found.nats, found.standard_error))
    }

    /// Means and variances of all variables, not a number for categories, and covariances
    /// if they are asked for.
    fn moments<'py>(
        &self,
        py: Python<'py>,
        given: String,
        with_covariances: bool,
    ) -> PyResult<MomentArrays<'py>> {
        let circuit = self.shared.now();
        let n = circuit.variables().len();
        let found = self.run(py, n, QUESTION, move |_| {
            if with_covariances {
                circuit.covariances(&given)
            } else {
                circuit.moments(&given)
            }
        })?;
        let found = found.or_raise(py)?;
        let place = |numbers: &[f64]| ResultArray::of(py, &[n], &found.spread(numbers, n));
        let square = |own: &[f64]| ResultArray::of(py, &[n, n], &found.spread_pairs(own, n));
        let covariances = found.covariances.as_deref().map(square);
        Ok((
            place(&found.means)?,
            place(&found.variances)?,
            covariances.transpose()?,
        ))
    }

    /// The names of all parameters.
    fn parameters(&self) -> Vec<String> {
        let all = self.shared.now().parameters();
        all.into_iter().map(|own| own.name).collect()
    }

    /// Kind, values, and which of them are learned.
    fn parameter<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<(&'static str, Bound<'py, PyAny>, Vec<bool>)> {
        let own = self.shared.now().parameter(name).or_raise(py)?;
        let values = ResultArray::of(py, &[own.values.len()], &own.values)?;
        Ok((own.kind, values, own.learned))
    }

    /// Gives parameters other values, all of them or none.
    fn set_parameters(&self, py: Python<'_>, all: Vec<(String, Vec<f64>)>) -> PyResult<()> {
        let mut change = self.shared.change().ok_or_else(|| error::busy(py))?;
        for (name, values) in &all {
            change.circuit.set_parameter(name, values).or_raise(py)?;
        }
        change.done();
        Ok(())
    }

    /// Learns parameters; gives the report, and Ctrl-C if that ended the run: the report is
    /// that of what was learned until then.
    fn fit(
        &self,
        py: Python<'_>,
        given: PythonSplits<'_>,
        settings: FitSettings,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(String, Option<Py<PyBaseException>>)> {
        let mut change = self.shared.change().ok_or_else(|| error::busy(py))?;
        let (data, options) = (FitTables::read(&given)?, settings.options()?);
        let circuit = change.circuit.clone();
        let (fitted, interrupt) = watched(py, callback, move |tell| {
            data.with(|training| circuit.learn(training, &options, tell))
        })?;
        let report = change.circuit.adopt(fitted).or_raise(py)?;
        change.done();
        let interrupt = interrupt.map(|signal| signal.into_value(py));
        Ok((report.to_json().to_string(), interrupt))
    }

    /// How long the library itself takes to evaluate rows, which benchmarks compare with.
    fn seconds(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<f64> {
        let (rows, circuit) = (Rows::read(rows)?, self.shared.now());
        let n_rows = rows.n_rows();
        let mut logs = vec![0.0; n_rows];
        let done = work::brief(py, || {
            rows.with(0..n_rows, |batch| {
                let start = Instant::now();
                let done = circuit.log_likelihood_into(batch, &mut logs);
                done.map(|()| start.elapsed().as_secs_f64())
            })
        })?;
        done.or_raise(py)
    }

    /// A circuit with parameters of its own.
    fn copy(&self) -> Self {
        Core {
            shared: Shared::new(self.shared.now()),
            cost: self.cost,
        }
    }
}

impl Core {
    pub fn new(circuit: Circuit) -> Self {
        let cost = circuit.size().edges + circuit.variables().len();
        Core {
            shared: Shared::new(circuit),
            cost: cost.max(1),
        }
    }

    fn made(
        py: Python<'_>,
        settings: CircuitSettings,
        make: impl FnOnce(&Options) -> Result<Circuit> + Send + 'static,
    ) -> PyResult<Self> {
        let options = settings.options()?;
        let made = work::long(py, move |_| make(&options))?;
        made.or_raise(py).map(Core::new)
    }

    /// Which columns of a frame are variables.
    pub fn frame_columns(&self, py: Python<'_>, names: &[&str]) -> PyResult<Vec<usize>> {
        self.shared.now().frame_columns(names).or_raise(py)
    }

    /// Asks about rows, part by part; what is found is added to what was.
    fn by_rows<T: Default + Send + 'static>(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        mut ask: impl FnMut(&Circuit, &Batch<'_>, &mut T) -> Result<()> + Send + 'static,
    ) -> PyResult<T> {
        let rows = Rows::read(rows)?;
        let (circuit, first) = (self.shared.now(), self.first_part(QUESTION));
        let found = self.run(py, rows.n_rows(), QUESTION, move |stop| {
            let parts = InterruptibleParts { first, stop };
            ask::by_parts(&rows, &parts, |batch, all| ask(&circuit, batch, all))
        })?;
        found.or_raise(py)
    }

    /// A new array of so many rows, filled part by part; the first part has `first` rows.
    fn filled<'py>(
        &self,
        py: Python<'py>,
        shape: &[usize],
        factor: usize,
        first: usize,
        fill: impl FnOnce(&InterruptibleParts<'_>, &mut [f64]) -> Result<()> + Send + 'static,
    ) -> PyResult<Bound<'py, PyAny>> {
        let places = ResultArray::new(py, shape)?;
        let mut target = places.target();
        let done = self.run(py, shape[0], factor, move |stop| {
            fill(&InterruptibleParts { first, stop }, target.numbers())
        })?;
        done.or_raise(py)?;
        Ok(places.array)
    }

    fn is_brief(&self, n_rows: usize, factor: usize) -> bool {
        let cost = self.cost.saturating_mul(n_rows).saturating_mul(factor);
        cost <= MOMENT
    }

    /// Rows of the first part, of which each costs so much more than evaluating.
    fn first_part(&self, factor: usize) -> usize {
        let n_rows = FIRST_PART / self.cost.saturating_mul(factor);
        n_rows.next_multiple_of(TILES).max(TILES)
    }

    /// Does something about so many rows, of which each costs so much more than evaluating.
    fn run<R: Send + 'static>(
        &self,
        py: Python<'_>,
        n_rows: usize,
        factor: usize,
        work: impl FnOnce(&InterruptFlag) -> R + Send + 'static,
    ) -> PyResult<R> {
        if self.is_brief(n_rows.max(1), factor) {
            work::brief(py, || work(&InterruptFlag::default()))
        } else {
            work::long(py, work)
        }
    }
}
