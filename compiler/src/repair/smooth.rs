//! Smoothing: filling in the variables that children of sums miss.

use super::fill::{FillFunction, FillRule, FilledCopy};
use crate::check::report::{report_not_smooth, written_name};
use crate::check::short_children;
use crate::circuit::{
    ChildEdge, CircuitGraph, ReachableUnits, Scope, Scopes, SourceOrigin, UnitId, UnitKind, VarId,
    targets,
};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics, counted, thousands};
use pelton_grammar::source::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

const LISTED: usize = 8;

/// Multiplies each short child of the sums that `is_wanted` picks by uniform
/// distributions over the variables it misses, or by what else is to be filled in.
///
/// Before: `0.4: rain * wet + 0.6: !rain`.
/// After: `0.4: rain * wet + 0.6: !rain * wet ~ bernoulli(0.5)`.
///
/// This is a modelling choice. In logic a missing variable may take any value
/// and has mass |domain|; here its mass is 1. So a note says what was added.
/// Where a variable without a uniform distribution is missing (`real`, `nat`)
/// the child stays as it is and an error says so.
///
/// Linear in edges, plus the sizes of the distinct sets of missing variables:
/// children that miss the same ones share what is filled in.
pub fn smooth(
    circuit: CircuitGraph,
    fill: FillRule,
    is_wanted: impl Fn(UnitId) -> bool,
    found: &mut SourceDiagnostics,
) -> CircuitGraph {
    let scopes = Scopes::compute(&circuit);
    let reach = ReachableUnits::of(&circuit, &targets(&circuit));
    let is_short = |unit| short_children(&circuit, &scopes, unit).next().is_some();
    let wanted =
        |unit| circuit.kind(unit) == UnitKind::Sum && reach.contains(unit) && is_wanted(unit);
    if !circuit.units().any(|unit| wanted(unit) && is_short(unit)) {
        return circuit;
    }
    // Children come before their parents, so that a filled child is there when its sum is made.
    let mut smoothing = Smoothing::new(&circuit, &scopes, fill);
    for unit in circuit.units() {
        smoothing.copy(unit, wanted(unit));
    }
    smoothing.report(found);
    smoothing.copy.rebuild.finish()
}

struct Smoothing<'a> {
    copy: FilledCopy<'a>,
    scopes: &'a Scopes,
    /// The unit that fills in each set of variables so far.
    fillers: FxHashMap<Scope, UnitId>,
    filled_variables: BTreeSet<VarId>,
    /// Where the filled children were written, once for each.
    filled: Vec<Span>,
    n_filled_sums: usize,
    /// Sums with a child that cannot be filled.
    faults: Vec<UnitId>,
}

impl<'a> Smoothing<'a> {
    fn new(circuit: &'a CircuitGraph, scopes: &'a Scopes, fill: FillRule) -> Self {
        Smoothing {
            copy: FilledCopy::new(circuit, fill),
            scopes,
            fillers: FxHashMap::default(),
            filled_variables: BTreeSet::new(),
            filled: Vec::new(),
            n_filled_sums: 0,
            faults: Vec::new(),
        }
    }

    /// Copies a unit, with its short children filled if that is wanted.
    fn copy(&mut self, unit: UnitId, is_wanted: bool) {
        let mut children = self.copy.rebuild.children(unit);
        if is_wanted {
            // Filling does not change the scope of the sum, so that what its parents miss stays
            // the same.
            let n_filled = self.filled.len();
            for at in short_children(self.copy.circuit, self.scopes, unit) {
                self.fill(unit, at, &mut children[at]);
            }
            self.n_filled_sums += usize::from(self.filled.len() > n_filled);
        }
        self.copy.rebuild.copy(unit, &children);
    }

    /// Multiplies one child by what it misses. The sum's scope stays what it
    /// was, so scopes computed before are right for its parents too.
    fn fill(&mut self, sum: UnitId, child_idx: usize, child: &mut ChildEdge) {
        let old = self.copy.circuit.child(sum, child_idx).unit;
        let missing = self.scopes.of(sum).minus(self.scopes.of(old));
        let origin = SourceOrigin::part_of(self.copy.circuit, sum, child.span);
        let Some(filler) = self.filler(&missing, origin) else {
            if self.faults.last() != Some(&sum) {
                self.faults.push(sum);
            }
            return;
        };
        child.unit = self
            .copy
            .rebuild
            .builder
            .product_of([child.unit, filler], origin);
        self.filled.push(child.span);
        self.filled_variables.extend(missing.iter());
    }

    /// What fills in some variables, made once for each set.
    fn filler(&mut self, missing: &Scope, origin: SourceOrigin) -> Option<UnitId> {
        if let Some(&known) = self.fillers.get(missing) {
            return Some(known);
        }
        // One leaf for each variable; several become a product that later children share.
        let leaves = missing.iter().map(|id| self.copy.leaf(id, origin));
        let leaves: Vec<UnitId> = leaves.collect::<Option<_>>()?;
        let unit = match leaves[..] {
            [only] => only,
            _ => self.copy.rebuild.builder.product_of(leaves, origin),
        };
        self.fillers.insert(missing.clone(), unit);
        Some(unit)
    }

    fn report(&self, found: &mut SourceDiagnostics) {
        let (circuit, faults) = (self.copy.circuit, &self.faults);
        report_not_smooth(circuit, self.scopes, faults, found, |_, message| message);
        if let Some(&first) = self.filled.first() {
            found.push(self.note(first));
        }
    }

    fn note(&self, first: Span) -> SourceDiagnostic {
        let (n_children, n_sums) = (self.filled.len(), self.n_filled_sums);
        let (by, choice) = match self.copy.fill {
            FillRule::Uniform => (
                "uniform distributions over what they miss",
                "this is a choice: in logic a missing variable has mass |domain|, here it has mass 1",
            ),
            FillRule::Logic => (
                "indicators of all values of what they miss",
                "as in logic, a missing variable has mass |domain|: the circuit counts, and is not normalized",
            ),
        };
        let sentence = format!(
            "smoothing multiplied {} of {} by {by}",
            counted(n_children, "child", "children"),
            counted(n_sums, "sum", "sums"),
        );
        let listed = self.filled_variables.iter().take(LISTED).filter_map(|&id| {
            let variable = self.copy.circuit.variable(id);
            let filler = FillFunction::for_fill(&variable.domain, self.copy.fill)?;
            Some(filler.show(&written_name(&variable.name)))
        });
        let mut listed: Vec<String> = listed.collect();
        let n_left = self.filled_variables.len() - listed.len();
        if n_left > 0 {
            listed.push(format!("… {} more", thousands(n_left)));
        }
        SourceDiagnostic::new(Code::Smoothed, first, sentence)
            .at("the first of them")
            .note(format!("filled in: {}", listed.join(", ")))
            .note(choice)
    }
}
