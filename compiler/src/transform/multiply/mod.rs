//! Products of circuits.

mod leaf;
mod pair;

use super::TransformError;
use super::import::{Import, Numbers};
use super::part::{Part, mixture, product, whole};
use super::settle::{Transformed, settle};
use crate::check::Checked;
use crate::check::report::show_scope;
use crate::circuit::{Builder, Circuit, Origin, Scope, Scopes, UnitId, UnitKind, Value, VarId};
use crate::evaluate::log_values;
use crate::query_table::{Need, QueryKind};
use pair::{Pair, Plan};
use pelton_grammar::diagnostic::thousands;
use rustc_hash::FxHashMap;

/// A product of two circuits.
#[derive(Clone, Debug)]
pub struct Multiplied {
    /// The circuit.
    pub circuit: Transformed,
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
    left: (&Checked, &[Value]),
    right: (&Checked, &[Value]),
    is_normalized: bool,
    max_size: usize,
) -> Result<Multiplied, TransformError> {
    let mut builder = Builder::new();
    let (first, second) = (left.0.circuit(), right.0.circuit());
    let own = first.variables().iter();
    let own = own
        .map(|variable| Some(builder.variable(variable.clone())))
        .collect();
    let others = matched(&mut builder, first, second)?;
    let sides = [
        Side::new(left.0, Import::new(first, left.1, Numbers::Fixed, own)),
        Side::new(
            right.0,
            Import::new(second, right.1, Numbers::Fixed, others),
        ),
    ];
    let mut work = Multiplication {
        builder,
        sides,
        known: FxHashMap::default(),
        size: 0,
        max_size,
    };
    let root = Pair::of(vec![first.root()], vec![second.root()]);
    let part = work.run(root)?;
    work.finish(part, is_normalized)
}

/// The variables of the product that those of the second circuit are: those of the first
/// with their names, and further ones.
fn matched(
    builder: &mut Builder,
    first: &Circuit,
    second: &Circuit,
) -> Result<Vec<Option<VarId>>, TransformError> {
    let ids = (0..first.variables().len()).map(VarId::new);
    let known: FxHashMap<&str, VarId> = ids
        .map(|id| (first.variable(id).name.as_str(), id))
        .collect();
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

/// One of the two circuits.
struct Side<'a> {
    import: Import<'a>,
    own: &'a Scopes,
    /// The distinct scopes, by the product's variables.
    scopes: Vec<Scope>,
    /// The logarithm of every unit's mass: the value of what has no variables.
    log_masses: Vec<f64>,
}

impl<'a> Side<'a> {
    fn new(checked: &'a Checked, import: Import<'a>) -> Self {
        let import = import.without_names();
        let own = checked.facts().scopes();
        let scopes = own.distinct().iter().map(|scope| {
            let singles = scope.iter().filter_map(|id| import.variable(id));
            let singles: Vec<Scope> = singles.map(Scope::single).collect();
            Scope::union_of(singles.iter())
        });
        let missing = vec![f64::NAN; import.circuit.variables().len()];
        Side {
            own,
            scopes: scopes.collect(),
            log_masses: log_values(import.circuit, import.values, &missing),
            import,
        }
    }

    fn circuit(&self) -> &'a Circuit {
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

/// A product in the making.
struct Multiplication<'a> {
    builder: Builder,
    sides: [Side<'a>; 2],
    /// What pairs became.
    known: FxHashMap<Pair, Part>,
    /// Pairs and terms so far.
    size: usize,
    max_size: usize,
}

/// A pair that waits for others.
struct Frame {
    pair: Pair,
    plan: Plan,
    /// How many of the plan's pairs have been seen to.
    n_done: usize,
}

impl Multiplication<'_> {
    /// Multiplies a pair and all that it needs, with a stack of its own.
    fn run(&mut self, root: Pair) -> Result<Part, TransformError> {
        let mut stack = vec![self.frame(root.clone())?];
        while let Some(frame) = stack.last_mut() {
            let next = frame.plan.pair(frame.n_done).cloned();
            match next {
                Some(next) => {
                    frame.n_done += 1;
                    if !self.known.contains_key(&next) {
                        let frame = self.frame(next)?;
                        stack.push(frame);
                    }
                }
                None => {
                    if let Some(Frame { pair, plan, .. }) = stack.pop() {
                        let part = self.join(&pair, &plan)?;
                        self.known.insert(pair, part);
                    }
                }
            }
        }
        Ok(self.known[&root])
    }

    fn frame(&mut self, pair: Pair) -> Result<Frame, TransformError> {
        let room = self.max_size.saturating_sub(self.size);
        let max_size = self.max_size;
        let too_large = || too_large(max_size);
        let plan = Plan::of(&self.sides, &pair, room)?.ok_or_else(too_large)?;
        self.size += 1 + plan.len();
        match self.size > self.max_size {
            true => Err(too_large()),
            false => Ok(Frame {
                pair,
                plan,
                n_done: 0,
            }),
        }
    }

    /// A pair from those that it is made of.
    fn join(&mut self, pair: &Pair, plan: &Plan) -> Result<Part, TransformError> {
        let origin = Origin::default();
        match plan {
            Plan::Number(log) => Ok(Part::number(*log)),
            Plan::Leaf(side, unit) => Ok(leaf::copied(
                &mut self.builder,
                &mut self.sides[*side],
                *unit,
            )),
            Plan::Leaves(left, right) => {
                leaf::multiplied(&mut self.builder, &mut self.sides, [*left, *right])
            }
            Plan::Product(pairs) => {
                let known = &self.known;
                let parts = pairs.iter().map(|pair| (known[pair], origin.span));
                Ok(product(&mut self.builder, parts, origin))
            }
            Plan::Sum(terms) => {
                debug_assert!(!terms.is_empty(), "{pair:?}");
                let known = &self.known;
                let terms = terms.iter();
                let terms = terms.map(|(log, pair)| (*log, known[pair], origin.span));
                Ok(mixture(&mut self.builder, terms, origin))
            }
        }
    }

    fn finish(mut self, part: Part, is_normalized: bool) -> Result<Multiplied, TransformError> {
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
        let root = match is_normalized {
            true => unit,
            false => whole(&mut self.builder, unit, part.log_scale, Origin::default()),
        };
        let imports = self.sides.iter().map(|side| &side.import);
        let imports: Vec<&Import> = imports.collect();
        Ok(Multiplied {
            circuit: settle(self.builder, root, &imports),
            log_mass: part.log_scale,
        })
    }
}

fn too_large(max_size: usize) -> TransformError {
    let reason = format!(
        "the product would have more than {} units and edges",
        thousands(max_size)
    );
    let refusal = QueryKind::Multiply.refused(Need::Room, reason, Vec::new());
    refusal.into()
}
