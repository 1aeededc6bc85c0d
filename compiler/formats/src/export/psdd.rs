//! Probabilistic sentential decision diagrams.
//!
//! Products of a PSDD have two factors, a prime and a sub, that follow the two parts of
//! a node of its vtree; products with more are taken apart along the vtree. A sum over
//! one variable is a single unit, and a sum below a sum is spliced into it.

use super::vtree::BinaryVtree;
use super::{ExportError, ExportedCircuit};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{
    BernoulliDistribution, CircuitGraph, Domain, LeafKind, ParameterValue, Property,
    ReachableUnits, UnitId, UnitKind, VarId, Vtree,
};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::leaf::{log_sum_exp, log_table};
use pelton_compiler::transform::condition;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Splicing sums may not make a circuit larger than this many times its edges.
const LARGEST_GROWTH: usize = 8;

pub(super) fn write(checked: &Checked) -> Result<ExportedCircuit, ExportError> {
    let vtree = checked.facts().vtree();
    let vtree = vtree.filter(|vtree| vtree.root().is_some());
    let vtree = vtree.ok_or_else(|| ExportError("the circuit mentions no variable".to_string()))?;
    if checked.facts().is_proven(Property::Normalized) {
        return written(checked.circuit(), vtree);
    }
    // Given nothing, a circuit is what it was, scaled to mass 1 from the leaves up; its
    // products stay where they were in the tree.
    let values = checked.circuit().start_values();
    let scaled = condition(checked, &values, &[ValueBox::default()], false, usize::MAX);
    let scaled = scaled.map_err(|error| ExportError(error.to_string()))?;
    let mut exported = written(scaled.circuit.checked.circuit(), vtree)?;
    exported.notes.push(format!(
        "the circuit was scaled to mass 1; the logarithm of its mass was {}",
        scaled.log_evidence
    ));
    Ok(exported)
}

fn written(circuit: &CircuitGraph, vtree: &Vtree) -> Result<ExportedCircuit, ExportError> {
    let mut writer = PsddWriter {
        circuit,
        values: circuit.start_values(),
        vtree: BinaryVtree::of(vtree, circuit),
        pieces: vec![None; circuit.n_units()],
        rows: Vec::new(),
        elements: Vec::new(),
        literals: FxHashMap::default(),
        pairs: FxHashMap::default(),
    };
    for unit in ReachableUnits::of(circuit, &[circuit.root()]).units() {
        let piece = writer.unit(unit)?;
        writer.pieces[unit.index()] = Some(piece);
    }
    let root = writer.row_of(circuit.root());
    let text = writer.text(root);
    Ok(ExportedCircuit {
        text,
        vtree: Some(writer.vtree.text()),
        notes: Vec::new(),
    })
}

/// What a unit has become.
#[derive(Clone, Copy, Debug)]
enum PsddPiece {
    /// A row with its node of the vtree.
    Row(u32, u32),
    /// A prime and a sub, both rows, with the node of the vtree whose parts they follow.
    Pair(u32, u32, u32),
}

/// A line of the file.
#[derive(Clone, Copy, Debug)]
enum PsddRow {
    Literal(u32, i64),
    Coin(u32, VarId, f64),
    /// A node of the vtree and a range of elements.
    Decision(u32, usize, usize),
}

/// What a sum over one variable adds up: log weights for false and true.
type CoinWeights = [Vec<f64>; 2];

struct PsddWriter<'a> {
    circuit: &'a CircuitGraph,
    values: Vec<ParameterValue>,
    vtree: BinaryVtree,
    pieces: Vec<Option<PsddPiece>>,
    rows: Vec<PsddRow>,
    /// Primes, subs and log weights of decisions.
    elements: Vec<(u32, u32, f64)>,
    literals: FxHashMap<i64, u32>,
    /// Rows of products by their prime and sub.
    pairs: FxHashMap<(u32, u32), u32>,
}

