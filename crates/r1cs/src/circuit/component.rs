//! A template, or the circuit, while its constraints and the way to its values are said.

use std::collections::HashMap;
use std::sync::Arc;

use frumious_field::WordField;

use super::combination::{Home, LinearCombination, Signal};
use super::program::{Program, Step};
use crate::builder::{BodyBuilder, Label, SystemBuilder, TemplateId, Wire};

/// The data that all components of a circuit share.
pub(crate) struct Shared<F> {
    /// Of the circuit, to tell its templates from those of others.
    circuit: Home,
    pub(crate) system: SystemBuilder<F>,
    pub(crate) programs: Vec<Program<F>>,
    by_name: HashMap<String, Template>,
}

impl<F: WordField> Shared<F> {
    pub(crate) fn new() -> Self {
        Self {
            circuit: Home::new(),
            system: SystemBuilder::new(),
            programs: Vec::new(),
            by_name: HashMap::new(),
        }
    }
}

/// A component that was defined once, to be used at many places of its circuit.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    circuit: Home,
    id: TemplateId,
    n_inputs: u32,
    n_outputs: u32,
    n_own: u32,
}

/// A template, or the circuit itself, while it is defined.
///
/// Each operation appends a constraint, or a step of the witness computation, or both. A gadget is a function that
/// takes a component and combinations of its signals, and returns combinations. Its constraints become part of the
/// component. A gadget that is used often is better defined as a [`Template`]: its constraints are stored once, and its
/// instances computed in parallel.
pub struct Component<'s, F> {
    shared: &'s mut Shared<F>,
    body: BodyBuilder,
    home: Home,
    steps: Vec<Step<F>>,
    /// True if a wire has got its value, by number.
    defined: Vec<bool>,
}

impl<'s, F: WordField> Component<'s, F> {
    /// `given`: for each wire that `body` has, whether its value comes from outside.
    pub(crate) fn new(shared: &'s mut Shared<F>, body: BodyBuilder, given: &[bool]) -> Self {
        let mut defined = vec![true]; // the constant one
        defined.extend(given);
        Self {
            shared,
            body,
            home: Home::new(),
            steps: Vec::new(),
            defined,
        }
    }

    /// A new signal whose value is the product, and the constraint that says so.
    ///
    /// # Panics
    /// When an operand has no value yet.
    #[track_caller]
    pub fn product(
        &mut self,
        a: impl Into<LinearCombination<F>>,
        b: impl Into<LinearCombination<F>>,
    ) -> Signal {
        let out = self.new_signal();
        self.define_product(out, a, b);
        out
    }

    /// As [`Component::product`], for a signal that has no value yet, as an output of the template.
    ///
    /// # Panics
    /// When `out` has a value already, or an operand has none yet.
    #[track_caller]
    pub fn define_product(
        &mut self,
        out: Signal,
        a: impl Into<LinearCombination<F>>,
        b: impl Into<LinearCombination<F>>,
    ) {
        let (a, b) = (a.into(), b.into());
        self.constrain(a.clone(), b.clone(), out);
        self.check_defined(&a);
        self.check_defined(&b);
        self.define(out);
        let out = out.wire.number();
        self.steps.push(Step::Product { a, b, out });
    }

    /// A signal with the value of `combination`: the one that it is, or a new one with the constraint that says so.
    ///
    /// # Panics
    /// When it makes a new one, and a signal of `combination` has no value yet.
    #[track_caller]
    pub fn signal(&mut self, combination: impl Into<LinearCombination<F>>) -> Signal {
        let combination = combination.into();
        combination.as_signal().unwrap_or_else(|| {
            let out = self.new_signal();
            self.define_linear(out, combination);
            out
        })
    }

    /// As [`Component::signal`], for a signal that has no value yet.
    ///
    /// # Panics
    /// When `out` has a value already, or a signal of `value` has none yet.
    #[track_caller]
    pub fn define_linear(&mut self, out: Signal, value: impl Into<LinearCombination<F>>) {
        let value = value.into();
        self.assert_equal(value.clone(), out);
        self.check_defined(&value);
        self.define(out);
        let out = out.wire.number();
        self.steps.push(Step::Linear { value, out });
    }

