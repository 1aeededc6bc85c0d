//! Bytes changed, put in and cut at random end in rows or a message.

use super::npy::npy;
use super::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 1;

/// Reads `n_rounds` damaged copies of each file. Gives how many are data nevertheless.
fn damage(circuit: &CircuitGraph, files: &[Vec<u8>], letters: &[u8], n_rounds: usize) -> usize {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut below = |n: usize| (random.next_u64() % n as u64) as usize;
    let mut n_read = 0;
    for round in 0..n_rounds * files.len() {
        let mut bytes = files[round % files.len()].clone();
        for _ in 0..1 + below(4) {
            let at = below(bytes.len());
            let letter = match letters {
                [] => below(256) as u8,
                letters => letters[below(letters.len())],
            };
            match below(7) {
                0 | 1 => bytes[at] = letter,
                2 | 3 => bytes[at] ^= 1 << below(8),
                4 | 5 => bytes.insert(at, letter),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let max_rows = [1, usize::MAX][round % 2];
        let read = read_chunks(circuit, &bytes, &ReadOptions::default(), max_rows);
        n_read += usize::from(read.is_ok());
    }
    n_read
}

#[test]
fn no_text_makes_the_reader_panic() {
    let text = "sky,t,rain,oktas,calls\r\n\"very cold\",1,1,1,1\n?,-99,yes,8,12\n";
    let files = [text.as_bytes().to_vec(), gzipped(text.as_bytes())];
    let n_read = damage(&circuit(WEATHER), &files, b"\",;\t\r\n01?\xff\0x", 2000);
    assert!(n_read > 0, "some of them are still data");
}

#[test]
fn no_array_makes_the_reader_panic() {
    let cells = [0, 1, 1, 0, 0, 1];
    let wide: Vec<u8> = cells
        .iter()
        .flat_map(|&x| f64::from(x).to_le_bytes())
        .collect();
    let files = [
        npy("'|u1'", "False", "(2, 3)", &cells),
        npy("'<f8'", "True", "(2, 3)", &wide),
        gzipped(&npy("'>i2'", "True", "(2, 3)", &[0; 12])),
    ];
    let n_read = damage(&bits(3), &files, &[], 2000);
    assert!(n_read > 0, "some of them are still data");
    let n_read = damage(&bits(3), &files, b"(),'{}:0129 L", 2000);
    assert!(n_read > 0, "some of them are still data");
}

/// Panics of the crate that reads Parquet are errors of the file.
#[cfg(feature = "parquet")]
#[test]
fn no_parquet_makes_the_reader_panic() {
    let n_read = damage(&circuit(WEATHER), &super::parquet::small_files(), &[], 1500);
    assert!(n_read > 0, "some of them are still data");
}
