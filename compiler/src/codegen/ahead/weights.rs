//! What the object knows of the values of its parameters: one block, in the object or
//! in a file that programs load.
//!
//! The block begins with a head of 64 bytes: eight letters, the version and the bytes
//! of a number (32 bits each), the fingerprint of the circuit and of its layout, the
//! length of the block, the checksum of all that follows it (64 bits each), the
//! logarithm (base 2) of the smallest root that vouches for what was lost, whether all
//! weights fit the precision (64 bits), and the logarithm of what values are divided by
//! to be likelihoods. Then come, each at a multiple of 64
//! bytes, the weights as kernels read them, the logarithms of all entries of parameters,
//! the tables of logarithms of leaves over finite domains (an entry for each value and
//! one for missing cells), and the other leaves, [`LEAF`] bytes each, with the numbers
//! that some of them point to. Everything is little-endian.

use super::ObjectSpec;
use super::structure::Structure;
use crate::evidence::ValueBox;
use crate::kernel::density::baked::BakedDensity;
use crate::kernel::{PackedWeights, Precision, PreparedDensities, Real};
use crate::leaf::log_table;
use crate::reference::{EvaluationPurpose, EvidenceCell, log_leaf};

/// Where the values of parameters are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightsAre {
    /// In the object.
    #[default]
    Baked,
    /// In a file of their own, which programs load.
    Loaded,
}

/// What a block begins with.
pub(super) const MAGIC: u64 = u64::from_le_bytes(*b"PELTONwt");

/// The version of the layout.
pub(super) const VERSION: u32 = 2;

/// Offsets in the head.
pub(super) mod head {
    pub(in super::super) const FINGERPRINT: i32 = 16;
    pub(in super::super) const LENGTH: i32 = 24;
    pub(in super::super) const CHECKSUM: i32 = 32;
    pub(in super::super) const LOG2_LEAST: i32 = 40;
    pub(in super::super) const IS_FAITHFUL: i32 = 48;
    pub(in super::super) const LOG_DIVISOR: i32 = 56;
    /// Where that begins of which the checksum is: all behind it.
    pub(in super::super) const SUMMED: usize = CHECKSUM as usize + 8;
    /// Bytes of the head.
    pub(in super::super) const BYTES: usize = 64;
}

/// Bytes of a leaf: its formula, number of intervals and of steps (32 bits each), 32
/// bits of nothing, where intervals and steps are (64 bits each, from the beginning of
/// the block), the logarithm for a missing cell, eight constants.
pub(super) const LEAF: i64 = 104;

/// Offsets in a leaf.
pub(super) mod leaf {
    pub(in super::super) const KIND: i32 = 0;
    pub(in super::super) const N_INTERVALS: i32 = 4;
    pub(in super::super) const N_STEPS: i32 = 8;
    pub(in super::super) const INTERVALS: i32 = 16;
    pub(in super::super) const STEPS: i32 = 24;
    pub(in super::super) const MISSING: i32 = 32;
    pub(in super::super) const CONSTANTS: i32 = 40;
}

/// Where the parts of a block are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) weights: i64,
    pub(super) entries: i64,
    pub(super) tables: i64,
    pub(super) leaves: i64,
    /// Where numbers that leaves point to begin.
    pool: i64,
}

impl Places {
    pub(super) fn new(spec: &ObjectSpec, n_numbers: usize, n_leaves: usize) -> Self {
        let weights = head::BYTES;
        let entries = after(weights, spec.plan.weights().len() * spec.precision.bytes());
        let tables = after(entries, spec.values.len() * 8);
        let leaves = after(tables, n_numbers * 8);
        Places {
            weights: weights as i64,
            entries: entries as i64,
            tables: tables as i64,
            leaves: leaves as i64,
            pool: after(leaves, n_leaves * LEAF as usize) as i64,
        }
    }
}

fn after(at: usize, bytes: usize) -> usize {
    (at + bytes).next_multiple_of(64)
}

