//! Between the flat constraints of a file and the compact ones of `frumious-r1cs`: the same constraints, term for term,
//! over the same wires.

use std::collections::BTreeMap;
use std::io::Write;

use frumious_curves::PairingEngine;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use frumious_r1cs::{BodyBuilder, Interface, PooledTerm, System, SystemBuilder, Wire};

use super::{Header, R1cs, write_file};
use crate::error::{Error, FileKind};
use crate::words;

impl<E: PairingEngine> R1cs<E> {
    /// The same constraints with pooled coefficients, without templates: some three bytes a term instead of 36.
    ///
    /// Labels are left behind.
    pub fn to_system(&self) -> System<E::Fr> {
        let mut builder = SystemBuilder::new();
        let mut main = BodyBuilder::main();
        let wires = self.n_wires();
        if let Some(own) = wires.checked_sub(1).filter(|own| *own > 0) {
            main.own_wires(own);
        }
        let mut terms: [Vec<(Wire, E::Fr)>; 3] = Default::default();
        for constraint in self.constraints() {
            for (terms, combination) in
                terms
                    .iter_mut()
                    .zip([constraint.a, constraint.b, constraint.c])
            {
                terms.clear();
                terms.extend(
                    combination
                        .terms()
                        .map(|term| (main.wire(term.wire), term.coefficient.to_element())),
                );
            }
            let [a, b, c] = &terms;
            builder.constrain(&mut main, a, b, c);
        }
        let interface = Interface {
            public_outputs: self.n_public_outputs(),
            public_inputs: self.n_public_inputs(),
            // No more than have a wire.
            private_inputs: self
                .n_private_inputs()
                .min(self.n_wires() - 1 - self.n_public()),
        };
        builder.finish(main, interface)
    }
}

/// Writes a system as a `.r1cs` file, whose labels are its wires; nothing is expanded in memory.
///
/// Terms of one row and wire are added up, as readers of the format expect a wire once.
///
/// # Errors
/// [`Error::Write`] when `out` fails, or for 2^32 constraints or more, which the format cannot count.
pub fn write_system<E: PairingEngine>(
    system: &System<E::Fr>,
    out: impl Write,
) -> Result<(), Error> {
    write_sections::<E>(system, out).map_err(|source| Error::Write {
        file: FileKind::R1cs,
        source,
    })
}

fn write_sections<E: PairingEngine>(
    system: &System<E::Fr>,
    mut out: impl Write,
) -> std::io::Result<()> {
    let interface = system.interface();
    let header = Header {
        n_wires: system.n_wires(),
        n_public_outputs: interface.public_outputs,
        n_public_inputs: interface.public_inputs,
        n_private_inputs: interface.private_inputs,
        n_labels: system.n_wires().into(),
        n_constraints: u32::try_from(system.n_constraints()).map_err(std::io::Error::other)?,
    };
    let mut rows = RowBytes::<E::Fr>::new(system.pool().values());
    let mut length = 0;
    system.for_each_row(0..system.n_constraints(), |_, row| {
        length += rows.of(row.a, row.b, row.c).len() as u64;
    });
    write_file::<E>(&mut out, header, length, None, |out| {
        let mut result = Ok(());
        system.for_each_row(0..system.n_constraints(), |_, row| {
            if result.is_ok() {
                result = out.write_all(rows.of(row.a, row.b, row.c));
            }
        });
        result
    })
}

/// The bytes of rows, one at a time.
struct RowBytes<'a, F> {
    values: &'a [F],
    encodings: Vec<[u8; 32]>,
    seen: Vec<u32>,
    bytes: Vec<u8>,
}

impl<'a, F: ScalarField> RowBytes<'a, F> {
    fn new(values: &'a [F]) -> Self {
        let encodings = values.iter().map(encode);
        Self {
            values,
            encodings: encodings.collect(),
            seen: Vec::new(),
            bytes: Vec::new(),
        }
    }

    fn of(&mut self, a: &[PooledTerm], b: &[PooledTerm], c: &[PooledTerm]) -> &[u8] {
        self.bytes.clear();
        for terms in [a, b, c] {
            if self.repeats(terms) {
                self.append_sums(terms);
            } else {
                self.append(terms);
            }
        }
        &self.bytes
    }

    /// True if a wire stands twice.
    fn repeats(&mut self, terms: &[PooledTerm]) -> bool {
        self.seen.clear();
        self.seen.extend(terms.iter().map(|term| term.wire));
        self.seen.sort_unstable();
        self.seen.windows(2).any(|pair| pair[0] == pair[1])
    }

    fn append(&mut self, terms: &[PooledTerm]) {
        self.count(terms.len());
        for term in terms {
            self.term(term.wire, self.encodings[term.coefficient as usize]);
        }
    }

    fn append_sums(&mut self, terms: &[PooledTerm]) {
        let mut sums = BTreeMap::new();
        for term in terms {
            *sums.entry(term.wire).or_insert(F::ZERO) += self.values[term.coefficient as usize];
        }
        sums.retain(|_, sum| *sum != F::ZERO);
        self.count(sums.len());
        for (wire, sum) in sums {
            self.term(wire, encode(&sum));
        }
    }

    fn count(&mut self, terms: usize) {
        let count = u32::try_from(terms).expect("fewer than 2^32 terms");
        self.bytes.extend(count.to_le_bytes());
    }

    fn term(&mut self, wire: u32, coefficient: [u8; 32]) {
        self.bytes.extend(wire.to_le_bytes());
        self.bytes.extend(coefficient);
    }
}

fn encode<F: ScalarField>(value: &F) -> [u8; 32] {
    words::to_le_bytes(Integer::from(*value).words())
}
