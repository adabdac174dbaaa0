//! Banderwagon, the prime-order group of Bandersnatch.
//!
//! Sums are taken in the Weierstrass form of the curve, where an affine addition with a shared inversion costs six
//! products, against eight for the cheapest one in Edwards coordinates. The doublings between windows, and the few additions
//! that go with them, are in Edwards coordinates.

use crate::{LengthMismatch, MsmPoint};
use frumious_curves::bandersnatch::{AffineElement, Element, Fr, WeierstrassAffine};

/// `Σ scalars[i]·points[i]`, the identity for no points at all.
///
/// Shapes: `n` points, by any representatives, and `n` scalars. Parallel over the pool of the caller; the result is the
/// same element for any number of threads. Memory beyond that of [`crate::msm_vartime`]: 96 bytes a pair.
///
/// Time: variable. Errors: [`LengthMismatch`] if the two lengths differ; nothing is computed then.
///
/// ```
/// use frumious_curves::bandersnatch::{AffineElement, Element, Fr};
/// use frumious_msm::bandersnatch::msm_vartime;
///
/// let points = [AffineElement::GENERATOR, Element::GENERATOR.double().to_affine()]; // G, 2G
/// let sum = msm_vartime(&points, &[Fr::from_u64(3), Fr::from_u64(4)])?; // 3·G + 4·2G
/// assert_eq!(sum, Element::GENERATOR.mul_vartime(&Fr::from_u64(11)));
/// # Ok::<(), frumious_msm::LengthMismatch>(())
/// ```
pub fn msm_vartime(points: &[AffineElement], scalars: &[Fr]) -> Result<Element, LengthMismatch> {
    LengthMismatch::check(points.len(), scalars.len())?;
    msm_converted_vartime(&convert_vartime(points), scalars)
}

/// As [`msm_vartime`], for points that were converted before.
///
/// Errors: [`LengthMismatch`] if the two lengths differ; nothing is computed then.
pub fn msm_converted_vartime(
    points: &[WeierstrassAffine],
    scalars: &[Fr],
) -> Result<Element, LengthMismatch> {
    LengthMismatch::check(points.len(), scalars.len())?;
    if points.len() <= ONE_BY_ONE {
        let products = points.iter().zip(scalars).map(|(point, scalar)| {
            let point = point.add_to(&Element::IDENTITY);
            point.mul_vartime(scalar)
        });
        return Ok(products.fold(Element::IDENTITY, |sum, product| sum + product));
    }
    let mut limbs = vec![[0; 4]; scalars.len()];
    frumious_parallel::for_each_chunk_mut(&mut limbs, CHUNK, |index, chunk| {
        for (limbs, scalar) in chunk.iter_mut().zip(&scalars[index * CHUNK..]) {
            *limbs = scalar.to_canonical_limbs();
        }
    });
    crate::msm_vartime(points, &limbs)
}

/// The points in the form in which they are summed; for callers who use the same points often. Six products a point.
///
/// Time: variable. Parallel over the pool of the caller.
pub fn convert_vartime(points: &[AffineElement]) -> Vec<WeierstrassAffine> {
    let mut converted = vec![WeierstrassAffine::IDENTITY; points.len()];
    frumious_parallel::for_each_chunk_mut(&mut converted, CHUNK, |index, chunk| {
        let points = &points[index * CHUNK..][..chunk.len()];
        WeierstrassAffine::batch_from_affine_vartime(points, chunk);
    });
    converted
}

/// Pairs for which products, with the endomorphism, take no longer than a sum: 19 µs each against 40, 43, 46, …
const ONE_BY_ONE: usize = 2;

/// Points to an inversion: enough to make it cheap, few enough that they stay in the level-one cache.
const CHUNK: usize = 256;
