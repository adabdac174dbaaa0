//! Sections with wrong contents: counts, numbers, points, contributions.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::super::support::binfile::Binfile;
use super::super::support::twist::point_outside_g2;
use super::format::{Format, expect, formats, modulus_bytes, read_zkey};
use frumious_circom::{R1cs, Wtns};
use frumious_curves::bn254::{Fq, Fr};
use frumious_field::Integer;
use frumious_snarkjs::{Ptau, Zkey};

#[test]
fn headers_are_checked() {
    let [r1cs, wtns, zkey, ptau] = formats();
    let u32_bytes = |value: u32| value.to_le_bytes();
    let all_ones = [0xff; 32];
    for (format, section, prime_at) in [
        (&r1cs, 1, 0),
        (&wtns, 1, 0),
        (&zkey, 2, 0),
        (&zkey, 2, 36),
        (&ptau, 1, 0),
    ] {
        let file = &format.file;
        for n8 in [0, 31, 33, 48, u32::MAX] {
            expect(
                format,
                file.with(section, prime_at, u32_bytes(n8)),
                "the prime is not",
            );
        }
        expect(
            format,
            file.with(section, prime_at + 4, all_ones),
            "the prime is not",
        );
        expect(
            format,
            file.with(section, prime_at + 35, [0x31]),
            "the prime is not",
        );
    }
    for protocol in [0, 2, 10, u32::MAX] {
        let message = format!("section 1 (header), byte 24: protocol {protocol} is not Groth16");
        expect(&zkey, zkey.file.with(1, 0, u32_bytes(protocol)), &message);
    }
    for n_public in [4, 5, u32::MAX - 1, u32::MAX] {
        let message =
            format!("section 2 (Groth16 header), byte 116: nPublic {n_public} is not below 4");
        expect(&zkey, zkey.file.with(2, 76, u32_bytes(n_public)), &message);
    }
    for n_wires in [0, 1, 3, 5, u32::MAX] {
        expect(&zkey, zkey.file.with(2, 72, u32_bytes(n_wires)), "section ");
    }
    for domain in [0, 3, 5, 6, (1 << 28) + 1, 1 << 29, 1 << 31, u32::MAX] {
        let message =
            format!("byte 120: domain size {domain} is not a power of two between 1 and 2^28");
        expect(&zkey, zkey.file.with(2, 80, u32_bytes(domain)), &message);
    }
    expect(
        &zkey,
        zkey.file.with(2, 80, u32_bytes(1)),
        "nPublic 1 is not below 1",
    );
    for domain in [2, 8, 1 << 28] {
        expect(
            &zkey,
            zkey.file.with(2, 80, u32_bytes(domain)),
            "section 9 (H)",
        );
    }
    for power in [29, 64, u32::MAX] {
        let message = format!("section 1 (header), byte 60: power {power} is not below 29");
        expect(&ptau, ptau.file.with(1, 36, u32_bytes(power)), &message);
    }
    for power in [0, 1, 3, 28] {
        expect(
            &ptau,
            ptau.file.with(1, 36, u32_bytes(power)),
            "section 2 (tauG1)",
        );
    }
}

#[test]
fn a_domain_of_two_is_legal() {
    let [_, _, zkey, _] = formats();
    let mut file = zkey.file.clone();
    file.payload(2)[80..84].copy_from_slice(&2u32.to_le_bytes());
    file.payload(9).truncate(2 * 64);
    // The coefficients are checked when they are read: those of rows 2 and above are refused.
    let key = Zkey::from_bytes(file.to_bytes()).unwrap();
    assert_eq!(key.header().log_domain_size(), 1);
    assert!(key.coefficients().get(0).is_ok());
    let message = key.check().unwrap_err().to_string();
    assert!(message.contains("section 4 (coefficients)"), "{message}");
    assert!(message.contains("row 2 is not below 2"), "{message}");
}

#[test]
fn coefficients_are_checked() {
    let [_, _, zkey, _] = formats();
    let file = &zkey.file;
    for (index, record) in (4..).step_by(44).take(4).enumerate() {
        let byte = file.offset(4) + record;
        for (field, value, message) in [
            (0, 2, "matrix 2 is not below 2"),
            (0, u32::MAX, "matrix 4294967295 is not below 2"),
            (4, 4, "row 4 is not below 4"),
            (4, u32::MAX, "row 4294967295 is not below 4"),
            (8, 4, "wire 4 is not below 4"),
            (8, u32::MAX, "wire 4294967295 is not below 4"),
        ] {
            let bytes = file.with(4, record + field, value.to_le_bytes());
            let message = format!("section 4 (coefficients), byte {}: {message}", byte + field);
            expect(&zkey, bytes.clone(), &message);
            let key = Zkey::from_bytes(bytes).unwrap();
            let good = (0..4).filter(|&i| key.coefficients().get(i).is_ok());
            assert!(good.eq((0..4).filter(|&i| i != index)));
        }
        for value in [modulus_bytes(&Fr::MODULUS), [0xff; 32]] {
            let bytes = file.with(4, record + 12, value);
            let message = format!("byte {}: the number is not below", byte + 12);
            expect(&zkey, bytes, &message);
        }
    }
    for count in [0, 3, 5, 1 << 31, u32::MAX] {
        let bytes = file.with(4, 0, u32::to_le_bytes(count));
        expect(&zkey, bytes, "section 4 (coefficients), byte ");
    }
}

