//! Many multiples of one point.
//!
//! With a table of `d·2^(w·j)·P` for every window j and 1 ≤ d ≤ 2^(w−1), a multiple is one addition for each signed digit
//! d_j of its scalar, `k = Σ d_j·2^(w·j)` with −2^(w−1) ≤ d_j ≤ 2^(w−1). The additions of one window for a block of scalars are
//! done in affine coordinates with one shared inversion (six products each).
//! Source: Brickell, Gordon, McCurley and Wilson 1992, "Fast exponentiation with precomputation"; batches of affine
//! additions as in Montgomery 1987, section 10.3.1.

use super::batch_add::{BatchAdder, infinity};
use frumious_curves::engine::{PairingGroup, ScalarField};
use frumious_field::PrimeField;
use frumious_msm::MsmPoint;
use frumious_parallel::map_indices;

/// Precomputed multiples of one point of order r.
pub(super) struct FixedBase<A> {
    window_bits: u32,
    /// `windows[j][d − 1] = d·2^(w·j)·P`.
    windows: Vec<Vec<A>>,
}

impl<A: MsmPoint + PairingGroup<Scalar: ScalarField>> FixedBase<A> {
    /// A table of the size that pays for about `n` multiples of `point`, which is not at infinity.
    ///
    /// Memory: `(b/w + 1)·2^(w−1)` points for scalars of b bits, `w` at most 13: 82,000.
    pub(super) fn new_vartime(point: A, n: usize) -> Self {
        // 2^(w−1) additions a window for the table against n for the multiples: at most a quarter more.
        let window_bits = n
            .max(1)
            .ilog2()
            .clamp(MIN_WINDOW_BITS + 1, MAX_WINDOW_BITS + 1)
            - 1;
        let mut base = point;
        let mut bases = vec![base];
        for _ in 0..A::Scalar::MODULUS_BITS / window_bits {
            for _ in 0..window_bits {
                base = double_vartime(base);
            }
            bases.push(base);
        }
        let windows = map_indices(bases.len(), |j| {
            multiples_vartime(bases[j], 1 << (window_bits - 1))
        });
        Self {
            window_bits,
            windows,
        }
    }

    /// `scalars[i]·P` for each i; zero gives infinity. In parallel over blocks of scalars.
    pub(super) fn multiply_batch_vartime(&self, scalars: &[A::Scalar]) -> Vec<A> {
        let blocks = map_indices(scalars.len().div_ceil(BLOCK), |index| {
            let start = index * BLOCK;
            let end = scalars.len().min(start + BLOCK);
            self.multiply_block_vartime(&scalars[start..end])
        });
        blocks.concat()
    }

    fn multiply_block_vartime(&self, scalars: &[A::Scalar]) -> Vec<A> {
        let mut scalars: Vec<[u64; 4]> =
            scalars.iter().map(A::Scalar::to_canonical_limbs).collect();
        let mut carries = vec![0; scalars.len()];
        let mut sums = vec![infinity(); scalars.len()];
        let mut addends = vec![infinity(); scalars.len()];
        let mut adder = BatchAdder::new(scalars.len());
        for window in &self.windows {
            for ((scalar, carry), addend) in scalars.iter_mut().zip(&mut carries).zip(&mut addends)
            {
                let digit = (scalar[0] & ((1 << self.window_bits) - 1)) as i64 + *carry;
                shift_right(scalar, self.window_bits);
                *carry = i64::from(digit > 1 << (self.window_bits - 1));
                *addend = entry(window, digit - (*carry << self.window_bits));
            }
            adder.add_vartime(&mut sums, &addends);
        }
        // The last window has at least one bit that no scalar reaches, which takes up its carry.
        debug_assert!(carries.iter().all(|carry| *carry == 0));
        sums
    }
}

/// `digit` times the window's base.
#[inline(always)]
fn entry<A: MsmPoint>(window: &[A], digit: i64) -> A {
    if digit == 0 {
        return infinity();
    }
    let multiple = window[digit.unsigned_abs() as usize - 1];
    if digit > 0 {
        return multiple;
    }
    let (x, y) = multiple.coordinates();
    A::from_coordinates(x, -y)
}

