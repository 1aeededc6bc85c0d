//! Formulas as circuits whose mass is the number of their models.
//!
//! The search of a solver that counts: decide a variable, draw the conclusions, take
//! what falls apart by itself, and remember every part that was solved (Sang, Bacchus et
//! al., "Combining component caching and clause learning for effective model counting",
//! 2004). Its trace is a circuit. A decision is a sum over both values, so sums are
//! deterministic; parts share no variables, so products are decomposable; variables that
//! nothing depends on any more are indicators of both values, so sums are smooth.
//!
//! A formula in disjunctive normal form is what is left if a formula in conjunctive
//! normal form fails, so each part is also compiled for the assignments that break it:
//! of a product, the first factor that fails is told apart from the ones before it.

mod compile;
mod parts;
mod search;

pub(super) use compile::compile;

use pelton_grammar::source::Span;

/// A variable with its sign: `2 * variable` is the variable, one more its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Literal(u32);

impl Literal {
    /// A variable or its negation.
    pub fn new(variable: u32, is_true: bool) -> Self {
        Literal(2 * variable + u32::from(!is_true))
    }

    /// The variable.
    pub fn variable(self) -> u32 {
        self.0 / 2
    }

    /// Whether it holds if the variable is true.
    pub fn is_true(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// The opposite.
    pub fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Clauses over variables that are numbered from 0.
pub(super) struct ClausalFormula {
    pub n_variables: usize,
    /// In each clause variables are different; no literal in it is no model.
    pub clauses: Vec<Vec<Literal>>,
    /// Whether the models are the assignments that break a clause.
    pub is_negated: bool,
    /// The place of its header.
    pub span: Span,
}
