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
pub struct InputTable {
    slots: Vec<Slot>,
    /// Slots without parts: each value of the inputs is in one of them.
    signals: Vec<Slot>,
}

/// An entry: a signal, a bus, or a field of a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    hash: u64,
    place: u64,
    count: u64,
}

/// An input that is not given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingInput {
    /// Hashes of its names: the field of a bus that has no other has the bus's, too.
    pub hashes: Vec<u64>,
    /// The number of its values.
    pub count: u64,
}

impl InputTable {
    /// The table of a module whose inputs take `total` values, where circom writes it: at the beginning of a piece of
    /// its data. None if there is no such piece.
    pub fn in_module(module: &[u8], total: u64) -> Option<Self> {
        for payload in Parser::new(0).parse_all(module) {
            let Payload::DataSection(segments) = payload.ok()? else {
                continue;
            };
            return segments.into_iter().find_map(|segment| {
                let table = segment.ok()?.data.get(..SLOTS * 16)?;
                is_hashed(table).then(|| Self::of(table, 16, total))?
            });
        }
        None
    }

    /// The table of a program whose inputs take `total` values, by the bytes of its `.dat`.
    pub fn in_data(data: &[u8], total: u64) -> Option<Self> {
        Self::of(data.get(..SLOTS * 24)?, 24, total)
    }

    /// The table in these bytes, if the values of its signals are `total` together. A bus has a slot beside those of
    /// its fields: they count, and it does not.
    fn of(table: &[u8], slot_bytes: usize, total: u64) -> Option<Self> {
        let mut slots = Vec::new();
        for slot in table.chunks_exact(slot_bytes) {
            let (place, count) = slot.get(8..)?.split_at((slot_bytes - 8) / 2);
            let (hash, place, count) = (word(slot)?, word(place)?, word(count)?);
            if hash != 0 {
                place.checked_add(count).filter(|_| count <= total)?;
                slots.push(Slot { hash, place, count });
            }
        }
        let is_counted = |index: usize| {
            let slot: &Slot = &slots[index];
            let has_part = slots.iter().any(|other| slot.has_part(other));
            !has_part && !slots[..index].iter().any(|other| other.is_same(slot))
        };
        let counted = (0..slots.len()).filter(|index| is_counted(*index));
        let signals: Vec<Slot> = counted.map(|index| slots[index]).collect();
        let mut counts = signals.iter().map(|slot| slot.count);
        let sum = counts.try_fold(0_u64, u64::checked_add)?;
        (sum == total).then_some(Self { slots, signals })
    }

    /// The hash of each signal, and the number of its values, in the order of the slots.
    pub(crate) fn signals(&self) -> impl Iterator<Item = (u64, u64)> {
        self.signals.iter().map(|slot| (slot.hash, slot.count))
    }

    /// The signals that inputs of these hashes leave out. Whoever gives a bus gives its fields.
    pub fn without(&self, given: &HashSet<u64>) -> Vec<MissingInput> {
        let given: Vec<&Slot> = self
            .slots
            .iter()
            .filter(|slot| given.contains(&slot.hash))
            .collect();
        let is_missing = |slot: &&Slot| {
            let is_given = |whole: &&Slot| whole.is_same(slot) || whole.has_part(slot);
            slot.count > 0 && !given.iter().any(is_given)
        };
        let missing = self
            .signals
            .iter()
            .filter(is_missing)
            .map(|slot| MissingInput {
                hashes: self
                    .slots
                    .iter()
                    .filter(|other| other.is_same(slot))
                    .map(|other| other.hash)
                    .collect(),
                count: slot.count,
            });
        missing.collect()
    }
}

impl Slot {
    /// True if `other` is in it, and smaller.
    fn has_part(&self, other: &Self) -> bool {
        let is_in =
            other.place >= self.place && other.place + other.count <= self.place + self.count;
        (1..self.count).contains(&other.count) && is_in
    }

