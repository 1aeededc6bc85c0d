//! The buffers of one tile.

/// The buffers that kernels read and write. Pointers, because compiled code reads
/// this structure; `u8` stands for rows of the kernel's precision.
#[repr(C)]
#[derive(Debug)]
pub struct Frame {
    /// [`Plan::n_rows`](crate::plan::Plan::n_rows) rows; the evidence rows are filled.
    pub values: *mut u8,
    /// As many rows; the root's is filled before a backward pass, and those of
    /// [`Plan::zeroed`](crate::plan::Plan::zeroed) are zero.
    pub derivatives: *mut u8,
    /// A number for each of [`Plan::weights`](crate::plan::Plan::weights).
    pub weights: *const u8,
    /// As many numbers, added to by backward passes.
    pub counts: *mut u8,
    /// [`Plan::n_exponents`](crate::plan::Plan::n_exponents) rows, one `i32` a sample.
    pub exponents: *mut i32,
    /// [`Plan::n_factors`](crate::plan::Plan::n_factors) rows.
    pub factors: *mut u8,
    /// [`Plan::n_code_rows`](crate::plan::Plan::n_code_rows) rows, one `u32` a sample.
    pub codes: *const u32,
    /// For each row of codes null, or soft evidence: a row for each value.
    pub soft: *const *const u8,
    /// [`Plan::n_real_rows`](crate::plan::Plan::n_real_rows) rows, one `f64` a sample.
    pub reals: *const f64,
    /// The prepared density leaves of the plan, for the density kernels.
    pub densities: *const (),
    /// Statistics of density leaves, added to by backward passes.
    pub statistics: *mut f64,
    /// A bit for each sample that a kernel knows to have lost a positive value.
    pub lost: *mut u64,
}
