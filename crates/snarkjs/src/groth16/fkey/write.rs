//! A zkey into the container, and back.

use super::table::{ALIGNMENT, BLOCK, Encoding, Entry, Hasher, footer, header};
use super::{Fkey, KIND, KeyCoefficients, StoredPoints, encode, templates};
use crate::groth16::zkey::{Zkey, coefficients};
use crate::points::Points;
use blake2::Digest;
use frumious_circom::container;
use frumious_circom::{Error, FileKind};
use frumious_curves::PairingEngine;
use frumious_curves::engine::PairingGroup;
use frumious_groth16::Coefficient;
use std::io::{self, Write};

/// Writes `zkey` as an `.fkey` to `out`, which should be buffered. [`Fkey::write_zkey`] is the way back, to the same
/// bytes.
///
/// Memory: the distinct coefficients, a bit for each point, 32 bytes for each 2^20. Templates are looked for in 2^21
/// rows or 2^23 coefficients at a time. That takes 0.1 GB for a circuit that repeats itself, and 0.5 GB where nothing
/// does.
///
/// # Errors
/// [`Error::Write`] when `out` fails; [`Error::Malformed`] if the file changes under the mapping.
pub fn write_fkey<E: PairingEngine>(zkey: &Zkey<E>, out: impl Write) -> Result<(), Error> {
    write(zkey, out).map_err(|source| Error::Write { file: KIND, source })?
}

fn write<E: PairingEngine>(zkey: &Zkey<E>, out: impl Write) -> io::Result<Result<(), Error>> {
    let bytes: &[u8] = zkey.bytes();
    let (sections, end) = match container::frames(bytes, FileKind::Zkey) {
        Ok(frames) => frames,
        Err(error) => return Ok(Err(error)),
    };
    let mut stored = Stored {
        out,
        position: 0,
        hasher: Hasher::new(),
        in_block: 0,
        digests: Vec::new(),
    };
    let header = header();
    stored.out.write_all(&header)?;
    stored.position = header.len() as u64;
    let mut entries = Vec::new();
    for (section, payload) in sections {
        let entry = stored.section(zkey, section, &bytes[payload])?;
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => return Ok(Err(error)),
        }
    }
    if end < bytes.len() {
        let mut entry = stored.begin(0, Encoding::Tail, bytes.len() - end)?;
        stored.write_all(&bytes[end..])?;
        stored.finish_entry(&mut entry, 0, 0);
        entries.push(entry);
    }
    let table_offset = stored.position;
    let mut table: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    let (mut out, digests) = stored.finish();
    table.extend(digests.as_flattened());
    out.write_all(&table)?;
    out.write_all(&footer(&header, &table, table_offset, entries.len() as u64))?;
    out.flush().map(Ok)
}

/// The bytes between header and table, with their digests.
struct Stored<W> {
    out: W,
    position: u64,
    hasher: Hasher,
    in_block: usize,
    digests: Vec<[u8; 32]>,
}

impl<W: Write> Stored<W> {
    fn section<E: PairingEngine>(
        &mut self,
        zkey: &Zkey<E>,
        section: u32,
        payload: &[u8],
    ) -> io::Result<Result<Entry, Error>> {
        let length = payload.len();
        Ok(Ok(match section {
            5 => self.points(section, zkey.a())?,
            6 => self.points(section, zkey.b1())?,
            7 => self.points(section, zkey.b2())?,
            8 => self.points(section, zkey.c())?,
            4 if encode::are_in_rows(&zkey.coefficients()) => {
                return self.rows(zkey, section, length);
            }
            _ => {
                let mut entry = self.begin(section, Encoding::Plain, length)?;
                self.write_all(payload)?;
                self.finish_entry(&mut entry, 0, 0);
                entry
            }
        }))
    }

    /// Section 4, in rows: by templates if that pays.
    fn rows<E: PairingEngine>(
        &mut self,
        zkey: &Zkey<E>,
        section: u32,
        length: usize,
    ) -> io::Result<Result<Entry, Error>> {
        let coefficients = zkey.coefficients();
        let found = match templates::find(&coefficients, zkey.header()) {
            Ok(found) => found,
            Err(error) => return Ok(Err(error)),
        };
        if let Some(found) = found {
            let mut entry = self.begin(section, Encoding::Templates, length)?;
            self.write_all(&found.stored)?;
            self.finish_entry(&mut entry, found.rows, found.values);
            return Ok(Ok(entry));
        }
        let mut entry = self.begin(section, Encoding::Rows, length)?;
        Ok(encode::encode(&coefficients, self)?.map(|(rows, values)| {
            self.finish_entry(&mut entry, rows, values);
            entry
        }))
    }

    fn points<P: PairingGroup>(
        &mut self,
        section: u32,
        points: Points<'_, P>,
    ) -> io::Result<Entry> {
        let mut entry = self.begin(section, Encoding::Points, points.as_bytes().len())?;
        let mut bitmap = vec![0_u8; 8 * points.len().div_ceil(64)];
        let mut present = 0;
        for (i, point) in points.as_bytes().chunks_exact(P::BYTES).enumerate() {
            if !points.is_infinity(i) {
                bitmap[i / 8] |= 1 << (i % 8);
                present += 1;
                self.write_all(point)?;
            }
        }
        if present < points.len() {
            self.write_all(&bitmap)?;
        }
        self.finish_entry(&mut entry, present as u64, 0);
        Ok(entry)
    }

