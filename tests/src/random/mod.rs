//! Small random circuits of every kind.
//!
//! A circuit is drawn in a [`Style`], which says what properties it has, and
//! possibly with one [`Fault`], which breaks a property in a single place: a
//! check that looks everywhere but there is found out. What occurred is counted,
//! so that a test can show that it saw all of it.

mod leaf;
mod maker;
mod partition;

use crate::dice::Dice;
use pelton_compiler::circuit::{CircuitGraph, Domain, VarId};
use std::collections::BTreeMap;

/// What kind of circuit is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Decisions along one vtree: deterministic and structured.
    Decisions,
    /// Decisions on single variables, products that split at random.
    Unstructured,
    /// Mixtures and products along one vtree.
    Mixture,
    /// Anything decomposable, smooth or not.
    Ragged,
    /// Products whose factors may share variables.
    Tangled,
}

/// One place at which a circuit is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Two parts of a partition overlap.
    Overlap,
    /// A product misses a factor.
    MissingFactor,
    /// A product has a factor of a variable that another factor has.
    RepeatedFactor,
    /// The weights of a sum do not add up to 1.
    Weight,
    /// A product splits its variables unlike the others.
    Crossing,
}

/// A random circuit and how it came about.
pub struct Sample {
    /// The circuit.
    pub circuit: CircuitGraph,
    /// Its style.
    pub style: Style,
    /// The fault that was put in, if there was occasion for it.
    pub fault: Option<Fault>,
    /// How often each feature occurs in it.
    pub features: BTreeMap<&'static str, usize>,
}

const STYLES: [Style; 5] = [
    Style::Decisions,
    Style::Unstructured,
    Style::Mixture,
    Style::Ragged,
    Style::Tangled,
];

const FAULTS: [Fault; 5] = [
    Fault::Overlap,
    Fault::MissingFactor,
    Fault::RepeatedFactor,
    Fault::Weight,
    Fault::Crossing,
];

/// The circuit of a seed: up to 12 variables, up to a few hundred units.
pub fn sample(seed: u64) -> Sample {
    let mut dice = Dice::new(seed);
    let style = dice.pick(&STYLES);
    let fault = if dice.chance(50) {
        Some((dice.pick(&FAULTS), dice.below(6)))
    } else {
        None
    };
    draw(dice, style, fault)
}

/// A deterministic circuit without faults.
pub fn deterministic(seed: u64) -> Sample {
    let mut dice = Dice::new(seed);
    let style = dice.pick(&[Style::Decisions, Style::Unstructured]);
    draw(dice, style, None)
}

fn draw(mut dice: Dice, style: Style, fault: Option<(Fault, usize)>) -> Sample {
    let domains = domains(&mut dice);
    let mut maker = maker::Maker::new(dice, style, fault, &domains);
    let variables: Vec<VarId> = (0..domains.len()).map(VarId::new).collect();
    let root = maker.unit(&variables, 0);
    let (sketch, fault, features) = maker.finish();
    Sample {
        circuit: sketch.finish(root),
        style,
        fault,
        features,
    }
}

/// Few variables may have rich domains; many are `bool`, so that a truth table stays small.
fn domains(dice: &mut Dice) -> Vec<Domain> {
    let n = 1 + dice.below(12);
    let n_rich = match n {
        0..=3 => n,
        4..=7 => 2,
        _ => 1,
    };
    let mut domains: Vec<Domain> = (0..n)
        .map(|at| {
            if at < n_rich && dice.chance(70) {
                rich_domain(dice)
            } else {
                Domain::Bool
            }
        })
        .collect();
    dice.shuffle(&mut domains);
    domains
}

fn rich_domain(dice: &mut Dice) -> Domain {
    match dice.below(5) {
        0 => Domain::Categories(["a", "b", "c"].map(String::from).into()),
        1 => Domain::Range { low: -1, high: 3 },
        2 => Domain::Nat,
        _ => Domain::Real,
    }
}
