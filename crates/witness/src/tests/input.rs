//! Flattening of `input.json`, and the grammar of its integers.

use std::collections::BTreeMap;
use std::time::Instant;

use frumious_curves::bn254::Fr;
use serde_json::{Value, json};

use crate::input::{elements, flatten};
use crate::signal_hash::SignalHash;
use crate::tests::given;
use crate::{Error, InputProblem, parse_inputs, signal_names};

fn names_and_counts(json: &Value) -> Vec<(String, usize)> {
    let signals = flatten::<Fr>(&given(json)).expect("the inputs are well-formed");
    let hashes = signals.iter().map(|signal| SignalHash::of(&signal.name).0);
    assert!(hashes.is_sorted(), "a tape has its inputs in this order");
    let signals = signals.into_iter();
    let mut signals: Vec<_> = signals
        .map(|signal| (signal.name, signal.values.len()))
        .collect();
    signals.sort();
    signals
}

fn problem(inputs: &Value) -> InputProblem {
    match flatten::<Fr>(&given(inputs)) {
        Err(Error::Input { problem, .. }) => problem,
        Err(other) => panic!("{inputs}: {other}"),
        Ok(_) => panic!("{inputs} was accepted"),
    }
}

/// The value of a single signal, or none if it is refused.
fn value_of(json: &str) -> Option<Fr> {
    let inputs = parse_inputs(&format!("{{\"a\": {json}}}")).expect("it is JSON");
    let signals = flatten::<Fr>(&inputs).ok()?;
    Option::from(Fr::from_canonical_limbs(signals[0].values[0]))
}

#[test]
fn names_follow_the_nesting() {
    let expected = |list: &[(&str, usize)]| -> Vec<(String, usize)> {
        list.iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect()
    };
    assert_eq!(names_and_counts(&json!({})), []);
    assert_eq!(
        names_and_counts(&json!({"a": 1, "b": [[1, "2"], [3, [4, []]]], "c": []})),
        expected(&[("a", 1), ("b", 4), ("c", 0)])
    );
    assert_eq!(
        names_and_counts(&json!({"p": {"x": 1, "q": {"y": [1, 2]}}})),
        expected(&[("p.q.y", 2), ("p.x", 1)])
    );
    assert_eq!(
        names_and_counts(&json!({"p": [[{"x": 1}, {"x": 2}], [{"x": [3, 4]}]]})),
        expected(&[("p[0][0].x", 1), ("p[0][1].x", 1), ("p[1][0].x", 2)])
    );
}

#[test]
fn nothing_prints_inputs() {
    let inputs = given(&json!({"a": "1234567", "b": [89]}));
    assert_eq!(format!("{inputs:?}"), "Inputs");
}

#[test]
fn malformed_inputs_are_refused() {
    assert_eq!(problem(&json!(5)), InputProblem::NotAnObject);
    assert_eq!(problem(&json!({"a": [1, {"x": 2}]})), InputProblem::Mixed);
    assert_eq!(
        problem(&json!({"a": [[{"x": 2}], [1]]})),
        InputProblem::Mixed
    );
    assert_eq!(
        problem(&json!({"a": {"x": 1}, "a.x": 2})),
        InputProblem::Repeated
    );
    assert_eq!(
        problem(&json!({"a": [1, null]})),
        InputProblem::NotAnInteger { index: 1 }
    );
    assert!(matches!(
        parse_inputs("{\"a\": 1"),
        Err(Error::Syntax { .. })
    ));
    assert!(matches!(
        parse_inputs(&"[".repeat(100_000)),
        Err(Error::Syntax { .. })
    ));
    for (open, close) in [("[", "]"), ("{\"x\":", "}")] {
        let nested = |levels: usize| {
            let value = format!("{}1{}", open.repeat(levels), close.repeat(levels));
            parse_inputs(&format!("{{\"a\": {value}}}"))
        };
        assert!(nested(126).is_ok());
        let refused = nested(127).expect_err("too deep").to_string();
        assert!(refused.contains("more than 127 levels"), "{refused}");
    }
}

