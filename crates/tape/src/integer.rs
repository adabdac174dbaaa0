//! Integers of four words: what field elements are to divisions, shifts and comparisons.

/// Quotient and remainder; none for a division by zero. Time depends on both.
///
/// By one word it is the schoolbook's, else bit by bit: long divisors are rare, and take a microsecond.
pub(crate) fn div_rem_vartime(a: &[u64; 4], b: &[u64; 4]) -> Option<([u64; 4], [u64; 4])> {
    if let [divisor, 0, 0, 0] = *b {
        if divisor == 0 {
            return None;
        }
        let mut quotient = [0; 4];
        let mut rest = 0;
        for i in (0..4).rev() {
            let part = u128::from(rest) << 64 | u128::from(a[i]);
            quotient[i] = (part / u128::from(divisor)) as u64;
            rest = (part % u128::from(divisor)) as u64;
        }
        return Some((quotient, [rest, 0, 0, 0]));
    }
    let (mut quotient, mut rest) = ([0; 4], *a);
    let distance = bit_length(a).saturating_sub(bit_length(b));
    for by in (0..=distance).rev() {
        // Nothing is shifted out: by at most the distance of the highest bits.
        let part = shl(b, by);
        if !less_than_vartime(&rest, &part) {
            rest = sub(&rest, &part);
            quotient[by as usize / 64] |= 1 << (by % 64);
        }
    }
    Some((quotient, rest))
}

/// `a·2^by` modulo `2^256`, for `by < 256`.
pub(crate) fn shl(a: &[u64; 4], by: u32) -> [u64; 4] {
    let (words, bits) = (by as usize / 64, by % 64);
    core::array::from_fn(|i| {
        let word = |below: usize| i.checked_sub(words + below).map_or(0, |i| a[i]);
        match bits {
            0 => word(0),
            _ => word(0) << bits | word(1) >> (64 - bits),
        }
    })
}

/// `a/2^by` rounded down, for `by < 256`.
pub(crate) fn shr(a: &[u64; 4], by: u32) -> [u64; 4] {
    let (words, bits) = (by as usize / 64, by % 64);
    core::array::from_fn(|i| {
        let word = |above: usize| a.get(i + words + above).copied().unwrap_or(0);
        match bits {
            0 => word(0),
            _ => word(0) >> bits | word(1) << (64 - bits),
        }
    })
}

/// Bit `index`.
#[inline]
pub(crate) fn bit(a: &[u64; 4], index: u8) -> bool {
    a[usize::from(index / 64)] >> (index % 64) & 1 == 1
}

/// `a < b`.
#[inline]
pub(crate) fn less_than_vartime(a: &[u64; 4], b: &[u64; 4]) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// `a - b` modulo `2^256`.
#[inline]
pub(crate) fn sub(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut borrow = false;
    core::array::from_fn(|i| {
        let (difference, first) = a[i].overflowing_sub(b[i]);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        borrow = first | second;
        difference
    })
}

fn bit_length(a: &[u64; 4]) -> u32 {
    let zeros = |i: usize| a[i].leading_zeros();
    let highest = (0..4).rev().find(|i| a[*i] != 0);
    highest.map_or(0, |i| 64 * (i as u32 + 1) - zeros(i))
}
