//! Where the constraints of a setup come from: circom's flat files, or the compact systems of `frumious-r1cs`. Both are streamed in
//! blocks of rows, which may be asked for in any order and from any number of threads; nothing is expanded in memory.

use crate::Error;
use frumious_circom::generic::{Constraint, LinearCombination, R1cs};
use frumious_curves::PairingEngine;
use frumious_curves::engine::ScalarField;
use frumious_r1cs::{System, Term};

/// A constraint system to make keys for: [`R1cs`] and [`System`].
pub trait Circuit<E: PairingEngine>: Sync {
    /// Number of constraints.
    fn n_rows(&self) -> u64;

    /// Number of wires, the constant one included; at least 1.
    fn n_wires(&self) -> u32;

    /// Number of public signals, wires 1 to this.
    fn n_public(&self) -> u32;

    /// Number of terms in all A, all B, all C.
    fn n_terms(&self) -> [u64; 3];

    /// Notices that the constraints are not what they were when the circuit was opened, as those of a file may be. Asked before what was made from them is given away;
    /// until then constraints that changed may be visited as any others, the same number of them, over the same wires.
    ///
    /// Errors: [`Error::Format`] that names the file.
    fn check_unchanged(&self) -> Result<(), Error> {
        Ok(())
    }

    /// The constraints, ready to be visited. Takes some bytes for each [`ROWS_PER_BLOCK`] of them.
    fn blocks(&self) -> Box<dyn RowBlocks + '_>;
}

/// Constraints in blocks of [`ROWS_PER_BLOCK`].
pub trait RowBlocks: Sync {
    /// Calls `visit` for the constraints of block `index`, in order, with their numbers and terms of A, B and C; for none past the end.
    fn visit(&self, index: usize, visit: &mut dyn FnMut(u64, [&[RowTerm]; 3]));
}

/// A wire with its coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowTerm {
    /// The wire, below the circuit's number of wires.
    pub wire: u32,
    /// The coefficient as a plain integer below r.
    pub coefficient: [u64; 4],
}

/// Rows of a block: one inversion for so many values of a Lagrange basis is little, and its terms, some fifty thousand, stay in the cache.
pub const ROWS_PER_BLOCK: usize = 1 << 12;

impl<E: PairingEngine> Circuit<E> for R1cs<E> {
    fn n_rows(&self) -> u64 {
        self.n_constraints().into()
    }

    fn n_wires(&self) -> u32 {
        R1cs::n_wires(self)
    }

    fn n_public(&self) -> u32 {
        R1cs::n_public(self)
    }

    fn n_terms(&self) -> [u64; 3] {
        R1cs::n_terms(self)
    }

    fn check_unchanged(&self) -> Result<(), Error> {
        Ok(R1cs::check_unchanged(self)?)
    }

    fn blocks(&self) -> Box<dyn RowBlocks + '_> {
        let mut starts = Vec::new();
        let mut rest = self.constraints();
        while rest.len() > 0 {
            starts.push(rest.clone());
            rest.nth(ROWS_PER_BLOCK - 1);
        }
        Box::new(FlatBlocks(starts))
    }
}

/// What is left of the constraints from the start of each block on.
struct FlatBlocks<I>(Vec<I>);

impl<'a, E: PairingEngine, I: Iterator<Item = Constraint<'a, E>> + Clone + Sync> RowBlocks
    for FlatBlocks<I>
{
    fn visit(&self, index: usize, visit: &mut dyn FnMut(u64, [&[RowTerm]; 3])) {
        let Some(start) = self.0.get(index) else {
            return;
        };
        let first = (index * ROWS_PER_BLOCK) as u64;
        let mut terms: [Vec<RowTerm>; 3] = Default::default();
        for (row, constraint) in (first..).zip(start.clone().take(ROWS_PER_BLOCK)) {
            read(&constraint.a, &mut terms[0]);
            read(&constraint.b, &mut terms[1]);
            read(&constraint.c, &mut terms[2]);
            visit(row, [&terms[0], &terms[1], &terms[2]]);
        }
    }
}

fn read<E: PairingEngine>(combination: &LinearCombination<'_, E>, terms: &mut Vec<RowTerm>) {
    terms.clear();
    terms.extend(combination.terms().map(|term| RowTerm {
        wire: term.wire,
        coefficient: term.coefficient,
    }));
}

impl<E: PairingEngine> Circuit<E> for System<E::Fr> {
    fn n_rows(&self) -> u64 {
        System::n_rows(self)
    }

    fn n_wires(&self) -> u32 {
        System::n_wires(self)
    }

    fn n_public(&self) -> u32 {
        u32::try_from(self.interface().public()).expect("public wires are among the wires")
    }

    fn n_terms(&self) -> [u64; 3] {
        System::n_terms(self)
    }

    fn blocks(&self) -> Box<dyn RowBlocks + '_> {
        let values = self.pool().values().iter();
        Box::new(SystemBlocks {
            system: self,
            coefficients: values.map(ScalarField::to_canonical_limbs).collect(),
        })
    }
}

struct SystemBlocks<'a, F> {
    system: &'a System<F>,
    /// The pool as plain integers.
    coefficients: Vec<[u64; 4]>,
}

impl<F: ScalarField> RowBlocks for SystemBlocks<'_, F> {
    fn visit(&self, index: usize, visit: &mut dyn FnMut(u64, [&[RowTerm]; 3])) {
        let end = self.system.n_rows();
        let first = ((index * ROWS_PER_BLOCK) as u64).min(end);
        let mut terms: [Vec<RowTerm>; 3] = Default::default();
        self.system.for_each_row(
            first..end.min(first + ROWS_PER_BLOCK as u64),
            |row, found| {
                self.look_up(found.a, &mut terms[0]);
                self.look_up(found.b, &mut terms[1]);
                self.look_up(found.c, &mut terms[2]);
                visit(row, [&terms[0], &terms[1], &terms[2]]);
            },
        );
    }
}

impl<F> SystemBlocks<'_, F> {
    fn look_up(&self, found: &[Term], terms: &mut Vec<RowTerm>) {
        terms.clear();
        terms.extend(found.iter().map(|term| RowTerm {
            wire: term.wire,
            coefficient: self.coefficients[term.coefficient as usize],
        }));
    }
}
