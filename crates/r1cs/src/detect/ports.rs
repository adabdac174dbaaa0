//! Which wires of a repetition are its own, and which are ports.

use std::collections::HashMap;

/// The wires of all terms from one place of a repetition on.
#[derive(Clone, Copy)]
pub(super) struct Place<'w>(pub(super) &'w [u32]);

/// The numbering of a template's wires.
pub(super) struct Frame {
    /// For each term that the template's items name, what it is; empty for the whole circuit, whose wires keep their
    /// numbers.
    kinds: Vec<Kind>,
    /// A term whose wire is the first of its own, if it has any.
    first: Option<usize>,
    first_wire: u32,
    /// A term for each port.
    ports: Vec<usize>,
    n_own: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The constant one everywhere.
    One,
    /// At the same distance from the first everywhere.
    Own,
    /// The port of this number.
    Port(u32),
}

impl Frame {
    /// That of the circuit.
    pub(super) fn whole() -> Self {
        Self {
            kinds: Vec::new(),
            first: None,
            first_wire: 0,
            ports: Vec::new(),
            n_own: 0,
        }
    }

    /// `terms`: those that the template names, by place among all of its terms. There is a place, the first of which
    /// others are compared to.
    pub(super) fn of(terms: &[usize], places: &[Place<'_>]) -> Self {
        let first_place = places[0].0;
        let mut kinds: Vec<Kind> = terms
            .iter()
            .map(|term| match first_place[*term] {
                0 => Kind::One,
                _ => Kind::Own,
            })
            .collect();
        const UNKNOWN: Kind = Kind::Port(u32::MAX);
        for place in &places[1..] {
            let distance = |term: &usize| place.0[*term].wrapping_sub(first_place[*term]);
            let shift = most_frequent(terms.iter().map(distance));
            for (kind, term) in kinds.iter_mut().zip(terms) {
                let as_expected = match kind {
                    Kind::One => place.0[*term] == 0,
                    Kind::Own => place.0[*term] != 0 && distance(term) == shift,
                    Kind::Port(_) => true,
                };
                if !as_expected {
                    *kind = UNKNOWN;
                }
            }
        }
        let ports = number_ports(&mut kinds, terms, places);
        let own = kinds
            .iter()
            .zip(terms)
            .filter(|(kind, _)| **kind == Kind::Own);
        let own = own.map(|(_, term)| *term);
        let first = own.clone().min_by_key(|term| first_place[*term]);
        let first_wire = first.map_or(0, |term| first_place[term]);
        let last_wire = own.map(|term| first_place[term]).max();
        Self {
            kinds,
            first,
            first_wire,
            ports,
            n_own: last_wire.map_or(0, |last| last - first_wire + 1),
        }
    }

    pub(super) fn n_ports(&self) -> u32 {
        u32::try_from(self.ports.len()).expect("fewer ports than wires")
    }

    /// From the first of its own wires to the last.
    pub(super) fn n_own(&self) -> u32 {
        self.n_own
    }

    /// The wires that an instance is expected to take.
    pub(super) fn instance_bytes(&self) -> usize {
        6 + 2 * self.ports.len()
    }

    /// A term with the first of its own wires, if it has any, then one for each port.
    pub(super) fn named_terms(&self) -> impl Iterator<Item = usize> {
        self.first.into_iter().chain(self.ports.iter().copied())
    }

    /// True if it has wires of its own.
    pub(super) fn has_own(&self) -> bool {
        self.first.is_some()
    }

    /// The number in the template of the wire that is `global` at the first place, of the `index`-th term that the
    /// template names.
    pub(super) fn local(&self, index: usize, global: u32) -> u32 {
        match self.kinds.get(index) {
            None => global,
            Some(Kind::One) => 0,
            Some(Kind::Own) => 1 + self.n_ports() + (global - self.first_wire),
            Some(Kind::Port(port)) => 1 + port,
        }
    }
}

/// Terms whose wires are the same at every place share a port; a term for each.
fn number_ports(kinds: &mut [Kind], terms: &[usize], places: &[Place<'_>]) -> Vec<usize> {
    let mut ports = Vec::new();
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
    for (kind, term) in kinds.iter_mut().zip(terms) {
        if let Kind::Port(_) = kind {
            let wires = places.iter().map(|place| place.0[*term]).collect();
            let number = *numbers.entry(wires).or_insert_with(|| {
                ports.push(*term);
                u32::try_from(ports.len() - 1).expect("fewer ports than terms")
            });
            *kind = Kind::Port(number);
        }
    }
    ports
}

/// The value that is most frequent among up to 256 that are spread evenly.
fn most_frequent(values: impl ExactSizeIterator<Item = u32>) -> u32 {
    let step = (values.len() / 256).max(1);
    let mut counts: HashMap<u32, u32> = HashMap::new();
    for value in values.step_by(step) {
        *counts.entry(value).or_default() += 1;
    }
    let best = counts
        .into_iter()
        .max_by_key(|(value, count)| (*count, *value));
    best.map_or(0, |(value, _)| value)
}
