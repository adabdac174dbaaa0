//! Finding and writing of section 4 as templates.

use super::TemplateRows;
use crate::groth16::fkey::encode::{push, push_step};
use crate::groth16::fkey::table::{Encoding, Entry};
use crate::groth16::fkey::{KIND, encode};
use crate::groth16::zkey::{COEFFICIENT_BYTES, Coefficients};
use frumious_circom::Error;
use frumious_circom::container::Section;
use frumious_circom::words;
use frumious_curves::PairingEngine;
use frumious_field::WordField;
use frumious_groth16::{Coefficient, KeyHeader, Matrix};
use frumious_r1cs::{BodyBuilder, Interface, Part, PooledTerm, Row, System, SystemBuilder, Wire};
use std::io::{self, Write};

/// Section 4 as it is stored.
pub(in crate::groth16::fkey) struct Found {
    pub(in crate::groth16::fkey) stored: Vec<u8>,
    pub(in crate::groth16::fkey) rows: u64,
    pub(in crate::groth16::fkey) values: u64,
}

/// Templates over coefficients that are in rows, if their code has at most half of the bytes of rows. A smaller gain is
/// not worth the private memory of those who read it.
///
/// Searches [`ROWS_PER_SEARCH`] rows at a time, or fewer with [`COEFFICIENTS_PER_SEARCH`] coefficients. The templates
/// found are read back and compared.
///
/// # Errors
/// [`Error::Malformed`] if the file changes under the mapping.
pub(in crate::groth16::fkey) fn find<E: PairingEngine>(
    coefficients: &Coefficients<'_, E>,
    header: &KeyHeader<E>,
) -> Result<Option<Found>, Error> {
    let mut as_rows = Counter(0);
    let counted = encode::encode(coefficients, &mut as_rows);
    let (_, values) = counted.expect("a counter takes all bytes")?;
    let limit = (as_rows.0 - 32 * values) / 2;

    let mut encoder = Encoder::default();
    let mut search = Search::<E>::new(header.n_wires);
    for coefficient in coefficients.iter() {
        let coefficient = coefficient?;
        while search.row < coefficient.row {
            search.end_row();
            if search.is_full() {
                encoder.append(&search.finish());
                if encoder.len() > limit {
                    return Ok(None);
                }
            }
        }
        search.push(&coefficient);
    }
    if !coefficients.is_empty() {
        search.end_row();
        encoder.append(&search.finish());
    }
    let found = encoder.finish(search.row.into());
    let code = found.stored.len() as u64 - 32 * found.values;
    let pays = code <= limit && is_equal(&found, coefficients, header);
    Ok(pays.then_some(found))
}

/// True if the coefficients can be read from what is to be stored: within the bounds of a reader, and none has changed.
fn is_equal<E: PairingEngine>(
    found: &Found,
    coefficients: &Coefficients<'_, E>,
    header: &KeyHeader<E>,
) -> bool {
    let entry = Entry {
        section: 4,
        encoding: Encoding::Templates,
        zkey_length: (4 + COEFFICIENT_BYTES * coefficients.len()) as u64,
        offset: 0,
        length: found.stored.len() as u64,
        n: found.rows,
        m: found.values,
    };
    let stored = Section {
        file: KIND,
        id: 4,
        offset: 0,
        bytes: &found.stored,
    };
    let Ok(read) = TemplateRows::<E>::read(stored, &entry, header) else {
        return false;
    };
    let mut records = coefficients.iter();
    let mut all_equal = true;
    let walk = read.for_each(0..read.rows(), |coefficient| {
        all_equal &= matches!(records.next(), Some(Ok(record)) if record == coefficient);
        Ok(())
    });
    walk.is_ok() && all_equal && records.next().is_none()
}

/// The rows in which templates are looked for at one time.
struct Search<E: PairingEngine> {
    /// The row whose coefficients are given.
    row: u32,
    terms: [Vec<(Wire, E::Fr)>; 2],
    builder: SystemBuilder<E::Fr>,
    main: BodyBuilder,
    n_wires: u32,
    coefficients: usize,
}

impl<E: PairingEngine> Search<E> {
    fn new(n_wires: u32) -> Self {
        Self {
            row: 0,
            terms: Default::default(),
            builder: SystemBuilder::new(),
            main: all_wires(n_wires),
            n_wires,
            coefficients: 0,
        }
    }

    fn push(&mut self, coefficient: &Coefficient<E::Fr>) {
        let wire = self.main.wire(coefficient.wire);
        let terms = match coefficient.matrix {
            Matrix::A => &mut self.terms[0],
            Matrix::B => &mut self.terms[1],
        };
        // As it is stored: whatever it means, equal ones have equal words.
        terms.push((wire, coefficient.value.to_element_of_form()));
    }

