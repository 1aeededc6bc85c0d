//! What happened to the parameters of leaves.

use pelton_compiler::circuit::{CircuitGraph, LeafId, LeafKind, ParamId};

/// So many parameters are named.
const EXAMPLES: usize = 3;

/// What a step did that its user should hear about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeafOutcome {
    /// Parameters that the data or the entropy would have made smaller than
    /// [`ObservedRanges`](super::ObservedRanges) allow.
    pub n_floored: usize,
    /// Parameters that would have become larger.
    pub n_ceiled: usize,
    /// Some of them: a parameter's name, or the variable and the family of its leaf.
    pub examples: Vec<String>,
}

/// Where a wanted value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptimumPosition {
    Below,
    Inside,
    Above,
}

impl LeafOutcome {
    /// Whether some parameter was kept from where it wanted to go.
    pub fn is_bounded(&self) -> bool {
        self.n_floored + self.n_ceiled > 0
    }

    pub(super) fn note(
        &mut self,
        circuit: &CircuitGraph,
        param: ParamId,
        leaf: LeafId,
        place: OptimumPosition,
    ) {
        match place {
            OptimumPosition::Inside => return,
            OptimumPosition::Below => self.n_floored += 1,
            OptimumPosition::Above => self.n_ceiled += 1,
        }
        if self.examples.len() < EXAMPLES {
            let example = describe(circuit, param, leaf);
            // Leaves written in one place have one description.
            if !self.examples.contains(&example) {
                self.examples.push(example);
            }
        }
    }
}

fn describe(circuit: &CircuitGraph, param: ParamId, leaf: LeafId) -> String {
    if let Some(name) = circuit.parameter(param).name {
        return circuit.names().show(name);
    }
    let leaf = circuit.leaf(leaf);
    let variable = &circuit.variable(leaf.variable).name;
    match &leaf.kind {
        LeafKind::Distribution(distribution) => {
            format!("{variable} ~ {}", distribution.family.name())
        }
        LeafKind::Indicator(_) => variable.clone(),
    }
}
