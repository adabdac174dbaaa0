//! Keys in the container of our own: there, what can be done with them, and back.

use super::support::Workplace;
use serde_json::Value;

#[test]
fn keys_come_back_to_the_byte() {
    let place = Workplace::new();
    place.copy_fixture("bls12_381/contributed.zkey", "other.zkey");
    for key in ["mul", "contributed", "other"] {
        let ending = place.succeed(&format!("convert --json {key}.zkey {key}.fkey"));
        assert_eq!(ending.json()["kind"], "fkey");
        place.succeed(&format!("convert --force {key}.fkey back.zkey"));
        assert_eq!(
            place.read("back.zkey"),
            place.read(&format!("{key}.zkey")),
            "{key}"
        );
    }
}

#[test]
fn containers_are_inspected() {
    let place = Workplace::new();
    place.succeed("convert contributed.zkey key.fkey");
    let [zkey, fkey] = ["contributed.zkey", "key.fkey"]
        .map(|key| place.succeed(&format!("inspect --json {key}")).json());
    assert_eq!(fkey["kind"], "proving key (fkey)");
    for field in [
        "curve",
        "wires",
        "public_signals",
        "domain_size",
        "coefficients",
        "circuit_hash",
        "contributions",
    ] {
        assert_eq!(fkey[field], zkey[field], "{field}");
    }
    assert_eq!(fkey["bytes"], place.read("key.fkey").len());
    assert_eq!(fkey["bytes_as_zkey"], place.read("contributed.zkey").len());
    assert_eq!(fkey["coefficients_stored_as"], "rows");
    assert_eq!(fkey["templates"], 0);
    let stored = fkey["coefficients_bytes"].as_u64();
    assert!(stored.is_some_and(|bytes| (8..300).contains(&bytes)));
    assert!(fkey["points_left_out"].as_u64().is_some_and(|n| n > 0));
}

/// A chain of 500 squarings, each of the wire before: what repeats is found, kept once in the key, and proofs do not
/// change.
#[test]
fn what_repeats_is_kept_once() {
    let place = Workplace::new();
    place.write_squarings("chain", 500);
    let report = place
        .succeed("inspect --json --templates chain.r1cs")
        .json();
    let number = |report: &Value, field: &str| report[field].as_f64().expect("a number");
    assert!(number(&report, "templates") >= 1.0);
    assert_eq!(report["bytes_in_file"], place.read("chain.r1cs").len());
    for [more, less] in [
        ["bytes_in_file", "bytes_pooled"],
        ["bytes_pooled", "bytes_with_templates"],
        [
            "bytes_per_constraint_in_file",
            "bytes_per_constraint_pooled",
        ],
        [
            "bytes_per_constraint_pooled",
            "bytes_per_constraint_with_templates",
        ],
    ] {
        assert!(number(&report, more) > number(&report, less), "{report}");
    }
    let text = place.succeed("inspect --templates chain.r1cs").stdout;
    assert!(
        text.contains("bytes per constraint with templates"),
        "{text}"
    );
    assert_eq!(
        place.succeed("inspect chain.r1cs --json").json()["templates"],
        Value::Null
    );
    let ending = place.end_with(2, "inspect --templates chain.wtns");
    assert!(
        ending
            .stderr
            .contains("templates are looked for in a constraint system (.r1cs)")
    );

    place.succeed("setup --dev chain.r1cs chain.zkey");
    place.succeed("convert chain.zkey chain.fkey");
    place.succeed("convert --force chain.fkey back.zkey");
    assert_eq!(place.read("back.zkey"), place.read("chain.zkey"));
    let report = place.succeed("inspect --json chain.fkey").json();
    assert_eq!(report["coefficients_stored_as"], "templates");
    assert!(number(&report, "templates") >= 1.0);
    assert!(number(&report, "coefficients_bytes") < number(&report, "coefficients"));
    for key in ["zkey", "fkey"] {
        place.succeed(&format!(
            "prove --no-zk --check chain.{key} chain.wtns {key}.json s.json"
        ));
    }
    assert_eq!(place.read("fkey.json"), place.read("zkey.json"));
}

#[test]
fn what_is_exported_is_the_same() {
    let place = Workplace::new();
    place.succeed("convert mul.zkey mul.fkey");
    for what in ["vkey", "solidity"] {
        for key in ["zkey", "fkey"] {
            place.succeed(&format!("export {what} mul.{key} from.{key}"));
        }
        assert_eq!(place.read("from.zkey"), place.read("from.fkey"), "{what}");
    }
}

#[test]
fn proofs_are_the_same() {
    let place = Workplace::new();
    place.succeed("convert mul.zkey mul.fkey");
    for key in ["zkey", "fkey"] {
        place.succeed(&format!(
            "prove --no-zk --check mul.{key} mul.wtns {key}.json s.json"
        ));
        assert_eq!(place.read("s.json"), place.read("public.json"));
    }
    assert_eq!(place.read("fkey.json"), place.read("zkey.json"));
    place.succeed("fullprove input.json mul.wasm mul.fkey new.json s.json");
    place.succeed("verify vkey.json s.json new.json");
}

#[test]
fn what_is_no_key_or_corrupt_is_refused_and_nothing_is_left() {
    let place = Workplace::new();
    place.succeed("convert mul.zkey mul.fkey");
    let good = place.read("mul.fkey");
    let before = place.names();
    let refuse = |bytes: Option<&[u8]>, line: &str, message: &str| {
        if let Some(bytes) = bytes {
            place.write("bad.fkey", bytes);
        }
        let ending = place.end_with(2, line);
        assert!(ending.stderr.contains(message), "{line}: {}", ending.stderr);
        assert_eq!(ending.stdout, "", "{line}");
        assert!(!place.names().contains(&"new.zkey".into()), "{line}");
    };
    let back = "convert bad.fkey new.zkey";
    refuse(
        Some(&good[..5000]),
        back,
        "bad.fkey: fkey file, section table",
    );
    refuse(Some(&good[..good.len() - 1]), back, "it was cut off");
    // In B2, whose point it makes another one, or none.
    let mut corrupt = good.clone();
    let place_of_b2 = good.len() - 1000 - 4096 * 4;
    let at = (0..good.len())
        .rev()
        .find(|at| *at < place_of_b2 && good[*at] != 0)
        .expect("a point");
    corrupt[at] ^= 4;
    refuse(
        Some(&corrupt),
        back,
        "the checksum is wrong: the file is corrupt",
    );
    let prove = "prove --check bad.fkey mul.wtns new.json new.zkey";
    refuse(None, prove, "bad.fkey: fkey file, section");
    refuse(Some(b"r1cs"), "convert bad.fkey new.fkey", "bad.fkey");
    refuse(None, "convert none.fkey new.zkey", "none.fkey");
    refuse(None, "convert mul.fkey new.fkey", "already");
    refuse(None, "convert mul.zkey new.zkey", "already");
    refuse(
        None,
        "convert mul.zkey mul.wtns/new.fkey",
        "mul.wtns/new.fkey",
    );
    refuse(None, "convert mul.zkey ./mul.zkey", "mul.zkey");
    let mut after = place.names();
    after.retain(|name| name != "bad.fkey");
    assert_eq!(after, before);
}
