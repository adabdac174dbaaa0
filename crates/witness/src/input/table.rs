//! The table in which a generator finds its input signals: 256 slots by the hash of the name.
//!
//! A slot has a hash, the signal's place and the number of its values; that of a hash is `hash mod 256`, or the next
//! free one. Names are not in it. All numbers are little-endian.
//!
//! | of | place | bytes of a slot |
//! |---|---|---|
//! | circom's modules | somewhere in their data | 8, 4, 4 |
//! | its programs | the beginning of their `.dat` | 8, 8, 8 |
//!
//! Source: circom 2.2, `generate_hash_map` of its two producers of code.

use std::collections::HashSet;

use wasmparser::{Parser, Payload};

use crate::signal_hash::SignalHash;

/// The input signals of a circuit, by the hashes of their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputTable(Vec<(u64, u64)>);

impl InputTable {
    /// The table in the bytes of a module whose inputs take `total` values. It is found by any of `hashes`, those of
    /// names that may be its inputs'. None if no such table is there, or not at the first 64 places with such a hash.
    pub fn in_module(module: &[u8], hashes: &HashSet<u64>, total: u64) -> Option<Self> {
        let windows = module.windows(8).enumerate();
        let found = windows.filter_map(|(place, bytes)| {
            let hash = word(bytes)?;
            hashes.contains(&hash).then_some((place, hash))
        });
        found.take(MOST_PLACES).find_map(|(place, hash)| {
            (0..SLOTS).find_map(|probe| {
                let slot = (hash as usize % SLOTS + probe) % SLOTS;
                let start = place.checked_sub(slot * 16)?;
                Self::of(module.get(start..start + SLOTS * 16)?, 16, total)
            })
        })
    }

    /// The table of a module whose inputs take `total` values, where circom writes it: at the beginning of a piece of
    /// its data. No name needs to be known. None if there is no such piece.
    pub(crate) fn in_segments(module: &[u8], total: u64) -> Option<Self> {
        for payload in Parser::new(0).parse_all(module) {
            let Payload::DataSection(segments) = payload.ok()? else {
                continue;
            };
            return segments.into_iter().find_map(|segment| {
                let table = segment.ok()?.data.get(..SLOTS * 16)?;
                is_hashed(table).then(|| Self::of_parts(table, total))?
            });
        }
        None
    }

    /// As [`InputTable::of`], where a bus has a slot beside those of its fields: they count, and it does not.
    fn of_parts(table: &[u8], total: u64) -> Option<Self> {
        let slots = (0..SLOTS).map(|slot| &table[slot * 16..]);
        let slots = slots.filter_map(|slot| Some((word(slot)?, half(slot, 8)?, half(slot, 12)?)));
        let slots: Vec<(u64, u64, u64)> = slots.filter(|(hash, ..)| *hash != 0).collect();
        let has_part = |place: u64, count: u64| {
            let mut others = slots
                .iter()
                .filter(|(.., other)| (1..count).contains(other));
            others.any(|(_, from, other)| *from >= place && from + other <= place + count)
        };
        let parts = slots
            .iter()
            .filter(|(_, place, count)| !has_part(*place, *count));
        let parts: Vec<(u64, u64)> = parts.map(|(hash, _, count)| (*hash, *count)).collect();
        let sum: u64 = parts.iter().map(|(_, count)| count).sum();
        (sum == total).then_some(Self(parts))
    }

