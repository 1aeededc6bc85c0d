//! Networks of deeprob-kit: a graph in JSON, as NetworkX writes it.
//!
//! Node 0 is the root; links lead from children to parents and number the children.

use super::{ExportError, ExportedCircuit, NO_CLASS, NO_FACTORS, plain_weight, shares};
use pelton_compiler::circuit::{
    BernoulliDistribution, CircuitGraph, Domain, Family, Leaf, LeafKind, NormalDistribution,
    ParameterValue, ReachableUnits, Scopes, UniformDistribution, UnitId, UnitKind,
};
use serde_json::{Value as Json, json};

pub(super) fn write(circuit: &CircuitGraph) -> Result<ExportedCircuit, ExportError> {
    let scopes = Scopes::compute(circuit);
    let mut writer = DeeprobWriter {
        circuit,
        values: circuit.start_values(),
        nodes: Vec::new(),
        links: Vec::new(),
    };
    let reach = ReachableUnits::of(circuit, &[circuit.root()]);
    let mut units: Vec<UnitId> = reach.units().collect();
    units.reverse();
    let mut ids: Vec<usize> = vec![0; circuit.n_units()];
    for (id, unit) in units.iter().enumerate() {
        ids[unit.index()] = id;
    }
    for &unit in &units {
        let scope: Vec<usize> = scopes
            .of(unit)
            .iter()
            .map(|variable| variable.index())
            .collect();
        writer.node(unit, scope, &ids)?;
    }
    let graph = json!({
        "directed": true,
        "multigraph": false,
        "graph": {},
        "nodes": writer.nodes,
        "links": writer.links,
    });
    let note = "weights are written as numbers, not as logarithms".to_string();
    Ok(ExportedCircuit::of(format!("{graph:#}\n")).with(Some(note)))
}

struct DeeprobWriter<'a> {
    circuit: &'a CircuitGraph,
    values: Vec<ParameterValue>,
    nodes: Vec<Json>,
    links: Vec<Json>,
}

impl DeeprobWriter<'_> {
    fn node(&mut self, unit: UnitId, scope: Vec<usize>, ids: &[usize]) -> Result<(), ExportError> {
        let circuit = self.circuit;
        let id = ids[unit.index()];
        let node = match circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let (class, params) = self.leaf(unit, circuit.leaf(leaf))?;
                json!({"id": id, "class": class, "scope": scope, "params": params})
            }
            UnitKind::Product if circuit.n_children(unit) == 0 => {
                return Err(ExportError::of(circuit, unit, NO_FACTORS));
            }
            UnitKind::Product => json!({"id": id, "class": "Product", "scope": scope}),
            UnitKind::Sum => {
                let weights = circuit.terms(unit).map(|(_, weight)| {
                    plain_weight(circuit, unit, self.values[circuit.entry_position(weight)])
                });
                let weights: Vec<f64> = weights.collect::<Result<_, _>>()?;
                json!({"id": id, "class": "Sum", "scope": scope, "weights": weights})
            }
        };
        self.nodes.push(node);
        for (at, child) in circuit.children(unit).enumerate() {
            let source = ids[child.unit.index()];
            self.links
                .push(json!({"source": source, "target": id, "idx": at}));
        }
        Ok(())
    }

    fn leaf(&self, unit: UnitId, leaf: &Leaf) -> Result<(&'static str, Json), ExportError> {
        let circuit = self.circuit;
        let domain = &circuit.variable(leaf.variable).domain;
        if let LeafKind::Distribution(it) = &leaf.kind
            && it.truncation.is_none()
        {
            let number = |at: usize, entry: usize| {
                let entries = circuit.parameter(it.params[at]).entries();
                self.values[entries.start + entry].linear()
            };
            if it.family == BernoulliDistribution.into() {
                return Ok(("Bernoulli", json!({"p": number(0, 1)})));
            }
            if it.family == NormalDistribution.into() {
                let params = json!({"mean": number(0, 0), "stddev": number(1, 0)});
                return Ok(("Gaussian", params));
            }
            if let Family::Uniform(UniformDistribution { low, high }) = &it.family
                && !domain.is_discrete()
            {
                let (start, width) = (low.value(), high.value() - low.value());
                return Ok(("Uniform", json!({"start": start, "width": width})));
            }
        }
        if domain.size().is_none_or(|size| size > 1 << 16) {
            return Err(ExportError::of(circuit, unit, NO_CLASS));
        }
        let shares = shares(circuit, &self.values, unit, leaf)?;
        // Other leaves of a variable of two values are coins, and so is this one.
        if *domain == Domain::Bool {
            return Ok(("Bernoulli", json!({"p": shares[1]})));
        }
        let low = domain.first() as i64;
        let categories: Vec<i64> = (low..).take(shares.len()).collect();
        let params = json!({"categories": categories, "probabilities": shares});
        Ok(("Categorical", params))
    }
}