    fn end_row(&mut self) {
        let [a, b] = &mut self.terms;
        self.builder.constrain(&mut self.main, a, b, &[]);
        self.coefficients += a.len() + b.len();
        a.clear();
        b.clear();
        self.row += 1;
    }

    fn is_full(&self) -> bool {
        self.main.n_constraints() >= ROWS_PER_SEARCH || self.coefficients >= COEFFICIENTS_PER_SEARCH
    }

    /// The rows so far with templates; the next ones are looked at without them.
    fn finish(&mut self) -> System<E::Fr> {
        let builder = std::mem::replace(&mut self.builder, SystemBuilder::new());
        let main = std::mem::replace(&mut self.main, all_wires(self.n_wires));
        self.coefficients = 0;
        let flat = builder.finish(main, Interface::default());
        flat.with_templates()
    }
}

/// A circuit of so many wires, the constant one among them.
fn all_wires(n_wires: u32) -> BodyBuilder {
    let mut main = BodyBuilder::main();
    if n_wires > 1 {
        main.own_wires(n_wires - 1);
    }
    main
}

/// The templates found so far, as code.
#[derive(Default)]
struct Encoder {
    n_templates: u32,
    templates: Vec<u8>,
    whole: Code,
    values: encode::Values,
}

impl Encoder {
    /// Appends rows that follow those so far.
    fn append<F: WordField>(&mut self, system: &System<F>) {
        let values = system.pool().values();
        let first = self.n_templates;
        let n_templates = system.n_templates();
        let mut has_own = Vec::with_capacity(n_templates);
        for (index, content) in system.contents().enumerate() {
            let mut template = Code::default();
            let code = match index < n_templates {
                true => &mut template,
                false => &mut self.whole,
            };
            let mut names_own = false;
            let mut name = |code: &mut Code, wire: u32| {
                names_own |= wire > content.n_ports();
                code.wire(wire);
            };
            content.for_each(|part| match part {
                Part::Row(Row { a: [], b: [], .. }) => code.empty_rows += 1,
                Part::Row(Row { a, b, .. }) => {
                    code.begin_item(2 * a.len() as u32 + 1); // fewer than 2^31 coefficients
                    push(&mut code.bytes, b.len() as u32);
                    for PooledTerm { coefficient, wire } in a.iter().chain(b) {
                        let value = values[*coefficient as usize].as_words();
                        push(&mut code.bytes, self.values.number(value));
                        name(code, *wire);
                    }
                }
                Part::Instance {
                    template,
                    first: first_own,
                    ports,
                } => {
                    code.begin_item(2 * (first + template as u32));
                    if has_own[template] {
                        name(code, first_own);
                    }
                    ports.iter().for_each(|port| name(code, *port));
                }
            });
            if index < n_templates {
                has_own.push(names_own);
                template.finish(content.n_ports(), &mut self.templates);
            }
        }
        self.n_templates += n_templates as u32;
    }

    /// Bytes of items so far.
    fn len(&self) -> u64 {
        (self.templates.len() + self.whole.bytes.len()) as u64
    }

    fn finish(self, rows: u64) -> Found {
        let mut stored = Vec::new();
        push(&mut stored, self.n_templates);
        stored.extend(self.templates);
        self.whole.finish(0, &mut stored);
        for value in self.values.all() {
            stored.extend(words::to_le_bytes(value));
        }
        Found {
            stored,
            rows,
            values: self.values.all().len() as u64,
        }
    }
}

/// The code of a template or of the whole.
#[derive(Default)]
struct Code {
    bytes: Vec<u8>,
    n_items: u32,
    last_wire: u32,
    /// Rows without coefficients that are not written yet.
    empty_rows: u32,
}

impl Code {
    fn begin_item(&mut self, head: u32) {
        self.write_empty_rows();
        self.n_items += 1;
        push(&mut self.bytes, head);
    }

    fn write_empty_rows(&mut self) {
        if self.empty_rows > 0 {
            [1, 0, self.empty_rows]
                .into_iter()
                .for_each(|number| push(&mut self.bytes, number));
            self.n_items += 1;
            self.empty_rows = 0;
        }
    }

    fn wire(&mut self, wire: u32) {
        push_step(&mut self.bytes, self.last_wire, wire);
        self.last_wire = wire;
    }

    fn finish(mut self, n_ports: u32, out: &mut Vec<u8>) {
        self.write_empty_rows();
        push(out, n_ports);
        push(out, self.n_items);
        out.extend(self.bytes);
    }
}

/// Counts bytes.
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// For these a search takes 0.5 GB if nothing repeats.
const ROWS_PER_SEARCH: u64 = if cfg!(test) { 1 << 10 } else { 1 << 21 };
const COEFFICIENTS_PER_SEARCH: usize = 1 << 23;
