//! Sums over groups, and transforms, of numbers in bytes.
//!
//! Numbers have 32 bytes, or 48 in coordinates of BLS12-381. Points are x and y; infinity is all zeros. Everything is
//! checked: numbers below their modulus, points in their group.
//!
//! | order | numbers | coordinates of G2 | as in |
//! |---|---|---|---|
//! | [`ByteOrder::BigEndian`] | the most significant byte first | the imaginary part first | EIP-196, EIP-197 |
//! | [`ByteOrder::LittleEndian`] | the least significant byte first | the real part first | snarkjs's files, unreduced |
//!
//! EIP-2537 has 16 zeros before each number. Bytes come as iterators, so that they may be in memory that others write
//! to, as a buffer of Python is. They are read once, when the work is made; it needs them no more. Nothing is wiped:
//! these are no tasks for secrets.

use frumious_curves::engine::{Coordinates, ScalarField};
use frumious_curves::{PairingCurve, bls12_381, bn254};
use frumious_fft::Domain;
use frumious_field::{Field, Integer, WordField};
use frumious_msm::{EncodedPoint, msm_vartime};

use crate::failure::Failure;

/// A group of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointGroup {
    /// G1 of BN254.
    Bn254G1,
    /// G2 of BN254.
    Bn254G2,
    /// G1 of BLS12-381.
    Bls12_381G1,
    /// G2 of BLS12-381.
    Bls12_381G2,
}

impl PointGroup {
    /// Bytes of a point.
    pub fn point_bytes(self) -> usize {
        match self {
            Self::Bn254G1 => 64,
            Self::Bn254G2 => 128,
            Self::Bls12_381G1 => 96,
            Self::Bls12_381G2 => 192,
        }
    }
}

/// Order of the bytes of a number, and of the parts of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The most significant byte first, and the imaginary part.
    BigEndian,
    /// The least significant byte first, and the real part.
    LittleEndian,
}

impl ByteOrder {
    /// Reverses big-endian bytes for the little-endian order, and back.
    fn turn(self, number: &mut [u8]) {
        match self {
            Self::BigEndian => {}
            Self::LittleEndian => number.reverse(),
        }
    }
}

/// Computation on numbers that were read: the bytes of its result.
pub type Computation = Box<dyn FnOnce() -> Result<Vec<u8>, Failure> + Send>;

/// The sum `Σ scalars[i]·points[i]`: one point. Its time depends on scalars and points.
///
/// # Errors
/// [`Failure::bad_input`] for a number that is not below its modulus, and other lengths than those of the points and as
/// many scalars. The work fails for a point outside its group.
pub fn sum_vartime(
    group: PointGroup,
    order: ByteOrder,
    points: impl ExactSizeIterator<Item = u8>,
    scalars: impl ExactSizeIterator<Item = u8>,
) -> Result<Computation, Failure> {
    match group {
        PointGroup::Bn254G1 => sum::<bn254::G1Affine>(order, points, scalars, of_bn254),
        PointGroup::Bn254G2 => sum::<bn254::G2Affine>(order, points, scalars, of_bn254),
        PointGroup::Bls12_381G1 => sum::<bls12_381::G1Affine>(order, points, scalars, of_bls12_381),
        PointGroup::Bls12_381G2 => sum::<bls12_381::G2Affine>(order, points, scalars, of_bls12_381),
    }
}

/// Coefficients to values at the powers of a root of unity in natural order, or back. Time is constant.
///
/// # Errors
/// [`Failure::bad_input`] for a value that is not below the modulus, and another number of values than a power of two.
pub fn transform(
    curve: PairingCurve,
    order: ByteOrder,
    inverse: bool,
    values: impl ExactSizeIterator<Item = u8>,
) -> Result<Computation, Failure> {
    match curve {
        PairingCurve::Bn254 => transform_over::<bn254::Fr>(order, inverse, values),
        PairingCurve::Bls12_381 => transform_over::<bls12_381::Fr>(order, inverse, values),
    }
}

/// A coordinate of its big-endian bytes, if it is below the modulus.
type Number<T> = fn(&[u8]) -> Option<T>;

fn of_bn254(bytes: &[u8]) -> Option<bn254::Fq> {
    bn254::Fq::from_be_bytes(bytes.try_into().ok()?).into()
}

fn of_bls12_381(bytes: &[u8]) -> Option<bls12_381::Fq> {
    bls12_381::Fq::from_be_bytes(bytes.try_into().ok()?).into()
}

fn sum<P: EncodedPoint + Coordinates<Base: Field>>(
    order: ByteOrder,
    points: impl ExactSizeIterator<Item = u8>,
    scalars: impl ExactSizeIterator<Item = u8>,
    number: Number<<P as Coordinates>::Base>,
) -> Result<Computation, Failure> {
    let point_bytes = P::default().to_big_endian_bytes().len();
    let coordinate_bytes = point_bytes / 2;
    let mut numbers = Vec::with_capacity(points.len() / coordinate_bytes * P::DEGREE);
    let mut coordinate = vec![0; coordinate_bytes];
    each(
        points,
        "point",
        point_bytes,
        &mut coordinate,
        |place, bytes| {
            order.turn(bytes);
            // Big-endian now, so the imaginary part comes first.
            for bytes in bytes.rchunks_exact(coordinate_bytes / P::DEGREE) {
                let bad = || {
                    let point = place / 2;
                    Failure::bad_input(format!(
                        "point {point}: a coordinate is not below the modulus"
                    ))
                };
                numbers.push(number(bytes).ok_or_else(bad)?);
            }
            Ok(())
        },
    )?;
    let scalars: Vec<Integer<P::Scalar>> = integers(order, scalars, "scalar")?;
    Ok(Box::new(move || {
        let of_point = 2 * P::DEGREE;
        let point = |place: usize| {
            let numbers = &numbers[of_point * place..][..of_point];
            if numbers.iter().all(|number| *number == Field::ZERO) {
                return Ok(P::default());
            }
            P::from_coefficients(numbers).map_err(|error| (place, error))
        };
        let points = frumious_parallel::map_indices(numbers.len() / of_point, point);
        let points: Result<Vec<P>, _> = points.into_iter().collect();
        let points = points
            .map_err(|(place, error)| Failure::bad_input(format!("point {place}: {error}")))?;
        let sum = msm_vartime(&points[..], &scalars);
        let sum = sum.map_err(|_| Failure::bad_input("as many scalars as points are expected"))?;
        let mut bytes = P::from(sum).to_big_endian_bytes();
        for coordinate in bytes.chunks_exact_mut(coordinate_bytes) {
            order.turn(coordinate);
        }
        Ok(bytes)
    }))
}

