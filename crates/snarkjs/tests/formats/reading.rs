//! Reads what circom and snarkjs wrote, and writes it again.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_circom::generic::write_system;
use frumious_circom::{R1cs, R1csBuilder, Wtns};
use frumious_curves::Bn254;
use frumious_curves::bn254::{Fr, G1Affine, G2Affine};
use frumious_field::Integer;
use frumious_groth16::{Matrix, Proof};
use frumious_mapping::FileBytes;
use frumious_snarkjs::groth16::calldata;
use frumious_snarkjs::groth16::proof_to_json;
use frumious_snarkjs::groth16::verifying_key_to_json;
use frumious_snarkjs::{Ptau, Zkey, ZkeyWriter, public_from_json, public_to_json};
use frumious_snarkjs::{open_proof, open_verifying_key, proof_from_json};
use std::path::{Path, PathBuf};

#[test]
fn the_constraint_system_is_read() {
    let r1cs = R1cs::open(data("mul.r1cs")).unwrap();
    assert_eq!(r1cs.n_wires(), 4);
    assert_eq!(r1cs.n_public_outputs(), 1);
    assert_eq!(r1cs.n_public_inputs(), 0);
    assert_eq!(r1cs.n_private_inputs(), 2);
    assert_eq!(r1cs.n_public(), 1);
    assert_eq!(r1cs.n_labels(), 4);
    assert_eq!(r1cs.n_terms(), [1, 1, 1]);
    let constraints: Vec<_> = r1cs.constraints().collect();
    assert_eq!(constraints.len(), 1);
    let terms = |lc: frumious_circom::LinearCombination<'_>| -> Vec<(u32, Fr)> {
        lc.terms()
            .map(|term| (term.wire, term.coefficient.to_element()))
            .collect()
    };
    // circom writes (-a)·b = -c.
    assert_eq!(terms(constraints[0].a), [(2, -Fr::ONE)]);
    assert_eq!(terms(constraints[0].b), [(3, Fr::ONE)]);
    assert_eq!(terms(constraints[0].c), [(1, -Fr::ONE)]);
}

#[test]
fn the_witness_satisfies_the_constraints() {
    let r1cs = R1cs::open(data("mul.r1cs")).unwrap();
    let wtns = Wtns::open(data("mul.wtns")).unwrap();
    assert_eq!(*wtns.to_values(), [1, 33, 3, 11].map(Integer::from_u64));
    assert_eq!(r1cs.first_unsatisfied(&wtns.to_fr()), None);
    assert_eq!(wtns.public(1), Some(vec![Fr::from_u64(33)]));
    assert_eq!(wtns.public(3).map(|public| public.len()), Some(3));
    assert_eq!(wtns.public(4), None);
    let mut wrong = wtns.to_fr();
    wrong[3] = Fr::from_u64(12);
    assert_eq!(r1cs.first_unsatisfied(&wrong), Some(0));
    assert_eq!(format!("{wtns:?}"), "Wtns(4 values)");
}

#[test]
fn the_proving_key_is_read() {
    for file in ["mul.zkey", "contributed.zkey"] {
        let zkey = Zkey::open(data(file)).unwrap();
        let header = zkey.header();
        assert_eq!((header.n_wires, header.n_public), (4, 1));
        assert_eq!((header.domain_size, header.log_domain_size()), (4, 2));
        assert_eq!(header.gamma_g2, G2Affine::GENERATOR);
        let lengths = [zkey.ic(), zkey.a(), zkey.b1(), zkey.c(), zkey.h()].map(|p| p.len());
        assert_eq!(lengths, [2, 4, 4, 2, 4]);
        assert_eq!(zkey.b2().len(), 4);
        zkey.check().unwrap();

        // One term of A, one of B, and the rows of the constant and of the output.
        let coefficients: Vec<_> = zkey.coefficients().iter().map(Result::unwrap).collect();
        let places: Vec<_> = coefficients
            .iter()
            .map(|c| (c.matrix, c.row, c.wire))
            .collect();
        let expected = [
            (Matrix::A, 0, 2),
            (Matrix::B, 0, 3),
            (Matrix::A, 1, 0),
            (Matrix::A, 2, 1),
        ];
        assert_eq!(places, expected);
        // Stored times R²: the Montgomery product with a plain 1 leaves the coefficient's Montgomery form.
        for (coefficient, expected) in
            coefficients
                .iter()
                .zip([-Fr::ONE, Fr::ONE, Fr::ONE, Fr::ONE])
        {
            assert_eq!(coefficient.value.to_element(), expected);
        }
    }
}

