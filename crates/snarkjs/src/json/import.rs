//! Proving keys in the JSON of `zkey export json`, read one value at a time.

use std::collections::HashMap;
use std::fmt;
use std::io::Write;

use frumious_circom::{Error, FileKind, Problem};
use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_field::{PrimeField, TwiceMontgomery};
use frumious_groth16::{Coefficient, KeyHeader, Matrix};
use serde_core::de::{Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::keys::modulus_of;
use super::read::syntax;
use super::{Document, Node};
use crate::generic::ZkeyWriter;

/// The curve of a proving key in JSON, by its field `r`. None for text that is no object with such a field, or of
/// another prime.
pub fn zkey_json_curve(json: &[u8]) -> Option<PairingCurve> {
    let fields = Fields::parse(json).ok()?;
    let r: &str = serde_json::from_str(fields.field("r").ok()?.get()).ok()?;
    let curves = [PairingCurve::Bn254, PairingCurve::Bls12_381];
    curves.into_iter().find(|curve| curve.scalar_modulus() == r)
}

/// Writes the zkey that was exported as this JSON, by snarkjs or by [`write_zkey_json`](super::write_zkey_json). JSON
/// has neither the circuit's hash nor contributions: the key has zeros, and none.
///
/// Each point is shown to be on its curve, those of the header to be in their groups. Memory beside the text: some
/// hundred kilobytes.
///
/// # Errors
/// [`Error::Malformed`] with the path of the value: text that is not such JSON, or is over another curve. A list of
/// another length than the header tells. A point that is none. [`Error::Write`] when `out` fails.
pub fn zkey_from_json<E: PairingEngine, W: Write>(json: &[u8], out: W) -> Result<W, Error> {
    let fields = Fields::parse(json)?;
    let header = fields.header::<E>()?;
    let list = |name| List::of(&fields, name);
    let entries = list("ccoefs")?;
    let mut writer = ZkeyWriter::<E, W>::new(out, &header, entries.count()?)?;
    let (first_private, wires) = (header.n_public + 1, header.n_wires);
    list("IC")?.points(0, first_private, |points| writer.write_ic(points))?;
    entries.coefficients(&header, |entries| writer.write_coefficients(entries))?;
    list("A")?.points(0, wires, |points| writer.write_a(points))?;
    list("B1")?.points(0, wires, |points| writer.write_b1(points))?;
    list("B2")?.points(0, wires, |points| writer.write_b2(points))?;
    list("C")?.points(first_private, wires, |points| writer.write_c(points))?;
    let rows = header.domain_size;
    list("hExps")?.points(0, rows, |points| writer.write_h(points))?;
    writer.finish(&[0; 64])
}

/// The fields of the object that a key has, as text. Others are passed over.
struct Fields<'a>(HashMap<&'static str, &'a RawValue>);

impl<'a> Fields<'a> {
    fn parse(json: &'a [u8]) -> Result<Self, Error> {
        let mut parser = serde_json::Deserializer::from_slice(json);
        let fields = parser.deserialize_map(FieldsVisitor);
        let fields = fields.and_then(|fields| parser.end().map(|()| fields));
        fields.map_err(|error| Error::json(FILE, "$", syntax(&error)))
    }

    fn field(&self, name: &str) -> Result<&'a RawValue, Error> {
        let missing = || wrong(&format!("$.{name}"), "this key, which is missing");
        self.0.get(name).copied().ok_or_else(missing)
    }

    /// A field that is a short text or a number, with its path.
    fn value<T>(
        &self,
        name: &str,
        read: impl FnOnce(Node<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let document = Document::parse(FILE, self.field(name)?.get().as_bytes())?;
        read(document.node(&format!("$.{name}")))
    }

    fn expect_text(&self, name: &str, text: &str, what: &'static str) -> Result<(), Error> {
        self.value(name, |node| match node.text()? == text {
            true => Ok(()),
            false => Err(node.error(Problem::Expected(what))),
        })
    }

    fn count(&self, name: &str) -> Result<u32, Error> {
        self.value(name, |node| {
            let count = u32::try_from(node.integer()?);
            count.map_err(|_| node.error(Problem::Expected("less than 2^32")))
        })
    }

    fn point<P: PairingGroup<Base: ResidueField>>(&self, name: &str) -> Result<P, Error> {
        self.value(name, |node| node.finite_point())
    }

    fn header<E: PairingEngine>(&self) -> Result<KeyHeader<E>, Error> {
        self.expect_text("protocol", "groth16", "groth16")?;
        let r = E::CURVE.scalar_modulus();
        self.expect_text("r", r, "the prime of the curve's scalar field")?;
        let q = modulus_of::<E::Fq>();
        self.expect_text("q", &q, "the prime of the curve that r tells")?;
        let n_wires = self.count("nVars")?;
        let n_public = self.count("nPublic")?;
        let domain_size = self.count("domainSize")?;
        if n_public >= n_wires {
            return Err(wrong("$.nPublic", "less than nVars"));
        }
        let max_log = E::Fr::TWO_ADICITY.min(31); // as in a zkey
        if !domain_size.is_power_of_two() || domain_size.ilog2() > max_log {
            return Err(wrong(
                "$.domainSize",
                "a power of two, of which r - 1 is a multiple",
            ));
        }
        if n_public >= domain_size {
            return Err(wrong("$.nPublic", "less than domainSize"));
        }
        Ok(KeyHeader {
            n_wires,
            n_public,
            domain_size,
            alpha_g1: self.point("vk_alpha_1")?,
            beta_g1: self.point("vk_beta_1")?,
            beta_g2: self.point("vk_beta_2")?,
            gamma_g2: self.point("vk_gamma_2")?,
            delta_g1: self.point("vk_delta_1")?,
            delta_g2: self.point("vk_delta_2")?,
        })
    }
}

struct FieldsVisitor;

impl<'a> Visitor<'a> for FieldsVisitor {
    type Value = Fields<'a>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Fields<'a>, A::Error> {
        let mut fields = HashMap::new();
        while let Some(name) = map.next_key::<&'a str>()? {
            match NAMES.into_iter().find(|known| *known == name) {
                None => drop(map.next_value::<IgnoredAny>()?),
                Some(known) => {
                    if fields.insert(known, map.next_value()?).is_some() {
                        return Err(A::Error::custom(format_args!("{known} is there twice")));
                    }
                }
            }
        }
        Ok(Fields(fields))
    }
}

