//! A vector of the domain in a temporary file, for proofs in little memory.
//!
//! The vector determines the witness, which must not reach a disk. So it is encrypted and authenticated
//! (ChaCha20-Poly1305, RFC 8439). This process draws the key for this one file, keeps it in memory alone, and wipes it.
//! The file has no name, so that it ends with the process, however that ends.
//!
//! The vector is stored by chunks, each with its tag, in the order of the vector. A nonce is the number of earlier
//! writings of the chunk, and the chunk's number. None is used twice with a key.

use crate::Error;
use chacha20poly1305::aead::array::Array;
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, Key, KeyInit};
use frumious_curves::RandomError;
use frumious_curves::engine::ScalarField;
use frumious_field::vector;
use frumious_parallel::map_indices;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

/// A vector of field elements outside of memory.
pub(super) struct SpilledVector {
    file: Mutex<File>,
    /// Where the file is, for errors.
    dir: PathBuf,
    cipher: ChaCha20Poly1305,
    /// The number of times each chunk has been written.
    generation: u32,
    len: usize,
}

impl SpilledVector {
    /// Room for `len` values in an unnamed file in the folder `dir`.
    ///
    /// Errors: [`Error::Spill`] if no file can be made there; [`Error::Randomness`].
    pub(super) fn new(dir: &Path, len: usize) -> Result<Self, Error> {
        let mut key = Zeroizing::new([0; 32]);
        getrandom::fill(&mut key[..]).map_err(|_| RandomError)?;
        let file = tempfile::tempfile_in(dir).map_err(|source| Error::spill(dir, source))?;
        Ok(Self {
            file: Mutex::new(file),
            dir: dir.into(),
            cipher: ChaCha20Poly1305::new(Key::cast_from_core(&key)),
            generation: 0,
            len,
        })
    }

    /// Bytes in the file of a vector of `len` values.
    pub(super) fn stored_bytes(len: usize) -> u64 {
        VALUE_BYTES as u64 * len as u64 + (TAG_BYTES * len.div_ceil(CHUNK)) as u64
    }

    /// Stores `values`, as many as there is room for.
    ///
    /// Errors: [`Error::Spill`], as for the other methods: writing or reading fails, or what is read is not what was
    /// written.
    pub(super) fn store<F: ScalarField>(&mut self, values: &[F]) -> Result<(), Error> {
        self.generation += 1;
        let this = &*self;
        this.for_each_chunk(|index| {
            let mut chunk = Chunk::new();
            chunk.encode(&values[this.range(index)]);
            this.write(index, &mut chunk, this.generation)
        })
    }

    /// Multiplies each value stored by that of `factors`.
    pub(super) fn multiply_assign<F: ScalarField>(&mut self, factors: &[F]) -> Result<(), Error> {
        self.generation += 1;
        let this = &*self;
        this.for_each_chunk(|index| {
            let factors = &factors[this.range(index)];
            let mut chunk = Chunk::new();
            this.read(index, factors.len(), &mut chunk, this.generation - 1)?;
            let mut values = chunk.decode();
            vector::multiply_assign(&mut values, factors);
            chunk.encode(&values);
            this.write(index, &mut chunk, this.generation)
        })
    }

