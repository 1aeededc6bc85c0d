//! The buffers of one tile, with their lengths.

use super::flags::{self, FloatFlags};
use super::pages::prefer_large_pages;
use super::{ExecutablePlan, Frame, KernelPass, PackedWeights, ROW_BYTES, Real};
use crate::plan::{EvidenceLayout, ONE, Plan, PlanRow};
use std::sync::Arc;

/// The buffers that one thread needs to run a plan on a tile of samples.
///
/// The caller fills the evidence, runs passes and reads what they left.
#[derive(Debug)]
pub struct Tile<T> {
    plan: Arc<Plan>,
    values: TileRows<T>,
    derivatives: TileRows<T>,
    factors: TileRows<T>,
    /// Whether backward passes count.
    is_counting: bool,
    counts: Vec<T>,
    statistics: Vec<f64>,
    exponents: Vec<i32>,
    codes: Vec<u32>,
    /// How many values the variable of each row of codes has.
    n_values: Vec<u32>,
    soft: Vec<TileRows<T>>,
    reals: Vec<f64>,
    /// What evidence was divided by, lane by lane, as powers of two.
    evidence_exponents: Vec<i32>,
    /// Lanes whose evidence lost a positive weight.
    lost_evidence: u64,
    lost: u64,
}

impl<T: Real> Tile<T> {
    /// Buffers for forward passes of a plan.
    pub fn new(plan: Arc<Plan>) -> Self {
        let mut tile = Tile {
            values: TileRows::new(plan.n_rows()),
            derivatives: TileRows::new(0),
            factors: TileRows::new(plan.n_factors()),
            is_counting: false,
            counts: Vec::new(),
            statistics: Vec::new(),
            exponents: vec![0; plan.n_exponents() * T::LANES],
            codes: vec![0; plan.n_code_rows() * T::LANES],
            n_values: code_sizes(&plan),
            soft: (0..plan.n_code_rows()).map(|_| TileRows::new(0)).collect(),
            reals: vec![f64::NAN; plan.n_real_rows() * T::LANES],
            evidence_exponents: vec![0; T::LANES],
            lost_evidence: 0,
            lost: 0,
            plan,
        };
        tile.values.row_mut(ONE).fill(T::ONE);
        tile
    }

    /// Buffers for backward passes that give derivatives and count nothing, which plans that
    /// run [kernel by kernel](ExecutablePlan::kernel_by_kernel) have.
    pub fn with_derivatives(plan: Arc<Plan>) -> Self {
        let mut tile = Tile::new(plan);
        tile.derivatives = TileRows::new(tile.plan.n_derivative_rows());
        tile
    }

    /// Buffers for backward passes that count, too.
    pub fn with_flows(plan: Arc<Plan>) -> Self {
        let mut tile = Tile::with_derivatives(plan);
        tile.is_counting = true;
        tile.counts = vec![T::ZERO; tile.plan.weights().len()];
        tile.statistics = vec![0.0; tile.plan.n_statistics()];
        tile
    }

    /// Memory that its rows take, in bytes.
    pub fn n_bytes(&self) -> usize {
        let n_rows = self.values.len() + self.derivatives.len() + self.factors.len();
        n_rows * ROW_BYTES
    }

    /// The plan that the buffers are for.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// A row of values.
    pub fn value(&self, row: PlanRow) -> &[T] {
        self.values.row(row)
    }

    /// Consecutive rows of values, one after the other.
    ///
    /// # Panics
    /// If the plan has fewer rows.
    pub fn values(&self, first: PlanRow, n: u32) -> &[T] {
        self.values.run(first, n)
    }

    /// A row of evidence: the weights of one value of a small domain.
    pub fn weight_row(&mut self, row: PlanRow) -> &mut [T] {
        assert!((row.0 as usize) < self.plan.n_evidence_rows() && row != ONE);
        self.values.row_mut(row)
    }

    /// Sets a row of codes; what is beyond the domain counts as missing. Takes
    /// back soft evidence.
    pub fn set_codes(&mut self, row: u32, codes: impl IntoIterator<Item = u32>) {
        let n_values = self.n_values(row);
        let lanes = &mut self.codes[row as usize * T::LANES..][..T::LANES];
        for (lane, code) in lanes.iter_mut().zip(codes) {
            *lane = code.min(n_values);
        }
        self.soft[row as usize] = TileRows::new(0);
    }

