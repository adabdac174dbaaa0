//! Ceremonies of a key: honest ones are accepted, and whatever is altered is refused with its place.

use crate::sections::section_mut;
use crate::support::Workplace;
use frumious_curves::engine::PointFromX;
use frumious_curves::{Bls12_381, PairingEngine, bn254};

const HASH: &str = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const VERIFY: &str = "zkey verify --quiet mul.r1cs pot2.ptau";

/// With `0.zkey` of `setup`, `1.zkey` with a contribution, `2.zkey` with another, and `3.zkey` with a beacon's.
fn ceremony(bls12_381: bool) -> Workplace {
    let place = Workplace::new();
    if bls12_381 {
        for name in ["mul.r1cs", "mul.wtns", "pot2.ptau", "contributed.zkey"] {
            place.copy_fixture(&format!("bls12_381/{name}"), name);
        }
    }
    place.succeed("setup --quiet mul.r1cs pot2.ptau 0.zkey");
    place.succeed("zkey contribute 0.zkey 1.zkey --name first");
    place.succeed("zkey contribute 1.zkey 2.zkey --entropy text -n second");
    place.succeed(&format!("zkey beacon 2.zkey 3.zkey {HASH} 10"));
    place
}

#[test]
fn honest_ceremonies_are_accepted() {
    for bls12_381 in [false, true] {
        let place = ceremony(bls12_381);
        for key in ["0.zkey", "1.zkey", "2.zkey", "3.zkey", "contributed.zkey"] {
            place.succeed(&format!("{VERIFY} {key}"));
            place.succeed(&format!("zkey verify --from 0.zkey pot2.ptau {key}"));
        }
        let json = place.succeed(&format!("--json {VERIFY} 3.zkey")).json();
        let contributions = json["contributions"].as_array().expect("a list");
        let names: Vec<_> = contributions.iter().map(|it| it["name"].as_str()).collect();
        assert_eq!(names, [Some("first"), Some("second"), None]);
        assert_eq!(contributions[2]["beacon"]["hash"], HASH);
        assert_eq!(contributions[2]["beacon"]["iterations_exp"], 10);

        // The key proves, and without a warning.
        let ending = place.succeed("prove --quiet 3.zkey mul.wtns n.json s.json");
        assert_eq!(ending.stderr, "");
        place.succeed("export vkey 3.zkey v.json");
        place.succeed("verify v.json s.json n.json");
    }
}

/// The first contribution to `contributed.zkey` is a beacon's, by snarkjs.
#[test]
fn beacons_have_the_bytes_of_snarkjs() {
    let place = Workplace::new();
    place.succeed("setup --quiet mul.r1cs pot2.ptau 0.zkey");
    place.succeed(&format!(
        "zkey beacon 0.zkey b.zkey {HASH} 10 --name beacon_for_tests"
    ));
    let mut ours = place.read("b.zkey");
    let mut theirs = place.read("contributed.zkey");
    let ours = section_mut(&mut ours, 10);
    let name = ours
        .windows(6)
        .position(|bytes| bytes == b"beacon")
        .expect("the name");
    for blank in [6, 10] {
        ours[name + blank] = b' '; // commands are split at blanks
    }
    let theirs = section_mut(&mut theirs, 10);
    assert_eq!(theirs[..64], ours[..64]);
    assert_eq!(theirs[68..ours.len()], ours[68..]);
}

#[test]
fn contributions_are_told_by_their_hashes() {
    let place = ceremony(false);
    let made = place
        .succeed("zkey contribute --json 0.zkey other.zkey -n other")
        .json();
    assert_eq!(made["contributions"], 1);
    let hash = made["contribution_hash"]
        .as_str()
        .expect("a hash")
        .to_owned();
    let verified = place.succeed(&format!("--json {VERIFY} other.zkey")).json();
    assert_eq!(verified["contributions"][0]["hash"], hash);
    let first = place.succeed(&format!("--json {VERIFY} 1.zkey")).json();
    assert_ne!(first["contributions"][0]["hash"], hash); // secrets are drawn anew
    // For people in four lines of four words, as snarkjs prints it.
    let text = place
        .succeed("zkey verify mul.r1cs pot2.ptau other.zkey")
        .stdout;
    let line = format!("\t\t{} {}", &hash[..8], &hash[8..16]);
    assert!(
        text.contains(&line) && text.contains("contribution #1 other:"),
        "{text}"
    );
    assert!(text.contains("ZKey Ok!"), "{text}");
}

