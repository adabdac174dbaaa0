//! Files of a ceremony that change while they are verified.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_app::failure::Code;
use frumious_app::observer::Observer;
use frumious_app::phase2::{self, Circuit, Origin};
use frumious_app::setup::{self, Source};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes over a file when a phase begins.
struct Writer {
    phase: &'static str,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Observer for Writer {
    fn begin(&self, phase: &'static str) {
        if phase == self.phase {
            let mut file = OpenOptions::new().write(true).open(&self.path).unwrap();
            file.write_all(&self.bytes).unwrap();
        }
    }

    fn within(&self, _phase: &'static str, _done: f64) {}

    fn note(&self, _text: &str) {}

    fn warning(&self, _text: &str) {}
}

/// Part H of a key, its last section but for the contributions.
fn part_h(key: &mut [u8]) -> &mut [u8] {
    let mut at = 12;
    while key[at] != 9 {
        let length = u64::from_le_bytes(key[at + 4..at + 12].try_into().unwrap());
        at += 12 + length as usize;
    }
    &mut key[at + 12..]
}

/// The first key is compared with the powers, and then the last with the first: it must be the same file.
#[test]
fn a_first_key_that_changes_between_its_checks_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data");
    let (circuit, powers) = (data.join("mul.r1cs"), data.join("pot2.ptau"));
    let [first, forged, last] = ["first.zkey", "forged.zkey", "last.zkey"].map(at);
    let watch = |phase, bytes: &[u8]| Writer {
        phase,
        path: first.clone(),
        bytes: bytes.to_vec(),
    };
    let request = setup::Request {
        r1cs: &circuit,
        source: Source::Ceremony(&powers),
        key: &first,
        max_memory: None,
    };
    setup::setup(&request, &watch("never", &[])).unwrap();
    let honest = fs::read(&first).unwrap();
    let mut bytes = honest.clone();
    part_h(&mut bytes)[..128].rotate_left(64);
    assert_ne!(bytes, honest);
    fs::write(&forged, &bytes).unwrap();
    let request = phase2::Request {
        old: &forged,
        new: &last,
        name: None,
        origin: Origin::Secret(b""),
    };
    phase2::contribute(&request, &watch("never", &[])).unwrap();

    for (phase, written, expected) in [
        ("never", &honest, Code::Rejected),
        ("compare keys", &bytes, Code::Changed),
    ] {
        let verdict = phase2::verify(
            &Circuit::Initial(&first),
            &powers,
            &last,
            32,
            &watch(phase, written),
        );
        assert_eq!(verdict.unwrap_err().code(), expected);
    }
}