    /// Replaces each of `values` by that stored less itself.
    pub(super) fn subtract_into<F: ScalarField>(&self, values: &mut [F]) -> Result<(), Error> {
        let failure = Mutex::new(Ok(()));
        frumious_parallel::for_each_chunk_mut(values, CHUNK, |index, values| {
            let mut chunk = Chunk::new();
            match self.read(index, values.len(), &mut chunk, self.generation) {
                Ok(()) => {
                    let mut stored = chunk.decode();
                    vector::subtract_assign(&mut stored, values);
                    values.copy_from_slice(&stored);
                }
                Err(error) => *failure.lock().unwrap_or_else(PoisonError::into_inner) = Err(error),
            }
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn for_each_chunk(
        &self,
        task: impl Fn(usize) -> Result<(), Error> + Send + Sync,
    ) -> Result<(), Error> {
        map_indices(self.len.div_ceil(CHUNK), task)
            .into_iter()
            .collect()
    }

    /// The values of a chunk.
    fn range(&self, index: usize) -> std::ops::Range<usize> {
        index * CHUNK..self.len.min((index + 1) * CHUNK)
    }

    fn write(&self, index: usize, chunk: &mut Chunk, generation: u32) -> Result<(), Error> {
        let nonce = nonce(index, generation);
        let tag =
            self.cipher
                .encrypt_inout_detached(&nonce, &[], chunk.bytes.as_mut_slice().into());
        let tag = tag.map_err(|_| self.error(io::ErrorKind::FileTooLarge.into()))?;
        chunk.bytes.extend_from_slice(&tag);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(place(index))
            .and_then(|_| file.write_all(&chunk.bytes))
            .map_err(|source| self.error(source))
    }

    /// Reads `len` values as bytes.
    fn read(
        &self,
        index: usize,
        len: usize,
        chunk: &mut Chunk,
        generation: u32,
    ) -> Result<(), Error> {
        let mut tag = [0; TAG_BYTES];
        chunk.bytes.resize(len * VALUE_BYTES, 0);
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(place(index))
                .and_then(|_| file.read_exact(&mut chunk.bytes))
                .and_then(|()| file.read_exact(&mut tag))
                .map_err(|source| self.error(source))?;
        }
        let nonce = nonce(index, generation);
        self.cipher
            .decrypt_inout_detached(&nonce, &[], chunk.bytes.as_mut_slice().into(), &Array(tag))
            .map_err(|_| {
                self.error(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "it does not hold what was written",
                ))
            })
    }

    fn error(&self, source: io::Error) -> Error {
        Error::spill(&self.dir, source)
    }
}

/// The bytes of some values, with their tag when encrypted; wiped when dropped.
struct Chunk {
    bytes: Zeroizing<Vec<u8>>,
}

impl Chunk {
    fn new() -> Self {
        Self {
            bytes: Zeroizing::new(Vec::with_capacity(CHUNK * VALUE_BYTES + TAG_BYTES)),
        }
    }

    fn encode<F: ScalarField>(&mut self, values: &[F]) {
        self.bytes.clear();
        for value in values {
            for word in value.to_words() {
                self.bytes.extend_from_slice(&word.to_ne_bytes());
            }
        }
    }

    /// Of bytes that are authentic, and so below the modulus.
    fn decode<F: ScalarField>(&self) -> Zeroizing<Vec<F>> {
        let (words, _) = self.bytes.as_chunks();
        let (values, _) = words.as_chunks();
        let value = |words: &[[u8; 8]; 4]| F::from_words(words.map(u64::from_ne_bytes));
        Zeroizing::new(values.iter().map(value).collect())
    }
}

fn nonce(index: usize, generation: u32) -> chacha20poly1305::Nonce {
    let mut nonce = [0; 12];
    nonce[..4].copy_from_slice(&generation.to_ne_bytes());
    nonce[4..].copy_from_slice(&(index as u64).to_ne_bytes());
    Array(nonce)
}

fn place(index: usize) -> SeekFrom {
    SeekFrom::Start((index * (CHUNK * VALUE_BYTES + TAG_BYTES)) as u64)
}

const VALUE_BYTES: usize = 32;
const TAG_BYTES: usize = 16;

/// Values at a time: with their bytes, what fits the second-level cache. Few in the tests of this crate.
const CHUNK: usize = if cfg!(test) { 1 << 5 } else { 1 << 11 };

#[cfg(test)]
#[allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
mod tests {
    use super::*;
    use frumious_curves::bls12_381;
    use frumious_curves::bn254::Fr;

    /// Edge values and others.
    fn values<F: ScalarField>(len: usize, seed: u64) -> Vec<F> {
        let edges = [F::ZERO, F::ONE, -F::ONE];
        let others = (0..).map(|i| F::from_u64(seed).pow_vartime(&[i + 200]));
        edges.into_iter().chain(others).take(len).collect()
    }

