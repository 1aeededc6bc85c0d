//! Laws of passes: the distribution stays, and so does what was proven and kept.

use pelton_compiler::check::{CheckOptions, Checked, PropertyVerdict, check};
use pelton_compiler::circuit::{
    ChildEdge, CircuitBuilder, CircuitGraph, Domain, Leaf, LeafKind, ParamKind, ParameterEntry,
    ParameterValue, Property, SourceOrigin, UnitId, UnitKind, ValueSet, Weight,
};
use pelton_compiler::leaf::{log_density, log_mass, log_sum_exp};
use pelton_compiler::optimize::{self, OptimizationPass, PIPELINE};
use pelton_compiler::reference::{assignments, log_values_over};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::source::Span;
use pelton_tests::clutter::clutter;
use pelton_tests::dice::Dice;
use pelton_tests::random::sample;
use pelton_tests::shape;
use pelton_tests::sketch::Sketch;
use std::collections::BTreeMap;

const N_CIRCUITS: u64 = 3_000;
/// Inputs drawn for each circuit, beside all assignments of the small ones.
const N_DRAWN: usize = 12;
const MOST_ASSIGNMENTS: u64 = 32;

fn checked(circuit: CircuitGraph) -> Option<Checked> {
    let options = CheckOptions {
        decide: Property::ALL.to_vec(),
        ..CheckOptions::default()
    };
    check(circuit, &options, &mut SourceDiagnostics::new())
}

/// Circuits that are right, plain ones and cluttered ones.
fn circuits() -> impl Iterator<Item = (u64, Checked)> {
    (0..N_CIRCUITS).filter_map(|seed| {
        let plain = sample(seed).circuit;
        let circuit = match seed % 4 {
            0 => plain,
            _ => clutter(&plain, seed),
        };
        checked(circuit).map(|checked| (seed, checked))
    })
}

/// Calls `law` with what goes into each pass and what comes out, each pass on
/// the circuit as it is and on what the passes before it made.
fn for_each_run(mut law: impl FnMut(u64, &OptimizationPass, &Checked, &Checked)) {
    let mut n_changed: BTreeMap<&str, usize> = BTreeMap::new();
    for (seed, first) in circuits() {
        let mut before = first.clone();
        for pass in PIPELINE {
            let after = (pass.run)(before.clone());
            law(seed, pass, &before, &after);
            let alone = (pass.run)(first.clone());
            law(seed, pass, &first, &alone);
            let is_changed = shape_of(alone.circuit()) != shape_of(first.circuit());
            *n_changed.entry(pass.name).or_default() += usize::from(is_changed);
            before = after;
        }
    }
    println!("seeds 0..{N_CIRCUITS}, changed: {n_changed:?}");
    let all = n_changed.values().all(|&n| n > 100);
    assert!(all && n_changed.len() == PIPELINE.len(), "{n_changed:?}");
}

/// What is known about one variable.
enum Cell {
    Point(f64),
    Missing,
    Within(ValueSet),
    /// Weights of the values of a finite domain.
    Soft(Vec<f64>),
}

fn log_leaf(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf, row: &[Cell]) -> f64 {
    match &row[leaf.variable.index()] {
        Cell::Point(x) => log_density(circuit, values, leaf, *x),
        Cell::Missing => log_density(circuit, values, leaf, f64::NAN),
        Cell::Within(set) => log_mass(circuit, values, leaf, set),
        Cell::Soft(weights) => {
            let first = circuit.variable(leaf.variable).domain.first();
            log_sum_exp(weights.iter().enumerate().map(|(at, weight)| {
                weight.ln() + log_density(circuit, values, leaf, first + at as f64)
            }))
        }
    }
}

fn log_root(circuit: &CircuitGraph, values: &[ParameterValue], row: &[Cell]) -> f64 {
    let logs = log_values_over(circuit, values, |leaf| log_leaf(circuit, values, leaf, row));
    logs[circuit.root().index()]
}

fn draw_cell(dice: &mut Dice, domain: &Domain) -> Cell {
    let places = [-2.0, -1.0, -0.5, 0.0, 1.0, 2.5, 7.0];
    let size = domain.size().unwrap_or(6) as usize;
    let point = match domain {
        Domain::Real => dice.pick(&places),
        _ => domain.first() + dice.below(size) as f64,
    };
    match dice.below(5) {
        0 | 1 => Cell::Point(point),
        2 => Cell::Missing,
        3 if domain.size().is_some() => {
            Cell::Soft((0..size).map(|_| dice.below(4) as f64 / 4.0).collect())
        }
        _ => {
            let discrete = domain.is_discrete();
            let low = pelton_compiler::circuit::Cut::before(point - dice.below(3) as f64);
            let high = pelton_compiler::circuit::Cut::after(point + dice.below(3) as f64);
            Cell::Within(ValueSet::between(low, high, discrete))
        }
    }
}