    /// Soft evidence for a variable with codes: a row of weights for each value.
    pub fn soft_rows(&mut self, row: u32) -> impl Iterator<Item = &mut [T]> {
        let n_values = self.n_values(row) as usize;
        self.soft[row as usize] = TileRows::new(n_values);
        self.soft[row as usize].rows_mut()
    }

    fn n_values(&self, code_row: u32) -> u32 {
        self.n_values[code_row as usize]
    }

    /// A row of numbers; NaN is missing.
    pub fn real_row(&mut self, row: u32) -> &mut [f64] {
        &mut self.reals[row as usize * T::LANES..][..T::LANES]
    }

    /// Forgets how evidence was scaled, before other evidence is written.
    pub fn clear_scales(&mut self) {
        self.evidence_exponents.fill(0);
        self.lost_evidence = 0;
    }

    /// Says that soft evidence of a lane was divided by `2^exponent`, and whether a weight
    /// vanished nevertheless.
    pub fn add_scale(&mut self, lane: usize, exponent: i32, is_lossy: bool) {
        self.evidence_exponents[lane] += exponent;
        self.lost_evidence |= u64::from(is_lossy) << lane;
    }

    /// Says that in every lane a positive weight may have vanished.
    pub fn lose_evidence(&mut self) {
        self.lost_evidence = u64::MAX;
    }

    /// The exponent of the root in one lane, with that of its evidence.
    pub fn root_exponent(&self, lane: usize) -> i32 {
        let own = self.evidence_exponents[lane];
        match self.plan.root_exponent() {
            Some(id) => own + self.exponents[id.0 as usize * T::LANES + lane],
            None => own,
        }
    }

    /// Lanes in which it is known that a positive value was lost.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// The derivatives that a backward pass starts with, lane by lane.
    pub fn set_root_derivative(&mut self, derivatives: impl IntoIterator<Item = T>) {
        let root = self.plan.derivative_row(self.plan.root());
        let lanes = self.derivatives.row_mut(root).iter_mut();
        lanes.zip(derivatives).for_each(|(lane, d)| *lane = d);
    }

    /// The derivatives of a row of a plan that [keeps](crate::plan::RowRetention) them.
    pub fn derivative(&self, row: PlanRow) -> &[T] {
        self.derivatives.row(self.plan.derivative_row(row))
    }

    /// Counts by slot, added up since they were cleared, and statistics of
    /// density leaves.
    pub fn counts(&self) -> (&[T], &[f64]) {
        (&self.counts, &self.statistics)
    }

    /// Starts counting anew.
    pub fn clear_counts(&mut self) {
        self.counts.fill(T::ZERO);
        self.statistics.fill(0.0);
    }

    /// Runs a pass and says what the CPU noticed.
    ///
    /// # Panics
    /// If the executable or the weights belong to another plan, or a backward pass
    /// is asked of buffers that were made without flows.
    pub fn run(
        &mut self,
        executable: &ExecutablePlan,
        packed: &PackedWeights<T>,
        pass: KernelPass,
    ) -> FloatFlags {
        assert!(Arc::ptr_eq(&self.plan, executable.plan()), "another plan");
        assert_eq!(executable.precision(), T::PRECISION, "precision");
        assert_eq!(packed.weights.len(), self.plan.weights().len(), "weights");
        assert_eq!(
            packed.densities.n_leaves(),
            self.plan.density_leaves().len(),
            "density leaves"
        );
        if pass == KernelPass::Backward {
            let n_rows = self.plan.n_derivative_rows();
            assert_eq!(self.derivatives.len(), n_rows, "derivatives");
            let counts = self.is_counting || executable.executor().derives_without_counts();
            assert!(counts, "counts");
            for &(row, n) in self.plan.zeroed() {
                self.derivatives.zero(row, n);
            }
        } else {
            self.lost = self.lost_evidence;
        }
        self.call(executable, packed, pass)
    }

