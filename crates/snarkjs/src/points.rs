//! Arrays of curve points as they lie in a file, decoded when asked for.
//!
//! A point is affine, `x` then `y`, each coordinate little-endian in Montgomery form. R is 2^256, for BLS12-381 2^384.
//! In G2 a coordinate has two coefficients, `c0` first. All zeros is the point at infinity. 64 bytes in G1 and 128 in
//! G2, for BLS12-381 96 and 192. Nothing is aligned.

use std::marker::PhantomData;
use std::ops::Range;

use frumious_curves::engine::PairingGroup;

use frumious_circom::container::Section;
use frumious_circom::{Error, Problem};
use frumious_msm::{
    ScaledPoint, are_in_group_by_sums_vartime, are_in_group_vartime, are_on_curve_vartime,
};
use frumious_parallel::{current_num_threads, map_indices};

use crate::random;

/// An array of points in a file. Copying it copies no points.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a, P> {
    /// Exactly the points: a multiple of their size.
    section: Section<'a>,
    point: PhantomData<P>,
}

impl<'a, P: PairingGroup> Points<'a, P> {
    /// Views a section that holds exactly `count` points.
    pub(crate) fn new(section: Section<'a>, count: u64) -> Result<Self, Error> {
        section.expect_records(0, count, P::BYTES as u64)?;
        Ok(Self {
            section,
            point: PhantomData,
        })
    }

    /// The points `range` of these.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    #[track_caller]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let start = range.start * P::BYTES;
        Self {
            section: Section {
                offset: self.section.offset + start as u64,
                bytes: &self.section.bytes[start..range.end * P::BYTES],
                ..self.section
            },
            point: PhantomData,
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.section.bytes.len() / P::BYTES
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.section.bytes.is_empty()
    }

    /// The encoded points, `len · BYTES` bytes.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.section.bytes
    }

    /// Point `index`, checked: coordinates below `q`, on the curve, in G2 of order `r` (which costs a scalar
    /// multiplication).
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the point.
    ///
    /// # Panics
    /// When `index >= len`.
    pub fn get(&self, index: usize) -> Result<P, Error> {
        P::from_montgomery_bytes(self.encoded(index)).map_err(|reason| {
            let position = index as u64 * P::BYTES as u64;
            self.section.error(position, Problem::Point(reason))
        })
    }

    /// Point `index`, checked as [`Points::get`] does, and not at infinity.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the point.
    ///
    /// # Panics
    /// When `index >= len`.
    pub fn get_finite(&self, index: usize) -> Result<P, Error> {
        let point = self.get(index)?;
        if point == P::default() {
            let position = index as u64 * P::BYTES as u64;
            return Err(self.section.error(position, Problem::Infinity));
        }
        Ok(point)
    }

    /// Point `index`, not checked: for the inner loops of a prover whose key has been checked, or who verifies its
    /// proof. Another encoding gives some wrong point.
    ///
    /// # Panics
    /// When `index >= len`.
    pub fn get_unchecked_encoding(&self, index: usize) -> P {
        P::from_montgomery_bytes_unchecked(self.encoded(index))
    }

    /// True if point `index` is encoded as the point at infinity.
    ///
    /// # Panics
    /// When `index >= len`.
    pub fn is_infinity(&self, index: usize) -> bool {
        self.encoded(index).iter().all(|&byte| byte == 0)
    }

    fn encoded(&self, index: usize) -> &'a [u8] {
        let start = index * P::BYTES;
        &self.section.bytes[start..start + P::BYTES]
    }
}

