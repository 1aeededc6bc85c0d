//! The circuits of the mathematics notes, evaluated by hand.

use super::*;
use crate::circuit::{
    ChildEdge, CircuitBuilder, CircuitVariable, Domain, Leaf, LeafKind, ParamKind, ParameterEntry,
    SourceOrigin, ValueSet, VarId, VariableAttributes, Weight,
};
use pelton_grammar::source::Span;

fn literal(builder: &mut CircuitBuilder, variable: usize, value: i64) -> UnitId {
    let leaf = Leaf {
        variable: VarId::new(variable),
        kind: LeafKind::Indicator(ValueSet::integers(value, value + 1)),
    };
    builder.input(leaf, SourceOrigin::default())
}

fn product(builder: &mut CircuitBuilder, units: &[UnitId]) -> UnitId {
    let child = |&unit| ChildEdge::factor(unit, Span::default());
    let children: Vec<ChildEdge> = units.iter().map(child).collect();
    builder.product(&children, SourceOrigin::default())
}

fn sum(builder: &mut CircuitBuilder, terms: &[(f64, UnitId)]) -> UnitId {
    let entries: Vec<ParameterEntry> = terms
        .iter()
        .map(|&(w, _)| ParameterEntry::fixed(w))
        .collect();
    let param = builder.parameter(None, ParamKind::Simplex, &entries, Span::default());
    let child = |(index, &(_, unit)): (usize, &(f64, UnitId))| {
        ChildEdge::term(
            unit,
            Weight {
                param,
                index: index as u32,
            },
            Span::default(),
        )
    };
    let children: Vec<ChildEdge> = terms.iter().enumerate().map(child).collect();
    builder.sum(&children, SourceOrigin::default())
}

/// R = .45·B00·Z10 + .55·B01·Z11 over three `bool` variables.
fn three_variables() -> CircuitGraph {
    let mut b = CircuitBuilder::new();
    for name in ["x0", "x1", "x2"] {
        b.variable(CircuitVariable {
            name: name.into(),
            domain: Domain::Bool,
            span: Span::default(),
            binding: VariableAttributes::default(),
        });
    }
    let coin = |b: &mut CircuitBuilder, variable: usize, p: f64| {
        let (yes, no) = (literal(b, variable, 1), literal(b, variable, 0));
        sum(b, &[(p, yes), (1.0 - p, no)])
    };
    let leaves = [
        (2, 0.15),
        (2, 0.6),
        (1, 0.9),
        (1, 0.35),
        (0, 0.25),
        (0, 0.8),
    ];
    let leaves = leaves.map(|(variable, p)| coin(&mut b, variable, p));
    let [b20, b21, b10, b11, b00, b01] = leaves;
    let (q0, q1) = (product(&mut b, &[b10, b20]), product(&mut b, &[b11, b21]));
    let z10 = sum(&mut b, &[(0.7, q0), (0.3, q1)]);
    let z11 = sum(&mut b, &[(0.2, q0), (0.8, q1)]);
    let left = product(&mut b, &[b00, z10]);
    let right = product(&mut b, &[b01, z11]);
    let root = sum(&mut b, &[(0.45, left), (0.55, right)]);
    b.finish(root)
}

#[test]
fn the_value_of_the_non_deterministic_example() {
    let circuit = three_variables();
    let values = circuit.start_values();
    let log_p = log_likelihood(&circuit, &values, &[1.0, 0.0, 1.0]);
    assert!((log_p.exp() - 0.15294375).abs() < 1e-15);
}

#[test]
fn missing_variables_are_summed_out() {
    let circuit = three_variables();
    let values = circuit.start_values();
    let marginal = log_likelihood(&circuit, &values, &[1.0, f64::NAN, 1.0]).exp();
    let parts = [0.0, 1.0].map(|x| log_likelihood(&circuit, &values, &[1.0, x, 1.0]).exp());
    assert!((marginal - parts[0] - parts[1]).abs() < 1e-15);
    let total = log_total(&circuit, &values, 8).expect("eight assignments");
    assert!(total.abs() < 1e-14);
    assert!(log_total(&circuit, &values, 7).is_none());
}

#[test]
fn zeros_are_exact() {
    let mut b = CircuitBuilder::new();
    b.variable(CircuitVariable {
        name: "x".into(),
        domain: Domain::Bool,
        span: Span::default(),
        binding: VariableAttributes::default(),
    });
    let (yes, no) = (literal(&mut b, 0, 1), literal(&mut b, 0, 0));
    let root = sum(&mut b, &[(0.0, yes), (0.0, no)]);
    let circuit = b.finish(root);
    let log_p = log_likelihood(&circuit, &circuit.start_values(), &[1.0]);
    assert_eq!(log_p, f64::NEG_INFINITY);
    assert_eq!(positive(&circuit, root, &[1.0]), [true, false, false]);
}
