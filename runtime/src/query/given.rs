//! What distributions know, given evidence.

use super::entropy::{Entropy, entropy, joint_entropy};
use super::{AnswerMethod, InformationError, given_boxes};
use pelton_compiler::check::{CheckOptions, Checked, DeterminismLimits, check};
use pelton_compiler::circuit::{Event, ParameterValue, Property};
use pelton_compiler::transform::{TransformError, condition};
use pelton_grammar::diagnostic::SourceDiagnostics;

/// How much may be done for an answer.
#[derive(Clone, Debug)]
pub struct QueryEffort {
    /// Limits of the search for proofs.
    pub limits: DeterminismLimits,
    /// Units and edges that circuits made on the way may have.
    pub max_size: usize,
    /// Threads.
    pub n_threads: usize,
}

/// What is left of a circuit, given an event.
#[derive(Clone, Debug)]
pub struct PosteriorCircuit {
    /// Its circuit, with determinism decided.
    pub checked: Checked,
    /// Whether the variables decide what sums choose, by what was proven before.
    is_deterministic: bool,
}

impl PosteriorCircuit {
    /// Its entropy: exact by structure if the circuit was proven deterministic and the event
    /// is one box, because what told the children of a sum apart still does. Otherwise as
    /// [`entropy`](super::entropy()) is, of the circuit of what is left.
    pub fn entropy(&self, n_threads: usize) -> Result<Entropy, InformationError> {
        let circuit = self.checked.circuit();
        let values = circuit.start_values();
        if self.is_deterministic {
            Ok(Entropy {
                nats: joint_entropy(circuit, &values)?,
                method: AnswerMethod::Structure,
            })
        } else {
            entropy(&self.checked, &values, n_threads)
        }
    }
}

/// What is left of a circuit, given an event; `None` if the event leaves nothing open.
///
/// What is known exactly of real variables leaves the circuit; other variables stay.
pub fn given(
    checked: &Checked,
    values: &[ParameterValue],
    event: &Event,
    effort: &QueryEffort,
) -> Result<Option<PosteriorCircuit>, InformationError> {
    let regions = given_boxes(checked.circuit(), event)?;
    let left = match condition(checked, values, &regions, true, effort.max_size) {
        Ok(left) => left.circuit.checked.into_circuit(),
        // Nothing is left.
        Err(TransformError::Circuit(_) | TransformError::NothingLeft) => return Ok(None),
        Err(TransformError::Refused(refusal)) => return Err(InformationError::Refused(refusal)),
        Err(TransformError::Zero(message)) => return Err(InformationError::Impossible(message)),
        Err(error) => return Err(InformationError::Numeric(error.to_string())),
    };
    let options = CheckOptions {
        decide: vec![Property::Deterministic],
        limits: effort.limits.clone(),
        ..CheckOptions::default()
    };
    let is_proven = checked.facts().is_proven(Property::Deterministic);
    let left =
        check(left, &options, &mut SourceDiagnostics::new()).map(|checked| PosteriorCircuit {
            checked,
            is_deterministic: is_proven && regions.len() == 1,
        });
    let wrong = || InformationError::Structure("what is left is no circuit".into());
    left.map(Some).ok_or_else(wrong)
}

/// The entropy of the variables that are left, given an event; see [`PosteriorCircuit::entropy`].
///
/// ```
/// use pelton_compiler::check::DeterminismLimits;
/// # use pelton_compiler::circuit::Property;
/// # use pelton_compiler::load::{FileLoader, SourceInput};
/// # use pelton_compiler::{AnalysisOptions, analyze};
/// use pelton_runtime::query::{QueryEffort, ask_given, entropy_given};
/// # let text = "var rain, wet : bool;\n\
/// #     root 0.5: rain * wet ~ bernoulli(0.5) + 0.5: !rain * wet ~ bernoulli(0.1);";
/// # let (name, bytes) = ("a.pcirc".to_string(), text.as_bytes().to_vec());
/// # let input = SourceInput { name, path: None, bytes };
/// # let options = AnalysisOptions { decide: vec![Property::Deterministic], ..AnalysisOptions::default() };
/// # let checked = analyze(input, &FileLoader, &options).into_checked().unwrap();
/// let values = checked.circuit().start_values();
/// let event = ask_given(checked.circuit(), "rain").unwrap();
/// let effort = QueryEffort { limits: DeterminismLimits::default(), max_size: 1_000_000, n_threads: 1 };
/// let found = entropy_given(&checked, &values, &event, &effort).unwrap();
/// assert!((found.nats - 2_f64.ln()).abs() < 1e-12);
/// ```
pub fn entropy_given(
    checked: &Checked,
    values: &[ParameterValue],
    event: &Event,
    effort: &QueryEffort,
) -> Result<Entropy, InformationError> {
    match given(checked, values, event, effort)? {
        Some(left) => left.entropy(effort.n_threads),
        None => Ok(Entropy {
            nats: 0.0,
            method: AnswerMethod::Structure,
        }),
    }
}