    /// New signals whose values native code computes from those of `inputs`. Nothing constrains them yet.
    #[track_caller]
    pub fn native(
        &mut self,
        inputs: &[LinearCombination<F>],
        count: usize,
        compute: impl Fn(&[F], &mut [F]) + Send + Sync + 'static,
    ) -> Vec<Signal> {
        let outputs: Vec<Signal> = (0..count).map(|_| self.new_signal()).collect();
        self.define_native(&outputs, inputs, compute);
        outputs
    }

    /// As [`Component::native`], for signals that have no value yet.
    ///
    /// # Panics
    /// When one of `outputs` has a value already, or a signal of `inputs` has none yet.
    #[track_caller]
    pub fn define_native(
        &mut self,
        outputs: &[Signal],
        inputs: &[LinearCombination<F>],
        compute: impl Fn(&[F], &mut [F]) + Send + Sync + 'static,
    ) {
        inputs.iter().for_each(|input| self.check_defined(input));
        outputs.iter().for_each(|out| self.define(*out));
        self.steps.push(Step::Native {
            inputs: inputs.to_vec(),
            outputs: outputs.iter().map(|out| out.wire.number()).collect(),
            compute: Arc::new(compute),
        });
    }

    /// The constraint `a·b = c`; no signal gets its value by it.
    #[track_caller]
    pub fn constrain(
        &mut self,
        a: impl Into<LinearCombination<F>>,
        b: impl Into<LinearCombination<F>>,
        c: impl Into<LinearCombination<F>>,
    ) {
        let [a, b, c] = [a.into(), b.into(), c.into()];
        for sum in [&a, &b, &c] {
            self.assert_own(sum.home());
        }
        self.shared
            .system
            .constrain(&mut self.body, a.terms(), b.terms(), c.terms());
    }

    /// The constraint `a = b`, as `0·0 = a − b`: a key has points and coefficients for what stands in A and B.
    #[track_caller]
    pub fn assert_equal(
        &mut self,
        a: impl Into<LinearCombination<F>>,
        b: impl Into<LinearCombination<F>>,
    ) {
        let zero = LinearCombination::ZERO;
        self.constrain(zero.clone(), zero, a.into() - b.into());
    }

