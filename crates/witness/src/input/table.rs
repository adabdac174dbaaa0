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

use crate::instance::SignalHash;

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
        for (name, count) in signals {
            let hash = name_hash(name);
            let mut slot = hash as usize % SLOTS;
            while bytes[slot * slot_bytes..][..8] != [0; 8] {
                slot = (slot + 1) % SLOTS;
            }
            let slot = &mut bytes[slot * slot_bytes..][..slot_bytes];
            slot[..8].copy_from_slice(&hash.to_le_bytes());
            let half = (slot_bytes - 8) / 2;
            slot[8 + half..].copy_from_slice(&count.to_le_bytes()[..half]);
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
