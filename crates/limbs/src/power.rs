//! Powers with public exponents, for any form of residues.

/// `base^exponent`, little-endian words, by windows of four bits. Time depends on `exponent` only.
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
    let mut table = [*one; 16];
    for i in 1..16 {
        table[i] = mul(&table[i - 1], base);
    }
    let mut result = *one;
    let mut started = false;
    for word in exponent.iter().rev() {
        for nibble in (0..16).rev() {
            if started {
                result = square_repeated(&result, 4);
            }
            let digit = (word >> (4 * nibble) & 15) as usize;
            if digit != 0 {
                result = if started {
                    mul(&result, &table[digit])
                } else {
                    table[digit]
                };
                started = true;
            }
        }
    }
    result
}
