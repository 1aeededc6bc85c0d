//! The ladder's limits and the words of its messages.
//!
//! That verdicts are right is tested against truth tables, over thousands of
//! random circuits, in the tests package.

use super::*;
use crate::check::Refutation;
use crate::check::report::refuted;
use crate::circuit::{
    ChildEdge, CircuitBuilder, CircuitVariable, Domain, Leaf, LeafKind, ParamKind, ParameterEntry,
    SourceOrigin, UnitId, ValueSet, VarId, VariableAttributes, Weight,
};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::{SourceId, Span};

/// A circuit under construction; units are named so that messages can say them.
struct Sketch(CircuitBuilder);

impl Sketch {
    fn new(n_variables: usize) -> Self {
        let mut builder = CircuitBuilder::new();
        for at in 0..n_variables {
            builder.variable(CircuitVariable {
                name: format!("x{at}"),
                domain: Domain::Bool,
                span: Span::default(),
                binding: VariableAttributes::default(),
            });
        }
        Sketch(builder)
    }

    fn literal(&mut self, variable: usize, value: i64) -> UnitId {
        let kind = LeafKind::Indicator(ValueSet::integers(value, value + 1));
        let variable = VarId::new(variable);
        self.0.input(Leaf { variable, kind }, self.origin(None))
    }

    fn product(&mut self, units: &[UnitId]) -> UnitId {
        let child = |&unit| ChildEdge::factor(unit, Span::default());
        let children: Vec<ChildEdge> = units.iter().map(child).collect();
        self.0.product(&children, self.origin(None))
    }

    fn sum(&mut self, name: &str, weight: f64, units: &[UnitId]) -> UnitId {
        let entries = vec![ParameterEntry::fixed(weight); units.len()];
        let kind = ParamKind::Simplex;
        let param = self.0.parameter(None, kind, &entries, Span::default());
        let child = |(index, &unit): (u32, &UnitId)| {
            ChildEdge::term(unit, Weight { param, index }, Span::default())
        };
        let children: Vec<ChildEdge> = (0..).zip(units).map(child).collect();
        let name = self.0.name(name, &[]);
        self.0.sum(&children, self.origin(Some(name)))
    }

    fn origin(&self, name: Option<crate::circuit::NameId>) -> SourceOrigin {
        SourceOrigin {
            span: place(0, 4),
            owner: name,
            is_named: name.is_some(),
        }
    }

    /// Positive where the values of the variables add up to `parity`; the order
    /// of `variables` is the order of decisions.
    fn parity(&mut self, variables: &[usize], parity: i64) -> UnitId {
        let (&last, rest) = variables.split_last().expect("parity of something");
        if rest.is_empty() {
            return self.literal(last, parity);
        }
        let (left, right) = variables.split_at(variables.len() / 2);
        let terms = [0, 1].map(|first| {
            let factors = [self.parity(left, first), self.parity(right, first ^ parity)];
            self.product(&factors)
        });
        self.sum("half", 0.5, &terms)
    }
}

fn place(start: usize, end: usize) -> Span {
    Span::new(SourceId(0), start, end)
}

fn verdict(circuit: &CircuitGraph, limits: &DeterminismLimits) -> PropertyVerdict {
    let scopes = Scopes::compute(circuit);
    let reachable = vec![true; circuit.n_units()];
    decide(circuit, &scopes, &reachable, limits)
}

#[test]
fn a_limit_that_is_reached_is_named_with_the_sum() {
    let mut sketch = Sketch::new(8);
    let even = sketch.parity(&[0, 1, 2, 3, 4, 5, 6, 7], 0);
    let odd = sketch.parity(&[3, 7, 0, 6, 2, 4, 1, 5], 1);
    let root = sketch.sum("both", 0.5, &[even, odd]);
    let circuit = sketch.0.finish(root);
    assert_eq!(
        verdict(&circuit, &DeterminismLimits::default()),
        PropertyVerdict::Proven
    );
    let tight = DeterminismLimits {
        table_steps: 0,
        sat_conflicts: 3,
        ..DeterminismLimits::default()
    };
    let expected = "whether children 1 and 2 of sum node `both` overlap \
                    was not decided within a budget of 3 conflicts";
    assert_eq!(
        verdict(&circuit, &tight),
        PropertyVerdict::Unknown(expected.into())
    );
    let tighter = DeterminismLimits {
        sat_clauses: 3,
        ..tight
    };
    let PropertyVerdict::Unknown(reason) = verdict(&circuit, &tighter) else {
        panic!("three clauses are not enough");
    };
    assert!(reason.ends_with("within a budget of 3 clauses"), "{reason}");
}

/// Two children that agree on every variable but in the weights of their sums.
fn overlapping(n_variables: usize) -> (CircuitGraph, Refutation) {
    let mut sketch = Sketch::new(n_variables);
    let mut factors = Vec::new();
    for variable in 0..n_variables {
        let coin = [sketch.literal(variable, 1), sketch.literal(variable, 0)];
        factors.push(sketch.sum("coin", 0.5, &coin));
    }
    let first = sketch.product(&factors);
    let yes = sketch.literal(0, 1);
    factors[0] = yes;
    let second = sketch.product(&factors);
    let root = sketch.sum("mix", 0.5, &[first, second]);
    let circuit = sketch.0.finish(root);
    match verdict(&circuit, &DeterminismLimits::default()) {
        PropertyVerdict::Refuted(why) => (circuit, why),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_refutation_reads_as_the_language_promises() {
    let (circuit, mut why) = overlapping(2);
    assert_eq!(why.witness[0], 1.0);
    why.witness[1] = 1.0;
    let message = refuted(&circuit, &why, Some(place(9, 22)));
    assert_eq!(message.code, Code::NotDeterministic);
    assert_eq!(message.message, "sum node `mix` is not deterministic");
    assert_eq!(message.primary_span(), Some(place(9, 22)));
    let labels: Vec<&str> = message.labels.iter().map(|l| l.text.as_str()).collect();
    let overlap = "children 1 and 2 are both positive for one input";
    assert_eq!(labels, ["asserted here", overlap]);
    let note = "witness: x0 = true, x1 = true   (child 1 = 0.25, child 2 = 0.5)";
    assert_eq!(message.notes, [note]);
    let alone = refuted(&circuit, &why, None);
    assert_eq!(alone.labels.len(), 1);
    assert_eq!(alone.labels[0].text, overlap);
}

#[test]
fn a_long_witness_is_cut_short_in_the_text_only() {
    let (circuit, why) = overlapping(20);
    let message: SourceDiagnostic = refuted(&circuit, &why, None);
    assert_eq!(message.witness.len(), 20);
    assert!(
        message.notes[0].contains(", … 8 more"),
        "{:?}",
        message.notes
    );
}

#[test]
fn effort_scales_the_searches_and_never_starves_what_is_cheap() {
    let limits = DeterminismLimits::default();
    let none = limits.scaled(0.0);
    assert_eq!((none.pair_steps, none.sat_conflicts), (0, 0));
    assert_eq!((none.pairs, none.samples), (limits.pairs, limits.samples));
    assert_eq!(limits.scaled(10.0).pair_steps, 10 * limits.pair_steps);
}
