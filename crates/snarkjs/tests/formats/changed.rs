//! Files that are written to while they are mapped: reading goes on without a panic, and the change is told.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use frumious_circom::{Error, R1cs, Wtns};
use frumious_curves::Bn254;
use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use frumious_groth16::{PreparedVerifyingKey, ProveOptions};
use frumious_mapping::{Error as FileError, FileBytes};
use frumious_snarkjs::generic::KeyFile;
use frumious_snarkjs::groth16::{prove, proving_key};
use tempfile::TempDir;

/// A fixture in a folder of its own.
fn copied(name: &str) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    std::fs::copy(data.join(name), &path).expect("the fixture is there");
    (folder, path)
}

/// Writes over a file in place, from byte `start` to its end.
fn fill(path: &Path, start: u64, byte: u8) {
    let length = std::fs::metadata(path).expect("it is there").len();
    let mut file = OpenOptions::new()
        .write(true)
        .open(path)
        .expect("it can be opened");
    file.seek(SeekFrom::Start(start)).expect("it can be sought");
    file.write_all(&vec![byte; (length - start) as usize])
        .expect("it can be written");
}

fn is_told(result: Result<(), Error>) -> bool {
    matches!(
        result,
        Err(Error::File(
            FileError::WrittenInUse { .. } | FileError::ChangedInUse { .. }
        ))
    )
}

#[test]
fn a_system_that_changes_has_wires_that_there_are_and_coefficients_below_r() {
    for start in (12..200).step_by(9) {
        for byte in [0, 1, 0x30, 0xff] {
            let (_folder, path) = copied("mul.r1cs");
            let r1cs = R1cs::open(&path).expect("it is well-formed");
            r1cs.bytes().settle();
            r1cs.check_unchanged().expect("nobody changed it");
            fill(&path, start, byte);
            assert_eq!(r1cs.constraints().count(), r1cs.n_constraints() as usize);
            for constraint in r1cs.constraints() {
                for combination in [constraint.a, constraint.b, constraint.c] {
                    for term in combination.terms() {
                        assert!(term.wire < r1cs.n_wires());
                        let plain = term.coefficient;
                        assert_eq!(plain, term.coefficient);
                    }
                }
            }
            let witness = vec![Fr::ONE; r1cs.n_wires() as usize];
            let _ = r1cs.first_unsatisfied(&witness);
            let _ = r1cs.to_system();
            assert!(is_told(r1cs.check_unchanged()));
        }
    }
}

#[test]
fn a_witness_that_changes_has_values_below_r() {
    let (_folder, path) = copied("mul.wtns");
    let witness = Wtns::open(&path).expect("it is well-formed");
    witness.mapped().expect("it is mapped").settle();
    witness.check_unchanged().expect("nobody changed it");
    fill(&path, 0, 0xff);
    assert!(
        witness
            .to_values()
            .iter()
            .all(|value| *value == Integer::ZERO)
    );
    let mut buffer = Vec::new();
    let chunk = witness.chunk(0..witness.len(), &mut buffer);
    assert!(chunk.iter().all(|value| *value == Integer::ZERO));
    assert_eq!(witness.public(2), Some(vec![Fr::ZERO; 2]));
    assert_eq!(witness.to_fr().len(), witness.len());
    assert!(is_told(witness.check_unchanged()));
}

/// A proof under a key that changes is an error, or valid under the key as it was.
#[test]
fn a_key_that_changes_makes_no_wrong_proof() {
    let (_folder, path) = copied("mul.wtns");
    let witness = Wtns::open(path).expect("it is well-formed");
    for name in ["mul.zkey", "mul.fkey", "templates.fkey"] {
        let (_folder, path) = copied(name);
        let length = std::fs::metadata(&path).expect("it is there").len();
        for start in (0..length).step_by(length as usize / 25) {
            // Coordinates stay below the modulus: builds with assertions look at that, within the kernels.
            for byte in [0, 1] {
                let (_folder, path) = copied(name);
                let bytes = FileBytes::map(&path).expect("it is mapped");
                let file = KeyFile::<Bn254>::from_bytes(bytes).expect("it is well-formed");
                let key = proving_key(file).expect("it is a key");
                let vkey = PreparedVerifyingKey::new(key.verifying_key()).expect("it is a key");
                fill(&path, start, byte);
                if let Ok((proof, public)) = prove(&key, &witness, &ProveOptions::default()) {
                    let verdict = vkey.verify(&public, &proof).expect("it is well-formed");
                    assert!(verdict, "{name}: {byte} from {start} on");
                }
            }
        }
    }
}
