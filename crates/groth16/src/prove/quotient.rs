//! The quotient (a·b − c)/Z, without division.
//!
//! The polynomials a, b and c have degree below n and are given on H, the n-th roots of unity. The numerator a·b − c
//! vanishes on H, so it is a multiple of Z = Xⁿ − 1. Its degree is at most 2n − 2: its values on another coset of H
//! determine it.
//!
//! The coset is that of the odd 2n-th roots, s·H with s of order 2n, where Z is the constant −2. The key's H points are
//! the Lagrange basis there with all constants in it. The numerator's values are therefore the scalars of the sum.
//!
//! At the largest domain the field has no root of order 2n. There s is 25 = 5², as in snarkjs: the square of the
//! smallest non-residue, which is 5 for both curves.

use super::rows::{Evaluations, Side, zeros};
use super::spill::SpilledVector;
use super::wipe::wipe;
use crate::Error;
use crate::domain::coset_shift;
use frumious_curves::engine::ScalarField;
use frumious_fft::Domain;
use frumious_field::{Integer, vector};
use frumious_parallel::{for_each_chunk_mut, part, trace};
use zeroize::Zeroizing;

/// The values of `a·b − c` on the shifted domain; `c` is `a·b` on the domain itself.
///
/// `a`, `b`: values on the domain, in its natural order. Consumes them: at no time are there more than three vectors of
/// the domain.
pub(super) fn numerator<F: ScalarField>(
    domain: &Domain<F>,
    mut a: Evaluations<F>,
    mut b: Evaluations<F>,
) -> Evaluations<F> {
    let mut c = zeros(domain.size());
    for_each_chunk_mut(&mut c, CHUNK, |index, chunk| {
        let range = index * CHUNK..index * CHUNK + chunk.len();
        moves(3, chunk);
        vector::multiply(&a[range.clone()], &b[range], chunk);
    });
    let mut all = [&mut a, &mut b, &mut c];
    match frumious_parallel::current_num_threads() {
        1 => {
            for (third, values) in (0..).zip(all) {
                at_step(third, 3, || extend(domain, values));
            }
        }
        // Side by side: a pass over one vector may end while another's begins.
        _ => for_each_chunk_mut(&mut all, 1, |_, vectors| {
            for values in vectors {
                extend(domain, values);
            }
        }),
    }
    for_each_chunk_mut(&mut c, CHUNK, |index, chunk| {
        let range = index * CHUNK..index * CHUNK + chunk.len();
        moves(4, chunk);
        vector::multiply_subtract(&a[range.clone()], &b[range], chunk);
    });
    wipe(a);
    wipe(b);
    c
}

/// As [`numerator`] with two vectors of the domain: `rows` gives `a·b` on the domain once `a` and `b` have become one.
pub(super) fn numerator_in_two_vectors<F: ScalarField>(
    domain: &Domain<F>,
    mut a: Evaluations<F>,
    mut b: Evaluations<F>,
    rows: impl FnOnce(&mut [F], Side) -> Result<(), Error>,
) -> Result<Evaluations<F>, Error> {
    at_step(0, 4, || extend(domain, &mut a));
    at_step(1, 4, || extend(domain, &mut b));
    for_each_chunk_mut(&mut a, CHUNK, |index, chunk| {
        let start = index * CHUNK;
        moves(3, chunk);
        vector::multiply_assign(chunk, &b[start..start + chunk.len()]);
    });
    let mut c = b;
    at_step(2, 4, || rows(&mut c, Side::Products))?;
    at_step(3, 4, || extend(domain, &mut c));
    for_each_chunk_mut(&mut a, CHUNK, |index, chunk| {
        let start = index * CHUNK;
        moves(3, chunk);
        vector::subtract_assign(chunk, &c[start..start + chunk.len()]);
    });
    wipe(c);
    Ok(a)
}

