//! Means, variances and covariances of variables.

mod parts;

pub use parts::{MomentSummary, summary};

use super::error::finite;
use super::{InformationError, ScaledCircuit, mentioned};
use pelton_compiler::circuit::{CircuitGraph, Domain, Leaf, UnitId, UnitKind, VarId};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::leaf::{LeafMoments, moments as moments_of_leaf};
use pelton_grammar::diagnostic::thousands;

/// Edges times variables that covariances may take: about ten seconds.
const MOST_WORK: u64 = 1 << 31;

/// Variables whose covariances fit into memory.
const MOST_VARIABLES: usize = 1 << 13;

/// The mean and variance of one variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariableMoments {
    /// The variable.
    pub variable: VarId,
    /// Its mean; of a `bool` variable, the probability that it is true.
    pub mean: f64,
    /// Its variance.
    pub variance: f64,
}

/// What moments are made of.
#[derive(Clone, Debug)]
pub struct MomentsOf {
    /// The numeric variables that the circuit mentions, ascending.
    pub variables: Vec<VariableMoments>,
    /// Moments of leaves by unit index; none for other units, for categories and for
    /// leaves without mass.
    leaves: Vec<Option<LeafMoments>>,
}

/// Means and variances of all numeric variables, given what is known: two passes.
///
/// `scaled` was made for the same evidence. A variable with infinitely large moments
/// has infinite ones. Categories have no moments and are left out.
pub fn moments(scaled: &ScaledCircuit, evidence: &ValueBox) -> Result<MomentsOf, InformationError> {
    let circuit = scaled.circuit();
    let leaves: Vec<Option<LeafMoments>> = leaf_moments(scaled, evidence);
    let chances = chances(scaled);
    let n_variables = circuit.variables().len();
    let (mut means, mut variances) = (vec![0.0; n_variables], vec![0.0; n_variables]);
    // The leaves of each variable are the parts of a mixture: means first, then variances around
    // them, in which nothing cancels.
    let parts = || {
        let units = circuit.units().zip(&chances);
        let units = units.filter(|(_, chance)| **chance > 0.0);
        units.filter_map(|(unit, chance)| {
            let leaf = circuit.leaf_of(unit)?;
            Some((leaf.variable.index(), *chance, leaves[unit.index()]?))
        })
    };
    for (variable, chance, own) in parts() {
        means[variable] += chance * own.mean;
    }
    for (variable, chance, own) in parts() {
        let offset = own.mean - means[variable];
        variances[variable] += chance * (own.variance + offset * offset);
    }
    let mut numeric = mentioned(circuit);
    numeric.retain(|&variable| is_numeric(circuit, variable));
    let variables = numeric.into_iter().map(|variable| {
        let (mean, variance) = (means[variable.index()], variances[variable.index()]);
        let is_finite = !mean.is_infinite();
        VariableMoments {
            variable,
            mean,
            variance: if is_finite { variance } else { f64::INFINITY },
        }
    });
    let variables: Vec<VariableMoments> = variables.collect();
    if let Some(wrong) = variables.iter().find(|found| found.mean.is_nan()) {
        let name = &circuit.variable(wrong.variable).name;
        finite(f64::NAN, &format!("the mean of `{name}`"))?;
    }
    Ok(MomentsOf { variables, leaves })
}

/// Whether values of a variable are numbers.
fn is_numeric(circuit: &CircuitGraph, variable: VarId) -> bool {
    !matches!(circuit.variable(variable).domain, Domain::Categories(_))
}

fn leaf_moments(scaled: &ScaledCircuit, evidence: &ValueBox) -> Vec<Option<LeafMoments>> {
    let circuit = scaled.circuit();
    let mut known: Vec<Option<Option<LeafMoments>>> = vec![None; circuit.leaves().len()];
    let units = circuit.units().map(|unit| {
        let UnitKind::Input(id) = circuit.kind(unit) else {
            return None;
        };
        let leaf = circuit.leaf(id);
        if !is_numeric(circuit, leaf.variable) || scaled.log_mass(unit) == f64::NEG_INFINITY {
            return None;
        }
        let own = known[id.index()].get_or_insert_with(|| given(scaled, leaf, evidence));
        // A leaf whose moments cannot be told makes those of its variable unknown.
        Some(own.unwrap_or(LeafMoments {
            mean: f64::NAN,
            variance: f64::NAN,
        }))
    });
    units.collect()
}

fn given(scaled: &ScaledCircuit, leaf: &Leaf, evidence: &ValueBox) -> Option<LeafMoments> {
    let (circuit, values) = (scaled.circuit(), scaled.values());
    match evidence.exact(circuit, leaf.variable) {
        Some(mean) => Some(LeafMoments {
            mean,
            variance: 0.0,
        }),
        None => moments_of_leaf(circuit, values, leaf, evidence.set(leaf.variable)),
    }
}

