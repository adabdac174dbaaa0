//! Integers of four words: what field elements are to divisions, shifts and comparisons.

/// Quotient and remainder; none for a division by zero. Time depends on both.
pub(crate) fn div_rem_vartime(a: &[u64; 4], b: &[u64; 4]) -> Option<([u64; 4], [u64; 4])> {
    match (0..4).rev().find(|i| b[*i] != 0)? {
        0 => {
            let (quotient, rest) = by_word_vartime(a, b[0]);
            Some((quotient, [rest, 0, 0, 0]))
        }
        highest => Some(by_words_vartime(a, b, highest + 1)),
    }
}

fn by_word_vartime(a: &[u64; 4], divisor: u64) -> ([u64; 4], u64) {
    let mut quotient = [0; 4];
    let mut rest = 0;
    for i in (0..4).rev() {
        let part = u128::from(rest) << 64 | u128::from(a[i]);
        quotient[i] = (part / u128::from(divisor)) as u64;
        rest = (part % u128::from(divisor)) as u64;
    }
    (quotient, rest)
}

/// By a divisor of `n > 1` words, of which the highest is not zero (Knuth, The Art of Computer Programming, volume 2,
/// 4.3.1, algorithm D).
fn by_words_vartime(a: &[u64; 4], b: &[u64; 4], n: usize) -> ([u64; 4], [u64; 4]) {
    let by = b[n - 1].leading_zeros();
    let divisor = shl(b, by);
    let top = u128::from(divisor[n - 1]);
    let [first, second, third, fourth] = shl(a, by);
    let fifth = a[3].checked_shr(64 - by).unwrap_or(0);
    let mut rest = [first, second, third, fourth, fifth];
    let mut quotient = [0; 4];
    for i in (0..=4 - n).rev() {
        let part = &mut rest[i..=i + n];
        let two = u128::from(part[n]) << 64 | u128::from(part[n - 1]);
        // Too large by two at most, as the divisor's highest bit is set (theorem B there).
        let mut digit = (two / top).min(u64::MAX.into()) as u64;
        let mut is_too_large = subtract_product(part, &divisor[..n], digit);
        while is_too_large {
            digit -= 1;
            is_too_large = !add_to(part, &divisor[..n]);
        }
        quotient[i] = digit;
    }
    let [rest @ .., _] = rest;
    (quotient, shr(&rest, by))
}

/// `rest - digit·divisor`, modulo a power of `2^64`, and whether that is below zero. `rest` has one word more.
fn subtract_product(rest: &mut [u64], divisor: &[u64], digit: u64) -> bool {
    let mut carry = 0;
    let (last, words) = rest.split_last_mut().expect("one word more");
    for (word, factor) in words.iter_mut().zip(divisor) {
        let product = u128::from(*factor) * u128::from(digit) + u128::from(carry);
        let (difference, borrow) = word.overflowing_sub(product as u64);
        *word = difference;
        carry = (product >> 64) as u64 + u64::from(borrow); // no overflow: a product of that height ends in zeros
    }
    let (difference, borrow) = last.overflowing_sub(carry);
    *last = difference;
    borrow
}

/// `rest + divisor`, modulo a power of `2^64`, and whether that is over it. `rest` has one word more.
fn add_to(rest: &mut [u64], divisor: &[u64]) -> bool {
    let mut carry = false;
    for (i, word) in rest.iter_mut().enumerate() {
        let (sum, first) = word.overflowing_add(divisor.get(i).copied().unwrap_or(0));
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        *word = sum;
        carry = first | second;
    }
    carry
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
