//! Operations of a plan.
//!
//! Each is documented by what it computes forward, backward and for the most
//! probable completion (*max*). Backward passes carry `d`, the derivative of the
//! logarithm of the root's value by the row (both as scaled): `d * value` is the
//! expected flow through a unit, and `d[sum] * value[child] * weight` the flow
//! along an edge. Counts leave the factor `weight` out; it is the same for all
//! samples and is multiplied in once at the end. Derivatives need no division
//! and are right where values are zero.

use super::{ExponentId, FactorId, PlanRow, WeightSlot};
use crate::circuit::VarId;

/// One operation of a plan.
#[derive(Clone, Debug)]
pub enum PlanOperation {
    /// A complete bipartite layer of sums.
    Dense(DenseLayer),
    /// A segment of single sums.
    Sparse(SparseSegment),
    /// A run of products of equal shape.
    Product(ProductRun),
    /// Leaves with a table over a larger finite domain.
    Gather(TableGather),
    /// Leaves over an infinite domain.
    Density(DensityRun),
    /// Puts rows of one scope on a common exponent.
    Rescale(ScopeRescale),
    /// Adds exponent rows.
    AddExponents(AddExponents),
}

/// How derivatives reach the inputs of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DerivativeWrite {
    /// Nobody needs them: the inputs are evidence.
    Skip,
    /// This operation is the first to write them.
    Set,
    /// Others wrote before, or the row was zeroed.
    Add,
}

/// `n_out` sums over the same `n_in` children, both in consecutive rows.
///
/// * forward: `out[i] = sum_j w[i][j] * input[j]`
/// * max: `out[i] = max_j w[i][j] * input[j]`
/// * backward: `d[input[j]] (+)= sum_i w[i][j] * d[out[i]]` unless skipped, and
///   `count[i][j] += sum over samples of d[out[i]] * input[j]`
#[derive(Clone, Debug)]
pub struct DenseLayer {
    /// First row of the sums.
    pub out: PlanRow,
    /// Number of sums.
    pub n_out: u32,
    /// First row of the children.
    pub input: PlanRow,
    /// Number of children.
    pub n_in: u32,
    /// Weights, `[sum][child]`; other blocks may share them.
    pub weights: WeightSlot,
    /// What happens to the derivatives of the children.
    pub flow: DerivativeWrite,
}

/// A segment of sums whose terms are one row or the product of two.
///
/// * forward: `out = sum_t w[t] * a[t] (* b[t])`
/// * max: `out = max_t w[t] * a[t] (* b[t])`
/// * backward: `d[a[t]] += d[out] * w[t] (* b[t])`, likewise for `b[t]`, and
///   `count[t] += sum over samples of d[out] * a[t] (* b[t])`. Derivatives are
///   always added.
///
/// Sums of equal shape that follow each other form a run, so that an engine
/// decides once how to loop. Later sums of a segment may use earlier ones.
#[derive(Clone, Debug, Default)]
pub struct SparseSegment {
    /// Runs, one after the other: number of terms, factors of a term (1 or 2),
    /// number of sums; then for each sum its row, the slot of its first weight
    /// and the rows of its terms' factors.
    pub words: Box<[u32]>,
    /// Number of sums in all runs.
    pub n_sums: u32,
    /// Number of terms in all sums.
    pub n_terms: u32,
}

/// One sum of a [`SparseSegment`] segment.
#[derive(Clone, Copy, Debug)]
pub struct SparseSum<'a> {
    /// The sum's row.
    pub out: PlanRow,
    /// The first of its weights; they are consecutive.
    pub weights: WeightSlot,
    /// Factors of each term: 1 or 2.
    pub arity: u32,
    /// Rows of the factors, term by term.
    pub factors: &'a [u32],
}

impl SparseSegment {
    /// The sums in order.
    pub fn sums(&self) -> impl Iterator<Item = SparseSum<'_>> {
        let mut rest = &self.words[..];
        let mut run = (0, 0, 0);
        std::iter::from_fn(move || {
            if run.2 == 0 {
                let (head, tail) = rest.split_at_checked(3)?;
                run = (head[0], head[1], head[2]);
                rest = tail;
            }
            run.2 -= 1;
            let (sum, tail) = rest.split_at(2 + (run.0 * run.1) as usize);
            rest = tail;
            Some(SparseSum {
                out: PlanRow(sum[0]),
                weights: WeightSlot(sum[1]),
                arity: run.1,
                factors: &sum[2..],
            })
        })
    }
}

