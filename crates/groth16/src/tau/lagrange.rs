//! From powers to Lagrange bases: inverse transforms of points.
//!
//! For a domain of n elements with the root ω, `L_i(τ) = 1/n·Σ ω^(-ij)·τʲ`: the transform of τʲ/n. Points are put in
//! bit-reversed order. Then layer by layer pairs become `(a + w·b, a - w·b)`, with digits of w and affine batches
//! (`transform`). The same τʲ serve every domain, each divided by its own n. So they are divided once by
//! the largest n, and doubled for the others.

use super::transform::{POINTS_PER_TASK, multiply_all, transform};
use crate::{Error, domain::domain};
use frumious_curves::engine::ScalarField;
use frumious_curves::{Group, ScalarDigits};
use frumious_field::{Field, PrimeField};
use frumious_msm::{PointList, ScaledPoint};
use std::ops::RangeInclusive;

/// Gives `visit` the Lagrange bases at τ of the domains of `2^k` elements, for each k of `logs` in its order.
///
/// `powers` are τⁱ times any one factor, which the bases have then, too. Of the largest domain the last power may be
/// missing: it is taken as infinity. In parallel. Memory: [`lagrange_bytes`].
///
/// `progress` is told how much of all is done, from 0 to 1.
///
/// Time: variable.
///
/// # Errors
/// [`Error::CircuitTooLarge`] for a domain without a root of unity; those of `visit`.
///
/// # Panics
/// For fewer powers than the largest domain has elements, less one.
#[track_caller]
pub fn lagrange_bases<A>(
    powers: PointList<'_, A>,
    logs: RangeInclusive<u32>,
    progress: &dyn Fn(f64),
    visit: &mut dyn FnMut(&[A]) -> Result<(), Error>,
) -> Result<(), Error>
where
    A: ScaledPoint + Group<Scalar: ScalarField>,
{
    let (first, log_n) = logs.into_inner();
    let n = 1_usize << log_n;
    assert!(
        powers.len() + 1 >= n,
        "{} powers but {n} elements",
        powers.len()
    );
    let inverse_root = domain::<A::Scalar>(log_n)?.root_inverse();
    // A layer of each domain takes as many products as it has pairs.
    let pairs = |log: u32| (u64::from(log) << log >> 1) as f64;
    let all = 2.0 * f64::from(1 << log_n.min(30)) + (first..=log_n).map(pairs).sum::<f64>();
    let mut done = 0.0;
    let mut layer_done = |more: f64| {
        done += more;
        progress((done / all).min(1.0));
    };

    let mut divided = vec![A::default(); n];
    let given = powers.len().min(n);
    let size = A::Scalar::from_u64(n as u64).invert().into_option();
    let size = size.unwrap_or(A::Scalar::ONE); // n is a power of two, and the order odd
    multiply_all(powers.slice(0..given), &size, &mut divided[..given]);
    layer_done(n as f64);
    for log in first..log_n {
        let mut basis = vec![A::default(); 1 << log];
        let factor = A::Scalar::from_u64(1 << (log_n - log));
        multiply_all((&divided[..1 << log]).into(), &factor, &mut basis);
        let root = (log..log_n).fold(inverse_root, |root, _| root.square());
        transform(&mut basis, &root, &mut layer_done);
        visit(&basis)?;
    }
    transform(&mut divided, &inverse_root, &mut layer_done);
    visit(&divided)
}

/// Memory that [`lagrange_bases`] takes for bases of at most `2^log_n` points, with this number of threads.
pub fn lagrange_bytes<A>(log_n: u32, threads: usize) -> u64 {
    let points = (3 * size_of::<A>() as u64) << log_n >> 1;
    let pairs = (POINTS_PER_TASK / 2) as u64;
    // A task: digits, their schedule, multiples, and both halves gathered.
    let digits = size_of::<ScalarDigits>() as u64;
    let task = pairs * (digits + 64 * 16 + 24 * size_of::<A>() as u64);
    points + threads as u64 * task
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::{Bls12_381, Bn254, PairingEngine};
    use frumious_msm::msm_vartime;

    /// `f·τⁱ` for each `i < n`, as points.
    fn powers<A: Group>(n: usize) -> Vec<A> {
        let tau = A::Scalar::from_u64(0x1234_5678_9abc_def1).square();
        let mut power = A::Scalar::from_u64(77);
        let points: Vec<_> = (0..n)
            .map(|_| {
                let point = A::multiply_vartime(&A::GENERATOR.into(), &power);
                power *= tau;
                point
            })
            .collect();
        A::normalise_vartime(&points)
    }

    /// The naive twin: each sum by itself, with weights from the definition.
    fn check<A: frumious_msm::MsmPoint + ScaledPoint + Group<Scalar: ScalarField>>(
        log_n: u32,
        missing: usize,
        step: usize,
    ) {
        let powers = powers::<A>((1 << log_n) - missing);
        let mut sizes = Vec::new();
        let mut visit = |basis: &[A]| {
            let n = basis.len();
            sizes.push(n);
            let root = domain::<A::Scalar>(n.ilog2()).unwrap().root_inverse();
            let inverse = A::Scalar::from_u64(n as u64)
                .invert()
                .into_option()
                .unwrap();
            for i in (0..n).step_by(step).chain([n - 1]) {
                let mut weight = inverse;
                let rotation = root.pow_vartime(&[i as u64]);
                let given = powers.len().min(n);
                let weights: Vec<_> = (0..given)
                    .map(|_| {
                        let integer = frumious_field::Integer::from(weight);
                        weight *= rotation;
                        integer
                    })
                    .collect();
                let expected = msm_vartime(&powers[..given], &weights).unwrap();
                assert_eq!(A::Projective::from(basis[i]), expected, "{i} of {n}");
            }
            Ok(())
        };
        lagrange_bases((&powers).into(), 0..=log_n, &|_| (), &mut visit).unwrap();
        assert_eq!(
            sizes,
            (0..=log_n).map(|log| 1 << log).collect::<Vec<usize>>()
        );
    }

    #[test]
    fn bases_are_those_of_the_definition() {
        check::<<Bn254 as PairingEngine>::G1>(0, 0, 1);
        check::<<Bn254 as PairingEngine>::G1>(5, 1, 1);
        check::<<Bn254 as PairingEngine>::G1>(12, 1, 501); // more than a task
        check::<<Bn254 as PairingEngine>::G2>(4, 0, 1);
        check::<<Bls12_381 as PairingEngine>::G1>(4, 1, 1);
        check::<<Bls12_381 as PairingEngine>::G2>(3, 0, 1);
    }
}
