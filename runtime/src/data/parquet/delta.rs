//! Runs of integers in the encoding DELTA_BINARY_PACKED, which begin with their number.
//!
//! Lengths of texts are written so, and the `parquet` crate reserves memory by that
//! number before it looks at what follows.

/// Bytes that a run takes, if it has no more than `n_most` integers.
pub(super) fn length(bytes: &[u8], n_most: u64) -> Option<usize> {
    let mut at = 0;
    let block = varint(bytes, &mut at)?;
    let n_parts = varint(bytes, &mut at)?;
    let n_values = varint(bytes, &mut at)?;
    varint(bytes, &mut at)?;
    if n_values > n_most {
        return None;
    }
    let part = block.checked_div(n_parts)?;
    let mut n_left = n_values.saturating_sub(1);
    while n_left > 0 {
        varint(bytes, &mut at)?;
        let widths_end = at.checked_add(usize::try_from(n_parts).ok()?)?;
        let widths = bytes.get(at..widths_end)?;
        at = widths_end;
        let n_before = n_left;
        for &width in widths {
            // The widths of parts that hold nothing mean nothing.
            let width = if n_left == 0 { 0 } else { u64::from(width) };
            n_left = n_left.saturating_sub(part);
            at = at.checked_add(usize::try_from(width.checked_mul(part)? / 8).ok()?)?;
        }
        if at > bytes.len() || n_left == n_before {
            return None;
        }
    }
    Some(at)
}

fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_where_their_last_part_does() {
        // Blocks of 128 in 4 parts; one value needs no block, two need one.
        let one = [0x80, 0x01, 4, 1, 2, 99];
        assert_eq!(length(&one, 5), Some(5));
        let mut two = vec![0x80, 0x01, 4, 2, 2, 0, 3, 7, 7, 7];
        assert_eq!(length(&two, 5), None, "the part is not there");
        two.extend([0; 12]);
        assert_eq!(length(&two, 5), Some(22));
        assert_eq!(length(&two, 1), None, "there are more than may be");
    }

    #[test]
    fn absurd_numbers_end() {
        assert_eq!(
            length(&[0x80, 0x01, 4, 0xff, 0xff, 0xff, 0xff, 0x7f, 0], 9),
            None
        );
        assert_eq!(length(&[0x80, 0x01, 0, 2, 0, 0], 9), None);
        assert_eq!(length(&[0, 4, 2, 0, 0, 0, 0, 0, 0], 9), None);
        assert_eq!(length(&[], 9), None);
    }
}
