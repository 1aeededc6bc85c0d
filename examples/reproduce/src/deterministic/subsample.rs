//! Some of many rows.

/// About one in `of` of the rows, in their order; at least one. Which ones depends on
/// the seed and on how many there are, and fewer are among more.
pub fn subsample(n_rows: usize, of: usize, seed: u64) -> Vec<u32> {
    let mut drawn: Vec<u32> = (0..n_rows as u32).collect();
    drawn.sort_by_cached_key(|&row| mixed(seed.rotate_left(32) ^ u64::from(row)));
    drawn.truncate(n_rows.div_ceil(of));
    drawn.sort_unstable();
    drawn
}

/// A number in which every bit of another plays a part (the finalizer of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_among_larger_parts() {
        let (all, some, few) = (
            subsample(1000, 1, 0),
            subsample(1000, 4, 0),
            subsample(1000, 16, 0),
        );
        assert_eq!((all.len(), some.len(), few.len()), (1000, 250, 63));
        assert_eq!(all, (0..1000).collect::<Vec<u32>>());
        assert!(few.iter().all(|row| some.contains(row)));
        assert_ne!(subsample(1000, 4, 1), some);
        // About as many of the first half as of the second.
        let n_first = some.iter().filter(|&&row| row < 500).count();
        assert!((100..150).contains(&n_first), "{n_first}");
    }
}
