//! What snarkjs hashes beyond the powers of tau.
//!
//! When a circuit's domain is all the ceremony offers (2^15 or more), the last block of differences asks for a power that
//! is not there, τ^(2n−1). snarkjs then takes the 64 bytes that follow section 2 in the file, usually the head of
//! section 3 and a part of its first point, as if they were a point, and what its arithmetic makes of them goes into the
//! circuit's hash. `snarkjs zkey verify` compares that hash, and circuits often fill a ceremony exactly, so it has to be
//! made here as well: the same formula on words that are not reduced.
//! Source: observed of snarkjs 0.7.6 with wasmcurves 0.2.2, and confirmed by the hashes in `interop/`.

use frumious_circom::Ptau;
use frumious_curves::bn254::{Fq, G1Affine};

/// The bytes behind section 2, read as coordinates, minus τ^(n−1), as the formula for two affine points in Jacobian
/// coordinates has it. Infinity if the file ends there, as snarkjs refuses such a file.
pub(super) fn last_difference(ptau: &Ptau, n: usize) -> G1Affine {
    let powers = ptau.tau_g1();
    let file: &[u8] = ptau.bytes();
    let end = powers.as_bytes().as_ptr_range().end as usize - file.as_ptr() as usize;
    let Some(behind) = file.get(end..end + 64) else {
        return G1Affine::IDENTITY;
    };
    let subtrahend = powers.get_unchecked_encoding(n - 1).neg();
    let x1 = Words::from_bytes(&behind[..32]);
    let y1 = Words::from_bytes(&behind[32..]);
    let x2 = Words(subtrahend.x.to_montgomery_limbs());
    let y2 = Words(subtrahend.y.to_montgomery_limbs());

    // "add-2007-bl" for Z1 = Z2 = 1 (Bernstein and Lange, Explicit-Formulas Database).
    let h = x2.sub(x1);
    let hh = h.mul(h);
    let i = hh.add(hh);
    let i = i.add(i); // 4·H²
    let j = h.mul(i);
    let half_r = y2.sub(y1);
    let r = half_r.add(half_r);
    let v = x1.mul(i);
    let x3 = r.mul(r).sub(j).sub(v.add(v));
    let y1_j = y1.mul(j);
    let y3 = v.sub(x3).mul(r).sub(y1_j.add(y1_j));
    let z3 = h.add(h).reduce();

    let Some(inverse) = z3.invert_vartime() else {
        return G1Affine::IDENTITY;
    };
    let square = inverse.square();
    G1Affine {
        x: x3.reduce() * square,
        y: y3.reduce() * square * inverse,
    }
}

/// Any integer below 2^256, with operations that are right modulo q as long as nothing overflows, and otherwise overflow
/// as snarkjs's do: one correction by q, modulo 2^256.
#[derive(Clone, Copy)]
struct Words([u64; 4]);

impl Words {
    /// From 32 bytes, least significant first.
    fn from_bytes(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        Self(std::array::from_fn(|i| u64::from_le_bytes(words[i])))
    }

    fn add(self, other: Self) -> Self {
        let (sum, carry) = self.add_with_carry(other);
        if carry || !sum.is_below_modulus() {
            return sum.sub_with_borrow(Q).0;
        }
        sum
    }

    fn sub(self, other: Self) -> Self {
        let (difference, borrow) = self.sub_with_borrow(other);
        if borrow {
            return difference.add_with_carry(Q).0;
        }
        difference
    }

    /// `(a·b + m·q)/2^256` with the m below 2^256 that makes it whole, corrected by q once.
    fn mul(self, other: Self) -> Self {
        let mut t = [0_u64; 9]; // a·b + m·q < 2^513
        for i in 0..4 {
            add_product(&mut t, i, self.0[i], &other.0);
        }
        for i in 0..4 {
            let m = t[i].wrapping_mul(MINUS_Q_INVERSE);
            add_product(&mut t, i, m, &Q.0);
        }
        let result = Self([t[4], t[5], t[6], t[7]]);
        if t[8] != 0 || !result.is_below_modulus() {
            return result.sub_with_borrow(Q).0;
        }
        result
    }

    /// The element of which this is a Montgomery form.
    fn reduce(self) -> Fq {
        let mut words = self;
        while !words.is_below_modulus() {
            words = words.sub_with_borrow(Q).0; // at most five times: 2^256 < 6·q
        }
        Fq::from_montgomery_limbs_unchecked(words.0)
    }

    fn is_below_modulus(self) -> bool {
        self.sub_with_borrow(Q).1
    }

    fn add_with_carry(self, other: Self) -> (Self, bool) {
        let mut carry = false;
        let sum = std::array::from_fn(|i| {
            let (low, first) = self.0[i].overflowing_add(other.0[i]);
            let (sum, second) = low.overflowing_add(u64::from(carry));
            carry = first | second;
            sum
        });
        (Self(sum), carry)
    }

    fn sub_with_borrow(self, other: Self) -> (Self, bool) {
        let mut borrow = false;
        let difference = std::array::from_fn(|i| {
            let (low, first) = self.0[i].overflowing_sub(other.0[i]);
            let (difference, second) = low.overflowing_sub(u64::from(borrow));
            borrow = first | second;
            difference
        });
        (Self(difference), borrow)
    }
}

/// `t += factor·words·2^(64·at)`; the carry runs on to the end of `t`.
fn add_product(t: &mut [u64; 9], at: usize, factor: u64, words: &[u64; 4]) {
    let mut carry = 0_u128;
    for (i, t) in t.iter_mut().enumerate().skip(at) {
        let word = words.get(i - at).copied().unwrap_or(0);
        let sum = u128::from(*t) + u128::from(factor) * u128::from(word) + carry;
        *t = sum as u64;
        carry = sum >> 64;
    }
}

const Q: Words = Words(Fq::MODULUS);

/// −1/q modulo 2^64, by Newton's iteration: each step doubles the number of right bits, and q itself has three.
const MINUS_Q_INVERSE: u64 = {
    let q = Fq::MODULUS[0];
    let mut inverse = q;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(q.wrapping_mul(inverse)));
        step += 1;
    }
    inverse.wrapping_neg()
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_the_modulus_it_is_the_field() {
        let mut a = Fq::from_u64(3);
        let mut b = Fq::ONE.neg();
        for _ in 0..100 {
            let (x, y) = (
                Words(a.to_montgomery_limbs()),
                Words(b.to_montgomery_limbs()),
            );
            assert_eq!(x.add(y).reduce(), a + b);
            assert_eq!(x.sub(y).reduce(), a - b);
            assert_eq!(x.mul(y).reduce(), a * b);
            (a, b) = (a * b + Fq::ONE, a.square() - b);
        }
    }

    #[test]
    fn products_of_any_words_are_right_modulo_q() {
        let top = Words([u64::MAX; 4]);
        assert_eq!(top.mul(top).reduce(), top.reduce() * top.reduce());
        let odd = Words([1, u64::MAX, 0, u64::MAX]);
        assert_eq!(odd.mul(top).reduce(), odd.reduce() * top.reduce());
    }
}
