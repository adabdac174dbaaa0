//! Reading and checking of section 4 as templates.

use super::{Body, Item, Kind, MAX_COEFFICIENTS_A_ROW, MAX_DEPTH, MAX_FRAMES, TemplateRows};
use crate::groth16::fkey::rows::{Reader, coefficients_in_zkey};
use crate::groth16::fkey::table::Entry;
use frumious_circom::container::Section;
use frumious_circom::words;
use frumious_circom::{Error, Problem};
use frumious_curves::PairingEngine;
use frumious_field::TwiceMontgomery;
use frumious_groth16::KeyHeader;
use std::marker::PhantomData;

impl<E: PairingEngine> TemplateRows<E> {
    /// Memory while it reads and after: some ten bytes for each of the section's code. At most some fifty, where all of
    /// it is templates of one row.
    pub(in crate::groth16::fkey) fn read(
        stored: Section<'_>,
        entry: &Entry,
        header: &KeyHeader<E>,
    ) -> Result<Self, Error> {
        let coefficients = coefficients_in_zkey(stored, entry)?;
        let domain_size = u64::from(header.domain_size);
        let below = |what, value: u64, bound: u64| match value < bound {
            true => Ok(()),
            false => Err(stored.error(0, Problem::OutOfRange { what, value, bound })),
        };
        below("number of rows", entry.n, domain_size + 1)?;
        below("number of values", entry.m, coefficients + 1)?;
        let most = MAX_COEFFICIENTS_A_ROW * domain_size;
        below("number of coefficients", coefficients, most + 1)?;
        let (values_bytes, length) = (32 * entry.m, stored.bytes.len() as u64); // m is below 2^32
        let Some(code_bytes) = length.checked_sub(values_bytes) else {
            let problem = Problem::SectionLength {
                expected: values_bytes,
                actual: length,
            };
            return Err(stored.error(0, problem));
        };
        below("length of the code", code_bytes, 1 << 31)?;
        let (code, values) = stored.bytes.split_at(code_bytes as usize);
        let mut parser = Parser {
            reader: Reader {
                code: Section {
                    bytes: code,
                    ..stored
                },
                place: 0,
            },
            last_wire: 0,
            n_values: entry.m as u32,
            n_wires: header.n_wires,
            max_rows: entry.n as u32, // at most the size of a domain
            max_coefficients: coefficients as u32,
            bodies: Vec::new(),
            measures: Vec::new(),
            items: Vec::new(),
            words: Vec::new(),
        };
        let frames = parser.all()?;
        Ok(Self {
            frames,
            rows: parser.max_rows,
            coefficients: parser.max_coefficients,
            stored_length: stored.bytes.len(),
            values: read_values::<E>(stored, code_bytes, values)?,
            bodies: parser.bodies,
            items: parser.items,
            words: parser.words,
            engine: PhantomData,
        })
    }
}

fn read_values<E: PairingEngine>(
    stored: Section<'_>,
    start: u64,
    values: &[u8],
) -> Result<Vec<TwiceMontgomery<E::Fr>>, Error> {
    let (values, _) = values.as_chunks::<32>();
    let mut read = Vec::with_capacity(values.len());
    for (k, value) in values.iter().enumerate() {
        let value = words::from_le_bytes(value);
        let Some(value) = TwiceMontgomery::new(value).into_option() else {
            return Err(stored.error(start + 32 * k as u64, Problem::NotCanonical));
        };
        read.push(value);
    }
    Ok(read)
}

struct Parser<'s> {
    reader: Reader<'s>,
    last_wire: u32,
    n_values: u32,
    n_wires: u32,
    max_rows: u32,
    max_coefficients: u32,
    bodies: Vec<Body>,
    /// One for each of the bodies.
    measures: Vec<Measure>,
    items: Vec<Item>,
    words: Vec<u32>,
}

