//! The hash function Poseidon over BN254's scalar field, with circomlib's parameters and results.
//!
//! The state has `t` elements: zero, then the inputs. It goes through 8 full rounds, with some 60 partial rounds
//! between the first four and the last four. A round adds constants, raises elements to the fifth power and multiplies
//! by a matrix. A full round raises all elements, a partial round the first one. The hash is the first element.
//!
//! A fifth power of the element `v` takes three constraints: `v·v = s`, `s·s = q` and `q·v = x`. Only `v`, `s` and `q`
//! are wires; `x` is a sum of wires. With U the state of the next round, `M⁻¹·(U − constants)` is this round's state
//! after its powers. This expresses `x` from the back to the front, by those `v` that come later, and `x` stands on the
//! side C alone. A and B are single wires, which is what provers pay for. Source of the function: eprint 2019/458.

mod parameters;

use frumious_curves::bn254::Fr;
use zeroize::Zeroizing;

use crate::{Component, LinearCombination, Signal};
use parameters::{MAX_WIDTH, Parameters};

type Sum = LinearCombination<Fr>;

/// The most elements that are hashed at once.
pub const MAX_INPUTS: usize = MAX_WIDTH - 1;

/// The hash of 1 to [`MAX_INPUTS`] elements: circomlib's `Poseidon(n)`.
///
/// # Panics
/// For another number of inputs.
pub fn hash_native(inputs: &[Fr]) -> Fr {
    permute(parameters_for(inputs.len()), inputs, |_| {})
}

/// The hash of 1 to [`MAX_INPUTS`] elements. 240 constraints for two of them.
///
/// # Panics
/// For another number of inputs.
pub fn hash(component: &mut Component<'_, Fr>, inputs: &[Sum]) -> Signal {
    let out = component.new_signal();
    define_hash(component, out, inputs);
    out
}

/// As [`hash`], for a signal that has no value yet.
///
/// # Panics
/// For another number of inputs, or when `out` has a value already.
#[track_caller]
pub fn define_hash(component: &mut Component<'_, Fr>, out: Signal, inputs: &[Sum]) {
    let parameters = parameters_for(inputs.len());
    let wires = Wires::new(component, parameters);
    let mut outputs = vec![out];
    outputs.extend(wires.in_order());
    component.define_native(&outputs, inputs, move |inputs, values| {
        let (hash, trace) = values.split_first_mut().expect("the hash is the first");
        let mut places = trace.iter_mut();
        *hash = permute(parameters, inputs, |value| {
            *places.next().expect("a wire for each value of the trace") = value;
        });
    });
    wires.constrain(component, parameters, out, inputs);
}

#[track_caller]
fn parameters_for(n_inputs: usize) -> &'static Parameters {
    assert!(
        (1..=MAX_INPUTS).contains(&n_inputs),
        "Poseidon hashes 1 to {MAX_INPUTS} inputs, and {n_inputs} were given"
    );
    Parameters::of_width(n_inputs + 1)
}

/// The hash of `inputs`; `trace` is told the values of the wires, in the order of [`Wires::in_order`].
fn permute(parameters: &Parameters, inputs: &[Fr], mut trace: impl FnMut(Fr)) -> Fr {
    let mut state = Zeroizing::new(vec![Fr::ZERO; inputs.len() + 1]);
    state[1..].copy_from_slice(inputs);
    let mut next = state.clone();
    let last = parameters.rounds() - 1;
    for round in 0..=last {
        for (element, constant) in state.iter_mut().zip(&parameters.constants[round]) {
            *element += *constant;
        }
        for (i, element) in state.iter_mut().enumerate() {
            if i > 0 && !parameters.is_full(round) {
                break;
            }
            let square = element.square();
            let fourth = square.square();
            let fifth = fourth * *element;
            let kept = Kept::of(round, last, i);
            let values = [
                (kept.base, *element),
                (kept.inner, square),
                (kept.inner, fourth),
                (kept.fifth, fifth),
            ];
            let values = values.into_iter().filter(|(kept, _)| *kept);
            values.for_each(|(_, value)| trace(value));
            *element = fifth;
        }
        for (next, row) in next.iter_mut().zip(&parameters.matrix) {
            *next = row
                .iter()
                .zip(state.iter())
                .fold(Fr::ZERO, |sum, (m, x)| sum + *m * *x);
        }
        core::mem::swap(&mut state, &mut next);
    }
    state[0]
}

/// Which values of a fifth power are wires.
struct Kept {
    base: bool,
    inner: bool,
    fifth: bool,
}

impl Kept {
    /// The wires of element `i` in `round`, if it is raised there. The first round's bases are inputs and constants.
    /// Its first element becomes a constant, so that the first of the second round is a sum of the others. The last
    /// round's results are wires, but the first: it follows from the hash and the others.
    fn of(round: usize, last: usize, i: usize) -> Self {
        Self {
            base: round > 1 || (round == 1 && i > 0),
            inner: round > 0 || i > 0,
            fifth: round == last && i > 0,
        }
    }
}

