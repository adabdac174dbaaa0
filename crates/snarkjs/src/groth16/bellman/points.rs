//! Points with all coordinates, most significant byte first.

use crate::big_endian::Decoder;
use crate::encoding::{checked_uncompressed, uncompressed_on_curve};
use crate::points::are_all_in_group;
use frumious_circom::container::Section;
use frumious_circom::{Error, FileKind, Problem};
use frumious_curves::EncodingError;
use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_msm::ScaledPoint;
use frumious_parallel::{check_cancelled, map_indices};
use std::io::Write;
use std::marker::PhantomData;
use std::ops::Range;

/// The points of a part, in a file.
pub(super) struct Part<'a, P> {
    section: Section<'a>,
    point: PhantomData<P>,
}

impl<'a, P: PairingGroup<Base: ResidueField>> Part<'a, P> {
    /// The points that a section consists of.
    pub fn new(section: Section<'a>) -> Self {
        Self {
            section,
            point: PhantomData,
        }
    }

    pub fn len(&self) -> usize {
        self.section.bytes.len() / P::BYTES
    }

    /// The points as they are in the file.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.section.bytes
    }
}

impl<P: PairingGroup<Base: ResidueField> + ScaledPoint> Part<'_, P> {
    /// Some of the points, each checked to be in its group or at infinity. In parallel.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the first point that is not.
    pub fn decode(&self, range: Range<usize>) -> Result<Vec<P>, Error> {
        let decoder = Decoder::new();
        let tasks = range.len().div_ceil(POINTS_PER_TASK);
        let parts = map_indices(tasks, |task| {
            let start = range.start + task * POINTS_PER_TASK;
            let end = range.end.min(start + POINTS_PER_TASK);
            let points = start..end;
            let points = points
                .map(|index| self.read(index, |bytes| uncompressed_on_curve(&decoder, bytes)));
            points.collect::<Result<Vec<P>, Error>>()
        });
        let parts: Result<Vec<Vec<P>>, Error> = parts.into_iter().collect();
        let points = parts?.concat();
        if !are_all_in_group(&points) {
            for index in range {
                self.read(index, |bytes| checked_uncompressed::<P>(&decoder, bytes))?;
            }
        }
        Ok(points)
    }

    fn read(
        &self,
        index: usize,
        decode: impl Fn(&[u8]) -> Result<P, EncodingError>,
    ) -> Result<P, Error> {
        let place = index * P::BYTES;
        decode(&self.section.bytes[place..place + P::BYTES])
            .map_err(|reason| self.section.error(place as u64, Problem::Point(reason)))
    }
}

/// Writes points without their number. Encodes them in parallel.
pub(super) fn write_points<P: PairingGroup>(
    out: &mut impl Write,
    points: &[P],
) -> Result<(), Error> {
    for points in points.chunks(GROUP) {
        check_cancelled();
        let parts = map_indices(points.len().div_ceil(POINTS_PER_TASK), |task| {
            let start = task * POINTS_PER_TASK;
            let end = points.len().min(start + POINTS_PER_TASK);
            let points = points[start..end].iter();
            points
                .flat_map(|point| point.to_big_endian_bytes())
                .collect::<Vec<u8>>()
        });
        out.write_all(&parts.concat()).map_err(write_error)?;
    }
    Ok(())
}

/// Writes the number of points.
pub(super) fn write_count(out: &mut impl Write, count: usize) -> Result<(), Error> {
    let count = u32::try_from(count).expect("a key has counts of 32 bits");
    out.write_all(&count.to_be_bytes()).map_err(write_error)
}

/// Writes bytes that are there already.
pub(super) fn write_bytes(out: &mut impl Write, bytes: &[u8]) -> Result<(), Error> {
    bytes.chunks(1 << 20).try_for_each(|part| {
        check_cancelled();
        out.write_all(part).map_err(write_error)
    })
}

pub(super) fn write_error(source: std::io::Error) -> Error {
    Error::Write {
        file: FileKind::MpcParams,
        source,
    }
}

/// Points at a time: 8 MB as points and as bytes, 12 over BLS12-381.
pub(super) const GROUP: usize = 1 << 16;

const POINTS_PER_TASK: usize = 1 << 9;
