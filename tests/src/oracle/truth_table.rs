//! The truth table of a small circuit's supports.
//!
//! Real and unbounded variables are tried at one value for each way of lying in
//! or outside the supports of their leaves: at, just beside and between all ends
//! of intervals. That decides every question about supports.

use super::reachable;
use pelton_compiler::circuit::{CircuitGraph, Domain, UnitId, UnitKind, ValueSet, VarId};
use pelton_compiler::leaf::support;

/// The truth table of a circuit's supports.
pub struct TruthTable {
    /// For each unit one bit for each point: whether it is positive there.
    rows: Vec<Vec<u64>>,
    n_points: usize,
}

impl TruthTable {
    /// The table, unless it has more than `most` points.
    pub fn new(circuit: &CircuitGraph, most: usize) -> Option<Self> {
        let supports: Vec<ValueSet> = circuit
            .leaves()
            .iter()
            .map(|l| support(circuit, l))
            .collect();
        let values: Vec<Vec<f64>> = (0..circuit.variables().len())
            .map(|at| representatives(circuit, &supports, VarId::new(at)))
            .collect();
        let n_points = values
            .iter()
            .try_fold(1_usize, |n, own| n.checked_mul(own.len()))
            .filter(|&n| n <= most)?;
        let mut table = TruthTable {
            rows: Vec::with_capacity(circuit.n_units()),
            n_points,
        };
        for unit in circuit.units() {
            let row = table.row(circuit, &supports, &values, unit);
            table.rows.push(row);
        }
        Some(table)
    }

    /// Number of points.
    pub fn n_points(&self) -> usize {
        self.n_points
    }

    fn row(
        &self,
        circuit: &CircuitGraph,
        supports: &[ValueSet],
        values: &[Vec<f64>],
        unit: UnitId,
    ) -> Vec<u64> {
        let n_words = self.n_points.div_ceil(64);
        match circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let at = circuit.leaf(leaf).variable.index();
                let period: usize = values[at + 1..].iter().map(Vec::len).product();
                let mut row = vec![0; n_words];
                for point in 0..self.n_points {
                    let value = values[at][point / period % values[at].len()];
                    if supports[leaf.index()].contains(value) {
                        row[point / 64] |= 1 << (point % 64);
                    }
                }
                row
            }
            UnitKind::Product => {
                let mut row = vec![u64::MAX; n_words];
                for child in circuit.children(unit) {
                    let factor = &self.rows[child.unit.index()];
                    row.iter_mut().zip(factor).for_each(|(word, f)| *word &= f);
                }
                row
            }
            UnitKind::Sum => {
                let mut row = vec![0; n_words];
                for child in counting_children(circuit, unit) {
                    let term = &self.rows[child.index()];
                    row.iter_mut().zip(term).for_each(|(word, t)| *word |= t);
                }
                row
            }
        }
    }

    /// Whether two children of the sum are positive at one point.
    pub fn overlaps(&self, circuit: &CircuitGraph, sum: UnitId) -> bool {
        let mut seen = vec![0; self.n_points.div_ceil(64)];
        let rest = self.n_points % 64;
        let last = match rest {
            0 => u64::MAX,
            rest => (1 << rest) - 1,
        };
        for child in counting_children(circuit, sum) {
            let row = &self.rows[child.index()];
            let n_words = row.len();
            for (at, (word, own)) in seen.iter_mut().zip(row).enumerate() {
                let own = if at + 1 == n_words { own & last } else { *own };
                if *word & own != 0 {
                    return true;
                }
                *word |= own;
            }
        }
        false
    }

    /// The first sum below the root that is not deterministic.
    pub fn first_overlap(&self, circuit: &CircuitGraph) -> Option<UnitId> {
        let reachable = reachable(circuit);
        circuit
            .sums()
            .find(|&sum| reachable[sum.index()] && self.overlaps(circuit, sum))
    }
}

fn counting_children(circuit: &CircuitGraph, sum: UnitId) -> impl Iterator<Item = UnitId> + '_ {
    let counts = |child: &pelton_compiler::circuit::ChildEdge| {
        let weight = child.weight.expect("children of sums have weights");
        !circuit.entry(weight).is_fixed_zero()
    };
    circuit.children(sum).filter(counts).map(|child| child.unit)
}

/// One value for each way in which values lie in the supports of the variable's leaves.
fn representatives(circuit: &CircuitGraph, supports: &[ValueSet], variable: VarId) -> Vec<f64> {
    let domain = &circuit.variable(variable).domain;
    let own: Vec<&ValueSet> = circuit
        .leaves()
        .iter()
        .zip(supports)
        .filter(|(leaf, _)| leaf.variable == variable)
        .map(|(_, set)| set)
        .collect();
    let mut seen: Vec<Vec<bool>> = Vec::new();
    let mut values = Vec::new();
    for value in candidates(domain, &own) {
        let signature: Vec<bool> = own.iter().map(|set| set.contains(value)).collect();
        if !seen.contains(&signature) {
            seen.push(signature);
            values.push(value);
        }
    }
    values
}

fn candidates(domain: &Domain, sets: &[&ValueSet]) -> Vec<f64> {
    if let Some(size) = domain.size() {
        return (0..size).map(|at| domain.first() + at as f64).collect();
    }
    let ends = sets.iter().flat_map(|set| set.runs());
    let mut ends: Vec<f64> = ends
        .flat_map(|run| [run.0.value(), run.1.value()])
        .filter(|end| end.is_finite())
        .collect();
    ends.push(0.0);
    ends.sort_unstable_by(f64::total_cmp);
    let (low, high) = (ends[0], ends[ends.len() - 1]);
    if *domain == Domain::Nat {
        return (0..=high as i64 + 1).map(|value| value as f64).collect();
    }
    let middles = ends.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    let beside = ends
        .iter()
        .flat_map(|&end| [end.next_down(), end, end.next_up()]);
    let mut all: Vec<f64> = middles.chain(beside).collect();
    all.extend([low - 1.0, high + 1.0]);
    all
}
