//! A `.wtns` file whose values come a few at a time.

use std::io::Write;
use std::marker::PhantomData;

use frumious_curves::PairingEngine;
use frumious_field::Integer;
use zeroize::Zeroizing;

use super::{SECTION, VALUE_BYTES, check_first};
use crate::container;
use crate::curve::{Modulus, modulus_bytes};
use crate::error::{Error, FileKind};
use crate::words;

/// Writes a `.wtns` file, version 2, whose values come a few at a time.
pub struct WtnsWriter<E, W> {
    out: W,
    n_values: usize,
    written: usize,
    /// The bytes of values, wiped on drop.
    bytes: Zeroizing<Vec<u8>>,
    engine: PhantomData<E>,
}

impl<E: PairingEngine, W: Write> WtnsWriter<E, W> {
    /// A file of `n_values` values. Nothing is written yet.
    pub fn new(out: W, n_values: usize) -> Self {
        Self {
            out,
            n_values,
            written: 0,
            bytes: Zeroizing::default(),
            engine: PhantomData,
        }
    }

    /// Writes the values that follow.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a first value that is not 1, or none the first time; [`Error::Write`] when `out` fails.
    ///
    /// # Panics
    /// For more values than the file has.
    #[track_caller]
    pub fn write(&mut self, values: &[Integer<E::Fr>]) -> Result<(), Error> {
        assert!(
            self.written + values.len() <= self.n_values,
            "too many values"
        );
        if self.written == 0 {
            check_first(values.first().map(Integer::words), SECTION)?;
        }
        self.write_values(values).map_err(write_failed)
    }

    fn write_values(&mut self, values: &[Integer<E::Fr>]) -> std::io::Result<()> {
        if self.written == 0 {
            write_start::<E>(&mut self.out, self.n_values)?;
        }
        let needed = values.len() * VALUE_BYTES;
        if self.bytes.capacity() < needed {
            // Not grown, which would leave a copy of values behind.
            self.bytes = Zeroizing::new(Vec::with_capacity(needed));
        }
        self.bytes.clear();
        for value in values {
            self.bytes
                .extend_from_slice(&words::to_le_bytes(value.words()));
        }
        self.written += values.len();
        self.out.write_all(&self.bytes)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// [`Error::Malformed`] for no value, [`Error::Write`] when `out` fails.
    ///
    /// # Panics
    /// For fewer values than the file has.
    #[track_caller]
    pub fn finish(mut self) -> Result<(), Error> {
        assert_eq!(self.written, self.n_values, "too few values");
        if self.n_values == 0 {
            check_first(None, SECTION)?;
        }
        self.out.flush().map_err(write_failed)
    }
}

/// Writes all that stands before the values.
fn write_start<E: PairingEngine>(out: &mut impl Write, n_values: usize) -> std::io::Result<()> {
    let count = u32::try_from(n_values).map_err(std::io::Error::other)?;
    container::write_preamble(out, b"wtns", 2, 2)?;
    container::write_section_start(out, 1, 40)?;
    out.write_all(&32u32.to_le_bytes())?;
    out.write_all(&modulus_bytes::<E>(Modulus::Scalar))?;
    out.write_all(&count.to_le_bytes())?;
    container::write_section_start(out, 2, u64::from(count) * VALUE_BYTES as u64)
}

fn write_failed(source: std::io::Error) -> Error {
    Error::Write {
        file: FileKind::Wtns,
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bn254::Wtns;
    use frumious_curves::Bn254;
    use frumious_curves::bn254::Fr;

    fn values(count: u64) -> Vec<Integer<Fr>> {
        (1..=count)
            .map(|value| Integer::from_words_unchecked([value, 0, 0, 0]))
            .collect()
    }

    #[test]
    fn pieces_of_any_length_make_the_file_that_a_whole_witness_makes() {
        let values = values(10);
        let mut whole = Vec::new();
        let witness = Wtns::new(values.clone()).expect("the first is 1");
        witness.write(&mut whole).expect("memory takes all");
        for length in 1..=10 {
            let mut pieces = Vec::new();
            let mut writer = WtnsWriter::<Bn254, _>::new(&mut pieces, values.len());
            for piece in values.chunks(length) {
                writer.write(piece).expect("memory takes all");
            }
            writer.finish().expect("memory takes all");
            assert_eq!(pieces, whole, "{length} at a time");
        }
    }

    #[test]
    fn values_that_are_no_witness_are_refused_with_nothing_written() {
        let mut out = Vec::new();
        let mut writer = WtnsWriter::<Bn254, _>::new(&mut out, 2);
        let refused = writer.write(&values(3)[1..]);
        assert!(
            matches!(refused, Err(Error::Malformed { .. })),
            "{refused:?}"
        );
        assert!(out.is_empty());
        let refused = WtnsWriter::<Bn254, _>::new(&mut out, 0).finish();
        assert!(
            matches!(refused, Err(Error::Malformed { .. })),
            "{refused:?}"
        );
        assert!(out.is_empty());
    }

    #[test]
    #[should_panic(expected = "too many values")]
    fn more_values_than_said_are_refused() {
        let _ = WtnsWriter::<Bn254, _>::new(Vec::new(), 2).write(&values(3));
    }

    #[test]
    #[should_panic(expected = "too few values")]
    fn fewer_values_than_said_are_refused() {
        let mut writer = WtnsWriter::<Bn254, _>::new(Vec::new(), 3);
        writer.write(&values(2)).expect("memory takes all");
        let _ = writer.finish();
    }

    #[test]
    fn a_full_disk_is_told() {
        let mut room = [0; 90];
        let mut writer = WtnsWriter::<Bn254, _>::new(&mut room[..], 3);
        let refused = writer.write(&values(3));
        assert!(matches!(refused, Err(Error::Write { .. })), "{refused:?}");
    }
}
