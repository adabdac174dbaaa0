//! Powers of tau: honest ceremonies are accepted, and whatever is altered is refused with its place.

use crate::sections::section_mut;
use crate::support::Workplace;
use frumious_curves::engine::{Coordinates, MontgomeryEncoding, PointFromX};
use frumious_curves::{Bls12_381, Bn254, PairingEngine};

const HASH: &str = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const VERIFY: &str = "powersoftau verify --quiet";

/// With `0.ptau` without a contribution, `1.ptau` with one, `2.ptau` with another, `3.ptau` with a beacon's, and
/// `p.ptau`, which has Lagrange bases.
fn ceremony(curve: &str) -> Workplace {
    let place = Workplace::new();
    place.succeed(&format!("powersoftau new {curve} 3 0.ptau"));
    place.succeed("powersoftau contribute 0.ptau 1.ptau --name first");
    place.succeed("powersoftau contribute 1.ptau 2.ptau --entropy text -n second");
    place.succeed(&format!("powersoftau beacon 2.ptau 3.ptau {HASH} 10"));
    place.succeed("powersoftau prepare phase2 3.ptau p.ptau");
    place
}

#[test]
fn honest_ceremonies_are_accepted_and_make_keys() {
    for curve in ["bn128", "bls12-381"] {
        let place = ceremony(curve);
        for powers in ["1.ptau", "2.ptau", "3.ptau", "p.ptau"] {
            place.succeed(&format!("{VERIFY} {powers}"));
        }
        let report = place.succeed(&format!("--json {VERIFY} p.ptau")).json();
        assert_eq!(report["power"], 3);
        assert_eq!(report["prepared"], true);
        let contributions = report["contributions"].as_array().expect("a list");
        let names: Vec<_> = contributions.iter().map(|it| it["name"].as_str()).collect();
        assert_eq!(names, [Some("first"), Some("second"), None]);
        assert_eq!(contributions[2]["beacon"]["hash"], HASH);
        for pair in contributions.windows(2) {
            assert_eq!(pair[0]["next_challenge"], pair[1]["challenge"]);
        }
        if curve == "bls12-381" {
            place.copy_fixture("bls12_381/mul.r1cs", "mul.r1cs");
            place.copy_fixture("bls12_381/mul.wtns", "mul.wtns");
        }
        place.succeed("setup --quiet mul.r1cs p.ptau 0.zkey");
        place.succeed("zkey contribute 0.zkey 1.zkey");
        place.succeed("zkey verify mul.r1cs p.ptau 1.zkey");
        place.succeed("prove --quiet 1.zkey mul.wtns n.json s.json");
    }
    // Nobody has contributed: everyone knows the secrets.
    let place = ceremony("bn128");
    let ending = place.end_with(1, &format!("{VERIFY} 0.ptau"));
    assert!(
        ending.stderr.contains("no contribution"),
        "{}",
        ending.stderr
    );
}

#[test]
fn fewer_powers_are_verified_and_make_keys() {
    let place = ceremony("bn128");
    let report = place.succeed("powersoftau truncate --json p.ptau").json();
    assert_eq!(
        report["ptau"],
        serde_json::json!(["p_01.ptau", "p_02.ptau"])
    );
    place.end_with(2, "powersoftau truncate p.ptau"); // they are there already
    place.succeed("powersoftau truncate --force p.ptau");
    for cut in ["p_01.ptau", "p_02.ptau"] {
        let text = place.succeed(&format!("powersoftau verify {cut}")).stdout;
        assert!(text.contains("of a ceremony of 2^3"), "{text}");
        let line = format!("powersoftau contribute {cut} none.ptau");
        let ending = place.end_with(2, &line);
        assert!(
            ending.stderr.contains("powers that were cut"),
            "{}",
            ending.stderr
        );
        place.end_with(2, &format!("powersoftau export challenge {cut} none"));
    }
    place.succeed("setup --quiet mul.r1cs p_02.ptau 0.zkey");
    // The last basis of cut powers is of one power more than they have: any other is refused.
    let mut powers = place.read("p_02.ptau");
    let basis = section_mut(&mut powers, 12);
    let end = basis.len();
    let g1 = <Bn254 as PairingEngine>::G1::GENERATOR.to_montgomery_bytes();
    basis[end - 64..].copy_from_slice(&g1);
    place.write("bad.ptau", powers);
    let ending = place.end_with(1, &format!("{VERIFY} bad.ptau"));
    assert!(ending.stderr.contains("section 12"), "{}", ending.stderr);
    // Powers without bases are cut, too.
    place.succeed("powersoftau truncate 3.ptau");
    place.succeed(&format!("{VERIFY} 3_02.ptau"));
    place.succeed("powersoftau prepare phase2 3_02.ptau again.ptau");
    place.succeed(&format!("{VERIFY} again.ptau"));
}