/// The bytes of a body wherever it stands.
#[derive(Default)]
struct Measure {
    /// One for a template without instances.
    depth: u32,
    rows: u32,
    coefficients: u32,
    /// Its constant one and ports, with those of the deepest of its templates; at most [`MAX_FRAMES`].
    frames: u32,
    /// Wires of its own; at most `n_wires`.
    own: u32,
    /// For each port, the number of wires from it on that are named in the body. It is more than one if instances have
    /// the port as the first of their own. At most `n_wires`.
    ports: Vec<u32>,
}

impl Parser<'_> {
    /// Everything. Returns the frames of the whole.
    fn all(&mut self) -> Result<u32, Error> {
        let n_templates = self.reader.number()?;
        for _ in 0..n_templates {
            self.body(false)?;
        }
        let place = self.reader.place;
        self.body(true)?;
        let whole = &self.measures[n_templates as usize];
        for (what, actual, expected) in [
            ("rows", whole.rows, self.max_rows),
            ("coefficients", whole.coefficients, self.max_coefficients),
        ] {
            if actual != expected {
                let problem = Problem::Count {
                    what,
                    expected: expected.into(),
                    actual: actual.into(),
                };
                return Err(self.reader.code.error(place as u64, problem));
            }
        }
        if self.reader.place != self.reader.code.bytes.len() {
            let problem = Problem::SectionLength {
                expected: self.reader.place as u64,
                actual: self.reader.code.bytes.len() as u64,
            };
            let place = self.reader.place as u64;
            return Err(self.reader.code.error(place, problem));
        }
        self.items.shrink_to_fit();
        self.words.shrink_to_fit();
        self.bodies.shrink_to_fit();
        Ok(self.measures[n_templates as usize].frames)
    }

    /// The next template, or the whole.
    fn body(&mut self, is_whole: bool) -> Result<(), Error> {
        let start = self.reader.place;
        let n_ports = self.reader.number()?;
        // Each is named by an integer of the body. This bounds what is allocated before that is known.
        let left = (self.reader.code.bytes.len() - self.reader.place) as u64;
        let bound = if is_whole { 1 } else { left + 1 };
        if u64::from(n_ports) >= bound {
            return Err(self
                .reader
                .out_of_range(start, "number of ports", n_ports, bound));
        }
        let n_items = self.reader.number()?;
        let first_item = self.items.len();
        let mut measure = Measure {
            depth: 1,
            ports: vec![0; n_ports as usize],
            ..Measure::default()
        };
        self.last_wire = 0;
        for _ in 0..n_items {
            let place = self.reader.place;
            let head = self.reader.number()?;
            let item = Item {
                row: measure.rows,
                word: self.words.len() as u32, // at most two for each byte of the code
                kind: match head & 1 {
                    0 => self.instance(&mut measure, head >> 1, place, is_whole)?,
                    _ => self.row(&mut measure, head >> 1, place, is_whole)?,
                },
            };
            self.items.push(item);
        }
        let is_unused = |port: &u32| *port == 0;
        if let Some(port) = measure.ports.iter().position(is_unused) {
            let (port, used) = (port as u32 + 1, port as u64 + 1);
            return Err(self.reader.out_of_range(start, "port", port, used));
        }
        if measure.rows == 0 && !is_whole {
            let problem = Problem::Count {
                what: "rows of a template",
                expected: 1,
                actual: 0,
            };
            return Err(self.reader.code.error(start as u64, problem));
        }
        if measure.depth > MAX_DEPTH + u32::from(is_whole) {
            let (depth, bound) = (measure.depth, u64::from(MAX_DEPTH) + 1);
            return Err(self
                .reader
                .out_of_range(start, "depth of templates", depth, bound));
        }
        let frames = u64::from(measure.frames) + 1 + u64::from(n_ports);
        if frames > MAX_FRAMES {
            let problem = Problem::OutOfRange {
                what: "number of ports of templates in each other",
                value: frames,
                bound: MAX_FRAMES + 1,
            };
            return Err(self.reader.code.error(start as u64, problem));
        }
        measure.frames = frames as u32;
        self.bodies.push(Body {
            n_ports,
            items: first_item..self.items.len(),
        });
        self.measures.push(measure);
        Ok(())
    }

    fn row(
        &mut self,
        measure: &mut Measure,
        of_a: u32,
        place: usize,
        is_whole: bool,
    ) -> Result<Kind, Error> {
        let of_b = self.reader.number()?;
        let count = u64::from(of_a) + u64::from(of_b);
        if count == 0 {
            let rows = self.reader.number()?;
            if rows == 0 {
                let problem = Problem::Count {
                    what: "rows",
                    expected: 1,
                    actual: 0,
                };
                return Err(self.reader.code.error(place as u64, problem));
            }
            self.add(measure, rows.into(), 0, place)?;
            return Ok(Kind::Empty);
        }
        self.add(measure, 1, count, place)?;
        self.words.extend([of_a, of_b]);
        for _ in 0..count {
            let place = self.reader.place;
            let number = self.reader.number()?;
            if number >= self.n_values {
                let bound = self.n_values.into();
                return Err(self
                    .reader
                    .out_of_range(place, "number of a value", number, bound));
            }
            let wire = self.wire(measure, 1, is_whole)?;
            self.words.extend([number, wire]);
        }
        Ok(Kind::Row)
    }

    fn instance(
        &mut self,
        measure: &mut Measure,
        template: u32,
        place: usize,
        is_whole: bool,
    ) -> Result<Kind, Error> {
        let before = self.measures.len();
        if template as usize >= before {
            let bound = before as u64;
            return Err(self.reader.out_of_range(place, "template", template, bound));
        }
        // Taken out so that wires can be read meanwhile.
        let inner = std::mem::take(&mut self.measures[template as usize]);
        measure.depth = measure.depth.max(1 + inner.depth);
        measure.frames = measure.frames.max(inner.frames); // its own ports are added at its end
        self.add(measure, inner.rows.into(), inner.coefficients.into(), place)?;
        let first = match inner.own {
            0 => 0,
            own => self.wire(measure, own, is_whole)?,
        };
        self.words.push(first);
        for extent in &inner.ports {
            let wire = self.wire(measure, *extent, is_whole)?;
            self.words.push(wire);
        }
        self.measures[template as usize] = inner;
        Ok(Kind::Instance { template })
    }

    /// Counts rows and coefficients, of which there may be as many as the table says.
    fn add(
        &self,
        measure: &mut Measure,
        rows: u64,
        coefficients: u64,
        place: usize,
    ) -> Result<(), Error> {
        for (what, total, more, max) in [
            ("number of rows", &mut measure.rows, rows, self.max_rows),
            (
                "number of coefficients",
                &mut measure.coefficients,
                coefficients,
                self.max_coefficients,
            ),
        ] {
            // Neither is above 2^33.
            let value = u64::from(*total) + more;
            if value > max.into() {
                let bound = u64::from(max) + 1;
                let problem = Problem::OutOfRange { what, value, bound };
                return Err(self.reader.code.error(place as u64, problem));
            }
            *total = value as u32;
        }
        Ok(())
    }

    /// A local wire, from which on `extent` wires are named, one at least: all of them are wires of the key wherever
    /// the body stands.
    fn wire(&mut self, measure: &mut Measure, extent: u32, is_whole: bool) -> Result<u32, Error> {
        let place = self.reader.place;
        let wire = self.reader.step(self.last_wire)?;
        self.last_wire = wire;
        let shared = measure.ports.len() as u64; // ports, below 2^32
        // How far it is from the wire that the body's own are counted from, in the whole from wire 0.
        let distance = match u64::from(wire) {
            0 => 0,
            wire if wire <= shared => {
                let port = &mut measure.ports[wire as usize - 1];
                *port = extent.max(*port);
                0
            }
            wire if is_whole => wire,
            wire => wire - 1 - shared,
        };
        let end = distance + u64::from(extent);
        if end > self.n_wires.into() {
            let bound = self.n_wires.into();
            let problem = Problem::OutOfRange {
                what: "wire",
                value: end - 1,
                bound,
            };
            return Err(self.reader.code.error(place as u64, problem));
        }
        if u64::from(wire) > shared {
            measure.own = measure.own.max(end as u32); // at most n_wires
        }
        Ok(wire)
    }
}
