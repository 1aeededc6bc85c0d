//! Networks of deeprob-kit: a graph in JSON, as NetworkX writes it.
//!
//! Node 0 is the root; links lead from children to parents and number the children.

use super::{Exported, Refusal, plain_weight};
use pelton_compiler::check::Scopes;
use pelton_compiler::circuit::{
    BernoulliDistribution, Circuit, Domain, Family, Leaf, LeafKind, NormalDistribution, Reach,
    UniformDistribution, UnitId, UnitKind, Value,
};
use pelton_compiler::leaf::log_table;
use serde_json::{Value as Json, json};

pub(super) fn write(circuit: &Circuit) -> Result<Exported, Refusal> {
    let scopes = Scopes::compute(circuit);
    let mut writer = Writer {
        circuit,
        values: circuit.start_values(),
        nodes: Vec::new(),
        links: Vec::new(),
    };
    let reach = Reach::of(circuit, &[circuit.root()]);
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
    Ok(Exported {
        text: format!("{graph:#}\n"),
        vtree: None,
        notes: vec!["weights are written as numbers, not as logarithms".to_string()],
    })
}

struct Writer<'a> {
    circuit: &'a Circuit,
    values: Vec<Value>,
    nodes: Vec<Json>,
    links: Vec<Json>,
}

impl Writer<'_> {
    fn node(&mut self, unit: UnitId, scope: Vec<usize>, ids: &[usize]) -> Result<(), Refusal> {
        let circuit = self.circuit;
        let id = ids[unit.index()];
        let node = match circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let (class, params) = self.leaf(unit, circuit.leaf(leaf))?;
                json!({"id": id, "class": class, "scope": scope, "params": params})
            }
            UnitKind::Product if circuit.n_children(unit) == 0 => {
                let why = "has no factors, and the format has no constants";
                return Err(Refusal::of(circuit, unit, why));
            }
            UnitKind::Product => json!({"id": id, "class": "Product", "scope": scope}),
            UnitKind::Sum => {
                let weights = circuit.children(unit).map(|child| {
                    let weight = child.weight.expect("a sum's children have weights");
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

    fn leaf(&self, unit: UnitId, leaf: &Leaf) -> Result<(&'static str, Json), Refusal> {
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
        let why = "has a distribution that the format does not have";
        if domain.size().is_none_or(|size| size > 1 << 16) {
            return Err(Refusal::of(circuit, unit, why));
        }
        let logs = log_table(circuit, &self.values, leaf);
        let shares: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
        let total: f64 = shares.iter().sum();
        // A table of this format is a distribution, which a filled-in indicator is not.
        if (total - 1.0).abs() > 1e-6 {
            return Err(Refusal::of(
                circuit,
                unit,
                &format!("has mass {total}, not 1"),
            ));
        }
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
