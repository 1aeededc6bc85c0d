//! Which verdicts the checks come to, and for which part of a circuit.

use super::sketch::{Sketch, Sketched};
use crate::check::{CheckOptions, check};
use crate::circuit::*;
use pelton_grammar::diagnostic::{Code, Severity, SourceDiagnostics};

/// `0.3: a * b + 0.7: !a * !b`, right in every respect, after `before` had its way.
fn right(before: impl FnOnce(&mut Sketch, [VarId; 2])) -> Sketched {
    let mut s = Sketch::new("root 0.3: ab + 0.7: nanb; assert old is smooth, deterministic");
    let variables = s.booleans(["a", "b"]);
    before(&mut s, variables);
    let [a, b] = variables;
    let both = [(s.literal(a, 1), ""), (s.literal(b, 1), "")];
    let none = [(s.literal(a, 0), ""), (s.literal(b, 0), "")];
    let terms = [
        (0.3, s.product(&both, ""), "ab"),
        (0.7, s.product(&none, ""), "nanb"),
    ];
    let root = s.sum(None, &terms, "0.3: ab + 0.7: nanb");
    s.finish(root)
}

/// A node that nothing uses and that is not smooth, decomposable or normalized.
fn wrong_node(s: &mut Sketch, [a, b]: [VarId; 2]) -> UnitId {
    let [la, lb] = [s.literal(a, 1), s.literal(b, 1)];
    let square = s.product(&[(la, ""), (la, "")], "");
    s.sum(Some(("old", &[])), &[(0.3, square, ""), (0.3, lb, "")], "")
}

#[test]
fn a_right_circuit_is_checked_without_a_word() {
    let sketched = right(|_, _| ());
    let mut found = SourceDiagnostics::new();
    let options = CheckOptions {
        decide: vec![Property::Structured],
        ..CheckOptions::default()
    };
    let checked = check(sketched.circuit, &options, &mut found).unwrap();
    assert!(found.is_empty());
    let facts = checked.facts();
    for property in [
        Property::Smooth,
        Property::Decomposable,
        Property::Normalized,
        Property::Structured,
    ] {
        assert!(facts.is_proven(property), "{property:?}");
    }
    assert_eq!(facts.verdict(Property::Deterministic), None);
    assert_eq!(facts.vtree().unwrap().show(checked.circuit()), "(a b)");
}

#[test]
fn what_nothing_uses_does_not_count() {
    let sketched = right(|s, variables| {
        wrong_node(s, variables);
    });
    assert!(sketched.codes().is_empty());
    assert_eq!(sketched.verdict(Property::Smooth), "proven");
}

#[test]
fn what_is_asserted_elsewhere_counts_there() {
    let sketched = right(|s, variables| {
        let old = wrong_node(s, variables);
        s.assert(old, Property::Smooth);
    });
    let (facts, found) = sketched.examine();
    let codes: Vec<Code> = found.iter().map(|d| d.code).collect();
    assert_eq!(
        codes,
        [Code::NotSmooth, Code::NotDecomposable, Code::WeightsOff]
    );
    let first = found.iter().next().unwrap();
    assert!(
        first
            .labels
            .iter()
            .any(|label| label.text == "asserted here")
    );
    // The root itself is fine.
    assert!(facts.is_proven(Property::Smooth) && facts.is_proven(Property::Decomposable));
    let mut again = SourceDiagnostics::new();
    assert!(check(sketched.circuit, &CheckOptions::default(), &mut again).is_none());
}

#[test]
fn what_follows_from_another_error_is_not_said() {
    let sketched = right(|s, variables| {
        let old = wrong_node(s, variables);
        s.assert(old, Property::Deterministic);
    });
    let codes = sketched.codes();
    assert_eq!(
        codes,
        [Code::NotSmooth, Code::NotDecomposable, Code::WeightsOff]
    );
}