/// Each section altered by itself, with points of the group in the place of others.
#[test]
fn keys_that_were_altered_are_refused_with_the_place() {
    let place = ceremony(false);
    let g1 = bn254::G1Affine::GENERATOR.to_montgomery_bytes();
    let g2 = bn254::G2Affine::GENERATOR.to_montgomery_bytes();
    // After both primes and three counts: α, β, β, γ, δ, δ.
    let header = 84;
    let alterations: [(u32, usize, &[u8], &str); 17] = [
        (2, header, &g1, "alpha in G1"),
        (2, header + 64, &g1, "beta in G1"),
        (2, header + 128, &g2, "beta in G2"),
        (2, header + 384, &g1, "delta in G1"),
        (2, header + 448, &g2, "delta in G2"),
        (3, 0, &g1, "section 3"),
        (4, 20, &[77], "section 4"),
        (5, 64, &g1, "section 5"),
        (6, 64, &g1, "section 6"),
        (7, 0, &g2, "section 7"),
        (8, 0, &g1, "section 8"),
        (8, 64, &[0; 64], "section 8"),
        (9, 192, &g1, "section 9"),
        (10, 3, &[1, 2, 3], "contribution 1: its transcript"),
        (10, 68, &g1, "contribution 1: delta after it"),
        (10, 68 + 64, &g1, "contribution 1: its transcript"),
        (10, 68 + 192, &g2, "contribution 1: the halves"),
    ];
    for (id, at, bytes, what) in alterations {
        let mut key = place.read("3.zkey");
        section_mut(&mut key, id)[at..at + bytes.len()].copy_from_slice(bytes);
        place.write("bad.zkey", key);
        let ending = place.end_with(1, &format!("{VERIFY} bad.zkey"));
        let stderr = &ending.stderr;
        assert!(
            stderr.contains("INVALID") && stderr.contains(what),
            "{what}: {stderr}"
        );
        assert!(stderr.contains("bad.zkey"), "{stderr}");
        let json = place
            .end_with(1, &format!("--json {VERIFY} bad.zkey"))
            .json();
        assert_eq!(json["code"], "rejected");
        let from = place.end_with(1, "zkey verify --from 0.zkey pot2.ptau bad.zkey");
        assert!(from.stderr.contains(what), "{}", from.stderr);
    }
    // A point that is none is a broken file, here and for who contributes.
    for (id, at) in [(8, 7), (9, 130), (10, 68 + 130)] {
        let mut key = place.read("3.zkey");
        section_mut(&mut key, id)[at] ^= 1;
        place.write("bad.zkey", key);
        let ending = place.end_with(2, &format!("{VERIFY} bad.zkey"));
        assert!(
            ending.stderr.contains(&format!("section {id}")),
            "{}",
            ending.stderr
        );
        let ending = place.end_with(2, "zkey contribute bad.zkey none.zkey");
        assert!(
            ending.stderr.contains(&format!("section {id}")),
            "{}",
            ending.stderr
        );
        assert!(!place.path("none.zkey").exists());
    }
}

/// The key's records, each with its bytes, instead of those that it has.
fn with_records(key: &[u8], order: impl Fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>) -> Vec<u8> {
    let mut key = key.to_vec();
    let payload = section_mut(&mut key, 10).to_vec();
    key.truncate(key.len() - payload.len() - 8); // the section is the last; behind its number is its length
    let (head, mut rest) = (payload[..64].to_vec(), &payload[68..]);
    let mut records = Vec::new();
    while !rest.is_empty() {
        let params = rest[388..392].try_into().expect("four bytes");
        let (record, behind) = rest.split_at(392 + u32::from_le_bytes(params) as usize);
        records.push(record.to_vec());
        rest = behind;
    }
    let records = order(records);
    let count = (records.len() as u32).to_le_bytes();
    let payload = [head, count.to_vec(), records.concat()].concat();
    key.extend((payload.len() as u64).to_le_bytes());
    key.extend(payload);
    key
}

