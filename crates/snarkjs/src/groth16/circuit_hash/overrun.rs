//! Bytes that snarkjs hashes beyond the powers of tau.
//!
//! A circuit's domain may be all that the ceremony offers (2^15 or more). Then the last block of differences asks for a
//! power that is not there, τ^(2n−1). For a point snarkjs takes the 64 bytes that follow section 2 in the file. Usually
//! these are the head of section 3 and a part of its first point. The result of its arithmetic goes into the circuit's
//! hash.
//!
//! `snarkjs zkey verify` compares that hash, and circuits often fill a ceremony exactly. Setup must therefore give the
//! same result: the same formula on words that are not reduced. Source: observed of snarkjs 0.7.6; the tests have
//! results of its arithmetic (ffjavascript's) on unreduced bytes.

use crate::generic::Ptau;
use frumious_curves::PairingEngine;
use frumious_curves::engine::{MontgomeryEncoding, ResidueField};
use frumious_field::Field;
use std::marker::PhantomData;

/// The bytes that snarkjs hashes for τ^(2n−1) − τ^(n−1) when section 2 ends before the former. Infinity if
/// the file ends there, as snarkjs refuses such a file.
pub(super) fn last_difference<E: PairingEngine>(ptau: &Ptau<E>, n: usize) -> Vec<u8> {
    let powers = ptau.tau_g1();
    let file: &[u8] = ptau.bytes();
    let end = powers.as_bytes().as_ptr_range().end as usize - file.as_ptr() as usize;
    match file.get(end..end + E::G1::BYTES) {
        Some(behind) => difference::<E>(behind, powers.get_unchecked_encoding(n - 1)),
        None => vec![0; E::G1::BYTES],
    }
}

/// The bytes of no point, read as coordinates, minus a point, in Jacobian coordinates. Source: "add-2007-bl" for Z1 =
/// Z2 = 1 (Bernstein and Lange, Explicit-Formulas Database).
fn difference<E: PairingEngine>(bytes: &[u8], subtrahend: E::G1) -> Vec<u8> {
    let (x1, y1) = coordinates::<E::Fq>(bytes);
    let (x2, y2) = coordinates::<E::Fq>((-subtrahend).to_montgomery_bytes().as_ref());

    let h = x2.sub(&x1);
    let hh = h.mul(&h);
    let i = hh.add(&hh);
    let i = i.add(&i); // 4·H²
    let j = h.mul(&i);
    let half_r = y2.sub(&y1);
    let r = half_r.add(&half_r);
    let v = x1.mul(&i);
    let x3 = r.mul(&r).sub(&j).sub(&v.add(&v));
    let y1_j = y1.mul(&j);
    let y3 = v.sub(&x3).mul(&r).sub(&y1_j.add(&y1_j));
    let z3 = h.add(&h).reduce();

    let Some(inverse) = z3.invert_vartime() else {
        return vec![0; E::G1::BYTES];
    };
    let square = inverse.square();
    let x = x3.reduce() * square;
    let y = y3.reduce() * square * inverse;
    [x, y].iter().flat_map(|c| c.to_be_bytes()).collect()
}

/// The two halves of the bytes of a point.
fn coordinates<F: ResidueField>(bytes: &[u8]) -> (Words<F>, Words<F>) {
    let (x, y) = bytes.split_at(bytes.len() / 2);
    (Words::from_bytes(x), Words::from_bytes(y))
}

/// Any integer of as many words as q has. Operations are right modulo q as long as nothing overflows. Otherwise they
/// overflow as snarkjs's do: one correction by q, modulo R = 2^(64·words).
#[derive(Clone)]
struct Words<F> {
    words: Vec<u64>,
    field: PhantomData<F>,
}

impl<F: ResidueField> Words<F> {
    fn new(words: Vec<u64>) -> Self {
        Self {
            words,
            field: PhantomData,
        }
    }

