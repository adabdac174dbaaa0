//! The file with the seed of a development key.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use frumious_groth16::SEED_BYTES;
use zeroize::Zeroizing;

use crate::failure::Failure;

/// All bytes of a file, as they are; no more is read than a seed may have.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a file that cannot be read, or of another length than a seed may have.
pub fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let bad =
        |what: &dyn std::fmt::Display| Failure::bad_input(format!("{}: {what}", path.display()));
    let most = SEED_BYTES.end() + 1;
    // Room for all of it, so that no copy remains in freed memory.
    let mut seed = Zeroizing::new(Vec::with_capacity(2 * most));
    let read = File::open(path).and_then(|file| file.take(most as u64).read_to_end(&mut seed));
    read.map_err(|error| bad(&error))?;
    if SEED_BYTES.contains(&seed.len()) {
        return Ok(seed);
    }
    let (least, most) = (SEED_BYTES.start(), SEED_BYTES.end());
    Err(bad(&format_args!("a seed has {least} to {most} bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_neither_short_nor_long() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("seed");
        for (length, is_good) in [
            (0, false),
            (15, false),
            (16, true),
            (4096, true),
            (4097, false),
        ] {
            std::fs::write(&path, vec![7; length]).expect("it can be written");
            match read(&path) {
                Ok(seed) => assert!(is_good && *seed == vec![7; length]),
                Err(failure) => assert!(!is_good && failure.message().contains("16 to 4096")),
            }
        }
        assert!(read(folder.path()).is_err());
    }
}