#[test]
fn chains_that_were_altered_are_refused_with_the_contribution() {
    type Order = fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>;
    let place = ceremony(false);
    let key = place.read("3.zkey");
    assert_eq!(with_records(&key, |records| records), key);
    let alterations: [(Order, &str); 7] = [
        (
            |r| vec![r[1].clone(), r[0].clone(), r[2].clone()],
            "contribution 1: its transcript",
        ),
        (
            |r| vec![r[0].clone(), r[2].clone(), r[1].clone()],
            "contribution 2: its transcript",
        ),
        (
            |r| vec![r[0].clone(), r[1].clone(), r[1].clone(), r[2].clone()],
            "contribution 3: its transcript",
        ),
        (|r| r[1..].to_vec(), "contribution 1: its transcript"),
        (|r| r[..2].to_vec(), "delta in G1"),
        (|_| vec![], "delta in G1"),
        (
            |mut r| {
                let last = r[2].len() - 1;
                r[2][last] ^= 1; // of the beacon's hash
                r
            },
            "contribution 3: its public key",
        ),
    ];
    for (order, what) in alterations {
        place.write("bad.zkey", with_records(&key, order));
        let ending = place.end_with(1, &format!("{VERIFY} bad.zkey"));
        assert!(ending.stderr.contains(what), "{what}: {}", ending.stderr);
    }
    // A person's contribution that is passed off as a beacon's; one whose parameters are in disorder.
    let beacon = |mut records: Vec<Vec<u8>>| {
        records[1][384] = 1;
        records
    };
    place.write("bad.zkey", with_records(&key, beacon));
    let ending = place.end_with(1, &format!("{VERIFY} bad.zkey"));
    assert!(
        ending.stderr.contains("contribution 2: its public key"),
        "{}",
        ending.stderr
    );
    let disorder = |mut records: Vec<Vec<u8>>| {
        let params = [3, 1, 9, 2, 10];
        records[2].truncate(388);
        records[2].extend((params.len() as u32).to_le_bytes());
        records[2].extend(params);
        records
    };
    place.write("bad.zkey", with_records(&key, disorder));
    let ending = place.end_with(2, &format!("{VERIFY} bad.zkey"));
    assert!(ending.stderr.contains("section 10"), "{}", ending.stderr);
}

/// A name with lines of its own would look like another contribution's.
#[test]
fn names_have_no_lines_of_their_own() {
    let place = ceremony(false);
    let renamed = |mut records: Vec<Vec<u8>>| {
        assert_eq!(&records[0][394..], b"first");
        records[0][396] = b'\n';
        records
    };
    place.write("odd.zkey", with_records(&place.read("3.zkey"), renamed));
    let text = place
        .succeed("zkey verify mul.r1cs pot2.ptau odd.zkey")
        .stdout;
    assert!(text.contains("contribution #1 fi\u{fffd}st:"), "{text}");
}

/// 2^63 hashes take thousands of years.
#[test]
fn beacons_that_take_for_ever_are_refused() {
    let place = ceremony(false);
    let long = |mut records: Vec<Vec<u8>>| {
        assert_eq!(records[2][392..394], [2, 10], "the exponent comes first");
        records[2][393] = 63;
        records
    };
    place.write("bad.zkey", with_records(&place.read("3.zkey"), long));
    for line in [
        format!("{VERIFY} bad.zkey"),
        format!("{VERIFY} bad.zkey --max-iterations-exp 62"),
        "zkey verify --from 0.zkey pot2.ptau bad.zkey".into(),
    ] {
        let ending = place.end_with(3, &format!("{line} --json"));
        assert_eq!(ending.json()["code"], "time_limit", "{line}");
        let error = ending.json()["error"].to_string();
        assert!(
            error.contains("contribution 3") && error.contains("--max-iterations-exp 63"),
            "{error}"
        );
    }
    place.succeed(&format!("{VERIFY} 3.zkey --max-iterations-exp 10"));
}

/// A point of the curve outside the group, multiplied, would tell a part of the secret.
#[test]
fn points_outside_the_group_are_refused() {
    type G1 = <Bls12_381 as PairingEngine>::G1;
    let mut x = <Bls12_381 as PairingEngine>::Fq::ONE;
    let outside = loop {
        x = x.double() + <Bls12_381 as PairingEngine>::Fq::ONE;
        if let Some(y) = (x.square() * x + G1::B).sqrt().into_option() {
            break G1 { x, y };
        }
    };
    assert!(G1::from_x_vartime(&[x], true).is_some());
    let place = ceremony(true);
    for id in [8, 9] {
        let mut key = place.read("3.zkey");
        section_mut(&mut key, id)[..96].copy_from_slice(outside.to_montgomery_bytes().as_ref());
        place.write("bad.zkey", key);
        for line in [
            format!("{VERIFY} bad.zkey"),
            "zkey contribute bad.zkey none.zkey".into(),
            format!("zkey beacon bad.zkey none.zkey {HASH} 10"),
        ] {
            let ending = place.end_with(2, &line);
            assert!(
                ending.stderr.contains("subgroup"),
                "{line}: {}",
                ending.stderr
            );
            assert!(!place.path("none.zkey").exists());
        }
    }
}