/// The whole block.
pub(super) fn blob(spec: &ObjectSpec, structure: &Structure) -> Vec<u8> {
    let places = &structure.places;
    let mut bytes = vec![0; head::BYTES];
    let is_faithful = match spec.precision {
        Precision::F32 => pack(spec, &mut bytes, |weight: f32| weight.to_le_bytes()),
        Precision::F64 => pack(spec, &mut bytes, |weight: f64| weight.to_le_bytes()),
    };
    bytes.resize(places.entries as usize, 0);
    spec.values
        .iter()
        .for_each(|value| number(&mut bytes, value.log()));
    bytes.resize(places.tables as usize, 0);
    tables(spec, structure, &mut bytes);
    bytes.resize(places.leaves as usize, 0);
    leaves(spec, structure, &mut bytes);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let length = bytes.len() as u64;
    let mut put = |at: i32, word: [u8; 8]| bytes[at as usize..][..8].copy_from_slice(&word);
    put(0, MAGIC.to_le_bytes());
    put(8, version(spec.precision).to_le_bytes());
    put(
        head::FINGERPRINT,
        fingerprint(spec, structure).to_le_bytes(),
    );
    put(head::LENGTH, length.to_le_bytes());
    // Nothing vouches for weights that do not fit the precision.
    let log2_least = if is_faithful {
        spec.log2_least
    } else {
        f64::INFINITY
    };
    put(head::LOG2_LEAST, log2_least.to_le_bytes());
    put(head::IS_FAITHFUL, u64::from(is_faithful).to_le_bytes());
    put(head::LOG_DIVISOR, spec.log_divisor.to_le_bytes());
    let sum = checksum(&bytes[head::SUMMED..]);
    bytes[head::CHECKSUM as usize..][..8].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// The version and the bytes of a number.
pub(super) fn version(precision: Precision) -> u64 {
    u64::from(VERSION) | (precision.bytes() as u64) << 32
}

/// What tells the weights of this circuit and layout from those of others.
pub(super) fn fingerprint(spec: &ObjectSpec, structure: &Structure) -> u64 {
    let mut bytes = structure.bytes.clone();
    for source in spec.plan.weights() {
        bytes.extend(format!("{source:?}").bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    checksum(&bytes)
}

/// What sums of words start with, and what they are multiplied by (FNV-1a).
pub(super) const SUM_START: u64 = 0xcbf2_9ce4_8422_2325;
pub(super) const SUM_FACTOR: u64 = 0x0000_0100_0000_01b3;

/// A checksum of words of 64 bits: enough to tell damage and mistakes.
fn checksum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks_exact(8).map(|word| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(word);
        u64::from_le_bytes(bytes)
    });
    words.fold(SUM_START, |sum, word| (sum ^ word).wrapping_mul(SUM_FACTOR))
}

fn pack<T: Real, const N: usize>(
    spec: &ObjectSpec,
    bytes: &mut Vec<u8>,
    write: impl Fn(T) -> [u8; N],
) -> bool {
    let packed = PackedWeights::<T>::new(
        spec.circuit,
        spec.plan,
        spec.values,
        EvaluationPurpose::Value,
    );
    bytes.extend(packed.weights().iter().flat_map(|&weight| write(weight)));
    packed.is_faithful()
}

fn tables(spec: &ObjectSpec, structure: &Structure, bytes: &mut Vec<u8>) {
    for &leaf in &structure.tables {
        let leaf = spec.circuit.leaf(leaf);
        for log in log_table(spec.circuit, spec.values, leaf) {
            number(bytes, log);
        }
        let purpose = EvaluationPurpose::Value;
        let missing = log_leaf(
            spec.circuit,
            spec.values,
            leaf,
            &EvidenceCell::Missing,
            purpose,
        );
        number(bytes, missing);
    }
}

fn leaves(spec: &ObjectSpec, structure: &Structure, bytes: &mut Vec<u8>) {
    let within = ValueBox::default();
    let (leaves, purpose) = (&structure.densities, EvaluationPurpose::Value);
    let densities = PreparedDensities::new(spec.circuit, leaves, spec.values, purpose, &within);
    let mut pool = Vec::new();
    for leaf in densities.baked() {
        put_leaf(bytes, &leaf, structure.places.pool, &mut pool);
    }
    bytes.resize(structure.places.pool as usize, 0);
    pool.into_iter().for_each(|x| number(bytes, x));
}

fn put_leaf(bytes: &mut Vec<u8>, leaf: &BakedDensity, pool_at: i64, pool: &mut Vec<f64>) {
    let place = |pool: &Vec<f64>| (pool_at as u64 + 8 * pool.len() as u64).to_le_bytes();
    let counts = [
        leaf.kind as u32,
        leaf.intervals.len() as u32,
        leaf.logs.len() as u32,
        0,
    ];
    bytes.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    bytes.extend(place(pool));
    pool.extend(leaf.intervals.iter().flat_map(|&(low, high)| [low, high]));
    bytes.extend(place(pool));
    pool.extend(&leaf.breaks);
    pool.extend(&leaf.logs);
    number(bytes, leaf.missing);
    leaf.constants
        .iter()
        .for_each(|&constant| number(bytes, constant));
}

fn number(bytes: &mut Vec<u8>, x: f64) {
    bytes.extend(x.to_le_bytes());
}
