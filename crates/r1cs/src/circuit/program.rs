//! The program that gives the wires of a component their values.

use std::sync::Arc;

use frumious_field::WordField;
use zeroize::{Zeroize, Zeroizing};

use super::combination::LinearCombination;

/// A function in native code: values of the inputs to values of the outputs.
pub(crate) type Native<F> = Arc<dyn Fn(&[F], &mut [F]) + Send + Sync>;

/// The steps of a template, or of the circuit, in an order in which each finds its operands.
pub(crate) struct Program<F> {
    pub(crate) n_ports: u32,
    pub(crate) steps: Vec<Step<F>>,
}

/// Gives one wire or several their values; wires are local.
pub(crate) enum Step<F> {
    /// `out = a·b`.
    Product {
        a: LinearCombination<F>,
        b: LinearCombination<F>,
        out: u32,
    },
    /// `out = value`.
    Linear {
        value: LinearCombination<F>,
        out: u32,
    },
    /// Values that native code finds.
    Native {
        inputs: Vec<LinearCombination<F>>,
        outputs: Vec<u32>,
        compute: Native<F>,
    },
    /// Those of an instance of a template: its ports are wires here, the inputs before the outputs; its own ones begin
    /// at `first`.
    Instance {
        template: usize,
        ports: Vec<u32>,
        n_inputs: usize,
        first: u32,
        n_own: u32,
    },
}

/// The wires of an instance while they get their values.
pub(crate) struct Frame<'w, F> {
    /// Values of its ports, inputs before outputs.
    pub(crate) ports: &'w mut [F],
    /// Its own wires, those of instances in it among them.
    pub(crate) own: &'w mut [F],
}

impl<F: WordField + Zeroize> Frame<'_, F> {
    #[inline]
    pub(crate) fn get(&self, local: u32) -> F {
        match (local as usize).checked_sub(1) {
            None => F::ONE,
            Some(place) => match self.ports.get(place) {
                Some(value) => *value,
                None => self.own[place - self.ports.len()],
            },
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, local: u32, value: F) {
        let place = local as usize - 1;
        match place.checked_sub(self.ports.len()) {
            None => self.ports[place] = value,
            Some(own) => self.own[own] = value,
        }
    }

    fn evaluate(&self, combination: &LinearCombination<F>) -> F {
        let terms = combination.terms().iter();
        terms.fold(F::ZERO, |sum, (wire, coefficient)| {
            let value = self.get(wire.number());
            if *coefficient == F::ONE {
                sum + value
            } else {
                sum + value * *coefficient
            }
        })
    }

    /// Does all steps of `program`.
    pub(crate) fn run(&mut self, program: &Program<F>, templates: &[Program<F>]) {
        for step in &program.steps {
            self.step(step, templates);
        }
    }

    pub(crate) fn step(&mut self, step: &Step<F>, templates: &[Program<F>]) {
        match step {
            Step::Product { a, b, out } => self.set(*out, self.evaluate(a) * self.evaluate(b)),
            Step::Linear { value, out } => self.set(*out, self.evaluate(value)),
            Step::Native {
                inputs,
                outputs,
                compute,
            } => {
                let inputs = inputs.iter().map(|input| self.evaluate(input));
                let inputs: Zeroizing<Vec<F>> = Zeroizing::new(inputs.collect());
                let mut values = Zeroizing::new(vec![F::ZERO; outputs.len()]);
                compute(&inputs, &mut values);
                for (out, value) in outputs.iter().zip(values.iter()) {
                    self.set(*out, *value);
                }
            }
            Step::Instance {
                template,
                ports,
                n_inputs,
                first,
                n_own,
            } => {
                let values = ports.iter().map(|port| self.get(*port));
                let mut values: Zeroizing<Vec<F>> = Zeroizing::new(values.collect());
                let start = *first as usize - 1 - self.ports.len();
                let mut frame = Frame {
                    ports: &mut values,
                    own: &mut self.own[start..start + *n_own as usize],
                };
                frame.run(&templates[*template], templates);
                for (port, value) in ports.iter().zip(values.iter()).skip(*n_inputs) {
                    self.set(*port, *value);
                }
            }
        }
    }
}