#[test]
fn points_are_checked() {
    let [_, _, zkey, _] = formats();
    let file = &zkey.file;
    let header_points = [
        (84, 64),
        (148, 64),
        (212, 128),
        (340, 128),
        (468, 64),
        (532, 128),
    ];
    for (at, size) in header_points {
        expect_bad_points(&zkey, 2, at, size);
        let message = format!(
            "byte {}: the point is the point at infinity",
            file.offset(2) + at
        );
        expect(&zkey, file.with(2, at, vec![0; size]), &message);
    }
    for (section, size) in [(3, 64), (5, 64), (6, 64), (7, 128), (8, 64), (9, 64)] {
        let count = file.clone().payload(section).len() / size;
        for index in 0..count {
            expect_bad_points(&zkey, section, index * size, size);
        }
    }
}

#[test]
fn infinities_of_b1_and_b2_must_agree() {
    let [_, _, zkey, _] = formats();
    let finite = &zkey.file.clone().payload(6)[3 * 64..].to_vec();
    let message = "wire 3 is at infinity in only one of B1 and B2";
    expect(&zkey, zkey.file.with(6, 3 * 64, [0; 64]), message);
    expect(&zkey, zkey.file.with(7, 3 * 128, [0; 128]), message);
    let message = "wire 1 is at infinity in only one of B1 and B2";
    expect(&zkey, zkey.file.with(6, 64, finite), message);
}

#[test]
fn contributions_are_checked() {
    let file = Binfile::parse(include_bytes!("../../data/contributed.zkey"));
    let format = Format {
        name: "zkey",
        file: file.clone(),
        read: read_zkey,
    };
    for count in [0, 1, 3, u32::MAX] {
        let bytes = file.with(10, 64, u32::to_le_bytes(count));
        expect(&format, bytes, "section 10 (contributions), byte ");
    }
    let params = 68 + 3 * 64 + 128 + 64 + 4;
    for length in [0, 1, 18, 1 << 31, u32::MAX] {
        let bytes = file.with(10, params, u32::to_le_bytes(length));
        expect(&format, bytes, "section 10 (contributions), byte ");
    }
    for tag in [0, 4, 0xff] {
        let bytes = file.with(10, params + 4, [tag]);
        let message = format!("parameter type {tag} is not below 4");
        expect(&format, bytes, &message);
    }
    // The first record has a name of 16 bytes, the exponent and the hash of a beacon.
    let exponent = params + 4 + 2 + 16;
    let bytes = file.with(10, exponent, [1, 0]);
    expect(&format, bytes, "parameters in ascending order");
    // δ after it, and its public key.
    for (at, size) in [(68, 64), (132, 64), (196, 64), (260, 128)] {
        let bytes = file.with(10, at, vec![1; size]);
        expect(&format, bytes, "the point is not on the curve");
    }
}

#[test]
fn constraints_are_checked() {
    let [r1cs, _, _, _] = formats();
    let file = &r1cs.file;
    let start = file.offset(2);
    for combination in [0, 40, 80] {
        for wire in [4, u32::MAX] {
            let bytes = file.with(2, combination + 4, wire.to_le_bytes());
            let byte = start + combination + 4;
            let message =
                format!("section 2 (constraints), byte {byte}: wire {wire} is not below 4");
            expect(&r1cs, bytes, &message);
        }
        for value in [modulus_bytes(&Fr::MODULUS), [0xff; 32]] {
            let bytes = file.with(2, combination + 8, value);
            let message = format!("byte {}: the number is not below", start + combination + 8);
            expect(&r1cs, bytes, &message);
        }
        for terms in [0, 3, 1 << 28, 1 << 31, u32::MAX / 36 + 1, u32::MAX] {
            let bytes = file.with(2, combination, u32::to_le_bytes(terms));
            expect(&r1cs, bytes, "section 2 (constraints), byte ");
        }
    }
    for n_constraints in [0, 2, u32::MAX] {
        let bytes = file.with(1, 60, u32::to_le_bytes(n_constraints));
        expect(&r1cs, bytes, "section 2 (constraints), byte ");
    }
    for (at, value) in [
        (36, 0),
        (36, 1),
        (40, u32::MAX),
        (40, 4),
        (44, u32::MAX),
        (44, 3),
    ] {
        let bytes = file.with(1, at, u32::to_le_bytes(value));
        expect(&r1cs, bytes, "number of outputs and public inputs");
    }
    // circom counts private inputs that no constraint has, and that are no wires.
    for n_private_inputs in [3, u32::MAX] {
        let bytes = file.with(1, 48, u32::to_le_bytes(n_private_inputs));
        let read = R1cs::from_bytes(bytes).unwrap();
        assert_eq!(read.n_private_inputs(), n_private_inputs);
        assert_eq!(read.to_system().n_wires(), 4);
    }
    for n_wires in [5, u32::MAX] {
        let bytes = file.with(1, 36, u32::to_le_bytes(n_wires));
        expect(&r1cs, bytes, "section 3 (labels)");
    }
    for id in [4, 5] {
        let mut gates = file.clone();
        gates.sections.push((id, vec![1, 0, 0, 0, 7, 7]));
        expect(&r1cs, gates.to_bytes(), "the circuit uses custom gates");
        *gates.payload(id) = vec![0; 4];
        (r1cs.read)(gates.to_bytes()).unwrap();
    }
}

