//! Saved tables can be opened, and nothing else.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::super::tests::{Numbers, TestGroup};
use super::super::{Banderwagon, Bn254G1, Budget, Digits, Order, Strategy};
use super::*;
use std::path::Path;

const STRATEGIES: [Strategy; 3] = [
    Strategy::Windows {
        points: 6,
        count: 32,
    },
    Strategy::Comb {
        rounds: 128,
        bits: 9,
        digits: Digits::Unsigned,
    },
    Strategy::Comb {
        rounds: 253,
        bits: 13,
        digits: Digits::Signed {
            order: Order::Strided,
        },
    },
];

fn round_trip<G: TestGroup>(strategies: &[Strategy]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables");
    let points = G::points(20);
    let built = FixedBase::<G>::with_strategies_vartime(&points, strategies).unwrap();
    built.save(&path).unwrap();
    let mut opened = FixedBase::<G>::open(&path, &points).unwrap();
    assert_eq!(opened.strategies(), built.strategies());
    assert_eq!(opened.memory_bytes(), built.memory_bytes());
    // Saved again from the mapping, over the file that is mapped.
    opened.save(&path).unwrap();
    let again = FixedBase::<G>::open(&path, &points).unwrap();
    assert_eq!(again.entries(), opened.entries());
    opened = again;
    let mut numbers = Numbers::new(1);
    for n in [0, 1, 3, 20] {
        let scalars = numbers.scalars::<G>(n);
        let [built, opened] =
            [&built, &opened].map(|table| table.commit_vartime(&scalars).unwrap());
        assert!(built == opened);
    }
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "no unfinished file is left");
}

#[test]
fn what_is_saved_can_be_opened() {
    round_trip::<Banderwagon>(&STRATEGIES);
    round_trip::<Bn254G1>(&Budget::mib(2).strategies::<Bn254G1>(20).unwrap());
}

/// A file of 20 points, 2.5 MB, and the points.
fn sample(folder: &Path) -> (std::path::PathBuf, Vec<u8>, Vec<Banderwagon>) {
    let points = Banderwagon::points(20);
    let path = folder.join("tables");
    FixedBase::<Banderwagon>::with_strategies_vartime(&points, &STRATEGIES)
        .unwrap()
        .save(&path)
        .unwrap();
    let bytes = std::fs::read(&path).unwrap();
    (path, bytes, points)
}

#[test]
fn every_changed_byte_is_told_by_section_and_offset() {
    let folder = tempfile::tempdir().unwrap();
    let (path, good, points) = sample(folder.path());
    let open =
        |bytes: Vec<u8>| FixedBase::<Banderwagon>::from_bytes(FileBytes::from(bytes), &points);
    assert!(open(good.clone()).is_ok());
    let header = Header::parse::<Banderwagon>(&good, 20).ok().unwrap();
    let first = header.length();
    assert!(good.len() - first > 2 * BLOCK, "several blocks");
    let fields = [
        // (place, section, offset that is told)
        (0, "header", 0),
        (7, "header", 0),
        (8, "header", 8),
        (11, "header", 8),
        (13, "header", 12),
        (16, "header", 16),
        (31, "header", 16),
        (32, "header", 32),
        (39, "header", 32),
        (40, "header", 96),
        (47, "checksums", good.len()),
        (48, "header", 96),
        (63, "header", 96),
        (64, "header", 96),
        (95, "header", 96),
        (96, "header", 96),
        (127, "header", 96),
        (128, "header", 96),
        (136, "header", 96),
        (144, "header", 96),
        (160, "header", 96),
        (184, "header", 96),
        (224, "header", 96),
        (300, "header", 96),
        (first - 1, "header", 96),
        (first, "entries", first),
        (first + 1, "entries", first),
        (first + BLOCK - 1, "entries", first),
        (first + BLOCK, "entries", first + BLOCK),
        (first + 2 * BLOCK, "entries", first + 2 * BLOCK),
        (
            good.len() - 1,
            "entries",
            (good.len() - first - 1) / BLOCK * BLOCK + first,
        ),
    ];
    for (place, section, offset) in fields {
        for change in [1, 0x80] {
            let mut bytes = good.clone();
            bytes[place] ^= change;
            let mistake = open(bytes.clone()).expect_err("a changed byte");
            let told = (mistake.section, mistake.offset);
            assert_eq!(
                told,
                (section, offset as u64),
                "byte {place} ^ {change:#x}: {mistake:?}"
            );
            std::fs::write(&path, bytes).unwrap();
            let error = FixedBase::<Banderwagon>::open(&path, &points)
                .err()
                .unwrap()
                .to_string();
            let expected = format!(
                "{}: table file, section {section}, byte {offset}: ",
                path.display()
            );
            assert!(error.starts_with(&expected), "{error}");
        }
    }
}

