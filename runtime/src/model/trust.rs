//! When what was lost cannot matter.
//!
//! In a normalized circuit over discrete variables every unit's value is at most
//! 1, and the root is an average of products of such values: it changes by no more
//! than a unit does. An operation loses less than the smallest normal number. So
//! all losses together are less than that, times the number of operations; beside a
//! root that is not small they are nothing. That is known as soon as the root is,
//! without a second look.

use super::Model;
use super::careful::{TOLERANCE, most_losses};
use super::parameters::Precise;
use crate::data::{Column, Table};
use pelton_compiler::circuit::Property;
use pelton_compiler::evaluate::Purpose;
use pelton_compiler::plan::Plan;

/// How large a root has to be for losses not to matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trust {
    /// Base 2; infinite if nothing is known of the circuit or of its evidence.
    log2_least: f64,
}

impl Trust {
    /// What can be trusted of values that the model's plan gives for these rows.
    pub fn new<T: Precise>(model: &Model, plan: &Plan, purpose: Purpose, table: &Table) -> Self {
        let is_soft = |column: &Column| matches!(column, Column::Soft { .. });
        let is_bounded = purpose == Purpose::Value
            && model.facts().is_proven(Property::Normalized)
            && plan.density_leaves().is_empty()
            && !table.columns().iter().any(is_soft);
        let n_losses = plan.n_rows() as f64 * most_losses(plan);
        let log2_least = f64::from(T::MIN_EXPONENT) + (n_losses / TOLERANCE).log2();
        Trust {
            log2_least: if is_bounded {
                log2_least
            } else {
                f64::INFINITY
            },
        }
    }

    /// Whether a root is so large that losses do not matter.
    pub fn vouches<T: Precise>(&self, root: T, exponent: i32) -> bool {
        root.to_f64().log2() + f64::from(exponent) >= self.log2_least
    }
}
