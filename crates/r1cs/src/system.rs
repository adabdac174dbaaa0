//! A finished system, and its constraints one at a time.

use crate::body::{Body, Item};
use crate::content::Content;
use crate::pool::Pool;
use crate::row::{PooledTerm, Row};
use core::ops::Range;
use frumious_field::WordField;

/// A constraint system.
///
/// Memory: what [`System::bytes`] says; some bytes for a term of a template and some twenty for an instance.
#[derive(Clone, Debug)]
pub struct System<F> {
    pool: Pool<F>,
    names: Vec<String>,
    templates: Vec<Body>,
    main: Body,
    interface: Interface,
}

/// The kinds of the first wires after the constant one, in this order, as in circom's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// Number of public outputs.
    pub public_outputs: u32,
    /// Number of public inputs.
    pub public_inputs: u32,
    /// Number of private inputs.
    pub private_inputs: u32,
}

impl Interface {
    /// Number of public wires, the constant one not counted.
    pub fn public(&self) -> u64 {
        u64::from(self.public_outputs) + u64::from(self.public_inputs)
    }

    pub(crate) fn total(&self) -> u64 {
        self.public() + u64::from(self.private_inputs)
    }
}

impl<F: WordField> System<F> {
    pub(crate) fn new(
        pool: Pool<F>,
        names: Vec<String>,
        mut templates: Vec<Body>,
        mut main: Body,
        interface: Interface,
    ) -> Self {
        templates.iter_mut().for_each(Body::shrink);
        main.shrink();
        Self {
            pool,
            names,
            templates,
            main,
            interface,
        }
    }

    /// Number of constraints.
    pub fn n_constraints(&self) -> u64 {
        self.main.n_constraints
    }

    /// Number of wires, the constant one included; at least 1.
    pub fn n_wires(&self) -> u32 {
        1 + self.main.n_wires
    }

    /// Number of terms in all A, all B, all C.
    pub fn n_terms(&self) -> [u64; 3] {
        self.main.n_terms
    }

    /// Which wires are inputs and outputs.
    pub fn interface(&self) -> Interface {
        self.interface
    }

    /// Number of templates.
    pub fn n_templates(&self) -> usize {
        self.templates.len()
    }

    /// The content of the templates, each of which has instances only of those before it, and last the whole system.
    pub fn contents(&self) -> impl Iterator<Item = Content<'_>> {
        (0..=self.templates.len()).map(|index| Content {
            body: self.templates.get(index).unwrap_or(&self.main),
            templates: &self.templates,
        })
    }

    /// The distinct coefficients.
    pub fn pool(&self) -> &Pool<F> {
        &self.pool
    }

    /// Memory of all of it, in bytes.
    pub fn bytes(&self) -> usize {
        let names = self
            .names
            .iter()
            .map(|name| name.capacity() + size_of::<String>());
        let templates = self.templates.iter().map(Body::bytes);
        size_of::<Self>()
            + self.pool.bytes()
            + names.sum::<usize>()
            + templates.sum::<usize>()
            + self.main.bytes()
    }

    /// Calls `visit` for the constraints of a range, in order, with their numbers.
    ///
    /// The way to the first of them takes time in proportion to the depth of templates, and at most some hundred
    /// constraints each.
    ///
    /// # Panics
    /// For a range that ends beyond [`System::n_constraints`].
    #[track_caller]
    pub fn for_each_row(&self, rows: Range<u64>, mut visit: impl FnMut(u64, Row<'_>)) {
        let n_constraints = self.n_constraints();
        assert!(
            rows.end <= n_constraints,
            "`rows` ends at {}, and there are {n_constraints} constraints",
            rows.end
        );
        let frame = Frame {
            ports: &[],
            first: 1,
        };
        let mut walk = Walk {
            templates: &self.templates,
            rows,
            terms: Vec::new(),
            visit: &mut visit,
        };
        walk.body(&self.main, &frame, 0);
    }

    /// Where constraint `row` stands: labels of instances from the outside in, then its number in its template.
    ///
    /// # Panics
    /// For a row beyond [`System::n_constraints`].
    #[track_caller]
    pub fn path(&self, row: u64) -> String {
        let n_constraints = self.n_constraints();
        assert!(
            row < n_constraints,
            "`row` is {row}, and there are {n_constraints} constraints"
        );
        let mut path = Vec::new();
        let mut terms = Vec::new();
        let (mut body, mut within) = (&self.main, row);
        'bodies: loop {
            let (mut items, mut next) = body.items_before(within);
            while let Some(item) = items.next(&mut terms) {
                match item {
                    Item::Row(_) if next == within => break 'bodies,
                    Item::Row(_) => next += 1,
                    Item::Instance(instance) => {
                        let inner = &self.templates[instance.template];
                        if within < next + inner.n_constraints {
                            let name = &self.names[instance.name as usize];
                            path.push(match instance.index {
                                Some(index) => format!("{name}[{index}]"),
                                None => name.clone(),
                            });
                            (body, within) = (inner, within - next);
                            continue 'bodies;
                        }
                        items.ports(inner.n_ports).for_each(drop);
                        next += inner.n_constraints;
                    }
                }
            }
            unreachable!("a body has as many constraints as it says");
        }
        let colon = if path.is_empty() { "" } else { ": " };
        format!(
            "{}{colon}constraint {within} of {}",
            path.join("."),
            body.name
        )
    }
}

/// The meaning of the local wires of an instance.
struct Frame<'f> {
    ports: &'f [u32],
    /// The first of its own.
    first: u32,
}

impl Frame<'_> {
    #[inline]
    fn global(&self, local: u32) -> u32 {
        match local.checked_sub(1) {
            None => 0,
            Some(place) => match self.ports.get(place as usize) {
                Some(port) => *port,
                None => self.first + (place - self.ports.len() as u32),
            },
        }
    }
}

/// A visit to some constraints.
struct Walk<'w, V> {
    templates: &'w [Body],
    rows: Range<u64>,
    /// Those of one constraint.
    terms: Vec<PooledTerm>,
    visit: &'w mut V,
}

impl<V: FnMut(u64, Row<'_>)> Walk<'_, V> {
    /// Visits those of a body whose first constraint is number `before` of all.
    fn body(&mut self, body: &Body, frame: &Frame<'_>, before: u64) {
        let (mut items, skipped) = body.items_before(self.rows.start.saturating_sub(before));
        let mut next = before + skipped;
        while next < self.rows.end {
            match items.next(&mut self.terms) {
                None => return,
                Some(Item::Row(ends)) => {
                    if self.rows.contains(&next) {
                        self.row(ends, frame, next);
                    }
                    next += 1;
                }
                Some(Item::Instance(instance)) => {
                    let inner = &self.templates[instance.template];
                    let ports: Vec<u32> = items
                        .ports(inner.n_ports)
                        .map(|port| frame.global(port))
                        .collect();
                    if next + inner.n_constraints > self.rows.start {
                        let frame = Frame {
                            ports: &ports,
                            first: frame.global(instance.first),
                        };
                        self.body(inner, &frame, next);
                    }
                    next += inner.n_constraints;
                }
            }
        }
    }

    #[inline]
    fn row(&mut self, [b, c]: [usize; 2], frame: &Frame<'_>, number: u64) {
        for term in &mut self.terms {
            term.wire = frame.global(term.wire);
        }
        let row = Row {
            a: &self.terms[..b],
            b: &self.terms[b..c],
            c: &self.terms[c..],
        };
        (self.visit)(number, row);
    }
}
