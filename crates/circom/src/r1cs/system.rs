//! Between the flat constraints of a file and the compact ones of `frumious-r1cs`: the same constraints, term for term, over the same wires.

use std::io::Write;

use frumious_curves::PairingEngine;
use frumious_curves::engine::ScalarField;
use frumious_r1cs::{BodyBuilder, Interface, System, SystemBuilder, Term, Wire};

use super::constraints::TERM_BYTES;
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
                        .map(|term| (main.wire(term.wire), term.coefficient_fr())),
                );
            }
            let [a, b, c] = &terms;
            builder.constrain(&mut main, a, b, c);
        }
        let interface = Interface {
            public_outputs: self.n_public_outputs(),
            public_inputs: self.n_public_inputs(),
            private_inputs: self.n_private_inputs(),
        };
        builder.finish(main, interface)
    }
}

/// Writes a system as a `.r1cs` file, whose labels are its wires; nothing is expanded in memory.
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
        n_constraints: u32::try_from(system.n_rows()).map_err(std::io::Error::other)?,
    };
    let coefficients: Vec<[u8; 32]> = system
        .pool()
        .values()
        .iter()
        .map(|value| words::to_le_bytes(&value.to_canonical_limbs()))
        .collect();
    let n_terms: u64 = system.n_terms().iter().sum();
    let length = 12 * system.n_rows() + TERM_BYTES as u64 * n_terms;
    write_file::<E>(&mut out, header, length, None, |out| {
        let mut result = Ok(());
        let mut bytes = Vec::new();
        system.for_each_row(0..system.n_rows(), |_, row| {
            if result.is_ok() {
                bytes.clear();
                [row.a, row.b, row.c]
                    .iter()
                    .for_each(|terms| append(&mut bytes, terms, &coefficients));
                result = out.write_all(&bytes);
            }
        });
        result
    })
}

fn append(bytes: &mut Vec<u8>, terms: &[Term], coefficients: &[[u8; 32]]) {
    let count = u32::try_from(terms.len()).expect("fewer than 2^32 terms");
    bytes.extend(count.to_le_bytes());
    for term in terms {
        bytes.extend(term.wire.to_le_bytes());
        bytes.extend(coefficients[term.coefficient as usize]);
    }
}
