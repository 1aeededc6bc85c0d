//! Taking over parts of a circuit into a new one.

use super::part::ScaledUnit;
use crate::circuit::{
    ChildEdge, CircuitBuilder, CircuitGraph, Distribution, Leaf, LeafKind, NameId, ParamId,
    ParameterEntry, ParameterValue, SourceOrigin, UnitId, VarId, Weight,
};
use rustc_hash::FxHashMap;

/// How far weights may be from adding up to 1 because of rounding alone.
pub(super) const ROUNDING: f64 = 1e-12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterTreatment {
    /// Learned ones stay learned, tied ones tied, declared ones declared.
    Kept,
    /// All become fixed numbers without a name.
    Fixed,
}

/// A circuit of which parts are taken over: what its variables, parameters and names
/// became. Parameters and names are made when they are first used, so that what is
/// left behind leaves no trace.
pub(super) struct TransformSource<'a> {
    pub circuit: &'a CircuitGraph,
    /// A value for each of the circuit's entries.
    pub values: &'a [ParameterValue],
    numbers: ParameterTreatment,
    has_names: bool,
    /// What each variable became; none for one that is left out.
    variables: Vec<Option<VarId>>,
    params: FxHashMap<ParamId, ParamId>,
    names: FxHashMap<NameId, NameId>,
}

impl<'a> TransformSource<'a> {
    pub fn new(
        circuit: &'a CircuitGraph,
        values: &'a [ParameterValue],
        numbers: ParameterTreatment,
        variables: Vec<Option<VarId>>,
    ) -> Self {
        TransformSource {
            circuit,
            values,
            numbers,
            has_names: true,
            variables,
            params: FxHashMap::default(),
            names: FxHashMap::default(),
        }
    }

    /// Takes over the variables that `is_kept` picks.
    pub fn picking(
        builder: &mut CircuitBuilder,
        circuit: &'a CircuitGraph,
        values: &'a [ParameterValue],
        numbers: ParameterTreatment,
        is_kept: impl Fn(VarId) -> bool,
    ) -> Self {
        let declared = |id| is_kept(id).then(|| builder.variable(circuit.variable(id).clone()));
        let variables = (0..circuit.variables().len()).map(VarId::new).map(declared);
        TransformSource::new(circuit, values, numbers, variables.collect())
    }

    /// Leaves the names of units behind: those of which there will be several copies
    /// cannot have the same.
    pub fn without_names(mut self) -> Self {
        self.has_names = false;
        self
    }

    /// What a variable became.
    pub fn variable(&self, id: VarId) -> Option<VarId> {
        self.variables[id.index()]
    }

    /// What a variable became of which a leaf is taken over.
    pub fn kept_variable(&self, id: VarId) -> VarId {
        self.variable(id)
            .expect("leaves of variables that are left out are not taken over")
    }

    /// The logarithm of an edge's weight.
    pub fn log_weight(&self, weight: Weight) -> f64 {
        self.value(weight).log()
    }

    /// The value of an edge's weight.
    pub fn value(&self, weight: Weight) -> ParameterValue {
        self.values[self.circuit.entry_position(weight)]
    }

    /// Where a unit comes from and what it is called, as the new circuit has it.
    pub fn origin(&mut self, builder: &mut CircuitBuilder, unit: UnitId) -> SourceOrigin {
        if !self.has_names {
            return self.anonymous(unit);
        }
        let owner = self.circuit.owner(unit);
        SourceOrigin {
            span: self.circuit.span(unit),
            owner: owner.map(|name| self.name(builder, name)),
            is_named: self.circuit.name(unit).is_some(),
        }
    }

    /// Where a unit comes from, without a name.
    pub fn anonymous(&self, unit: UnitId) -> SourceOrigin {
        SourceOrigin::anonymous(self.circuit.span(unit))
    }

    pub fn name(&mut self, builder: &mut CircuitBuilder, name: NameId) -> NameId {
        let names = self.circuit.names();
        *self
            .names
            .entry(name)
            .or_insert_with(|| builder.name(names.base(name), names.indices(name)))
    }

    /// A leaf as the new circuit has it.
    pub fn leaf(&mut self, builder: &mut CircuitBuilder, leaf: &Leaf) -> Leaf {
        let kind = match &leaf.kind {
            LeafKind::Indicator(set) => LeafKind::Indicator(set.clone()),
            LeafKind::Distribution(distribution) => {
                LeafKind::Distribution(self.distribution(builder, distribution))
            }
        };
        Leaf {
            variable: self.kept_variable(leaf.variable),
            kind,
        }
    }

    /// An input unit as the new circuit has it.
    pub fn leaf_unit(&mut self, builder: &mut CircuitBuilder, unit: UnitId) -> ScaledUnit {
        let Some(leaf) = self.circuit.leaf_of(unit) else {
            return ScaledUnit::ZERO;
        };
        let origin = self.origin(builder, unit);
        let leaf = self.leaf(builder, leaf);
        ScaledUnit::of(builder.input(leaf, origin))
    }

    /// A distribution with its parameters in the new circuit.
    pub fn distribution(
        &mut self,
        builder: &mut CircuitBuilder,
        distribution: &Distribution,
    ) -> Distribution {
        let params = distribution.params.iter();
        Distribution {
            family: distribution.family.clone(),
            params: params.map(|&param| self.param(builder, param)).collect(),
            truncation: distribution.truncation.clone(),
        }
    }

    fn param(&mut self, builder: &mut CircuitBuilder, param: ParamId) -> ParamId {
        if let Some(&known) = self.params.get(&param) {
            return known;
        }
        let entries = match self.numbers {
            ParameterTreatment::Kept => self.circuit.entries(param).to_vec(),
            ParameterTreatment::Fixed => {
                let values = self.values[self.circuit.parameter(param).entries()].iter();
                values.copied().map(ParameterEntry::constant).collect()
            }
        };
        self.replace_param(builder, param, &entries)
    }

    /// Lets a parameter have these entries in the new circuit.
    pub fn replace_param(
        &mut self,
        builder: &mut CircuitBuilder,
        param: ParamId,
        entries: &[ParameterEntry],
    ) -> ParamId {
        let parameter = self.circuit.parameter(param);
        let is_kept = self.numbers == ParameterTreatment::Kept;
        let name = parameter.name.filter(|_| is_kept);
        let name = name.map(|name| self.name(builder, name));
        let new = builder.parameter(name, parameter.kind, entries, parameter.span);
        self.params.insert(param, new);
        new
    }

    /// The weights of a sum in the new circuit, for the given new children.
    pub fn weighted(
        &mut self,
        builder: &mut CircuitBuilder,
        sum: UnitId,
        units: &[UnitId],
    ) -> Vec<ChildEdge> {
        let circuit = self.circuit;
        // Kept weights stay entries of their vectors; fixed ones become a vector of their own.
        let own = circuit.terms(sum).map(|(_, weight)| weight);
        let weights: Vec<Weight> = match self.numbers {
            ParameterTreatment::Kept => {
                let mut param = |param| self.param(builder, param);
                own.map(|weight| Weight {
                    param: param(weight.param),
                    ..weight
                })
                .collect()
            }
            ParameterTreatment::Fixed => {
                let values = own.map(|weight| self.value(weight));
                builder.fixed_weights(values, circuit.span(sum))
            }
        };
        let edges = circuit.children(sum).zip(weights).zip(units);
        let edges = edges.map(|((child, weight), &unit)| ChildEdge::term(unit, weight, child.span));
        edges.collect()
    }
}