/// Early versions of snarkjs wrote no basis of one power more in section 12, or none at all.
#[test]
fn bases_of_early_versions_are_made_anew() {
    let place = ceremony("bn128");
    let whole = place.read("p.ptau");
    let mut early = whole.clone();
    let length = section_mut(&mut early, 12).len();
    let end = early.len() - (15 + 15 + 15) * 64 - 15 * 64 - 3 * 12; // sections 13, 14 and 15
    let start = end - length;
    let last = 16 * 64;
    early.drain(end - last..end);
    early[start - 8..start].copy_from_slice(&((length - last) as u64).to_le_bytes());
    place.write("early.ptau", early);
    let ending = place.end_with(2, &format!("{VERIFY} early.ptau"));
    assert!(ending.stderr.contains("section 12"), "{}", ending.stderr);
    for (old, new) in [
        ("early.ptau", "a.ptau"),
        ("3.ptau", "b.ptau"),
        ("p.ptau", "c.ptau"),
    ] {
        place.succeed(&format!("powersoftau convert {old} {new}"));
        assert!(place.read(new) == whole, "{old}");
    }
    // Not the bases, but the powers have to be right.
    let mut bad = place.read("early.ptau");
    section_mut(&mut bad, 2)[3 * 64 + 1] ^= 1;
    place.write("bad.ptau", bad);
    let ending = place.end_with(2, "powersoftau convert bad.ptau none.ptau");
    assert!(ending.stderr.contains("section 2 "), "{}", ending.stderr);
    assert!(!place.path("none.ptau").exists());
}

#[test]
fn challenges_are_of_the_last_contribution_and_responses_answer_them() {
    let place = ceremony("bn128");
    let report = place.succeed(&format!("--json {VERIFY} 3.ptau")).json();
    let made = place
        .succeed("powersoftau export challenge --json 3.ptau c")
        .json();
    assert_eq!(
        made["challenge"],
        report["contributions"][2]["next_challenge"]
    );
    // Powers that are not those of the last contribution have no challenge.
    let mut powers = place.read("3.ptau");
    let g1 = <Bn254 as PairingEngine>::G1::GENERATOR.to_montgomery_bytes();
    section_mut(&mut powers, 4)[..64].copy_from_slice(&g1);
    place.write("bad.ptau", powers);
    let ending = place.end_with(1, "powersoftau export challenge bad.ptau none");
    assert!(
        ending.stderr.contains("the challenge after it"),
        "{}",
        ending.stderr
    );
    // What is no response: another file, too short, to another challenge.
    let import = "powersoftau import response 3.ptau r none.ptau";
    place.write("r", place.read("c"));
    assert!(place.end_with(2, import).stderr.contains("bytes"));
    place.write("r", [1; 64 + 32 * (15 + 8 + 8) + 64 * 9 + 6 * 64 + 3 * 128]);
    let ending = place.end_with(1, import);
    assert!(
        ending.stderr.contains("another challenge"),
        "{}",
        ending.stderr
    );
    assert!(!place.path("none").exists() && !place.path("none.ptau").exists());
}

/// Of snarkjs's ceremony with one contribution.
#[test]
fn powers_of_snarkjs_are_accepted_and_prepared_to_the_same_bytes() {
    let place = Workplace::new();
    for folder in ["", "bls12_381/"] {
        place.copy_fixture(&format!("{folder}pot2.ptau"), "theirs.ptau");
        place.succeed(&format!("{VERIFY} theirs.ptau"));
        place.succeed("powersoftau prepare phase2 --force theirs.ptau ours.ptau");
        assert!(
            place.read("theirs.ptau") == place.read("ours.ptau"),
            "{folder}"
        );
    }
}