#[test]
fn points_at_infinity_are_seen() {
    let zkey = Zkey::open(data("mul.zkey")).unwrap();
    // Only wire 3 occurs in B; no wire but 2 and the rows' 0 and 1 in A.
    let infinities = |points: frumious_snarkjs::G1Points<'_>| -> Vec<bool> {
        (0..points.len()).map(|i| points.is_infinity(i)).collect()
    };
    assert_eq!(infinities(zkey.b1()), [true, true, true, false]);
    assert_eq!(infinities(zkey.a()), [false, false, false, true]);
    assert_eq!(zkey.b1().get(0).unwrap(), G1Affine::IDENTITY);
    assert_eq!(zkey.b2().get(2).unwrap(), G2Affine::IDENTITY);
    let (b2, wire_3) = (zkey.b2(), 3);
    assert_eq!(b2.get(wire_3).unwrap(), b2.get_unchecked_encoding(wire_3));
    assert_eq!(b2.slice(3..4).get(0).unwrap(), b2.get(3).unwrap());
    zkey.check_infinities(0..4).unwrap();
}

#[test]
fn contributions_are_read() {
    let zkey = Zkey::open(data("contributed.zkey")).unwrap();
    let contributions = zkey.contributions().unwrap().unwrap();
    let [beacon, second] = &contributions.contributions[..] else {
        panic!("two contributions expected: {contributions:?}");
    };
    assert_eq!(beacon.name.as_deref(), Some("beacon for tests"));
    assert_eq!(beacon.beacon, Some(((1..=0x1f).collect(), 10)));
    assert_eq!(second.name.as_deref(), Some("second"));
    assert_eq!(second.beacon, None);
    assert_eq!(second.delta_after, zkey.header().delta_g1);
    assert_ne!(contributions.circuit_hash, [0; 64]);
}

#[test]
fn the_powers_of_tau_are_read() {
    let ptau = Ptau::open(data("pot2.ptau")).unwrap();
    assert_eq!((ptau.power(), ptau.ceremony_power()), (2, 2));
    assert!(ptau.is_prepared());
    assert_eq!(ptau.tau_g1().len(), 7);
    assert_eq!(ptau.tau_g2().len(), 4);
    assert_eq!(ptau.tau_g1().get(0).unwrap(), G1Affine::GENERATOR);
    for points in [ptau.tau_g1(), ptau.alpha_tau_g1(), ptau.beta_tau_g1()] {
        points.check(0..points.len()).unwrap();
    }
    ptau.tau_g2().check(0..4).unwrap();
    assert_ne!(ptau.beta_g2().unwrap(), G2Affine::GENERATOR);
    // The Lagrange polynomials of a domain sum to one; on the domain of size one there is but one.
    assert_eq!(
        ptau.lagrange_tau_g1(0).unwrap().get(0).unwrap(),
        G1Affine::GENERATOR
    );
    for log_n in 0..=2 {
        use frumious_curves::bn254::{G1Projective, G2Projective};
        let points = ptau.lagrange_tau_g1(log_n).unwrap();
        assert_eq!(points.len(), 1 << log_n);
        let sum = (0..points.len()).fold(G1Projective::IDENTITY, |sum, i| {
            sum.add_affine(&points.get(i).unwrap())
        });
        assert_eq!(sum.to_affine(), G1Affine::GENERATOR);
        let points = ptau.lagrange_tau_g2(log_n).unwrap();
        let sum = (0..points.len()).fold(G2Projective::IDENTITY, |sum, i| {
            sum.add_affine(&points.get(i).unwrap())
        });
        assert_eq!(sum.to_affine(), G2Affine::GENERATOR);
        for (lagrange, constant) in [
            (ptau.lagrange_alpha_tau_g1(log_n), ptau.alpha_tau_g1()),
            (ptau.lagrange_beta_tau_g1(log_n), ptau.beta_tau_g1()),
        ] {
            let points = lagrange.unwrap();
            let sum = (0..points.len()).fold(G1Projective::IDENTITY, |sum, i| {
                sum.add_affine(&points.get(i).unwrap())
            });
            assert_eq!(sum.to_affine(), constant.get(0).unwrap());
        }
    }
    assert_eq!(ptau.lagrange_tau_g1(3).unwrap().len(), 8);
    assert!(ptau.lagrange_tau_g1(4).is_err());
    assert!(ptau.lagrange_tau_g2(3).is_err());
    assert!(ptau.lagrange_beta_tau_g1(u32::MAX).is_err());
}

