//! The loop that anyone would write: a list of operations over rows of 64 samples,
//! in 256-bit vectors, without scaling.

use super::{Kind, Subject};
use pelton_compiler::circuit::{
    CircuitGraph, Distribution, LeafKind, ParameterValue, ReachableUnits, UnitKind,
};
use pelton_runtime::Engine;
use pelton_tests::measure::fastest;
use pelton_workload::{self as workload, STANDARD};

/// Samples in a row.
const LANES: usize = 64;

type Row = [f32; LANES];

/// Prints how the wide engine fares against the loop, on the irregular circuits.
pub fn compare() {
    if !is_supported() {
        println!("\nthis CPU has no 256-bit vectors; there is no loop to compare with");
        return;
    }
    println!(
        "\n{:<16} {:>14} {:>14} {:>12}",
        "forward", "wide rows/s", "loop rows/s", "wide/loop"
    );
    for standard in STANDARD
        .iter()
        .filter(|standard| standard.name.starts_with("irregular"))
    {
        let checked = workload::checked((standard.make)());
        let list = OpList::of(checked.circuit());
        let wide = Subject::new(&checked, Engine::Wide).rate(Kind::Forward, 1);
        let own = list.rate();
        println!(
            "{:<16} {wide:>14.0} {own:>14.0} {:>12.2}",
            standard.name,
            wide / own
        );
    }
}

#[cfg(target_arch = "x86_64")]
fn is_supported() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

#[cfg(not(target_arch = "x86_64"))]
fn is_supported() -> bool {
    false
}

/// A unit's value from those of earlier rows.
struct Op {
    is_sum: bool,
    first: usize,
    n: usize,
}

struct OpList {
    ops: Vec<Op>,
    /// Row and weight of each term or factor.
    terms: Vec<(u32, f32)>,
    /// Rows of evidence, two for each variable, before those of the units.
    n_evidence: usize,
}

impl OpList {
    /// The units that the root reaches, in order.
    fn of(circuit: &CircuitGraph) -> Self {
        let values = circuit.start_values();
        let reach = ReachableUnits::of(circuit, &[circuit.root()]);
        let n_evidence = 2 * circuit.variables().len();
        let mut rows = vec![u32::MAX; circuit.n_units()];
        let mut list = OpList {
            ops: Vec::new(),
            terms: Vec::new(),
            n_evidence,
        };
        for unit in circuit.units().filter(|unit| reach.marked()[unit.index()]) {
            let first = list.terms.len();
            let is_sum = match circuit.kind(unit) {
                UnitKind::Input(leaf) => {
                    let leaf = circuit.leaf(leaf);
                    let evidence = 2 * leaf.variable.index() as u32;
                    list.push_leaf(circuit, &leaf.kind, &values, evidence);
                    true
                }
                kind => {
                    let children = circuit.children(unit).map(|child| {
                        let weight = child.weight.map(|w| values[circuit.entry_position(w)]);
                        (
                            rows[child.unit.index()],
                            weight.map_or(1.0, ParameterValue::linear) as f32,
                        )
                    });
                    list.terms.extend(children);
                    kind == UnitKind::Sum
                }
            };
            rows[unit.index()] = (n_evidence + list.ops.len()) as u32;
            let n = list.terms.len() - first;
            list.ops.push(Op { is_sum, first, n });
        }
        list
    }

    fn push_leaf(
        &mut self,
        circuit: &CircuitGraph,
        kind: &LeafKind,
        values: &[ParameterValue],
        evidence: u32,
    ) {
        match kind {
            LeafKind::Indicator(set) => {
                let has = |value: u32| if set.contains(value.into()) { 1.0 } else { 0.0 };
                self.terms
                    .extend((0..2).map(|value| (evidence + value, has(value))));
            }
            LeafKind::Distribution(Distribution { params, .. }) => {
                let entries = circuit.parameter(params[0]).entries();
                let weights = values[entries].iter().map(|value| value.linear() as f32);
                self.terms.extend((evidence..).zip(weights));
            }
        }
    }

    /// Rows a second. Everything is missing, so that all values are 1 and none
    /// underflows; the work is the same.
    fn rate(&self) -> f64 {
        let mut values: Vec<Row> = vec![[1.0; LANES]; self.n_evidence + self.ops.len()];
        let n_tiles = 200_000_000 / LANES / self.terms.len().max(1) + 1;
        let time = fastest(3, || {
            for _ in 0..n_tiles {
                self.run(&mut values);
            }
        });
        let root = values.last().map_or(0.0, |row| row[0]);
        assert!((root - 1.0).abs() < 1e-3, "the loop computes {root}");
        (n_tiles * LANES) as f64 / time.as_secs_f64()
    }

    #[cfg(target_arch = "x86_64")]
    fn run(&self, values: &mut [Row]) {
        // SAFETY: `compare` has asked whether the CPU has both features.
        unsafe { self.run_wide(values) }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn run(&self, _values: &mut [Row]) {}

    /// Plain loops over arrays of known length, which the compiler turns into
    /// 256-bit vectors.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn run_wide(&self, values: &mut [Row]) {
        for (at, op) in self.ops.iter().enumerate() {
            let (before, rest) = values.split_at_mut(self.n_evidence + at);
            let terms = &self.terms[op.first..op.first + op.n];
            let start = if op.is_sum { 0.0 } else { 1.0 };
            let mut row = [start; LANES];
            for &(child, weight) in terms {
                let child = &before[child as usize];
                if op.is_sum {
                    for (lane, x) in row.iter_mut().zip(child) {
                        *lane = x.mul_add(weight, *lane);
                    }
                } else {
                    for (lane, x) in row.iter_mut().zip(child) {
                        *lane *= x;
                    }
                }
            }
            rest[0] = row;
        }
    }
}