#[test]
fn contributions_are_told_by_their_hashes() {
    let place = ceremony("bn128");
    let contribute = "powersoftau contribute --json --force 1.ptau other.ptau";
    let made = [(); 2].map(|()| place.succeed(contribute).json());
    assert_ne!(made[0]["response_hash"], made[1]["response_hash"]); // secrets are drawn anew
    assert_eq!(made[1]["contributions"], 2);
    let report = place.succeed(&format!("--json {VERIFY} other.ptau")).json();
    for field in ["response_hash", "next_challenge"] {
        assert_eq!(report["contributions"][1][field], made[1][field]);
    }
    // For people in four lines of four words, as snarkjs prints it.
    let text = place.succeed("powersoftau verify other.ptau").stdout;
    let hash = made[1]["response_hash"].as_str().expect("a hash");
    let line = format!("\t\t{} {}", &hash[..8], &hash[8..16]);
    assert!(
        text.contains(&line) && text.contains("Contribution #1: first"),
        "{text}"
    );
    assert!(text.contains("Powers of Tau Ok!"), "{text}");
}

/// Each section altered by itself, with points of the group in the place of others.
#[test]
fn powers_that_were_altered_are_refused_with_the_place() {
    type E = Bn254;
    let place = ceremony("bn128");
    let g1 = <E as PairingEngine>::G1::GENERATOR.to_montgomery_bytes();
    let g2 = <E as PairingEngine>::G2::GENERATOR.to_montgomery_bytes();
    let record = 4; // behind the number of contributions
    let keys = record + 64 + 128 + 64 + 64 + 128;
    let (state, next) = (keys + 6 * 64 + 3 * 128, keys + 6 * 64 + 3 * 128 + 216);
    let alterations: [(u32, usize, &[u8], &str); 22] = [
        (2, 0, &g1[..0], ""),
        (2, 64, &g1, "section 2: its first points"),
        (2, 5 * 64, &g1, "section 2: its points"),
        (2, 14 * 64, &g1, "section 2: its points"),
        (3, 128, &g2, "section 3: its first points"),
        (3, 7 * 128, &g2, "section 3: its points"),
        (4, 0, &g1, "section 4: its first points"),
        (4, 3 * 64, &g1, "section 4: its points"),
        (5, 0, &g1, "section 5: its first points"),
        (5, 7 * 64, &g1, "section 5: its points"),
        (6, 0, &g2, "section 6: its first points"),
        (7, record, &g1, "contribution 1: tau in G1"),
        (7, record + 64, &g2, "contribution 1: tau in G2"),
        (7, record + 192, &g1, "contribution 1: alpha in G1"),
        (7, record + 320, &g2, "contribution 1: beta in G2"),
        (
            7,
            keys,
            &g1,
            "contribution 1: its proof of knowledge of tau",
        ),
        (
            7,
            keys + 6 * 64 + 128,
            &g2,
            "contribution 1: its proof of knowledge of alpha",
        ),
        (7, state + 200, &[255], "contribution 1: the state"),
        (
            7,
            next,
            &[1, 2],
            "contribution 2: its proof of knowledge of tau",
        ),
        (
            12,
            20 * 64,
            &g1,
            "section 12: its points are not the Lagrange basis of 2^4",
        ),
        (
            13,
            0,
            &[0; 128],
            "section 13: its points are not the Lagrange basis of 2^0",
        ),
        (
            15,
            9 * 64,
            &g1,
            "section 15: its points are not the Lagrange basis of 2^3",
        ),
    ];
    for (id, at, bytes, what) in alterations {
        let mut powers = place.read("p.ptau");
        put(
            &mut section_mut(&mut powers, id)[at..at + bytes.len()],
            bytes,
        );
        place.write("bad.ptau", powers);
        if bytes.is_empty() {
            place.succeed(&format!("{VERIFY} bad.ptau")); // the same bytes are the same powers
            continue;
        }
        let ending = place.end_with(1, &format!("{VERIFY} bad.ptau"));
        let stderr = &ending.stderr;
        assert!(
            stderr.contains("INVALID") && stderr.contains(what),
            "{what}: {stderr}"
        );
        assert!(stderr.contains("bad.ptau"), "{stderr}");
        let json = place
            .end_with(1, &format!("--json {VERIFY} bad.ptau"))
            .json();
        assert_eq!(json["code"], "rejected");
    }
    // A point that is none, or at infinity, is a broken file, here and for who contributes or prepares.
    for (id, at, bytes) in [
        (2, 130, &[7][..]),
        (3, 300, &[7]),
        (4, 64, &[0; 64]),
        (5, 7, &[9]),
    ] {
        let mut powers = place.read("3.ptau");
        put(
            &mut section_mut(&mut powers, id)[at..at + bytes.len()],
            bytes,
        );
        place.write("bad.ptau", powers);
        for line in [
            format!("{VERIFY} bad.ptau"),
            "powersoftau contribute bad.ptau none.ptau".into(),
        ] {
            let ending = place.end_with(2, &line);
            let what = format!("section {id}");
            assert!(ending.stderr.contains(&what), "{line}: {}", ending.stderr);
            assert!(!place.path("none.ptau").exists());
        }
    }
}

