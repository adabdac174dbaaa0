//! The same commands on files of circom and snarkjs for the other curve, and on files of both.

use super::support::Workplace;

/// A folder with the files of both curves; those of BLS12-381 are called `bls.zkey` and so on.
fn workplace() -> Workplace {
    let place = Workplace::new();
    for (from, to) in [
        ("mul.r1cs", "bls.r1cs"),
        ("mul.wtns", "bls.wtns"),
        ("mul.zkey", "initial.zkey"),
        ("contributed.zkey", "bls.zkey"),
        ("pot2.ptau", "bls.ptau"),
        ("proof.json", "bls.proof.json"),
        ("public.json", "bls.public.json"),
        ("verification_key.json", "bls.vkey.json"),
    ] {
        place.copy_fixture(&format!("bls12_381/{from}"), to);
    }
    let text = include_str!("../data/multiplier.wat");
    assert!(text.contains(R_OF_BN254));
    let wasm = wat::parse_str(text.replace(R_OF_BN254, R)).expect("the text is right");
    place.write("bls.wasm", wasm);
    place
}

/// The primes as the witness generator has them.
const R_OF_BN254: &str = r"\01\00\00\f0\93\f5\e1\43\91\70\b9\79\48\e8\33\28\5d\58\81\81\b6\45\50\b8\29\a0\31\e1\72\4e\64\30";
const R: &str = r"\01\00\00\00\ff\ff\ff\ff\fe\5b\fe\ff\02\a4\bd\53\05\d8\a1\09\08\d8\39\33\48\7d\9d\29\53\a7\ed\73";

#[test]
fn every_command_works_over_it() {
    let place = workplace();
    place.succeed("prove --check bls.zkey bls.wtns new.json signals.json");
    assert_eq!(place.read("signals.json"), place.read("bls.public.json"));
    place.succeed("verify bls.vkey.json signals.json new.json");
    place.succeed("verify bls.vkey.json bls.public.json bls.proof.json");
    place.succeed("export vkey bls.zkey vkey2.json");
    assert_eq!(place.read("vkey2.json"), place.read("bls.vkey.json"));
    place.succeed("witness bls.wasm input.json new.wtns");
    assert_eq!(place.read("new.wtns"), place.read("bls.wtns"));
    place.succeed("fullprove input.json bls.wasm bls.zkey new.json signals.json");
    place.succeed("verify bls.vkey.json signals.json new.json");

    for setup in [
        "setup bls.r1cs bls.ptau new.zkey",
        "setup --force --dev bls.r1cs new.zkey",
    ] {
        place.succeed(setup);
        place.succeed("prove new.zkey bls.wtns new.json signals.json");
        place.succeed("export vkey --allow-uncontributed new.zkey new.vkey.json");
        place.succeed("verify --allow-uncontributed new.vkey.json signals.json new.json");
        // Under another key it is false.
        place.end_with(1, "verify bls.vkey.json signals.json new.json");
    }
    place.succeed("export solidity bls.zkey new.sol");
    place.succeed("export solidity bls.vkey.json new2.sol");
    assert_eq!(place.read("new.sol"), place.read("new2.sol"));
    let calldata = place.succeed("export calldata bls.public.json bls.proof.json");
    let words: serde_json::Value =
        serde_json::from_str(&format!("[{}]", calldata.stdout)).expect("arrays");
    let lengths = [0, 1, 2, 3].map(|k| words[k].as_array().map_or(0, Vec::len));
    assert_eq!(lengths, [4, 8, 4, 1]);

    for file in [
        "bls.r1cs",
        "bls.wtns",
        "bls.zkey",
        "bls.ptau",
        "bls.wasm",
        "bls.proof.json",
        "bls.vkey.json",
    ] {
        let ending = place.succeed(&format!("inspect --json {file}"));
        assert_eq!(ending.json()["curve"], "bls12381", "{file}");
    }
}

#[test]
fn tampered_proofs_are_invalid() {
    let place = workplace();
    let proof = String::from_utf8(place.read("bls.proof.json")).expect("it is text");
    let key: serde_json::Value =
        serde_json::from_slice(&place.read("bls.vkey.json")).expect("it is JSON");
    let mut wrong: serde_json::Value = serde_json::from_str(&proof).expect("it is JSON");
    wrong["pi_c"] = key["vk_alpha_1"].clone();
    place.write("wrong.json", wrong.to_string());
    place.end_with(1, "verify bls.vkey.json bls.public.json wrong.json");
    place.write("wrong.public.json", "[\"34\"]");
    place.end_with(1, "verify bls.vkey.json wrong.public.json bls.proof.json");
}

/// [command, what the error says]: which file, where, and what.
#[test]
fn files_of_two_curves_do_not_mix() {
    let place = workplace();
    let before = place.names();
    for (line, parts) in [
        (
            "prove bls.zkey mul.wtns new.json signals.json",
            [
                "mul.wtns",
                "section 1 (header), byte 28: the prime is not BLS12-381's scalar field r, but one of BN254",
            ],
        ),
        (
            "prove mul.zkey bls.wtns new.json signals.json",
            [
                "bls.wtns",
                "section 1 (header), byte 28: the prime is not BN254's scalar field r, but one of BLS12-381",
            ],
        ),
        (
            "fullprove input.json mul.wasm bls.zkey new.json signals.json",
            ["mul.wasm", "its prime is BN254's, not BLS12-381's"],
        ),
        (
            "setup bls.r1cs pot2.ptau new.zkey",
            [
                "pot2.ptau",
                "section 1 (header), byte 24: the prime is not BLS12-381's base field q, but one of BN254",
            ],
        ),
        (
            "verify bls.vkey.json bls.public.json proof.json",
            ["proof.json", "at $.curve: expected \"bls12381\""],
        ),
        (
            "verify vkey.json bls.public.json bls.proof.json",
            ["bls.proof.json", "at $.curve: expected \"bn128\""],
        ),
    ] {
        let ending = place.end_with(2, line);
        for part in parts {
            assert!(ending.stderr.contains(part), "{line}: {}", ending.stderr);
        }
    }
    assert_eq!(place.names(), before);
}

#[test]
fn primes_of_no_known_curve_are_named() {
    let place = workplace();
    // Where a prime starts: q in the key's section 2, r in section 1 of the others, which circom puts last.
    for (file, start, line) in [
        (
            "bls.zkey",
            &[0xab, 0xaa, 0xff, 0xff][..],
            "prove other bls.wtns new.json signals.json",
        ),
        ("bls.r1cs", &[1, 0, 0, 0, 0xff, 0xff], "inspect other"),
        ("mul.wtns", &[1, 0, 0, 0xf0], "inspect other"),
    ] {
        let mut bytes = place.read(file);
        let mut windows = bytes.windows(start.len());
        let position = windows.position(|window| window == start);
        let position = position.expect("the prime is there");
        bytes[position] ^= 2;
        place.write("other", bytes);
        let ending = place.end_with(2, line);
        assert!(
            ending.stderr.contains("of neither BN254 nor BLS12-381"),
            "{file}: {}",
            ending.stderr
        );
    }
}
