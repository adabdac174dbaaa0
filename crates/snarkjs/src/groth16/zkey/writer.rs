//! Writes a proving key in constant memory, section by section, in the order 1 to 10.

use std::io::Write;

use frumious_curves::PairingEngine;
use frumious_curves::engine::MontgomeryEncoding;

use super::coefficients::{self, COEFFICIENT_BYTES};
use super::header::{self, GROTH16};
use frumious_circom::container;
use frumious_circom::{Error, FileKind};
use frumious_groth16::{Coefficient, KeyHeader};

/// Writes a proving key into `W`, which should be buffered.
///
/// Call the `write_` functions in the order of the sections: `ic`, `coefficients`, `a`, `b1`, `b2`, `c`, `h`. Each may
/// be called for any number of pieces. [`ZkeyWriter::finish`] comes last. The header fixes how many entries each
/// section takes.
#[derive(Debug)]
pub struct ZkeyWriter<E: PairingEngine, W: Write> {
    out: W,
    header: KeyHeader<E>,
    n_coefficients: u32,
    /// The section being written, 3 to 9.
    section: u32,
    /// Entries it still takes.
    missing: u64,
}

impl<E: PairingEngine, W: Write> ZkeyWriter<E, W> {
    /// Writes the header of a key with `n_coefficients` entries in section 4.
    ///
    /// # Errors
    /// [`Error::Write`] when `out` fails.
    pub fn new(mut out: W, header: &KeyHeader<E>, n_coefficients: u32) -> Result<Self, Error> {
        container::write_preamble(&mut out, b"zkey", 1, 10).map_err(write_error)?;
        let mut writer = Self {
            out,
            header: *header,
            n_coefficients,
            section: FIRST_STREAMED,
            missing: 0,
        };
        writer.write_section(1, &GROTH16.to_le_bytes())?;
        writer.write_section(2, &header::to_bytes(header))?;
        writer.start_section()?;
        Ok(writer)
    }

    /// Goes on with a key whose writing was interrupted. `out` holds, and stands behind, the bytes that an earlier
    /// writer of the same `header` and `n_coefficients` wrote. They end with `entries` entries of `section`.
    ///
    /// # Errors
    /// [`Error::WrongCount`] for a section other than 3 to 9, or one that has not so many entries.
    pub fn resume(
        out: W,
        header: &KeyHeader<E>,
        n_coefficients: u32,
        section: u32,
        entries: u64,
    ) -> Result<Self, Error> {
        let mut writer = Self {
            out,
            header: *header,
            n_coefficients,
            section,
            missing: 0,
        };
        let (expected, _) = writer.shape();
        match expected.checked_sub(entries) {
            Some(missing) if (FIRST_STREAMED..CONTRIBUTIONS).contains(&section) => {
                writer.missing = missing;
                Ok(writer)
            }
            _ => Err(Error::WrongCount {
                file: FileKind::Zkey,
                section,
                expected,
                actual: entries,
            }),
        }
    }

    /// Where the entries of `section`, 3 to 9, begin in the output, and how many there are, written or not.
    pub fn section_place(&self, section: u32) -> (u64, u64) {
        // The preamble, then twelve bytes before each section's payload.
        let mut offset = 12 + 12 + 4 + 12 + header::to_bytes(&self.header).len() as u64;
        for number in FIRST_STREAMED..=section {
            let (entries, size) = self.shape_of(number);
            let count = if number == COEFFICIENTS { 4 } else { 0 };
            offset += 12 + count;
            if number == section {
                return (offset, entries);
            }
            offset += entries * size;
        }
        (offset, 0)
    }

    /// The head of the key.
    pub fn header(&self) -> &KeyHeader<E> {
        &self.header
    }

    /// The output. Its part of the key and its position must be unchanged when the next entry is written.
    pub fn output(&mut self) -> &mut W {
        &mut self.out
    }

    /// Section 3, `n_public + 1` points in all.
    ///
    /// # Errors
    /// [`Error::WrongCount`] for too many points or out of order, [`Error::Write`] when the output fails.
    pub fn write_ic(&mut self, points: &[E::G1]) -> Result<(), Error> {
        self.write_g1(3, points)
    }

    /// Section 4, `n_coefficients` in all.
    ///
    /// # Errors
    /// As [`ZkeyWriter::write_ic`].
    pub fn write_coefficients(&mut self, entries: &[Coefficient<E::Fr>]) -> Result<(), Error> {
        self.take_entries(4, entries.len())?;
        for coefficient in entries {
            self.put(&coefficients::to_bytes(coefficient))?;
        }
        Ok(())
    }

    /// Section 5, `n_wires` points in all.
    ///
    /// # Errors
    /// As [`ZkeyWriter::write_ic`].
    pub fn write_a(&mut self, points: &[E::G1]) -> Result<(), Error> {
        self.write_g1(5, points)
    }

