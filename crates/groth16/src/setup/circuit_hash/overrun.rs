//! What snarkjs hashes beyond the powers of tau.
//!
//! When a circuit's domain is all the ceremony offers (2^15 or more), the last block of differences asks for a power that
//! is not there, τ^(2n−1). snarkjs then takes the 64 bytes that follow section 2 in the file, usually the head of
//! section 3 and a part of its first point, as if they were a point, and what its arithmetic makes of them goes into the
//! circuit's hash. `snarkjs zkey verify` compares that hash, and circuits often fill a ceremony exactly, so it has to be
//! made here as well: the same formula on words that are not reduced.
//! Source: observed of snarkjs 0.7.6; the tests have what its arithmetic (ffjavascript's) makes of such bytes.

use frumious_circom::Ptau;
use frumious_curves::bn254::{Fq, G1Affine};

/// What snarkjs hashes for τ^(2n−1) − τ^(n−1) when section 2 ends before the former. Infinity if the file ends there,
/// as snarkjs refuses such a file.
pub(super) fn last_difference(ptau: &Ptau, n: usize) -> G1Affine {
    let powers = ptau.tau_g1();
    let file: &[u8] = ptau.bytes();
    let end = powers.as_bytes().as_ptr_range().end as usize - file.as_ptr() as usize;
    match file[end..].first_chunk() {
        Some(behind) => difference(behind, powers.get_unchecked_encoding(n - 1)),
        None => G1Affine::IDENTITY,
    }
}

/// The bytes of no point, read as coordinates, minus a point: the formula for two affine points that gives Jacobian
/// coordinates, "add-2007-bl" for Z1 = Z2 = 1 (Bernstein and Lange, Explicit-Formulas Database).
fn difference(bytes: &[u8; 64], subtrahend: G1Affine) -> G1Affine {
    let (coordinates, _) = bytes.as_chunks::<32>();
    let [x1, y1] = [coordinates[0], coordinates[1]].map(Words::from_bytes);
    let subtrahend = subtrahend.neg();
    let x2 = Words(subtrahend.x.to_montgomery_limbs());
    let y2 = Words(subtrahend.y.to_montgomery_limbs());

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
    fn from_bytes(bytes: [u8; 32]) -> Self {
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
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::bn254::{Fr, G1Projective};

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

    /// (k, bytes, what ffjavascript makes of these bytes minus k·G, uncompressed): the first two are what follows section
    /// 2 in a file of snarkjs of power 15 and 19, the others are any.
    #[rustfmt::skip]
    const DIFFERENCES: [(u64, &str, &str); 6] = [
        (1_000_003,
         "0300000000004000000000002620bc02d1b5838e72017b493519ebdcdf1a81974726b8fb3b5096af4138571940614ca87d73b4afc4d802585add4360862fa052",
         "29de9e4bde643829d6c7e278a7adec008bf15930db2d0fdc7c051b9dc08359c42a3fcb530afc13cc0232893af1ed82886fb4ae789d81dd28b2930b45cfb343c6"),
        (2_000_006,
         "0300000000000004000000002620bc02d1b5838e72017b493519ebdcdf1a81974726b8fb3b5096af4138571940614ca87d73b4afc4d802585add4360862fa052",
         "26cfd7a2d3846df60b67e3ce07072925c2d65953301b1c9d01130d99f9216dd3197f5f04cb2d7b60c252158d88cb1d002bbc8906bb040db9e26423f7ba3dc621"),
        (3_000_009,
         "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
         "204d72e40ff8e392f2a2a9544a613d13f287c77cebbea1038b6d62e0e93c003e25c338e1df66cd880832d616f761e6fd8f0b0887a6fa88053fa173d28e6ab7e2"),
        (4_000_012,
         "7bddf38ff2b8bcef38da1e0304b4365f2d2fe5af9f2a3b6af507d2b79304948a8e162db70eab66caf666a503d30c74c24d01cdac0cbde69bde68b978fc3709c7",
         "1209737e1b8ce74e3dfb79c2480455a9ac6b9478a679be8ec9bf3c726957670111ea251ab5c6ade82cfbaad0b0db95dbc522cd8172ea68cad7efe0e06dbea786"),
        (5_000_015,
         "c49fd1e46c506a50dc91e22b1d848e275ce737f77ff7c1b7beb7d01fe43df5f82fc4c6341b0e5c785705c3817bf64eaca8d4fd2ce33c3a87113fafa98f2e73e1",
         "2ab5de265733f17152e85ee0fdf1a491cb52003463df19e3eb120beb687e4ca80f8684e8cb26dd8dc32778a01f82d2cf39775177fe6118f94a1abea4459cbbec"),
        (6_000_018,
         "bb2e5521316bd13b397a3af43ba02967eaa4aa0fb37f642b4c15bcbef58d19dd875d9964d03adc0a78531bdb52b440e61bb261a05a0c59b0ed63cbc18e40f1d7",
         "1fa472b34c329df1b29b37a12a7d90168d84242e588d12caa6b2ebd315b10b2d29c2d8c7ae81d580de5ac0243e288df8d934ecf92eae471bc310367033061efb"),
    ];

    #[test]
    fn differences_are_those_of_ffjavascript() {
        for (k, bytes, expected) in DIFFERENCES {
            let point = G1Projective::GENERATOR.mul(&Fr::from_u64(k)).to_affine();
            let difference = difference(&from_hex(bytes), point);
            assert_eq!(difference.to_eip197_bytes(), from_hex(expected), "{bytes}");
        }
    }

    fn from_hex(hex: &str) -> [u8; 64] {
        std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap())
    }
}