    fn call(
        &mut self,
        executable: &ExecutablePlan,
        packed: &PackedWeights<T>,
        pass: KernelPass,
    ) -> FloatFlags {
        let soft: Vec<*const u8> = self.soft.iter().map(TileRows::address).collect();
        let frame = Frame {
            values: self.values.address_mut(),
            derivatives: self.derivatives.address_mut(),
            weights: packed.weights.as_ptr().cast(),
            counts: if self.is_counting {
                self.counts.as_mut_ptr().cast()
            } else {
                std::ptr::null_mut()
            },
            exponents: self.exponents.as_mut_ptr(),
            factors: self.factors.address_mut(),
            codes: self.codes.as_ptr(),
            soft: soft.as_ptr(),
            reals: self.reals.as_ptr(),
            densities: (&raw const packed.densities).cast(),
            statistics: self.statistics.as_mut_ptr(),
            lost: &raw mut self.lost,
            derivative_rows: match self.plan.derivative_rows() {
                [] => std::ptr::null(),
                rows => rows.as_ptr(),
            },
        };
        // SAFETY: all buffers were made for this plan and precision, `run` compared
        // the executable's and the weights', and `set_codes` bounds codes.
        flags::watch(|| unsafe { executable.executor().run(pass, &frame) })
    }
}

fn code_sizes(plan: &Plan) -> Vec<u32> {
    let mut sizes = vec![0; plan.n_code_rows()];
    for layout in plan.evidence() {
        if let EvidenceLayout::Codes { row, n_values } = *layout {
            sizes[row as usize] = n_values;
        }
    }
    sizes
}

/// One row of memory, aligned to a cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct RowBytes([u8; ROW_BYTES]);

/// Rows of numbers.
struct TileRows<T> {
    rows: Vec<RowBytes>,
    number: std::marker::PhantomData<T>,
}

impl<T: Real> TileRows<T> {
    fn new(n: usize) -> Self {
        TileRows {
            rows: zeroed_rows(n),
            number: std::marker::PhantomData,
        }
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: PlanRow) -> &[T] {
        let bytes = &self.rows[row.0 as usize];
        // SAFETY: a row is aligned, holds as many numbers, and every pattern of
        // bits is a number.
        unsafe { std::slice::from_raw_parts(bytes.0.as_ptr().cast(), T::LANES) }
    }

    fn run(&self, first: PlanRow, n: u32) -> &[T] {
        let rows = &self.rows[first.0 as usize..][..n as usize];
        // SAFETY: as in `row`, and rows have nothing between them.
        unsafe { std::slice::from_raw_parts(rows.as_ptr().cast(), rows.len() * T::LANES) }
    }

    fn row_mut(&mut self, row: PlanRow) -> &mut [T] {
        as_numbers(&mut self.rows[row.0 as usize])
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        self.rows.iter_mut().map(as_numbers)
    }

    fn zero(&mut self, row: PlanRow, n: u32) {
        self.rows[row.0 as usize..][..n as usize].fill(RowBytes([0; ROW_BYTES]));
    }

    /// Null if there are no rows.
    fn address(&self) -> *const u8 {
        match self.rows.first() {
            Some(_) => self.rows.as_ptr().cast(),
            None => std::ptr::null(),
        }
    }

    fn address_mut(&mut self) -> *mut u8 {
        self.rows.as_mut_ptr().cast()
    }
}

fn zeroed_rows(n: usize) -> Vec<RowBytes> {
    let layout = std::alloc::Layout::array::<RowBytes>(n).expect("plans are smaller than memory");
    if n == 0 {
        return Vec::new();
    }
    // SAFETY: the layout is not empty; all bytes are zero, which is a row; and the
    // vector frees what was allocated with the layout that it computes likewise.
    unsafe {
        let rows = std::alloc::alloc_zeroed(layout);
        if rows.is_null() {
            std::alloc::handle_alloc_error(layout);
        }
        let mut rows: Vec<RowBytes> = Vec::from_raw_parts(rows.cast(), n, n);
        prefer_large_pages(&mut rows);
        rows
    }
}

fn as_numbers<T: Real>(bytes: &mut RowBytes) -> &mut [T] {
    // SAFETY: as in `TileRows::row`, and the borrow is exclusive.
    unsafe { std::slice::from_raw_parts_mut(bytes.0.as_mut_ptr().cast(), T::LANES) }
}

impl<T> std::fmt::Debug for TileRows<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} rows", self.rows.len())
    }
}
