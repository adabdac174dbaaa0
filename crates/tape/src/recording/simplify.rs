//! Operations that are cheaper in another form.

use super::{Node, Recording, Value};
use crate::operation::{Operation, TapeField};
use frumious_field::Integer;

impl<F: TapeField> Recording<F> {
    /// A cheaper form of an operation, the same for all inputs.
    pub(super) fn simplified(&self, operation: Operation, a: Value, b: Value) -> Simplified<F> {
        let constant = |value: Value| value.as_constant().map(|index| self.constants[index]);
        let is = |value: Value, what: F| constant(value) == Some(what);
        match operation {
            Operation::Add if is(a, F::ZERO) => Simplified::Same(b),
            Operation::Add | Operation::Sub if is(b, F::ZERO) => Simplified::Same(a),
            Operation::Sub if a == b => Simplified::Constant(F::ZERO),
            Operation::Mul if is(a, F::ZERO) || is(b, F::ZERO) => Simplified::Constant(F::ZERO),
            Operation::Mul if is(a, F::ONE) => Simplified::Same(b),
            Operation::Mul if is(b, F::ONE) => Simplified::Same(a),
            Operation::Mul if self.is_boolean_test(a, b) || self.is_boolean_test(b, a) => {
                Simplified::Constant(F::ZERO)
            }
            Operation::Inverse => match self.operation(a) {
                // So no inversion needs another's result at once, and those in a row are independent.
                Some(inner) if inner.operation == Operation::Inverse => Simplified::Same(inner.a),
                _ => Simplified::No,
            },
            Operation::Eq if a == b => Simplified::Constant(F::ONE),
            Operation::Neq if a == b => Simplified::Constant(F::ZERO),
            Operation::BitAnd if is(b, F::ONE) => self.low_bit(a),
            Operation::BitAnd if is(a, F::ONE) => self.low_bit(b),
            _ => Simplified::No,
        }
    }

    /// True if `right` is `left - 1` and `left` is 0 or 1.
    fn is_boolean_test(&self, left: Value, right: Value) -> bool {
        let is_boolean = |value: Value| value.as_node().is_some_and(|node| self.boolean[node]);
        is_boolean(left)
            && self.operation(right).is_some_and(|node| {
                let one = node.b.as_constant().map(|index| self.constants[index]);
                node.operation == Operation::Sub && node.a == left && one == Some(F::ONE)
            })
    }

    /// The node of a value, if it is neither a constant nor an input.
    pub(super) fn operation(&self, value: Value) -> Option<&Node> {
        let index = value.as_node()?;
        (index >= self.inputs as usize).then(|| &self.nodes[index])
    }

    /// `value & 1`: a bit of what `value` was shifted from.
    fn low_bit(&self, value: Value) -> Simplified<F> {
        if value.as_node().is_some_and(|node| self.boolean[node]) {
            return Simplified::Same(value);
        }
        let Some(node) = self.operation(value) else {
            return Simplified::Bit(value, 0);
        };
        let by = node.b.as_constant().map(|index| self.constants[index]);
        match (node.operation, by) {
            (Operation::Shr, Some(by)) => match *Integer::from(by).words() {
                [bit, 0, 0, 0] if bit < u64::from(F::MODULUS_64.bits) => {
                    Simplified::Bit(node.a, bit as u8)
                }
                _ => Simplified::No, // to the left, or by so much that nothing is left
            },
            _ => Simplified::Bit(value, 0),
        }
    }
}

/// The simpler form of an operation.
pub(super) enum Simplified<F> {
    /// One of its operands.
    Same(Value),
    /// A constant.
    Constant(F),
    /// A bit of a value, and its number.
    Bit(Value, u8),
    /// Nothing simpler.
    No,
}
