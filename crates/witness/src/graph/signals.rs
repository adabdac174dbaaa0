//! The input signals of a graph: where the values of each are among those of all.
//!
//! A graph of circom-witnesscalc names them. Since `wtns.graph.002` it describes buses too, which are taken apart as
//! those of `input.json` are.

use std::collections::HashMap;

use frumious_parallel::check_cancelled;

use super::bytes::{BadGraph, Reader};
use crate::signal_hash::SignalHash;

/// The input signals of a circuit.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// By place: the first place, and the number of values.
    ranges: Vec<(u64, u32)>,
    /// The number of each signal, by the hash of its name.
    by_hash: HashMap<u64, u32>,
    /// Number of values.
    pub(super) total: u64,
}

impl Inputs {
    /// Of signals by hash, each with its first place and number of values. Place 0 is not theirs.
    pub(super) fn new(
        mut signals: Vec<(u64, u64, u32)>,
        reader: &Reader<'_>,
    ) -> Result<Self, BadGraph> {
        // Those without values first, so that what follows them does not overlap them.
        signals.sort_by_key(|(_, first, count)| {
            check_cancelled();
            (*first, *count)
        });
        let mut inputs = Self::default();
        let mut end = 1;
        for (number, (hash, first, count)) in (0..).zip(signals) {
            check_cancelled();
            if first < end && count > 0 {
                return Err(reader.bad("two input signals have a place in common"));
            }
            if first > MOST_VALUES {
                return Err(reader.bad("an input signal is out of bounds"));
            }
            if count > 0 {
                end = first + u64::from(count);
            }
            inputs.ranges.push((first, count));
            inputs.total += u64::from(count);
            if inputs.by_hash.insert(hash, number).is_some() {
                return Err(reader.bad("two input signals have one name"));
            }
        }
        match end <= MOST_VALUES {
            true => Ok(inputs),
            false => Err(reader.bad("an input signal is out of bounds")),
        }
    }

    /// The signal at a place, with the number of the value in it.
    pub(super) fn find(&self, place: u64) -> Option<(u32, u32)> {
        let behind = self.ranges.partition_point(|(first, _)| *first <= place);
        // Of signals at one place at most the last has values.
        let number = behind.checked_sub(1)?;
        let (first, count) = self.ranges[number];
        let at = place - first;
        (at < u64::from(count)).then_some((number as u32, at as u32))
    }

    /// The signal of a name: its number, and the number of its values.
    pub(super) fn named(&self, name: &str) -> Option<(u32, u32)> {
        let number = *self.by_hash.get(&SignalHash::of(name).0)?;
        Some((number, self.ranges[number as usize].1))
    }

    /// The signals that have values, in the order of their hashes: the hash, the signal's number and its values'.
    pub(super) fn by_hash(&self) -> Vec<(u64, u32, u32)> {
        let signals = self.by_hash.iter();
        let signals =
            signals.map(|(hash, number)| (*hash, *number, self.ranges[*number as usize].1));
        let mut signals: Vec<(u64, u32, u32)> = signals.filter(|(.., count)| *count > 0).collect();
        signals.sort_unstable();
        signals
    }

    /// Number of signals.
    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }
}

/// The signals in the description of `wtns.graph.002`: four-byte counts and lengths, little-endian.
///
/// The places of its own begin anywhere; the first input is at place 1.
pub(super) fn described(mut reader: Reader<'_>) -> Result<Inputs, BadGraph> {
    let count = reader.word()?;
    let mut infos = Vec::with_capacity(reader.bounded(count.into(), 13)?);
    for _ in 0..count {
        let name = name(&mut reader)?;
        let offset = reader.word()?;
        let lengths = words(&mut reader)?;
        let bus = match reader.byte()? {
            0 => None,
            1 => Some(self::name(&mut reader)?),
            _ => return Err(reader.bad("an input signal is of an unknown kind")),
        };
        infos.push((name, offset, lengths, bus));
    }
    let buses = buses(&mut reader)?;
    if !reader.is_empty() {
        return Err(reader.bad("bytes follow"));
    }
    let least = infos.iter().map(|(_, offset, ..)| *offset).min();
    let mut walk = Walk {
        buses: &buses,
        found: Vec::new(),
        steps: 0,
        bytes: 0,
        reader: &reader,
    };
    let mut number_of = HashMap::new();
    for (number, (name, _)) in buses.iter().enumerate() {
        number_of.entry(*name).or_insert(number);
    }
    for (name, offset, lengths, bus) in infos {
        let mut place = 1 + u64::from(offset - least.unwrap_or(0));
        let bus = match bus {
            Some(bus) => {
                let number = number_of.get(bus).copied();
                Some(number.ok_or_else(|| reader.bad("a bus is not described"))?)
            }
            None => None,
        };
        walk.array(name.to_owned(), &lengths, bus, &mut place, 0)?;
    }
    Inputs::new(walk.found, &reader)
}