    fn spilled<F: ScalarField>(values: &[F]) -> SpilledVector {
        let mut spilled = SpilledVector::new(&std::env::temp_dir(), values.len()).unwrap();
        spilled.store(values).unwrap();
        spilled
    }

    fn file_of(spilled: &SpilledVector) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut file = spilled.file.lock().unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn overwrite(spilled: &SpilledVector, bytes: &[u8]) {
        let mut file = spilled.file.lock().unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.set_len(0).unwrap();
        file.write_all(bytes).unwrap();
    }

    fn is_refused(spilled: &SpilledVector, len: usize) -> bool {
        let refused = spilled.subtract_into(&mut vec![Fr::ZERO; len]);
        matches!(refused, Err(Error::Spill { .. }))
    }

    fn computes_as_in_memory<F: ScalarField>() {
        for len in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 7] {
            let [a, b, c] = [3, 5, 7].map(|seed| values::<F>(len, seed));
            let mut stored = spilled(&a);
            for times in 1..4 {
                stored.multiply_assign(&b).unwrap();
                let mut difference = c.clone();
                stored.subtract_into(&mut difference).unwrap();
                let product = |a: &F, b: &F| (0..times).fold(*a, |product, _| product * *b);
                let expected = a.iter().zip(&b).map(|(a, b)| product(a, b));
                let expected: Vec<F> = expected.zip(&c).map(|(ab, c)| ab - *c).collect();
                assert_eq!(difference, expected, "{len}, {times}");
            }
            let length = file_of(&stored).len() as u64;
            assert_eq!(length, SpilledVector::stored_bytes(len));
        }
    }

    #[test]
    fn a_spilled_vector_computes_as_one_in_memory() {
        computes_as_in_memory::<Fr>();
        computes_as_in_memory::<bls12_381::Fr>();
    }

    /// Neither the values nor anything that depends on them alone is in the file.
    #[test]
    fn the_file_tells_nothing() {
        let values = vec![Fr::from_u64(1 << 40); 3 * CHUNK];
        let mut stored = spilled(&values);
        let first = file_of(&stored);
        let mut plain = Chunk::new();
        plain.encode(&values[..1]);
        for file in [&first, &file_of(&spilled(&values))] {
            assert!(
                file.windows(16)
                    .all(|window| !plain.bytes.ends_with(window))
            );
            assert!(
                file.windows(8)
                    .all(|window| !plain.bytes.starts_with(window))
            );
        }
        let chunks: Vec<_> = first.chunks(CHUNK * VALUE_BYTES + TAG_BYTES).collect();
        assert!(chunks[0] != chunks[1] && chunks[1] != chunks[2]);
        assert_ne!(first, file_of(&spilled(&values)), "another key");
        stored
            .multiply_assign(&vec![Fr::ONE; values.len()])
            .unwrap();
        assert_ne!(first, file_of(&stored), "another nonce");
    }

    #[test]
    fn a_file_that_was_changed_is_refused() {
        let values = values::<Fr>(2 * CHUNK, 11);
        let mut stored = spilled(&values);
        let old = file_of(&stored);
        stored.multiply_assign(&values).unwrap();
        let file = file_of(&stored);
        assert!(!is_refused(&stored, values.len()));
        for place in [0, 31, 32, file.len() / 2, file.len() - 1] {
            let mut changed = file.clone();
            changed[place] ^= 1;
            overwrite(&stored, &changed);
            assert!(is_refused(&stored, values.len()), "byte {place}");
        }
        overwrite(&stored, &file[..file.len() - 1]);
        assert!(is_refused(&stored, values.len()), "cut off");
        overwrite(&stored, &old);
        assert!(is_refused(&stored, values.len()), "what it held before");
        let (low, high) = file.split_at(file.len() / 2);
        overwrite(&stored, &[high, low].concat());
        assert!(is_refused(&stored, values.len()), "chunks exchanged");
        overwrite(&stored, &file);
        assert!(!is_refused(&stored, values.len()));
    }
}