    /// True if both have the same values.
    fn is_same(&self, other: &Self) -> bool {
        self == other || self.count > 0 && (self.place, self.count) == (other.place, other.count)
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

const SLOTS: usize = 256;

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

    /// A table of names, counts and places.
    fn with_places(signals: &[(&str, u64, u32)]) -> Vec<u8> {
        let counts: Vec<(&str, u64)> = signals
            .iter()
            .map(|(name, count, _)| (*name, *count))
            .collect();
        let mut bytes = table(&counts, 16);
        for (name, _, place) in signals {
            let hash = name_hash(name).to_le_bytes();
            let slot = bytes.chunks_exact_mut(16).find(|slot| slot[..8] == hash);
            slot.expect("it is there")[8..12].copy_from_slice(&place.to_le_bytes());
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
        for found in [
            InputTable::in_module(&module(&pieces), total).expect("it is there"),
            InputTable::in_data(&table(&signals, 24), total).expect("it is there"),
        ] {
            assert_eq!(found.signals().count(), names.len());
            assert_eq!(found.without(&hashes(&[])).len(), names.len());
            for (name, count) in &signals {
                let others: Vec<&str> = names
                    .iter()
                    .map(String::as_str)
                    .filter(|other| other != name)
                    .collect();
                assert_eq!(found.without(&hashes(&others)), [missing(&[name], *count)]);
            }
        }
        for other in [total - 1, total + 1, 0, u64::MAX] {
            assert_eq!(InputTable::in_module(&module(&pieces), other), None);
        }
        // A slot that a lookup would not find.
        let mut moved = table(&signals[..3], 16);
        let taken = moved.chunks(16).position(|slot| slot[..8] != [0; 8]);
        let taken = taken.expect("one is") * 16;
        moved.copy_within(taken..taken + 16, (taken + 5 * 16) % 4096);
        moved[taken..taken + 16].fill(0);
        assert_eq!(InputTable::in_module(&module(&[moved]), 6), None);
        for bytes in [&[][..], &[0; 4096], b"\0asm", &module(&[expected])[..3000]] {
            assert_eq!(InputTable::in_module(bytes, total), None);
        }
    }

    fn missing(names: &[&str], count: u64) -> MissingInput {
        MissingInput {
            hashes: names.iter().copied().map(name_hash).collect(),
            count,
        }
    }

    /// circom 2.2 has a slot for a bus and for each of its fields.
    #[test]
    fn the_fields_of_a_bus_count_and_it_does_not() {
        let bytes = with_places(&[("bus", 3, 5), ("bus.x", 1, 5), ("bus.y", 2, 6), ("z", 1, 8)]);
        let found = InputTable::in_module(&module(&[bytes]), 4).expect("it is there");
        let mut expected =
            [("bus.x", 1), ("bus.y", 2), ("z", 1)].map(|(name, count)| (name_hash(name), count));
        let mut signals = found.signals().collect::<Vec<_>>();
        signals.sort_unstable();
        expected.sort_unstable();
        assert_eq!(signals, expected);
        assert_eq!(
            found.without(&hashes(&["bus.x", "z"])),
            [missing(&["bus.y"], 2)]
        );
        assert_eq!(found.without(&hashes(&["bus"])), [missing(&["z"], 1)]);
        assert_eq!(found.without(&hashes(&["bus.x", "bus.y", "z"])), []);
    }

    /// Nobody can tell the two slots apart: they count once, and either name gives the value.
    #[test]
    fn a_bus_of_one_field_counts_once() {
        let bytes = with_places(&[("bus", 1, 5), ("bus.x", 1, 5), ("none", 0, 5), ("z", 2, 6)]);
        let found = InputTable::in_module(&module(&[bytes]), 3).expect("it is there");
        assert_eq!(found.without(&hashes(&["bus"])), [missing(&["z"], 2)]);
        assert_eq!(found.without(&hashes(&["bus.x"])), [missing(&["z"], 2)]);
        let mut left = found.without(&hashes(&["z"]));
        left[0].hashes.sort_unstable();
        let mut expected = missing(&["bus", "bus.x"], 1);
        expected.hashes.sort_unstable();
        assert_eq!(left, [expected]);
    }

    #[test]
    fn other_bytes_are_no_table() {
        let bytes = table(&[("a", 1), ("b", 2)], 16);
        let find = |bytes: &[u8], total| InputTable::in_module(&module(&[bytes.to_vec()]), total);
        assert!(find(&bytes, 3).is_some());
        assert_eq!(find(&bytes, 4), None);
        assert_eq!(find(&bytes, 2), None);
        assert_eq!(find(&bytes[..4095], 3), None);
        assert_eq!(find(&bytes[1..], 3), None);
        assert_eq!(find(&[], 0), None);
        assert_eq!(InputTable::in_data(&[], 0), None);
        assert_eq!(InputTable::in_data(&[0xff; 8000], 3), None);
        let mut large = table(&[("a", u64::from(u32::MAX)), ("b", 2)], 24);
        assert_eq!(InputTable::in_data(&large, 2), None);
        large[24 * 200..].fill(0xff);
        assert_eq!(InputTable::in_data(&large, u64::MAX), None, "no overflow");
    }
}