/// `n` products, each of one row from every factor: consecutive rows out of
/// consecutive rows. A product of one factor copies it.
///
/// * forward, max: `out[i] = factor_0[i] * factor_1[i] * …`
/// * backward: `d[factor_k[i]] (+)= d[out[i]] * product of the other factors`
#[derive(Clone, Debug)]
pub struct ProductRun {
    /// First row of the products.
    pub out: PlanRow,
    /// Number of products.
    pub n: u32,
    /// First row of each factor, and what happens to its derivatives.
    pub factors: Vec<(PlanRow, DerivativeWrite)>,
}

/// `n` leaves of one variable, each a table over its values.
///
/// * forward, max: `out[i] = table[i][code]`; the last entry of a table is for a
///   missing cell. With soft evidence `out[i] = sum_k table[i][k] * soft[k]`
///   (max likewise), over the entries of values.
/// * backward: `count[i][code] += d[out[i]]`, or `count[i][k] += d[out[i]] * soft[k]`
#[derive(Clone, Debug)]
pub struct TableGather {
    /// The variable.
    pub variable: VarId,
    /// Its row of codes.
    pub codes: u32,
    /// Number of values; tables have one entry more.
    pub n_values: u32,
    /// First row of the leaves.
    pub out: PlanRow,
    /// Number of leaves.
    pub n: u32,
    /// Tables, `[leaf][value]`.
    pub weights: WeightSlot,
}

/// `n` leaves of one variable, computed from its value.
///
/// * forward, max: the logarithms of all leaves are computed; the exponent row
///   gets the whole part of the largest (base 2), `out[i]` what is left.
/// * backward: adds `d[out[i]] * out[i]` times the family's statistics.
#[derive(Clone, Debug)]
pub struct DensityRun {
    /// The variable.
    pub variable: VarId,
    /// Its row of numbers.
    pub reals: u32,
    /// First of its leaves in [`super::Plan::density_leaves`].
    pub first_leaf: u32,
    /// Number of leaves.
    pub n: u32,
    /// First row of the leaves.
    pub out: PlanRow,
    /// The exponents of the variable's scope.
    pub exponent: ExponentId,
    /// Where the statistics of each leaf begin.
    pub statistics: Vec<u32>,
}

/// Puts the rows of one scope on a common exponent, in place.
///
/// For each sample: a class has the maximum `m` of its rows and the exponent `e`
/// it had so far; the new exponent `E` is the largest `e + floor(log2 m)` of the
/// classes with `m > 0` (or the first class's `e` if all are zero). The rows of a
/// class are multiplied by its factor `2^(e - E)`, which is exact. A factor that
/// is too small to be a normal number counts as 0, and the sample is marked as
/// lost if the class was positive. A factor that would be infinite, which only a
/// class of zeros can have, is the largest power of two instead.
///
/// * backward: the derivatives of a class's rows are multiplied by its factor.
#[derive(Clone, Debug)]
pub struct ScopeRescale {
    /// The new exponents.
    pub exponent: ExponentId,
    /// Rows by the exponent they had.
    pub classes: Vec<ScaleClass>,
}

/// Rows of a [`ScopeRescale`] that had a common exponent before.
#[derive(Clone, Debug)]
pub struct ScaleClass {
    /// Runs of rows.
    pub rows: Vec<(PlanRow, u32)>,
    /// The exponent so far; none means 0.
    pub exponent: Option<ExponentId>,
    /// Where the factors are kept for the backward pass.
    pub factor: FactorId,
}

/// `exponent = sum of inputs`, in every pass forward; nothing backward.
#[derive(Clone, Debug)]
pub struct AddExponents {
    /// The sum.
    pub exponent: ExponentId,
    /// What is added, two or more.
    pub inputs: Vec<ExponentId>,
}
