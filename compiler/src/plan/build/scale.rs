//! Exponents: one for each scope, changed where values may have shrunk.
//!
//! Units that are added up have one scope, so a common exponent for each scope
//! is what lets sums ignore exponents altogether. A product's exponent is the
//! sum of its factors'. Where products of one scope come with different
//! exponents (the trees of a mixture), or where much may have been lost, a
//! rescaling puts them on a new common one.

use super::bits::RescaleLimits;
use super::net::{NodeKind, PlanNet, PlanNodeId, ScopeIdx};
use crate::plan::ExponentId;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// What is known of the exponents of all scopes.
#[derive(Debug)]
pub(super) struct ScopeExponents {
    scopes: Vec<ScopeScale>,
    /// Operations that define exponents, in the order of their scopes.
    pub ops: Vec<ScaleOp>,
    pub n_exponents: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct ScopeScale {
    exponent: Option<ExponentId>,
    /// Bits that values may have lost since they were last rescaled.
    since: f32,
}

/// An operation that defines an exponent.
#[derive(Clone, Debug)]
pub(super) enum ScaleOp {
    /// The sum of others.
    Add {
        exponent: ExponentId,
        inputs: Vec<ExponentId>,
    },
    /// The largest of these nodes, by the exponents they had.
    Rescale {
        exponent: ExponentId,
        classes: Vec<(Option<ExponentId>, Vec<PlanNodeId>)>,
    },
}

/// What a scope's nodes ask of its exponent.
pub(super) struct ExponentDemand {
    /// Products by the exponents of their factors, in the order of their first.
    classes: IndexMap<Vec<ExponentId>, Vec<PlanNodeId>, FxBuildHasher>,
    /// Nodes used outside, if none of them is also used inside.
    tops: Option<Vec<PlanNodeId>>,
    loss: f32,
}

impl ExponentDemand {
    /// Looks at all nodes of one scope, which has no leaves.
    pub fn of(net: &PlanNet, nodes: &[PlanNodeId]) -> Self {
        let mut scale = ExponentDemand {
            classes: IndexMap::default(),
            tops: tops(net, nodes),
            loss: 0.0,
        };
        for &node in nodes {
            if is_bottom(net, node) {
                scale.add(net, node);
            }
        }
        scale
    }

    fn add(&mut self, net: &PlanNet, product: PlanNodeId) {
        let kids = net.kids(product).iter();
        let mut exponents: Vec<ExponentId> = kids
            .clone()
            .filter_map(|&kid| net.scales.exponent(net.scope(kid)))
            .collect();
        exponents.sort_unstable();
        let loss = kids.map(|&kid| net.scales.since(net.scope(kid))).sum();
        self.loss = self.loss.max(loss);
        self.classes.entry(exponents).or_default().push(product);
    }
}

/// A product of smaller scopes.
fn is_bottom(net: &PlanNet, node: PlanNodeId) -> bool {
    let own = net.scope(node);
    net.kind(node) == NodeKind::Product && net.kids(node).iter().all(|&kid| net.scope(kid) != own)
}

fn tops(net: &PlanNet, nodes: &[PlanNodeId]) -> Option<Vec<PlanNodeId>> {
    let (first, own) = (nodes[0].index(), net.scope(nodes[0]));
    let mut used_inside = vec![false; nodes[nodes.len() - 1].index() + 1 - first];
    for &node in nodes {
        for kid in net.kids(node) {
            if net.scope(*kid) == own {
                used_inside[kid.index() - first] = true;
            }
        }
    }
    let tops: Vec<PlanNodeId> = nodes.iter().copied().filter(|&n| net.is_top(n)).collect();
    let free = tops.iter().all(|node| !used_inside[node.index() - first]);
    free.then_some(tops)
}

impl ScopeExponents {
    pub fn new(n_scopes: usize) -> Self {
        ScopeExponents {
            scopes: vec![ScopeScale::default(); n_scopes],
            ops: Vec::new(),
            n_exponents: 0,
        }
    }

    /// A scope beyond those of the circuit.
    pub fn new_scope(&mut self, since: f32) -> ScopeIdx {
        self.scopes.push(ScopeScale {
            exponent: None,
            since,
        });
        (self.scopes.len() - 1) as ScopeIdx
    }

    pub fn exponent(&self, scope: ScopeIdx) -> Option<ExponentId> {
        self.scopes[scope as usize].exponent
    }

    pub fn since(&self, scope: ScopeIdx) -> f32 {
        self.scopes[scope as usize].since
    }

    /// Finishes the scope of a variable.
    pub fn leaf(&mut self, scope: ScopeIdx, bits: f32, is_density: bool) {
        let exponent = is_density.then(|| self.new_exponent());
        self.scopes[scope as usize] = ScopeScale {
            exponent,
            since: bits,
        };
    }

    /// Finishes a scope of products and sums, and rescales it if that is due.
    pub fn inner(&mut self, scope: ScopeIdx, scale: ExponentDemand, bits: RescaleLimits) {
        // Products with different exponents cannot be added up, and values that may have lost
        // much must not be multiplied again: both ask for a new exponent.
        if scale.classes.len() > 1 || scale.loss > bits.rescale_above {
            return self.rescale(scope, scale, bits);
        }
        // Otherwise the exponent is simply that of the factors, and the losses are handed on.
        let since = scale.loss;
        let class = scale.classes.into_iter().next();
        let exponent = class.and_then(|(inputs, _)| self.sum_of(inputs));
        self.scopes[scope as usize] = ScopeScale { exponent, since };
    }

    /// Finishes a scope and puts its nodes on a new exponent: those used outside
    /// if they had one exponent so far and nobody inside reads them too, or else
    /// the products that all others are made of.
    pub fn rescale(&mut self, scope: ScopeIdx, scale: ExponentDemand, bits: RescaleLimits) {
        let classes = scale.classes;
        // Fewest rows are touched where only those that others read are rescaled. That is
        // possible if all of them are on one exponent now and nobody inside has read them
        // before.
        let one_class = classes.len() == 1;
        let tops = scale.tops.filter(|_| one_class);
        let mut classes: Vec<(Option<ExponentId>, Vec<PlanNodeId>)> = classes
            .into_iter()
            .map(|(inputs, nodes)| (self.sum_of(inputs), nodes))
            .collect();
        if let (Some(tops), [(_, nodes)]) = (tops, &mut classes[..]) {
            *nodes = tops;
        }
        let exponent = self.new_exponent();
        self.ops.push(ScaleOp::Rescale { exponent, classes });
        self.scopes[scope as usize] = ScopeScale {
            exponent: Some(exponent),
            since: bits.residue,
        };
    }

    fn sum_of(&mut self, inputs: Vec<ExponentId>) -> Option<ExponentId> {
        match inputs[..] {
            [] => None,
            [one] => Some(one),
            _ => {
                let exponent = self.new_exponent();
                self.ops.push(ScaleOp::Add { exponent, inputs });
                Some(exponent)
            }
        }
    }

    fn new_exponent(&mut self) -> ExponentId {
        self.n_exponents += 1;
        ExponentId(self.n_exponents - 1)
    }
}
