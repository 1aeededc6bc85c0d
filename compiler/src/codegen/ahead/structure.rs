//! What the object knows of the circuit whatever its parameters are: a table of
//! variables, one of units and one of edges, and the operations on densities; `facts` says
//! what is in them.

use super::ObjectSpec;
use super::facts::EdgeFacts;
use super::weights::BlockPlaces;
use crate::circuit::{CircuitGraph, Domain, LeafId, UnitKind};
use crate::plan::{EvidenceLayout, Plan, PlanOperation};
use rustc_hash::FxHashMap;

/// How the evidence of a variable is kept.
pub(super) mod evidence {
    pub(in super::super) const UNUSED: u32 = 0;
    pub(in super::super) const WEIGHTS: u32 = 1;
    pub(in super::super) const CODES: u32 = 2;
    pub(in super::super) const REALS: u32 = 3;
}

/// Kinds of units.
pub(super) mod unit {
    pub(in super::super) const PRODUCT: u32 = 0;
    pub(in super::super) const SUM: u32 = 1;
    pub(in super::super) const TABLE: u32 = 2;
    pub(in super::super) const DENSITY: u32 = 3;
}

/// The tables.
pub(super) struct Structure {
    pub(super) bytes: Vec<u8>,
    pub(super) n_units: usize,
    /// Where units and edges begin.
    pub(super) units: usize,
    pub(super) edges: usize,
    /// Leaves with a table of logarithms, in order.
    pub(super) tables: Vec<LeafId>,
    /// Leaves whose density is computed: those of the plan, then others.
    pub(super) densities: Vec<LeafId>,
    /// Where the parts of the weights are.
    pub(super) places: BlockPlaces,
}

impl Structure {
    pub(super) fn new(spec: &ObjectSpec) -> Self {
        let circuit = spec.circuit;
        let mut tables = Tables::new(circuit, spec.plan);
        let mut edges = Vec::new();
        let mut units = Vec::new();
        for unit in circuit.units() {
            let first = edges.len() as u32 / size_of::<EdgeFacts>() as u32;
            for child in circuit.children(unit) {
                let entry = child
                    .weight
                    .map_or(0, |weight| circuit.entry_position(weight));
                words(&mut edges, &[child.unit.index() as u32, entry as u32]);
            }
            let n = edges.len() as u32 / size_of::<EdgeFacts>() as u32 - first;
            let row = match circuit.kind(unit) {
                UnitKind::Product => [unit::PRODUCT, n, first, 0],
                UnitKind::Sum => [unit::SUM, n, first, 0],
                UnitKind::Input(leaf) => tables.leaf(leaf),
            };
            words(&mut units, &row);
        }
        let mut bytes = variables(circuit, spec.plan);
        let (units_at, edges_at) = (bytes.len(), bytes.len() + units.len());
        bytes.extend(units);
        bytes.extend(edges);
        Structure {
            bytes,
            n_units: circuit.n_units(),
            units: units_at,
            edges: edges_at,
            places: BlockPlaces::new(spec, tables.n_numbers as usize, tables.densities.len()),
            tables: tables.tables,
            densities: tables.densities,
        }
    }
}

/// The operations that are calls: as far apart as the plan's, of which the code knows
/// the distance.
pub(super) fn operations(plan: &Plan) -> Vec<u8> {
    let has_densities = plan
        .ops()
        .iter()
        .any(|op| matches!(op, PlanOperation::Density(_)));
    if !has_densities {
        return Vec::new();
    }
    let mut bytes = Vec::with_capacity(size_of_val(plan.ops()));
    for op in plan.ops() {
        let end = bytes.len() + size_of::<PlanOperation>();
        if let PlanOperation::Density(op) = op {
            let row = [op.first_leaf, op.n, op.out.0, op.exponent.0, op.reals];
            words(&mut bytes, &row);
        }
        bytes.resize(end, 0);
    }
    bytes
}

/// Leaves by what they are computed from.
struct Tables<'a> {
    circuit: &'a CircuitGraph,
    plan: &'a Plan,
    tables: Vec<LeafId>,
    n_numbers: u32,
    densities: Vec<LeafId>,
    known: FxHashMap<LeafId, u32>,
}

impl<'a> Tables<'a> {
    fn new(circuit: &'a CircuitGraph, plan: &'a Plan) -> Self {
        let densities = plan.density_leaves().to_vec();
        let known = densities.iter().zip(0..).map(|(&leaf, at)| (leaf, at));
        Tables {
            circuit,
            plan,
            tables: Vec::new(),
            n_numbers: 0,
            known: known.collect(),
            densities,
        }
    }

    fn leaf(&mut self, leaf: LeafId) -> [u32; 4] {
        let variable = self.circuit.leaf(leaf).variable.index();
        if let EvidenceLayout::Reals { .. } = self.plan.evidence()[variable] {
            let densities = &mut self.densities;
            let at = *self.known.entry(leaf).or_insert_with(|| {
                densities.push(leaf);
                densities.len() as u32 - 1
            });
            return [unit::DENSITY, 0, at, variable as u32];
        }
        let domain = &self.circuit.variables()[variable].domain;
        let n_values = domain.size().unwrap_or(0) as u32;
        let at = self.n_numbers;
        self.tables.push(leaf);
        self.n_numbers += n_values + 1;
        [unit::TABLE, n_values, at, variable as u32]
    }
}

fn variables(circuit: &CircuitGraph, plan: &Plan) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (variable, layout) in circuit.variables().iter().zip(plan.evidence()) {
        let domain = &variable.domain;
        let (kind, n_values, place) = match *layout {
            EvidenceLayout::Unused => (evidence::UNUSED, 0, 0),
            EvidenceLayout::Weights { first, n_values } => (evidence::WEIGHTS, n_values, first.0),
            EvidenceLayout::Codes { row, n_values } => (evidence::CODES, n_values, row),
            EvidenceLayout::Reals { row } => (evidence::REALS, 0, row),
        };
        let is_discrete = u32::from(domain.is_discrete());
        words(&mut bytes, &[kind, n_values, place, is_discrete]);
        let (low, high) = bounds(domain);
        bytes.extend(low.to_le_bytes());
        bytes.extend(high.to_le_bytes());
    }
    bytes
}

/// The first value of a domain and what is behind its last.
fn bounds(domain: &Domain) -> (f64, f64) {
    match domain {
        Domain::Real => (f64::NEG_INFINITY, f64::INFINITY),
        Domain::Nat => (0.0, Domain::LARGEST_INT as f64),
        domain => {
            let size = domain.size().unwrap_or(0) as f64;
            (domain.first(), domain.first() + size)
        }
    }
}

fn words(bytes: &mut Vec<u8>, words: &[u32]) {
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}
