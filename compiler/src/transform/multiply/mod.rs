//! Products of circuits.

mod leaf;
mod pair;

use super::TransformError;
use super::import::{ParameterTreatment, TransformSource};
use super::mix::declare;
use super::part::{ScaledUnit, mixture, product, whole};
use super::settle::{TransformedCircuit, settle};
use crate::check::Checked;
use crate::check::report::show_scope;
use crate::circuit::{
    CircuitBuilder, CircuitGraph, ParameterValue, Scope, Scopes, SourceOrigin, UnitId, UnitKind,
    VarId,
};
use crate::reference::log_values;
use crate::tractability::{QueryKind, TractabilityRequirement};
use pair::{MultiplicationPair, PairDecomposition};
use pelton_grammar::diagnostic::thousands;
use rustc_hash::FxHashMap;

/// A product of two circuits.
#[derive(Clone, Debug)]
#[must_use]
pub struct MultipliedCircuit {
    /// The circuit.
    pub circuit: TransformedCircuit,
    /// The logarithm of the product's mass.
    pub log_mass: f64,
}

/// The product of two circuits, whose variables are matched by their names.
///
/// Before: `0.3: a + 0.7: !a` and `0.5: a + 0.5: !a`. After, normalized: `0.3: a + 0.7: !a`,
/// with a mass of 0.5.
///
/// Sums multiply term by term, products factor by factor: what shares variables has to
/// split them alike, or the circuits are refused with the scopes that cross. Pairs of
/// units are multiplied once, so that the size is at most the product of the sizes, and
/// `max_size` units and edges at most. What is zero is left out, so that deterministic
/// circuits have a deterministic product. All numbers become fixed; without
/// `is_normalized` the product's mass is a weight above the root.
pub fn multiply(
    left: (&Checked, &[ParameterValue]),
    right: (&Checked, &[ParameterValue]),
    is_normalized: bool,
    max_size: usize,
) -> Result<MultipliedCircuit, TransformError> {
    let mut builder = CircuitBuilder::new();
    let (first, second) = (left.0.circuit(), right.0.circuit());
    let own = declare(&mut builder, first);
    // Variables of the same name are one; all others of both circuits are kept.
    let others = matched(&mut builder, first, second)?;
    let sides = [(left, own), (right, others)].map(|((checked, values), variables)| {
        let (circuit, fixed) = (checked.circuit(), ParameterTreatment::Fixed);
        let import = TransformSource::new(circuit, values, fixed, variables);
        MultiplicationOperand::new(checked, import)
    });
    let mut work = Multiplication {
        builder,
        sides,
        known: FxHashMap::default(),
        size: 0,
        max_size,
    };
    let root = MultiplicationPair::of(vec![first.root()], vec![second.root()]);
    let part = work.run(root)?;
    work.finish(part, is_normalized)
}

/// The variables of the product that those of the second circuit are: those of the first
/// with their names, and further ones.
fn matched(
    builder: &mut CircuitBuilder,
    first: &CircuitGraph,
    second: &CircuitGraph,
) -> Result<Vec<Option<VarId>>, TransformError> {
    let known = first.variables_by_name();
    let variables = second.variables().iter();
    let matched = variables.map(|variable| match known.get(variable.name.as_str()) {
        Some(&id) if first.variable(id).domain != variable.domain => {
            Err(TransformError::Circuit(format!(
                "`{}` has the domain {} in the first circuit and {} in the second; only \
                 variables of the same domain can be matched",
                variable.name,
                first.variable(id).domain,
                variable.domain
            )))
        }
        Some(&id) => Ok(Some(id)),
        None => Ok(Some(builder.variable(variable.clone()))),
    });
    matched.collect()
}

struct MultiplicationOperand<'a> {
    import: TransformSource<'a>,
    own: &'a Scopes,
    scopes: Vec<Scope>,
    /// The logarithm of every unit's mass: the value of what has no variables.
    log_masses: Vec<f64>,
}

impl<'a> MultiplicationOperand<'a> {
    fn new(checked: &'a Checked, import: TransformSource<'a>) -> Self {
        let import = import.without_names();
        let own = checked.facts().scopes();
        let scopes = own.distinct().iter().map(|scope| {
            let singles = scope.iter().filter_map(|id| import.variable(id));
            let singles: Vec<Scope> = singles.map(Scope::single).collect();
            Scope::union_of(singles.iter())
        });
        let missing = vec![f64::NAN; import.circuit.variables().len()];
        MultiplicationOperand {
            own,
            scopes: scopes.collect(),
            log_masses: log_values(import.circuit, import.values, &missing),
            import,
        }
    }

