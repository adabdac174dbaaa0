//! Templates found in a circuit that has none, as circom's files have none.
//!
//! Two constraints have one shape if they have the same coefficients at the same places. Repetition in the sequence of
//! shapes is found as a [`grammar`]; each rule of it that pays becomes a template.
//!
//! The places of a template are compared wire by wire over all its occurrences. A wire at the same distance from the
//! first one everywhere is the template's own; any other wire is a port ([`ports`]). Every constraint keeps its place,
//! its terms and its wires.

mod grammar;
mod ports;

use std::collections::HashMap;

use frumious_field::WordField;

use crate::body::{Body, Instance};
use crate::row::PooledTerm;
use crate::system::System;
use grammar::Grammar;
use ports::{Frame, Place};

impl<F: WordField> System<F> {
    /// The same system with templates: the same constraints in the same order, over the same wires.
    ///
    /// Templates that there were are written out first. Memory while it works: four bytes for each term, and some
    /// thirty for each constraint. For each distinct shape of one, which are few if there is anything to find, some
    /// hundred. Time: about that of a few passes over all terms.
    ///
    /// # Panics
    /// For 2^32 constraints or more.
    #[must_use]
    pub fn with_templates(&self) -> Self {
        let flat = Flat::of(self);
        let grammar = Grammar::of(flat.shapes.clone(), flat.n_shapes());
        Detection::new(&flat, &grammar).run(self)
    }
}

/// All constraints side by side.
struct Flat {
    /// The shape of each.
    shapes: Vec<u32>,
    /// Each shape: for A, B and C the number of terms, then their coefficients; and which are constants.
    forms: Vec<u32>,
    /// Where those of each begin; one more than there are shapes.
    form_starts: Vec<usize>,
    /// Where the wires of each begin; one more than there are constraints.
    starts: Vec<usize>,
    wires: Vec<u32>,
}

impl Flat {
    fn of<F: WordField>(system: &System<F>) -> Self {
        let mut flat = Self {
            shapes: Vec::new(),
            forms: Vec::new(),
            form_starts: vec![0],
            starts: vec![0],
            wires: Vec::new(),
        };
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut shape = Vec::new();
        assert!(
            u32::try_from(system.n_constraints()).is_ok(),
            "fewer than 2^32 constraints"
        );
        system.for_each_row(0..system.n_constraints(), |_, terms| {
            shape.clear();
            let mut constants = 0;
            for side in [terms.a, terms.b, terms.c] {
                shape.push(side.len() as u32);
                for term in side {
                    shape.push(term.coefficient);
                    constants = constants << 1 | u32::from(term.wire == 0);
                    flat.wires.push(term.wire);
                }
            }
            // Which of the last 32 terms are constants: what this leaves alike, ports tell apart.
            shape.push(constants);
            let number = numbers.get(&shape).copied().unwrap_or_else(|| {
                let next = flat.n_shapes();
                numbers.insert(shape.clone(), next);
                flat.forms.extend(&shape);
                flat.form_starts.push(flat.forms.len());
                next
            });
            flat.shapes.push(number);
            flat.starts.push(flat.wires.len());
        });
        flat
    }

    /// At most one for each constraint.
    fn n_shapes(&self) -> u32 {
        self.form_starts.len() as u32 - 1
    }

    /// Three numbers of terms, the coefficients behind each, and one more.
    fn form(&self, shape: u32) -> &[u32] {
        let shape = shape as usize;
        &self.forms[self.form_starts[shape]..self.form_starts[shape + 1]]
    }

    /// Number of terms of a shape.
    fn n_terms(&self, shape: u32) -> usize {
        self.form(shape).len() - 4
    }
}

/// A constraint or an instance in a template, with where it begins in it.
#[derive(Clone, Copy)]
struct Item {
    symbol: u32,
    /// Constraints before.
    row: u32,
    /// Terms before.
    term: usize,
}

/// A rule on its way to being a template.
#[derive(Default)]
struct Rule {
    items: Vec<Item>,
    n_constraints: u32,
    n_terms: usize,
    /// The constraints at which it begins, wherever it stands.
    places: Vec<u32>,
    /// None for a rule that does not pay: whoever uses it has its items.
    template: Option<Template>,
}

struct Template {
    number: usize,
    frame: Frame,
}

struct Detection<'d> {
    flat: &'d Flat,
    grammar: &'d Grammar,
    rules: Vec<Rule>,
    bodies: Vec<Body>,
}

impl<'d> Detection<'d> {
    fn new(flat: &'d Flat, grammar: &'d Grammar) -> Self {
        let mut detection = Self {
            flat,
            grammar,
            rules: Vec::with_capacity(grammar.rules.len()),
            bodies: Vec::new(),
        };
        for symbols in &grammar.rules {
            let rule = detection.measure(symbols);
            detection.rules.push(rule);
        }
        detection.find_places();
        detection
    }

    /// The items of a rule; rules in it have been measured.
    fn measure(&self, symbols: &[u32]) -> Rule {
        let mut rule = Rule::default();
        for symbol in symbols {
            rule.items.push(Item {
                symbol: *symbol,
                row: rule.n_constraints,
                term: rule.n_terms,
            });
            let (rows, terms) = match self.grammar.rule(*symbol) {
                None => (1, self.flat.n_terms(*symbol)),
                Some(inner) => (self.rules[inner].n_constraints, self.rules[inner].n_terms),
            };
            rule.n_constraints += rows;
            rule.n_terms += terms;
        }
        rule
    }

