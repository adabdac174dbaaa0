//! There and back, and what is not as it should be.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::table::{ENTRY_BYTES, HEADER_BYTES};
use super::*;
use crate::generic::Zkey;
use frumious_circom::container::frames;
use frumious_curves::{Bls12_381, Bn254};
use std::io::Write;
use std::path::PathBuf;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

pub(super) fn bytes_of(name: &str) -> Vec<u8> {
    std::fs::read(data(name)).unwrap()
}

/// The zkey as an fkey, after it came back to the byte from there.
pub(super) fn round_trip<E: PairingEngine>(bytes: &[u8]) -> Vec<u8> {
    let zkey = Zkey::<E>::from_bytes(bytes.to_vec()).unwrap();
    let mut stored = Vec::new();
    write_fkey(&zkey, &mut stored).unwrap();
    let fkey = Fkey::<E>::from_bytes(stored.clone()).unwrap();
    fkey.check_blocks(0..fkey.blocks()).unwrap();
    assert_eq!(fkey.header(), zkey.header());
    assert_eq!(fkey.zkey_length(), bytes.len() as u64);
    let mut back = Vec::new();
    fkey.write_zkey(&mut back).unwrap();
    assert!(back == bytes);
    stored
}

fn is_by_row<E: PairingEngine>(stored: &[u8]) -> bool {
    let fkey = Fkey::<E>::from_bytes(stored.to_vec()).unwrap();
    matches!(fkey.coefficients(), KeyCoefficients::Rows(_))
}

#[test]
fn keys_of_snarkjs_come_back_to_the_byte() {
    for name in ["mul.zkey", "contributed.zkey"] {
        let stored = round_trip::<Bn254>(&bytes_of(name));
        assert!(is_by_row::<Bn254>(&stored), "{name}");
    }
    for name in ["bls12_381/mul.zkey", "bls12_381/contributed.zkey"] {
        let stored = round_trip::<Bls12_381>(&bytes_of(name));
        assert!(is_by_row::<Bls12_381>(&stored), "{name}");
    }
}

/// The format does not change unnoticed; the file is a seed of the fuzzer too.
#[test]
fn the_file_in_the_repository_is_what_is_written() {
    let stored = round_trip::<Bn254>(&bytes_of("mul.zkey"));
    assert!(stored == bytes_of("mul.fkey"));
}

/// The promise of `docs/versions.md`: what version 1 stored comes back, and a later version is refused by name.
#[test]
fn version_1_stays_readable() {
    let mut stored = bytes_of("mul.fkey");
    let mut back = Vec::new();
    let fkey = Fkey::<Bn254>::from_bytes(stored.clone()).unwrap();
    fkey.write_zkey(&mut back).unwrap();
    assert!(back == bytes_of("mul.zkey"));
    stored[4] = 2;
    let error = Fkey::<Bn254>::from_bytes(stored).unwrap_err().to_string();
    assert!(error.contains("version 2 is not supported"), "{error}");
}

/// The sections of a zkey with their types.
pub(super) fn sections(bytes: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let (frames, _) = frames(bytes, FileKind::Zkey).unwrap();
    let sections = frames.into_iter();
    sections
        .map(|(id, range)| (id, bytes[range].to_vec()))
        .collect()
}

pub(super) fn assemble(sections: &[(u32, Vec<u8>)], tail: &[u8]) -> Vec<u8> {
    let mut bytes = b"zkey\x01\0\0\0".to_vec();
    bytes.extend((sections.len() as u32).to_le_bytes());
    for (id, payload) in sections {
        bytes.extend(id.to_le_bytes());
        bytes.extend((payload.len() as u64).to_le_bytes());
        bytes.extend(payload);
    }
    bytes.extend(tail);
    bytes
}

