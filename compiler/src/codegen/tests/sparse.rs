//! Segments of single sums.

use super::{Room, check};
use crate::plan::{PlanOperation, SparseSegment};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random segment whose sums use earlier ones; `shapes` gives terms and factors.
fn segment(rng: &mut ChaCha8Rng, shapes: &[(u32, u32)], first_out: u32) -> SparseSegment {
    let mut words = Vec::new();
    let mut slot = 0;
    for (k, &(n_terms, arity)) in shapes.iter().enumerate() {
        let out = first_out + k as u32;
        words.extend([n_terms, arity, 1, out, slot]);
        for _ in 0..n_terms {
            let a = rng.random_range(0..out);
            words.push(a);
            if arity == 2 {
                words.push((a + rng.random_range(1..out)) % out);
            }
        }
        // Some sums share weights, some leave a gap.
        slot += if k % 3 == 2 { n_terms + 1 } else { n_terms };
    }
    SparseSegment {
        words: words.into(),
        n_sums: shapes.len() as u32,
        n_terms: shapes.iter().map(|shape| shape.0).sum(),
    }
}

fn check_segment(shapes: &[(u32, u32)], seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let segment = segment(&mut rng, shapes, 8);
    let room = Room {
        rows: 9 + shapes.len(),
        weights: shapes.iter().map(|shape| shape.0 as usize + 1).sum(),
        ..Room::default()
    };
    check(vec![PlanOperation::Sparse(segment)], room, seed);
}

#[test]
fn single_sums() {
    for n_terms in 1..=9 {
        check_segment(&[(n_terms, 1)], u64::from(n_terms));
        check_segment(&[(n_terms, 2)], u64::from(n_terms));
    }
}

#[test]
fn runs_of_equal_shape() {
    let words = [2, 1, 3, 5, 0, 1, 2, 6, 2, 3, 5, 7, 0, 6, 4];
    let segment = SparseSegment {
        words: words.into(),
        n_sums: 3,
        n_terms: 6,
    };
    let room = Room {
        rows: 9,
        weights: 4,
        ..Room::default()
    };
    check(vec![PlanOperation::Sparse(segment)], room, 3);
}

#[test]
fn random_segments() {
    for seed in 0..12 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let n = rng.random_range(1..40);
        let shapes: Vec<_> = (0..n)
            .map(|_| (rng.random_range(1..8), rng.random_range(1..3)))
            .collect();
        check_segment(&shapes, seed);
    }
}

#[test]
fn sums_longer_than_a_function() {
    check_segment(&[(3, 1), (1300, 1), (4, 2), (1025, 2), (2, 2)], 1);
}

#[test]
fn segments_longer_than_a_function() {
    let shapes: Vec<_> = (0..900).map(|k| (2 + k % 3, 1 + k % 2)).collect();
    // Values of sums of sums grow; weights of about 1 and two terms in use keep
    // them in range because most factors are early rows.
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut words = Vec::new();
    let mut slot = 0;
    for (k, &(n_terms, arity)) in shapes.iter().enumerate() {
        words.extend([n_terms, arity, 1, 8 + k as u32, slot]);
        words.extend((0..n_terms * arity).map(|i| (i + rng.random_range(0..2)) % 8));
        slot += n_terms;
    }
    let segment = SparseSegment {
        words: words.into(),
        n_sums: shapes.len() as u32,
        n_terms: slot,
    };
    let room = Room {
        rows: 8 + shapes.len(),
        weights: slot as usize,
        ..Room::default()
    };
    check(vec![PlanOperation::Sparse(segment)], room, 2);
}