impl<P: PairingGroup + ScaledPoint> Points<'_, P> {
    /// Checks the points `range`, as [`Points::get`] does, many side by side.
    ///
    /// From 1,024 points on by random sums. They miss a point outside of its group with a probability of 2^-128.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the first bad point.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    pub fn check(&self, range: Range<usize>) -> Result<(), Error> {
        self.check_at(range, |k| k)
    }

    /// As [`Points::check`], of the points `place(k)` for each `k` in `range`.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the first bad point.
    ///
    /// # Panics
    /// When a place is not below `len`.
    pub fn check_at(
        &self,
        range: Range<usize>,
        place: impl Fn(usize) -> usize,
    ) -> Result<(), Error> {
        check_each(
            range,
            |k| P::from_montgomery_bytes_reduced_vartime(self.encoded(place(k))),
            |points| are_on_curve_vartime(points) && are_in_group(points),
            |k| self.get(place(k)).map(|_| ()),
        )
    }

    /// Checks the points `range`, as [`Points::get_finite`] does, in the way of [`Points::check`].
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the first bad point.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    pub fn check_finite(&self, range: Range<usize>) -> Result<(), Error> {
        let is_finite = |point: &P| *point != P::default();
        check_each(
            range,
            |k| P::from_montgomery_bytes_reduced_vartime(self.encoded(k)).filter(is_finite),
            |points| are_on_curve_vartime(points) && are_in_group(points),
            |k| self.get_finite(k).map(|_| ()),
        )
    }

    /// Checks of the points `range` that they are on their curve, and if `finite` that none is at infinity. They may be
    /// outside of their group.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the first bad point.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    pub(crate) fn check_on_curve(&self, range: Range<usize>, finite: bool) -> Result<(), Error> {
        let is_possible = |point: &P| !finite || *point != P::default();
        check_each(
            range,
            |k| P::from_montgomery_bytes_reduced_vartime(self.encoded(k)).filter(is_possible),
            are_on_curve_vartime,
            |k| {
                let point = P::from_montgomery_bytes_on_curve(self.encoded(k));
                let problem = match point {
                    Ok(point) if is_possible(&point) => return Ok(()),
                    Ok(_) => Problem::Infinity,
                    Err(reason) => Problem::Point(reason),
                };
                let position = k as u64 * P::BYTES as u64;
                Err(self.section.error(position, problem))
            },
        )
    }
}

/// Checks that all points that `decode` makes `are_good`, many side by side. Where one is not, or `decode` makes none,
/// `check` tells which it is, and why.
fn check_each<P>(
    range: Range<usize>,
    decode: impl Fn(usize) -> Option<P>,
    are_good: impl Fn(&[P]) -> bool,
    check: impl Fn(usize) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut decoded = Vec::with_capacity(range.len().min(AT_ONCE));
    for start in range.clone().step_by(AT_ONCE) {
        let part = start..range.end.min(start + AT_ONCE);
        decoded.clear();
        decoded.extend(part.clone().map_while(&decode));
        if decoded.len() < part.len() || !are_good(&decoded) {
            part.into_iter().try_for_each(&check)?;
        }
    }
    Ok(())
}

/// True if all points, each on its curve, are in their group. If one is not, true with a probability of 2^-128.
fn are_in_group<P: ScaledPoint>(points: &[P]) -> bool {
    if points.len() >= BY_SUMS_FROM
        && P::FACTOR != 0
        && let Some(choices) = random::choices(points.len())
    {
        return are_in_group_by_sums_vartime(points, &choices);
    }
    are_in_group_vartime(points)
}

/// As [`are_in_group`], in parallel.
pub(crate) fn are_all_in_group<P: ScaledPoint>(points: &[P]) -> bool {
    let per_task = points.len().div_ceil(2 * current_num_threads());
    let per_task = per_task.clamp(BY_SUMS_FROM, AT_ONCE);
    let tasks = points.len().div_ceil(per_task);
    let verdicts = map_indices(tasks, |task| {
        let start = task * per_task;
        are_in_group(&points[start..points.len().min(start + per_task)])
    });
    verdicts.into_iter().all(|is_in| is_in)
}

/// Points that are checked side by side: 0.8 to 3 MB. Fewer in tests, which look at the border of two parts.
const AT_ONCE: usize = if cfg!(test) { 128 } else { 1 << 14 };