/// The fields that a key has.
const NAMES: [&str; 19] = [
    "protocol",
    "q",
    "r",
    "nVars",
    "nPublic",
    "domainSize",
    "vk_alpha_1",
    "vk_beta_1",
    "vk_beta_2",
    "vk_gamma_2",
    "vk_delta_1",
    "vk_delta_2",
    "IC",
    "ccoefs",
    "A",
    "B1",
    "B2",
    "C",
    "hExps",
];

/// A field that is a list, read one element at a time.
struct List<'a> {
    path: String,
    text: &'a RawValue,
}

impl<'a> List<'a> {
    fn of(fields: &Fields<'a>, name: &str) -> Result<Self, Error> {
        let text = fields.field(name)?;
        let path = format!("$.{name}");
        Ok(Self { path, text })
    }

    /// Writes points. The list has `length` elements, of which the first `nulls` stand for none.
    fn points<P: PairingGroup<Base: ResidueField>>(
        &self,
        nulls: u32,
        length: u32,
        write: impl FnMut(&[P]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let read = |index, element: &Node<'_>| {
            if index >= u64::from(length) {
                return Err(element.error(Problem::Expected("no more elements")));
            }
            match index < u64::from(nulls) {
                true => element.null().map(|()| None),
                false => element.point().map(Some),
            }
        };
        match self.write_each(read, write)? == u64::from(length) {
            true => Ok(()),
            false => Err(wrong(&self.path, "as many elements as the header tells")),
        }
    }

