//! Files with wrong entries and right digests, as whoever can write a file can make them: none is opened.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::super::tests::{Numbers, TestGroup};
use super::super::{Banderwagon, Bn254G1, Digits, Order, Strategy};
use super::*;
use frumious_curves::bandersnatch::TableEntry;

/// A file of these entries, all digests right, as it is opened.
fn open<G: FixedGroup>(
    points: &[G],
    strategies: &[Strategy],
    entries: &[u8],
) -> Result<FixedBase<G>, Mistake> {
    let header = Header {
        group: G::NAME,
        points: points.len() as u64,
        basis: basis_digest::<G>(points),
        strategies: strategies.to_vec(),
        checksums: checksums(entries),
    };
    let bytes = [header.to_bytes().as_slice(), entries].concat();
    FixedBase::from_bytes(FileBytes::from(bytes), points)
}

fn honest<G: TestGroup>(points: usize, strategies: &[Strategy]) -> (Vec<G>, Vec<u8>) {
    let points = G::points(points);
    let table = FixedBase::<G>::with_strategies_vartime(&points, strategies).unwrap();
    let entries = table.entries()[..table.memory_bytes()].to_vec();
    assert!(open::<G>(&points, strategies, &entries).is_ok());
    (points, entries)
}

/// Entries of all kinds of runs: starts of one term, of several and of none; windows of different widths.
const KINDS: [Strategy; 3] = [
    Strategy::Windows {
        points: 1,
        count: 60,
    },
    Strategy::Comb {
        rounds: 85,
        bits: 4,
        digits: Digits::Unsigned,
    },
    Strategy::Comb {
        rounds: 64,
        bits: 5,
        digits: Digits::Signed {
            order: Order::Strided,
        },
    },
];

/// Each entry in turn, wrong in some way, is found where it is.
fn every_entry<G: TestGroup>() {
    let size = G::Entry::BYTES;
    let (points, good) = honest::<G>(2, &KINDS);
    for place in 0..good.len() / size {
        let entry = G::Entry::read(&good[place * size..]);
        let mut negated = vec![0; size];
        entry.opposite().write(&mut negated);
        let mut neutral = vec![0; size];
        G::Entry::IDENTITY.write(&mut neutral);
        let other = (place + 7) * size % good.len();
        let mut wrong = vec![negated, neutral, good[other..other + size].to_vec()];
        // Off the curve, or the product wrong; and the same number with the modulus added to it.
        for coordinate in 0..size / 32 {
            let mut changed = good[place * size..(place + 1) * size].to_vec();
            changed[32 * coordinate] ^= 1;
            wrong.push(changed);
            wrong.push(not_reduced::<G>(&good[place * size..][..size], coordinate));
        }
        // At each place one of the ways, at the first places all: a table is opened for each.
        let ways = wrong.len();
        let chosen = wrong.into_iter().enumerate();
        for (_, wrong) in chosen.filter(|(way, _)| place < ways || place % ways == *way) {
            let mut entries = good.clone();
            entries[place * size..(place + 1) * size].copy_from_slice(&wrong);
            let mistake = open::<G>(&points, &KINDS, &entries).err().unwrap();
            // The place in the entries; before them are the header and one page of checksums.
            let expected = (4096 + place * size) as u64;
            assert_eq!((mistake.section, mistake.offset), ("entries", expected));
            assert_eq!(mistake.problem, Problem::Entry);
        }
    }
}

/// An entry with the modulus added to a coordinate.
fn not_reduced<G: TestGroup>(entry: &[u8], coordinate: usize) -> Vec<u8> {
    let mut changed = entry.to_vec();
    let mut carry = 0u128;
    for (bytes, modulus) in changed[32 * coordinate..][..32]
        .chunks_exact_mut(8)
        .zip(G::COORDINATE_MODULUS)
    {
        let word = u64::from_le_bytes(bytes.try_into().unwrap());
        let sum = u128::from(word) + u128::from(modulus) + carry;
        bytes.copy_from_slice(&(sum as u64).to_le_bytes());
        carry = sum >> 64;
    }
    assert_eq!(carry, 0, "twice the modulus is below 2^256");
    changed
}

#[test]
fn every_entry_counts() {
    every_entry::<Banderwagon>();
    every_entry::<Bn254G1>();
}

/// Only the first and the last entry of each run are where they belong: what a look at some known places takes for
/// right.
#[test]
fn nearly_all_entries_displaced() {
    let strategies = [Strategy::Windows {
        points: 12,
        count: 32,
    }];
    let (points, good) = honest::<Banderwagon>(12, &strategies);
    let planner = planner::<Banderwagon>(12, &strategies).unwrap();
    let size = TableEntry::BYTES;
    let (mut entries, mut displaced, mut end) = (good.clone(), 0, 0);
    for run in planner.tables()[0].runs() {
        let inner: Vec<usize> = (end + 1..end + run.entries() - 1).collect();
        for (from, to) in inner.iter().zip(inner.iter().rev()) {
            entries[to * size..(to + 1) * size].copy_from_slice(&good[from * size..][..size]);
            displaced += usize::from(from != to);
        }
        end += run.entries();
    }
    assert_eq!(end * size, good.len());
    assert!(displaced > end * 9 / 10, "{displaced} of {end}");
    let mistake = open::<Banderwagon>(&points, &strategies, &entries);
    assert_eq!(mistake.err().unwrap().problem, Problem::Entry);
}

/// Both points that are one element of Banderwagon are right: the file may have been made from the other ones.
#[test]
fn other_representatives_are_the_same_elements() {
    let (points, mut entries) = honest::<Banderwagon>(3, &KINDS);
    for (place, bytes) in entries.chunks_exact_mut(TableEntry::BYTES).enumerate() {
        let TableEntry { x, y, dxy } = TableEntry::read(bytes);
        if place % 3 > 0 {
            let other = TableEntry { x: -x, y: -y, dxy };
            other.write(bytes);
        }
    }
    let opened = open::<Banderwagon>(&points, &KINDS, &entries).unwrap();
    let built = FixedBase::<Banderwagon>::with_strategies_vartime(&points, &KINDS).unwrap();
    let mut numbers = Numbers::new(9);
    for n in 0..4 {
        let scalars = numbers.scalars::<Banderwagon>(n);
        let [opened, built] =
            [&opened, &built].map(|table| table.commit_vartime(&scalars).unwrap());
        assert_eq!(opened, built, "{n} scalars");
    }
}