/// A field of a bus: its name, the number of its bus if it is one, and its lengths.
type BusField<'a> = (&'a str, Option<usize>, Vec<u32>);

fn buses<'a>(reader: &mut Reader<'a>) -> Result<Vec<(&'a str, Vec<BusField<'a>>)>, BadGraph> {
    let count = reader.word()?;
    let mut buses = Vec::with_capacity(reader.bounded(count.into(), 8)?);
    for _ in 0..count {
        let bus = name(reader)?;
        let count = reader.word()?;
        let mut fields = Vec::with_capacity(reader.bounded(count.into(), 17)?);
        for _ in 0..count {
            let field = name(reader)?;
            let inner = match reader.byte()? {
                0 => None,
                1 => Some(reader.word()? as usize),
                _ => return Err(reader.bad("a field is of an unknown kind")),
            };
            // Its offset and the size of one element follow from what is in it.
            reader.take(8)?;
            fields.push((field, inner, words(reader)?));
        }
        buses.push((bus, fields));
    }
    Ok(buses)
}

fn name<'a>(reader: &mut Reader<'a>) -> Result<&'a str, BadGraph> {
    let length = reader.word()?;
    reader.text(length.into())
}

fn words(reader: &mut Reader<'_>) -> Result<Vec<u32>, BadGraph> {
    let count = reader.word()?;
    let mut words = Vec::with_capacity(reader.bounded(count.into(), 4)?);
    for _ in 0..count {
        words.push(reader.word()?);
    }
    Ok(words)
}

/// The way through buses in buses, which ends however they name each other.
struct Walk<'a> {
    buses: &'a [(&'a str, Vec<BusField<'a>>)],
    /// Hash, first place and number of values.
    found: Vec<(u64, u64, u32)>,
    steps: usize,
    /// Of all names and lengths on the way.
    bytes: usize,
    reader: &'a Reader<'a>,
}

impl Walk<'_> {
    /// The signals of an array of fields or of buses; `place` goes on by its values.
    fn array(
        &mut self,
        name: String,
        lengths: &[u32],
        bus: Option<usize>,
        place: &mut u64,
        depth: usize,
    ) -> Result<(), BadGraph> {
        check_cancelled();
        self.steps += 1;
        self.bytes += name.len() + 4 * lengths.len();
        if depth > MOST_DEPTH || self.steps > MOST_STEPS {
            return Err(self.reader.bad("its buses are too many, or too deep"));
        }
        if self.bytes > self.reader.offset() + MOST_BYTES {
            return Err(self
                .reader
                .bad("the names or the lengths in its buses are too long"));
        }
        let Some(bus) = bus else {
            let values = lengths
                .iter()
                .try_fold(1, |count: u32, length| count.checked_mul(*length));
            let values = values.ok_or_else(|| self.reader.bad("an input signal is too long"))?;
            self.found.push((SignalHash::of(&name).0, *place, values));
            *place += u64::from(values);
            return match *place <= MOST_VALUES {
                true => Ok(()),
                false => Err(self.reader.bad("an input signal is out of bounds")),
            };
        };
        if let Some((length, rest)) = lengths.split_first() {
            for index in 0..*length {
                let name = format!("{name}[{index}]");
                self.array(name, rest, Some(bus), place, depth + 1)?;
            }
            return Ok(());
        }
        let buses = self.buses;
        let (_, fields) = buses
            .get(bus)
            .ok_or_else(|| self.reader.bad("a bus is not described"))?;
        for (field, inner, lengths) in fields {
            self.array(format!("{name}.{field}"), lengths, *inner, place, depth + 1)?;
        }
        Ok(())
    }
}

/// Places of all values.
const MOST_VALUES: u64 = 1 << 28;

const MOST_DEPTH: usize = 64;

/// Signals in buses, and buses in buses: some milliseconds of work, but for their names and lengths.
const MOST_STEPS: usize = 1 << 20;

/// Bytes of names and lengths on the way, beyond those in the file: a bus is gone through as often as it is named.
/// They are copied, hashed and multiplied.
const MOST_BYTES: usize = 1 << 26;