/// Puts other bytes in the place of those that are there. A ceremony is of random numbers: now and then its bytes are
/// those given, and then their first bit is turned.
fn put(place: &mut [u8], bytes: &[u8]) {
    if place == bytes
        && let Some(first) = place.first_mut()
    {
        *first ^= 1;
    } else {
        place.copy_from_slice(bytes);
    }
}

/// All powers of another ceremony under the contributions of this one, both ways.
#[test]
fn powers_of_another_ceremony_are_refused() {
    let place = ceremony("bn128");
    place.succeed("powersoftau contribute 0.ptau other.ptau");
    for (powers, records) in [("other.ptau", "1.ptau"), ("1.ptau", "other.ptau")] {
        let mut bad = place.read(records);
        let other = place.read(powers);
        for id in 2..=6 {
            let mut other = other.clone();
            section_mut(&mut bad, id).copy_from_slice(section_mut(&mut other, id));
        }
        place.write("bad.ptau", bad);
        let ending = place.end_with(1, &format!("{VERIFY} bad.ptau"));
        assert!(
            ending.stderr.contains("section 2: its first"),
            "{}",
            ending.stderr
        );
    }
}

/// The file with its records in another order. It ends with them.
fn with_records(powers: &[u8], order: impl Fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>) -> Vec<u8> {
    let mut powers = powers.to_vec();
    let payload = section_mut(&mut powers, 7).to_vec();
    powers.truncate(powers.len() - payload.len() - 8); // behind the section's number is its length
    let mut rest = &payload[4..];
    let mut records = Vec::new();
    while !rest.is_empty() {
        let head = 448 + 768 + 216 + 64 + 4;
        let params = rest[head..head + 4].try_into().expect("four bytes");
        let (record, behind) = rest.split_at(head + 4 + u32::from_le_bytes(params) as usize);
        records.push(record.to_vec());
        rest = behind;
    }
    let records = order(records);
    let count = (records.len() as u32).to_le_bytes();
    let payload = [count.to_vec(), records.concat()].concat();
    powers.extend((payload.len() as u64).to_le_bytes());
    powers.extend(payload);
    powers
}

