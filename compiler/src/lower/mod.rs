//! From syntax trees to a circuit.
//!
//! Lowering runs in steps, each a file of its own: collect the declared names
//! (`symbols`), declare variables and parameters (`declare`, `param`), expand
//! every node instance into a flat draft with references still open (`expand`),
//! order the instances (`order`), and build the circuit children first
//! (`build`). Instances are expanded one by one, never from inside each other,
//! so a chain of a million nodes needs no deep stack.
//!
//! All independent errors are reported. A construct that failed yields
//! `ReportedError`, and what depends on it stays silent.

mod argument;
mod ask;
mod attribute;
mod bound;
mod build;
mod condition;
mod constant;
mod declare;
mod draft;
mod env;
mod eval;
mod event;
mod expand;
mod fit;
mod leaf;
mod least;
mod order;
mod param;
mod recursion;
mod region;
mod resolve;
mod statement;
mod symbols;
mod terms;
mod trace;
mod truth;
mod unused;
mod weight;

use crate::circuit::{CircuitBuilder, CircuitGraph, NameId};
use crate::load::SourceProgram;
use constant::ConstantValue;
use draft::CircuitDraft;
use pelton_grammar::ast::{Expr, ExprKind, Name};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics, thousands};
use pelton_grammar::remedy::{RemedyOption, RemedyText};
use pelton_grammar::source::Span;
use rustc_hash::FxHashSet;
use symbols::{Symbol, Symbols};

pub use ask::{NotUnderstood, ask, ask_given};
pub use attribute::AllowedWarnings;
pub use resolve::nearest;
pub(crate) use trace::{ParameterTrace, TracedDeclaration, TracedExpansion, TracedSite, trace};

/// Proof that the error which stopped this construct has been reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReportedError;

/// What is left of a construct: nothing but [`ReportedError`] where it failed.
type LoweringResult<T, E = ReportedError> = std::result::Result<T, E>;

/// Limits and overrides of lowering.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// Greatest number of units and edges together (`--max-size`).
    pub max_size: usize,
    /// `-D NAME=VALUE`, in the order given.
    pub defines: Vec<(String, String)>,
}

impl Default for LowerOptions {
    fn default() -> Self {
        LowerOptions {
            max_size: 10_000_000,
            defines: Vec::new(),
        }
    }
}

/// What lowering hands on.
#[derive(Debug)]
#[must_use]
pub struct Lowered {
    /// The graph.
    pub circuit: CircuitGraph,
    /// What attributes ask to be repaired.
    pub repairs: Repairs,
    /// Warnings the author does not want to see.
    pub allowed: AllowedWarnings,
    /// Where parameters were written, if that was asked for.
    pub(crate) trace: Option<ParameterTrace>,
}

impl Lowered {
    /// A circuit that stands in no text: nothing to repair, nothing to trace.
    pub fn without_text(circuit: CircuitGraph) -> Lowered {
        Lowered {
            circuit,
            repairs: Repairs::default(),
            allowed: AllowedWarnings::default(),
            trace: None,
        }
    }
}

/// Repairs asked for by attributes, by the nodes they stand on.
#[derive(Debug, Default)]
pub struct Repairs {
    /// `@smooth root`: every sum.
    pub smooth_all: bool,
    /// `@smooth node`: sums written in these nodes.
    pub smooth: FxHashSet<NameId>,
    /// `@normalize root`: every sum.
    pub normalize_all: bool,
    /// `@normalize node`: sums written in these nodes.
    pub normalize: FxHashSet<NameId>,
}

/// Lowers a program; `None` if an error was reported.
pub fn lower(
    program: &SourceProgram,
    options: &LowerOptions,
    found: &mut SourceDiagnostics,
) -> Option<Lowered> {
    let errors_before = found.count(pelton_grammar::diagnostic::Severity::Error);
    let lowered = Lowering::new(program, options, found).run();
    let errors = found.count(pelton_grammar::diagnostic::Severity::Error);
    lowered.filter(|_| errors == errors_before)
}

struct Lowering<'a, 'f> {
    program: &'a SourceProgram,
    options: &'a LowerOptions,
    found: &'f mut SourceDiagnostics,
    symbols: Symbols<'a>,
    builder: CircuitBuilder,
    draft: CircuitDraft,
    /// What has been referred to from another statement.
    used: FxHashSet<Symbol>,
    /// `use` prefixes that have been written, by module and text.
    used_prefixes: FxHashSet<(usize, String)>,
    /// The statement being lowered, so that a node's mention of itself is no use.
    current: Option<Symbol>,
    instance_name: Option<String>,
    /// Learned numbers of the instance being expanded are fixed at their start.
    frozen: bool,
    /// Loop iterations so far, to stop loops that yield nothing.
    iterations: usize,
    /// The lists of categories in which values were looked up, by address.
    lookups: rustc_hash::FxHashMap<*const String, std::rc::Rc<region::DomainLookup>>,
    /// Names that were compared with unknown ones so far.
    names_compared: usize,
    size: usize,
    /// Entries of parameters that are declared or belong to leaves, so far.
    n_entries: usize,
    /// The limit was hit and reported; nothing more is expanded.
    too_large: bool,
    const_depth: usize,
    /// Definitions that expand into themselves and are not to be expanded.
    recursive: FxHashSet<usize>,
    statements: statement::DeferredStatements<'a>,
    trace: Option<ParameterTrace>,
}