    /// Section 6, `n_wires` points in all.
    ///
    /// # Errors
    /// As [`ZkeyWriter::write_ic`].
    pub fn write_b1(&mut self, points: &[E::G1]) -> Result<(), Error> {
        self.write_g1(6, points)
    }

    /// Section 7, `n_wires` points in all.
    ///
    /// # Errors
    /// As [`ZkeyWriter::write_ic`].
    pub fn write_b2(&mut self, points: &[E::G2]) -> Result<(), Error> {
        self.take_entries(7, points.len())?;
        for point in points {
            self.put(point.to_montgomery_bytes().as_ref())?;
        }
        Ok(())
    }

    /// Section 8, `n_wires - n_public - 1` points in all.
    ///
    /// # Errors
    /// As [`ZkeyWriter::write_ic`].
    pub fn write_c(&mut self, points: &[E::G1]) -> Result<(), Error> {
        self.write_g1(8, points)
    }

    /// Section 9, `domain_size` points in all.
    ///
    /// # Errors
    /// As [`ZkeyWriter::write_ic`].
    pub fn write_h(&mut self, points: &[E::G1]) -> Result<(), Error> {
        self.write_g1(9, points)
    }

    /// Writes section 10 with the hash of the circuit and no contribution, flushes, and returns the output.
    ///
    /// # Errors
    /// [`Error::WrongCount`] when a section is not complete, [`Error::Write`] when the output fails.
    pub fn finish(self, circuit_hash: &[u8; 64]) -> Result<W, Error> {
        let no_contributions = 0u32.to_le_bytes();
        self.finish_with(&[&circuit_hash[..], &no_contributions].concat())
    }

    /// Writes section 10 as another key has it, see [`super::Zkey::contributions_bytes`]; otherwise as
    /// [`ZkeyWriter::finish`].
    ///
    /// # Errors
    /// As [`ZkeyWriter::finish`].
    pub fn finish_with(mut self, contributions: &[u8]) -> Result<W, Error> {
        self.take_entries(CONTRIBUTIONS, 0)?;
        self.write_section(CONTRIBUTIONS, contributions)?;
        self.out.flush().map_err(write_error)?;
        Ok(self.out)
    }

    fn write_g1(&mut self, section: u32, points: &[E::G1]) -> Result<(), Error> {
        self.take_entries(section, points.len())?;
        for point in points {
            self.put(point.to_montgomery_bytes().as_ref())?;
        }
        Ok(())
    }

    /// Moves on to `section` if the ones before it are complete, and counts `entries` of it as written.
    fn take_entries(&mut self, section: u32, entries: usize) -> Result<(), Error> {
        while self.missing == 0 && self.section < section {
            self.section += 1;
            if self.section < CONTRIBUTIONS {
                self.start_section()?;
            }
        }
        let entries = entries as u64;
        if self.section == section && entries <= self.missing {
            self.missing -= entries;
            return Ok(());
        }
        let (expected, _) = self.shape();
        let written = expected - self.missing;
        let actual = if self.section == section {
            written + entries
        } else {
            written
        };
        Err(Error::WrongCount {
            file: FileKind::Zkey,
            section: self.section,
            expected,
            actual,
        })
    }

    fn start_section(&mut self) -> Result<(), Error> {
        let (entries, size) = self.shape();
        self.missing = entries;
        let is_counted = self.section == COEFFICIENTS;
        let length = entries * size + if is_counted { 4 } else { 0 };
        container::write_section_start(&mut self.out, self.section, length).map_err(write_error)?;
        if is_counted {
            let count = self.n_coefficients;
            self.put(&count.to_le_bytes())?;
        }
        Ok(())
    }

    /// Number of entries of the current section and the bytes of one. Both are below 2^32, and so is no product's
    /// overflow possible.
    fn shape(&self) -> (u64, u64) {
        self.shape_of(self.section)
    }

    fn shape_of(&self, section: u32) -> (u64, u64) {
        let header = &self.header;
        let (g1, g2) = (E::G1::BYTES as u64, E::G2::BYTES as u64);
        match section {
            3 => (header::ic_points(header), g1),
            COEFFICIENTS => (self.n_coefficients.into(), COEFFICIENT_BYTES as u64),
            5 | 6 => (header.n_wires.into(), g1),
            7 => (header.n_wires.into(), g2),
            8 => (header::c_points(header), g1),
            9 => (header.domain_size.into(), g1),
            _ => (0, 0),
        }
    }

    fn write_section(&mut self, id: u32, payload: &[u8]) -> Result<(), Error> {
        container::write_section_start(&mut self.out, id, payload.len() as u64)
            .map_err(write_error)?;
        self.put(payload)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes).map_err(write_error)
    }
}

fn write_error(source: std::io::Error) -> Error {
    Error::Write {
        file: FileKind::Zkey,
        source,
    }
}

const FIRST_STREAMED: u32 = 3;
const COEFFICIENTS: u32 = 4;
const CONTRIBUTIONS: u32 = 10;
