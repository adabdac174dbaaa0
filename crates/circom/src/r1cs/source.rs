//! The flat constraints of a file as a source for setups.

use frumious_curves::PairingEngine;
use frumious_r1cs::{
    CONSTRAINTS_PER_BLOCK, ConstraintBlocks, ConstraintSource, ConstraintVisitor, SourceError, Term,
};

use super::{Constraint, LinearCombination, R1cs};

impl<E: PairingEngine> ConstraintSource<E::Fr> for R1cs<E> {
    fn n_constraints(&self) -> u64 {
        R1cs::n_constraints(self).into()
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

    fn check_unchanged(&self) -> Result<(), SourceError> {
        Ok(R1cs::check_unchanged(self)?)
    }

    fn blocks(&self) -> Box<dyn ConstraintBlocks<E::Fr> + '_> {
        let mut starts = Vec::new();
        let mut rest = self.constraints();
        while rest.len() > 0 {
            starts.push(rest.clone());
            rest.nth(CONSTRAINTS_PER_BLOCK - 1);
        }
        Box::new(FlatBlocks(starts))
    }
}

/// The constraints from the start of each block on.
struct FlatBlocks<I>(Vec<I>);

impl<'a, E: PairingEngine, I> ConstraintBlocks<E::Fr> for FlatBlocks<I>
where
    I: Iterator<Item = Constraint<'a, E>> + Clone + Sync,
{
    fn visit(&self, index: usize, visit: &mut ConstraintVisitor<'_, E::Fr>) {
        let Some(start) = self.0.get(index) else {
            return;
        };
        let first = (index * CONSTRAINTS_PER_BLOCK) as u64;
        let mut terms: [Vec<Term<E::Fr>>; 3] = Default::default();
        for (row, constraint) in (first..).zip(start.clone().take(CONSTRAINTS_PER_BLOCK)) {
            read(&constraint.a, &mut terms[0]);
            read(&constraint.b, &mut terms[1]);
            read(&constraint.c, &mut terms[2]);
            visit(row, [&terms[0], &terms[1], &terms[2]]);
        }
    }
}

fn read<E: PairingEngine>(combination: &LinearCombination<'_, E>, terms: &mut Vec<Term<E::Fr>>) {
    terms.clear();
    terms.extend(combination.terms());
}