#[test]
fn chains_that_were_altered_are_refused_with_the_contribution() {
    type Order = fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>;
    let place = ceremony("bn128");
    let powers = place.read("3.ptau");
    assert_eq!(with_records(&powers, |records| records), powers);
    let alterations: [(Order, &str); 9] = [
        (
            |r| vec![r[1].clone(), r[0].clone(), r[2].clone()],
            "contribution 1: its proof",
        ),
        (
            |r| vec![r[0].clone(), r[2].clone(), r[1].clone()],
            "contribution 2: its proof",
        ),
        (
            |r| vec![r[0].clone(), r[1].clone(), r[1].clone(), r[2].clone()],
            "contribution 3: its proof",
        ),
        (|r| r[1..].to_vec(), "contribution 1: its proof"),
        (|r| r[..2].to_vec(), "section 2: its first points"),
        (|_| vec![], "no contribution"),
        (
            |mut r| {
                let last = r[2].len() - 1;
                r[2][last] ^= 1; // of the beacon's hash
                r
            },
            "contribution 3: its public key",
        ),
        (
            |mut r| {
                r[1][448 + 768 + 216 + 64] = 1; // a person's, passed off as a beacon's
                r
            },
            "contribution 2: its public key",
        ),
        (
            |mut r| {
                r[2][448 + 768 + 40] ^= 1; // bytes that wait in the state of the last response's hash
                r
            },
            "contribution 3: the powers are not those of its response",
        ),
    ];
    for (order, what) in alterations {
        place.write("bad.ptau", with_records(&powers, order));
        let ending = place.end_with(1, &format!("{VERIFY} bad.ptau"));
        assert!(ending.stderr.contains(what), "{what}: {}", ending.stderr);
    }
    let challenge = |mut r: Vec<Vec<u8>>| {
        r[2][448 + 768 + 216 + 5] ^= 1;
        r
    };
    place.write("bad.ptau", with_records(&powers, challenge));
    let ending = place.end_with(1, &format!("{VERIFY} bad.ptau"));
    let what = "contribution 3: the challenge after it";
    assert!(ending.stderr.contains(what), "{}", ending.stderr);
}

/// A name with lines of its own would look like another contribution's. 2^63 hashes take thousands of years.
#[test]
fn names_have_no_lines_of_their_own_and_beacons_do_not_take_for_ever() {
    let place = ceremony("bn128");
    let powers = place.read("3.ptau");
    let params = 448 + 768 + 216 + 64 + 8;
    let renamed = |mut r: Vec<Vec<u8>>| {
        assert_eq!(&r[0][params + 2..], b"first");
        r[0][params + 4] = b'\n';
        r
    };
    place.write("odd.ptau", with_records(&powers, renamed));
    let text = place.succeed("powersoftau verify odd.ptau").stdout;
    assert!(text.contains("Contribution #1: fi\u{fffd}st"), "{text}");

    let long = |mut r: Vec<Vec<u8>>| {
        assert_eq!(
            r[2][params..params + 2],
            [2, 10],
            "the exponent comes first"
        );
        r[2][params + 1] = 63;
        r
    };
    place.write("bad.ptau", with_records(&powers, long));
    for option in ["", " --max-iterations-exp 62"] {
        let ending = place.end_with(3, &format!("--json {VERIFY} bad.ptau{option}"));
        assert_eq!(ending.json()["code"], "time_limit");
        let error = ending.json()["error"].to_string();
        assert!(error.contains("contribution 3"), "{error}");
    }
    place.succeed(&format!("{VERIFY} 3.ptau --max-iterations-exp 10"));

    // Two of 2^10 are more than 2^10.
    place.succeed("powersoftau beacon 3.ptau 4.ptau 00ff 10");
    let ending = place.end_with(3, &format!("{VERIFY} 4.ptau --max-iterations-exp 10"));
    let (in_all, option) = ("contribution 4: the beacons up to it have 2048", "-exp 11.");
    assert!(
        ending.stderr.contains(in_all) && ending.stderr.contains(option),
        "{}",
        ending.stderr
    );
    place.succeed(&format!("{VERIFY} 4.ptau --max-iterations-exp 11"));
}

/// A point of the curve that is outside the group.
fn outside<P: PointFromX + MontgomeryEncoding + Coordinates>(
    try_point: impl Fn(u8) -> Option<Vec<u8>>,
) -> Vec<u8> {
    let is_outside = |bytes: &Vec<u8>| P::from_montgomery_bytes(bytes).is_err();
    (1..=255)
        .filter_map(try_point)
        .find(is_outside)
        .expect("most points of the curve are outside")
}

