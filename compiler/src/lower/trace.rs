//! Where in the text each parameter was written, for those who write it back.

use super::env::Env;
use crate::circuit::{CircuitGraph, ParamId};
use crate::load::SourceProgram;
use crate::lower::{LowerOptions, Lowering};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The values of the indices around a place, outermost first; none if one of them
/// is no integer.
pub(crate) type TracedIndices = Option<SmallVec<[i64; 4]>>;

#[derive(Debug, Default)]
pub(crate) struct ParameterTrace {
    /// Declared parameters, in the order of their declarations.
    pub declared: Vec<TracedDeclaration>,
    /// Parameters written in place, each expansion on its own.
    pub in_place: Vec<TracedExpansion>,
    /// Places that hold the arguments of a leaf one by one.
    pub listed: FxHashSet<Span>,
    /// The indices that are in scope at a place, outermost first.
    pub names: FxHashMap<Span, Vec<String>>,
    /// Weights of the draft, by their position there.
    weights: Vec<TracedSite>,
    /// Sums of the draft, by the position of their first child.
    sums: FxHashMap<u32, TracedSite>,
}

#[derive(Debug)]
pub(crate) struct TracedDeclaration {
    /// The file that declares it.
    pub module: usize,
    /// The name in the declaration.
    pub name: Span,
    /// Half-open bounds of its indices.
    pub dims: Vec<(i64, i64)>,
    /// Its members, the last index running fastest.
    pub params: Vec<ParamId>,
}

/// One expansion of a text that is a parameter.
#[derive(Clone, Debug)]
pub(crate) struct TracedExpansion {
    pub param: ParamId,
    /// The arguments of a leaf, or the whole sum.
    pub site: TracedSite,
    /// For a sum, the weight of each entry; empty for a leaf.
    pub weights: Vec<TracedSite>,
}

/// A place in the text with the indices around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TracedSite {
    pub span: Span,
    pub indices: TracedIndices,
}

impl ParameterTrace {
    fn site(&mut self, span: Span, env: Env<'_>) -> TracedSite {
        let indices = env.indices();
        self.names
            .entry(span)
            .or_insert_with(|| indices.iter().map(|(name, _)| name.to_string()).collect());
        let values = indices.iter().map(|(_, value)| *value);
        TracedSite {
            span,
            indices: values.collect(),
        }
    }

    /// An argument of a leaf became a parameter of its own.
    pub(super) fn argument(&mut self, param: ParamId, span: Span, env: Env<'_>) {
        let site = self.site(span, env);
        self.in_place.push(TracedExpansion {
            param,
            site,
            weights: Vec::new(),
        });
    }

    /// The draft's next weight was written here.
    pub(super) fn weight(&mut self, at: u32, span: Span, env: Env<'_>) {
        debug_assert_eq!(at as usize, self.weights.len());
        let site = self.site(span, env);
        self.weights.push(site);
    }

    /// The sum whose children begin at this position of the draft was written here.
    pub(super) fn sum(&mut self, first_child: u32, span: Span, env: Env<'_>) {
        let site = self.site(span, env);
        self.sums.insert(first_child, site);
    }

    /// Weights of the draft became the parameter of a sum.
    pub(super) fn own_weights(
        &mut self,
        param: ParamId,
        first_child: u32,
        weights: impl Iterator<Item = u32>,
    ) {
        let Some(site) = self.sums.get(&first_child) else {
            return;
        };
        self.in_place.push(TracedExpansion {
            param,
            site: site.clone(),
            weights: weights
                .map(|at| self.weights[at as usize].clone())
                .collect(),
        });
    }
}

/// Lowers a program that has been lowered before without an error, and says where
/// its parameters were written.
pub(crate) fn trace(
    program: &SourceProgram,
    options: &LowerOptions,
) -> Option<(CircuitGraph, ParameterTrace)> {
    let mut found = SourceDiagnostics::new();
    let mut lowering = Lowering::new(program, options, &mut found);
    lowering.trace = Some(ParameterTrace::default());
    let lowered = lowering.run()?;
    Some((lowered.circuit, lowered.trace?))
}
