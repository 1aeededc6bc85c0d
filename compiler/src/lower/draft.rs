//! The flat draft of all node instances, before they are put in order.
//!
//! Units of one instance are contiguous and children first; references to
//! other instances stay open until all instances are known.

use crate::circuit::{Leaf, NameId, ParamId, ParameterEntry};
use pelton_grammar::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DraftTarget {
    /// A unit of the draft, in the same instance.
    Unit(u32),
    /// Another node instance.
    Instance(u32),
}

/// A weight as written.
#[derive(Clone, Copy, Debug)]
pub(super) enum DraftWeight {
    /// In a product.
    None,
    /// A number or `?` that belongs to this sum, by its place in the draft's entries.
    Own(u32),
    /// An entry of a declared parameter.
    Param(ParamId, u32),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DraftChild {
    pub target: DraftTarget,
    pub weight: DraftWeight,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct DraftUnit {
    pub kind: DraftKind,
    pub span: Span,
    pub first_child: u32,
    pub n_children: u32,
}

#[derive(Clone, Debug)]
pub(super) enum DraftKind {
    Input(Box<Leaf>),
    Product,
    Sum,
}

/// One node instance, or the root's expression.
#[derive(Clone, Debug)]
pub(super) struct NodeInstance {
    /// The node it is an instance of; `None` for the root.
    pub node: Option<usize>,
    /// Its name; `None` for the root's expression.
    pub name: Option<NameId>,
    /// Its units.
    pub units: std::ops::Range<u32>,
    /// What it stands for; `None` if it could not be expanded, which was reported.
    pub top: Option<DraftTarget>,
    /// Where it was written.
    pub span: Span,
    /// Learned weights and arguments written in it are fixed at their start.
    pub frozen: bool,
}

impl NodeInstance {
    /// One that has not been expanded.
    pub(super) fn new(of_node: Option<(usize, NameId)>, span: Span, frozen: bool) -> Self {
        let (node, name) = of_node.unzip();
        let (units, top) = (0..0, None);
        NodeInstance {
            node,
            name,
            units,
            top,
            span,
            frozen,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct CircuitDraft {
    pub instances: Vec<NodeInstance>,
    pub units: Vec<DraftUnit>,
    pub children: Vec<DraftChild>,
    /// Numbers and `?`s written as weights, kept apart because most edges have none.
    pub entries: Vec<ParameterEntry>,
}

impl CircuitDraft {
    pub(super) fn unit(
        &mut self,
        kind: DraftKind,
        children: impl IntoIterator<Item = DraftChild>,
        span: Span,
    ) -> DraftTarget {
        let first_child = self.children.len() as u32;
        self.children.extend(children);
        self.units.push(DraftUnit {
            kind,
            span,
            first_child,
            n_children: self.children.len() as u32 - first_child,
        });
        DraftTarget::Unit(self.units.len() as u32 - 1)
    }

    /// Keeps a number or `?` written as a weight.
    pub(super) fn own_weight(&mut self, entry: ParameterEntry) -> DraftWeight {
        self.entries.push(entry);
        DraftWeight::Own(self.entries.len() as u32 - 1)
    }

    pub(super) fn children_of(&self, unit: &DraftUnit) -> &[DraftChild] {
        let first = unit.first_child as usize;
        &self.children[first..first + unit.n_children as usize]
    }

    /// The instances an instance refers to, each with the place of the reference.
    pub(super) fn references(&self, instance: usize) -> Vec<(usize, Span)> {
        let instance = &self.instances[instance];
        let units = instance.units.start as usize..instance.units.end as usize;
        let children = self.units[units]
            .iter()
            .flat_map(|unit| self.children_of(unit));
        let targets = children.map(|child| (child.target, child.span));
        targets
            .chain(instance.top.map(|top| (top, instance.span)))
            .filter_map(|(target, span)| match target {
                DraftTarget::Instance(other) => Some((other as usize, span)),
                DraftTarget::Unit(_) => None,
            })
            .collect()
    }
}
