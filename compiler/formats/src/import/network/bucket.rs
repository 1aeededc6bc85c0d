//! Summing out one variable after the other.

use super::Network;
use super::cells::AssignmentWalk;
use super::extended_float::ExtendedFloat;
use super::plan::{Bucket, EliminationPlan};
use crate::import::assembly::CircuitAssembly;
use crate::import::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::{ParameterValue, SourceOrigin, UnitId, VarId};

/// Builds the circuit of a network.
pub(super) fn build(
    context: &ImportContext,
    network: &Network,
    plan: EliminationPlan,
    notes: Vec<String>,
) -> Result<ImportedCircuit, ImportError> {
    let mut builder = NetworkCompilation::new(context, network);
    for &variable in &plan.order {
        builder.sum_out(variable, &plan.buckets[variable as usize])?;
    }
    builder.finish(context, &plan, notes)
}

/// What is left of a variable that was summed out.
struct BucketMessage {
    separator: Vec<u32>,
    /// The sum for each assignment of the separator; none where its mass is zero.
    units: Vec<Option<UnitId>>,
    /// The mass that was divided out of each sum; none if that is 1 everywhere.
    masses: Option<Vec<ExtendedFloat>>,
}

struct NetworkCompilation<'a> {
    network: &'a Network,
    n_values: Vec<usize>,
    assembly: CircuitAssembly,
    /// Messages that were not used yet.
    messages: Vec<Option<BucketMessage>>,
}

impl<'a> NetworkCompilation<'a> {
    fn new(context: &ImportContext, network: &'a Network) -> Self {
        let mut assembly = CircuitAssembly::new(context);
        for node in &network.variables {
            assembly.variable(node.name.clone(), node.domain.clone(), node.span);
        }
        let mut messages = Vec::new();
        messages.resize_with(network.variables.len(), || None);
        NetworkCompilation {
            network,
            n_values: network.n_values(),
            assembly,
            messages,
        }
    }

    /// Writes the sums over the values of a variable.
    fn sum_out(&mut self, variable: u32, bucket: &Bucket) -> Result<(), ImportError> {
        // Tables and sums that mention the variable are multiplied for each assignment of the
        // separator, and the variable's values are added up. Sums that are no probabilities are
        // divided by their mass, which goes up as a number.
        let children = bucket.children.iter().map(|&child| self.take(child));
        let children: Vec<BucketMessage> = children.collect();
        // The only table holds probabilities of the variable, which add up to 1 whatever the
        // others are, and so do the sums.
        let is_conditional = self.network.is_directed && bucket.factors == [variable as usize];
        let is_one = is_conditional && children.iter().all(|child| child.masses.is_none());
        let mut work = BucketTables::new(self, variable, bucket, children);
        let separator = bucket.separator.iter();
        let n_sums = separator.map(|&v| self.n_values[v as usize]).product();
        let mut units = Vec::with_capacity(n_sums);
        let mut masses = Vec::with_capacity(if is_one { 0 } else { n_sums });
        for _ in 0..n_sums {
            let mass = work.next_sum(&mut self.assembly)?;
            let divisor = if is_one { ExtendedFloat::ONE } else { mass };
            units.push(work.sum(divisor, &mut self.assembly)?);
            if !is_one {
                masses.push(mass);
            }
        }
        self.messages[variable as usize] = Some(BucketMessage {
            separator: bucket.separator.clone(),
            units,
            masses: (!is_one).then_some(masses),
        });
        Ok(())
    }

    fn take(&mut self, variable: u32) -> BucketMessage {
        let message = self.messages[variable as usize].take();
        message.expect("a message is sent before it is needed, and to one bucket")
    }

    /// Joins what does not depend on each other.
    fn finish(
        mut self,
        context: &ImportContext,
        plan: &EliminationPlan,
        mut notes: Vec<String>,
    ) -> Result<ImportedCircuit, ImportError> {
        let constants = plan
            .constants
            .iter()
            .map(|&at| self.network.factors[at].table[0]);
        let constants = constants.map(ExtendedFloat::new);
        let mut mass = constants.fold(ExtendedFloat::ONE, |a, b| a * b);
        // What is left depends on no variable: units that are independent of each other, and numbers.
        let mut parts = Vec::with_capacity(plan.roots.len());
        for &root in &plan.roots {
            let message = self.take(root);
            parts.extend(message.units[0]);
            mass = message.masses.iter().fold(mass, |mass, m| mass * m[0]);
        }
        if mass.is_zero() {
            let message = "the network gives every assignment the value 0";
            return Err(ImportError::whole(message)
                .help("a circuit has some mass; look for tables that exclude each other"));
        }
        let origin = SourceOrigin::anonymous(context.source.span().before());
        let mut root = self.assembly.product(&parts, origin)?;
        // Of a Bayesian network nothing but rounding errors could be left.
        if !self.network.is_directed {
            root = self.assembly.sum(&[(mass.value(), root)], origin)?;
            notes.push(format!(
                "the mass of the circuit is the network's partition function, whose logarithm is {}",
                mass.value().log()
            ));
        }
        Ok(self.assembly.finish(root, notes))
    }
}