#[test]
fn binary_files_are_written_as_they_were_read() {
    let original = std::fs::read(data("mul.r1cs")).unwrap();
    let r1cs = R1cs::from_bytes(original.clone()).unwrap();
    let mut written = Vec::new();
    r1cs.write(&mut written).unwrap();
    // circom puts the constraints first; apart from the order the files are the same.
    assert_eq!(written.len(), original.len());
    let again = R1cs::from_bytes(written.clone()).unwrap();
    let mut third = Vec::new();
    again.write(&mut third).unwrap();
    assert_eq!(third, written);
    assert_eq!(again.constraints().len(), 1);

    let original = std::fs::read(data("mul.wtns")).unwrap();
    let mut written = Vec::new();
    Wtns::from_bytes(&original)
        .unwrap()
        .write(&mut written)
        .unwrap();
    assert_eq!(written, original);

    for file in ["mul.zkey", "contributed.zkey"] {
        let original = std::fs::read(data(file)).unwrap();
        assert_eq!(
            copy_in_pieces(&Zkey::from_bytes(original.clone()).unwrap()),
            original
        );
    }
}

#[test]
fn a_built_system_is_read_back() {
    let mut builder = R1csBuilder::new(1, 1, 1);
    let square = builder.new_wire();
    let five = Fr::from_u64(5);
    builder.constraint(&[(3, Fr::ONE)], &[(3, Fr::ONE)], &[(square, Fr::ONE)]);
    builder.constraint(
        &[(square, five), (2, -Fr::ONE)],
        &[(0, Fr::ONE)],
        &[(1, Fr::ONE)],
    );
    builder.constraint(&[], &[], &[]);
    let built = builder.build();
    let mut file = Vec::new();
    built.write(&mut file).unwrap();
    let read = R1cs::from_bytes(file).unwrap();
    for r1cs in [&built, &read] {
        assert_eq!((r1cs.n_wires(), r1cs.n_constraints()), (5, 3));
        assert_eq!((r1cs.n_public(), r1cs.n_labels()), (2, 5));
        assert_eq!(r1cs.n_terms(), [3, 2, 2]);
        // 5·7² - 4 = 241
        let witness = [1, 241, 4, 7, 49].map(Fr::from_u64);
        assert_eq!(r1cs.first_unsatisfied(&witness), None);
        let witness = [1, 240, 4, 7, 49].map(Fr::from_u64);
        assert_eq!(r1cs.first_unsatisfied(&witness), Some(1));
    }
}

#[test]
fn the_writer_counts_entries() {
    let zkey = Zkey::open(data("mul.zkey")).unwrap();
    let new = || ZkeyWriter::new(Vec::new(), zkey.header(), 4).unwrap();
    let point = [G1Affine::GENERATOR; 5];
    new().write_ic(&point[..3]).unwrap_err();
    new().write_a(&point[..4]).unwrap_err();
    let mut writer = new();
    writer.write_ic(&point[..1]).unwrap();
    let message = writer.write_ic(&point[..2]).unwrap_err().to_string();
    assert_eq!(
        message,
        "writing the zkey file, IC: 3 entries given, 2 expected"
    );
    writer.write_ic(&point[..1]).unwrap();
    writer.write_a(&point[..4]).unwrap_err();
    new().finish(&[0; 64]).unwrap_err();
}

