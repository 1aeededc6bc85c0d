//! What the laws share: circuits, rows, and reading back.

use pelton_compiler::AnalysisOptions;
use pelton_compiler::check::{CheckOptions, Checked, check};
use pelton_compiler::circuit::{
    CircuitGraph, Cut, Domain, LeafKind, ParamId, ParamKind, Property, ReachableUnits, ValueSet,
    VarId,
};
use pelton_compiler::emit;
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::reference::log_likelihood;
use pelton_compiler::transform::TransformedCircuit;
use pelton_formats::analyze;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_tests::dice::Dice;
use pelton_tests::random::sample;
use std::collections::{BTreeMap, BTreeSet};

pub const N_CIRCUITS: u64 = 1_500;
/// Rows drawn for each circuit.
pub const N_ROWS: usize = 12;

/// A circuit that is right, with all properties decided.
pub fn checked(circuit: CircuitGraph) -> Option<Checked> {
    let options = CheckOptions {
        decide: Property::ALL.to_vec(),
        ..CheckOptions::default()
    };
    check(circuit, &options, &mut SourceDiagnostics::new())
}

/// Random circuits that are right and that the language has words for, with their seeds.
pub fn circuits() -> impl Iterator<Item = (u64, Checked)> {
    let written = (0..N_CIRCUITS).map(|seed| (seed, sample(seed).circuit));
    let written = written.filter(|(_, circuit)| emit::circuit(circuit, &mut String::new()).is_ok());
    written.filter_map(|(seed, circuit)| Some((seed, checked(circuit)?)))
}

/// A text as a checked circuit.
pub fn read(text: &str) -> Checked {
    let input = SourceInput {
        name: "test".into(),
        path: None,
        bytes: text.as_bytes().to_vec(),
    };
    let options = AnalysisOptions {
        decide: Property::ALL.to_vec(),
        ..AnalysisOptions::default()
    };
    let analysis = analyze(input, &FileLoader, &options);
    let found = format!("{:?}", analysis.found);
    analysis
        .into_checked()
        .unwrap_or_else(|| panic!("{found}\n{text}"))
}

pub fn text_of(circuit: &CircuitGraph) -> String {
    let mut text = String::new();
    emit::circuit(circuit, &mut text).unwrap();
    text
}

/// A value of each domain, drawn from few so that they meet the cuts of leaves.
pub fn draw_value(dice: &mut Dice, domain: &Domain) -> f64 {
    match domain {
        Domain::Real => dice.pick(&[-2.0, -1.0, -0.5, 0.0, 1.0, 2.5, 7.0, 10.0]),
        _ => domain.first() + dice.below(domain.size().unwrap_or(6) as usize) as f64,
    }
}

/// A set of each domain that is not all of it and has mass.
pub fn draw_set(dice: &mut Dice, domain: &Domain) -> ValueSet {
    let discrete = domain.is_discrete();
    let from = draw_value(dice, domain);
    let near = ValueSet::between(
        Cut::before(from),
        Cut::after(from + 1.0 + dice.below(3) as f64),
        discrete,
    );
    let set = match dice.below(3) {
        0 => near,
        1 => domain.full().minus(&near),
        _ => near.union(&ValueSet::between(
            Cut::after(from + 5.0),
            Cut::before(from + 7.0),
            discrete,
        )),
    };
    set.intersect(&domain.full())
}

pub type Row = BTreeMap<String, f64>;

/// A row of values by the names of variables; some are missing if that is wanted.
pub fn draw_row(dice: &mut Dice, circuit: &CircuitGraph, may_miss: bool) -> Row {
    let variables = circuit.variables().iter();
    variables
        .map(|variable| {
            let value = match (may_miss && dice.chance(25), &variable.domain) {
                (true, _) => f64::NAN,
                // Where intervals meet in a point, the point has no mass and may be lost.
                (_, Domain::Real) => dice.pick(&[-2.3, -0.9, -0.4, 0.3, 1.4, 3.1, 7.7, 11.5]),
                (_, domain) => draw_value(dice, domain),
            };
            (variable.name.clone(), value)
        })
        .collect()
}

