//! Small circuits that the tests of several modules share.

use crate::circuit::*;
use pelton_grammar::source::Span;

/// A [`CircuitBuilder`] with the shorthands that tests read well with.
#[derive(Default)]
pub(crate) struct Kit {
    pub builder: CircuitBuilder,
}

impl Kit {
    pub fn var(&mut self, name: &str, domain: Domain) -> VarId {
        self.builder.variable(CircuitVariable {
            name: name.to_string(),
            domain,
            span: Span::default(),
            binding: VariableAttributes::default(),
        })
    }

    /// The indicator of a set of integers.
    pub fn within(&mut self, variable: VarId, low: i64, high: i64) -> UnitId {
        let kind = LeafKind::Indicator(ValueSet::integers(low, high));
        self.builder
            .input(Leaf { variable, kind }, SourceOrigin::default())
    }

    pub fn distribution(&mut self, variable: VarId, family: Family, params: &[ParamId]) -> UnitId {
        self.builder.input(
            leaf(variable, family, params, None),
            SourceOrigin::default(),
        )
    }

    pub fn param(&mut self, kind: ParamKind, entries: &[ParameterEntry]) -> ParamId {
        self.builder.parameter(None, kind, entries, Span::default())
    }

    pub fn tied(
        &mut self,
        base: &str,
        at: &[i64],
        kind: ParamKind,
        entries: &[ParameterEntry],
    ) -> ParamId {
        let name = self.builder.name(base, at);
        self.builder
            .parameter(Some(name), kind, entries, Span::default())
    }

    pub fn product(&mut self, children: &[UnitId], origin: SourceOrigin) -> UnitId {
        let children: Vec<ChildEdge> = children.iter().map(|&unit| child(unit, None)).collect();
        self.builder.product(&children, origin)
    }

    /// A sum whose weights are the entries of `param` in order.
    pub fn mix(&mut self, param: ParamId, children: &[UnitId], origin: SourceOrigin) -> UnitId {
        let children: Vec<ChildEdge> = (0..)
            .zip(children)
            .map(|(index, &unit)| child(unit, Some(Weight { param, index })))
            .collect();
        self.builder.sum(&children, origin)
    }

    /// A sum with fixed weights.
    pub fn sum(&mut self, terms: &[(f64, UnitId)], origin: SourceOrigin) -> UnitId {
        let entries: Vec<ParameterEntry> = terms
            .iter()
            .map(|term| ParameterEntry::fixed(term.0))
            .collect();
        let units: Vec<UnitId> = terms.iter().map(|term| term.1).collect();
        let param = self.param(ParamKind::Simplex, &entries);
        self.mix(param, &units, origin)
    }

    /// The origin of the named node `base[indices]`.
    pub fn named(&mut self, base: &str, indices: &[i64]) -> SourceOrigin {
        SourceOrigin {
            owner: Some(self.builder.name(base, indices)),
            is_named: true,
            ..SourceOrigin::default()
        }
    }
}

/// A distribution, truncated or not.
pub(crate) fn leaf(
    variable: VarId,
    family: Family,
    params: &[ParamId],
    truncation: Option<ValueSet>,
) -> Leaf {
    let kind = LeafKind::Distribution(Distribution {
        family,
        params: params.to_vec(),
        truncation,
    });
    Leaf { variable, kind }
}

pub(crate) fn child(unit: UnitId, weight: Option<Weight>) -> ChildEdge {
    ChildEdge {
        unit,
        weight,
        span: Span::default(),
    }
}

pub(crate) fn learned(n: usize) -> Vec<ParameterEntry> {
    vec![ParameterEntry::learned(); n]
}

/// The first example of the language.
pub(crate) fn sprinkler() -> CircuitGraph {
    let mut kit = Kit::default();
    let (rain, wet) = (kit.var("rain", Domain::Bool), kit.var("wet", Domain::Bool));
    let is_wet = kit.within(wet, 1, 2);
    let is_dry = kit.within(wet, 0, 1);
    let origin = kit.named("wet_if_rain", &[]);
    let wet_if_rain = kit.sum(&[(0.9, is_wet), (0.1, is_dry)], origin);
    let origin = kit.named("wet_if_dry", &[]);
    let wet_if_dry = kit.sum(&[(0.2, is_wet), (0.8, is_dry)], origin);
    let origin = kit.named("joint", &[]);
    let rainy = kit.within(rain, 1, 2);
    let first = kit.product(&[rainy, wet_if_rain], origin.unnamed());
    let sunny = kit.within(rain, 0, 1);
    let second = kit.product(&[sunny, wet_if_dry], origin.unnamed());
    let joint = kit.sum(&[(0.3, first), (0.7, second)], origin);
    kit.builder.assertion(Assertion {
        target: joint,
        properties: vec![(Property::Smooth, None), (Property::Deterministic, None)],
    });
    kit.builder.query(DeclaredQuery {
        text: "P(rain | wet)".into(),
        event: Event::In(rain, ValueSet::integers(1, 2)),
        given: Event::And(vec![Event::In(wet, ValueSet::integers(1, 2))]),
        span: Span::default(),
    });
    kit.builder.finish(joint)
}

