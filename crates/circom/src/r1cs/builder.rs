//! Builds a constraint system in memory.

use std::marker::PhantomData;

use frumious_curves::PairingEngine;
use frumious_field::Integer;

use super::{Header, R1cs};
use crate::words;

/// Collects wires and constraints; about 36 bytes for each term.
///
/// ```
/// # mod frumious { pub use ::frumious_circom as circom; pub use ::frumious_curves as curves; }
/// use frumious::circom::R1csBuilder;
/// use frumious::curves::bn254::Fr;
///
/// // Wire 1 is the product of the private inputs, wires 2 and 3.
/// let mut builder = R1csBuilder::new(1, 0, 2);
/// builder.constraint(&[(2, Fr::ONE)], &[(3, Fr::ONE)], &[(1, Fr::ONE)]);
/// let r1cs = builder.build();
///
/// let witness = [1, 33, 3, 11].map(Fr::from_u64);
/// assert_eq!(r1cs.first_unsatisfied(&witness), None);
/// ```
#[derive(Clone, Debug)]
pub struct R1csBuilder<E: PairingEngine> {
    header: Header,
    constraints: Vec<u8>,
    n_terms: [u64; 3],
    engine: PhantomData<E>,
}

impl<E: PairingEngine> R1csBuilder<E> {
    /// Starts a system that has the constant wire 0, then the public outputs, the public inputs, the private inputs.
    ///
    /// # Panics
    /// When there are 2^32 wires or more.
    #[track_caller]
    pub fn new(n_public_outputs: u32, n_public_inputs: u32, n_private_inputs: u32) -> Self {
        let n_wires = [n_public_outputs, n_public_inputs, n_private_inputs]
            .into_iter()
            .try_fold(1, u32::checked_add)
            .expect("fewer than 2^32 wires");
        Self {
            header: Header {
                n_wires,
                n_public_outputs,
                n_public_inputs,
                n_private_inputs,
                n_labels: n_wires.into(),
                n_constraints: 0,
            },
            constraints: Vec::new(),
            n_terms: [0; 3],
            engine: PhantomData,
        }
    }

    /// Adds a wire and returns its number.
    ///
    /// # Panics
    /// When there are 2^32 - 1 wires already.
    #[track_caller]
    pub fn new_wire(&mut self) -> u32 {
        let wire = self.header.n_wires;
        self.header.n_wires = wire.checked_add(1).expect("fewer than 2^32 wires");
        self.header.n_labels += 1;
        wire
    }

    /// Number of wires so far.
    pub fn n_wires(&self) -> u32 {
        self.header.n_wires
    }

    /// Adds the constraint `⟨a, w⟩ · ⟨b, w⟩ = ⟨c, w⟩`, each side given as (wire, coefficient).
    ///
    /// # Panics
    /// When a wire does not exist, or there are 2^32 - 1 constraints already.
    #[track_caller]
    pub fn constraint(&mut self, a: &[(u32, E::Fr)], b: &[(u32, E::Fr)], c: &[(u32, E::Fr)]) {
        let n_constraints = self.header.n_constraints.checked_add(1);
        self.header.n_constraints = n_constraints.expect("fewer than 2^32 constraints");
        for (terms, count) in [a, b, c].into_iter().zip(&mut self.n_terms) {
            let length = u32::try_from(terms.len()).expect("fewer than 2^32 terms");
            self.constraints.extend(length.to_le_bytes());
            for (wire, coefficient) in terms {
                assert!(*wire < self.header.n_wires, "wire {wire} does not exist");
                let coefficient = words::to_le_bytes(Integer::from(*coefficient).words());
                self.constraints.extend(wire.to_le_bytes());
                self.constraints.extend(coefficient);
            }
            *count += u64::from(length);
        }
    }

    /// The finished system.
    pub fn build(self) -> R1cs<E> {
        R1cs {
            constraints: 0..self.constraints.len(),
            bytes: self.constraints.into(),
            header: self.header,
            labels: None,
            n_terms: self.n_terms,
            engine: PhantomData,
        }
    }
}
