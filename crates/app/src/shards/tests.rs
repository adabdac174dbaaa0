//! Places of parts, and refusals of what another machine may send.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use std::path::{Path, PathBuf};

use super::*;

fn data(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data");
    data.join(name)
}

const KEYS: [(&str, &str); 2] = [
    ("mul.zkey", "mul.wtns"),
    ("bls12_381/contributed.zkey", "bls12_381/mul.wtns"),
];

#[test]
fn parts_are_where_the_layout_says() {
    for (name, witness) in KEYS {
        let key = AnyKey::open(&data(name)).unwrap();
        let file = std::fs::read(data(name)).unwrap();
        let witness = std::fs::read(data(witness)).unwrap();
        let wires = &witness[witness.len() - 32 * key.n_wires()..];
        let parts = layout(&key).unwrap();
        let [coefficients, parts @ ..] = &parts[..] else {
            panic!("no parts")
        };
        // Behind their number.
        let place = coefficients.offset as usize;
        let count = (coefficients.entries as u32).to_le_bytes();
        assert_eq!(file[place - 4..place], count);
        for part in parts {
            assert_eq!(
                part.entries as usize,
                match part.name {
                    "h" => key.domain_size(),
                    "c" => key.n_wires() - key.n_public() - 1,
                    _ => key.n_wires(),
                }
            );
            // One times the entry is the entry; its bytes are those at its place.
            for entry in 0..part.entries {
                let sum = partial_sum_vartime(&key, part.name, entry, &wires[..32]).unwrap();
                let place = (part.offset + entry * part.entry_bytes) as usize;
                assert_eq!(
                    sum,
                    file[place..place + part.entry_bytes as usize],
                    "{} {entry}",
                    part.name
                );
            }
        }
    }
    let key = AnyKey::open(&data("mul.fkey")).unwrap();
    assert_eq!(layout(&key).unwrap_err().exit_code(), 2);
}

#[test]
fn what_is_no_number_and_no_point_is_refused() {
    for (name, _) in KEYS {
        let key = AnyKey::open(&data(name)).unwrap();
        let beyond = [0xff; 32];
        for scalars in [&beyond[..], &beyond[..31]] {
            assert_eq!(
                partial_sum_vartime(&key, "a", 0, scalars)
                    .unwrap_err()
                    .exit_code(),
                2
            );
            assert_eq!(
                scalars_of_h(key.curve(), [scalars; 3])
                    .unwrap_err()
                    .exit_code(),
                2
            );
        }
        assert_eq!(
            scalars_of_h(key.curve(), [&[0; 64], &[0; 64], &[0; 32]])
                .unwrap_err()
                .exit_code(),
            2
        );
        assert_eq!(
            partial_sum_vartime(&key, "ic", 0, &[])
                .unwrap_err()
                .exit_code(),
            2
        );
        let places = layout(&key).unwrap();
        let point = |name| {
            let place = places.iter().find(|place| place.name == name).unwrap();
            vec![1; place.entry_bytes as usize] // on no curve
        };
        let (none, g1, g2) = (Vec::new(), point("a"), point("b2"));
        for part in 0..5 {
            for bad in [&g1, &g2, &g1[1..].to_vec()] {
                let mut parts = [&none; 5];
                parts[part] = bad;
                let [a, b1, b2, c, h] = parts.map(|bytes| &bytes[..]);
                let results = Results {
                    public: &[0; 32],
                    a,
                    b1,
                    b2,
                    c,
                    h,
                    randomness: None,
                };
                let refused = assemble(&key, &results).unwrap_err();
                assert_eq!(
                    refused.exit_code(),
                    2,
                    "{name} {part}: {}",
                    refused.message()
                );
            }
        }
    }
}

/// A point of the twist that is on it but outside the group: the map to the group is not applied.
#[test]
fn points_outside_their_group_are_refused() {
    use frumious_curves::bls12_381::G2Affine;
    use frumious_curves::engine::PointFromX;
    let small = |x: u64| {
        let x = [x, 0].map(frumious_curves::bls12_381::Fq::from_u64);
        G2Affine::lift_x_vartime(&x, false)
    };
    let point = (1..).find_map(small).unwrap();
    let bytes = MontgomeryEncoding::to_montgomery_bytes(&point);
    let refused = points::<G2Affine>(bytes.as_ref(), "b2").unwrap_err();
    assert!(refused.message().contains("b2"), "{}", refused.message());
}
