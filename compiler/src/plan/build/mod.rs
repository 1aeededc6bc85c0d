//! From a checked circuit to a plan.
//!
//! Each step is a file: the [`net`] of reachable units with their exponents,
//! [`evidence`], [`place`]s in consecutive rows, the [`draft`] of operations,
//! their [`schedule`], [`segment`]s of sparse sums, and the final [`layout`].

mod bits;
mod draft;
mod evidence;
mod flows;
mod layout;
mod net;
mod place;
mod scale;
mod schedule;
mod segment;
mod table;
#[cfg(test)]
mod tests;
mod touch;
mod weights;

pub use layout::RowRetention;

use super::Plan;
use crate::check::Checked;
use crate::kernel::Precision;
use bits::RescaleLimits;
use evidence::EvidencePlan;
use net::{NodeKind, PlanNet};
use place::NodePlacement;

/// What a plan is made for.
#[derive(Clone, Copy, Debug)]
pub struct PlanOptions {
    /// The kernels' number type: how much values may shrink before they are rescaled.
    pub precision: Precision,
    /// Which rows outlive their last use.
    pub keep: RowRetention,
    /// Terms in a segment of sparse sums. Compiled code wants segments that fit
    /// the instruction cache.
    pub segment_terms: usize,
}

impl Default for PlanOptions {
    fn default() -> Self {
        PlanOptions {
            precision: Precision::F32,
            keep: RowRetention::All,
            segment_terms: 600,
        }
    }
}

/// Plans the evaluation of a circuit.
pub fn plan(checked: &Checked, options: &PlanOptions) -> Plan {
    // 1. What is to be computed: reachable units, cut into products that stay in range.
    let net = PlanNet::new(checked, RescaleLimits::of(options.precision));
    // 2. Where evidence enters, and which results lie in consecutive rows.
    let evidence = EvidencePlan::new(&net);
    let places = NodePlacement::new(&net, &evidence);
    // 3. Operations on virtual rows, one after the other without a limit.
    let mut draft = draft::draft(&net, &evidence, places);
    // 4. The order of evaluation, which fixes how long each row is needed, and segments of
    // sparse sums that fit a cache.
    let n_virtual = evidence.n_rows + draft.group_sizes.iter().sum::<u32>();
    let root_exponent = net.scales.exponent(net.scope(net.root));
    let n_exponents = net.scales.n_exponents;
    let ops = schedule::schedule(&mut draft, n_virtual, n_exponents, root_exponent);
    let mut ops = segment::segment(ops, options.segment_terms);
    // 5. Final rows, shared by results that are never needed at the same time.
    let layout = layout::lay_out(
        &mut ops,
        &draft.group_sizes,
        evidence.n_rows,
        draft.root,
        options.keep,
    );
    let (n_rows, root) = (layout.n_rows, layout.root);
    let n_skipped = match options.keep {
        // Only the constant.
        RowRetention::Evidence => 1,
        RowRetention::All | RowRetention::Values | RowRetention::Choices | RowRetention::Live => {
            evidence.n_rows
        }
    };
    // 6. The way back: who sets a derivative, who adds to it, and where derivatives lie.
    let zeroed = flows::direct_flows(&mut ops, n_rows, n_skipped, root);
    let (derivative_rows, n_derivative_rows) =
        flows::place_derivatives(&ops, &layout, &zeroed, evidence.n_rows, options.keep);
    let zeroed = flows::relocate_runs(zeroed, &derivative_rows);
    Plan {
        ops,
        n_rows,
        n_evidence_rows: evidence.n_rows,
        evidence: evidence.layouts,
        n_code_rows: evidence.n_code_rows,
        n_real_rows: evidence.n_real_rows,
        weights: draft.weights,
        density_leaves: draft.density_leaves,
        n_statistics: draft.n_statistics,
        n_exponents,
        n_factors: draft.n_factors,
        zeroed,
        derivative_rows,
        n_derivative_rows,
        root,
        root_exponent,
        n_sum_edges: sum_edges(&net),
    }
}

fn sum_edges(net: &PlanNet) -> usize {
    let sums = net.nodes().filter(|&node| net.kind(node) == NodeKind::Sum);
    sums.map(|sum| net.kids(sum).len()).sum()
}
