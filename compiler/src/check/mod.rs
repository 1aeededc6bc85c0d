//! Structural properties: proven, refuted with a witness, or unknown with the reason.
//!
//! [`check`] turns a circuit into a [`Checked`] one or says what is wrong with
//! it; [`examine`] reports the same and gives the facts for wrong circuits too.
//! What is verified:
//!
//! * smooth: the children of a sum have the sum's scope (always);
//! * decomposable: the children of a product share no variable (always);
//! * normalized: weights and masses add up to 1 (always; a warning unless asserted);
//! * structured: all products follow one vtree (when asked);
//! * deterministic: at most one child of a sum is positive (when asked).

mod decomposable;
pub mod determinism;
mod facts;
mod inspection;
mod mass;
mod normalized;
pub(crate) mod report;
mod requirement;
mod rewritten;
mod smooth;
mod structured;
#[cfg(test)]
pub(crate) mod tests;
mod total;
mod verdict;

pub use determinism::DeterminismLimits;
pub use facts::{Checked, CircuitFacts};
pub(crate) use smooth::short_children;
pub(crate) use structured::follows_one_tree;
pub(crate) use total::{UnitTotal, UnitTotals};
pub use verdict::{PropertyVerdict, Refutation};

use crate::circuit::{CircuitGraph, Property};
use inspection::Inspection;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::source::SourceMap;

/// What to check beyond what is always checked.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions<'a> {
    /// Properties to decide although nobody asserts them: for a summary, or
    /// because a command needs to know.
    pub decide: Vec<Property>,
    /// Properties the command line asserts of the root.
    pub assert: Vec<Property>,
    /// Whether an asserted property that stays unknown is an error.
    pub strict: bool,
    /// How long to search for an answer on determinism.
    pub limits: DeterminismLimits,
    /// The texts the circuit was written in, if there are any: some repairs
    /// are edits of words that a unit's span does not cover.
    pub sources: Option<&'a SourceMap>,
}

/// Checks the circuit; `None` if an error was found.
///
/// All independent errors are reported, not only the first.
pub fn check(
    circuit: CircuitGraph,
    options: &CheckOptions,
    found: &mut SourceDiagnostics,
) -> Option<Checked> {
    // An error that an earlier stage said already is not listed twice, so the
    // errors of this stage are counted apart.
    let mut own = SourceDiagnostics::new();
    let facts = examine(&circuit, options, &mut own);
    let failed = own.has_errors();
    found.extend(own);
    (!failed).then_some(Checked::of(circuit, facts))
}

/// Reports as [`check`] does and says what is known, be the circuit right or wrong.
pub fn examine(
    circuit: &CircuitGraph,
    options: &CheckOptions,
    found: &mut SourceDiagnostics,
) -> CircuitFacts {
    let mut inspection = Inspection::new(circuit, options);
    smooth::check_smooth(&mut inspection, found);
    decomposable::check_decomposable(&mut inspection, found);
    normalized::check_normalized(&mut inspection, found);
    structured::check_structured(&mut inspection, found);
    determinism::check_deterministic(&mut inspection, found);
    inspection.into_facts()
}