fn transform_over<F: ScalarField>(
    order: ByteOrder,
    inverse: bool,
    values: impl ExactSizeIterator<Item = u8>,
) -> Result<Computation, Failure> {
    let values: Vec<Integer<F>> = integers(order, values, "value")?;
    if !values.len().is_power_of_two() {
        return Err(Failure::bad_input("values: a power of two is expected"));
    }
    Ok(Box::new(move || {
        let mut values: Vec<F> = values.into_iter().map(Integer::to_element).collect();
        let bad = |error: frumious_fft::Error| Failure::bad_input(error.to_string());
        let domain = Domain::<F>::new(values.len().ilog2()).map_err(bad)?;
        match inverse {
            false => domain.fft(&mut values).map_err(bad)?,
            true => domain.ifft(&mut values).map_err(bad)?,
        }
        let mut bytes = vec![0; values.len() * NUMBER_BYTES];
        for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(NUMBER_BYTES)) {
            bytes.copy_from_slice(&value.to_be_bytes());
            order.turn(bytes);
        }
        Ok(bytes)
    }))
}

/// Integers below the order of a group.
fn integers<F: WordField>(
    order: ByteOrder,
    bytes: impl ExactSizeIterator<Item = u8>,
    name: &str,
) -> Result<Vec<Integer<F>>, Failure> {
    let mut integers = Vec::with_capacity(bytes.len() / NUMBER_BYTES);
    each(
        bytes,
        name,
        NUMBER_BYTES,
        &mut [0; NUMBER_BYTES],
        |place, bytes| {
            order.turn(bytes);
            let mut words = [0; 4];
            for (word, bytes) in words.iter_mut().rev().zip(bytes.as_chunks().0) {
                *word = u64::from_be_bytes(*bytes);
            }
            let integer = Option::from(Integer::new(words));
            let bad = || Failure::bad_input(format!("{name} {place}: not below the modulus"));
            integers.push(integer.ok_or_else(bad)?);
            Ok(())
        },
    )?;
    Ok(integers)
}

/// Fills `part` again and again, and gives it away with its place. Its length divides the `item_bytes` of an item.
fn each(
    mut bytes: impl ExactSizeIterator<Item = u8>,
    name: &str,
    item_bytes: usize,
    part: &mut [u8],
    mut take: impl FnMut(usize, &mut [u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if !bytes.len().is_multiple_of(item_bytes) {
        let message = format!("{name}s: {item_bytes} bytes each are expected");
        return Err(Failure::bad_input(message));
    }
    for place in 0..bytes.len() / part.len() {
        part.fill_with(|| bytes.next().unwrap_or_default()); // as many as it said
        take(place, part)?;
    }
    Ok(())
}

/// Bytes of a number below the order of a group.
const NUMBER_BYTES: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    fn summed(group: PointGroup, order: ByteOrder, points: &[u8], scalar: u8) -> Vec<u8> {
        let mut number = [0; NUMBER_BYTES];
        number[NUMBER_BYTES - 1] = scalar;
        order.turn(&mut number);
        let (points, scalars) = (points.iter().copied(), number.into_iter());
        let work = sum_vartime(group, order, points, scalars).expect("numbers");
        work().expect("a sum")
    }

    /// Generators by their own encoding: its halves reversed are the little-endian form.
    #[test]
    fn orders_are_the_reverse_of_each_other() {
        fn generator<P: EncodedPoint>(point: P) -> Vec<u8> {
            point.to_big_endian_bytes()
        }
        let generators = [
            (PointGroup::Bn254G1, generator(bn254::G1Affine::GENERATOR)),
            (PointGroup::Bn254G2, generator(bn254::G2Affine::GENERATOR)),
            (
                PointGroup::Bls12_381G1,
                generator(bls12_381::G1Affine::GENERATOR),
            ),
            (
                PointGroup::Bls12_381G2,
                generator(bls12_381::G2Affine::GENERATOR),
            ),
        ];
        for (group, point) in generators {
            assert_eq!(point.len(), group.point_bytes());
            let turned = |bytes: &[u8]| {
                let mut bytes = bytes.to_vec();
                let half = bytes.len() / 2;
                bytes.chunks_exact_mut(half).for_each(<[u8]>::reverse);
                bytes
            };
            assert_eq!(summed(group, ByteOrder::BigEndian, &point, 1), point);
            let tripled = summed(group, ByteOrder::BigEndian, &point, 3);
            assert_ne!(tripled, point);
            let little = summed(group, ByteOrder::LittleEndian, &turned(&point), 3);
            assert_eq!(turned(&little), tripled, "{group:?}");
        }
    }
}
