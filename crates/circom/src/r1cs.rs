//! The constraint system, `.r1cs`, version 1, over a curve's scalar field.
//!
//! Section 1: `n8 u32 | prime[n8] | nWires u32 | nPubOut u32 | nPubIn u32 | nPrvIn u32 | nLabels u64 | nConstraints
//! u32`. Section 2: the constraints, see [`Constraint`]. Section 3: the label of each wire, u64 each. Sections 4 and 5
//! describe PLONK custom gates and must be empty.
//!
//! Wires are numbered: the constant one, then public outputs, public inputs, private inputs, and all others.
//!
//! There is one representation: the bytes of section 2, in a file or in a buffer that [`R1csBuilder`] filled. They are
//! validated whole when the system is opened, so reading them afterwards cannot fail, even if the file has changed
//! meanwhile.

mod builder;
mod constraints;
mod source;
mod system;

use std::io::Write;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use frumious_curves::PairingEngine;
use frumious_field::Field;

pub use builder::R1csBuilder;
pub use constraints::{Constraint, LinearCombination, Terms};
pub use system::write_system;

use crate::container::{self, Container, Cursor, Section};
use crate::curve::{Modulus, modulus_bytes};
use crate::error::{Error, FileKind, Problem, parse_file};
use frumious_mapping::FileBytes;

/// A rank-1 constraint system: `⟨A, w⟩ · ⟨B, w⟩ = ⟨C, w⟩` for each constraint. Cloning shares the constraints.
#[derive(Clone, Debug)]
pub struct R1cs<E: PairingEngine> {
    bytes: FileBytes,
    header: Header,
    /// Where the constraints are in `bytes`.
    constraints: Range<usize>,
    /// Where the labels are in `bytes`; a built system has none: its labels are its wires.
    labels: Option<Range<usize>>,
    /// Terms in all A, all B, all C.
    n_terms: [u64; 3],
    engine: PhantomData<E>,
}

/// The counts of section 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    n_wires: u32,
    n_public_outputs: u32,
    n_public_inputs: u32,
    n_private_inputs: u32,
    n_labels: u64,
    n_constraints: u32,
}

impl<E: PairingEngine> R1cs<E> {
    /// Maps and validates the constraint system at `path`. The file is read once through.
    ///
    /// # Errors
    /// As [`FileBytes::map`] and [`R1cs::from_bytes`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_bytes(FileBytes::map(path)?)
    }

    /// Validates a constraint system over its bytes, which are read once through.
    ///
    /// # Errors
    /// [`Error::Malformed`] for
    /// - a bad frame, another field, custom gates, a missing or repeated section;
    /// - counts that contradict each other or the sections' lengths;
    /// - a wire that does not exist;
    /// - a coefficient that is not below r.
    #[expect(
        clippy::missing_panics_doc,
        reason = "section 2 was read when its range is asked for"
    )]
    pub fn from_bytes(bytes: impl Into<FileBytes>) -> Result<Self, Error> {
        let bytes = bytes.into();
        let (container, header, n_terms) = parse_file(&bytes, |bytes| {
            let container = Container::parse(bytes, FileKind::R1cs)?;
            let header = Header::read::<E>(Cursor::new(container.section(bytes, 1)?))?;
            for id in [4, 5] {
                refuse_custom_gates(container.optional_section(bytes, id))?;
            }
            // Also what keeps the number of wires in proportion to the file, for all who make an array of them.
            let labels = container.section(bytes, 3)?;
            labels.expect_records(0, header.n_wires.into(), 8)?;
            let section = container.section(bytes, 2)?;
            let n_terms =
                constraints::validate::<E>(section, header.n_constraints, header.n_wires)?;
            Ok((container, header, n_terms))
        })?;
        Ok(Self {
            constraints: container.range(2).expect("section 2 was read above"),
            labels: container.range(3),
            bytes,
            header,
            n_terms,
            engine: PhantomData,
        })
    }

    /// Number of wires, the constant one included; at least 1.
    pub fn n_wires(&self) -> u32 {
        self.header.n_wires
    }

    /// Number of public outputs: wires 1 to this.
    pub fn n_public_outputs(&self) -> u32 {
        self.header.n_public_outputs
    }

    /// Number of public inputs, after the outputs.
    pub fn n_public_inputs(&self) -> u32 {
        self.header.n_public_inputs
    }

    /// Number of private inputs. Those that some constraint has are wires after the public ones; the others are none.
    pub fn n_private_inputs(&self) -> u32 {
        self.header.n_private_inputs
    }

    /// Number of public wires, outputs and inputs; below `n_wires`.
    pub fn n_public(&self) -> u32 {
        self.header.n_public_outputs + self.header.n_public_inputs
    }

    /// Number of labels (signals before optimisation) of the circuit's source.
    pub fn n_labels(&self) -> u64 {
        self.header.n_labels
    }

    /// Number of constraints.
    pub fn n_constraints(&self) -> u32 {
        self.header.n_constraints
    }

    /// Number of terms in all linear combinations A, B, C.
    pub fn n_terms(&self) -> [u64; 3] {
        self.n_terms
    }

    /// The bytes the constraints are read from.
    pub fn bytes(&self) -> &FileBytes {
        &self.bytes
    }

    /// Notices that the file was changed since it was validated. To be called before a result made from it is given
    /// away. A system that was not read from a file passes.
    ///
    /// # Errors
    /// As [`FileBytes::check_unchanged`].
    pub fn check_unchanged(&self) -> Result<(), Error> {
        Ok(self.bytes.check_unchanged()?)
    }

    /// The label of a wire: the number of its signal in the circuit's source.
    ///
    /// # Panics
    /// For a wire that does not exist.
    #[track_caller]
    pub fn label(&self, wire: u32) -> u64 {
        assert!(wire < self.n_wires(), "wire {wire} does not exist");
        let Some(labels) = &self.labels else {
            return wire.into();
        };
        let (labels, _) = self.bytes[labels.clone()].as_chunks();
        u64::from_le_bytes(labels[wire as usize])
    }

    /// The constraints in order.
    pub fn constraints(&self) -> impl ExactSizeIterator<Item = Constraint<'_, E>> + Clone {
        let bytes = &self.bytes[self.constraints.clone()];
        constraints::Constraints::new(bytes, self.header.n_constraints, self.header.n_wires)
    }

    /// The index of the first constraint that `witness` does not satisfy, or `None` when it satisfies all.
    ///
    /// `witness`: `n_wires` values, that of wire 0 being one. Variable time in the constraint system and in the result,
    /// not in the values.
    ///
    /// # Panics
    /// When `witness` has another length than `n_wires`, or does not begin with one: zeros alone would satisfy any
    /// system.
    #[track_caller]
    pub fn first_unsatisfied(&self, witness: &[E::Fr]) -> Option<usize> {
        assert!(
            witness.len() == self.n_wires() as usize,
            "`witness` has {} values, and the system {} wires",
            witness.len(),
            self.n_wires()
        );
        // Public: the same in each witness.
        assert!(
            witness[0] == E::Fr::ONE,
            "`witness` begins with the value of wire 0, which must be one"
        );
        self.constraints().position(|constraint| {
            let [a, b, c] =
                [constraint.a, constraint.b, constraint.c].map(|lc| lc.evaluate(witness));
            a * b != c
        })
    }

    /// Writes the system as a `.r1cs` file: header, constraints, labels.
    ///
    /// # Errors
    /// [`Error::Write`] when `out` fails.
    pub fn write(&self, mut out: impl Write) -> Result<(), Error> {
        self.write_sections(&mut out)
            .map_err(|source| Error::Write {
                file: FileKind::R1cs,
                source,
            })
    }

    fn write_sections(&self, out: &mut impl Write) -> std::io::Result<()> {
        let constraints = &self.bytes[self.constraints.clone()];
        let labels = self.labels.as_ref().map(|range| &self.bytes[range.clone()]);
        let length = constraints.len() as u64;
        write_file::<E>(out, self.header, length, labels, |out| {
            out.write_all(constraints)
        })
    }
}

