//! The circuits of the mathematics notes, evaluated by hand.

use super::*;
use crate::circuit::{
    Binding, Builder, Child, Domain, Entry, Leaf, LeafKind, Origin, ParamKind, ValueSet, VarId,
    Variable, Weight,
};
use pelton_grammar::source::Span;

fn literal(builder: &mut Builder, variable: usize, value: i64) -> UnitId {
    let leaf = Leaf {
        variable: VarId::new(variable),
        kind: LeafKind::Indicator(ValueSet::integers(value, value + 1)),
    };
    builder.input(leaf, Origin::default())
}

fn product(builder: &mut Builder, units: &[UnitId]) -> UnitId {
    let child = |&unit| Child::factor(unit, Span::default());
    let children: Vec<Child> = units.iter().map(child).collect();
    builder.product(&children, Origin::default())
}

fn sum(builder: &mut Builder, terms: &[(f64, UnitId)]) -> UnitId {
    let entries: Vec<Entry> = terms.iter().map(|&(w, _)| Entry::fixed(w)).collect();
    let param = builder.parameter(None, ParamKind::Simplex, &entries, Span::default());
    let child = |(index, &(_, unit)): (usize, &(f64, UnitId))| {
        Child::term(
            unit,
            Weight {
                param,
                index: index as u32,
            },
            Span::default(),
        )
    };
    let children: Vec<Child> = terms.iter().enumerate().map(child).collect();
    builder.sum(&children, Origin::default())
}

/// R = .45·B00·Z10 + .55·B01·Z11 over three `bool` variables.
fn three_variables() -> Circuit {
    let mut b = Builder::new();
    for name in ["x0", "x1", "x2"] {
        b.variable(Variable {
            name: name.into(),
            domain: Domain::Bool,
            span: Span::default(),
            binding: Binding::default(),
        });
    }
    let coin = |b: &mut Builder, variable: usize, p: f64| {
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
    let mut b = Builder::new();
    b.variable(Variable {
        name: "x".into(),
        domain: Domain::Bool,
        span: Span::default(),
        binding: Binding::default(),
    });
    let (yes, no) = (literal(&mut b, 0, 1), literal(&mut b, 0, 0));
    let root = sum(&mut b, &[(0.0, yes), (0.0, no)]);
    let circuit = b.finish(root);
    let log_p = log_likelihood(&circuit, &circuit.start_values(), &[1.0]);
    assert_eq!(log_p, f64::NEG_INFINITY);
    assert_eq!(positive(&circuit, root, &[1.0]), [true, false, false]);
}
