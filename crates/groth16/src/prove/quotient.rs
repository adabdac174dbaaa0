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
use frumious_parallel::{filled, for_each_chunk_mut};
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
    let mut c = Zeroizing::new(filled(F::ZERO, domain.size()));
    for_each_chunk_mut(&mut c, CHUNK, |index, chunk| {
        let range = index * CHUNK..index * CHUNK + chunk.len();
        vector::multiply(&a[range.clone()], &b[range], chunk);
    });
    for values in [&mut a, &mut b, &mut c] {
        extend(domain, values);
    }
    for_each_chunk_mut(&mut c, CHUNK, |index, chunk| {
        let range = index * CHUNK..index * CHUNK + chunk.len();
        vector::multiply_subtract(&a[range.clone()], &b[range], chunk);
    });
    drop((a, b));
    to_canonical(&c)
}

/// As [`numerator`] with two vectors of the domain at most: `products` gives `a·b` on the domain once `a` and `b` have become one.
pub(super) fn numerator_in_two_vectors<F: ScalarField, Error>(
    domain: &Domain<F>,
    mut a: Evaluations<F>,
    mut b: Evaluations<F>,
    products: impl FnOnce() -> Result<Evaluations<F>, Error>,
) -> Result<Zeroizing<Vec<[u64; 4]>>, Error> {
    extend(domain, &mut a);
    extend(domain, &mut b);
    for_each_chunk_mut(&mut a, CHUNK, |index, chunk| {
        let start = index * CHUNK;
        vector::multiply_assign(chunk, &b[start..start + chunk.len()]);
    });
    drop(b);
    let mut c = products()?;
    extend(domain, &mut c);
    for_each_chunk_mut(&mut a, CHUNK, |index, chunk| {
        let start = index * CHUNK;
        vector::subtract_assign(chunk, &c[start..start + chunk.len()]);
    });
    drop(c);
    Ok(to_canonical(&a))
}

/// From values on the domain to values on its coset.
fn extend<F: ScalarField>(domain: &Domain<F>, values: &mut [F]) {
    domain
        .extend_to_coset(values, coset_shift(domain.log_size()))
        .expect("vectors of the domain's size, and a root of unity is not zero");
}

fn to_canonical<F: ScalarField>(values: &[F]) -> Zeroizing<Vec<[u64; 4]>> {
    let mut scalars = Zeroizing::new(filled([0; 4], values.len()));
    for_each_chunk_mut(&mut scalars, CHUNK, |index, chunk| {
        let start = index * CHUNK;
        vector::to_canonical(&values[start..start + chunk.len()], chunk);
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