/// A point of the curve outside the group, multiplied, would tell a part of the secrets.
#[test]
fn points_outside_the_group_are_refused() {
    type G1 = <Bls12_381 as PairingEngine>::G1;
    type Fq = <Bls12_381 as PairingEngine>::Fq;
    type G2 = <Bn254 as PairingEngine>::G2;
    let in_g1 = outside::<G1>(|k| {
        let x = (0..k).fold(Fq::ONE, |x, _| x + Fq::ONE);
        let y = (x.square() * x + G1::B).sqrt().into_option()?;
        Some(G1 { x, y }.to_montgomery_bytes().to_vec())
    });
    let in_g2 = outside::<G2>(|k| {
        let mut x = G2::GENERATOR.x;
        for _ in 0..k {
            x += G2::GENERATOR.y;
        }
        let y = (x.square() * x + G2::B).sqrt().into_option()?;
        Some(G2 { x, y }.to_montgomery_bytes().to_vec())
    });
    for (curve, ids, point) in [
        ("bls12381", &[2, 4, 5, 12, 14, 15][..], in_g1),
        ("bn128", &[3, 6, 13], in_g2),
    ] {
        let place = ceremony(curve);
        for id in ids {
            let mut powers = place.read("p.ptau");
            let at = if *id == 6 { 0 } else { 2 * point.len() };
            section_mut(&mut powers, *id)[at..at + point.len()].copy_from_slice(&point);
            place.write("bad.ptau", powers);
            let mut lines = vec![format!("{VERIFY} bad.ptau")];
            if *id < 7 {
                lines.push("powersoftau contribute bad.ptau none.ptau".into());
                lines.push(format!("powersoftau beacon bad.ptau none.ptau {HASH} 10"));
            }
            if *id < 6 {
                lines.push("powersoftau prepare phase2 bad.ptau none.ptau".into());
            }
            for line in lines {
                let ending = place.end_with(2, &line);
                assert!(
                    ending.stderr.contains("subgroup"),
                    "{line}: {}",
                    ending.stderr
                );
                assert!(
                    ending.stderr.contains(&format!("section {id}")),
                    "{}",
                    ending.stderr
                );
                assert!(!place.path("none.ptau").exists());
            }
        }
    }
}

#[test]
fn arguments_that_are_wrong_change_nothing() {
    let place = ceremony("bn128");
    for (line, word) in [
        ("powersoftau new bn128 0 n.ptau", "1 to 28"),
        ("powersoftau new bn128 29 n.ptau", "1 to 28"),
        ("powersoftau new secp256k1 4 n.ptau", "bn128 or bls12381"),
        ("powersoftau contribute 0.ptau 0.ptau", "overwrite"),
        ("powersoftau contribute 0.ptau 1.ptau", "--force"),
        ("powersoftau contribute mul.wtns n.ptau", "witness"),
        ("powersoftau beacon 0.ptau n.ptau 0x01 10", "hexadecimal"),
        ("powersoftau beacon 0.ptau n.ptau 01 9", "10 to 63"),
        ("powersoftau verify mul.zkey", "proving key"),
    ] {
        let before = place.names();
        let ending = place.end_with(2, line);
        assert!(ending.stderr.contains(word), "{line}: {}", ending.stderr);
        assert_eq!(place.names(), before, "{line}");
    }
    let ending = place.end_with(
        3,
        "powersoftau prepare phase2 3.ptau n.ptau --max-memory 1M",
    );
    assert!(ending.stderr.contains("--max-memory"), "{}", ending.stderr);
    place.succeed("powersoftau new bls12_381 1");
    assert!(place.path("powersOfTau1_0000.ptau").exists());
    // Text from stdin; names are cut as by snarkjs, and may be left out.
    place.write("text", "some text\n");
    let line = format!(
        "powersoftau contribute 1.ptau n.ptau -e -n {}",
        "é".repeat(70)
    );
    let ending = place.run_from(&line, &[], Some(&place.path("text")));
    assert_eq!(ending.code, Some(0), "{}", ending.stderr);
    let json = place.succeed(&format!("--json {VERIFY} n.ptau")).json();
    assert_eq!(json["contributions"][1]["name"], "é".repeat(64));
}
