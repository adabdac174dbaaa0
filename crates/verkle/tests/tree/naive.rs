//! The root from the definition: recursion, and each scalar times its point of the basis.

use frumious_curves::bandersnatch::{Element, Fr};
use frumious_verkle::Crs;
use frumious_verkle::tree::{Key, Value};
use std::collections::BTreeMap;

pub type Entries = BTreeMap<Key, Value>;

pub fn root(entries: &Entries) -> Element {
    let all: Vec<(&Key, &Value)> = entries.iter().collect();
    inner(&all, 0)
}

fn inner(entries: &[(&Key, &Value)], depth: usize) -> Element {
    let mut sum = Element::IDENTITY;
    for index in 0..=255u8 {
        let below: Vec<_> = entries
            .iter()
            .filter(|e| e.0[depth] == index)
            .copied()
            .collect();
        if below.is_empty() {
            continue;
        }
        let is_one_stem = below.iter().all(|e| e.0[..31] == below[0].0[..31]);
        let child = if is_one_stem {
            leaf(&below)
        } else {
            inner(&below, depth + 1)
        };
        sum += times(usize::from(index), child.map_to_scalar_field());
    }
    sum
}

fn leaf(entries: &[(&Key, &Value)]) -> Element {
    let half = |upper: bool| {
        let mut sum = Element::IDENTITY;
        for (key, value) in entries.iter().filter(|e| (e.0[31] >= 128) == upper) {
            let index = usize::from(key[31] % 128) * 2;
            let two_128 = Fr::from_u64(1 << 32).square().square();
            sum += times(index, integer(&value[..16]) + two_128);
            sum += times(index + 1, integer(&value[16..]));
        }
        sum.map_to_scalar_field()
    };
    let stem = integer(&entries[0].0[..31]);
    let scalars = [Fr::ONE, stem, half(false), half(true)];
    let terms = scalars.into_iter().enumerate().map(|(i, s)| times(i, s));
    terms.fold(Element::IDENTITY, |a, b| a + b)
}

/// Horner's rule on bytes, from the most significant, which is the last.
fn integer(bytes: &[u8]) -> Fr {
    let step = |sum: Fr, byte: &u8| sum * Fr::from_u64(256) + Fr::from_u64((*byte).into());
    bytes.iter().rev().fold(Fr::ZERO, step)
}

fn times(index: usize, scalar: Fr) -> Element {
    Element::from(Crs::standard().basis()[index]).mul_vartime(&scalar)
}
