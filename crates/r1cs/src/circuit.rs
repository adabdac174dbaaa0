//! Circuits in Rust: constraints and the computation of a witness, said together.
//!
//! | module | idea |
//! |---|---|
//! | [`combination`] | signals and sums of them |
//! | [`component`] | what a template, or the circuit, is made of |
//! | [`interface`] | inputs and outputs by name |
//! | [`program`] | the steps that give wires their values |
//! | [`witness`] | the steps in parallel |

mod combination;
mod component;
mod interface;
mod program;
mod witness;

pub use combination::{LinearCombination, Signal};
pub use component::{Component, Template};
pub use interface::{InputError, Inputs, InputsAndOutputs, Names};

use component::Shared;
use core::ops::Range;
use frumious_field::WordField;
use interface::Placed;
use program::Program;
use witness::Schedule;
use zeroize::{Zeroize, Zeroizing};

use crate::builder::BodyBuilder;
use crate::system::System;

/// A finished circuit: its constraints, and how to find the values of its wires.
///
/// ```
/// # mod frumious { pub use ::frumious_curves as curves; pub use ::frumious_r1cs as r1cs; }
/// use frumious::curves::bn254::Fr;
/// use frumious::r1cs::{Circuit, Inputs, Label, LinearCombination, Names};
///
/// // y = x^4 + x, with x secret
/// let names = Names::new().public_output("y", 1).private_input("x", 1);
/// let circuit = Circuit::<Fr>::define(&names, |main, io| {
///     let (x, y) = (io["x"][0], io["y"][0]);
///     let fourth_power = main.template("fourth_power", 1, 1, |t, inputs, outputs| {
///         let square = t.product(inputs[0], inputs[0]);
///         t.define_product(outputs[0], square, square);
///     });
///     let power = main.instance(&fourth_power, Label::new("power"), &[x.into()]);
///     main.define_linear(y, LinearCombination::from(power[0]) + x);
/// });
/// assert_eq!(circuit.system().n_constraints(), 3);
///
/// let mut inputs = Inputs::new();
/// inputs.set("x", &[Fr::from_u64(3)]);
/// let mut witness = circuit.witness(&inputs)?;
/// assert_eq!(witness[1], Fr::from_u64(84)); // wire 1 is the first output
/// assert_eq!(circuit.check(&witness), Ok(()));
/// witness[3] += Fr::ONE;
/// let error = circuit.check(&witness).expect_err("a wrong power");
/// assert_eq!(error.to_string(), "unsatisfied: power: constraint 1 of fourth_power");
/// # Ok::<(), frumious::r1cs::InputError>(())
/// ```
pub struct Circuit<F> {
    system: System<F>,
    templates: Vec<Program<F>>,
    main: Program<F>,
    schedule: Schedule,
    placed: Placed,
}

/// A circuit is not satisfied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unsatisfied: {path}")]
pub struct Unsatisfied {
    /// Number of the first constraint that does not hold.
    pub row: u64,
    /// Where it stands: [`System::path`].
    pub path: String,
}

impl<F: WordField + Zeroize> Circuit<F> {
    /// The circuit with these inputs and outputs that `define` describes.
    ///
    /// # Panics
    /// When two inputs or outputs have one name, an output gets no value, or a signal is none of the component's.
    pub fn define(
        names: &Names,
        define: impl FnOnce(&mut Component<'_, F>, &InputsAndOutputs),
    ) -> Self {
        let mut shared = Shared::new();
        let mut body = BodyBuilder::main();
        let placed = names.place(&mut body);
        let mut main = Component::new(&mut shared, body, &placed.is_given());
        let signals = placed.signals(&main);
        define(&mut main, &signals);
        let (body, steps) = main.finish();
        let Shared {
            system, programs, ..
        } = shared;
        let main = Program { n_ports: 0, steps };
        Self {
            system: system.finish(body, placed.interface),
            schedule: Schedule::new(&main, &programs),
            templates: programs,
            main,
            placed,
        }
    }

    /// The constraints.
    pub fn system(&self) -> &System<F> {
        &self.system
    }

    /// The wires of an input or output, none if the circuit has none of that name.
    pub fn wires(&self, name: &str) -> Option<Range<u32>> {
        self.placed.wires(name)
    }

    /// The value of each wire; instances of templates are computed in parallel, on the pool of the caller. Time
    /// depends on the values as far as that of the circuit's native code does.
    ///
    /// Values are not checked: that is [`Circuit::check`]'s.
    ///
    /// # Errors
    /// For an input that is missing, unknown or of another length.
    pub fn witness(&self, inputs: &Inputs<F>) -> Result<Zeroizing<Vec<F>>, InputError> {
        let mut witness = Zeroizing::new(vec![F::ZERO; self.system.n_wires() as usize]);
        witness[0] = F::ONE;
        self.placed.fill(inputs, &mut witness)?;
        self.schedule
            .run(&self.main, &self.templates, &mut witness[1..]);
        Ok(witness)
    }

    /// True if a witness satisfies all constraints; checked in parallel.
    ///
    /// # Errors
    /// [`Unsatisfied`] with the first constraint that does not hold.
    ///
    /// # Panics
    /// When `witness` has not a value for each wire, or does not begin with one.
    pub fn check(&self, witness: &[F]) -> Result<(), Unsatisfied> {
        match self.system.first_unsatisfied(witness) {
            None => Ok(()),
            Some(row) => Err(Unsatisfied {
                row,
                path: self.system.path(row),
            }),
        }
    }
}