impl PsddWriter<'_> {
    fn unit(&mut self, unit: UnitId) -> Result<PsddPiece, ExportError> {
        match self.circuit.kind(unit) {
            UnitKind::Input(_) => self.leaf(unit),
            UnitKind::Product => self.product(unit),
            UnitKind::Sum => self.sum(unit),
        }
    }

    fn push(&mut self, row: PsddRow) -> u32 {
        self.rows.push(row);
        (self.rows.len() - 1) as u32
    }

    fn piece(&self, unit: UnitId) -> PsddPiece {
        self.pieces[unit.index()].expect("children come first")
    }

    /// The row of a unit; a product of two becomes one when it has to be.
    fn row_of(&mut self, unit: UnitId) -> u32 {
        match self.piece(unit) {
            PsddPiece::Row(row, _) => row,
            PsddPiece::Pair(prime, sub, node) => self.pair_row(prime, sub, node),
        }
    }

    fn pair_row(&mut self, prime: u32, sub: u32, node: u32) -> u32 {
        if let Some(&known) = self.pairs.get(&(prime, sub)) {
            return known;
        }
        let at = self.elements.len();
        self.elements.push((prime, sub, 0.0));
        let row = self.push(PsddRow::Decision(node, at, at + 1));
        self.pairs.insert((prime, sub), row);
        row
    }

    fn literal(&mut self, variable: VarId, is_true: bool, node: u32) -> u32 {
        let number = variable.index() as i64 + 1;
        let literal = if is_true { number } else { -number };
        if let Some(&known) = self.literals.get(&literal) {
            return known;
        }
        let row = self.push(PsddRow::Literal(node, literal));
        self.literals.insert(literal, row);
        row
    }

    fn leaf(&mut self, unit: UnitId) -> Result<PsddPiece, ExportError> {
        let circuit = self.circuit;
        let leaf = circuit.leaf_of(unit).expect("the unit is a leaf");
        let domain = &circuit.variable(leaf.variable).domain;
        if *domain != Domain::Bool {
            let why = format!("is about {domain} values; a PSDD has bool variables only");
            return Err(ExportError::of(circuit, unit, &why));
        }
        let node = self
            .vtree
            .leaf(leaf.variable)
            .expect("the vtree has all variables");
        let log_true = match &leaf.kind {
            // The logarithm as it is kept, which a table would compute.
            LeafKind::Distribution(it)
                if it.family == BernoulliDistribution.into() && it.truncation.is_none() =>
            {
                let entries = circuit.parameter(it.params[0]).entries();
                self.values[entries.start + 1].log()
            }
            _ => log_table(circuit, &self.values, leaf)[1],
        };
        let is_indicator = matches!(leaf.kind, LeafKind::Indicator(_));
        let row = match log_true {
            f64::NEG_INFINITY => self.literal(leaf.variable, false, node),
            0.0 if is_indicator => self.literal(leaf.variable, true, node),
            log => self.push(PsddRow::Coin(node, leaf.variable, log)),
        };
        Ok(PsddPiece::Row(row, node))
    }

    /// Takes a product apart along the vtree: neighbours that join lowest come first.
    fn product(&mut self, unit: UnitId) -> Result<PsddPiece, ExportError> {
        let children: Vec<UnitId> = self.circuit.children(unit).map(|c| c.unit).collect();
        if children.is_empty() {
            let why = "has no factors, and a PSDD has no constants";
            return Err(ExportError::of(self.circuit, unit, why));
        }
        if let [only] = children[..] {
            return Ok(self.piece(only));
        }
        let mut factors: Vec<(u32, u32)> = Vec::with_capacity(children.len());
        for child in children {
            let row = self.row_of(child);
            let node = match self.piece(child) {
                PsddPiece::Row(_, node) | PsddPiece::Pair(_, _, node) => node,
            };
            factors.push((row, node));
        }
        // From left to right along the vtree, with a stack of parts that are complete so far.
        factors.sort_by_key(|&(_, node)| self.vtree.place(node));
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for factor in factors {
            while let [.., before, last] = stack[..] {
                // What joins below where the next factor comes in is complete.
                let low = self.vtree.join(before.1, last.1);
                if self.vtree.is_within(self.vtree.join(last.1, factor.1), low) {
                    break;
                }
                stack.truncate(stack.len() - 2);
                stack.push((self.pair_row(before.0, last.0, low), low));
            }
            stack.push(factor);
        }
        while let [.., a, b, c] = stack[..] {
            let node = self.vtree.join(b.1, c.1);
            let joined = (self.pair_row(b.0, c.0, node), node);
            stack.truncate(stack.len() - 3);
            stack.extend([a, joined]);
        }
        match stack[..] {
            [prime, sub] => Ok(PsddPiece::Pair(
                prime.0,
                sub.0,
                self.vtree.join(prime.1, sub.1),
            )),
            _ => Err(ExportError::of(self.circuit, unit, "has no two factors")),
        }
    }

    fn sum(&mut self, unit: UnitId) -> Result<PsddPiece, ExportError> {
        let circuit = self.circuit;
        let mut coin: CoinWeights = [Vec::new(), Vec::new()];
        let (mut variable, mut node) = (None, 0);
        let first = self.elements.len();
        for (child, weight) in circuit.terms(unit) {
            let log = self.values[circuit.entry_position(weight)].log();
            if log == f64::NEG_INFINITY {
                continue;
            }
            // Elements of a sum below are spliced in, times the weight: rows alternate, sums need not.
            match self.piece(child) {
                PsddPiece::Pair(prime, sub, at) => {
                    self.elements.push((prime, sub, log));
                    node = at;
                }
                PsddPiece::Row(row, at) => {
                    node = at;
                    variable = self.splice(row, log, &mut coin).or(variable);
                }
            }
        }
        if self.elements.len() > LARGEST_GROWTH * (circuit.n_edges() + 1) {
            let why = "has sums as children that would have to be repeated too often";
            return Err(ExportError::of(circuit, unit, why));
        }
        let last = self.elements.len();
        if let Some(variable) = variable {
            return Ok(PsddPiece::Row(self.coin(variable, node, &coin), node));
        }
        match last - first {
            0 => Err(ExportError::of(circuit, unit, "has weights of zero only")),
            _ => Ok(PsddPiece::Row(
                self.push(PsddRow::Decision(node, first, last)),
                node,
            )),
        }
    }

    /// Adds a row below a sum to it; gives the variable if the row is about one.
    fn splice(&mut self, row: u32, log: f64, coin: &mut CoinWeights) -> Option<VarId> {
        match self.rows[row as usize] {
            PsddRow::Literal(_, literal) => {
                coin[usize::from(literal > 0)].push(log);
                Some(VarId::new(literal.unsigned_abs() as usize - 1))
            }
            PsddRow::Coin(_, variable, log_true) => {
                coin[1].push(log + log_true);
                coin[0].push(log + (-log_true.exp_m1()).ln());
                Some(variable)
            }
            PsddRow::Decision(_, from, to) => {
                for at in from..to {
                    let (prime, sub, inner) = self.elements[at];
                    self.elements.push((prime, sub, log + inner));
                }
                None
            }
        }
    }

    /// The row of a sum over one variable.
    fn coin(&mut self, variable: VarId, node: u32, coin: &CoinWeights) -> u32 {
        let total = |logs: &[f64]| match logs {
            // One weight is kept as it is.
            [log] => *log,
            logs => log_sum_exp(logs.iter().copied()),
        };
        let (log_false, log_true) = (total(&coin[0]), total(&coin[1]));
        match (log_false, log_true) {
            (_, f64::NEG_INFINITY) => self.literal(variable, false, node),
            (f64::NEG_INFINITY, _) => self.literal(variable, true, node),
            _ => self.push(PsddRow::Coin(node, variable, log_true.min(0.0))),
        }
    }

    /// The file: rows below the root, numbered anew in their order.
    fn text(&self, root: u32) -> String {
        let mut is_used = vec![false; self.rows.len()];
        is_used[root as usize] = true;
        for at in (0..=root as usize).rev() {
            if let (true, PsddRow::Decision(_, from, to)) = (is_used[at], self.rows[at]) {
                for &(prime, sub, _) in &self.elements[from..to] {
                    is_used[prime as usize] = true;
                    is_used[sub as usize] = true;
                }
            }
        }
        let mut ids: Vec<usize> = vec![0; self.rows.len()];
        let mut body = String::new();
        let mut n_rows = 0;
        for (at, row) in self.rows.iter().enumerate().take(root as usize + 1) {
            if !is_used[at] {
                continue;
            }
            ids[at] = n_rows;
            self.line(n_rows, row, &ids, &mut body);
            n_rows += 1;
        }
        format!("psdd {n_rows}\n{body}")
    }

    fn line(&self, id: usize, row: &PsddRow, ids: &[usize], out: &mut String) {
        let written = match *row {
            PsddRow::Literal(node, literal) => {
                writeln!(out, "L {id} {} {literal}", self.vtree.id(node))
            }
            PsddRow::Coin(node, variable, log) => {
                let (node, number) = (self.vtree.id(node), variable.index() + 1);
                writeln!(out, "T {id} {node} {number} {log:?}")
            }
            PsddRow::Decision(node, from, to) => {
                let node = self.vtree.id(node);
                let mut written = write!(out, "D {id} {node} {}", to - from);
                for &(prime, sub, log) in &self.elements[from..to] {
                    let (prime, sub) = (ids[prime as usize], ids[sub as usize]);
                    written = written.and_then(|()| write!(out, " {prime} {sub} {log:?}"));
                }
                written.and_then(|()| writeln!(out))
            }
        };
        written.expect("a string takes every text");
    }
}
