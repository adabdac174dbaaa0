//! The properties of files of tables.
//!
//! Opening returns, and names a place in the file when it refuses. A table that it returns can be used, and is the one
//! that was saved.

use frumious_curves::bandersnatch::{AffineElement, Element, Fr};
use frumious_msm::fixed::{Banderwagon, Error, FixedBase};
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// Any bytes as a table for [`points`].
pub fn table_file(bytes: &[u8]) {
    // The digests keep a fuzzer out: with right ones it comes to what lies behind. Its entries must be right all the
    // same.
    let consistent = with_digests(bytes);
    for bytes in [Some(bytes), consistent.as_deref()].into_iter().flatten() {
        let Some(table) = open(bytes) else { continue };
        let scalars = [Fr::from_u64(u64::MAX), -Fr::ONE];
        let sum = points()
            .iter()
            .zip(&scalars)
            .map(|(point, scalar)| Element::from(*point).mul_vartime(scalar))
            .sum::<Element>();
        assert_eq!(table.commit_vartime(&scalars).unwrap(), sum);
    }
}

/// The generator and its double.
pub fn points() -> [AffineElement; 2] {
    [Element::GENERATOR, Element::GENERATOR.double()].map(|element| element.to_affine())
}

fn open(bytes: &[u8]) -> Option<FixedBase<Banderwagon>> {
    let path = path();
    std::fs::write(&path, bytes).unwrap();
    let result = FixedBase::<Banderwagon>::open(&path, &points());
    std::fs::remove_file(&path).unwrap();
    match result {
        Ok(table) => {
            assert!(table.memory_bytes() <= bytes.len());
            Some(table)
        }
        Err(Error::Malformed { offset, .. }) => {
            assert!(offset <= bytes.len() as u64);
            None
        }
        Err(error) => {
            assert!(bytes.is_empty(), "{error}");
            None
        }
    }
}

/// A file that no other process and no other thread has.
fn path() -> PathBuf {
    let name = format!(
        "frumious-table-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    );
    std::env::temp_dir().join(name)
}

/// The bytes with the checksums of the entries and the digest of the header that they must have, see `fixed/file.rs`.
fn with_digests(bytes: &[u8]) -> Option<Vec<u8>> {
    const BLOCK: usize = 1 << 20;
    let mut bytes = bytes.to_vec();
    let tables = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
    let count = u64::from_le_bytes(bytes.get(40..48)?.try_into().ok()?);
    let checksums = 128 + 32usize.checked_mul(tables)?;
    let end = usize::try_from(count)
        .ok()?
        .checked_mul(32)?
        .checked_add(checksums)?;
    let first = end.checked_next_multiple_of(4096)?;
    if first > bytes.len() {
        return None;
    }
    let (header, entries) = bytes.split_at_mut(first);
    for (checksum, block) in header[checksums..end]
        .chunks_exact_mut(32)
        .zip(entries.chunks(BLOCK))
    {
        checksum.copy_from_slice(&Sha256::digest(block));
    }
    let digest = Sha256::new()
        .chain_update(&header[..96])
        .chain_update(&header[128..]);
    let digest = digest.finalize();
    header[96..128].copy_from_slice(&digest);
    Some(bytes)
}