    fn coefficients<E: PairingEngine>(
        &self,
        header: &KeyHeader<E>,
        write: impl FnMut(&[Coefficient<E::Fr>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let read = |_, element: &Node<'_>| coefficient(element, header).map(Some);
        self.write_each(read, write).map(drop)
    }

    /// Writes what `read` makes of each element, if anything. Returns how many elements there are.
    fn write_each<T>(
        &self,
        read: impl Fn(u64, &Node<'_>) -> Result<Option<T>, Error>,
        mut write: impl FnMut(&[T]) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let mut batch = Vec::with_capacity(BATCH);
        let n = self.each(|index, element| {
            batch.extend(read(index, &element)?);
            if batch.len() == BATCH {
                write(&batch)?;
                batch.clear();
            }
            Ok(())
        })?;
        write(&batch)?;
        Ok(n)
    }

    /// Number of elements.
    fn count(&self) -> Result<u32, Error> {
        let mut n = 0_u64;
        let counted = elements(self.text, |_| {
            n += 1;
            Ok(())
        });
        counted.map_err(|error| self.syntax(&error))?;
        u32::try_from(n).map_err(|_| wrong(&self.path, "less than 2^32 elements"))
    }

    /// Calls `visit` with each element and its number. Returns how many there are.
    fn each(
        &self,
        mut visit: impl FnMut(u64, Node<'_>) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let (mut n, mut failed) = (0, None);
        let read = elements(self.text, |element| {
            let path = format!("{}[{n}]", self.path);
            let document = Document::parse(FILE, element.get().as_bytes());
            let visited = document.and_then(|document| visit(n, document.node(&path)));
            n += 1;
            visited.map_err(|error| failed = Some(error))
        });
        match (failed, read) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(self.syntax(&error)),
            (None, Ok(())) => Ok(n),
        }
    }

    fn syntax(&self, error: &serde_json::Error) -> Error {
        Error::json(FILE, self.path.as_str(), syntax(error))
    }
}

fn coefficient<E: PairingEngine>(
    entry: &Node<'_>,
    header: &KeyHeader<E>,
) -> Result<Coefficient<E::Fr>, Error> {
    let below = |name: &str, bound: u32, what: &'static str| -> Result<u32, Error> {
        let node = entry.key(name)?;
        let value = u32::try_from(node.integer()?).ok();
        let value = value.filter(|value| *value < bound);
        value.ok_or_else(|| node.error(Problem::Expected(what)))
    };
    let value: E::Fr = entry.key("value")?.number()?;
    Ok(Coefficient {
        matrix: match below("matrix", 2, "0 or 1")? {
            0 => Matrix::A,
            _ => Matrix::B,
        },
        row: below("constraint", header.domain_size, "less than domainSize")?,
        wire: below("signal", header.n_wires, "less than nVars")?,
        value: TwiceMontgomery::from(value),
    })
}

/// Calls `visit` with each element of a list, until it refuses one.
fn elements<'a>(
    list: &'a RawValue,
    visit: impl FnMut(&'a RawValue) -> Result<(), ()>,
) -> Result<(), serde_json::Error> {
    struct Elements<V>(V);
    impl<'a, V: FnMut(&'a RawValue) -> Result<(), ()>> Visitor<'a> for Elements<V> {
        type Value = ();

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'a>>(mut self, mut list: A) -> Result<(), A::Error> {
            while let Some(element) = list.next_element::<&'a RawValue>()? {
                (self.0)(element).map_err(|()| A::Error::custom("refused"))?;
            }
            Ok(())
        }
    }
    serde_json::Deserializer::from_str(list.get()).deserialize_seq(Elements(visit))
}

fn wrong(path: &str, what: &'static str) -> Error {
    Error::json(FILE, path, Problem::Expected(what))
}

const FILE: FileKind = FileKind::Zkey;

/// Entries that are written at once.
const BATCH: usize = 1 << 10;