impl<'a, 'f> Lowering<'a, 'f> {
    fn new(
        program: &'a SourceProgram,
        options: &'a LowerOptions,
        found: &'f mut SourceDiagnostics,
    ) -> Self {
        let symbols = Symbols::collect(program, found);
        Lowering {
            program,
            options,
            found,
            symbols,
            builder: CircuitBuilder::new(),
            draft: CircuitDraft::default(),
            used: FxHashSet::default(),
            used_prefixes: FxHashSet::default(),
            current: None,
            instance_name: None,
            frozen: false,
            iterations: 0,
            lookups: rustc_hash::FxHashMap::default(),
            names_compared: 0,
            size: 0,
            n_entries: 0,
            too_large: false,
            const_depth: 0,
            recursive: FxHashSet::default(),
            statements: statement::DeferredStatements::default(),
            trace: None,
        }
    }

    /// All steps, in order.
    fn run(mut self) -> Option<Lowered> {
        // 1. What can be told from the statements alone, before anything is computed.
        self.define();
        self.check_attributes();
        self.report_names_bound_twice();
        self.report_recursive_definitions();
        // 2. Numbers, then what is made of them: arrays and all instances of nodes by name.
        self.evaluate_constants();
        self.declare_variables();
        self.declare_parameters();
        self.enumerate_instances();
        // 3. Circuits, each instance by itself: references need only the names.
        self.expand_all();
        let root = self.expand_root();
        // 4. What is said and asked of them; only now is it known what nothing refers to.
        self.read_asserts_and_queries();
        self.report_unused();
        // 5. The draft in order, as a circuit.
        self.build(root)
    }

    /// Reports an error and returns the token that stands for it.
    fn error(&mut self, diagnostic: SourceDiagnostic) -> ReportedError {
        let diagnostic = match &self.instance_name {
            Some(name) if name.contains('[') => diagnostic.note(format!("in instance `{name}`")),
            _ => diagnostic,
        };
        self.found.push(diagnostic);
        ReportedError
    }

    /// Reports that `expr` is not what its place needs.
    fn wrong_kind(&mut self, span: Span, message: impl Into<String>, here: &str) -> ReportedError {
        self.error(SourceDiagnostic::new(Code::WrongKind, span, message).at(here))
    }

    fn not_a_number(&mut self, value: &ConstantValue, span: Span) -> ReportedError {
        let message = format!("a number is needed here, and this is {}", value.kind());
        self.wrong_kind(span, message, "not a number")
    }

    /// Counts one more iteration of a loop or call; an error once there are far too many.
    fn count(&mut self, span: Span) -> LoweringResult<()> {
        self.iterations += 1;
        if self.iterations > self.max_iterations() || self.too_large {
            Err(self.report_too_many_iterations(span))
        } else {
            Ok(())
        }
    }

    /// Iterations that add nothing are cheap, so they may be more than units and edges.
    fn max_iterations(&self) -> usize {
        self.options.max_size.saturating_mul(10)
    }

    /// Counts one more unit or edge; an error once the limit is passed.
    fn grow(&mut self, span: Span) -> LoweringResult<()> {
        self.size += 1;
        if self.size > self.options.max_size || self.too_large {
            Err(self.report_too_large(span))
        } else {
            Ok(())
        }
    }

    /// Counts entries of parameters, which a few words declare by the billion; an
    /// error once there are far too many. They are smaller than units, so that there
    /// may be more of them.
    fn grow_entries(&mut self, n_entries: usize, span: Span) -> LoweringResult<()> {
        let limit = self.options.max_size.saturating_mul(4);
        self.n_entries = self.n_entries.saturating_add(n_entries);
        if self.n_entries <= limit && !self.too_large {
            return Ok(());
        }
        let limit = thousands(limit);
        let message = format!("parameters have more than {limit} entries");
        Err(self.report_limit(span, message))
    }

    fn report_too_large(&mut self, span: Span) -> ReportedError {
        let limit = thousands(self.options.max_size);
        let message = format!("the circuit expands beyond {limit} units and edges");
        self.report_limit(span, message)
    }

    fn report_too_many_iterations(&mut self, span: Span) -> ReportedError {
        let times = thousands(self.max_iterations());
        let message = format!("loops and calls run more than {times} times");
        self.report_limit(span, message)
    }

    /// Reports a limit, once.
    fn report_limit(&mut self, span: Span, message: String) -> ReportedError {
        if self.too_large {
            return ReportedError;
        }
        self.too_large = true;
        let diagnostic = SourceDiagnostic::new(Code::TooLarge, span, message)
            .at("the limit was reached here")
            .help(RemedyText::from("shrink the ranges").or(RemedyOption::RaiseSizeLimit));
        self.error(diagnostic)
    }
}

/// `1 is`, `3 are`: so many are given, as messages say it.
fn n_are(n: usize) -> String {
    format!("{n} {}", if n == 1 { "is" } else { "are" })
}

/// Runs `walk` with enough stack for one more level of the author's nesting.
fn with_stack<T>(walk: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 << 10, 1 << 20, walk)
}

/// Whether an expression is just a name without indices or prefix.
fn plain_name(expr: &Expr) -> Option<&Name> {
    let ExprKind::Ref(path) = &expr.unparenthesized().kind else {
        return None;
    };
    let is_plain = path.qualifier.is_none() && path.indices.is_empty();
    is_plain.then_some(&path.name)
}