#[test]
fn witness_values_are_checked() {
    let [_, wtns, _, _] = formats();
    let file = &wtns.file;
    for first in [0, 2, 0x80] {
        let message = "section 2 (values), byte 76: the first witness value is not 1";
        expect(&wtns, file.with(2, 0, [first]), message);
    }
    expect(
        &wtns,
        file.with(2, 31, [1]),
        "the first witness value is not 1",
    );
    for index in 0..4 {
        for value in [modulus_bytes(&Fr::MODULUS), [0xff; 32]] {
            let bytes = file.with(2, index * 32, value);
            let message = format!(
                "section 2 (values), byte {}: the number is not below",
                76 + index * 32
            );
            expect(&wtns, bytes, &message);
        }
    }
    for count in [0, 3, 5, 1 << 27, u32::MAX] {
        let bytes = file.with(1, 36, u32::to_le_bytes(count));
        expect(&wtns, bytes, "section 2 (values), byte ");
    }
    let mut empty = file.clone();
    empty.payload(1)[36..].fill(0);
    empty.payload(2).clear();
    expect(&wtns, empty.to_bytes(), "the first witness value is not 1");
    // Values that do not come from a file are checked as well.
    Wtns::from_words(vec![[1, 0, 0, 0], [7, 0, 0, 0]]).unwrap();
    Wtns::from_words(vec![]).unwrap_err();
    Wtns::from_words(vec![[2, 0, 0, 0]]).unwrap_err();
    Wtns::from_words(vec![[1, 0, 0, 0], Fr::MODULUS]).unwrap_err();
    Wtns::new([1, 7].map(Integer::from_u64).to_vec()).unwrap();
    Wtns::new(vec![]).unwrap_err();
    Wtns::new(vec![Integer::ZERO]).unwrap_err();
}

#[test]
fn powers_without_phase_two_are_told_apart() {
    let [_, _, _, ptau] = formats();
    let mut file = ptau.file.clone();
    file.sections.retain(|(id, _)| *id < 12);
    let unprepared = Ptau::from_bytes(file.to_bytes()).unwrap();
    assert!(!unprepared.is_prepared());
    let message = unprepared.lagrange_tau_g1(2).unwrap_err().to_string();
    assert!(message.contains("section 12 (Lagrange tauG1)"), "{message}");
    assert!(message.contains("not prepared for phase 2"), "{message}");
    let bad = file.with(6, 0, [1; 128]);
    let error = Ptau::from_bytes(bad).unwrap().beta_g2().unwrap_err();
    assert!(
        error.to_string().contains("section 6 (betaG2), byte 1600"),
        "{error}"
    );
}

/// A point with a wrong bit, one with coordinates beyond the modulus, and in G2 one outside the subgroup.
fn expect_bad_points(format: &Format, section: u32, at: usize, size: usize) {
    let file = &format.file;
    let place = format!("byte {}: ", file.offset(section) + at);
    let on_curve = format!("{place}the point is not on the curve");
    expect(format, file.with(section, at, vec![1; size]), &on_curve);
    let canonical = format!("{place}a coordinate is not below");
    expect(format, file.with(section, at, vec![0xff; size]), &canonical);
    expect(
        format,
        file.with(section, at, modulus_bytes(&Fq::MODULUS)),
        &canonical,
    );
    if size == 128 {
        let stray = point_outside_g2().to_montgomery_bytes();
        let subgroup = format!("{place}the point is not in the subgroup");
        expect(format, file.with(section, at, stray), &subgroup);
    }
}