#[test]
fn unusual_keys_come_back_too() {
    let usual = bytes_of("mul.zkey");
    let mut sections = sections(&usual);
    assert!(assemble(&sections, &[]) == usual);
    sections.reverse();
    sections.insert(2, (77, b"of unknown type".to_vec()));
    sections.insert(4, (77, b"again".to_vec()));
    sections.push((u32::MAX, Vec::new()));
    assert!(is_by_row::<Bn254>(&round_trip::<Bn254>(&assemble(
        &sections, b"tail"
    ))));
    let of = |id| move |section: &(u32, Vec<u8>)| section.0 == id;
    // Without contributions.
    sections.retain(|section| section.0 != 10);
    round_trip::<Bn254>(&assemble(&sections, b"t"));
    // Coefficients in another order, and not valid.
    let place = sections.iter().position(of(4)).unwrap();
    let (_, coefficients) = &mut sections[place];
    let good = coefficients.clone();
    let mut records: Vec<[u8; 44]> = good[4..].as_chunks().0.to_vec();
    records.reverse();
    coefficients.splice(4.., records.concat());
    assert!(!is_by_row::<Bn254>(&round_trip::<Bn254>(&assemble(
        &sections, b"tail"
    ))));
    let mut bad = good;
    bad[4] = 2; // no such matrix
    sections[place].1 = bad;
    assert!(!is_by_row::<Bn254>(&round_trip::<Bn254>(&assemble(
        &sections,
        &[]
    ))));
    // All of B at infinity, and nothing of it.
    for (id, payload) in &mut sections {
        if let 6 | 7 = id {
            payload.fill(0);
        }
    }
    let none = round_trip::<Bn254>(&assemble(&sections, &[]));
    for (id, payload) in &mut sections {
        if let 6 | 7 = id {
            payload.fill(1);
        }
    }
    let all = round_trip::<Bn254>(&assemble(&sections, &[]));
    for (stored, is_infinity) in [(none, true), (all, false)] {
        let fkey = Fkey::<Bn254>::from_bytes(stored).unwrap();
        assert_eq!(fkey.b2().present().is_empty(), is_infinity);
        assert_eq!(fkey.b1().entries().is_some(), is_infinity);
        assert!((0..fkey.b1().len()).all(|i| fkey.b1().is_infinity(i) == is_infinity));
    }
}

/// A key of several blocks of rows, with points at infinity here and there.
fn large() -> Vec<u8> {
    let mut sections = sections(&bytes_of("mul.zkey"));
    let (n_wires, n_public, domain) = (3000_u32, 1_u32, 4096_u32);
    let points = |n: u32, size: usize, is_finite: fn(u32) -> bool| {
        let mut bytes = vec![0; n as usize * size];
        for (i, point) in (0..n).zip(bytes.chunks_exact_mut(size)) {
            point[i as usize % size] = u8::from(is_finite(i));
        }
        bytes
    };
    let mut coefficients = 0_u32.to_le_bytes().to_vec();
    let mut count = 0_u32;
    for row in (0..3333_u32).filter(|row| row % 7 != 3) {
        for matrix in 0..2_u32 {
            for k in 0..(row * 3 + matrix) % 4 {
                let wire = (row + 2).wrapping_mul(k.wrapping_mul(2_654_435_761) | 1) % n_wires;
                for field in [matrix, row, wire] {
                    coefficients.extend(field.to_le_bytes());
                }
                coefficients.extend([(row % 500) as u8 % 251; 31]);
                coefficients.push(0);
                count += 1;
            }
        }
    }
    coefficients[..4].copy_from_slice(&count.to_le_bytes());
    for (id, payload) in &mut sections {
        match id {
            2 => {
                for (place, n) in [n_wires, n_public, domain].into_iter().enumerate() {
                    payload[72 + 4 * place..][..4].copy_from_slice(&n.to_le_bytes());
                }
            }
            4 => *payload = coefficients.clone(),
            5 => *payload = points(n_wires, 64, |i| i % 3 == 1),
            6 => *payload = points(n_wires, 64, |i| i > 2998),
            7 => *payload = points(n_wires, 128, |i| !(64..256).contains(&i)),
            8 => *payload = points(n_wires - n_public - 1, 64, |i| i % 64 != 63),
            9 => *payload = points(domain, 64, |_| true),
            _ => {}
        }
    }
    assemble(&sections, &[])
}

#[test]
fn rows_and_infinities_take_little() {
    let bytes = large();
    let zkey = Zkey::<Bn254>::from_bytes(bytes.clone()).unwrap();
    let fkey = Fkey::<Bn254>::from_bytes(round_trip::<Bn254>(&bytes)).unwrap();
    assert_eq!(fkey.a().present().len(), 1000);
    assert_eq!(fkey.b1().entries().unwrap().collect::<Vec<_>>(), [2999]);
    assert_eq!(fkey.b2().present().len(), 3000 - 192);
    for wire in 0..3000 {
        assert_eq!(fkey.a().is_infinity(wire), zkey.a().is_infinity(wire));
    }
    let KeyCoefficients::Rows(rows) = fkey.coefficients() else {
        panic!("in the order of snarkjs");
    };
    let all = zkey.coefficients();
    assert_eq!(rows.len(), all.len());
    assert!(rows.stored_length() < 7 * all.len());
    assert_eq!(rows.count(0..4096).unwrap(), all.len() as u64);
    // Any range of rows, whose code is part of the file.
    for range in [
        0..0,
        0..1,
        5..9,
        1000..2100,
        1024..2048,
        3332..3333,
        3333..9999,
        2047..2049,
    ] {
        let mut found = Vec::new();
        let take = |coefficient| {
            found.push(coefficient);
            Ok(())
        };
        rows.for_each(range.clone(), take).unwrap();
        let expected = all.iter().map(Result::unwrap);
        let expected = expected.filter(|this| range.contains(&(this.row as usize)));
        assert_eq!(found, expected.collect::<Vec<_>>());
        assert!(rows.code_of(range).len() >= found.len() * 2);
    }
}

