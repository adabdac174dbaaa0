//! Constraints of any origin, in blocks of rows: the compact systems of this crate, or a file's flat ones.
//!
//! Blocks may be asked for in any order and from any number of threads; nothing is expanded in memory.

use crate::row::PooledTerm;
use crate::system::System;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;

/// A constraint system to set up or to check.
pub trait ConstraintSource<F>: Sync {
    /// Number of constraints.
    fn n_constraints(&self) -> u64;

    /// Number of wires, the constant one included; at least 1.
    fn n_wires(&self) -> u32;

    /// Number of public signals, wires 1 to this.
    fn n_public(&self) -> u32;

    /// Number of terms in all A, all B, all C.
    fn n_terms(&self) -> [u64; 3];

    /// Notices that the constraints changed since the source was opened, as those of a file may.
    ///
    /// To be asked before anything made from them is given away. Until then changed constraints are visited as any
    /// others: the same number of them, over the same wires.
    ///
    /// # Errors
    /// The source's own, which names the file.
    fn check_unchanged(&self) -> Result<(), SourceError> {
        Ok(())
    }

    /// The constraints, ready to be visited. Takes some bytes for each [`CONSTRAINTS_PER_BLOCK`] of them.
    fn blocks(&self) -> Box<dyn ConstraintBlocks<F> + '_>;
}

/// The error of a source whose kind its user does not know.
pub type SourceError = Box<dyn std::error::Error + Send + Sync>;

/// Constraints in blocks of [`CONSTRAINTS_PER_BLOCK`].
pub trait ConstraintBlocks<F>: Sync {
    /// Calls `visit` for the constraints of block `index`, in order; for none past the end.
    ///
    /// `visit` is given the constraint's number and its terms of A, B and C.
    fn visit(&self, index: usize, visit: &mut ConstraintVisitor<'_, F>);
}

/// Called with a constraint's number and its terms of A, B and C.
pub type ConstraintVisitor<'v, F> = dyn FnMut(u64, [&[Term<F>]; 3]) + 'v;

/// A wire with its coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term<F> {
    /// The wire, below the system's number of wires.
    pub wire: u32,
    /// The coefficient.
    pub coefficient: Integer<F>,
}

/// Constraints of a block. One inversion for as many values of a Lagrange basis is little; their terms, some fifty
/// thousand, stay in the cache.
pub const CONSTRAINTS_PER_BLOCK: usize = 1 << 12;

impl<F: ScalarField> ConstraintSource<F> for System<F> {
    fn n_constraints(&self) -> u64 {
        System::n_constraints(self)
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

    fn blocks(&self) -> Box<dyn ConstraintBlocks<F> + '_> {
        let values = self.pool().values().iter();
        Box::new(SystemBlocks {
            system: self,
            coefficients: values.map(|value| Integer::from(*value)).collect(),
        })
    }
}

struct SystemBlocks<'a, F> {
    system: &'a System<F>,
    /// The pool as integers.
    coefficients: Vec<Integer<F>>,
}

impl<F: ScalarField> ConstraintBlocks<F> for SystemBlocks<'_, F> {
    fn visit(&self, index: usize, visit: &mut ConstraintVisitor<'_, F>) {
        let end = self.system.n_constraints();
        let first = ((index * CONSTRAINTS_PER_BLOCK) as u64).min(end);
        let mut terms: [Vec<Term<F>>; 3] = Default::default();
        self.system.for_each_row(
            first..end.min(first + CONSTRAINTS_PER_BLOCK as u64),
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
    fn look_up(&self, found: &[PooledTerm], terms: &mut Vec<Term<F>>) {
        terms.clear();
        terms.extend(found.iter().map(|term| Term {
            wire: term.wire,
            coefficient: self.coefficients[term.coefficient as usize],
        }));
    }
}