/// The second example of the language.
pub(crate) fn penguins() -> CircuitGraph {
    let mut kit = Kit::default();
    let height = kit.builder.variable(CircuitVariable {
        name: "height".into(),
        domain: Domain::Real,
        span: Span::default(),
        binding: VariableAttributes {
            column: Some("height_cm".into()),
            unit: Some("cm".into()),
            missing: Vec::new(),
        },
    });
    let kinds = ["adelie", "chinstrap", "gentoo"].map(String::from);
    let species = kit.var("species", Domain::Categories(kinds.to_vec().into()));
    let w = kit.tied("w", &[], ParamKind::Simplex, &learned(3));
    let start = ParameterEntry {
        value: Some(ParameterValue::Linear(10.0)),
        learned: true,
    };
    let sigma = kit.tied("sigma", &[], ParamKind::Positive, &[start]);
    let components: Vec<UnitId> = (0..3)
        .map(|k| {
            let mu = kit.tied("mu", &[k], ParamKind::Real, &learned(1));
            let size = kit.distribution(height, Family::Normal(NormalDistribution), &[mu, sigma]);
            let share = kit.param(ParamKind::Simplex, &learned(3));
            let kind = kit.distribution(
                species,
                Family::Categorical(CategoricalDistribution),
                &[share],
            );
            let origin = kit.named("comp", &[k]);
            kit.product(&[size, kind], origin)
        })
        .collect();
    let root = kit.mix(w, &components, SourceOrigin::default());
    kit.builder.finish(root)
}

/// The hidden Markov model of the language's examples.
pub(crate) fn hmm(n_steps: usize, n_states: usize, n_values: usize) -> CircuitGraph {
    let mut kit = Kit::default();
    let high = n_values as i64;
    let x: Vec<VarId> = (0..n_steps)
        .map(|t| kit.var(&format!("x[{t}]"), Domain::Range { low: 0, high }))
        .collect();
    let init = kit.tied("init", &[], ParamKind::Simplex, &learned(n_states));
    let states = 0..n_states as i64;
    let rows = |kit: &mut Kit, base: &str, n: usize| -> Vec<ParamId> {
        let row = |k| kit.tied(base, &[k], ParamKind::Simplex, &learned(n));
        states.clone().map(row).collect()
    };
    let trans = rows(&mut kit, "trans", n_states);
    let emit = rows(&mut kit, "emit", n_values);
    let mut next: Vec<UnitId> = Vec::new();
    for t in (0..n_steps).rev() {
        let layer = states.clone().map(|k| {
            let origin = kit.named("z", &[t as i64, k]);
            if next.is_empty() {
                let leaf = leaf(
                    x[t],
                    Family::Categorical(CategoricalDistribution),
                    &[emit[k as usize]],
                    None,
                );
                return kit.builder.input(leaf, origin);
            }
            let leaf = kit.distribution(x[t], CategoricalDistribution.into(), &[emit[k as usize]]);
            let later = kit.mix(trans[k as usize], &next, origin.unnamed());
            kit.product(&[leaf, later], origin)
        });
        next = layer.collect();
    }
    let root = kit.mix(init, &next, SourceOrigin::default());
    kit.builder.finish(root)
}

/// A circuit of one literal beside a node that nothing uses.
pub(crate) fn with_unused_node() -> CircuitGraph {
    let mut kit = Kit::default();
    let (a, b) = (kit.var("a", Domain::Bool), kit.var("b", Domain::Bool));
    let root = kit.within(a, 1, 2);
    let other = kit.within(b, 1, 2);
    let origin = kit.named("unused", &[]);
    kit.product(&[root, other], origin);
    kit.builder.finish(root)
}