/// Every byte is covered: by the digest of its block, or by that of header, table and footer.
#[test]
fn every_changed_byte_is_found_and_named() {
    let good = bytes_of("mul.fkey");
    // All of the table and the footer, and some of the rest.
    let mut positions: Vec<usize> = (0..good.len() - 700).step_by(43).collect();
    positions.extend((0..8).chain(good.len() - 700..good.len()));
    for position in positions {
        let mut bad = good.clone();
        bad[position] ^= 0x80;
        let checked =
            Fkey::<Bn254>::from_bytes(bad).and_then(|fkey| fkey.check_blocks(0..fkey.blocks()));
        let error = checked.unwrap_err().to_string();
        assert!(error.starts_with("fkey file"), "{position}: {error}");
        assert!(error.contains("byte"), "{position}: {error}");
    }
    for length in (0..good.len()).rev().step_by(661) {
        let error = Fkey::<Bn254>::from_bytes(good[..length].to_vec()).unwrap_err();
        assert!(error.to_string().contains("byte"), "{length}: {error}");
    }
    let error = Fkey::<Bn254>::from_bytes(good[..good.len() - 1].to_vec()).unwrap_err();
    assert!(error.to_string().contains("it was cut off"), "{error}");
}

/// A wrong byte in each of several blocks is told of with its own.
#[test]
fn wrong_blocks_are_named() {
    let mut sections = sections(&bytes_of("mul.zkey"));
    sections.push((99, vec![7; 3 << 20]));
    let mut stored = round_trip::<Bn254>(&assemble(&sections, &[]));
    let block = (2 << 20) + HEADER_BYTES;
    stored[block + 5] ^= 1;
    let fkey = Fkey::<Bn254>::from_bytes(stored).unwrap();
    assert_eq!(fkey.blocks(), 4);
    for other in [0..2, 3..4] {
        fkey.check_blocks(other).unwrap();
    }
    let error = fkey.check_blocks(0..4).unwrap_err().to_string();
    let expected = format!("section 99 (unknown), byte {block}: the checksum is wrong");
    assert!(error.contains(&expected), "{error}");
}

/// With a digest that fits, so that what lies behind it is reached.
#[test]
fn lying_tables_are_refused_or_give_no_more_than_they_say() {
    let good = bytes_of("mul.fkey");
    let footer = good.len() - 64;
    let word = |at: usize| u64::from_le_bytes(*good[at..].first_chunk().unwrap()) as usize;
    let (table, entries) = (word(footer), word(footer + 8));
    let mut refused = 0;
    let entries = table..table + entries * ENTRY_BYTES;
    for position in entries.chain(footer..footer + 24) {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bad = good.clone();
            bad[position] = value;
            sign_fkey_for_tests(&mut bad);
            let Ok(fkey) = Fkey::<Bn254>::from_bytes(bad) else {
                refused += 1;
                continue;
            };
            let mut out = Limited(fkey.zkey_length());
            let _ = fkey.write_zkey(&mut out); // no panic, and no endless output
        }
    }
    assert!(refused > 500, "{refused}");
}

/// Whatever the code says, there is no panic, and no more than the table announces.
#[test]
fn lying_rows_are_refused() {
    let good = round_trip::<Bn254>(&large());
    let fkey = Fkey::<Bn254>::from_bytes(good.clone()).unwrap();
    let start = fkey.section_offset(4) as usize;
    let KeyCoefficients::Rows(rows) = fkey.coefficients() else {
        panic!("in the order of snarkjs");
    };
    let length = rows.stored_length();
    let index_and_values = length - rows.code_of(0..3333).len();
    let mut refused = 0;
    let positions = (0..length).filter(|position| {
        // The index, and some of the others.
        position % 41 == 0
            || (length - index_and_values..)
                .take(40)
                .any(|at| at == *position)
    });
    for position in positions {
        let mut bad = good.clone();
        bad[start + position] ^= 0x91;
        let fkey = Fkey::<Bn254>::from_bytes(bad).unwrap();
        let mut out = Limited(fkey.zkey_length());
        match fkey.write_zkey(&mut out) {
            Ok(()) => assert_eq!(out.0, 0),
            Err(error) => {
                let error = error.to_string();
                let place = "fkey file, section 4 (coefficients), byte";
                assert!(error.starts_with(place), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

/// Takes so many bytes.
struct Limited(u64);

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let left = self.0.checked_sub(bytes.len() as u64);
        self.0 = left.expect("as much as the table announces");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