    /// The template of a name, defined now if there is none yet.
    ///
    /// The name tells everything that `define` depends on. `define` gets the signals of inputs and outputs, and gives
    /// each output a value.
    ///
    /// # Panics
    /// When an output has no value in the end, or the name stands for a template with other numbers of inputs and
    /// outputs.
    #[track_caller]
    pub fn template(
        &mut self,
        name: &str,
        n_inputs: u32,
        n_outputs: u32,
        define: impl FnOnce(&mut Component<'_, F>, &[Signal], &[Signal]),
    ) -> Template {
        if let Some(template) = self.shared.by_name.get(name) {
            let (had_inputs, had_outputs) = (template.n_inputs, template.n_outputs);
            assert!(
                (had_inputs, had_outputs) == (n_inputs, n_outputs),
                "template {name} has {had_inputs} inputs and {had_outputs} outputs already, \
                 not {n_inputs} and {n_outputs}"
            );
            return *template;
        }
        let n_ports = n_inputs + n_outputs;
        let body = BodyBuilder::template(name, n_ports);
        let given: Vec<bool> = (0..n_ports).map(|port| port < n_inputs).collect();
        let mut component = Component::new(self.shared, body, &given);
        let ports: Vec<Signal> = (1..=n_ports)
            .map(|port| component.of_number(port))
            .collect();
        let (inputs, outputs) = ports.split_at(n_inputs as usize);
        define(&mut component, inputs, outputs);
        let (body, steps) = component.finish();
        let n_own = body.n_own_wires();
        let id = self.shared.system.add(body);
        self.shared.programs.push(Program { n_ports, steps });
        let template = Template {
            circuit: self.shared.circuit,
            id,
            n_inputs,
            n_outputs,
            n_own,
        };
        self.shared.by_name.insert(name.into(), template);
        template
    }

    /// An instance of a template; its outputs are new signals.
    ///
    /// Inputs that are no signals become such, at a constraint each.
    ///
    /// # Panics
    /// For another number of inputs than the template's, or a template of another circuit.
    #[track_caller]
    pub fn instance(
        &mut self,
        template: &Template,
        label: Label<'_>,
        inputs: &[LinearCombination<F>],
    ) -> Vec<Signal> {
        let inputs: Vec<Signal> = inputs
            .iter()
            .map(|input| self.signal(input.clone()))
            .collect();
        let outputs: Vec<Signal> = (0..template.n_outputs).map(|_| self.new_signal()).collect();
        self.define_instance(template, label, &inputs, &outputs);
        outputs
    }

    /// As [`Component::instance`], for outputs that have no value yet.
    ///
    /// # Panics
    /// For a template of another circuit, or other numbers of inputs and outputs than its own. For an output that has a
    /// value already, or an input that has none yet.
    #[track_caller]
    pub fn define_instance(
        &mut self,
        template: &Template,
        label: Label<'_>,
        inputs: &[Signal],
        outputs: &[Signal],
    ) {
        assert!(
            template.circuit == self.shared.circuit,
            "`template` is one of another circuit"
        );
        for (argument, given, needed) in [
            ("inputs", inputs.len(), template.n_inputs),
            ("outputs", outputs.len(), template.n_outputs),
        ] {
            assert!(
                given == needed as usize,
                "`{argument}` has {given} signals, and the template {needed}"
            );
        }
        for input in inputs {
            self.check_defined(&LinearCombination::from(input));
        }
        outputs.iter().for_each(|out| self.define(*out));
        let ports: Vec<Wire> = inputs.iter().chain(outputs).map(|port| port.wire).collect();
        let first = self.body.end();
        self.shared
            .system
            .instance(&mut self.body, template.id, label, &ports);
        // The template's steps give them their values.
        let end = self.defined.len() + template.n_own as usize;
        self.defined.resize(end, true);
        self.steps.push(Step::Instance {
            template: template.id.index(),
            ports: ports.into_iter().map(Wire::number).collect(),
            n_inputs: inputs.len(),
            first,
            n_own: template.n_own,
        });
    }

    /// Number of constraints so far, those of instances among them.
    pub fn n_constraints(&self) -> u64 {
        self.body.n_constraints()
    }

    /// A new signal without a value.
    pub fn new_signal(&mut self) -> Signal {
        self.defined.push(false);
        let wire = self.body.own_wire();
        self.own(wire)
    }

    /// The signal of a wire's number.
    pub(crate) fn of_number(&self, number: u32) -> Signal {
        self.own(self.body.wire(number))
    }

    fn own(&self, wire: Wire) -> Signal {
        Signal {
            wire,
            home: self.home,
        }
    }

    #[track_caller]
    fn assert_own(&self, home: Home) {
        assert!(
            home == self.home || home == Home::ANY,
            "a signal of another component: what goes from one to another goes through inputs and outputs"
        );
    }

    #[track_caller]
    fn define(&mut self, signal: Signal) {
        self.assert_own(signal.home);
        let number = signal.wire.number();
        let defined = &mut self.defined[number as usize];
        assert!(
            !*defined,
            "signal {number} gets a value for the second time"
        );
        *defined = true;
    }

    #[track_caller]
    fn check_defined(&self, combination: &LinearCombination<F>) {
        self.assert_own(combination.home());
        for (wire, _) in combination.terms() {
            let number = wire.number();
            assert!(
                self.defined[number as usize],
                "signal {number} is used before it gets a value"
            );
        }
    }

    /// Every signal has got its value.
    pub(crate) fn finish(self) -> (BodyBuilder, Vec<Step<F>>) {
        if let Some(number) = self.defined.iter().position(|defined| !defined) {
            panic!("signal {number} gets no value");
        }
        (self.body, self.steps)
    }
}
