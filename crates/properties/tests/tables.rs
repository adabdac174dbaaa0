//! The fuzz target's property over mutated files of tables, the same on every run.
//!
//! The seeds in `data/` are what this crate saves; a test compares them. With `FRUMIOUS_WRITE_SEEDS=1` it writes them
//! instead.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_msm::fixed::{Banderwagon, Digits, FixedBase, Order, Strategy};
use frumious_properties::tables as table_file;
use frumious_testing::mutate::{Generator, mutate};
use std::path::PathBuf;

const COMBS: &[u8] = include_bytes!("../../msm/tests/data/combs.table");
const WINDOWS: &[u8] = include_bytes!("../../msm/tests/data/windows.table");

#[test]
fn seeds_are_what_is_saved() {
    let combs = [
        Digits::Unsigned,
        Digits::Signed {
            order: Order::Strided,
        },
    ]
    .map(|digits| Strategy::Comb {
        rounds: 127,
        bits: 3,
        digits,
    });
    // Windows for the first point, combs for both.
    let windows = [
        Strategy::Windows {
            points: 1,
            count: 63,
        },
        combs[0],
    ];
    for (name, found, strategies) in [
        ("combs", COMBS, &combs[..]),
        ("windows", WINDOWS, &windows[..]),
    ] {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../msm/tests/data");
        let path = folder.join(format!("{name}.table"));
        let points = table_file::points();
        let table = FixedBase::<Banderwagon>::with_strategies_vartime(&points, strategies).unwrap();
        if std::env::var_os("FRUMIOUS_WRITE_SEEDS").is_some() {
            table.save(&path).unwrap();
            continue;
        }
        let saved = tempfile::NamedTempFile::new().unwrap();
        table.save(saved.path()).unwrap();
        assert!(
            std::fs::read(saved.path()).unwrap() == found,
            "{name} is not what is saved now"
        );
    }
}

#[test]
fn mutated_tables() {
    let mut random = Generator::new(0x9e37_79b9_7f4a_7c15);
    for seed in [COMBS, WINDOWS] {
        table_file::table_file(seed);
        let end = seed.len().min(256);
        for round in 0..1_000 {
            // Half of them in the header and the parameters, which are a small part of the file.
            let bytes = match round % 2 {
                0 => mutate(seed, &mut random),
                _ => [&mutate(&seed[..end], &mut random), &seed[end..]].concat(),
            };
            table_file::table_file(&bytes);
        }
    }
}