    /// Begins a stored section at the next multiple of the alignment.
    fn begin(&mut self, section: u32, encoding: Encoding, zkey_length: usize) -> io::Result<Entry> {
        let padding = self.position.next_multiple_of(ALIGNMENT as u64) - self.position;
        self.write_all(&[0; ALIGNMENT][..padding as usize])?;
        Ok(Entry {
            section,
            encoding,
            zkey_length: zkey_length as u64,
            offset: self.position,
            length: 0,
            n: 0,
            m: 0,
        })
    }

    fn finish_entry(&self, entry: &mut Entry, n: u64, m: u64) {
        entry.length = self.position - entry.offset;
        (entry.n, entry.m) = (n, m);
    }

    fn finish(mut self) -> (W, Vec<[u8; 32]>) {
        if self.in_block > 0 {
            self.digests.push(self.hasher.finalize().into());
        }
        (self.out, self.digests)
    }
}

impl<W: Write> Write for Stored<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(BLOCK - self.in_block);
        self.out.write_all(&bytes[..count])?;
        self.hasher.update(&bytes[..count]);
        self.in_block += count;
        self.position += count as u64;
        if self.in_block == BLOCK {
            self.digests.push(self.hasher.finalize_reset().into());
            self.in_block = 0;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<E: PairingEngine> Fkey<E> {
    /// Writes the zkey that this was made of, to the byte. `out` should be buffered.
    ///
    /// Does not check the digests of blocks: see [`Fkey::check_blocks`].
    ///
    /// # Errors
    /// [`Error::Malformed`] with section and offset, after what came before was written; [`Error::Write`] when `out`
    /// fails.
    pub fn write_zkey(&self, mut out: impl Write) -> Result<(), Error> {
        let is_section = |entry: &&Entry| entry.encoding != Encoding::Tail;
        let count = self.table.entries.iter().filter(is_section).count();
        // A zkey counts its sections in 32 bits.
        container::write_preamble(&mut out, b"zkey", 1, count as u32).map_err(write_error)?;
        for entry in &self.table.entries {
            if is_section(&entry) {
                container::write_section_start(&mut out, entry.section, entry.zkey_length)
                    .map_err(write_error)?;
            }
            self.write_section(entry, &mut out)
                .map_err(|error| error.in_file_of(&self.bytes))?;
        }
        out.flush().map_err(write_error)
    }

    fn write_section(&self, entry: &Entry, out: &mut impl Write) -> Result<(), Error> {
        match (entry.encoding, entry.section) {
            (Encoding::Points, 5) => write_points(self.a(), out),
            (Encoding::Points, 6) => write_points(self.b1(), out),
            (Encoding::Points, 7) => write_points(self.b2(), out),
            (Encoding::Points, _) => write_points(self.c(), out),
            (Encoding::Rows | Encoding::Templates, _) => self.write_coefficients(out),
            (Encoding::Plain | Encoding::Tail, _) => out
                .write_all(&self.bytes[entry.range()])
                .map_err(write_error),
        }
    }

    fn write_coefficients(&self, out: &mut impl Write) -> Result<(), Error> {
        let coefficients = self.coefficients();
        let count = coefficients.len() as u32; // a zkey counts them in 32 bits
        out.write_all(&count.to_le_bytes()).map_err(write_error)?;
        let mut write = |coefficient: Coefficient<_>| {
            out.write_all(&coefficients::to_bytes(&coefficient))
                .map_err(write_error)
        };
        match coefficients {
            KeyCoefficients::Records(_) => Ok(()), // of the encodings that the caller saw
            KeyCoefficients::Rows(rows) => {
                let mut written = 0;
                rows.for_each(0..rows.rows(), |coefficient| {
                    written += 1;
                    if written > u64::from(count) {
                        return rows.expect_count(written);
                    }
                    write(coefficient)
                })?;
                rows.expect_count(written)
            }
            // Their number was checked when the key was opened.
            KeyCoefficients::Templates(rows) => rows.for_each(0..rows.rows(), write),
        }
    }
}

fn write_points<P: PairingGroup>(
    points: StoredPoints<'_, P>,
    out: &mut impl Write,
) -> Result<(), Error> {
    let present = points.present().as_bytes();
    let Some(entries) = points.entries() else {
        return out.write_all(present).map_err(write_error);
    };
    let zeros = vec![0; P::BYTES];
    let mut next = 0;
    for (entry, point) in entries.zip(present.chunks_exact(P::BYTES)) {
        for _ in next..entry {
            out.write_all(&zeros).map_err(write_error)?;
        }
        out.write_all(point).map_err(write_error)?;
        next = entry + 1;
    }
    (next..points.len()).try_for_each(|_| out.write_all(&zeros).map_err(write_error))
}

fn write_error(source: io::Error) -> Error {
    Error::Write {
        file: FileKind::Zkey,
        source,
    }
}
