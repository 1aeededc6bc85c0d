//! What all workloads are made of.

use pelton_compiler::circuit::{
    BernoulliDistribution, CategoricalDistribution, ChildEdge, CircuitBuilder, CircuitGraph,
    CircuitVariable, Distribution, Domain, Family, Leaf, LeafKind, ParamId, ParamKind,
    ParameterEntry, ParameterValue, SourceOrigin, UnitId, ValueSet, VarId, VariableAttributes,
    Weight,
};
use pelton_grammar::source::Span;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A builder with a source of random choices.
pub(super) struct WorkloadBuilder {
    builder: CircuitBuilder,
    random: ChaCha8Rng,
}

impl WorkloadBuilder {
    pub fn new(seed: u64) -> Self {
        WorkloadBuilder {
            builder: CircuitBuilder::new(),
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() % n as u64) as usize
    }

    /// Units of `from` in random order, all of them before any comes again.
    pub fn deal(&mut self, from: &[UnitId], n: usize) -> Vec<UnitId> {
        let mut dealt = Vec::with_capacity(n);
        let mut deck = Vec::new();
        for _ in 0..n {
            if deck.is_empty() {
                deck = from.to_vec();
            }
            let at = self.below(deck.len());
            dealt.push(deck.swap_remove(at));
        }
        dealt
    }

    /// The variables `x[0]`, `x[1]`, …
    pub fn variables(&mut self, n: usize, domain: &Domain) -> Vec<VarId> {
        let variable = |at| CircuitVariable {
            name: format!("x[{at}]"),
            domain: domain.clone(),
            span: Span::default(),
            binding: VariableAttributes::default(),
        };
        (0..n)
            .map(|at| self.builder.variable(variable(at)))
            .collect()
    }

    /// A learned parameter whose `n` entries add up to 1, none of them small.
    pub fn simplex(&mut self, n: usize) -> ParamId {
        self.probabilities(ParamKind::Simplex, n)
    }

    fn probabilities(&mut self, kind: ParamKind, n: usize) -> ParamId {
        let draws: Vec<f64> = (0..n)
            .map(|_| 0.3 + self.below(1000) as f64 / 1000.0)
            .collect();
        let total: f64 = draws.iter().sum();
        let entry = |draw: f64| ParameterEntry {
            value: Some(ParameterValue::Linear(draw / total)),
            learned: true,
        };
        let entries: Vec<ParameterEntry> = draws.into_iter().map(entry).collect();
        self.builder
            .parameter(None, kind, &entries, Span::default())
    }

    pub fn bernoulli(&mut self, variable: VarId) -> UnitId {
        let param = self.probabilities(ParamKind::Unit, 2);
        self.distribution(variable, BernoulliDistribution.into(), param)
    }

    pub fn categorical(&mut self, variable: VarId, param: ParamId) -> UnitId {
        self.distribution(variable, CategoricalDistribution.into(), param)
    }

    fn distribution(&mut self, variable: VarId, family: Family, param: ParamId) -> UnitId {
        let kind = LeafKind::Distribution(Distribution {
            family,
            params: vec![param],
            truncation: None,
        });
        self.builder.input(Leaf { variable, kind }, origin())
    }

    /// The literal of a `bool` variable.
    pub fn literal(&mut self, variable: VarId, value: bool) -> UnitId {
        let value = i64::from(value);
        let kind = LeafKind::Indicator(ValueSet::integers(value, value + 1));
        self.builder.input(Leaf { variable, kind }, origin())
    }

    pub fn product(&mut self, factors: &[UnitId]) -> UnitId {
        let children: Vec<ChildEdge> = factors.iter().map(|&unit| child(unit, None)).collect();
        self.builder.product(&children, origin())
    }

    /// A sum with the entries of `param` as weights.
    pub fn sum(&mut self, param: ParamId, terms: &[UnitId]) -> UnitId {
        let children: Vec<ChildEdge> = (0..)
            .zip(terms)
            .map(|(index, &unit)| child(unit, Some(Weight { param, index })))
            .collect();
        self.builder.sum(&children, origin())
    }

    /// A sum with weights of its own.
    pub fn own_sum(&mut self, terms: &[UnitId]) -> UnitId {
        let param = self.simplex(terms.len());
        self.sum(param, terms)
    }

    pub fn finish(self, root: UnitId) -> CircuitGraph {
        self.builder.finish(root)
    }
}

/// Workloads were not written by anybody.
fn origin() -> SourceOrigin {
    SourceOrigin {
        span: Span::default(),
        owner: None,
        is_named: false,
    }
}

fn child(unit: UnitId, weight: Option<Weight>) -> ChildEdge {
    ChildEdge {
        unit,
        weight,
        span: Span::default(),
    }
}