fn rows(circuit: &CircuitGraph, seed: u64) -> Vec<Vec<Cell>> {
    let mut dice = Dice::new(seed);
    let all = assignments(circuit, MOST_ASSIGNMENTS).into_iter().flatten();
    let mut rows: Vec<Vec<Cell>> = all
        .map(|row| row.into_iter().map(Cell::Point).collect())
        .collect();
    let variables = circuit.variables();
    rows.push(variables.iter().map(|_| Cell::Missing).collect());
    for _ in 0..N_DRAWN {
        let cells = variables.iter().map(|v| draw_cell(&mut dice, &v.domain));
        rows.push(cells.collect());
    }
    rows
}

/// Values as learning may leave them: learned ones anything, fixed ones fixed.
fn learned_values(circuit: &CircuitGraph, seed: u64) -> Vec<ParameterValue> {
    let mut dice = Dice::new(seed);
    let entries = circuit.all_entries().iter().zip(circuit.start_values());
    let value = |(entry, start): (&ParameterEntry, ParameterValue)| {
        if entry.learned {
            ParameterValue::Linear((1 + dice.below(8)) as f64 / 8.0)
        } else {
            start
        }
    };
    entries.map(value).collect()
}

fn is_close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-12 * (1.0 + a.abs())
}

#[test]
fn passes_preserve_the_distribution() {
    for_each_run(|seed, pass, before, after| {
        let (before, after) = (before.circuit(), after.circuit());
        let values = learned_values(before, seed);
        // What a pass adds is fixed and follows at the end.
        let mut more = values.clone();
        more.extend(&after.start_values()[values.len()..]);
        for row in rows(before, seed) {
            let logs = (
                log_root(before, &values, &row),
                log_root(after, &more, &row),
            );
            assert!(
                is_close(logs.0, logs.1),
                "seed {seed}, {}: {logs:?}",
                pass.name
            );
        }
    });
}

#[test]
fn passes_keep_variables_and_entries_in_place() {
    for_each_run(|seed, pass, before, after| {
        let (before, after) = (before.circuit(), after.circuit());
        let n = before.all_entries().len();
        let context = format!("seed {seed}, {}", pass.name);
        assert_eq!(&after.all_entries()[..n], before.all_entries(), "{context}");
        let added = &after.all_entries()[n..];
        assert!(added.iter().all(|entry| !entry.learned), "{context}");
        let names = |circuit: &CircuitGraph| -> Vec<String> {
            circuit.variables().iter().map(|v| v.name.clone()).collect()
        };
        assert_eq!(names(before), names(after), "{context}");
    });
}

/// What a pass says about its result is what a fresh check says, and nothing
/// that was proven is lost.
#[test]
fn passes_keep_what_was_proven() {
    let mut n_refuted = 0;
    for_each_run(|seed, pass, before, after| {
        let again = checked(after.circuit().clone());
        let context = format!("seed {seed}, {}", pass.name);
        let again = again.unwrap_or_else(|| panic!("{context}: no longer smooth or decomposable"));
        for property in Property::ALL {
            let [old, kept, fresh] = [before, after, &again].map(|checked| {
                let verdict = checked.facts().verdict(property);
                verdict.expect("it was asked for").clone()
            });
            if old.is_proven() {
                assert!(
                    kept.is_proven() && fresh.is_proven(),
                    "{context}: {property:?}"
                );
            }
            match &kept {
                PropertyVerdict::Unknown(_) => {}
                kept => assert_eq!(kept.name(), fresh.name(), "{context}: {property:?}"),
            }
            if let (PropertyVerdict::Refuted(why), Property::Deterministic) = (&kept, property) {
                assert_eq!(after.circuit().kind(why.unit), UnitKind::Sum);
                n_refuted += 1;
            }
        }
        let (kept, fresh) = (after.facts().scopes(), again.facts().scopes());
        for unit in after.circuit().units() {
            assert_eq!(kept.of(unit), fresh.of(unit), "{context}");
        }
    });
    assert!(
        n_refuted > 1000,
        "only {n_refuted} refutations were carried over"
    );
}