#[test]
fn every_truncation_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (_, good, points) = sample(folder.path());
    let first = Header::parse::<Banderwagon>(&good, 20)
        .ok()
        .unwrap()
        .length();
    let lengths = [
        1,
        7,
        8,
        9,
        100,
        127,
        128,
        129,
        200,
        223,
        224,
        225,
        300,
        first - 1,
        first,
    ];
    let lengths = lengths
        .into_iter()
        .chain([first + 1, good.len() - 4096, good.len() - 1]);
    for length in lengths {
        let bytes = FileBytes::from(good[..length].to_vec());
        let mistake = FixedBase::<Banderwagon>::from_bytes(bytes, &points)
            .err()
            .unwrap();
        let is_length =
            matches!(mistake.problem, Problem::Length { actual, .. } if actual == length as u64);
        let is_magic = length < 8 && mistake.problem == Problem::Magic;
        assert!(is_length || is_magic, "{length} bytes: {mistake:?}");
    }
    let longer = FileBytes::from([good.as_slice(), &[0]].concat());
    let mistake = FixedBase::<Banderwagon>::from_bytes(longer, &points)
        .err()
        .unwrap();
    assert!(matches!(mistake.problem, Problem::Length { .. }));
    let path = folder.path().join("empty");
    std::fs::write(&path, []).unwrap();
    for path in [
        &path,
        &folder.path().join("absent"),
        &folder.path().to_owned(),
    ] {
        let result = FixedBase::<Banderwagon>::open(path, &points);
        assert!(matches!(result, Err(Error::File(_))));
    }
}

#[test]
fn other_points_and_other_groups_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, good, points) = sample(folder.path());
    let problem = |points: &[_]| match FixedBase::<Banderwagon>::open(&path, points) {
        Err(Error::Malformed { problem, .. }) => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        problem(&points[1..]),
        Problem::Points {
            expected: 19,
            actual: 20
        }
    );
    let mut others = points.clone();
    others.swap(18, 19);
    assert_eq!(problem(&others), Problem::Basis);
    others = points.clone();
    others[7] = -others[7];
    assert_eq!(problem(&others), Problem::Basis);
    let error = FixedBase::<Bn254G1>::open(&path, &Bn254G1::points(20))
        .err()
        .unwrap();
    assert!(
        error.to_string().contains("group \"banderwagon\""),
        "{error}"
    );
    drop(good);
}

/// Whoever can make checksums can make these; they must not crash, or take memory, but be errors too.
#[test]
fn consistent_files_with_impossible_contents_are_refused() {
    let points = Banderwagon::points(2);
    let strategy = Strategy::Windows {
        points: 2,
        count: 60,
    };
    let table = FixedBase::<Banderwagon>::with_strategies_vartime(&points, &[strategy]).unwrap();
    let file = |strategies: &[Strategy], entries: &[u8]| {
        let header = Header {
            group: Banderwagon::NAME,
            points: 2,
            basis: basis_digest::<Banderwagon>(&points),
            strategies: strategies.to_vec(),
            checksums: checksums(entries),
        };
        let bytes = [header.to_bytes().as_slice(), entries].concat();
        FixedBase::<Banderwagon>::from_bytes(FileBytes::from(bytes), &points)
    };
    let good = &table.entries()[..table.memory_bytes()];
    assert!(file(&[strategy], good).is_ok());
    let comb = |rounds, bits| Strategy::Comb {
        rounds,
        bits,
        digits: Digits::Unsigned,
    };
    for strategies in [
        vec![],
        vec![Strategy::Windows {
            points: 2,
            count: 0,
        }],
        vec![Strategy::Windows {
            points: 2,
            count: 10,
        }],
        vec![Strategy::Windows {
            points: 2,
            count: usize::MAX,
        }],
        vec![Strategy::Windows {
            points: 1,
            count: 60,
        }],
        vec![comb(0, 5)],
        vec![comb(usize::MAX, 5)],
        vec![comb(10, 0)],
        vec![comb(10, usize::MAX)],
        vec![strategy; 64],
        vec![strategy; 65],
    ] {
        assert!(file(&strategies, good).is_err(), "{strategies:?}");
    }
    // An entry that is another point, one off the curve, one that is not reduced.
    let last = good.len() - 96;
    let mut wrong = good.to_vec();
    wrong.copy_within(..96, last);
    let mistake = file(&[strategy], &wrong).err().unwrap();
    assert_eq!(
        (mistake.section, mistake.offset),
        ("entries", (4096 + last) as u64)
    );
    assert_eq!(mistake.problem, Problem::Entry);
    wrong = good.to_vec();
    wrong[last] ^= 1;
    assert_eq!(
        file(&[strategy], &wrong).err().unwrap().problem,
        Problem::Entry
    );
    wrong[last..last + 32].fill(0xff);
    assert_eq!(
        file(&[strategy], &wrong).err().unwrap().problem,
        Problem::Entry
    );
}
