//! Passes: rewrites of a checked circuit that preserve its distribution.
//!
//! For every input the root keeps its value, be cells observed, softly known or
//! missing, and for all values that learning may give to what is learned. Each
//! pass is idempotent, runs in time linear or nearly linear in edges, and leaves
//! a circuit that has nothing to rewrite as it is.
//!
//! What passes keep beside the distribution:
//!
//! * variables, parameters and entries stay where they are, so that buffers of
//!   parameters outlive optimisation; new fixed weights follow at the end;
//! * learned weights stay on their edges;
//! * proven properties stay proven;
//! * names and places stay where there is a unit to carry them, assertions where
//!   there is one to speak of (they were checked before, so none is lost that
//!   could still fail), queries always.

mod dead;
mod flatten;
mod fold;
mod normal_form;
mod share;

use crate::check::Checked;

/// A circuit-to-circuit rewrite that preserves the distribution.
#[derive(Clone, Copy, Debug)]
pub struct OptimizationPass {
    /// Name on the command line and in test directives.
    pub name: &'static str,
    /// What it was called before, which is understood still.
    pub former_name: Option<&'static str>,
    /// One line for `--help`.
    pub about: &'static str,
    /// The rewrite; consumes its input because circuits are append-only.
    pub run: fn(Checked) -> Checked,
}

/// The default pipeline, in order. Order is part of the contract: what `dead`
/// drops and `share` merges leaves units with one parent or one child to
/// `flatten`, which brings leaves together for `fold`.
pub const PIPELINE: &[OptimizationPass] = &[
    OptimizationPass {
        former_name: Some("prune"),
        ..pass(
            "dead",
            "drop what is zero or out of the root's reach",
            dead::dead,
        )
    },
    pass(
        "share",
        "merge units that compute the same from the same",
        share::share,
    ),
    pass(
        "flatten",
        "merge nested products, and nested sums of fixed weights",
        flatten::flatten,
    ),
    pass(
        "fold",
        "turn fixed mixtures of leaves into leaves",
        fold::fold,
    ),
    pass(
        "normal_form",
        "order factors by variable and units by depth-first evaluation",
        normal_form::normal_form,
    ),
];

const fn pass(
    name: &'static str,
    about: &'static str,
    run: fn(Checked) -> Checked,
) -> OptimizationPass {
    OptimizationPass {
        name,
        former_name: None,
        about,
        run,
    }
}

/// Runs the whole pipeline.
pub fn optimize(checked: Checked) -> Checked {
    PIPELINE
        .iter()
        .fold(checked, |checked, pass| (pass.run)(checked))
}

/// The pipeline up to and including the pass of this name; `all` is the whole of it. `None`
/// if there is no such pass.
pub fn passes_until(after: &str) -> Option<&'static [OptimizationPass]> {
    if after == ALL {
        return Some(PIPELINE);
    }
    let is_meant = |pass: &OptimizationPass| pass.name == after || pass.former_name == Some(after);
    let last = PIPELINE.iter().position(is_meant)?;
    Some(&PIPELINE[..=last])
}

/// What stands for the whole pipeline where a pass is named.
pub const ALL: &str = "all";