/// The logarithm of a circuit's value for a row; what the row does not name is missing.
pub fn log_at(circuit: &CircuitGraph, row: &Row) -> f64 {
    let variables = circuit.variables().iter();
    let assignment: Vec<f64> = variables
        .map(|variable| row.get(&variable.name).copied().unwrap_or(f64::NAN))
        .collect();
    log_likelihood(circuit, &circuit.start_values(), &assignment)
}

pub fn log_mass(circuit: &CircuitGraph) -> f64 {
    log_at(circuit, &Row::new())
}

#[track_caller]
pub fn assert_near(found: f64, expected: f64, context: &str) {
    let is_same = found == expected;
    let is_near = (found - expected).abs() <= 1e-8 * (1.0 + expected.abs());
    assert!(
        is_same || is_near,
        "{context}: {found} instead of {expected}"
    );
}

/// What was made has all properties that a circuit which was not wrong had to have, and
/// is the same after writing and reading.
#[track_caller]
pub fn assert_sound(transformed: &TransformedCircuit, seed: u64) {
    let circuit = transformed.checked.circuit();
    assert!(checked(circuit.clone()).is_some(), "seed {seed}");
    if !seed.is_multiple_of(5) {
        return;
    }
    let text = text_of(circuit);
    let again = read(&text);
    assert_same_parts(circuit, again.circuit(), &text);
    let mut dice = Dice::new(seed);
    for _ in 0..N_ROWS {
        let row = draw_row(&mut dice, circuit, true);
        let context = format!("seed {seed}, read back, {row:?}\n{text}");
        assert_near(
            log_at(again.circuit(), &row),
            log_at(circuit, &row),
            &context,
        );
    }
}

/// Reading joins equal units that have no names, and nothing else.
#[track_caller]
fn assert_same_parts(circuit: &CircuitGraph, again: &CircuitGraph, text: &str) {
    let reach = ReachableUnits::of(circuit, &[circuit.root()]);
    assert!(again.n_units() <= reach.units().count(), "{text}");
    let learned = |circuit: &CircuitGraph| {
        let mut used = BTreeSet::new();
        for unit in ReachableUnits::of(circuit, &[circuit.root()]).units() {
            used.extend(circuit.children(unit).filter_map(|c| Some(c.weight?.param)));
            if let Some(LeafKind::Distribution(d)) = circuit.leaf_of(unit).map(|leaf| &leaf.kind) {
                used.extend(&d.params);
            }
        }
        // Of a `unit` only the probability is written.
        let is_learned = |&param: &ParamId| match circuit.parameter(param).kind {
            ParamKind::Unit => circuit.entries(param)[1].learned,
            _ => circuit.entries(param).iter().any(|entry| entry.learned),
        };
        used.into_iter().filter(is_learned).count()
    };
    assert_eq!(learned(again), learned(circuit), "{text}");
}

/// Whether a property that the first was proven to have is proven for the second.
#[track_caller]
pub fn assert_keeps(property: Property, before: &Checked, after: &CircuitGraph, seed: u64) {
    if before.facts().is_proven(property) {
        let after = checked(after.clone()).unwrap();
        assert!(
            after.facts().is_proven(property),
            "seed {seed}: {} is {:?}\n{}",
            property.name(),
            after.facts().verdict(property),
            text_of(after.circuit()),
        );
    }
}

/// Knowledge about some variables, at least one.
pub fn draw_region(dice: &mut Dice, circuit: &CircuitGraph) -> ValueBox {
    let mut region = ValueBox::default();
    for (at, variable) in circuit.variables().iter().enumerate() {
        if !dice.chance(40) {
            continue;
        }
        let domain = &variable.domain;
        let set = if dice.chance(50) {
            ValueSet::point(draw_value(dice, domain), domain.is_discrete())
        } else {
            draw_set(dice, domain)
        };
        if !set.is_empty() {
            region.insert(VarId::new(at), set);
        }
    }
    region
}