    fn circuit(&self) -> &'a CircuitGraph {
        self.import.circuit
    }

    fn kind(&self, unit: UnitId) -> UnitKind {
        self.circuit().kind(unit)
    }

    fn scope(&self, unit: UnitId) -> &Scope {
        &self.scopes[self.own.id(unit).index()]
    }

    /// A unit and its scope, as messages name them.
    fn show(&self, unit: UnitId) -> String {
        let circuit = self.circuit();
        let scope = show_scope(circuit, self.own.of(unit));
        format!("{} over {scope}", circuit.describe(unit))
    }
}

struct Multiplication<'a> {
    builder: CircuitBuilder,
    sides: [MultiplicationOperand<'a>; 2],
    known: FxHashMap<MultiplicationPair, ScaledUnit>,
    /// Pairs and terms so far.
    size: usize,
    max_size: usize,
}

struct MultiplicationFrame {
    pair: MultiplicationPair,
    plan: PairDecomposition,
    /// How many of the plan's pairs have been seen to.
    n_done: usize,
}

impl Multiplication<'_> {
    /// Multiplies a pair and all that it needs, with a stack of its own.
    fn run(&mut self, root: MultiplicationPair) -> Result<ScaledUnit, TransformError> {
        // Depth first: a pair is joined when all pairs that it is made of have been.
        let mut stack = vec![self.frame(root.clone())?];
        while let Some(frame) = stack.last_mut() {
            let next = frame.plan.pair(frame.n_done).cloned();
            if let Some(next) = next {
                frame.n_done += 1;
                if !self.known.contains_key(&next) {
                    stack.push(self.frame(next)?);
                }
            } else if let Some(MultiplicationFrame { pair, plan, .. }) = stack.pop() {
                // All pairs that this one is made of are there.
                let part = self.join(&pair, &plan)?;
                self.known.insert(pair, part);
            }
        }
        Ok(self.known[&root])
    }

    fn frame(&mut self, pair: MultiplicationPair) -> Result<MultiplicationFrame, TransformError> {
        let room = self.max_size.saturating_sub(self.size);
        let plan = PairDecomposition::of(&self.sides, &pair, room)?;
        self.size += 1 + plan.as_ref().map_or(0, PairDecomposition::len);
        let plan = plan.filter(|_| self.size <= self.max_size);
        let plan = plan.ok_or_else(|| too_large(self.max_size))?;
        Ok(MultiplicationFrame {
            pair,
            plan,
            n_done: 0,
        })
    }

    /// A pair from those that it is made of.
    fn join(
        &mut self,
        pair: &MultiplicationPair,
        plan: &PairDecomposition,
    ) -> Result<ScaledUnit, TransformError> {
        let origin = SourceOrigin::default();
        let (builder, known) = (&mut self.builder, &self.known);
        Ok(match plan {
            PairDecomposition::Number(log) => ScaledUnit::number(*log),
            PairDecomposition::Leaf(side, unit) => {
                leaf::copied(builder, &mut self.sides[*side], *unit)
            }
            PairDecomposition::Leaves(left, right) => {
                return leaf::multiplied(builder, &mut self.sides, [*left, *right]);
            }
            PairDecomposition::Product(pairs) => {
                let parts = pairs.iter().map(|pair| (known[pair], origin.span));
                product(builder, parts, origin)
            }
            PairDecomposition::Sum(terms) => {
                debug_assert!(!terms.is_empty(), "{pair:?}");
                let terms = terms.iter();
                let terms = terms.map(|(log, pair)| (*log, known[pair], origin.span));
                mixture(builder, terms, origin)
            }
        })
    }

    fn finish(
        mut self,
        part: ScaledUnit,
        is_normalized: bool,
    ) -> Result<MultipliedCircuit, TransformError> {
        if part.is_zero() {
            let message = "the product is zero for every input: the circuits agree on nothing";
            return Err(TransformError::Zero(message.to_string()));
        }
        if !part.log_scale.is_finite() {
            let message = "the product's mass is not a finite number";
            return Err(TransformError::Numeric(message.to_string()));
        }
        let unit = part.unit.ok_or_else(|| {
            TransformError::Circuit("the circuits have no variables to multiply over".into())
        })?;
        // The mass is a weight above the root, or left out.
        let log_weight = if is_normalized { 0.0 } else { part.log_scale };
        let root = whole(&mut self.builder, unit, log_weight, SourceOrigin::default());
        let imports = self.sides.each_ref().map(|side| &side.import);
        Ok(MultipliedCircuit {
            circuit: settle(self.builder, root, &imports),
            log_mass: part.log_scale,
        })
    }
}

fn too_large(max_size: usize) -> TransformError {
    let limit = thousands(max_size);
    let reason = format!("the product would have more than {limit} units and edges");
    let refusal = QueryKind::Multiply.refused(TractabilityRequirement::Room, reason, Vec::new());
    refusal.into()
}
