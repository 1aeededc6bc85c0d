//! Sources of choices: of a seed, or of the bytes that a fuzzer found.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Makes the same choices for the same seed or bytes on every platform.
pub struct Dice {
    /// Two bytes for each choice, as long as there are any.
    bytes: Vec<u8>,
    next_byte: usize,
    rng: ChaCha8Rng,
}

impl Dice {
    /// Dice of a seed.
    pub fn new(seed: u64) -> Self {
        Dice {
            bytes: Vec::new(),
            next_byte: 0,
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Dice that fall as the bytes say, and where these end as a fixed seed does.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Dice {
            bytes: bytes.to_vec(),
            ..Dice::new(0)
        }
    }

    fn next(&mut self) -> u64 {
        let Some(&[low, high]) = self.bytes.get(self.next_byte..self.next_byte + 2) else {
            return self.rng.next_u64();
        };
        self.next_byte += 2;
        // Repeated, so that the low bits and the high ones depend on both bytes.
        u64::from(u16::from_le_bytes([low, high])) * 0x0001_0001_0001_0001
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Whether something of probability `percent` happens.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A number from 0 up to, not including, 1.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Puts the items into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
