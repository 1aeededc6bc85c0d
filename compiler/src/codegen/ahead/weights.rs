//! What the object knows of the values of its parameters: one block, in the object or
//! in a file that programs load.
//!
//! After its head, each at a multiple of 64 bytes, come the weights as kernels read them,
//! the logarithms of all entries of parameters, the tables of logarithms of leaves over
//! finite domains (an entry for each value and one for missing cells), and the other
//! leaves with the numbers that some of them point to. Everything is little-endian.

use super::ObjectSpec;
use super::facts::{LeafFacts, WeightsHead};
use super::structure::Structure;
use crate::evidence::ValueBox;
use crate::kernel::density::baked::BakedDensity;
use crate::kernel::{PackedWeights, Precision, PreparedDensities, Real};
use crate::leaf::log_table;
use crate::reference::{EvaluationPurpose, EvidenceCell, log_leaf};
use pelton_macros::also_generated;
use std::mem::offset_of;

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
pub(super) const VERSION: u32 = 3;

/// Where that begins of which the checksum is: all behind it.
pub(super) const SUMMED: usize = offset_of!(WeightsHead, log2_least);

/// Where the parts of a block are.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockPlaces {
    pub(super) weights: usize,
    pub(super) entries: usize,
    pub(super) tables: usize,
    pub(super) leaves: usize,
    /// Where numbers that leaves point to begin.
    pool: usize,
}

impl BlockPlaces {
    pub(super) fn new(spec: &ObjectSpec, n_numbers: usize, n_leaves: usize) -> Self {
        let weights = size_of::<WeightsHead>();
        let entries = after(weights, spec.plan.weights().len() * spec.precision.bytes());
        let tables = after(entries, spec.values.len() * 8);
        let leaves = after(tables, n_numbers * 8);
        BlockPlaces {
            weights,
            entries,
            tables,
            leaves,
            pool: after(leaves, n_leaves * size_of::<LeafFacts>()),
        }
    }
}

fn after(at: usize, bytes: usize) -> usize {
    (at + bytes).next_multiple_of(64)
}

/// The whole block.
pub(super) fn blob(spec: &ObjectSpec, structure: &Structure) -> Vec<u8> {
    let places = &structure.places;
    let mut bytes = vec![0; size_of::<WeightsHead>()];
    let is_faithful = match spec.precision {
        Precision::F32 => pack(spec, &mut bytes, |weight: f32| weight.to_le_bytes()),
        Precision::F64 => pack(spec, &mut bytes, |weight: f64| weight.to_le_bytes()),
    };
    bytes.resize(places.entries, 0);
    spec.values
        .iter()
        .for_each(|value| number(&mut bytes, value.log()));
    bytes.resize(places.tables, 0);
    tables(spec, structure, &mut bytes);
    bytes.resize(places.leaves, 0);
    leaves(spec, structure, &mut bytes);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let mut head = WeightsHead {
        magic: MAGIC,
        version: version(spec.precision),
        fingerprint: fingerprint(spec, structure),
        length: bytes.len() as u64,
        // Nothing vouches for weights that do not fit the precision.
        log2_least: if is_faithful {
            spec.log2_least
        } else {
            f64::INFINITY
        },
        is_faithful: is_faithful.into(),
        log_divisor: spec.log_divisor,
        ..WeightsHead::default()
    };
    bytes[..size_of::<WeightsHead>()].copy_from_slice(&head_bytes(&head));
    head.checksum = sum_of(&bytes[SUMMED..]);
    bytes[..size_of::<WeightsHead>()].copy_from_slice(&head_bytes(&head));
    bytes
}

fn head_bytes(head: &WeightsHead) -> Vec<u8> {
    let numbers = [
        head.magic,
        head.version,
        head.fingerprint,
        head.length,
        head.checksum,
    ];
    let more = [
        head.log2_least.to_bits(),
        head.is_faithful,
        head.log_divisor.to_bits(),
    ];
    let words = numbers.iter().chain(&more);
    words.flat_map(|word| word.to_le_bytes()).collect()
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
    sum_of(&bytes)
}

fn sum_of(bytes: &[u8]) -> u64 {
    let words = bytes.chunks_exact(8).map(|word| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(word);
        u64::from_le_bytes(bytes)
    });
    let words: Vec<u64> = words.collect();
    // SAFETY: there are as many words.
    unsafe { checksum(words.as_ptr(), words.len()) }
}

/// A checksum of words (FNV-1a): enough to tell damage and mistakes.
///
/// # Safety
/// There are `n` words.
#[also_generated]
pub(super) unsafe fn checksum(words: *const u64, n: usize) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325;
    for at in 0..n {
        // SAFETY: as demanded of the caller.
        let word = unsafe { *words.add(at) };
        sum = (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    }
    sum
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
    bytes.resize(structure.places.pool, 0);
    pool.into_iter().for_each(|x| number(bytes, x));
}

fn put_leaf(bytes: &mut Vec<u8>, leaf: &BakedDensity, pool_at: usize, pool: &mut Vec<f64>) {
    let place = |pool: &Vec<f64>| ((pool_at + 8 * pool.len()) as u64).to_le_bytes();
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
