//! The quotient (a·b − c)/Z, without division.
//!
//! a, b and c are polynomials of degree below n given on H, the n-th roots of unity; a·b − c vanishes on H, so it is a
//! multiple of Z = Xⁿ − 1 and of degree at most 2n − 2: its values on another coset of H determine it. The coset is that of
//! the odd 2n-th roots, s·H with s of order 2n, where Z is the constant −2; the key's H points are the Lagrange basis there
//! with all constants in it, so the numerator's values are the scalars of the sum.
//!
//! At the largest domain the field has no root of order 2n: s is then 25 = 5², as in snarkjs (the square of the smallest non-residue, which is
//! 5 for both curves).

use super::rows::Evaluations;
use frumious_curves::engine::ScalarField;
use frumious_fft::Domain;
use frumious_field::vector;
use frumious_parallel::for_each_chunk_mut;
use zeroize::Zeroizing;

/// The values of `a·b − c` on the shifted domain, as canonical integers; `c` is `a·b` on the domain itself.
///
/// `a`, `b`: values on the domain, in its natural order. Consumes them: at no time are there more than three vectors of the
/// domain.
pub(super) fn numerator<F: ScalarField>(
    domain: &Domain<F>,
    mut a: Evaluations<F>,
    mut b: Evaluations<F>,
) -> Zeroizing<Vec<[u64; 4]>> {
    let mut c = Zeroizing::new(vec![F::ZERO; domain.size()]);
    for_each_chunk_mut(&mut c, CHUNK, |index, chunk| {
        let range = index * CHUNK..index * CHUNK + chunk.len();
        vector::multiply(&a[range.clone()], &b[range], chunk);
    });
    let shift = coset_shift(domain.log_size());
    for values in [&mut a, &mut b, &mut c] {
        domain
            .extend_to_coset(values, shift)
            .expect("vectors of the domain's size, and a root of unity is not zero");
    }
    for_each_chunk_mut(&mut c, CHUNK, |index, chunk| {
        let range = index * CHUNK..index * CHUNK + chunk.len();
        vector::multiply_subtract(&a[range.clone()], &b[range], chunk);
    });
    drop((a, b));

    let mut scalars = Zeroizing::new(vec![[0; 4]; domain.size()]);
    for_each_chunk_mut(&mut scalars, CHUNK, |index, chunk| {
        let range = index * CHUNK..index * CHUNK + chunk.len();
        vector::to_canonical(&c[range], chunk);
    });
    scalars
}

/// The s with which the odd coset s·H is made: a root of unity of order 2^(log_n + 1), or 25 if there is none.
pub(crate) fn coset_shift<F: ScalarField>(log_n: u32) -> F {
    if log_n >= F::TWO_ADICITY {
        return F::from_u64(25);
    }
    let mut root = F::NONRESIDUE_ROOT;
    for _ in log_n + 1..F::TWO_ADICITY {
        root = root.square();
    }
    root
}

const CHUNK: usize = 1 << 12;
