//! Booleans, binary representations, ranges, comparisons.
//!
//! Bits are in order of significance, the least first. A signal is boolean when a constraint says so; each function
//! tells what it takes for granted.

use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use std::slice::from_ref;
use zeroize::Zeroize;

use super::compare::Comparison;
use crate::{Component, LinearCombination, Signal};

type Sum<F> = LinearCombination<F>;

/// Constrains `bit` to zero or one. One constraint.
pub fn assert_boolean<F: ScalarField>(component: &mut Component<'_, F>, bit: impl Into<Sum<F>>) {
    let bit = bit.into();
    component.constrain(bit.clone(), bit - Signal::ONE, Sum::ZERO);
}

/// The `count` bits of `value`, which is below `2^count`: constrained so, with a constraint for each bit and one more.
///
/// # Panics
/// When `2^count` is above the modulus: values would have two representations. See [`to_bits_strict`].
#[track_caller]
pub fn to_bits<F: ScalarField>(
    component: &mut Component<'_, F>,
    value: impl Into<Sum<F>>,
    count: usize,
) -> Vec<Signal> {
    assert!(
        count < F::MODULUS_BITS as usize,
        "`count` is {count}, and must be below the {} bits of the modulus",
        F::MODULUS_BITS
    );
    decompose(component, value.into(), count)
}

/// The bits of `value`, as many as the modulus has, those of the integer below the modulus.
///
/// Some 70 constraints more than there are bits.
pub fn to_bits_strict<F: ScalarField>(
    component: &mut Component<'_, F>,
    value: impl Into<Sum<F>>,
) -> Vec<Signal> {
    let bits = decompose(component, value.into(), F::MODULUS_BITS as usize);
    let largest = Integer::from(-F::ONE);
    assert_at_most(component, &bits, largest.words());
    bits
}

fn decompose<F: ScalarField>(
    component: &mut Component<'_, F>,
    value: Sum<F>,
    count: usize,
) -> Vec<Signal> {
    let bits = component.native(from_ref(&value), count, |inputs, bits| {
        let mut value = Integer::from(inputs[0]);
        for (i, bit) in bits.iter_mut().enumerate() {
            *bit = F::from_u64(value.words()[i / 64] >> (i % 64) & 1);
        }
        value.zeroize();
    });
    for bit in &bits {
        assert_boolean(component, bit);
    }
    // On the side C: nothing is paid there for so many terms.
    component.constrain(Sum::ZERO, Sum::ZERO, from_bits(&bits) - value);
    bits
}

/// The integer of some bits. No constraint.
pub fn from_bits<F: ScalarField>(bits: &[Signal]) -> Sum<F> {
    let mut sum = Sum::ZERO;
    let mut power = F::ONE;
    for bit in bits {
        sum += Sum::term(*bit, power);
        power = power.double();
    }
    sum
}

/// Constrains the integer of `bits`, which are boolean, to at most `bound`, 64 bits a word. A constraint for each run
/// of zeros in the bound and one for every twelve ones: some 70 for 254 bits.
///
/// # Panics
/// When `bound` has more bits.
pub fn assert_at_most<F: ScalarField>(
    component: &mut Component<'_, F>,
    bits: &[Signal],
    bound: &[u64],
) {
    let bits: Vec<Sum<F>> = bits.iter().map(Sum::from).collect();
    let comparison = Comparison {
        bits: &bits,
        unit: Signal::ONE.into(),
        slack: Sum::ZERO,
    };
    comparison.assert_at_most(component, bound);
}

/// One if `value` is zero, else zero. Two constraints.
pub fn is_zero<F: ScalarField>(
    component: &mut Component<'_, F>,
    value: impl Into<Sum<F>>,
) -> Signal {
    let value = value.into();
    let inverse = component.native(from_ref(&value), 1, |inputs, outputs| {
        outputs[0] = inputs[0].invert().unwrap_or(F::ZERO);
    })[0];
    let zero = component.new_signal();
    component.define_native(&[zero], from_ref(&value), |inputs, outputs| {
        outputs[0] = F::from_u64(u64::from(inputs[0] == F::ZERO));
    });
    component.constrain(value.clone(), inverse, Sum::from(Signal::ONE) - zero);
    component.constrain(value, zero, Sum::ZERO);
    zero
}

/// Constrains `value` to anything but zero. One constraint.
pub fn assert_nonzero<F: ScalarField>(component: &mut Component<'_, F>, value: impl Into<Sum<F>>) {
    let value = value.into();
    let inverse = component.native(from_ref(&value), 1, |inputs, outputs| {
        outputs[0] = inputs[0].invert().unwrap_or(F::ZERO);
    })[0];
    component.constrain(value, inverse, Signal::ONE);
}

/// `if_one` or `if_zero`, as the boolean `bit` says. One constraint.
pub fn select<F: ScalarField>(
    component: &mut Component<'_, F>,
    bit: impl Into<Sum<F>>,
    if_one: impl Into<Sum<F>>,
    if_zero: impl Into<Sum<F>>,
) -> Sum<F> {
    let if_zero = if_zero.into();
    let difference = if_one.into() - &if_zero;
    if_zero + component.product(bit, difference)
}

/// `(a, b)`, or `(b, a)` if the boolean `bit` is one. One constraint.
pub fn switch<F: ScalarField>(
    component: &mut Component<'_, F>,
    bit: impl Into<Sum<F>>,
    a: impl Into<Sum<F>>,
    b: impl Into<Sum<F>>,
) -> [Sum<F>; 2] {
    let (a, b) = (a.into(), b.into());
    let moved = component.product(bit, b.clone() - &a);
    [a + moved, b - moved]
}

/// One if `a < b`, else zero, for integers below `2^count`, which is taken for granted. `count + 2` constraints.
///
/// # Panics
/// When `2^(count + 1)` is above the modulus.
#[track_caller]
pub fn is_less_than<F: ScalarField>(
    component: &mut Component<'_, F>,
    a: impl Into<Sum<F>>,
    b: impl Into<Sum<F>>,
    count: usize,
) -> Sum<F> {
    let most = F::MODULUS_BITS as usize - 2;
    assert!(
        count <= most,
        "`count` is {count}, and must be at most {most}, two less than the bits of the modulus"
    );
    let mut power = F::ONE;
    (0..count).for_each(|_| power = power.double());
    let bits = to_bits(
        component,
        a.into() - b.into() + Sum::constant(power),
        count + 1,
    );
    Sum::from(Signal::ONE) - bits[count]
}