    /// From bytes, least significant first.
    fn from_bytes(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        Self::new(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }

    fn add(&self, other: &Self) -> Self {
        let (sum, carry) = self.add_with_carry(&other.words);
        if carry || !sum.is_below_modulus() {
            return sum.sub_with_borrow(F::MODULUS_WORDS).0;
        }
        sum
    }

    fn sub(&self, other: &Self) -> Self {
        let (difference, borrow) = self.sub_with_borrow(&other.words);
        if borrow {
            return difference.add_with_carry(F::MODULUS_WORDS).0;
        }
        difference
    }

    /// `(a·b + m·q)/R` with the m below R that makes it whole, corrected by q once.
    fn mul(&self, other: &Self) -> Self {
        let n = self.words.len();
        let mut t = vec![0_u64; 2 * n + 1]; // a·b + m·q < 2·R²
        for i in 0..n {
            add_product(&mut t, i, self.words[i], &other.words);
        }
        let minus_q_inverse = minus_inverse(F::MODULUS_WORDS[0]);
        for i in 0..n {
            let m = t[i].wrapping_mul(minus_q_inverse);
            add_product(&mut t, i, m, F::MODULUS_WORDS);
        }
        let carry = t[2 * n] != 0;
        let result = Self::new(t[n..2 * n].to_vec());
        if carry || !result.is_below_modulus() {
            return result.sub_with_borrow(F::MODULUS_WORDS).0;
        }
        result
    }

    /// The element of which this is a Montgomery form.
    fn reduce(&self) -> F {
        let mut words = self.clone();
        while !words.is_below_modulus() {
            words = words.sub_with_borrow(F::MODULUS_WORDS).0; // at most nine times: R < 10·q
        }
        F::from_montgomery_words_unchecked(&words.words)
    }

    fn is_below_modulus(&self) -> bool {
        self.sub_with_borrow(F::MODULUS_WORDS).1
    }

    fn add_with_carry(&self, other: &[u64]) -> (Self, bool) {
        let mut carry = false;
        let sum = self.words.iter().zip(other).map(|(a, b)| {
            let (low, first) = a.overflowing_add(*b);
            let (sum, second) = low.overflowing_add(u64::from(carry));
            carry = first | second;
            sum
        });
        let sum = sum.collect();
        (Self::new(sum), carry)
    }

    fn sub_with_borrow(&self, other: &[u64]) -> (Self, bool) {
        let mut borrow = false;
        let difference = self.words.iter().zip(other).map(|(a, b)| {
            let (low, first) = a.overflowing_sub(*b);
            let (difference, second) = low.overflowing_sub(u64::from(borrow));
            borrow = first | second;
            difference
        });
        let difference = difference.collect();
        (Self::new(difference), borrow)
    }
}

/// `t += factor·words·2^(64·at)`; the carry runs on to the end of `t`.
fn add_product(t: &mut [u64], at: usize, factor: u64, words: &[u64]) {
    let mut carry = 0_u128;
    for (i, t) in t.iter_mut().enumerate().skip(at) {
        let word = words.get(i - at).copied().unwrap_or(0);
        let sum = u128::from(*t) + u128::from(factor) * u128::from(word) + carry;
        *t = sum as u64;
        carry = sum >> 64;
    }
}

/// −1/q modulo 2^64, by Newton's iteration: each step doubles the number of right bits, and q itself, which is odd, has
/// three.
fn minus_inverse(q: u64) -> u64 {
    let inverse = (0..5).fold(q, |inverse, _| {
        inverse.wrapping_mul(2_u64.wrapping_sub(q.wrapping_mul(inverse)))
    });
    inverse.wrapping_neg()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::bn254::{Fq, Fr, G1Projective};
    use frumious_curves::{Bls12_381, Bn254, bls12_381};

    #[test]
    fn below_the_modulus_it_is_the_field() {
        check(|a: &Fq| a.to_montgomery_limbs().to_vec());
        check(|a: &bls12_381::Fq| a.to_montgomery_limbs().to_vec());
        fn check<F: ResidueField>(form: impl Fn(&F) -> Vec<u64>) {
            let mut a = F::ONE.double() + F::ONE;
            let mut b = -F::ONE;
            for _ in 0..100 {
                let (x, y) = (Words::<F>::new(form(&a)), Words::new(form(&b)));
                assert_eq!(x.add(&y).reduce(), a + b);
                assert_eq!(x.sub(&y).reduce(), a - b);
                assert_eq!(x.mul(&y).reduce(), a * b);
                (a, b) = (a * b + F::ONE, a.square() - b);
            }
        }
    }

    #[test]
    fn products_of_any_words_are_right_modulo_q() {
        let top = Words::<Fq>::new(vec![u64::MAX; 4]);
        assert_eq!(top.mul(&top).reduce(), top.reduce() * top.reduce());
        let odd = Words::new(vec![1, u64::MAX, 0, u64::MAX]);
        assert_eq!(odd.mul(&top).reduce(), odd.reduce() * top.reduce());
        let top = Words::<bls12_381::Fq>::new(vec![u64::MAX; 6]);
        assert_eq!(top.mul(&top).reduce(), top.reduce() * top.reduce());
    }

    /// (k, bytes, ffjavascript's difference of these bytes and k·G, uncompressed). The first two follow section 2 in
    /// files of snarkjs of power 15 and 19, the others are any.
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

    #[rustfmt::skip]
    const DIFFERENCES_BLS12_381: [(u64, &str, &str); 5] = [
        (1_000_003,
         "030000000000600000000000100a9402a28ff2f51a96b48726fbf5b380e52a3eb593a8a1e9ae3c1a9d9994986b36631863b7676fd7bc50439291810506f6239e75c0a9a5c360cdbc9dc5a0aa067886e2187eb13b67b34185ccb61a1b478515f2",
         "07e9fbf3ddca92d6ec8109affc61834293a0c9bb9ddfeb1e90988e70580a4bb4629a4753ae3aa4fe48868bd5d4c7426c1388296561c5fbab73fe3818542b580786d533267f9c0f1f3bcb03ebf9de64adcb832302dcb0dd14926afb491cc666d1"),
        (2_000_006,
         "030000000000000600000000100a9402a28ff2f51a96b48726fbf5b380e52a3eb593a8a1e9ae3c1a9d9994986b36631863b7676fd7bc50439291810506f6239e75c0a9a5c360cdbc9dc5a0aa067886e2187eb13b67b34185ccb61a1b478515f2",
         "0c9f61b074f253cb0bad38d95cf88ffeacc861a3ffe9d1d5a36acaf13ceaeaab24e795de3c72a2b116aef0eeeded9f5713ed8d8168fc0a3701f8ba0d9d52b09d69e73c5f7ab2897f13d33c6470da26182437930af9f6d128f04d9a186626d382"),
        (3_000_009,
         "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
         "074d83bad55df43c9b96c1c0a1465c9f6c34f1336f7cbf754c0d3aeac4ae43d72539a78a406d94f763cf61903148a89f1854f7c332878363ebfa50261db21d9cbd1ff2d267332fda368678d68dbb8d2b4b7801b411e4ee7133c5bbf3dfcd3cb5"),
        (4_000_012,
         "1f40fc92da241694750979ee6cf582f2d5d7d28e18335de05abc54d0560e0f5302860c652bf08d560252aa5e74210546f369fbbbce8c12cfc7957b2652fe9a7516cd3169966dfdaae5bf06bab72f2fc1106b4e64c62f52a1cf164cb6f5113abc",
         "0b86ef4ec114b1e18169083caa7b1b91295aaf66bb321affb130be0823b9374c3f9ad3e4b41fab350fcb32b9b76e23cd00c6ec5f9cd83fd729de4ee9dd5332efbcdaf09c87c24c7e2ddc31475acf3a1fb4986f538363315b13a59869f8a299ab"),
        (5_000_015,
         "5267768822ee624d48fce15ec5ca79cbd602cb7f4c2157a516556991f22ef8c7b5ef7b18d1ff41c59370efb0858651d44a936c11b7b144c48fe04df3c6a3e8dacf0568312eb0dbfbfbbc4d15a9552f6c9c3654119d560834ac3cca49a846c478",
         "00cac8ada5b094732768a257d2d8d48dda1e557211cbfaf386ac4860cf0e50d4b91ca16b793f5c852d23fedc183c8d751250bc32b14e6c87dccd8ad74114db56341970c408d434b8e0b311f242b863f53b7c654458f19a358b0143348782795d"),
    ];

    #[test]
    fn differences_are_those_of_ffjavascript() {
        for (k, bytes, expected) in DIFFERENCES {
            let point = G1Projective::GENERATOR.mul(&Fr::from_u64(k)).to_affine();
            let difference = difference::<Bn254>(&from_hex(bytes), point);
            assert_eq!(difference, from_hex(expected), "{bytes}");
        }
        for (k, bytes, expected) in DIFFERENCES_BLS12_381 {
            let k = bls12_381::Fr::from_u64(k);
            let point = bls12_381::G1Projective::GENERATOR.mul(&k).to_affine();
            let difference = difference::<Bls12_381>(&from_hex(bytes), point);
            assert_eq!(difference, from_hex(expected), "{bytes}");
        }
    }

    fn from_hex(hex: &str) -> Vec<u8> {
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(byte).collect()
    }
}
