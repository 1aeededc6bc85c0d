//! Buffers of a tile with random contents.

use super::Room;
use crate::kernel::{Frame, ROW_BYTES, Real};
use rand::{Rng, RngExt};
use std::ops::{Deref, DerefMut};

/// Numbers at an address as kernels demand it.
pub(super) struct Aligned<R> {
    numbers: Vec<R>,
    first: usize,
}

impl<R: Real> Aligned<R> {
    fn new(contents: &[R]) -> Self {
        let spare = 64 / size_of::<R>();
        let mut numbers = vec![R::ZERO; contents.len() + spare];
        let first = numbers.as_ptr().align_offset(64);
        numbers[first..first + contents.len()].copy_from_slice(contents);
        numbers.truncate(first + contents.len());
        Aligned { numbers, first }
    }
}

impl<R> Deref for Aligned<R> {
    type Target = [R];

    fn deref(&self) -> &[R] {
        &self.numbers[self.first..]
    }
}

impl<R> DerefMut for Aligned<R> {
    fn deref_mut(&mut self) -> &mut [R] {
        &mut self.numbers[self.first..]
    }
}

/// All that a frame points to.
pub(super) struct Buffers<R> {
    /// Samples of a row: those of the precision that is tested.
    pub(super) lanes: usize,
    pub(super) values: Aligned<R>,
    pub(super) derivatives: Aligned<R>,
    pub(super) weights: Aligned<R>,
    pub(super) counts: Aligned<R>,
    pub(super) factors: Aligned<R>,
    pub(super) exponents: Vec<i32>,
    pub(super) codes: Vec<u32>,
    /// Rows of soft evidence, for each row of codes in turn.
    pub(super) soft: Aligned<R>,
    pub(super) n_values: u32,
    pub(super) lost: u64,
    soft_pointers: Vec<*const u8>,
}

impl<R: Real> Buffers<R> {
    pub(super) fn random(rng: &mut impl Rng, room: Room) -> Self {
        let lanes = ROW_BYTES / size_of::<R>();
        let mut numbers = |n: usize| -> Aligned<R> {
            let number = |_| match rng.random_range(0..10) {
                0 => R::ZERO,
                _ => R::from_f64(rng.random_range(0.0..2.0)),
            };
            let numbers: Vec<_> = (0..n).map(number).collect();
            Aligned::new(&numbers)
        };
        let (code_rows, n_values) = room.codes;
        let soft_rows = code_rows * n_values as usize * usize::from(room.soft);
        Buffers {
            lanes,
            values: numbers(room.rows * lanes),
            derivatives: numbers(room.rows * lanes),
            weights: numbers(room.weights),
            counts: numbers(room.weights),
            factors: numbers(room.factors * lanes),
            soft: numbers(soft_rows * lanes),
            exponents: vec![0; room.exponents * lanes],
            codes: vec![0; code_rows * lanes],
            n_values,
            lost: 0,
            soft_pointers: vec![std::ptr::null(); code_rows],
        }
        .with_integers(rng)
    }

    fn with_integers(mut self, rng: &mut impl Rng) -> Self {
        self.exponents.fill_with(|| rng.random_range(-50..50));
        let n_values = self.n_values;
        self.codes.fill_with(|| rng.random_range(0..=n_values));
        self.lost = rng.random();
        self
    }

    /// The same numbers in double precision.
    pub(super) fn widened(&self) -> Buffers<f64> {
        let widen = |numbers: &[R]| {
            let numbers: Vec<_> = numbers.iter().map(|x| x.to_f64()).collect();
            Aligned::new(&numbers)
        };
        Buffers {
            lanes: self.lanes,
            values: widen(&self.values),
            derivatives: widen(&self.derivatives),
            weights: widen(&self.weights),
            counts: widen(&self.counts),
            factors: widen(&self.factors),
            soft: widen(&self.soft),
            exponents: self.exponents.clone(),
            codes: self.codes.clone(),
            n_values: self.n_values,
            lost: self.lost,
            soft_pointers: Vec::new(),
        }
    }

    pub(super) fn frame(&mut self) -> Frame {
        if !self.soft.is_empty() {
            let rows = self.soft.chunks(self.n_values as usize * self.lanes);
            self.soft_pointers = rows.map(|rows| rows.as_ptr().cast()).collect();
        }
        Frame {
            values: self.values.as_mut_ptr().cast(),
            derivatives: self.derivatives.as_mut_ptr().cast(),
            weights: self.weights.as_ptr().cast(),
            counts: self.counts.as_mut_ptr().cast(),
            exponents: self.exponents.as_mut_ptr(),
            factors: self.factors.as_mut_ptr().cast(),
            codes: self.codes.as_ptr(),
            soft: self.soft_pointers.as_ptr(),
            lost: &mut self.lost,
            ..Frame::empty()
        }
    }

    /// Compares with what the formulas give, up to rounding.
    pub(super) fn assert_close(&self, expected: &Buffers<f64>, context: &str) {
        let pairs = [
            ("values", &self.values, &expected.values),
            ("derivatives", &self.derivatives, &expected.derivatives),
            ("weights", &self.weights, &expected.weights),
            ("counts", &self.counts, &expected.counts),
            ("factors", &self.factors, &expected.factors),
        ];
        for (name, actual, expected) in pairs {
            assert_numbers(name, actual, expected, self.lanes, context);
        }
        assert_eq!(self.exponents, expected.exponents, "exponents: {context}");
        assert_eq!(self.lost, expected.lost, "lost: {context}");
    }
}

/// Numbers are sums of what is not negative: errors are relative.
fn assert_numbers<R: Real>(
    name: &str,
    actual: &[R],
    expected: &[f64],
    lanes: usize,
    context: &str,
) {
    let (relative, tiny) = match size_of::<R>() {
        4 => (2e-5, f64::from(f32::MIN_POSITIVE)),
        _ => (1e-13, f64::MIN_POSITIVE),
    };
    assert_eq!(actual.len(), expected.len());
    for (i, (&actual, &expected)) in actual.iter().zip(expected).enumerate() {
        let actual = actual.to_f64();
        let error = (actual - expected).abs();
        assert!(
            error <= relative * expected.abs() + tiny,
            "{name}[{}][{}] is {actual}, not {expected}: {context}",
            i / lanes,
            i % lanes,
        );
    }
}