/// `[P, 2P, …, n·P]`, n a power of two: the second half is the first plus its last.
fn multiples_vartime<A: MsmPoint>(point: A, n: usize) -> Vec<A> {
    let mut multiples = vec![point];
    while multiples.len() < n {
        let mut next = multiples.clone();
        let last = vec![multiples[multiples.len() - 1]; next.len()];
        BatchAdder::new(next.len()).add_vartime(&mut next, &last);
        multiples.extend(next);
    }
    multiples
}

/// `2·point`.
fn double_vartime<A: MsmPoint>(point: A) -> A {
    let mut sum = [point];
    BatchAdder::new(1).add_vartime(&mut sum, &[point]);
    sum[0]
}

/// Shifts a number of 256 bits; `bits` between 1 and 63.
fn shift_right(words: &mut [u64; 4], bits: u32) {
    for i in 0..3 {
        words[i] = words[i] >> bits | words[i + 1] << (64 - bits);
    }
    words[3] >>= bits;
}

const MIN_WINDOW_BITS: u32 = 3;
/// 20 windows of 4096 points: 5 MB for BN254's G1, 10 MB for its G2, of the size of a second or third level cache.
const MAX_WINDOW_BITS: u32 = 13;
/// Scalars of one task: enough that one inversion (about 100 products) is little, few enough to stay in cache.
const BLOCK: usize = 1 << 10;

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::bls12_381;
    use frumious_curves::bn254::Fr;
    use frumious_curves::bn254::{G1Affine, G1Projective, G2Affine, G2Projective};

    /// Edge values for digits and carries, and enough scalars for more than one block.
    fn scalars() -> Vec<Fr> {
        let mut scalars = vec![Fr::ZERO, Fr::ONE, Fr::ONE.neg(), Fr::from_u64(2).neg()];
        let two = Fr::from_u64(2);
        for bits in 1..254 {
            let power = two.pow_vartime(&[bits]);
            scalars.extend([power, power - Fr::ONE, power + Fr::ONE, power.neg()]);
        }
        let mut value = Fr::from_u64(5);
        for _ in 0..200 {
            value = value.square() + Fr::ONE;
            scalars.push(value);
        }
        scalars
    }

    #[test]
    fn equals_double_and_add_in_g1_for_every_window() {
        let scalars = scalars();
        let expected: Vec<G1Affine> = scalars
            .iter()
            .map(|k| G1Projective::GENERATOR.mul(k).to_affine())
            .collect();
        for n in [0, 1, 16, 100, 1 << 9, 1 << 12, 1 << 14, 1 << 20] {
            let table = FixedBase::new_vartime(G1Affine::GENERATOR, n);
            assert_eq!(
                table.multiply_batch_vartime(&scalars),
                expected,
                "table for {n}"
            );
        }
    }

    #[test]
    fn equals_double_and_add_in_g2() {
        let scalars = scalars();
        let expected: Vec<G2Affine> = scalars
            .iter()
            .map(|k| G2Projective::GENERATOR.mul(k).to_affine())
            .collect();
        let table = FixedBase::new_vartime(G2Affine::GENERATOR, scalars.len());
        assert_eq!(table.multiply_batch_vartime(&scalars), expected);
    }

    /// r of 255 bits: digits of 3 and 5 bits, which divide it, and of another number.
    #[test]
    fn scalars_of_255_bits_leave_no_carry() {
        let two = bls12_381::Fr::from_u64(2);
        let scalars: Vec<_> = (0..255)
            .map(|bits| -two.pow_vartime(&[bits]))
            .chain([bls12_381::Fr::ZERO, -bls12_381::Fr::ONE])
            .collect();
        let generator = bls12_381::G1Projective::GENERATOR;
        let expected: Vec<_> = scalars
            .iter()
            .map(|k| generator.mul(k).to_affine())
            .collect();
        for n in [1, 1 << 6, 1 << 7, 1 << 14] {
            let table = FixedBase::new_vartime(bls12_381::G1Affine::GENERATOR, n);
            assert_eq!(table.multiply_batch_vartime(&scalars), expected, "{n}");
        }
    }
}
