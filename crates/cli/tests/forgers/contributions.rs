//! Keys without a contribution: with δ = ±γ, A = α, B = β, C = ∓Σ xᵢ·ICᵢ verifies for any public signals.

use crate::sections::section_mut;
use crate::support::Workplace;
use frumious_curves::Group;
use frumious_curves::{Bn254, bn254};
use frumious_groth16::{Error, PreparedVerifyingKey, verify};
use frumious_groth16::{Proof, VerifyingKey};
use frumious_snarkjs::generic::KeyFile;
use frumious_snarkjs::groth16::{
    proof_to_json, proving_key, verifying_key_from_json, verifying_key_to_json,
};

type G1 = bn254::G1Affine;
const WARNING: &str = "UNFINISHED KEY";

/// A proof of `public`, made of the verification key alone.
fn forged(key: &VerifyingKey<Bn254>, public: &[bn254::Fr]) -> Proof<Bn254> {
    let mut sum = <G1 as Group>::Projective::from(key.ic[0]);
    for (point, signal) in key.ic[1..].iter().zip(public) {
        sum += G1::multiply_vartime(&(*point).into(), signal);
    }
    let sum = G1::from(sum);
    Proof {
        a: key.alpha_g1,
        b: key.beta_g2,
        c: match key.delta_g2 == key.gamma_g2 {
            true => sum.neg(),
            false => sum,
        },
    }
}

