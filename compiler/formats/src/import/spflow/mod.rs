//! Sum-product networks as SPFlow 0.x prints them.
//!
//! `(0.4*(child) + 0.6*(child))` is a sum, `(child * child)` a product, and a leaf is
//! `Gaussian(V0|mean=0;stdev=1)`. A child in brackets of its own is itself. The text is
//! a tree that may be as deep as it likes: what is open is kept on a stack.

mod leaf;
mod scan;

use super::outline::{CircuitOutline, OutlineNode, OutlineNodeId};
use super::{ImportContext, ImportError, ImportedCircuit};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use scan::SpflowScanner;

/// Reads a network.
pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let mut reader = SpflowReader {
        scan: SpflowScanner::of(context.source, context.max_size),
        outline: CircuitOutline::new(context),
        variables: IndexSet::default(),
        open: Vec::new(),
    };
    reader.network()?;
    let mut names: Vec<String> = reader.variables.into_iter().collect();
    // Columns of data are bound in the order of the numbers, if there are numbers.
    if names.iter().all(|name| number(name).is_some()) {
        names = reader.outline.sort_variables(names, number);
    }
    reader.outline.build(context, &names)
}

/// `V12` as 12.
fn number(name: &str) -> Option<u64> {
    name.strip_prefix('V')?.parse().ok()
}

/// A bracket that is open.
struct OpenBracket {
    start: usize,
    /// The weights of a sum; none for a product.
    weights: Option<Vec<f64>>,
    children: Vec<OutlineNodeId>,
}

struct SpflowReader<'a> {
    scan: SpflowScanner<'a>,
    outline: CircuitOutline,
    /// Their names in the order in which they appear.
    variables: IndexSet<String, FxBuildHasher>,
    open: Vec<OpenBracket>,
}

impl SpflowReader<'_> {
    fn network(&mut self) -> Result<(), ImportError> {
        loop {
            // Down to the next leaf, and up as far as brackets close.
            self.open_brackets()?;
            let leaf = self.leaf()?;
            if !self.close_brackets(leaf)? {
                return self.scan.end();
            }
        }
    }

    fn open_brackets(&mut self) -> Result<(), ImportError> {
        while self.scan.take('(') {
            let start = self.scan.position() - 1;
            let weights = match self.scan.peek() {
                Some('(' | 'A'..='Z') => None,
                _ => Some(vec![self.weight()?]),
            };
            self.open.push(OpenBracket {
                start,
                weights,
                children: Vec::new(),
            });
        }
        Ok(())
    }

    /// `0.4*`
    fn weight(&mut self) -> Result<f64, ImportError> {
        let weight = self.scan.number("a weight or a leaf")?;
        if !(weight >= 0.0 && weight.is_finite()) {
            let fault = self.scan.fault(format!("{weight} cannot be a weight"));
            return Err(fault.help("weights are finite and not negative"));
        }
        self.scan.expect('*')?;
        Ok(weight)
    }

    fn leaf(&mut self) -> Result<OutlineNodeId, ImportError> {
        let start = self.scan.position();
        let leaf = leaf::read(&mut self.scan, &mut self.outline.rounding)?;
        let variable = self.variables.insert_full(leaf.variable.to_string()).0;
        let shape = OutlineNode::Leaf(variable, leaf.described);
        self.outline.add(shape, self.scan.span_from(start))
    }

    /// Takes a node into the innermost bracket and closes what ends there; `false` if no
    /// bracket is left open.
    fn close_brackets(&mut self, mut node: OutlineNodeId) -> Result<bool, ImportError> {
        while let Some(mut open) = self.open.pop() {
            open.children.push(node);
            // A closed bracket is itself a child of the one around it.
            if self.scan.take(')') {
                node = self.close(open)?;
                continue;
            }
            match &mut open.weights {
                Some(weights) => {
                    self.scan.expect_one_of('+', ')')?;
                    weights.push(self.weight()?);
                }
                None => self.scan.expect_one_of('*', ')')?,
            }
            self.open.push(open);
            return Ok(true);
        }
        Ok(false)
    }

    fn close(&mut self, open: OpenBracket) -> Result<OutlineNodeId, ImportError> {
        let span = self.scan.span_from(open.start);
        match (open.weights, open.children.as_slice()) {
            (None, &[child]) => Ok(child),
            (None, _) => self.outline.add(OutlineNode::Product(open.children), span),
            (Some(weights), _) => self.outline.add_sum(weights, open.children, span),
        }
    }
}
