//! Conditions of a module that need not decide its way.
//!
//! A tape applies to inputs that lead to the same decisions. Two of circom's conditions decide a value only, and not
//! what is done after it. Their values can be computed for both answers, so they need no guard:
//!
//! | circom | value |
//! |---|---|
//! | `to <-- c ? a : b` | `b + (c ≠ 0)·(a - b)` |
//! | `to <-- x != 0 ? a / x : 0`, as in circomlib's `IsZero` | `a·x⁻¹`, where `0⁻¹ = 0` |
//!
//! A third one is an assertion, after which a run goes on in one way only.

use wasmparser::{Operator, OperatorsReader};

/// A condition by the code that follows the question for it.
pub(super) enum Condition<'a> {
    /// If it is not true, the run is over.
    Assertion,
    /// It decides a value only.
    Value(Value<'a>),
    /// It may decide anything.
    Any,
}

/// The code that pushes an address. It does nothing else.
pub(super) type Address<'a> = Vec<Operator<'a>>;

/// A value that one of two branches writes.
pub(super) struct Value<'a> {
    /// The place of the value.
    pub(super) to: Address<'a>,
    /// The branch for a condition that is true.
    pub(super) then: Branch<'a>,
    /// The branch for one that is not.
    pub(super) otherwise: Branch<'a>,
}

/// The work of a branch.
#[derive(PartialEq, Eq)]
pub(super) enum Branch<'a> {
    /// It copies the value at an address.
    Copy(Address<'a>),
    /// It divides, and copies the quotient from where it is then.
    Divide(Division<'a>),
}

/// The addresses of a division.
#[derive(PartialEq, Eq)]
pub(super) struct Division<'a> {
    pub(super) quotient: Address<'a>,
    pub(super) dividend: Address<'a>,
    pub(super) divisor: Address<'a>,
}

impl<'a> Division<'a> {
    /// The addresses that [`CHOOSE_QUOTIENT`](super::CHOOSE_QUOTIENT) takes.
    pub(super) fn places<'b>(
        &'b self,
        to: &'b Address<'a>,
        other: &'b Address<'a>,
    ) -> Vec<&'b Address<'a>> {
        vec![to, &self.dividend, &self.divisor, &self.quotient, other]
    }
}

/// The numbers of the functions that branches call.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) copy: u32,
    pub(super) divide: u32,
    pub(super) index: u32,
}

/// The condition whose truth is on the stack, by the operators that follow.
pub(super) fn condition<'a>(following: OperatorsReader<'a>, known: Known) -> Condition<'a> {
    if is_assertion(following.clone()) {
        return Condition::Assertion;
    }
    value(following, known).map_or(Condition::Any, Condition::Value)
}

/// True if what follows ends the run when a condition does not hold. circom writes assertions and constraints so:
/// `if !condition { …; return 4 }` without a branch on the way.
///
/// Nothing is built on it but the way that a rehearsal takes. A tape demands each condition of the inputs.
fn is_assertion(mut following: OperatorsReader<'_>) -> bool {
    let mut next = || following.read().ok();
    if !matches!(next(), Some(Operator::I32Eqz)) || !matches!(next(), Some(Operator::If { .. })) {
        return false;
    }
    let mut is_failure = false;
    loop {
        match next() {
            Some(Operator::I32Const { value }) => is_failure = value == ASSERTION_FAILED,
            Some(Operator::Return) => return is_failure,
            Some(Operator::Call { .. }) => {}
            _ => return false,
        }
    }
}

/// The value that `if … else … end` writes, if that is all that it does.
fn value<'a>(mut following: OperatorsReader<'a>, known: Known) -> Option<Value<'a>> {
    let Operator::If {
        blockty: wasmparser::BlockType::Empty,
    } = following.read().ok()?
    else {
        return None;
    };
    let (to, then, end) = branch(&mut following, known)?;
    let (same, otherwise, last) = branch(&mut following, known)?;
    let is_one = matches!((end, last), (Operator::Else, Operator::End)) && to == same;
    is_one.then_some(Value {
        to,
        then,
        otherwise,
    })
}

/// The branch that writes one value: its place, its work, and the operator that ends it.
fn branch<'a>(
    following: &mut OperatorsReader<'a>,
    known: Known,
) -> Option<(Address<'a>, Branch<'a>, Operator<'a>)> {
    let mut stack: Vec<Address<'a>> = Vec::new();
    let mut division = None;
    loop {
        let operator = following.read().ok()?;
        match operator {
            Operator::LocalGet { .. } | Operator::I32Const { .. } => stack.push(vec![operator]),
            Operator::I32Add | Operator::I32Mul => {
                let right = stack.pop()?;
                let left = stack.last_mut()?;
                left.extend(right);
                left.push(operator);
            }
            Operator::Call { function_index } if function_index == known.index => {
                stack.last_mut()?.push(operator);
            }
            Operator::Call { function_index } if function_index == known.divide => {
                let (divisor, dividend, quotient) = (stack.pop()?, stack.pop()?, stack.pop()?);
                let next = Division {
                    quotient,
                    dividend,
                    divisor,
                };
                if division.replace(next).is_some() {
                    return None;
                }
            }
            Operator::Call { function_index } if function_index == known.copy => {
                let (from, to) = (stack.pop()?, stack.pop()?);
                let work = match division {
                    None => Branch::Copy(from),
                    // Its place is told twice, before and after it is written: by numbers alone.
                    Some(division) if division.quotient == from && !from.iter().any(is_call) => {
                        Branch::Divide(division)
                    }
                    Some(_) => return None,
                };
                return stack
                    .is_empty()
                    .then_some((to, work, following.read().ok()?));
            }
            _ => return None,
        }
        if stack.len() > MOST_ADDRESSES {
            return None;
        }
    }
}

fn is_call(operator: &Operator<'_>) -> bool {
    matches!(operator, Operator::Call { .. })
}

/// The code by which circom's templates say that an assertion failed.
const ASSERTION_FAILED: i32 = 4;

/// Addresses that a branch pushes before it uses one.
const MOST_ADDRESSES: usize = 8;