#[test]
fn json_is_written_as_it_was_read() {
    let text = |name: &str| std::fs::read_to_string(data(name)).unwrap();
    let proof = proof_from_json(text("proof.json")).unwrap();
    assert_eq!(proof_to_json(&proof), text("proof.json"));
    let public = public_from_json(text("public.json")).unwrap();
    assert_eq!(public, [Fr::from_u64(33)]);
    assert_eq!(public_to_json(&public), text("public.json"));
    assert_eq!(calldata(&proof, &public), text("calldata.txt").trim_end());
    // As snarkjs writes it for a circuit without public signals.
    assert_eq!(public_to_json(&[]), "[\n]");
    assert_eq!(public_from_json("[\n]").unwrap(), []);
    assert_eq!(public_from_json("[]").unwrap(), []);
}

#[test]
fn the_verification_key_is_that_of_the_proving_key() {
    let from_json = open_verifying_key(data("verification_key.json")).unwrap();
    let zkey = Zkey::open(data("mul.zkey")).unwrap();
    assert_eq!(from_json, zkey.verifying_key().unwrap());
    assert_eq!(from_json.n_public(), 1);
    let text = std::fs::read_to_string(data("verification_key.json")).unwrap();
    assert_eq!(verifying_key_to_json(&from_json), text);
}

#[test]
fn a_proof_of_rapidsnark_is_read() {
    let snarkjs: serde_json::Value =
        serde_json::from_slice(&std::fs::read(data("proof.json")).unwrap()).unwrap();
    let mut rapidsnark = snarkjs.clone();
    rapidsnark.as_object_mut().unwrap().remove("curve");
    let line = rapidsnark.to_string();
    assert!(!line.contains('\n'));
    assert_eq!(
        proof_from_json(line).unwrap(),
        open_proof(data("proof.json")).unwrap()
    );
}