/// Names show what strings are read as.
#[test]
fn strings_are_read_as_serde_json_reads_them() {
    for piece in [
        "",
        "plain",
        r"\\",
        r"\\\\",
        r#"\""#,
        r#"a\\\"b"#,
        r"\/\b\f\n\r\t",
        r"\u0041\u00e9é\u0000",
        r"\ud83d\ude00",
        r"x\uD83D\uDE00y",
        r"\ud83d",
        r"\ud83dx",
        r"\ud83d\n",
        r"\ud83d\u0041",
        r"\ud83d\ud83d",
        r"\ude00",
        r"\ude00\ud83d",
        r"\u00",
        r"\x",
        "\u{7f}é\u{feff}",
        "\n",
        "\0",
    ] {
        let text = format!(" {{ \"{piece}\" : [ \"{piece}\" , 1 ] }} ");
        let expected: Result<BTreeMap<String, Value>, _> = serde_json::from_str(&text);
        let ours = parse_inputs(&text);
        assert_eq!(ours.is_ok(), expected.is_ok(), "{text}");
        if let (Ok(_), Ok(expected)) = (ours, expected) {
            let ours = parse_inputs(&text.replace(&format!("[ \"{piece}\" ,"), "["));
            let names = signal_names(&ours.expect("it is JSON")).expect("they are numbers");
            assert!(names.iter().eq(expected.keys()), "{text}: {names:?}");
        }
    }
    for text in [
        "\u{feff}{}",
        "{} \0",
        "{\"a\": 1,}",
        "{\"a\" 1}",
        "{a: 1}",
        "{\"a\": 01}",
    ] {
        parse_inputs(text).expect_err(text);
    }
    let twice = parse_inputs("{\"a\": [1, 2], \"\\u0061\": 3}").expect("the last counts");
    assert_eq!(flatten::<Fr>(&twice).expect("a number")[0].values.len(), 1);
}

/// A text that was gone over once for each level took a hundred times as long.
#[test]
fn depth_costs_no_more_than_length() {
    let blanks = " ".repeat(1 << 22);
    let time = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        let text = format!("{{\"a\": {open}{blanks}1{close}}}");
        let start = Instant::now();
        parse_inputs(&text).expect("it is JSON");
        start.elapsed()
    };
    let (flat, deep) = (time(1), time(126));
    assert!(deep < 8 * flat, "{deep:?} and {flat:?}");
}

/// Each signal has the names around it in front: 64 KiB of text would take gigabytes.
#[test]
fn a_name_that_no_circuit_has_is_refused_before_it_is_repeated() {
    let fields: String = (0..9000).map(|k| format!("\"{k}\":1,")).collect();
    let bus = |length: usize| {
        let text = format!("{{\"{}\": {{{fields}\"x\":2}}}}", "é".repeat(length / 2));
        signal_names(&parse_inputs(&text).expect("it is JSON"))
    };
    assert_eq!(bus(1018).expect("1024 bytes").len(), 9001);
    for length in [1020, 1 << 20] {
        let Err(Error::Input { signal, problem }) = bus(length) else {
            panic!("{length} bytes are taken");
        };
        assert_eq!(problem, InputProblem::LongName);
        assert!(signal.len() < 70, "{signal}");
    }
}