/// All that makes a circuit, without places.
fn shape_of(circuit: &CircuitGraph) -> Vec<String> {
    let unit = |unit: UnitId| {
        let edges = circuit.children(unit).map(|child| {
            let weight = child.weight.map(|weight| circuit.entry_position(weight));
            format!("{}*{weight:?}", child.unit.index())
        });
        let edges: Vec<String> = edges.collect();
        let name = circuit.name(unit).map(|name| circuit.names().show(name));
        let leaf = circuit.leaf_of(unit);
        format!("{:?} {name:?} {leaf:?} {edges:?}", circuit.kind(unit))
    };
    let mut lines: Vec<String> = circuit.units().map(unit).collect();
    lines.push(format!("{:?} {:?}", circuit.root(), circuit.all_entries()));
    lines
}

#[test]
fn passes_are_idempotent() {
    for_each_run(|seed, pass, _, after| {
        let twice = (pass.run)(after.clone());
        let shapes = (shape_of(after.circuit()), shape_of(twice.circuit()));
        let mut lines = shapes.0.iter().zip(&shapes.1);
        let difference = lines.find(|(once, twice)| once != twice);
        assert_eq!(difference, None, "seed {seed}, {}", pass.name);
        assert_eq!(shapes.0.len(), shapes.1.len(), "seed {seed}, {}", pass.name);
    });
}

/// Clutter is seen through: what is left is about as large as the original.
#[test]
fn clutter_is_cleared() {
    let (mut n_plain, mut n_cluttered, mut n_cleared) = (0, 0, 0);
    for seed in 0..N_CIRCUITS {
        let plain = sample(seed).circuit;
        let Some(cluttered) = checked(clutter(&plain, seed)) else {
            continue;
        };
        n_plain += plain.n_edges();
        n_cluttered += cluttered.circuit().n_edges();
        n_cleared += optimize::optimize(cluttered).circuit().n_edges();
    }
    println!("edges: {n_plain} plain, {n_cluttered} cluttered, {n_cleared} cleared");
    assert!(n_cluttered > n_plain * 3 / 2 && n_cleared < n_plain);
}

#[test]
fn a_pass_can_be_named() {
    assert!(optimize::passes_until("nothing").is_none());
    let all = optimize::passes_until("all").expect("all is a name");
    assert_eq!(all.len(), PIPELINE.len());
    for (at, pass) in PIPELINE.iter().enumerate() {
        let passes = optimize::passes_until(pass.name).expect("it is in the pipeline");
        assert_eq!(passes.len(), at + 1);
    }
}

/// Runs all passes and compares one value.
fn survive(circuit: CircuitGraph) -> CircuitGraph {
    let options = CheckOptions::default();
    let checked = check(circuit, &options, &mut SourceDiagnostics::new()).expect("it is right");
    let row: Vec<Cell> = checked
        .circuit()
        .variables()
        .iter()
        .map(|_| Cell::Missing)
        .collect();
    let value = |circuit: &CircuitGraph| log_root(circuit, &circuit.start_values(), &row);
    let before = value(checked.circuit());
    let after = optimize::optimize(checked).into_circuit();
    assert!(
        (before - value(&after)).abs() < 1e-9,
        "{before}, {}",
        value(&after)
    );
    after
}

#[test]
fn towers_collapse() {
    let flat = survive(shape::towers(100_000, false));
    assert_eq!((flat.n_units(), flat.sums().count()), (6, 1));
}

/// A sum in a sum in a sum, 100,000 times: weights far below any `f64`.
#[test]
fn nested_sums_become_one() {
    let mut sketch = Sketch::new();
    let variable = sketch.variable(Domain::Real);
    let point = |at: usize| ValueSet::point(at as f64, false);
    let mut top = sketch.indicator(variable, point(0));
    for level in 1..100_000 {
        let next = sketch.indicator(variable, point(level));
        top = sketch.sum(&[
            (ParameterEntry::fixed(0.25), top),
            (ParameterEntry::fixed(0.75), next),
        ]);
    }
    let circuit = sketch.finish(top);
    let checked = check(
        circuit,
        &CheckOptions::default(),
        &mut SourceDiagnostics::new(),
    );
    let checked = checked.expect("it is right");
    let row = [Cell::Point(0.0)];
    let value = |circuit: &CircuitGraph| log_root(circuit, &circuit.start_values(), &row);
    let before = value(checked.circuit());
    let flat = optimize::optimize(checked).into_circuit();
    assert_eq!((flat.n_units(), flat.n_edges()), (100_001, 100_000));
    // The pass multiplies weights one after the other, and each product is rounded.
    let error = (before - value(&flat)).abs();
    assert!(
        error < 1e-11 * before.abs() && before < -100_000.0,
        "{before}"
    );
}