/// The whole file: `constraints` writes as many bytes as it is said to. Without labels they are the wires.
fn write_file<E: PairingEngine>(
    out: &mut impl Write,
    header: Header,
    length: u64,
    labels: Option<&[u8]>,
    constraints: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    container::write_preamble(out, b"r1cs", 1, 3)?;
    let n_wires = u64::from(header.n_wires);
    let header = header.to_bytes::<E>();
    container::write_section_start(out, 1, header.len() as u64)?;
    out.write_all(&header)?;
    container::write_section_start(out, 2, length)?;
    constraints(out)?;
    container::write_section_start(out, 3, n_wires * 8)?;
    match labels {
        Some(labels) => out.write_all(labels)?,
        None => {
            for wire in 0..n_wires {
                out.write_all(&wire.to_le_bytes())?;
            }
        }
    }
    out.flush()
}

impl Header {
    fn read<E: PairingEngine>(mut cursor: Cursor<'_>) -> Result<Self, Error> {
        cursor.expect_prime::<E>(Modulus::Scalar)?;
        let header = Self {
            n_wires: cursor.u32()?,
            n_public_outputs: cursor.u32()?,
            n_public_inputs: cursor.u32()?,
            n_private_inputs: cursor.u32()?,
            n_labels: cursor.u64()?,
            n_constraints: cursor.u32()?,
        };
        // Private inputs may be more than wires: circom counts those that no constraint has, and gives them no wire.
        let public = u64::from(header.n_public_outputs) + u64::from(header.n_public_inputs);
        if public >= header.n_wires.into() {
            let problem = Problem::OutOfRange {
                what: "number of outputs and public inputs",
                value: public,
                bound: header.n_wires.into(),
            };
            return Err(cursor.error_before(24, problem));
        }
        cursor.expect_end()?;
        Ok(header)
    }

    /// The payload of section 1.
    fn to_bytes<E: PairingEngine>(self) -> Vec<u8> {
        let mut bytes = 32u32.to_le_bytes().to_vec();
        bytes.extend(modulus_bytes::<E>(Modulus::Scalar));
        for count in [
            self.n_wires,
            self.n_public_outputs,
            self.n_public_inputs,
            self.n_private_inputs,
        ] {
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend(self.n_labels.to_le_bytes());
        bytes.extend(self.n_constraints.to_le_bytes());
        bytes
    }
}

/// Sections 4 and 5 start with a count, which must be zero.
fn refuse_custom_gates(section: Option<Section<'_>>) -> Result<(), Error> {
    match section {
        Some(section) if !section.bytes.is_empty() => match Cursor::new(section).u32()? {
            0 => Ok(()),
            _ => Err(section.error(0, Problem::CustomGates)),
        },
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::Bn254;
    use frumious_curves::bn254::Fr;

    /// Zeros satisfy every constraint.
    #[test]
    #[should_panic(expected = "which must be one")]
    fn a_witness_begins_with_one() {
        let mut builder = R1csBuilder::<Bn254>::new(1, 0, 2);
        builder.constraint(&[(2, Fr::ONE)], &[(3, Fr::ONE)], &[(1, Fr::ONE)]);
        builder.build().first_unsatisfied(&[Fr::ZERO; 4]);
    }
}
