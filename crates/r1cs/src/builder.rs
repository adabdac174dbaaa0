//! Builds systems, template by template.

use crate::body::{Body, Instance};
use crate::pool::PoolBuilder;
use crate::row::PooledTerm;
use crate::system::{Interface, System};
use frumious_field::WordField;
use std::collections::HashMap;

/// A wire of the body in which it was made: the constant one, a port, or one of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wire(u32);

impl Wire {
    /// The wire that is always one.
    pub const ONE: Self = Self(0);

    /// Its number in its body: 0 for the constant one, then the ports, then the body's own.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// A finished template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TemplateId(usize);

impl TemplateId {
    /// Its number, in the order in which templates were added.
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

/// The name of an instance in a path: a name, and an index if it is one of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'n> {
    name: &'n str,
    index: Option<u32>,
}

impl<'n> Label<'n> {
    /// A name alone.
    pub fn new(name: &'n str) -> Self {
        Self { name, index: None }
    }

    /// A name and an index, below `2^32 - 1`.
    pub fn indexed(name: &'n str, index: u32) -> Self {
        let index = Some(index);
        Self { name, index }
    }
}

/// A template, or the circuit itself, while it is filled.
#[derive(Clone, Debug)]
pub struct BodyBuilder {
    body: Body,
}

impl BodyBuilder {
    /// An empty template with so many ports.
    pub fn template(name: &str, n_ports: u32) -> Self {
        Self {
            body: Body::new(name, n_ports),
        }
    }

    /// An empty circuit, without ports. Its wires are numbered from 1 in the order in which they are made; an instance
    /// makes its own when it is placed.
    pub fn main() -> Self {
        Self::template("main", 0)
    }

    /// A port.
    ///
    /// # Panics
    /// When there are not so many.
    #[track_caller]
    pub fn port(&self, index: u32) -> Wire {
        assert!(
            index < self.body.n_ports,
            "`index` is {index}, and the template has {} ports",
            self.body.n_ports
        );
        Wire(1 + index)
    }

    /// The wire of a number: 0 is the constant one, the ports follow, then its own.
    ///
    /// # Panics
    /// When there are not so many.
    #[track_caller]
    pub fn wire(&self, number: u32) -> Wire {
        let end = self.end();
        assert!(
            number < end,
            "`number` is {number}, and the body has {end} wires"
        );
        Wire(number)
    }

    /// A new wire of its own.
    ///
    /// # Panics
    /// When there are 2^32 wires.
    #[track_caller]
    pub fn own_wire(&mut self) -> Wire {
        self.own_wires(1)
    }

    /// The first of `count` new wires, whose numbers follow each other.
    ///
    /// # Panics
    /// As [`BodyBuilder::own_wire`].
    #[track_caller]
    pub fn own_wires(&mut self, count: u32) -> Wire {
        let first = self.end();
        let wires = first.checked_add(count).expect("fewer than 2^32 wires");
        self.body.n_wires = wires - 1 - self.body.n_ports;
        Wire(first)
    }

    /// Its own wires so far, those of instances among them.
    pub(crate) fn n_own_wires(&self) -> u32 {
        self.body.n_wires
    }

    /// One more than the number of the last wire.
    pub(crate) fn end(&self) -> u32 {
        1 + self.body.n_ports + self.body.n_wires
    }

    /// Constraints so far, those of instances counted.
    pub fn n_constraints(&self) -> u64 {
        self.body.n_constraints
    }
}

/// A system while it is built: its templates and coefficients so far.
#[derive(Clone, Debug)]
pub struct SystemBuilder<F> {
    pool: PoolBuilder<F>,
    names: Vec<String>,
    name_numbers: HashMap<String, u32>,
    templates: Vec<Body>,
    terms: [Vec<PooledTerm>; 3],
}

impl<F: WordField> SystemBuilder<F> {
    /// No templates.
    #[expect(clippy::new_without_default, reason = "no circuit is a default one")]
    pub fn new() -> Self {
        Self {
            pool: PoolBuilder::new(),
            names: Vec::new(),
            name_numbers: HashMap::new(),
            templates: Vec::new(),
            terms: Default::default(),
        }
    }

    /// Appends the constraint `A·B = C` to a body, each a sum of wires of that body times coefficients. Terms are kept
    /// as they are: neither merged nor sorted, zeros among them.
    ///
    /// # Panics
    /// For a wire that the body has not.
    #[track_caller]
    pub fn constrain(
        &mut self,
        body: &mut BodyBuilder,
        a: &[(Wire, F)],
        b: &[(Wire, F)],
        c: &[(Wire, F)],
    ) {
        let end = body.end();
        for (terms, combination) in self.terms.iter_mut().zip([a, b, c]) {
            terms.clear();
            terms.extend(combination.iter().map(|(wire, value)| {
                let number = wire.0;
                assert!(
                    number < end,
                    "wire {number} of another body: this one has {end} wires"
                );
                PooledTerm {
                    coefficient: self.pool.number(value),
                    wire: wire.0,
                }
            }));
        }
        let [a, b, c] = &self.terms;
        body.body.push_row([a, b, c]);
    }

    /// Appends an instance of a template to a body, with these of its wires as ports.
    ///
    /// # Panics
    /// For another number of ports than the template's, a wire that the body has not, 2^32 wires.
    #[track_caller]
    pub fn instance(
        &mut self,
        body: &mut BodyBuilder,
        template: TemplateId,
        label: Label<'_>,
        ports: &[Wire],
    ) {
        let inner = &self.templates[template.0];
        let (given, needed) = (ports.len(), inner.n_ports);
        assert!(
            given == needed as usize,
            "`ports` has {given} wires, and the template {needed} ports"
        );
        let end = body.end();
        if let Some(port) = ports.iter().find(|port| port.0 >= end) {
            let number = port.0;
            panic!("`ports` has wire {number} of another body: this one has {end} wires");
        }
        let instance = Instance {
            template: template.0,
            name: name_number(&mut self.names, &mut self.name_numbers, label.name),
            index: label.index,
            first: body.own_wires(inner.n_wires).0,
        };
        let ports: Vec<u32> = ports.iter().map(|port| port.0).collect();
        body.body.push_instance(&instance, &ports, inner);
    }

    /// Takes a finished template.
    pub fn add(&mut self, template: BodyBuilder) -> TemplateId {
        self.templates.push(template.body);
        TemplateId(self.templates.len() - 1)
    }

    /// The system of a finished circuit, whose first own wires are inputs and outputs.
    ///
    /// # Panics
    /// When `main` has ports, or fewer wires than inputs and outputs.
    #[track_caller]
    pub fn finish(self, main: BodyBuilder, interface: Interface) -> System<F> {
        let main = main.body;
        assert!(
            main.n_ports == 0,
            "`main` is a template with {} ports, and a circuit has none",
            main.n_ports
        );
        assert!(
            interface.total() <= u64::from(main.n_wires),
            "`interface` has {} inputs and outputs, and `main` {} wires",
            interface.total(),
            main.n_wires
        );
        let pool = self.pool.finish();
        System::new(pool, self.names, self.templates, main, interface)
    }
}

fn name_number(names: &mut Vec<String>, numbers: &mut HashMap<String, u32>, name: &str) -> u32 {
    if let Some(number) = numbers.get(name) {
        return *number;
    }
    let number = u32::try_from(names.len()).expect("fewer than 2^32 names");
    names.push(name.into());
    numbers.insert(name.into(), number);
    number
}
