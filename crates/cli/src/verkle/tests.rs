//! The properties over mutated seeds, the same on every run; the fuzz target `verkle_forms_json` goes on from there.

#[path = "../../../circom/tests/support/mutate.rs"]
mod mutate;

use super::{formats, properties};
use mutate::{Generator, mutate};

const COMMITMENT: &str = "4a2c7486fd924882bf02c6908de395122843e3e05264d7991e18e7985dad51e9"; // of the generator

/// One document of each form, small, so that mutations hit what matters.
fn seeds() -> Vec<String> {
    let proof = format!(
        r#"{{"proof":"0x{}{}"}}"#,
        COMMITMENT.repeat(17),
        "00".repeat(32)
    );
    let scalar = format!("0x{}", "01".repeat(31) + "00");
    let (a, b) = ("00".repeat(32), "11".repeat(32));
    let vector = format!(r#"["{scalar}",7,"123456789012345678901234567890"]"#);
    let sparse = format!(r#"{{"0":"{scalar}","255":1}}"#);
    let with_commitment =
        format!(r#"{{"commitment":"{COMMITMENT}","polynomial":{vector},"points":[1,255,1]}}"#);
    vec![
        vector.clone(),
        format!("[{vector},{sparse},[],{{}}]"),
        format!(r#"[{{"polynomial":{sparse},"point":5}},{with_commitment}]"#),
        format!(r#"[{{"commitment":"0x{COMMITMENT}","point":0,"value":"{scalar}"}}]"#),
        proof,
        format!(r#"[["{a}","0x{b}"],["{b}","{a}"]]"#),
        format!(r#"{{"0x{a}":"{b}","{b}":"0x{a}"}}"#),
        r#"{"header":{},"executionWitness":{"stateDiff":[]}}"#.to_owned(),
        format!("0x{COMMITMENT}"),
        sparse,
    ]
}

#[test]
fn seeds_are_read() {
    let seeds = seeds();
    assert_eq!(formats::vectors(&seeds[0]).expect("a vector").len(), 1);
    assert_eq!(formats::vectors(&seeds[1]).expect("vectors").len(), 4);
    let openings = formats::openings(&seeds[2]).expect("openings");
    assert_eq!(openings[1].points, [1, 255, 1]);
    assert_eq!(formats::claims(&seeds[3]).expect("a claim").len(), 1);
    assert!(formats::proof(&seeds[4]).is_ok());
    let entries = formats::entries(&seeds[5]).expect("entries");
    assert_eq!(formats::entries(&seeds[6]).expect("entries"), entries);
    assert_eq!(
        formats::execution_witness(&seeds[7]).expect("one"),
        r#"{"stateDiff":[]}"#
    );
    assert!(formats::element_bytes(&seeds[8]).is_ok());
    seeds
        .iter()
        .for_each(|seed| properties::all(seed.as_bytes()));
}

#[test]
fn mutated_seeds() {
    let mut random = Generator::new(0x9e37_79b9_7f4a_7c15);
    let seeds = seeds();
    for round in 0..20_000 {
        properties::all(&mutate(seeds[round % seeds.len()].as_bytes(), &mut random));
    }
}