/// How likely each unit is chosen from the root, by unit index.
fn chances(scaled: &ScaledCircuit) -> Vec<f64> {
    let circuit = scaled.circuit();
    let mut chances = vec![0.0; circuit.n_units()];
    chances[circuit.root().index()] = 1.0;
    for unit in circuit.units().rev() {
        let own = chances[unit.index()];
        match circuit.kind(unit) {
            _ if own == 0.0 => {}
            UnitKind::Input(_) => {}
            UnitKind::Product => {
                for child in circuit.children(unit) {
                    chances[child.unit.index()] += own;
                }
            }
            UnitKind::Sum => {
                for (_, child, share) in scaled.log_shares(unit) {
                    chances[child.index()] += own * share.exp();
                }
            }
        }
    }
    chances
}

/// Covariances of all pairs of the variables that `moments` has, in their order.
///
/// Two passes for each variable, with values measured from their means: nothing
/// cancels. Refused if that is too much work.
pub fn covariance(
    scaled: &ScaledCircuit,
    of: &MomentsOf,
) -> Result<Vec<Vec<f64>>, InformationError> {
    let circuit = scaled.circuit();
    let size = (circuit.n_units() + circuit.n_edges()) as u64;
    let n = of.variables.len();
    if size.saturating_mul(n as u64) > MOST_WORK || n > MOST_VARIABLES {
        let (n, n_edges) = (thousands(n), thousands(circuit.n_edges()));
        let message = format!(
            "covariances of {n} variables in a circuit of {n_edges} edges are more than is worth \
             the time; marginalize to fewer variables first"
        );
        return Err(InformationError::Structure(message.into()));
    }
    let mut place = vec![None; circuit.variables().len()];
    let mut centre = vec![0.0; circuit.variables().len()];
    for (at, own) in of.variables.iter().enumerate() {
        place[own.variable.index()] = Some(at);
        centre[own.variable.index()] = own.mean;
    }
    let offset = |unit: UnitId| {
        let leaf = circuit.leaf_of(unit)?;
        let own = of.leaves[unit.index()]?;
        Some((leaf.variable, own.mean - centre[leaf.variable.index()]))
    };
    let rows = of.variables.iter().map(|own| {
        let mut row = vec![0.0; n];
        let contexts = contexts(scaled, own.variable, &offset);
        for unit in circuit.units().filter(|unit| contexts[unit.index()] != 0.0) {
            if let Some((variable, offset)) = offset(unit)
                && let Some(at) = place[variable.index()]
            {
                row[at] += contexts[unit.index()] * offset;
            }
        }
        row
    });
    let mut rows: Vec<Vec<f64>> = rows.collect();
    for (at, own) in of.variables.iter().enumerate() {
        rows[at][at] = own.variance;
    }
    symmetric(&mut rows);
    Ok(rows)
}

/// For each unit, the mean of how far `variable` lies from its own, times how likely the
/// unit is chosen: what its leaves weigh in covariances with `variable`.
fn contexts(
    scaled: &ScaledCircuit,
    variable: VarId,
    offset: &dyn Fn(UnitId) -> Option<(VarId, f64)>,
) -> Vec<f64> {
    // 1. Which units have the variable below them.
    let circuit = scaled.circuit();
    let mut holds = vec![false; circuit.n_units()];
    for unit in circuit.units() {
        holds[unit.index()] = match circuit.leaf_of(unit) {
            Some(leaf) => leaf.variable == variable,
            None => {
                let mut children = circuit.children(unit);
                children.any(|child| holds[child.unit.index()])
            }
        };
    }
    // 2. The mean offset of each unit: that of the factor that has the variable.
    let own = |unit: UnitId| match offset(unit) {
        Some((of, offset)) if of == variable => offset,
        _ => 1.0,
    };
    let means = scaled.upward(own, |factors| factors.product(), |own, _| own);
    // 3. Down: a factor without the variable takes along the mean offset of the one that has it.
    let mut contexts = vec![0.0; circuit.n_units()];
    contexts[circuit.root().index()] = 1.0;
    for unit in circuit.units().rev() {
        let own = contexts[unit.index()];
        match circuit.kind(unit) {
            UnitKind::Input(_) => {}
            UnitKind::Sum => {
                for (_, child, share) in scaled.log_shares(unit) {
                    contexts[child.index()] += own * share.exp();
                }
            }
            UnitKind::Product => {
                let with = |child: UnitId| holds[child.index()];
                let children = || circuit.children(unit).map(|child| child.unit);
                let factor = children().find(|&child| with(child));
                let factor = factor.map_or(1.0, |child| means[child.index()]);
                for child in children() {
                    contexts[child.index()] += if with(child) { own } else { own * factor };
                }
            }
        }
    }
    contexts
}

/// Means of two ways to compute the same number.
fn symmetric(rows: &mut [Vec<f64>]) {
    for i in 1..rows.len() {
        let (above, below) = rows.split_at_mut(i);
        let pairs = above.iter_mut().zip(&mut below[0]);
        for (row, own) in pairs {
            let mean = (row[i] + *own) / 2.0;
            row[i] = mean;
            *own = mean;
        }
    }
}
