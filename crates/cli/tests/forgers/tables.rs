//! Files of tables with wrong entries and right digests: SECURITY.md, "Untrusted input".
//!
//! Each entry in turn is forged in `crates/msm/src/fixed/file/forgeries.rs`.

use sha2::{Digest, Sha256};

use crate::support::Workplace;

const COMMIT: &str = "verkle commit vectors.json --memory 4 --tables tables";
/// Bytes of an entry: x, y and d·x·y.
const ENTRY: usize = 96;

/// A folder with a file of tables, and a vector to commit to.
fn with_tables() -> (Workplace, Vec<u8>, String) {
    let place = Workplace::new();
    place.write(
        "vectors.json",
        r#"{"0": 7, "3": "123456789", "255": "0x01"}"#
            .replace("0x01", &format!("0x01{}", "00".repeat(31))),
    );
    let commitment = place.succeed(COMMIT).stdout;
    let good = place.read("tables");
    (place, good, commitment)
}

/// Where the entries start, behind all that is before them.
fn first_entry(file: &[u8]) -> usize {
    let word = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("8 bytes"));
    let tables = word(8) >> 32;
    (128 + 32 * (tables + word(40)) as usize).next_multiple_of(4096)
}

/// The file with these entries, and every digest right: SHA-256 of each MiB, and of what is before the entries.
fn with_entries(file: &[u8], entries: &[u8]) -> Vec<u8> {
    let first = first_entry(file);
    let mut header = file[..first].to_vec();
    let tables = u32::from_le_bytes(file[12..16].try_into().expect("4 bytes")) as usize;
    for (block, at) in entries
        .chunks(1 << 20)
        .zip((128 + 32 * tables..).step_by(32))
    {
        header[at..at + 32].copy_from_slice(&Sha256::digest(block));
    }
    let digest = Sha256::new()
        .chain_update(&header[..96])
        .chain_update(&header[128..])
        .finalize();
    header[96..128].copy_from_slice(&digest);
    [header.as_slice(), entries].concat()
}

#[test]
fn wrong_entries_are_refused_though_all_digests_are_right() {
    let (place, good, commitment) = with_tables();
    let first = first_entry(&good);
    let entries = &good[first..];
    assert_eq!(entries.len() % ENTRY, 0);
    // Made up of the same parts, the file is the same.
    assert!(with_entries(&good, entries) == good);

    // Of each eight entries, six are displaced.
    let mut displaced = entries.to_vec();
    for eight in displaced.chunks_exact_mut(8 * ENTRY) {
        for pair in eight[ENTRY..7 * ENTRY].chunks_exact_mut(2 * ENTRY) {
            let (left, right) = pair.split_at_mut(ENTRY);
            left.swap_with_slice(right);
        }
    }
    let middle = entries.len() / ENTRY / 2 * ENTRY;
    // One entry in the place of another.
    let mut one = entries.to_vec();
    one.copy_within(..ENTRY, middle);
    // A number that additions use, and that no encoding of the point has.
    let mut third = entries.to_vec();
    third[middle + 64] ^= 1;
    // Off the curve.
    let mut off = entries.to_vec();
    off[middle] ^= 1;
    for (wrong, at) in [
        (displaced, ENTRY),
        (one, middle),
        (third, middle),
        (off, middle),
    ] {
        let file = with_entries(&good, &wrong);
        place.write("tables", &file);
        let ending = place.end_with(2, COMMIT);
        let expected = format!(
            "section entries, byte {}: the entry is not the one for these points\n",
            first + at
        );
        assert_eq!(ending.stdout, "");
        assert!(
            ending.stderr.starts_with("error: tables: ") && ending.stderr.ends_with(&expected),
            "{}",
            ending.stderr
        );
        assert!(place.read("tables") == file, "it was written to");
    }
    place.write("tables", &good);
    assert_eq!(place.succeed(COMMIT).stdout, commitment);
}