    /// The hash of each signal, and the number of its values, in the order of the slots.
    pub(crate) fn signals(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// The table of a program whose inputs take `total` values, by the bytes of its `.dat`.
    pub fn in_data(data: &[u8], total: u64) -> Option<Self> {
        Self::of(data.get(..SLOTS * 24)?, 24, total)
    }

    /// The table in these bytes, if the values of its signals are `total` together.
    fn of(bytes: &[u8], slot_bytes: usize, total: u64) -> Option<Self> {
        let mut signals = Vec::new();
        let mut sum = 0_u64;
        for slot in bytes.chunks_exact(slot_bytes) {
            let count = slot.get(8 + (slot_bytes - 8) / 2..)?;
            let (hash, count) = (word(slot)?, word(count)?);
            if hash == 0 {
                continue;
            }
            sum = sum.checked_add(count).filter(|sum| *sum <= total)?;
            signals.push((hash, count));
        }
        (sum == total).then_some(Self(signals))
    }

    /// The signals of other names than these hashes are of: the hash of each, and the number of its values.
    pub fn without(&self, hashes: &HashSet<u64>) -> Vec<(u64, u64)> {
        let others = self.0.iter().copied();
        let is_other = |(hash, count): &(u64, u64)| *count > 0 && !hashes.contains(hash);
        others.filter(is_other).collect()
    }
}

/// True if each hash is in its slot, or in the first free one after it.
fn is_hashed(table: &[u8]) -> bool {
    let hash = |slot: usize| word(&table[slot % SLOTS * 16..]).unwrap_or(0);
    (0..SLOTS).filter(|slot| hash(*slot) != 0).all(|slot| {
        let first = hash(slot) as usize % SLOTS;
        let distance = (slot + SLOTS - first) % SLOTS;
        (first..first + distance).all(|passed| hash(passed) != 0)
    })
}

/// The hash by which circom's generators know a name.
pub fn name_hash(name: &str) -> u64 {
    SignalHash::of(name).0
}

/// The first eight bytes, or the four that there are.
fn word(bytes: &[u8]) -> Option<u64> {
    match bytes.first_chunk() {
        Some(bytes) => Some(u64::from_le_bytes(*bytes)),
        None => Some(u32::from_le_bytes(*bytes.first_chunk()?).into()),
    }
}

/// The four bytes at an offset.
fn half(bytes: &[u8], offset: usize) -> Option<u64> {
    word(bytes.get(offset..offset + 4)?)
}

const SLOTS: usize = 256;

/// Places that are looked at. circom writes a hash once or twice, a hostile module a million times: each costs up to
/// 256 readings of 256 slots.
const MOST_PLACES: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    /// A table as circom writes it, in slots of so many bytes.
    fn table(signals: &[(&str, u64)], slot_bytes: usize) -> Vec<u8> {
        let mut bytes = vec![0; SLOTS * slot_bytes];
        let mut place = 1_u64;
        for (name, count) in signals {
            let hash = name_hash(name);
            let mut slot = hash as usize % SLOTS;
            while bytes[slot * slot_bytes..][..8] != [0; 8] {
                slot = (slot + 1) % SLOTS;
            }
            let slot = &mut bytes[slot * slot_bytes..][..slot_bytes];
            slot[..8].copy_from_slice(&hash.to_le_bytes());
            let half = (slot_bytes - 8) / 2;
            slot[8..8 + half].copy_from_slice(&place.to_le_bytes()[..half]);
            slot[8 + half..].copy_from_slice(&count.to_le_bytes()[..half]);
            place += count;
        }
        bytes
    }

    fn hashes(names: &[&str]) -> HashSet<u64> {
        names.iter().copied().map(name_hash).collect()
    }

    /// Names of equal slots among them: a dozen of 300.
    fn names() -> Vec<String> {
        (0..200).map(|k| format!("s{k}")).collect()
    }

    #[test]
    fn signals_are_found_by_any_of_their_names() {
        let names = names();
        let signals: Vec<(&str, u64)> = names.iter().map(String::as_str).zip(1..).collect();
        let total = signals.iter().map(|(_, count)| count).sum();
        let module = [&[7; 1001][..], &table(&signals, 16), &[9; 55]].concat();
        for (name, count) in &signals {
            let found = InputTable::in_module(&module, &hashes(&[name, "other"]), total);
            let found = found.expect("it is there");
            let others: Vec<&str> = names.iter().map(String::as_str).collect();
            let others: Vec<&str> = others.into_iter().filter(|other| other != name).collect();
            assert_eq!(found.without(&hashes(&others)), [(name_hash(name), *count)]);
            assert!(found.without(&hashes(&[])).len() == names.len());
        }
        let data = table(&signals, 24);
        let found = InputTable::in_data(&data, total).expect("it is there");
        assert_eq!(found.without(&hashes(&[])).len(), names.len());
    }

