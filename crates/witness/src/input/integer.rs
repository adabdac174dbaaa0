//! Integers as people write them, taken modulo r.
//!
//! Two grammars: that of JavaScript's `BigInt(string)`, which snarkjs applies to strings, and that of JSON's numbers.
//! Variable time: the text's length and the position of a bad character show.

use frumious_curves::engine::ScalarField;
use zeroize::Zeroizing;

/// A string: blanks around it are ignored; decimal with an optional sign, or `0x`, `0o`, `0b` without one. Unlike for
/// JavaScript, the empty string is not zero: that is more often a mistake than an input.
pub(super) fn from_text_vartime<F: ScalarField>(text: &str) -> Option<F> {
    let text = text.trim();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(start) = text.get(..2)
            && start.eq_ignore_ascii_case(prefix)
        {
            return digits_vartime(&text[2..], radix);
        }
    }
    match text.strip_prefix('-') {
        Some(digits) => digits_vartime(digits, 10).map(|magnitude: F| -magnitude),
        None => digits_vartime(text.strip_prefix('+').unwrap_or(text), 10),
    }
}

/// A JSON number, exactly: `12`, `-3`, `1.50e2` (which is 150); none when it is not an integer.
pub(super) fn from_literal_vartime<F: ScalarField>(text: &str) -> Option<F> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = Zeroizing::new([integer, fraction].concat());
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return digits_vartime(&digits, 10);
    }
    // digits·10^(exponent - |fraction|) = significant·10^power
    let zeros = i64::try_from(digits.len() - significant.len()).ok()?;
    let power = exponent
        .checked_sub(i64::try_from(fraction.len()).ok()?)?
        .checked_add(zeros)?;
    let power = u64::try_from(power).ok()?; // negative: not an integer
    let magnitude = digits_vartime::<F>(significant, 10)? * F::from_u64(10).pow_vartime(&[power]);
    Some(if negative { -magnitude } else { magnitude })
}

/// True for a JSON number that is no finite one in double precision, as JavaScript and circom's C++ programs read it.
/// snarkjs fails at such a one: to take it for an integer would give a proof of what nobody meant.
pub(super) fn is_infinite_vartime(text: &str) -> bool {
    // Shorter ones without an exponent are below 10^308, and most are.
    let may_be = text.len() > DIGITS_OF_FINITE || text.contains(['e', 'E']);
    may_be && text.parse().is_ok_and(f64::is_infinite)
}

/// `Σ d_i·radix^i mod r`; none for no digits at all or another character.
fn digits_vartime<F: ScalarField>(digits: &str, radix: u32) -> Option<F> {
    if digits.is_empty() {
        return None;
    }
    digits
        .as_bytes()
        .chunks(CHUNK_DIGITS)
        .try_fold(F::ZERO, |sum, chunk| {
            // 16^15 < 2^64: neither the scale nor the chunk's value overflows.
            let (scale, value) = chunk.iter().try_fold((1, 0), |(scale, value), digit| {
                let digit = char::from(*digit).to_digit(radix)?;
                Some((
                    scale * u64::from(radix),
                    value * u64::from(radix) + u64::from(digit),
                ))
            })?;
            Some(sum * F::from_u64(scale) + F::from_u64(value))
        })
}

const CHUNK_DIGITS: usize = 15;

/// The largest double is 1.8·10^308.
const DIGITS_OF_FINITE: usize = 308;
