//! The page about ceremonies: its commands are typed as they stand there.

use std::path::Path;

use super::support::Workplace;

#[test]
fn the_pages_commands_lead_to_a_key() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ceremony.md");
    let page = std::fs::read_to_string(page).expect("it is there");
    let place = Workplace::new();
    place.write("circuit.r1cs", place.read("mul.r1cs"));
    let lines = page
        .lines()
        .filter_map(|line| line.strip_prefix("frumious "));
    let mut typed = 0;
    for line in lines {
        place.succeed(line);
        typed += 1;
    }
    assert!(typed >= 15, "{typed} commands on the page");
    // A key tells its circuit's hash at any time, the same one from the setup on.
    let hash = |key: &str| {
        let told = place.succeed(&format!("inspect {key} --json")).json();
        told["circuit_hash"].as_str().expect("a hash").to_owned()
    };
    assert_eq!(hash("circuit_0.zkey").len(), 128);
    assert_eq!(hash("circuit_0.zkey"), hash("circuit_final.zkey"));
    // The key is finished: it proves, and its verification key is accepted without --allow-uncontributed.
    place.succeed("prove circuit.fkey mul.wtns proof.json public.json");
    place.succeed("verify verification_key.json public.json proof.json");
    // Who leaves a contribution out, or shows another beacon, is found.
    place.end_with(1, "powersoftau verify tau_0.ptau");
    let other = "zkey beacon circuit_2.zkey other.zkey 2112131415161718191a1b1c1d1e1f20 10";
    place.succeed(other);
    assert!(place.read("other.zkey") != place.read("circuit_final.zkey"));
}

/// A line that is typed, or the bytes of a device that ends none.
#[test]
fn random_bytes_are_taken_from_standard_input() {
    let place = Workplace::new();
    place.write("random", [0xff, 0xfe, 0, 0x80].repeat(100_000));
    let line = "zkey contribute mul.zkey new.zkey --entropy";
    let ending = place.run_from(line, &[], Some(&place.path("random")));
    assert_eq!(ending.code, Some(0), "{}", ending.stderr);
}
