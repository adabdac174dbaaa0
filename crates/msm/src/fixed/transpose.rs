//! Bits of many scalars, sorted by their place in the scalar.

/// Transposes a matrix of 64 by 64 bits in place: bit `j` of row `i` goes to bit `i` of row `j`.
///
/// Six rounds that swap the off-diagonal halves of blocks of 64, 32, … 2 rows. Source: Warren, "Hacker's Delight", 2nd
/// edition, section 7-3.
pub(super) fn transpose(rows: &mut [u64; 64]) {
    let mut size = 32;
    let mut mask = u64::from(u32::MAX);
    while size > 0 {
        for start in (0..64).step_by(2 * size) {
            for low in start..start + size {
                let high = low + size;
                let swapped = ((rows[low] >> size) ^ rows[high]) & mask;
                rows[low] ^= swapped << size;
                rows[high] ^= swapped;
            }
        }
        size /= 2;
        mask ^= mask << size;
    }
}

/// 64 bits of a number of four words from bit `start` on; bits above the number are zero.
#[inline(always)]
pub(super) fn bits_from(words: &[u64; 4], start: usize) -> u64 {
    let (word, shift) = (start / 64, start % 64);
    let low = words.get(word).map_or(0, |word| word >> shift);
    let high = match words.get(word + 1) {
        Some(word) if shift > 0 => word << (64 - shift),
        _ => 0,
    };
    low | high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_goes_to_its_place() {
        for (i, j) in [(0, 0), (0, 63), (63, 0), (1, 2), (31, 32), (40, 7)] {
            let mut rows = [0; 64];
            rows[i] = 1 << j;
            transpose(&mut rows);
            let mut expected = [0; 64];
            expected[j] = 1 << i;
            assert_eq!(rows, expected, "bit {j} of row {i}");
        }
        let mut state = 1u64;
        let rows: [u64; 64] = core::array::from_fn(|_| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            state ^ (state >> 29)
        });
        let mut transposed = rows;
        transpose(&mut transposed);
        for i in 0..64 {
            for j in 0..64 {
                assert_eq!(rows[i] >> j & 1, transposed[j] >> i & 1);
            }
        }
    }

    #[test]
    fn bits_from_any_place() {
        let words = [1, 2, 3, 1 << 63 | 5];
        assert_eq!(bits_from(&words, 0), 1);
        assert_eq!(bits_from(&words, 64), 2);
        assert_eq!(bits_from(&words, 65), 1 | 1 << 63);
        assert_eq!(bits_from(&words, 192), 1 << 63 | 5);
        assert_eq!(bits_from(&words, 193), 1 << 62 | 2);
        assert_eq!(bits_from(&words, 255), 1);
        assert_eq!(bits_from(&words, 256), 0);
        assert_eq!(bits_from(&words, 1000), 0);
    }
}
