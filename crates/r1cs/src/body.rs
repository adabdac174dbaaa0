//! A template's content as bytes: constraints and instances of other templates, in order.
//!
//! ```text
//! body     = item*
//! item     = 0 row | template + 1, instance
//! row      = terms of A, of B, of C (three counts), then the terms: (coefficient, step to the wire)*
//! instance = name, 0 or index + 1, step to its first own wire, steps to the wires of its ports
//! ```
//!
//! All are integers of [`crate::code`]; steps are from the wire named before. Wires are local: 0 the constant one, then
//! the ports, then the template's own.

use crate::code::{Reader, write, write_step};
use crate::row::PooledTerm;

/// Items from one mark to the next.
const STRIDE: u32 = 512;

/// A template, or the whole circuit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) n_ports: u32,
    /// Its own wires, with those of the instances in it.
    pub(crate) n_wires: u32,
    /// Its constraints, with those of the instances in it.
    pub(crate) n_constraints: u64,
    pub(crate) n_terms: [u64; 3],
    code: Vec<u8>,
    /// Every [`STRIDE`] items, from the first on.
    marks: Vec<Mark>,
    items: u32,
    last_wire: u32,
}

/// A place where reading can begin.
#[derive(Clone, Copy, Debug)]
struct Mark {
    place: usize,
    /// Constraints before it.
    rows: u64,
    last_wire: u32,
}

/// An instance as it stands in a body.
pub(crate) struct Instance {
    pub(crate) template: usize,
    pub(crate) name: u32,
    pub(crate) index: Option<u32>,
    /// The first of its own wires.
    pub(crate) first: u32,
}

impl Body {
    pub(crate) fn new(name: &str, n_ports: u32) -> Self {
        Self {
            name: name.into(),
            n_ports,
            ..Self::default()
        }
    }

    pub(crate) fn push_row(&mut self, row: [&[PooledTerm]; 3]) {
        self.begin_item();
        write(&mut self.code, 0);
        for (total, terms) in self.n_terms.iter_mut().zip(row) {
            let count = u32::try_from(terms.len()).expect("fewer than 2^32 terms");
            write(&mut self.code, count);
            *total += u64::from(count);
        }
        for term in row.into_iter().flatten() {
            write(&mut self.code, term.coefficient);
            self.push_wire(term.wire);
        }
        self.n_constraints += 1;
    }

    /// An instance of `template`, whose content is `body`.
    pub(crate) fn push_instance(&mut self, instance: &Instance, ports: &[u32], body: &Self) {
        self.begin_item();
        let template = u32::try_from(instance.template + 1).expect("fewer than 2^32 templates");
        write(&mut self.code, template);
        write(&mut self.code, instance.name);
        write(&mut self.code, instance.index.map_or(0, |index| index + 1));
        self.push_wire(instance.first);
        ports.iter().for_each(|port| self.push_wire(*port));
        self.n_constraints += body.n_constraints;
        for (total, terms) in self.n_terms.iter_mut().zip(body.n_terms) {
            *total += terms;
        }
    }

    fn begin_item(&mut self) {
        if self.items.is_multiple_of(STRIDE) {
            self.marks.push(Mark {
                place: self.code.len(),
                rows: self.n_constraints,
                last_wire: self.last_wire,
            });
        }
        self.items += 1;
    }

    fn push_wire(&mut self, wire: u32) {
        write_step(&mut self.code, self.last_wire, wire);
        self.last_wire = wire;
    }

    /// Reads from the last mark before constraint `row` on; also the number of constraints before that mark.
    pub(crate) fn items_before(&self, row: u64) -> (Items<'_>, u64) {
        let after = self.marks.partition_point(|mark| mark.rows <= row);
        let mark = after.checked_sub(1).map_or(
            Mark {
                place: 0,
                rows: 0,
                last_wire: 0,
            },
            |last| self.marks[last],
        );
        let reader = Reader {
            code: &self.code,
            place: mark.place,
        };
        let items = Items {
            reader,
            last_wire: mark.last_wire,
        };
        (items, mark.rows)
    }

    /// Gives back what was allocated beyond need.
    pub(crate) fn shrink(&mut self) {
        self.code.shrink_to_fit();
        self.marks.shrink_to_fit();
    }

    /// Bytes of its content.
    pub(crate) fn code_len(&self) -> usize {
        self.code.len()
    }

    /// Memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.name.capacity()
            + self.code.capacity()
            + self.marks.capacity() * size_of::<Mark>()
    }
}

/// The items of a body, from some place on.
pub(crate) struct Items<'b> {
    reader: Reader<'b>,
    last_wire: u32,
}

/// The item that comes next.
pub(crate) enum Item {
    /// A constraint: the terms are in the buffer, those of B begin at the first number, those of C at the second.
    Row([usize; 2]),
    /// An instance: the wires of its ports are to be read by [`Items::ports`].
    Instance(Instance),
}

impl Items<'_> {
    /// The next item; the terms of a constraint replace those in `terms`.
    #[inline]
    pub(crate) fn next(&mut self, terms: &mut Vec<PooledTerm>) -> Option<Item> {
        if self.reader.is_at_end() {
            return None;
        }
        Some(match self.reader.read() {
            0 => {
                let [a, b, c] = [(); 3].map(|()| self.reader.read() as usize);
                terms.clear();
                terms.extend((0..a + b + c).map(|_| {
                    let coefficient = self.reader.read();
                    let wire = self.wire();
                    PooledTerm { coefficient, wire }
                }));
                Item::Row([a, a + b])
            }
            template => {
                let (name, index) = (self.reader.read(), self.reader.read());
                Item::Instance(Instance {
                    template: template as usize - 1,
                    name,
                    index: index.checked_sub(1),
                    first: self.wire(),
                })
            }
        })
    }

    /// The wires of the ports of the instance that came last.
    pub(crate) fn ports(&mut self, count: u32) -> impl Iterator<Item = u32> {
        (0..count).map(|_| self.wire())
    }

    fn wire(&mut self) -> u32 {
        self.last_wire = self.reader.read_step(self.last_wire);
        self.last_wire
    }
}