/// So many points, and more, are checked by random sums: fewer take as long each by itself.
const BY_SUMS_FROM: usize = if cfg!(test) { 100 } else { 1 << 10 };

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;
    use frumious_circom::FileKind;
    use frumious_curves::engine::PointFromX;
    use frumious_curves::{bls12_381, bn254};
    use frumious_field::{Field, PrimeField};

    fn points<P: PairingGroup>(bytes: &[u8]) -> Points<'_, P> {
        let section = Section {
            file: FileKind::Ptau,
            id: 3,
            offset: 100,
            bytes,
        };
        Points::new(section, (bytes.len() / P::BYTES) as u64).unwrap()
    }

    /// A point that need not be in the group.
    fn of_the_curve<P: PointFromX<Base: PrimeField>>() -> P {
        let x = |k| {
            let mut x = vec![P::Base::ZERO; P::DEGREE];
            x[0] = P::Base::from_u64(k);
            x
        };
        (1..).find_map(|k| P::lift_x_vartime(&x(k), false)).unwrap()
    }

    /// Many at a time say what each point by itself says, whatever is bad, and wherever it is.
    fn many_say_what_each_says<P>(outside: bool)
    where
        P: PairingGroup + ScaledPoint + PointFromX<Base: PrimeField>,
    {
        let count = AT_ONCE + 40;
        let good = P::GENERATOR.to_montgomery_bytes();
        let bytes = good.as_ref().repeat(count);
        points::<P>(&bytes).check(0..count).unwrap();
        points::<P>(&bytes).check_finite(0..count).unwrap();
        points::<P>(&bytes).check(7..7).unwrap();

        let of_the_curve = of_the_curve::<P>().to_montgomery_bytes().as_ref().to_vec();
        let mut off_the_curve = good.as_ref().to_vec();
        off_the_curve[0] ^= 1;
        let mut other_y = good.as_ref().to_vec();
        other_y[P::BYTES / 2] ^= 1;
        let above_the_modulus = vec![0xff; P::BYTES];
        let infinity = vec![0; P::BYTES];
        let bad = [
            &of_the_curve,
            &off_the_curve,
            &above_the_modulus,
            &infinity,
            &other_y,
        ];
        for (kind, encoding) in bad.into_iter().enumerate() {
            // The last place is behind the first that is checked at once. Another bad point behind it does not count.
            for place in [0, 1, AT_ONCE - 1, AT_ONCE + 5] {
                let mut bytes = bytes.clone();
                for (place, encoding) in [(place, encoding), (AT_ONCE + 20, &off_the_curve)] {
                    bytes[place * P::BYTES..][..P::BYTES].copy_from_slice(encoding);
                }
                let points = points::<P>(&bytes);
                let (many, one) = (points.check(0..AT_ONCE + 10), points.get(place).map(|_| ()));
                assert_eq!(format!("{many:?}"), format!("{one:?}"));
                assert_eq!(many.is_ok(), kind == 3 || (kind == 0 && !outside));
                let many = points.check_finite(0..AT_ONCE + 10);
                let one = points.get_finite(place).map(|_| ());
                assert_eq!(format!("{many:?}"), format!("{one:?}"));
                for finite in [false, true] {
                    let many = points.check_on_curve(0..AT_ONCE + 10, finite);
                    assert_eq!(many.is_ok(), kind == 0 || (kind == 3 && !finite));
                    if kind != 0 && (kind != 3 || finite) {
                        assert_eq!(format!("{many:?}"), format!("{one:?}"));
                    }
                }
                let every_other = points.check_at(0..AT_ONCE / 2, |k| 2 * k);
                let meets_it = place % 2 == 0 && place < AT_ONCE;
                assert_eq!(every_other.is_err(), meets_it && points.get(place).is_err());
            }
        }
    }

    #[test]
    fn of_g1() {
        many_say_what_each_says::<bn254::G1Affine>(false);
        many_say_what_each_says::<bls12_381::G1Affine>(true);
    }

    #[test]
    fn of_g2() {
        many_say_what_each_says::<bn254::G2Affine>(true);
        many_say_what_each_says::<bls12_381::G2Affine>(true);
    }
}
