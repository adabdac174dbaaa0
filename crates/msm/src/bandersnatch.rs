//! Banderwagon, the prime-order group of Bandersnatch.
//!
//! Sums are taken in the Weierstrass form of the curve, where an affine addition with a shared inversion costs six
//! products. The cheapest one in Edwards coordinates costs eight. The doublings between windows, and the few additions
//! that go with them, are in Edwards coordinates.

use crate::buckets::Scalar;
use crate::kernel::Portable;
use crate::lanes::InLanes;
use crate::{LengthMismatch, straus};
use frumious_curves::bandersnatch::{AffineElement, Element, Fr, WeierstrassAffine};
use frumious_field::Integer;
use frumious_field::lanes;

/// `Σ scalars[i]·points[i]`, the identity for no points at all.
///
/// Shapes: `n` points, by any representatives, and `n` scalars. Parallel over the pool of the caller; the result is the
/// same element for any number of threads. Memory beyond that of [`crate::msm_vartime`]: 96 bytes a pair.
///
/// Time: variable.
///
/// # Errors
/// [`LengthMismatch`] if the two lengths differ; nothing is computed then.
///
/// ```
/// # mod frumious { pub use ::frumious_curves as curves; pub use ::frumious_msm as msm; }
/// use frumious::curves::bandersnatch::{AffineElement, Element, Fr};
/// use frumious::msm::bandersnatch::msm_vartime;
///
/// let points = [AffineElement::GENERATOR, Element::GENERATOR.double().to_affine()]; // G, 2G
/// let sum = msm_vartime(&points, &[Fr::from_u64(3), Fr::from_u64(4)])?; // 3·G + 4·2G
/// assert_eq!(sum, Element::GENERATOR.mul_vartime(&Fr::from_u64(11)));
/// # Ok::<(), frumious::msm::LengthMismatch>(())
/// ```
pub fn msm_vartime(points: &[AffineElement], scalars: &[Fr]) -> Result<Element, LengthMismatch> {
    LengthMismatch::check(points.len(), scalars.len())?;
    if points.len() <= ONE_BY_ONE {
        let elements = points.iter().map(|point| Element::from(*point));
        return Ok(sum_of_products_vartime(elements, scalars));
    }
    msm_converted_vartime(&convert_vartime(points), scalars)
}

/// As [`msm_vartime`], for points that were converted before.
///
/// # Errors
/// [`LengthMismatch`] if the two lengths differ; nothing is computed then.
pub fn msm_converted_vartime(
    points: &[WeierstrassAffine],
    scalars: &[Fr],
) -> Result<Element, LengthMismatch> {
    LengthMismatch::check(points.len(), scalars.len())?;
    if points.len() <= ONE_BY_ONE {
        let elements = points.iter().map(WeierstrassAffine::to_element);
        return Ok(sum_of_products_vartime(elements, scalars));
    }
    let mut integers = vec![Integer::ZERO; scalars.len()];
    frumious_parallel::for_each_chunk_mut(&mut integers, CHUNK, |index, chunk| {
        for (integer, scalar) in chunk.iter_mut().zip(&scalars[index * CHUNK..]) {
            *integer = Integer::from(*scalar);
        }
    });
    crate::of_pairs_vartime(points, &integers)
}

fn sum_of_products_vartime(elements: impl Iterator<Item = Element>, scalars: &[Fr]) -> Element {
    let products = elements.zip(scalars);
    products.fold(Element::IDENTITY, |sum, (element, scalar)| {
        sum + element.mul_vartime(scalar)
    })
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

/// Few points prepared for a sum whose scalars come later: 16 multiples of each, 1 KiB.
///
/// For up to some fifty points, for which [`msm_vartime`] takes the same way.
///
/// ```
/// # mod frumious { pub use ::frumious_curves as curves; pub use ::frumious_msm as msm; }
/// use frumious::curves::bandersnatch::{AffineElement, Element, Fr};
/// use frumious::msm::bandersnatch::Multiples;
///
/// let multiples = Multiples::new_vartime(&[AffineElement::GENERATOR]);
/// let product = multiples.sum_vartime(&[Fr::from_u64(100)])?;
/// assert_eq!(product, Element::GENERATOR.mul_vartime(&Fr::from_u64(100)));
/// # Ok::<(), frumious::msm::LengthMismatch>(())
/// ```
#[derive(Clone, Debug)]
pub struct Multiples {
    points: usize,
    tables: Vec<WeierstrassAffine>,
}

impl Multiples {
    /// Of these points, by any representatives. Runs on the caller's thread.
    pub fn new_vartime(points: &[AffineElement]) -> Self {
        let converted = convert_vartime(points);
        let tables = match lanes::active() {
            Some(cpu) => straus::tables_vartime(InLanes(cpu), &converted),
            None => straus::tables_vartime(Scalar::<Words>::NEW, &converted),
        };
        Self {
            points: points.len(),
            tables,
        }
    }

    /// `Σ scalars[i]·points[i]`. Runs on the caller's thread.
    ///
    /// # Errors
    /// [`LengthMismatch`] if there are not as many scalars as points; nothing is computed then.
    pub fn sum_vartime(&self, scalars: &[Fr]) -> Result<Element, LengthMismatch> {
        LengthMismatch::check(self.points, scalars.len())?;
        let integers: Vec<Integer<Fr>> = scalars.iter().copied().map(Integer::from).collect();
        Ok(match lanes::active() {
            Some(cpu) => straus::sum_with_tables_vartime(InLanes(cpu), &self.tables, &integers),
            None => straus::sum_with_tables_vartime(Scalar::<Words>::NEW, &self.tables, &integers),
        })
    }
}

/// Pairs for which products, with the endomorphism, take no longer than a sum: 19 µs each against 40, 43, 46, …
const ONE_BY_ONE: usize = 2;

/// The backend on words.
type Words = Portable<WeierstrassAffine>;

/// Points to an inversion: enough to make it cheap, few enough that they stay in the level-one cache.
const CHUNK: usize = 256;
