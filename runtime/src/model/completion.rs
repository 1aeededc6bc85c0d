//! The most probable completion of rows.
//!
//! A pass with maxima in place of sums, then down from the root: into the
//! largest term of every sum and all factors of every product. Leaves and rows of
//! evidence that are reached say what their variable is.

use super::careful::{Careful, log_value};
use super::fill::{cells, fill};
use super::parameters::{Parameters, Precise};
use super::shards::{shards, spread};
use super::{Model, Precision, with_precision};
use crate::data::{Column, Table};
use pelton_compiler::evaluate::{Cell, complete};
use pelton_compiler::kernel::{Packed, Pass, Purpose, Real, Tile};
use pelton_compiler::leaf::mode;
use pelton_compiler::plan::{Dense, EvidenceLayout, Gather, Op, Plan, Row, SparseSum};
use std::ops::Range;

/// Rows with their gaps filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completions {
    /// The logarithm of each row's value in max-product.
    pub logs: Vec<f64>,
    /// A value for each variable of each row; NaN where nothing is said of it.
    pub values: Vec<Vec<f64>>,
}