    /// A module with these pieces of data.
    fn module(pieces: &[Vec<u8>]) -> Vec<u8> {
        let mut data = wasm_encoder::DataSection::new();
        for piece in pieces {
            let start = wasm_encoder::ConstExpr::i32_const(0);
            data.active(0, &start, piece.iter().copied());
        }
        let mut module = wasm_encoder::Module::new();
        module.section(&data);
        module.finish()
    }

    #[test]
    fn a_table_in_data_needs_no_name() {
        let names = names();
        let signals: Vec<(&str, u64)> = names.iter().map(String::as_str).zip(1..).collect();
        let total = signals.iter().map(|(_, count)| count).sum();
        let expected = table(&signals, 16);
        let pieces = [vec![1; 5000], vec![], expected.clone(), vec![2; 9]];
        let found = InputTable::in_segments(&module(&pieces), total).expect("it is there");
        assert_eq!(found.signals().len(), names.len());
        assert!(found.without(&hashes(&[])).len() == names.len());
        for other in [total - 1, total + 1, 0, u64::MAX] {
            assert_eq!(InputTable::in_segments(&module(&pieces), other), None);
        }
        // A slot that a lookup would not find.
        let mut moved = table(&signals[..3], 16);
        let taken = moved.chunks(16).position(|slot| slot[..8] != [0; 8]);
        let taken = taken.expect("one is") * 16;
        moved.copy_within(taken..taken + 16, (taken + 5 * 16) % 4096);
        moved[taken..taken + 16].fill(0);
        assert_eq!(InputTable::in_segments(&module(&[moved]), 6), None);
        for bytes in [&[][..], &[0; 4096], b"\0asm", &module(&[expected])[..3000]] {
            assert_eq!(InputTable::in_segments(bytes, total), None);
        }
    }

    /// circom 2.2 has a slot for a bus and for each of its fields.
    #[test]
    fn the_fields_of_a_bus_count_and_it_does_not() {
        let mut bytes = table(&[("bus", 3), ("bus.x", 1), ("bus.y", 2), ("z", 1)], 16);
        for (name, place) in [("bus", 5), ("bus.x", 5), ("bus.y", 6), ("z", 8)] {
            let slot = bytes
                .chunks_exact_mut(16)
                .find(|slot| slot[..8] == name_hash(name).to_le_bytes());
            slot.expect("it is there")[8..12].copy_from_slice(&u32::to_le_bytes(place));
        }
        let found = InputTable::in_segments(&module(&[bytes]), 4).expect("it is there");
        let mut expected =
            [("bus.x", 1), ("bus.y", 2), ("z", 1)].map(|(name, count)| (name_hash(name), count));
        let mut signals = found.signals().to_vec();
        signals.sort_unstable();
        expected.sort_unstable();
        assert_eq!(signals, expected);
    }

    #[test]
    fn other_bytes_are_no_table() {
        let bytes = table(&[("a", 1), ("b", 2)], 16);
        let find = |bytes: &[u8], total| InputTable::in_module(bytes, &hashes(&["a"]), total);
        assert!(find(&bytes, 3).is_some());
        assert_eq!(find(&bytes, 4), None);
        assert_eq!(find(&bytes, 2), None);
        assert_eq!(find(&bytes[..4095], 3), None);
        assert_eq!(find(&bytes[1..], 3), None);
        assert_eq!(find(&[], 0), None);
        assert_eq!(InputTable::in_module(&bytes, &hashes(&["c"]), 3), None);
        assert_eq!(InputTable::in_data(&[], 0), None);
        assert_eq!(InputTable::in_data(&[0xff; 8000], 3), None);
        let mut large = table(&[("a", u64::from(u32::MAX)), ("b", 2)], 24);
        assert_eq!(InputTable::in_data(&large, 2), None);
        large[24 * 200..].fill(0xff);
        assert_eq!(InputTable::in_data(&large, u64::MAX), None, "no overflow");
    }

    /// Each place of a hash would be read for 256 slots: for minutes, if all were looked at.
    #[test]
    fn a_module_of_nothing_but_hashes_is_given_up() {
        let slot = [&name_hash("a").to_le_bytes()[..], &[0; 8]].concat();
        let module = slot.repeat(1 << 20);
        assert_eq!(InputTable::in_module(&module, &hashes(&["a"]), 1), None);
    }
}