#[test]
fn other_circuits_and_other_powers_are_refused() {
    let place = ceremony(false);
    place.copy_fixture("half.r1cs", "half.r1cs");
    place.copy_fixture("pot4.ptau", "pot4.ptau");
    for line in [
        "zkey verify half.r1cs pot4.ptau 3.zkey",
        "zkey verify mul.r1cs pot4.ptau 3.zkey",
        "zkey verify --from 0.zkey pot4.ptau 3.zkey",
        "zkey verify --from 1.zkey pot2.ptau 3.zkey",
    ] {
        let ending = place.end_with(1, line);
        assert!(
            ending.stderr.contains("INVALID"),
            "{line}: {}",
            ending.stderr
        );
    }
    // A development key is no initial key, and nobody's contribution made it.
    place.succeed("setup --quiet --dev mul.r1cs dev.zkey");
    place.end_with(1, "zkey verify mul.r1cs pot2.ptau dev.zkey");
    place.end_with(1, "zkey verify --from dev.zkey pot2.ptau dev.zkey");
}

/// Bases of some sections are those of unprepared powers, which `powersoftau verify` accepts without a look at them.
#[test]
fn bases_that_nobody_verifies_make_no_key_valid() {
    let place = ceremony(false);
    let (mut powers, mut key) = (place.read("pot2.ptau"), place.read("0.zkey"));
    // One point in the place of part H's first.
    let forged = bn254::G1Affine::GENERATOR.to_montgomery_bytes();
    let first = section_mut(&mut key, 9)[..64].to_vec();
    section_mut(&mut key, 9)[..64].copy_from_slice(&forged);
    let bases = section_mut(&mut powers, 12);
    let at = (0..bases.len() / 64).find(|k| bases[64 * k..][..64] == first);
    bases[64 * at.expect("it is of the bases")..][..64].copy_from_slice(&forged);
    place.write("bad.zkey", key);
    place.write("bad.ptau", &powers);
    place.end_with(1, "powersoftau verify bad.ptau");
    // Without its last section, β times the bases.
    let length = section_mut(&mut powers, 15).len();
    powers.truncate(powers.len() - 12 - length);
    powers[8] -= 1;
    place.write("bad.ptau", powers);
    let ending = place.succeed("powersoftau verify bad.ptau");
    assert!(ending.stdout.contains("not prepared"), "{}", ending.stdout);
    place.succeed("zkey contribute bad.zkey contributed.zkey --force");
    for line in [
        "zkey verify --from bad.zkey bad.ptau contributed.zkey",
        "setup mul.r1cs bad.ptau new.zkey",
    ] {
        let ending = place.end_with(2, line);
        assert!(
            ending.stderr.contains("not prepared"),
            "{line}: {}",
            ending.stderr
        );
    }
}

/// Of contributions that are made at once under one name, one is kept, and the others are told so.
#[test]
fn of_contributions_at_once_none_is_lost() {
    let place = ceremony(false);
    for round in 0..5 {
        let name = format!("n{round}.zkey");
        let children: Vec<_> = (0..4)
            .map(|_| {
                std::process::Command::new(env!("CARGO_BIN_EXE_frumious"))
                    .args(["zkey", "contribute", "0.zkey", &name, "--quiet"])
                    .current_dir(place.path("."))
                    .stderr(std::process::Stdio::piped())
                    .spawn()
                    .expect("it starts")
            })
            .collect();
        let mut kept = 0;
        for child in children {
            let output = child.wait_with_output().expect("it ends");
            let told = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => kept += 1,
                code => assert!(code == Some(2) && told.contains(&name), "{code:?}: {told}"),
            }
        }
        assert_eq!(kept, 1, "{name}");
        place.succeed(&format!("{VERIFY} {name}"));
    }
    assert!(!place.names().iter().any(|name| name.ends_with(".tmp")));
}