/// As [`numerator`] with one vector of the domain in memory and one in `spilled`. `values` are those of `a`, and in the
/// end the numerator's; `rows` gives `b`, then `a·b`, on the domain.
pub(super) fn numerator_in_one_vector<F: ScalarField>(
    domain: &Domain<F>,
    values: &mut [F],
    spilled: &mut SpilledVector,
    rows: impl Fn(&mut [F], Side) -> Result<(), Error>,
) -> Result<(), Error> {
    at_step(0, 6, || extend(domain, values));
    spilled.store(values)?;
    at_step(1, 6, || rows(values, Side::B))?;
    at_step(2, 6, || extend(domain, values));
    spilled.multiply_assign(values)?;
    at_step(3, 6, || rows(values, Side::Products))?;
    at_step(4, 6, || extend(domain, values));
    at_step(5, 6, || spilled.subtract_into(values))
}

/// The values as canonical integers, in the same memory.
pub(super) fn to_scalars<F: ScalarField>(mut values: Evaluations<F>) -> Zeroizing<Vec<Integer<F>>> {
    // The Montgomery form of a value over R is the integer.
    let inverse = Integer::ONE.to_element_of_form();
    for_each_chunk_mut(&mut values, CHUNK, |_, chunk| {
        moves(2, chunk);
        vector::scale(chunk, &inverse)
    });
    // Of elements of one size such a vector is made in place.
    let values = std::mem::take(&mut *values);
    Zeroizing::new(values.into_iter().map(Integer::montgomery_form).collect())
}

/// As many elements as `chunk` has are read or written so many times: for traces.
fn moves<F>(times: u64, chunk: &[F]) {
    trace::moves(|| times * size_of_val(chunk) as u64);
}

/// Runs the work of one of `steps` that take about equally long.
fn at_step<T>(step: u32, steps: u32, work: impl FnOnce() -> T) -> T {
    let at = |step: u32| f64::from(step) / f64::from(steps);
    part(at(step), at(step + 1), work)
}

/// As [`numerator`] of ranges of the vectors on the coset, with a vector of the range to work in: the scalars of a sum.
pub(super) fn numerator_scalars<F: ScalarField>(
    mut a: Evaluations<F>,
    b: &[F],
    c: &[F],
) -> Zeroizing<Vec<Integer<F>>> {
    for_each_chunk_mut(&mut a, CHUNK, |index, chunk| {
        let range = index * CHUNK..index * CHUNK + chunk.len();
        vector::multiply_assign(chunk, &b[range.clone()]);
        vector::subtract_assign(chunk, &c[range]);
    });
    to_scalars(a)
}

/// From values on the domain to values on its coset.
pub(super) fn extend<F: ScalarField>(domain: &Domain<F>, values: &mut [F]) {
    domain
        .extend_to_coset(values, coset_shift(domain.log_size()))
        .expect("vectors of the domain's size, and a root of unity is not zero");
}

const CHUNK: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::{bls12_381, bn254};

    /// The conversion happens in place. A copy would not be wiped, and would take memory that the plan does not count.
    fn scalars_stay_where_the_values_were<F: ScalarField>() {
        for len in [0, 1, 3, CHUNK, 2 * CHUNK + 5] {
            let edges = [F::ZERO, F::ONE, -F::ONE, F::from_u64(1 << 40)];
            let values: Vec<F> = edges.into_iter().cycle().take(len).collect();
            let expected: Vec<_> = values.iter().copied().map(Integer::from).collect();
            let place = values.as_ptr().addr();
            let scalars = to_scalars(Zeroizing::new(values));
            assert_eq!(*scalars, expected);
            assert!(len == 0 || scalars.as_ptr().addr() == place);
        }
    }

    #[test]
    fn scalars_are_made_in_place() {
        scalars_stay_where_the_values_were::<bn254::Fr>();
        scalars_stay_where_the_values_were::<bls12_381::Fr>();
    }
}
