//! Inputs and outputs by name.

use std::collections::HashMap;
use std::ops::{Index, Range};

use frumious_field::WordField;
use zeroize::{Zeroize, Zeroizing};

use super::combination::Signal;
use super::component::Component;
use crate::Interface;
use crate::builder::BodyBuilder;

/// The names of a circuit's inputs and outputs, with how many signals each has.
///
/// ```
/// # mod frumious { pub use ::frumious_r1cs as r1cs; }
/// use frumious::r1cs::Names;
///
/// let names = Names::new()
///     .public_output("root", 1)
///     .public_input("leaf", 1)
///     .private_input("siblings", 24);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Public outputs, public inputs, private inputs.
    groups: [Vec<(String, u32)>; 3],
}

impl Names {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// `count` signals that the circuit computes and shows.
    #[must_use]
    pub fn public_output(self, name: &str, count: u32) -> Self {
        self.with(0, name, count)
    }

    /// `count` signals that are given and shown.
    #[must_use]
    pub fn public_input(self, name: &str, count: u32) -> Self {
        self.with(1, name, count)
    }

    /// `count` signals that are given and kept secret.
    #[must_use]
    pub fn private_input(self, name: &str, count: u32) -> Self {
        self.with(2, name, count)
    }

    fn with(mut self, group: usize, name: &str, count: u32) -> Self {
        self.groups[group].push((name.into(), count));
        self
    }

    /// Makes the signals, which are the first wires of `main`.
    pub(crate) fn place(&self, main: &mut BodyBuilder) -> Placed {
        let mut placed = Placed::default();
        let mut totals = [0; 3];
        for ((group, names), total) in self.groups.iter().enumerate().zip(&mut totals) {
            for (name, count) in names {
                let start = 1 + placed.n_wires;
                let place = Place {
                    wires: start..start + count,
                    is_input: group > 0,
                };
                let same = placed.places.insert(name.clone(), place);
                assert!(same.is_none(), "each name once: {name}");
                placed.n_wires += count;
                *total += count;
            }
        }
        if placed.n_wires > 0 {
            main.own_wires(placed.n_wires);
        }
        placed.interface = Interface {
            public_outputs: totals[0],
            public_inputs: totals[1],
            private_inputs: totals[2],
        };
        placed
    }
}

/// Where the named signals are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placed {
    places: HashMap<String, Place>,
    n_wires: u32,
    pub(crate) interface: Interface,
}

/// Where the signals of one name are.
#[derive(Clone, Debug)]
struct Place {
    wires: Range<u32>,
    is_input: bool,
}

impl Placed {
    /// The wires of a name.
    pub(crate) fn wires(&self, name: &str) -> Option<Range<u32>> {
        Some(self.places.get(name)?.wires.clone())
    }

    /// True if a wire is an input, for each after the constant one.
    pub(crate) fn is_given(&self) -> Vec<bool> {
        (0..self.n_wires)
            .map(|wire| wire >= self.interface.public_outputs)
            .collect()
    }

    /// All of them as signals of `main`.
    pub(crate) fn signals<F: WordField>(&self, main: &Component<'_, F>) -> InputsAndOutputs {
        let signals = self.places.iter().map(|(name, place)| {
            let wires = place.wires.clone();
            let signals = wires.map(|number| main.of_number(number)).collect();
            (name.clone(), signals)
        });
        InputsAndOutputs(signals.collect())
    }

    /// Sets the inputs among `witness`, whose place i is wire i.
    pub(crate) fn fill<F: WordField + Zeroize>(
        &self,
        inputs: &Inputs<F>,
        witness: &mut [F],
    ) -> Result<(), InputError> {
        for (name, values) in &inputs.values {
            let place = self.places.get(name).filter(|place| place.is_input);
            let place = place.ok_or_else(|| InputError::Unknown { name: name.clone() })?;
            let (start, end) = (place.wires.start as usize, place.wires.end as usize);
            if values.len() != end - start {
                return Err(InputError::Length {
                    name: name.clone(),
                    expected: end - start,
                    actual: values.len(),
                });
            }
            witness[start..end].copy_from_slice(values);
        }
        let missing = self
            .places
            .iter()
            .filter(|(name, place)| place.is_input && !inputs.values.contains_key(*name))
            .map(|(name, _)| name)
            .min();
        match missing {
            Some(name) => Err(InputError::Missing { name: name.clone() }),
            None => Ok(()),
        }
    }
}

/// The signals that are a circuit's inputs and outputs, by name.
///
/// # Panics
/// Indexing does, for a name that the circuit has not.
#[derive(Clone, Debug)]
pub struct InputsAndOutputs(HashMap<String, Vec<Signal>>);

impl Index<&str> for InputsAndOutputs {
    type Output = [Signal];

    fn index(&self, name: &str) -> &[Signal] {
        match self.0.get(name) {
            Some(signals) => signals,
            None => panic!("the circuit has no input or output {name}"),
        }
    }
}

/// Values of a circuit's inputs, by name. Wiped from memory when dropped, never printed.
#[derive(Clone)]
pub struct Inputs<F: Zeroize> {
    values: HashMap<String, Zeroizing<Vec<F>>>,
}

impl<F: Clone + Zeroize> Inputs<F> {
    /// None.
    #[expect(clippy::new_without_default, reason = "no circuit has default inputs")]
    pub fn new() -> Self {
        Self {
            values: HashMap::new(),
        }
    }

    /// The values of a name, in place of others given before.
    pub fn set(&mut self, name: &str, values: &[F]) {
        let values = Zeroizing::new(values.to_vec());
        self.values.insert(name.into(), values);
    }

    /// The values of a name, none if none were given.
    pub fn get(&self, name: &str) -> Option<&[F]> {
        self.values.get(name).map(|values| values.as_slice())
    }

    /// Appends values to those of a name.
    pub fn extend(&mut self, name: &str, values: &[F]) {
        let all = self.values.entry(name.into()).or_default();
        let len = all.len() + values.len();
        if all.capacity() < len {
            // Not left to the vector, which would free its old memory as it is.
            let mut larger = Zeroizing::new(Vec::with_capacity(len.max(2 * all.len())));
            larger.extend_from_slice(all);
            *all = larger;
        }
        all.extend_from_slice(values);
    }
}

/// Inputs that are not those of the circuit. Values are secret, and not shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// An input of the circuit was not given.
    #[error("input {name} is missing")]
    Missing {
        /// Its name.
        name: String,
    },
    /// The circuit has no such input.
    #[error("the circuit has no input {name}")]
    Unknown {
        /// The name that was given.
        name: String,
    },
    /// Too few or too many values.
    #[error("input {name} has {expected} values, but {actual} were given")]
    Length {
        /// Its name.
        name: String,
        /// Number of its signals.
        expected: usize,
        /// Number of values given.
        actual: usize,
    },
}