#[test]
fn an_unknown_property_is_a_warning_unless_strict() {
    let start = ParameterEntry {
        value: Some(ParameterValue::Linear(0.5)),
        learned: true,
    };
    let circuit = coin([start, start], ParamKind::Weights).circuit;
    for (strict, severity) in [(false, Severity::Warning), (true, Severity::Error)] {
        let options = CheckOptions {
            assert: vec![Property::Normalized],
            strict,
            ..CheckOptions::default()
        };
        let mut found = SourceDiagnostics::new();
        let checked = check(circuit.clone(), &options, &mut found);
        assert_eq!(checked.is_none(), strict);
        let only = found.iter().next().unwrap();
        assert_eq!(
            (only.code, only.severity),
            (Code::PropertyUnknown, severity)
        );
        assert!(
            only.message
                .starts_with("cannot decide whether the root is normalized")
        );
    }
}

#[test]
fn the_command_line_asserts_of_the_root() {
    let mut s = Sketch::new("2: a + 3: !a");
    let [a] = s.booleans(["a"]);
    let terms = [(2.0, s.literal(a, 1), "a"), (3.0, s.literal(a, 0), "!a")];
    let root = s.sum(None, &terms, "2: a + 3: !a");
    let options = CheckOptions {
        assert: vec![Property::Normalized],
        ..CheckOptions::default()
    };
    let mut found = SourceDiagnostics::new();
    assert!(check(s.finish(root).circuit, &options, &mut found).is_none());
    let only = found.iter().next().unwrap();
    assert_eq!(only.code, Code::NotNormalized);
    assert_eq!(only.notes, ["asserted by an option"]);
}

/// A sum over a coin with such entries.
fn coin(entries: [ParameterEntry; 2], kind: ParamKind) -> Sketched {
    let mut s = Sketch::new("");
    let [a] = s.booleans(["a"]);
    let terms = [(0.0, s.literal(a, 1), ""), (0.0, s.literal(a, 0), "")];
    let root = s.sum_of(None, &entries, kind, &terms, "");
    s.finish(root)
}

#[test]
fn learned_simplexes_add_up_and_learned_weights_need_not() {
    let learned = [ParameterEntry::learned(), ParameterEntry::learned()];
    let simplex = coin(learned, ParamKind::Simplex);
    assert_eq!(simplex.verdict(Property::Normalized), "proven");
    let start = |value| ParameterEntry {
        value: Some(ParameterValue::Linear(value)),
        learned: true,
    };
    let weights = coin([start(0.5), start(0.5)], ParamKind::Weights);
    assert_eq!(weights.verdict(Property::Normalized), "unknown");
    let logs = [0.25f64, 0.75].map(|value| ParameterEntry {
        value: Some(ParameterValue::Log(value.ln())),
        learned: false,
    });
    assert_eq!(
        coin(logs, ParamKind::Simplex).verdict(Property::Normalized),
        "proven"
    );
}

#[test]
fn logic_is_not_normalized_and_not_warned_about() {
    let sketched = coin(
        [ParameterEntry::fixed(1.0), ParameterEntry::fixed(1.0)],
        ParamKind::Weights,
    );
    assert!(sketched.codes().is_empty());
    assert_eq!(sketched.verdict(Property::Normalized), "refuted");
}

#[test]
fn a_leaf_of_another_mass_is_not_normalized() {
    let mut s = Sketch::new("[x in {0, 1}]; normalized");
    let x = s.variable("x", Domain::Range { low: 0, high: 3 });
    let root = s.indicator(x, ValueSet::integers(0, 2));
    s.assert(root, Property::Normalized);
    let sketched = s.finish(root);
    assert_eq!(sketched.codes(), [Code::NotNormalized]);
    assert!(sketched.messages().contains("has mass 2, not 1"));
}

#[test]
fn crossing_scopes_prove_nothing_without_smoothness() {
    // d * (a * b) and d * (b * c) both follow the vtree ((a (b c)) d).
    let mut s = Sketch::new("");
    let variables = s.booleans(["a", "b", "c", "d"]);
    let [a, b, c, d] = variables.map(|v| (s.literal(v, 1), ""));
    let ab = s.product(&[a, b], "");
    let bc = s.product(&[b, c], "");
    let terms = [
        (0.5, s.product(&[d, (ab, "")], ""), ""),
        (0.5, s.product(&[d, (bc, "")], ""), ""),
    ];
    let root = s.sum(None, &terms, "");
    assert_eq!(s.finish(root).verdict(Property::Structured), "unknown");
}