#[test]
fn arguments_that_are_wrong_change_nothing() {
    let place = ceremony(false);
    place.succeed("convert 0.zkey 0.fkey");
    for (line, word) in [
        ("zkey contribute 0.zkey 1.zkey", "--force"),
        ("zkey contribute 0.zkey 0.zkey", "overwrite"),
        ("zkey contribute 0.fkey n.zkey", "frumious convert"),
        ("zkey contribute mul.wtns n.zkey", "witness"),
        ("zkey beacon 0.zkey n.zkey 0x01 10", "hexadecimal"),
        ("zkey beacon 0.zkey n.zkey 01 9", "10 to 63"),
        ("zkey beacon 0.zkey n.zkey 01 64", "10 to 63"),
        (
            "zkey verify --from 0.zkey mul.r1cs pot2.ptau 3.zkey",
            "--from",
        ),
    ] {
        let before = place.names();
        let ending = place.end_with(2, line);
        assert!(ending.stderr.contains(word), "{line}: {}", ending.stderr);
        assert_eq!(place.names(), before, "{line}");
    }
    place.succeed("zkey contribute --force 0.zkey 1.zkey");
    // Text from stdin; names are cut as by snarkjs, and may be left out.
    place.write("text", "some text\n");
    let line = format!("zkey contribute 1.zkey n.zkey -e -n {}", "é".repeat(70));
    let ending = place.run_from(&line, &[], Some(&place.path("text")));
    assert_eq!(ending.code, Some(0), "{}", ending.stderr);
    let json = place.succeed(&format!("--json {VERIFY} n.zkey")).json();
    assert_eq!(json["contributions"][1]["name"], "é".repeat(64));
    assert!(json["contributions"][0]["name"].is_null());
}

/// Contributors with bellman's programs: the key goes on from their parameters, and proves. Others are refused.
#[test]
fn parameters_of_bellman_lead_to_keys() {
    for bls12_381 in [false, true] {
        let place = ceremony(bls12_381);
        let curve = if bls12_381 { "bls12381" } else { "bn128" };
        let other = if bls12_381 { "bn128" } else { "bls12381" };
        place.succeed("zkey export bellman 2.zkey 2.mpcparams");
        let answer = format!("zkey bellman contribute {curve} 2.mpcparams");
        let made = place.succeed(&format!("--json {answer} 3.mpcparams"));
        place.succeed(&format!("{answer} --entropy text"));
        let import = "zkey import bellman 2.zkey 3.mpcparams third.zkey --name third";
        place.succeed(import);
        place.succeed("zkey contribute third.zkey fourth.zkey");
        let json = place
            .succeed(&format!("--json {VERIFY} fourth.zkey"))
            .json();
        assert_eq!(json["contributions"][2]["name"], "third");
        let hash = &made.json()["contribution_hash"];
        assert_eq!(json["contributions"][2]["hash"], *hash);
        place.succeed("prove --quiet fourth.zkey mul.wtns n.json s.json");

        for (code, line, words) in [
            (
                1,
                "zkey import bellman 3.zkey 3.mpcparams none.zkey",
                "contribution 3",
            ),
            (
                2,
                "zkey import bellman 2.zkey mul.wtns none.zkey",
                "a witness",
            ),
            (
                2,
                "zkey import bellman 2.zkey 3.mpcparams 1.zkey",
                "--force",
            ),
            (2, "zkey bellman contribute bn 2.mpcparams none", "bn128"),
            (
                2,
                &format!("zkey bellman contribute {other} 2.mpcparams none"),
                "header, byte",
            ),
            (
                2,
                "zkey export bellman mul.r1cs none.mpcparams",
                "constraint system",
            ),
        ] {
            let ending = place.end_with(code, line);
            assert!(ending.stderr.contains(words), "{line}: {}", ending.stderr);
            assert!(!place.path("none.zkey").exists() && !place.path("none").exists());
        }
        // The answer to other parameters, and one that ends too early.
        let answered = place.read("2.response");
        place.write("cut.mpcparams", &answered[..answered.len() - 1]);
        let ending = place.end_with(2, "zkey import bellman 2.zkey cut.mpcparams none.zkey");
        assert!(
            ending.stderr.contains("contributions, byte"),
            "{}",
            ending.stderr
        );
        place.succeed("zkey import bellman 2.zkey 2.response another.zkey");
        // To an older key both contributions are new.
        place.succeed("zkey import bellman 1.zkey 3.mpcparams both.zkey");
        place.succeed(&format!("{VERIFY} both.zkey"));
        // The parameters themselves come back: nobody took part.
        let ending = place.end_with(1, "zkey import bellman 2.zkey 2.mpcparams none.zkey");
        let none = "there is none that the key has not";
        assert!(ending.stderr.contains(none), "{}", ending.stderr);
        let line = "zkey import bellman third.zkey 2.response none.zkey";
        let ending = place.end_with(1, line);
        assert!(
            ending
                .stderr
                .contains("contribution 3: it is not the key's"),
            "{}",
            ending.stderr
        );
    }
}
