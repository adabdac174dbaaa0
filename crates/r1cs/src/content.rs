//! The content of a system's templates, for whoever stores them in a form of its own.

use crate::body::{Body, Item};
use crate::row::Row;

/// A template, or the whole system: constraints and instances of templates, in order.
///
/// Its wires are local: 0 is the constant one, then come its ports, then its own. In an instance its own wires follow
/// each other from a first one on. The whole system has no ports, and its local wires are the system's.
#[derive(Clone, Copy, Debug)]
pub struct Content<'s> {
    pub(crate) body: &'s Body,
    pub(crate) templates: &'s [Body],
}

/// The next item of a template.
#[derive(Clone, Copy, Debug)]
pub enum Part<'p> {
    /// A constraint over local wires.
    Row(Row<'p>),
    /// The constraints of another template.
    Instance {
        /// Its number among the templates.
        template: usize,
        /// The wire that is the first of its own; any wire if it has none.
        first: u32,
        /// The wires that its ports are.
        ports: &'p [u32],
    },
}

impl Content<'_> {
    /// Number of ports.
    pub fn n_ports(&self) -> u32 {
        self.body.n_ports
    }

    /// Number of constraints, those of instances in it among them.
    pub fn n_constraints(&self) -> u64 {
        self.body.n_constraints
    }

    /// Calls `visit` for each part, in order. Instances are not expanded.
    pub fn for_each(&self, mut visit: impl FnMut(Part<'_>)) {
        let (mut terms, mut ports) = (Vec::new(), Vec::new());
        let (mut items, _) = self.body.items_before(0);
        while let Some(item) = items.next(&mut terms) {
            match item {
                Item::Row([b, c]) => visit(Part::Row(Row {
                    a: &terms[..b],
                    b: &terms[b..c],
                    c: &terms[c..],
                })),
                Item::Instance(instance) => {
                    let template = instance.template;
                    ports.clear();
                    ports.extend(items.ports(self.templates[template].n_ports));
                    visit(Part::Instance {
                        template,
                        first: instance.first,
                        ports: &ports,
                    });
                }
            }
        }
    }
}