/// With `ours.zkey`, a key from a ceremony's powers of tau that nobody contributed to, and `forged.json`, `lie.json`.
fn place_with_a_forgery(opposite: bool) -> Workplace {
    let place = Workplace::new();
    let ending = place.succeed("setup --quiet mul.r1cs pot2.ptau ours.zkey");
    assert!(ending.stderr.contains(WARNING) && ending.stderr.contains("zkey contribute"));
    let mut bytes = place.read("ours.zkey");
    if opposite {
        // Section 2 ends in delta_g2.
        let header = section_mut(&mut bytes, 2);
        let start = header.len() - 128;
        let delta = bn254::G2Affine::GENERATOR.neg().to_montgomery_bytes();
        header[start..].copy_from_slice(&delta);
        let delta_g1 = bn254::G1Affine::GENERATOR.neg().to_montgomery_bytes();
        header[start - 64..start].copy_from_slice(&delta_g1);
        place.write("ours.zkey", &bytes);
    }
    let file = KeyFile::<Bn254>::from_bytes(bytes).expect("a key");
    let key = proving_key(file).expect("a key");
    assert!(key.lacks_contribution() && key.verifying_key().lacks_contribution());
    let lie = [bn254::Fr::from_u64(1_000_003)]; // a prime, which is no product
    let proof = forged(key.verifying_key(), &lie);
    assert!(verify(key.verifying_key(), &lie, &proof).expect("a proof"));
    place.write("forged.json", proof_to_json(&proof));
    place.write("lie.json", r#"["1000003"]"#);
    place.write("ours.vkey.json", verifying_key_to_json(key.verifying_key()));
    place
}

#[test]
fn forged_proofs_are_refused_with_the_key() {
    for opposite in [false, true] {
        let place = place_with_a_forgery(opposite);
        let line = "verify ours.vkey.json lie.json forged.json";
        let ending = place.end_with(2, line);
        assert!(ending.stderr.contains(WARNING), "{}", ending.stderr);
        assert!(ending.stderr.contains("ours.vkey.json"));
        let json = place.end_with(2, &format!("--json {line}")).json();
        assert_eq!(json["status"], "bad input");
        // Who asks for it by name gets the verdict, and the warning.
        let ending = place.succeed(&format!("{line} --allow-uncontributed --quiet"));
        assert!(ending.stderr.contains(WARNING));
    }
}

#[test]
fn exports_of_a_key_without_a_contribution_are_refused() {
    for opposite in [false, true] {
        let place = place_with_a_forgery(opposite);
        place.succeed("convert ours.zkey ours.fkey");
        for key in ["ours.zkey", "ours.fkey"] {
            for (kind, out) in [("vkey", "new.vkey.json"), ("solidity", "new.sol")] {
                let line = format!("export {kind} {key} {out}");
                let ending = place.end_with(2, &line);
                assert!(ending.stderr.contains(WARNING), "{}", ending.stderr);
                assert!(!place.path(out).exists());
                place.succeed(&format!("{line} --allow-uncontributed"));
                std::fs::remove_file(place.path(out)).expect("it was written");
            }
        }
        place.end_with(2, "export solidity ours.vkey.json new.sol");
        place.succeed("export solidity --allow-uncontributed ours.vkey.json new.sol");
        let contract = String::from_utf8(place.read("new.sol")).expect("it is text");
        assert!(contract.contains(WARNING) && contract.contains("anyone can forge"));
        place.succeed("export solidity vkey.json good.sol");
        let contract = String::from_utf8(place.read("good.sol")).expect("it is text");
        assert!(!contract.contains(WARNING));
    }
}

#[test]
fn every_command_that_takes_a_key_tells() {
    let place = place_with_a_forgery(false);
    for line in [
        "setup mul.r1cs pot2.ptau other.zkey",
        "zkey verify mul.r1cs pot2.ptau other.zkey",
        "setup mul.r1cs pot2.ptau other.fkey",
        "convert ours.zkey ours.fkey",
        "prove ours.zkey mul.wtns p.json s.json",
        "prove ours.fkey mul.wtns p.json s.json",
        "fullprove input.json mul.wasm ours.zkey p.json s.json",
    ] {
        let ending = place.succeed(&format!("--quiet --json {line}"));
        assert!(ending.stderr.contains(WARNING), "{line}: {}", ending.stderr);
        assert!(ending.stderr.contains("frumious zkey contribute"), "{line}");
        assert_eq!(ending.json()["contributed"], false, "{line}");
    }
    for file in ["ours.zkey", "ours.fkey", "ours.vkey.json"] {
        let ending = place.succeed(&format!("inspect {file}"));
        assert!(
            ending.stdout.contains("UNFINISHED: no contribution"),
            "{file}"
        );
        let json = place.succeed(&format!("--json inspect {file}")).json();
        assert_eq!(json["contributed"], false, "{file}");
    }
}

#[test]
fn contributed_and_development_keys_are_taken_without_a_word() {
    let place = Workplace::new();
    place.succeed("setup --quiet --dev mul.r1cs dev.zkey");
    for key in ["contributed.zkey", "dev.zkey"] {
        for line in [
            format!("export vkey {key} new.vkey.json"),
            format!("prove {key} mul.wtns p.json s.json"),
            format!("convert --force {key} new.fkey"),
            "verify new.vkey.json s.json p.json".into(),
        ] {
            let ending = place.succeed(&format!("--quiet --json {line}"));
            assert!(
                !ending.stderr.contains(WARNING),
                "{line}: {}",
                ending.stderr
            );
            assert_eq!(ending.json()["contributed"], true, "{line}");
        }
        let json = place.succeed(&format!("--json inspect {key}")).json();
        assert_eq!(json["contributed"], true);
        let contributions = json["contributions"].as_array().expect("a list").len();
        let made = match key {
            "contributed.zkey" => 2,
            _ => 0,
        };
        assert_eq!(contributions, made, "{json}");
    }
}

/// A signal whose point is at infinity is bound by nothing: any value would do.
#[test]
fn keys_that_leave_a_signal_unbound_are_refused() {
    let place = Workplace::new();
    for key in ["contributed.zkey", "mul.zkey"] {
        let mut bytes = place.read(key);
        section_mut(&mut bytes, 3)[64..128].fill(0);
        place.write("unbound.zkey", bytes);
        for line in [
            "prove unbound.zkey mul.wtns p.json s.json",
            "export vkey unbound.zkey new.vkey.json",
            "export solidity unbound.zkey new.sol",
        ] {
            let ending = place.end_with(2, line);
            assert!(ending.stderr.contains("unbound.zkey"), "{}", ending.stderr);
            assert!(ending.stderr.contains("section 3"), "{}", ending.stderr);
            assert!(ending.stderr.contains("infinity"), "{}", ending.stderr);
        }
    }
    let mut json: serde_json::Value =
        serde_json::from_slice(&place.read("vkey.json")).expect("JSON");
    json["IC"][1] = serde_json::json!(["0", "1", "0"]);
    place.write("unbound.json", json.to_string());
    let ending = place.end_with(2, "verify unbound.json public.json proof.json");
    assert!(ending.stderr.contains("$.IC[1]"), "{}", ending.stderr);
    // Nor by the library, whoever made the key.
    let mut key = verifying_key_from_json::<Bn254>(place.read("vkey.json")).expect("a key");
    key.ic[1] = G1::IDENTITY;
    let result = PreparedVerifyingKey::new(&key);
    assert!(matches!(result, Err(Error::VerifyingKeyPoint { .. })));
    key.ic.clear();
    assert!(matches!(
        PreparedVerifyingKey::new(&key),
        Err(Error::NoConstantPoint)
    ));
}

/// Powers of tau that nobody contributed to have α = β = τ = 1: with them any C can be computed, δ or not.
#[test]
fn keys_from_powers_that_nobody_contributed_to_are_refused() {
    let place = Workplace::new();
    for opposite in [false, true] {
        let sign = |point: bn254::G1Affine| if opposite { point.neg() } else { point };
        let mut bytes = place.read("contributed.zkey");
        let alpha = sign(bn254::G1Affine::GENERATOR).to_montgomery_bytes();
        let header = section_mut(&mut bytes, 2);
        // Section 2 ends in alpha_1, beta_1 (64 bytes each), beta_2, gamma_2 (128), delta_1 (64), delta_2 (128).
        let start = header.len() - 576;
        header[start..start + 64].copy_from_slice(&alpha);
        place.write("known.zkey", bytes);
        for line in [
            "export vkey known.zkey n.json",
            "export solidity known.zkey n.sol",
        ] {
            let ending = place.end_with(2, line);
            assert!(
                ending.stderr.contains("powers of tau (alpha or beta is 1)"),
                "{}",
                ending.stderr
            );
        }
        place.succeed("export vkey --allow-uncontributed known.zkey n.json");
        let ending = place.end_with(2, "verify n.json public.json proof.json");
        assert!(ending.stderr.contains(WARNING), "{}", ending.stderr);
        let mut powers = place.read("pot2.ptau");
        section_mut(&mut powers, 4)[..64].copy_from_slice(&alpha);
        place.write("new.ptau", powers);
        let ending = place.succeed("setup --force --quiet mul.r1cs new.ptau k.zkey");
        assert!(
            ending.stderr.contains("its powers of tau"),
            "{}",
            ending.stderr
        );
    }
}