#[test]
fn integers_are_read_exactly_and_reduced() {
    let small = |value: i64| match value {
        0.. => Fr::from_u64(value as u64),
        _ => -Fr::from_u64(value.unsigned_abs()),
    };
    let equal: [(&str, Fr); 18] = [
        ("0", Fr::ZERO),
        ("-0", Fr::ZERO),
        ("\"-0\"", Fr::ZERO),
        ("0.0e5", Fr::ZERO),
        ("-3", small(-3)),
        ("\"-3\"", small(-3)),
        ("\" +12\\n\"", small(12)),
        ("\"007\"", small(7)),
        ("\"0xfF\"", small(255)),
        ("\"0XfF\"", small(255)),
        ("\"0o17\"", small(15)),
        ("\"0b101\"", small(5)),
        ("true", Fr::ONE),
        ("1e3", small(1000)),
        ("1.50E+2", small(150)),
        ("1200e-2", small(12)),
        // 2^53 + 1, which a double cannot hold.
        ("9007199254740993", small(9_007_199_254_740_993)),
        // 10^18 by digits that cross a chunk's border.
        ("1000000000000000000", small(1_000_000_000_000_000_000)),
    ];
    for (text, expected) in equal {
        assert_eq!(value_of(text), Some(expected), "{text}");
    }
    let r = "21888242871839275222246405745257275088548364400416034343698204186575808495617";
    assert_eq!(value_of(r), Some(Fr::ZERO));
    assert_eq!(value_of(&format!("\"{r}\"")), Some(Fr::ZERO));
    assert_eq!(value_of(&format!("\"-{}8\"", &r[..76])), Some(-Fr::ONE));
    let hex = "\"0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000002\"";
    assert_eq!(value_of(hex), Some(Fr::ONE));
    // 10^200 in three ways of writing.
    let power = (0..200).fold(Fr::ONE, |power, _| power * Fr::from_u64(10));
    assert_eq!(value_of("1e200"), Some(power));
    assert_eq!(value_of(&format!("1{}", "0".repeat(200))), Some(power));
    assert_eq!(value_of(&format!("\"1{}\"", "0".repeat(200))), Some(power));
}

/// snarkjs fails at these: `BigInt(Infinity)`.
#[test]
fn numbers_that_are_infinite_to_others_are_refused() {
    let long = format!("1{}", "0".repeat(309));
    for literal in ["1e309", "-1.8e308", "1E400", &long] {
        let inputs = parse_inputs(&format!("{{\"b\": [0, {literal}]}}")).expect("it is JSON");
        let Err(refused) = flatten::<Fr>(&inputs) else {
            panic!("{literal}");
        };
        let said = refused.to_string();
        assert!(said.contains("\"b\": value 1 is a number beyond"), "{said}");
    }
    for literal in ["1e308", "0e309", &long[..309], &format!("\"{long}\"")] {
        assert!(value_of(literal).is_some(), "{literal}");
    }
}

#[test]
fn what_is_no_integer_is_refused() {
    let refused = [
        "1.5",
        "1e-1",
        "1e309",
        "-1e400",
        "1e99999999999999999999",
        "null",
        "\"\"",
        "\" \"",
        "\"0x\"",
        "\"-0x1\"",
        "\"1.0\"",
        "\"1e3\"",
        "\"--1\"",
        "\"+-1\"",
        "\"12a\"",
        "\"0xg\"",
        "\"0b2\"",
        "\"1_000\"",
        "\"é\"",
        "\"１\"",
        "\"1n\"",
    ];
    for text in refused {
        assert_eq!(value_of(text), None, "{text}");
    }
}

/// A vector that grows leaves copies of its values behind.
#[test]
fn elements_are_reserved_at_once() {
    let inputs = given(&json!({"a": [1, 2, 3], "b": 4, "c": [5, 6, 7]}));
    let signals = flatten::<Fr>(&inputs).expect("they are inputs");
    let elements = elements::<Fr>(&signals);
    assert_eq!((elements.len(), elements.capacity()), (7, 7));
}

#[test]
fn signal_hashes_are_fnv_1a() {
    // The test vectors that FNV's authors publish.
    assert_eq!(SignalHash::of("").0, 0xcbf2_9ce4_8422_2325);
    assert_eq!(SignalHash::of("a").0, 0xaf63_dc4c_8601_ec8c);
    assert_eq!(SignalHash::of("foobar").0, 0x8594_4171_f739_67e8);
}
