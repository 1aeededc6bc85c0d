//! Which parameters without a name need one to stay what they are.

use crate::circuit::{CircuitGraph, LeafKind, ParamId, ParamKind, UnitId};

/// Learned parameters without a name that cannot be written in place.
///
/// A `?` in a sum or leaf is a parameter of its own. One that several units
/// use, or that a sum uses in another order or in part, must be declared so
/// that it is still one parameter when the text is read again. Fixed numbers
/// are the same wherever they stand.
pub(super) fn tied_without_name(circuit: &CircuitGraph, reached: &[bool]) -> Vec<ParamId> {
    let mut uses = Uses::new(circuit);
    for unit in circuit.units().filter(|unit| reached[unit.index()]) {
        uses.look_at(unit);
    }
    let all = (0..uses.params.len()).map(ParamId::new);
    all.filter(|id| uses.params[id.index()].needs_name())
        .collect()
}

struct Uses<'a> {
    circuit: &'a CircuitGraph,
    params: Vec<ParameterUseCount>,
    /// Parameters without a name that the sum at hand uses.
    at_hand: Vec<ParamId>,
}

/// How one parameter is used.
#[derive(Clone, Copy, Default)]
struct ParameterUseCount {
    /// Whether a text in place would be a parameter of its own.
    is_own: bool,
    n_users: u32,
    /// Entries of it that the sum at hand has used, in order.
    n_in_order: u32,
    is_out_of_order: bool,
}

impl ParameterUseCount {
    fn needs_name(self) -> bool {
        self.is_own && (self.n_users > 1 || self.is_out_of_order)
    }
}

impl<'a> Uses<'a> {
    fn new(circuit: &'a CircuitGraph) -> Self {
        let params = (0..circuit.parameters().len()).map(|at| {
            let has_name = circuit.parameters()[at].name.is_some();
            let entries = circuit.entries(ParamId::new(at));
            ParameterUseCount {
                is_own: !has_name && entries.iter().any(|entry| entry.learned),
                ..ParameterUseCount::default()
            }
        });
        Uses {
            circuit,
            params: params.collect(),
            at_hand: Vec::new(),
        }
    }

    fn look_at(&mut self, unit: UnitId) {
        if let Some(leaf) = self.circuit.leaf_of(unit) {
            if let LeafKind::Distribution(distribution) = &leaf.kind {
                for param in &distribution.params {
                    self.params[param.index()].n_users += 1;
                }
            }
            return;
        }
        for weight in self.circuit.children(unit).filter_map(|c| c.weight) {
            if self.circuit.parameter(weight.param).name.is_none() {
                self.count(weight.param, weight.index);
            }
        }
        self.finish_sum();
    }

    fn count(&mut self, param: ParamId, index: u32) {
        let usage = &mut self.params[param.index()];
        if usage.n_in_order == 0 {
            usage.n_users += 1;
            self.at_hand.push(param);
        }
        usage.is_out_of_order |= usage.n_in_order != index;
        usage.n_in_order += 1;
    }

    fn finish_sum(&mut self) {
        // Several vectors in one sum would be read back as one.
        let is_crowded = self.at_hand.len() > 1;
        for param in self.at_hand.drain(..) {
            let parameter = self.circuit.parameter(param);
            let is_vector = matches!(parameter.kind, ParamKind::Simplex | ParamKind::Weights);
            let usage = &mut self.params[param.index()];
            let is_whole = usage.n_in_order as usize == parameter.len();
            usage.is_out_of_order |= is_crowded || !is_vector || !is_whole;
            usage.n_in_order = 0;
        }
    }
}
