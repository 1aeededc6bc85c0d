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

/// The sum of a run of lengths whose end is known to be there: none if one is negative.
pub(super) fn sum(bytes: &[u8]) -> Option<u64> {
    let mut at = 0;
    let block = varint(bytes, &mut at)?;
    let n_parts = varint(bytes, &mut at)?;
    let mut n_left = varint(bytes, &mut at)?;
    let mut value = signed(varint(bytes, &mut at)?);
    let part = block.checked_div(n_parts)?;
    if n_left == 0 {
        return Some(0);
    }
    let mut sum = u64::try_from(value).ok()?;
    n_left -= 1;
    while n_left > 0 {
        let least = signed(varint(bytes, &mut at)?);
        let widths_end = at.checked_add(usize::try_from(n_parts).ok()?)?;
        let widths = bytes.get(at..widths_end)?;
        at = widths_end;
        for &width in widths {
            if n_left == 0 {
                break;
            }
            let n_here = part.min(n_left);
            for place in 0..n_here {
                let more = bits(&bytes[at..], place.checked_mul(width.into())?, width)?;
                value = value.checked_add(least)?.checked_add_unsigned(more)?;
                sum = sum.checked_add(u64::try_from(value).ok()?)?;
            }
            n_left -= n_here;
            at += usize::try_from(u64::from(width).checked_mul(part)? / 8).ok()?;
        }
    }
    Some(sum)
}

/// Some bits, the lowest first; those beyond the end are zero.
fn bits(bytes: &[u8], first: u64, width: u8) -> Option<u64> {
    if width > 64 {
        return None;
    }
    let start = usize::try_from(first / 8).ok()?;
    let mut window = [0; 16];
    let there = bytes.get(start..)?;
    let n = there.len().min(window.len());
    window[..n].copy_from_slice(&there[..n]);
    let mask = (1u128 << width) - 1;
    u64::try_from((u128::from_le_bytes(window) >> (first % 8)) & mask).ok()
}

/// An integer whose lowest bit is its sign.
pub(super) fn signed(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -((value & 1).cast_signed())
}

/// An integer in groups of seven bits, the lowest first.
pub(super) fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
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
    fn lengths_add_up() {
        // 3, then 3 + 1 + 0..=3 and so on: widths of 2 bits over a least step of 1.
        let run = [0x80, 0x01, 4, 5, 6, 2, 2, 0, 0, 0, 0b1110_0100, 0, 0, 0];
        let run = [&run[..], &[0; 4]].concat();
        assert_eq!(length(&run, 5), Some(run.len()));
        assert_eq!(sum(&run), Some(3 + 4 + 6 + 9 + 13));
        let one = [0x80, 0x01, 4, 1, 6];
        assert_eq!(sum(&one), Some(3));
        let negative = [0x80, 0x01, 4, 1, 7];
        assert_eq!(sum(&negative), None);
        let none = [0x80, 0x01, 4, 0, 0];
        assert_eq!(sum(&none), Some(0));
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