/// Learned sums stay, however deep.
#[test]
fn deep_learned_sums_stay() {
    let mut sketch = Sketch::new();
    let variable = sketch.variable(Domain::Bool);
    let literals = [sketch.literal(variable, 0), sketch.literal(variable, 1)];
    let mut top = literals[0];
    for _ in 0..100_000 {
        top = sketch.sum(&[
            (ParameterEntry::learned(), top),
            (ParameterEntry::learned(), literals[1]),
        ]);
    }
    assert_eq!(survive(sketch.finish(top)).sums().count(), 100_000);
}

#[test]
fn wide_sums_survive() {
    assert_eq!(survive(shape::wide_sum(100_000)).n_edges(), 300_000);
    // Literals of one variable: the sum is a distribution, however it is spelled.
    let mut sketch = Sketch::new();
    let variable = sketch.variable(Domain::Range { low: 0, high: 2048 });
    let literals: Vec<UnitId> = (0..2048).map(|at| sketch.literal(variable, at)).collect();
    let root = sketch.even_sum(&literals);
    assert_eq!(survive(sketch.finish(root)).n_units(), 1);
}

/// A circuit that is zero stays zero, and right.
#[test]
fn a_root_of_zero_is_kept() {
    let mut builder = CircuitBuilder::new();
    let mut sketch = Sketch::new();
    let variable = sketch.variable(Domain::Bool);
    let other = sketch.variable(Domain::Bool);
    let (a, b) = (
        sketch.literal(variable, 1),
        sketch.indicator(other, ValueSet::empty()),
    );
    let product = sketch.product(&[a, b]);
    let root = sketch.sum(&[
        (ParameterEntry::learned(), product),
        (ParameterEntry::learned(), product),
    ]);
    let pruned = (PIPELINE[0].run)(checked(sketch.finish(root)).expect("it is right"));
    assert_eq!(pruned.circuit().n_units(), 2);
    assert_eq!(pruned.circuit().all_entries().len(), 3);
    for cell in [0.0, 1.0, f64::NAN] {
        let row = [Cell::Point(cell), Cell::Point(cell)];
        let circuit = pruned.circuit();
        let log_p = log_root(circuit, &circuit.start_values(), &row);
        assert_eq!(log_p, f64::NEG_INFINITY);
    }
    // The same without a single leaf.
    let origin = SourceOrigin::default();
    let unit = builder.product(&[], origin);
    let zeros = [ParameterEntry::fixed(0.0); 2];
    let param = builder.parameter(None, ParamKind::Weights, &zeros, Span::default());
    let edge = |index| ChildEdge::term(unit, Weight { param, index }, Span::default());
    let root = builder.sum(&[edge(0), edge(1)], origin);
    let pruned = (PIPELINE[0].run)(checked(builder.finish(root)).expect("it is right"));
    assert_eq!(
        (pruned.circuit().n_units(), pruned.circuit().n_edges()),
        (2, 1)
    );
}

/// Indicators weigh missing cells by their number of values.
#[test]
fn folding_respects_missing_cells() {
    let mut sketch = Sketch::new();
    let variable = sketch.variable(Domain::Range { low: 0, high: 4 });
    let sets = [(0, 1), (1, 3), (3, 4)].map(|(low, high)| ValueSet::integers(low, high));
    let units = sets.map(|set| sketch.indicator(variable, set));
    // Mass 0.5 + 2 * 0.125 + 0.25 = 1: a distribution.
    let terms = [0.5, 0.125, 0.25]
        .map(ParameterEntry::fixed)
        .into_iter()
        .zip(units);
    let root = sketch.sum(&terms.collect::<Vec<_>>());
    let folded = survive(sketch.finish(root));
    let leaf = folded.leaf_of(folded.root()).expect("a leaf");
    assert!(
        matches!(&leaf.kind, LeafKind::Distribution(d) if folded.entries(d.params[0]).len() == 4)
    );
    // Weights of mass 1 by themselves, and twice that with the missing cell: no leaf has that.
    let mut sketch = Sketch::new();
    let variable = sketch.variable(Domain::Range { low: 0, high: 4 });
    let units = [(0, 2), (2, 4)].map(|(low, high)| {
        let set = ValueSet::integers(low, high);
        sketch.indicator(variable, set)
    });
    let root = sketch.even_sum(&units);
    assert_eq!(survive(sketch.finish(root)).n_units(), 3);
}
