//! Powers with public exponents, for any form of residues.

/// Bits of a window.
const WIDTH: u32 = 4;

/// `base^exponent`, little-endian words, by sliding windows of at most four bits: odd powers alone are multiplied with.
/// Time depends on `exponent` only. Source: Menezes, van Oorschot, Vanstone, "Handbook of Applied Cryptography",
/// algorithm 14.85.
///
/// `one`, `mul` and `square_repeated` (of a residue, so many times) say what form residues have.
#[inline(always)]
pub(crate) fn pow_vartime<const N: usize>(
    one: &[u64; N],
    base: &[u64; N],
    exponent: &[u64],
    mul: impl Fn(&[u64; N], &[u64; N]) -> [u64; N],
    square_repeated: impl Fn(&[u64; N], u32) -> [u64; N],
) -> [u64; N] {
    let square = square_repeated(base, 1);
    let mut odd_powers = [*base; 1 << (WIDTH - 1)];
    for i in 1..odd_powers.len() {
        odd_powers[i] = mul(&odd_powers[i - 1], &square);
    }
    let bit = |i: u32| exponent[(i / 64) as usize] >> (i % 64) & 1;
    let mut result = None;
    let mut squarings = 0; // that wait for the next product
    let mut left = 64 * exponent.len() as u32; // bits that are not read yet
    while left > 0 {
        if bit(left - 1) == 0 {
            squarings += 1;
            left -= 1;
            continue;
        }
        // from the highest bit left down to the last one that is set among the next four
        let mut digit = 0;
        let mut end = left - left.min(WIDTH);
        while bit(end) == 0 {
            end += 1;
        }
        for i in (end..left).rev() {
            digit = 2 * digit + bit(i);
        }
        let power = &odd_powers[digit as usize / 2];
        result = Some(match result {
            None => *power,
            Some(result) => mul(&square_repeated(&result, squarings + left - end), power),
        });
        (squarings, left) = (0, end);
    }
    result.map_or(*one, |result| square_repeated(&result, squarings))
}