/// The tables that meet in a bucket, read cell by cell.
struct BucketTables<'a> {
    literals: Vec<UnitId>,
    tables: Vec<&'a [f64]>,
    children: Vec<BucketMessage>,
    cells: AssignmentWalk,
    origin: SourceOrigin,
    /// The values of the variable in the current sum: mass and unit.
    terms: Vec<(ExtendedFloat, UnitId)>,
    factors: Vec<UnitId>,
}

impl<'a> BucketTables<'a> {
    fn new(
        compilation: &mut NetworkCompilation<'a>,
        variable: u32,
        bucket: &Bucket,
        children: Vec<BucketMessage>,
    ) -> Self {
        let network = compilation.network;
        let node = &network.variables[variable as usize];
        let first = bucket.factors.first();
        let span = first.map_or(node.span, |&at| network.factors[at].span);
        let owner = compilation.assembly.builder.name(&node.name, &[]);
        let origin = SourceOrigin {
            owner: Some(owner),
            ..SourceOrigin::anonymous(span)
        };
        let id = VarId::new(variable as usize);
        let values = 0..node.n_values as i64;
        let literals = values.map(|value| compilation.assembly.literal(id, value, origin));
        let literals = literals.collect();
        let factors = || bucket.factors.iter().map(|&at| &network.factors[at]);
        let scopes = factors().map(|factor| factor.scope.as_slice());
        let scopes = scopes.chain(children.iter().map(|child| child.separator.as_slice()));
        let mut variables = bucket.separator.clone();
        variables.push(variable);
        BucketTables {
            literals,
            tables: factors().map(|factor| factor.table.as_slice()).collect(),
            cells: AssignmentWalk::new(&variables, &compilation.n_values, scopes),
            children,
            origin,
            terms: Vec::with_capacity(node.n_values),
            factors: Vec::new(),
        }
    }

    /// Goes through the values of the variable for the next assignment of the separator
    /// and returns their mass.
    fn next_sum(&mut self, assembly: &mut CircuitAssembly) -> Result<ExtendedFloat, ImportError> {
        self.terms.clear();
        let mut mass = ExtendedFloat::ZERO;
        for value in 0..self.literals.len() {
            let own = self.mass();
            if !own.is_zero() {
                let unit = self.term(value, assembly)?;
                self.terms.push((own, unit));
                mass = mass + own;
            }
            self.cells.advance();
        }
        Ok(mass)
    }

    /// The mass of the current cell.
    fn mass(&self) -> ExtendedFloat {
        let mut mass = ExtendedFloat::ONE;
        for (at, table) in self.tables.iter().enumerate() {
            mass = mass * ExtendedFloat::new(table[self.cells.offset(at)]);
        }
        for (at, child) in self.children.iter().enumerate() {
            let offset = self.cells.offset(self.tables.len() + at);
            match &child.masses {
                Some(masses) => mass = mass * masses[offset],
                None if child.units[offset].is_none() => return ExtendedFloat::ZERO,
                None => {}
            }
        }
        mass
    }

    /// The value beside what was summed out before and depends on it.
    fn term(
        &mut self,
        value: usize,
        assembly: &mut CircuitAssembly,
    ) -> Result<UnitId, ImportError> {
        self.factors.clear();
        self.factors.push(self.literals[value]);
        for (at, child) in self.children.iter().enumerate() {
            let offset = self.cells.offset(self.tables.len() + at);
            self.factors.extend(child.units[offset]);
        }
        assembly.product(&self.factors, self.origin)
    }

    /// The sum over the values that were gone through last; none if it has no mass.
    fn sum(
        &self,
        divisor: ExtendedFloat,
        assembly: &mut CircuitAssembly,
    ) -> Result<Option<UnitId>, ImportError> {
        if self.terms.is_empty() {
            return Ok(None);
        }
        let share = |&(mass, unit): &(ExtendedFloat, UnitId)| (mass.over(divisor).value(), unit);
        let terms: Vec<(ParameterValue, UnitId)> = self.terms.iter().map(share).collect();
        assembly.sum(&terms, self.origin).map(Some)
    }
}