/// The wires of a fifth power.
struct Power {
    base: Option<Signal>,
    square: Signal,
    fourth: Signal,
    fifth: Option<Signal>,
}

/// Those of all of them, by round and element; none for the constant one.
struct Wires(Vec<Vec<Option<Power>>>);

impl Wires {
    fn new(component: &mut Component<'_, Fr>, parameters: &Parameters) -> Self {
        let last = parameters.rounds() - 1;
        let mut power = |round: usize, i: usize| {
            let kept = Kept::of(round, last, i);
            kept.inner.then(|| Power {
                base: kept.base.then(|| component.new_signal()),
                square: component.new_signal(),
                fourth: component.new_signal(),
                fifth: kept.fifth.then(|| component.new_signal()),
            })
        };
        let rounds = (0..=last).map(|round| {
            let raised = if parameters.is_full(round) {
                parameters.width
            } else {
                1
            };
            (0..raised).map(|i| power(round, i)).collect()
        });
        Self(rounds.collect())
    }

    /// By round, by element, in the order in which they are computed.
    fn in_order(&self) -> impl Iterator<Item = Signal> {
        self.0.iter().flatten().flatten().flat_map(|power| {
            let inner = [Some(power.square), Some(power.fourth)];
            [power.base]
                .into_iter()
                .chain(inner)
                .chain([power.fifth])
                .flatten()
        })
    }

    /// From the last round to the first.
    fn constrain(
        &self,
        component: &mut Component<'_, Fr>,
        parameters: &Parameters,
        out: Signal,
        inputs: &[Sum],
    ) {
        let mut raised = self.last_raised(parameters, out);
        for (round, powers) in self.0.iter().enumerate().rev() {
            let mut state = raised.clone();
            for (i, power) in powers.iter().enumerate() {
                let Some(power) = power else { continue };
                let base = match power.base {
                    Some(wire) => wire.into(),
                    None if round == 0 => {
                        inputs[i - 1].clone() + Sum::constant(parameters.constants[0][i])
                    }
                    None => second_first(parameters, &self.0[1]),
                };
                component.constrain(base.clone(), base.clone(), power.square);
                component.constrain(power.square, power.square, power.fourth);
                component.constrain(power.fourth, base.clone(), raised[i].clone());
                state[i] = base;
            }
            if round > 0 {
                for (element, constant) in state.iter_mut().zip(&parameters.constants[round]) {
                    *element -= Sum::constant(*constant);
                }
                raised = multiply(&parameters.inverse, &state);
            }
        }
        debug_assert_eq!(raised[0].as_constant(), Some(first_raised(parameters)));
    }

    /// The state after the powers of the last round, as sums.
    fn last_raised(&self, parameters: &Parameters, out: Signal) -> Vec<Sum> {
        let powers = self.0.last().expect("there are rounds");
        let wires = powers.iter().flatten().map(|power| power.fifth);
        let mut raised: Vec<Sum> = wires
            .map(|wire| wire.map_or(Sum::ZERO, Sum::from))
            .collect();
        let row = &parameters.matrix[0];
        let others = row[1..].iter().zip(&raised[1..]);
        let others = others.fold(Sum::ZERO, |sum, (m, x)| sum + x.clone() * *m);
        let factor = row[0].invert_vartime().expect("entries are inverses");
        raised[0] = (Sum::from(out) - others) * factor;
        raised
    }
}

/// The first element of the first round after its power: that of a constant.
fn first_raised(parameters: &Parameters) -> Fr {
    let base = parameters.constants[0][0];
    base.square().square() * base
}

/// The first element that goes into the second round, as a sum of wires. It is chosen so that the first element of the
/// first round after its power is [`first_raised`].
fn second_first(parameters: &Parameters, second: &[Option<Power>]) -> Sum {
    let row = &parameters.inverse[0];
    let constants = &parameters.constants[1];
    let mut rest = Sum::constant(first_raised(parameters));
    for (i, power) in second.iter().enumerate().skip(1) {
        let wire = power.as_ref().and_then(|power| power.base);
        let wire = wire.expect("all others of the second round are wires");
        rest -= (Sum::from(wire) - Sum::constant(constants[i])) * row[i];
    }
    let factor = row[0].invert_vartime().expect("tested for every width");
    rest * factor + Sum::constant(constants[0])
}

fn multiply(matrix: &[Vec<Fr>], state: &[Sum]) -> Vec<Sum> {
    let product = |row: &Vec<Fr>| {
        let terms = row.iter().zip(state);
        terms.fold(Sum::ZERO, |sum, (m, x)| sum + x.clone() * *m)
    };
    matrix.iter().map(product).collect()
}
