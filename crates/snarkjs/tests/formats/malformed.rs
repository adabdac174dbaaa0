//! Every way to break a binary file gives an error that says in which file, in which section, at which byte.
//!
//! Here: its frame, its sections and its curve. `contents`: what is in the sections. `format`: the files and their
//! readers.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

mod contents;
mod format;

use format::{
    assert_names_place, expect, formats, formats_bls12_381, is_optional, is_optional_last,
    is_unread,
};
use frumious_circom::FileKind;
use frumious_snarkjs::curve_of;

#[test]
fn the_files_before_mutation_are_valid() {
    for format in formats().into_iter().chain(formats_bls12_381()) {
        (format.read)(format.file.to_bytes()).unwrap();
        // Unknown sections and trailing bytes are ignored; sections may come in any order.
        let mut reordered = format.file.clone();
        reordered.sections.reverse();
        reordered.sections.insert(1, (0xffff_ff00, vec![1, 2, 3]));
        let mut bytes = reordered.to_bytes();
        bytes.extend([1, 2, 3]);
        (format.read)(bytes).unwrap();
    }
}

#[test]
fn every_truncation_is_noticed() {
    for format in formats().into_iter().chain(formats_bls12_381()) {
        let bytes = format.file.to_bytes();
        for length in 0..bytes.len() {
            let error = (format.read)(bytes[..length].to_vec()).unwrap_err();
            assert_names_place(&error, format.name);
        }
    }
}

#[test]
fn the_frame_is_checked() {
    for format in formats().into_iter().chain(formats_bls12_381()) {
        let bytes = format.file.to_bytes();
        let patched = |at: usize, value: u32| {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            bytes
        };
        let other = u32::from_le_bytes(*b"nope");
        expect(&format, patched(0, other), "byte 0: the file starts with");
        for version in [0, 3, u32::MAX] {
            let message = format!("byte 4: version {version} is not supported");
            expect(&format, patched(4, version), &message);
        }
        let n_sections = format.file.sections.len() as u32;
        for count in [n_sections + 1, 1 << 31, u32::MAX - 1, u32::MAX] {
            expect(
                &format,
                patched(8, count),
                "bytes are needed and 0 are left",
            );
        }
        for count in 0..n_sections {
            assert!((format.read)(patched(8, count)).is_err() || is_optional_last(&format, count));
        }
    }
}

#[test]
fn lying_lengths_are_noticed() {
    for format in formats().into_iter().chain(formats_bls12_381()) {
        for id in format.file.ids() {
            let true_length = format.file.clone().payload(id).len() as u64;
            for length in [0, 1, true_length - 1, true_length + 1]
                .into_iter()
                .chain((0..64).map(|bit| 1 << bit))
                .chain([
                    u64::MAX,
                    u64::MAX - 11,
                    u64::MAX - 12,
                    u64::MAX - 24,
                    u64::MAX / 36 + 1,
                ])
            {
                let bytes = format.file.with_lie(id, length);
                if length != true_length && !is_unread(&format, id) {
                    let error = (format.read)(bytes).unwrap_err();
                    assert_names_place(&error, format.name);
                }
            }
        }
    }
}

#[test]
fn missing_duplicate_short_and_long_sections_are_noticed() {
    for format in formats().into_iter().chain(formats_bls12_381()) {
        for id in format.file.ids() {
            let section = format!("section {id} (");
            if !is_optional(&format, id) {
                expect(&format, format.file.without(id), &section);
                expect(&format, format.file.without(id), "the section is missing");
            }
            let end = format.file.to_bytes().len();
            let duplicate = format.file.with_duplicate(id);
            let message = format!("byte {end}: the section occurs a second time");
            expect(&format, duplicate, &message);
            if is_unread(&format, id) {
                continue;
            }
            let length = format.file.clone().payload(id).len();
            for other in [
                0,
                1,
                length / 2,
                length - 1,
                length + 1,
                length + 64,
                2 * length,
            ] {
                expect(&format, format.file.with_length(id, other), &section);
            }
        }
    }
}

/// Every format over one curve as the other, and the other way round; and over a curve of which nobody has heard.
#[test]
fn files_of_another_curve_are_refused() {
    let kinds = [
        FileKind::R1cs,
        FileKind::Wtns,
        FileKind::Zkey,
        FileKind::Ptau,
    ];
    for ((ours, theirs), kind) in formats().iter().zip(formats_bls12_381()).zip(kinds) {
        let base = matches!(kind, FileKind::Zkey | FileKind::Ptau);
        let section = if kind == FileKind::Zkey { 2 } else { 1 };
        let field = if base {
            "base field q"
        } else {
            "scalar field r"
        };
        for (reader, file, expected, found) in [
            (ours, &theirs.file, "BN254", "BLS12-381"),
            (&theirs, &ours.file, "BLS12-381", "BN254"),
        ] {
            // The length of the prime differs for q, the prime for r.
            let offset = file.offset(section) + if base { 0 } else { 4 };
            let message =
                format!("byte {offset}: the prime is not {expected}'s {field}, but one of {found}");
            expect(reader, file.to_bytes(), &message);
            assert_eq!(curve_of(kind, file.to_bytes()).unwrap().to_string(), found);
            // The last byte of a prime of 32 bytes, or one in the middle of 48.
            let unknown = file.with(section, 35, [0xff]);
            let message = format!(
                "section {section} ({}), byte {}: the prime is the {field} of neither BN254 nor BLS12-381",
                if section == 2 {
                    "Groth16 header"
                } else {
                    "header"
                },
                file.offset(section),
            );
            let text = curve_of(kind, unknown).unwrap_err().to_string();
            assert!(text.contains(&message), "{message:?} expected in {text:?}");
            for cut in 0..file.offset(section) + 36 {
                let error = curve_of(kind, &file.to_bytes()[..cut]).unwrap_err();
                assert_names_place(&error, reader.name);
            }
        }
    }
    // One prime of each in a key.
    let [_, _, zkey, _] = formats();
    let [_, _, other, _] = formats_bls12_381();
    let scalar = other.file.clone().payload(2)[56..88].to_vec();
    let message = "the prime is not BN254's scalar field r, but one of BLS12-381";
    expect(&zkey, zkey.file.with(2, 40, scalar), message);
}
