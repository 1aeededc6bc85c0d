//! How long the checks take on large circuits, printed as a table.
//!
//! `cargo run --release -p pelton-compiler --example check_speed`

use pelton_compiler::check::{CheckOptions, Scopes, examine, smooth};
use pelton_compiler::circuit::*;
use pelton_grammar::diagnostic::Diagnostics;
use pelton_grammar::source::Span;
use std::time::Instant;

fn main() {
    println!(
        "circuit                         edges    scopes    checks  ns/edge    smooth  messages"
    );
    for (n_steps, n_states) in [(10, 32), (100, 32), (1024, 32), (1024, 4), (10_000, 10)] {
        measure(
            &format!("hmm T={n_steps} K={n_states}"),
            hmm(n_steps, n_states, false),
        );
    }
    measure("hmm T=1024 K=32, not smooth", hmm(1024, 32, true));
    measure("sum of 1e6", wide_sum(1_000_000));
    measure("product of 1e5", wide_product(100_000, false));
    measure("product of 1e5, overlapping", wide_product(100_000, true));
    measure("chain of 1e6 units", deep_chain(1_000_000));
}

fn measure(name: &str, circuit: Circuit) {
    let n_edges = circuit.n_edges();
    let start = Instant::now();
    let n_scopes = Scopes::compute(&circuit).distinct().len();
    let scopes = start.elapsed().as_secs_f64();
    let options = CheckOptions {
        decide: vec![Property::Structured],
        ..CheckOptions::default()
    };
    let mut found = Diagnostics::new();
    let start = Instant::now();
    let facts = examine(&circuit, &options, &mut found);
    let checks = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let smoothed = smooth(circuit, |_| true, &mut Diagnostics::new());
    let smoothing = start.elapsed().as_secs_f64();
    println!(
        "{name:<28} {n_edges:>8} {scopes:>8.4}s {checks:>8.4}s {:>8.1} {smoothing:>8.4}s {:>9}",
        checks / n_edges as f64 * 1e9,
        found.len()
    );
    assert!(n_scopes > 0 && smoothed.n_units() > 0 && facts.scopes().distinct().len() == n_scopes);
}

/// A circuit under construction over `bool` variables.
#[derive(Default)]
struct Draft {
    builder: Builder,
    n_places: usize,
}

impl Draft {
    fn variable(&mut self, at: usize) -> VarId {
        self.builder.variable(Variable {
            name: format!("x[{at}]"),
            domain: Domain::Bool,
            span: Span::default(),
            binding: Binding::default(),
        })
    }

    /// Every unit has a place of its own, so that each fault is a message of its own.
    fn origin(&mut self) -> Origin {
        self.n_places += 1;
        Origin {
            span: Span::new(Default::default(), self.n_places, self.n_places),
            owner: None,
            is_named: false,
        }
    }

    fn leaf(&mut self, variable: VarId, value: i64) -> UnitId {
        let kind = LeafKind::Indicator(ValueSet::integers(value, value + 1));
        let origin = self.origin();
        self.builder.input(Leaf { variable, kind }, origin)
    }

    fn product(&mut self, units: &[UnitId]) -> UnitId {
        let origin = self.origin();
        let children: Vec<Child> = units
            .iter()
            .map(|&unit| child(unit, None, origin))
            .collect();
        self.builder.product(&children, origin)
    }

    fn sum(&mut self, units: &[UnitId]) -> UnitId {
        let origin = self.origin();
        let entries = vec![Entry::learned(); units.len()];
        let param = self
            .builder
            .parameter(None, ParamKind::Simplex, &entries, origin.span);
        let weights = (0..).map(|index| Some(Weight { param, index }));
        let children = units.iter().zip(weights);
        let children: Vec<Child> = children
            .map(|(&unit, weight)| child(unit, weight, origin))
            .collect();
        self.builder.sum(&children, origin)
    }
}

fn child(unit: UnitId, weight: Option<Weight>, origin: Origin) -> Child {
    let span = origin.span;
    Child { unit, weight, span }
}

/// A hidden Markov model; with a `gap` one state forgets its variable every tenth step.
fn hmm(n_steps: usize, n_states: usize, gap: bool) -> Circuit {
    let mut draft = Draft::default();
    let mut later: Vec<UnitId> = Vec::new();
    for step in (0..n_steps).rev() {
        let variable = draft.variable(step);
        let values = [draft.leaf(variable, 0), draft.leaf(variable, 1)];
        let states = (0..n_states).map(|state| {
            let emission = draft.sum(&values);
            if later.is_empty() {
                return emission;
            }
            let next = draft.sum(&later);
            match gap && state == 3 && step % 10 == 0 {
                true => next,
                false => draft.product(&[emission, next]),
            }
        });
        later = states.collect();
    }
    let root = draft.sum(&later);
    draft.builder.finish(root)
}

fn wide_sum(n_children: usize) -> Circuit {
    let mut draft = Draft::default();
    let variable = draft.variable(0);
    let values = [draft.leaf(variable, 0), draft.leaf(variable, 1)];
    let units: Vec<UnitId> = (0..n_children).map(|at| values[at % 2]).collect();
    let root = draft.sum(&units);
    draft.builder.finish(root)
}

fn wide_product(n_children: usize, overlap: bool) -> Circuit {
    let mut draft = Draft::default();
    let variables: Vec<VarId> = (0..n_children).map(|at| draft.variable(at)).collect();
    let mut units: Vec<UnitId> = variables.iter().map(|&v| draft.leaf(v, 0)).collect();
    if overlap {
        units.push(draft.leaf(variables[0], 1));
    }
    let root = draft.product(&units);
    draft.builder.finish(root)
}

/// Sums of one child on top of each other.
fn deep_chain(n_units: usize) -> Circuit {
    let mut draft = Draft::default();
    let variable = draft.variable(0);
    let mut top = draft.leaf(variable, 0);
    for _ in 0..n_units {
        top = draft.sum(&[top]);
    }
    draft.builder.finish(top)
}