#[test]
fn infinity_has_its_own_notation_in_json() {
    let proof = Proof {
        a: G1Affine::IDENTITY,
        b: G2Affine::IDENTITY,
        c: G1Affine::GENERATOR,
    };
    let json = proof_to_json(&proof);
    let compact: String = json.split_whitespace().collect();
    assert!(compact.contains(r#""pi_a":["0","1","0"]"#), "{compact}");
    assert!(
        compact.contains(r#""pi_b":[["0","0"],["1","0"],["0","0"]]"#),
        "{compact}"
    );
    assert_eq!(proof_from_json(json).unwrap(), proof);
}

#[test]
fn every_shared_fixture_is_read() {
    let Some(folder) = frumious_testing::shared("fixtures/groth16/mulpub") else {
        return;
    };
    let r1cs = R1cs::open(folder.join("mulpub.r1cs")).unwrap();
    assert_eq!((r1cs.n_wires(), r1cs.n_constraints()), (1004, 1001));
    let wtns = Wtns::open(folder.join("mulpub.wtns")).unwrap();
    assert_eq!(r1cs.first_unsatisfied(&wtns.to_fr()), None);
    let zkey = Zkey::open(folder.join("mulpub.zkey")).unwrap();
    zkey.check().unwrap();
    let original = FileBytes::read(folder.join("mulpub.zkey")).unwrap();
    assert!(copy_in_pieces(&zkey) == *original);
    let vk = open_verifying_key(folder.join("verification_key.json")).unwrap();
    assert_eq!(vk, zkey.verifying_key().unwrap());
    let text = std::fs::read_to_string(folder.join("verification_key.json")).unwrap();
    assert_eq!(verifying_key_to_json(&vk), text);
    let proof = std::fs::read_to_string(folder.join("proof.json")).unwrap();
    assert_eq!(proof_to_json(&proof_from_json(&proof).unwrap()), proof);
    let public = std::fs::read_to_string(folder.join("public.json")).unwrap();
    let signals = public_from_json(&public).unwrap();
    assert_eq!(public_to_json(&signals), public);
    assert_eq!(wtns.public(2), Some(signals));
}

/// Writes a key anew, one entry at a time.
fn copy_in_pieces(zkey: &Zkey) -> Vec<u8> {
    let coefficients = zkey.coefficients();
    let mut writer = ZkeyWriter::new(Vec::new(), zkey.header(), coefficients.len() as u32).unwrap();
    let g1 = |points: frumious_snarkjs::G1Points<'_>| -> Vec<G1Affine> {
        (0..points.len()).map(|i| points.get(i).unwrap()).collect()
    };
    for point in g1(zkey.ic()) {
        writer.write_ic(&[point]).unwrap();
    }
    for coefficient in coefficients.iter() {
        writer.write_coefficients(&[coefficient.unwrap()]).unwrap();
    }
    writer.write_a(&g1(zkey.a())).unwrap();
    writer.write_b1(&g1(zkey.b1())).unwrap();
    for i in 0..zkey.b2().len() {
        writer.write_b2(&[zkey.b2().get(i).unwrap()]).unwrap();
    }
    for point in g1(zkey.c()) {
        writer.write_c(&[point]).unwrap();
    }
    writer.write_h(&g1(zkey.h())).unwrap();
    writer
        .finish_with(zkey.contributions_bytes().unwrap())
        .unwrap()
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// Constraints with zeros and empty sides, in a form and back.
#[test]
fn compact_systems_write_the_same_constraints() {
    let mut builder = R1csBuilder::new(1, 1, 2);
    let wires: Vec<u32> = (0..300).map(|_| builder.new_wire()).collect();
    let large = -Fr::from_u64(7);
    builder.constraint(&[], &[(0, Fr::ZERO)], &[]);
    for pair in wires.windows(2) {
        let terms = [
            (pair[0], Fr::ONE),
            (1, large),
            (pair[1], large),
            (0, -Fr::ONE),
        ];
        builder.constraint(&terms, &[(pair[1], large)], &terms[1..]);
    }
    let flat = builder.build();
    let system = flat.to_system();
    assert_eq!(system.n_constraints(), u64::from(flat.n_constraints()));
    assert_eq!(system.n_wires(), flat.n_wires());
    assert_eq!(system.n_terms(), flat.n_terms());
    assert_eq!(system.pool().values().len(), 4); // 1, -1, 0 and the large one
    let (mut expected, mut written) = (Vec::new(), Vec::new());
    flat.write(&mut expected).unwrap();
    write_system::<Bn254>(&system, &mut written).unwrap();
    assert_eq!(written, expected);
    // circom's own file has its sections in another order; the constraints come back as they were.
    let small = R1cs::open(data("mul.r1cs")).unwrap();
    let (mut expected, mut written) = (Vec::new(), Vec::new());
    small.write(&mut expected).unwrap();
    write_system::<Bn254>(&small.to_system(), &mut written).unwrap();
    assert_eq!(written, expected);
}

/// Readers keep the last of several terms of a wire, so that there must be one.
#[test]
fn terms_of_one_wire_are_added_up() {
    let build = |rows: &[[&[(u32, Fr)]; 3]]| {
        let mut builder = R1csBuilder::new(0, 0, 3);
        rows.iter()
            .for_each(|[a, b, c]| builder.constraint(a, b, c));
        let mut bytes = Vec::new();
        write_system::<Bn254>(&builder.build().to_system(), &mut bytes).unwrap();
        bytes
    };
    let [one, two, five] = [1, 2, 5].map(Fr::from_u64);
    let twice = [
        [
            &[(3, one), (1, two), (3, one)][..],
            &[(2, one)],
            &[(0, five)],
        ],
        [
            &[(1, one), (1, -one)],
            &[(2, one)],
            &[(2, two), (2, two), (2, one)],
        ],
    ];
    let once = [
        [&[(1, two), (3, two)][..], &[(2, one)], &[(0, five)]],
        [&[], &[(2, one)], &[(2, five)]],
    ];
    assert_eq!(build(&twice), build(&once));
}