    /// From the sequence down to the rules of the smallest numbers.
    fn find_places(&mut self) {
        let top = self.measure(&self.grammar.top);
        self.add_places(&top.items, &[0]);
        for index in (0..self.rules.len()).rev() {
            let items = core::mem::take(&mut self.rules[index].items);
            let places = core::mem::take(&mut self.rules[index].places);
            self.add_places(&items, &places);
            (self.rules[index].items, self.rules[index].places) = (items, places);
        }
    }

    fn add_places(&mut self, items: &[Item], places: &[u32]) {
        for item in items {
            if let Some(rule) = self.grammar.rule(item.symbol) {
                let here = places.iter().map(|place| place + item.row);
                self.rules[rule].places.extend(here);
            }
        }
    }

    fn run<F: WordField>(mut self, system: &System<F>) -> System<F> {
        let mut uses = vec![0u32; self.rules.len()];
        for symbol in self.grammar.rules.iter().flatten().chain(&self.grammar.top) {
            if let Some(rule) = self.grammar.rule(*symbol) {
                uses[rule] += 1;
            }
        }
        for index in 0..self.rules.len() {
            let items = self.without_dropped(&self.rules[index].items);
            let uses = uses[index] as usize;
            let rule = &self.rules[index];
            if uses > 1 && rule.n_constraints > 1 && rule.n_terms > 0 {
                let frame = self.frame(&items, &rule.places);
                let name = format!("repeated[{}]", self.bodies.len());
                let mut body = Body::new(&name, frame.n_ports());
                self.fill(&mut body, &items, rule.places[0], &frame);
                // What each use would cost if it were written out, against an instance for each.
                if body.code_len() * (uses - 1) > frame.instance_bytes() * uses + size_of::<Body>()
                {
                    let number = self.bodies.len();
                    body.n_wires = frame.n_own();
                    self.bodies.push(body);
                    self.rules[index].template = Some(Template { number, frame });
                }
            }
            self.rules[index].items = items;
        }
        let top = self.measure(&self.grammar.top);
        let items = self.without_dropped(&top.items);
        let mut main = Body::new("main", 0);
        main.n_wires = system.n_wires() - 1;
        self.fill(&mut main, &items, 0, &Frame::whole());
        System::new(
            system.pool().clone(),
            vec!["repeated".into()],
            self.bodies,
            main,
            system.interface(),
        )
    }

    /// `items` with those of rules that are no templates in their place.
    fn without_dropped(&self, items: &[Item]) -> Vec<Item> {
        let mut written = Vec::with_capacity(items.len());
        for item in items {
            match self.grammar.rule(item.symbol).map(|rule| &self.rules[rule]) {
                Some(rule) if rule.template.is_none() => {
                    written.extend(rule.items.iter().map(|inner| Item {
                        symbol: inner.symbol,
                        row: item.row + inner.row,
                        term: item.term + inner.term,
                    }));
                }
                _ => written.push(*item),
            }
        }
        written
    }

    /// The terms whose wires the items of a template name, in order. A constraint names all of its wires; an instance
    /// names the first of its own, if any, and its ports.
    fn named_terms(&self, items: &[Item]) -> Vec<usize> {
        let mut terms = Vec::new();
        for item in items {
            match self.template(item.symbol) {
                None => {
                    let end = item.term + self.flat.n_terms(item.symbol);
                    terms.extend(item.term..end);
                }
                Some(template) => {
                    let named = template.frame.named_terms();
                    terms.extend(named.map(|term| item.term + term));
                }
            }
        }
        terms
    }

    fn template(&self, symbol: u32) -> Option<&Template> {
        let rule = self.grammar.rule(symbol)?;
        let template = self.rules[rule].template.as_ref();
        Some(template.expect("rules without one were written out"))
    }

    fn frame(&self, items: &[Item], places: &[u32]) -> Frame {
        let places: Vec<Place<'_>> = places
            .iter()
            .map(|row| Place(&self.flat.wires[self.flat.starts[*row as usize]..]))
            .collect();
        Frame::of(&self.named_terms(items), &places)
    }

    /// Writes items, whose first constraint is `row` of the circuit, with wires as `frame` numbers them.
    fn fill(&self, body: &mut Body, items: &[Item], row: u32, frame: &Frame) {
        let start = self.flat.starts[row as usize];
        let global = |term: usize| self.flat.wires[start + term];
        let mut terms = Vec::new();
        let mut place = 0; // among the named terms
        let mut next = || {
            place += 1;
            place - 1
        };
        for item in items {
            match self.template(item.symbol) {
                None => {
                    let mut form = self.flat.form(item.symbol);
                    terms.clear();
                    let ends = [(); 3].map(|()| {
                        let (count, rest) = form.split_first().expect("three counts");
                        let (coefficients, rest) = rest.split_at(*count as usize);
                        for coefficient in coefficients {
                            let wire = frame.local(next(), global(item.term + terms.len()));
                            terms.push(PooledTerm {
                                coefficient: *coefficient,
                                wire,
                            });
                        }
                        form = rest;
                        terms.len()
                    });
                    body.push_row([
                        &terms[..ends[0]],
                        &terms[ends[0]..ends[1]],
                        &terms[ends[1]..],
                    ]);
                }
                Some(template) => {
                    let wires: Vec<u32> = template
                        .frame
                        .named_terms()
                        .map(|term| frame.local(next(), global(item.term + term)))
                        .collect();
                    let ports = &wires[usize::from(template.frame.has_own())..];
                    // Any wire will do for one that has none: one that is near takes a byte.
                    let first = wires.first().copied().unwrap_or(0);
                    let instance = Instance {
                        template: template.number,
                        name: 0,
                        index: None,
                        first,
                    };
                    body.push_instance(&instance, ports, &self.bodies[template.number]);
                }
            }
        }
    }
}
