#![forbid(unsafe_code)]
//! The JSON forms of Verkle's inputs and outputs.
//!
//! | form | JSON |
//! |---|---|
//! | bytes | string of hexadecimal digits, with or without `0x` |
//! | scalar | `"0x…"`: 32 bytes, least significant first; or a whole number, as a string of decimal digits or, below 2^64, as it is |
//! | vector | array of at most 256 scalars, or object from index to scalar: `{"0": "7", "255": 1}`; what is not given is zero |
//! | vectors | a vector, or an array of vectors |
//! | openings | array of `{"polynomial": vector, "point": 0…255}`, or `"points": […]` for several; `"commitment"` if it is known |
//! | claims | array of `{"commitment": 32 bytes, "point": 0…255, "value": scalar}` |
//! | proof | `{"proof": 576 bytes}` |
//! | entries | array of `[key, value]`, or object from key to value, each 32 bytes; no key twice |
//!
//! All of it is untrusted: counts are bounded, elements and scalars canonical, keys known and unique.

mod json;

pub use json::{Error, Problem, hexadecimal, to_hexadecimal};

use std::collections::HashSet;

use frumious_curves::bandersnatch::{AffineElement, Element, Fr, batch_to_bytes_vartime};
use frumious_verkle::{Claim, DOMAIN, Multiproof, Values};

use json::{Kind, Node};

/// The non-zero values of a vector with their indices, in no order.
pub type Terms = Vec<(usize, Fr)>;

/// A polynomial to be opened.
#[derive(Debug)]
pub struct Polynomial {
    /// As given, not checked to be the polynomial's.
    pub commitment: Option<Element>,
    /// At 0, 1, …, 255.
    pub values: Box<Values>,
    /// Where; at least one, in the order given, which may repeat.
    pub points: Vec<u8>,
}

/// Keys and values of a tree.
pub type Entries = Vec<([u8; 32], [u8; 32])>;

/// Reads vectors.
///
/// # Errors
/// Text that is no JSON, a vector of another form, or too many values; the error names the place.
pub fn vectors(text: &str) -> Result<Vec<Terms>, Error> {
    let root = Node::root(text)?;
    match root.first_kind() {
        Some(Kind::Array | Kind::Object) => root.elements(MOST_VECTORS, |node| vector(&node)),
        _ => Ok(vec![vector(&root)?]),
    }
}

/// Reads the polynomials to be opened, of which there is at least one.
///
/// # Errors
/// Text that is no JSON, a polynomial of another form, none at all, or too many openings; the error names the place.
pub fn openings(text: &str) -> Result<Vec<Polynomial>, Error> {
    let root = Node::root(text)?;
    let mut openings = 0;
    let polynomials = root.elements(MOST_POLYNOMIALS, |node| {
        let polynomial = polynomial(&node)?;
        openings += polynomial.points.len();
        match openings <= MOST_OPENINGS {
            true => Ok(polynomial),
            false => Err(node.error(Problem::TooMany {
                most: MOST_OPENINGS,
            })),
        }
    })?;
    not_empty(&root, polynomials)
}

/// Reads claims, of which there is at least one.
///
/// # Errors
/// Text that is no JSON, a claim of another form, none at all, or too many; the error names the place.
pub fn claims(text: &str) -> Result<Vec<Claim>, Error> {
    let root = Node::root(text)?;
    let claims = root.elements(MOST_OPENINGS, |node| {
        let [commitment, point, value] = node.fields(["commitment", "point", "value"])?;
        Ok(Claim {
            commitment: node.needed("commitment", commitment)?.element()?,
            point: node.needed("point", point)?.byte()?,
            value: node.needed("value", value)?.scalar()?,
        })
    })?;
    not_empty(&root, claims)
}

/// Reads a proof.
///
/// # Errors
/// Text that is no JSON, has no `proof`, or one that is no encoding of a multiproof; the error names the place.
pub fn proof(text: &str) -> Result<Multiproof, Error> {
    let root = Node::root(text)?;
    let [proof] = root.fields(["proof"])?;
    let node = root.needed("proof", proof)?;
    let bytes = node.bytes::<{ Multiproof::BYTES }>()?;
    Multiproof::from_bytes(&bytes).map_err(|error| node.error(Problem::Other(error.to_string())))
}

/// Reads entries.
///
/// # Errors
/// Text that is no JSON, an entry of another form, a key that occurs twice, or too many entries; the error names the
/// place.
pub fn entries(text: &str) -> Result<Entries, Error> {
    let root = Node::root(text)?;
    let mut keys = HashSet::new();
    let mut unique = |node: &Node<'_, '_>, key: [u8; 32]| match keys.insert(key) {
        true => Ok(key),
        false => Err(node.error(Problem::Repeated)),
    };
    if root.kind() == Kind::Array {
        return root.elements(MOST_ENTRIES, |node| {
            let pair = node.elements(2, |node| node.bytes::<32>())?;
            let [key, value] = pair[..] else {
                return Err(node.error(Problem::Expected("a key and a value")));
            };
            Ok((unique(&node, key)?, value))
        });
    }
    let mut entries = Vec::new();
    root.entries(MOST_ENTRIES, |key, node| {
        let key = hexadecimal(key).map_err(|problem| node.error(problem))?;
        entries.push((unique(&node, key)?, node.bytes()?));
        Ok(())
    })?;
    Ok(entries)
}

/// The text of an execution witness: what the document has at `executionWitness`, as blocks do, or all of it.
///
/// # Errors
/// Text that is no JSON. The witness itself is not read.
pub fn execution_witness(text: &str) -> Result<&str, Error> {
    let root = Node::root(text)?;
    let witness = root.find("executionWitness")?;
    Ok(witness.map_or(root.json(), |witness| witness.json()))
}

/// Reads an element that is given as an argument: its canonical encoding.
///
/// # Errors
/// A character that is no digit, another number of digits, or [`Problem::Point`] for bytes that are no element.
pub fn element_bytes(text: &str) -> Result<[u8; 32], Problem> {
    let bytes = hexadecimal(text)?;
    match AffineElement::from_bytes_vartime(&bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Problem::Point(error)),
    }
}

/// Writes claims, one a line.
pub fn claims_to_json(claims: &[Claim]) -> String {
    let commitments: Vec<Element> = claims.iter().map(|claim| claim.commitment).collect();
    let lines: Vec<String> = claims
        .iter()
        .zip(batch_to_bytes_vartime(&commitments))
        .map(|(claim, commitment)| {
            format!(
                r#" {{"commitment": "{}", "point": {}, "value": "{}"}}"#,
                to_hexadecimal(&commitment),
                claim.point,
                to_hexadecimal(&claim.value.to_bytes()),
            )
        })
        .collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Writes a proof.
pub fn proof_to_json(proof: &Multiproof) -> String {
    format!(
        "{{\n \"proof\": \"{}\"\n}}\n",
        to_hexadecimal(&proof.to_bytes())
    )
}

/// A vector of values as `[f(0), …, f(255)]`.
fn dense(terms: &[(usize, Fr)]) -> Box<Values> {
    let mut values = Box::new([Fr::ZERO; DOMAIN]);
    for (index, value) in terms {
        values[*index] = *value;
    }
    values
}

fn vector(node: &Node<'_, '_>) -> Result<Terms, Error> {
    let mut terms = Vec::new();
    let mut push = |index, value: Fr| {
        if value != Fr::ZERO {
            terms.push((index, value));
        }
    };
    match node.kind() {
        Kind::Array => {
            let mut index = 0;
            node.elements(DOMAIN, |element| {
                push(index, element.scalar()?);
                index += 1;
                Ok(())
            })?;
        }
        Kind::Object => {
            let mut seen = [false; DOMAIN];
            node.entries(DOMAIN, |key, value| {
                let index = index_of(key).ok_or_else(|| value.error(Problem::Expected(INDEX)))?;
                if std::mem::replace(&mut seen[index], true) {
                    return Err(value.error(Problem::Repeated));
                }
                push(index, value.scalar()?);
                Ok(())
            })?;
        }
        _ => {
            return Err(node.error(Problem::Expected(
                "a vector: an array of scalars, or an object from index to scalar",
            )));
        }
    }
    Ok(terms)
}

fn polynomial(node: &Node<'_, '_>) -> Result<Polynomial, Error> {
    let [commitment, polynomial, point, points] =
        node.fields(["commitment", "polynomial", "point", "points"])?;
    let commitment = commitment.map(|node| node.element()).transpose()?;
    let terms = vector(&node.needed("polynomial", polynomial)?)?;
    let points = match (point, points) {
        (Some(point), None) => vec![point.byte()?],
        (None, Some(points)) => {
            not_empty(&points, points.elements(MOST_OPENINGS, |node| node.byte())?)?
        }
        (None, None) => return Err(node.error(Problem::Expected("\"point\" or \"points\""))),
        (Some(_), Some(points)) => {
            return Err(points.error(Problem::Expected("no \"points\" beside \"point\"")));
        }
    };
    Ok(Polynomial {
        commitment,
        values: dense(&terms),
        points,
    })
}

/// `"0"` to `"255"`, without leading zeros or signs.
fn index_of(key: &str) -> Option<usize> {
    let index: u8 = key.parse().ok()?;
    (index.to_string() == key).then_some(index.into())
}

fn not_empty<T>(node: &Node<'_, '_>, values: Vec<T>) -> Result<Vec<T>, Error> {
    match values.is_empty() {
        true => Err(node.error(Problem::Expected("at least one element"))),
        false => Ok(values),
    }
}

const INDEX: &str = "an index from 0 to 255 as key";

/// Vectors in one call of `commit`: their commitments take 160 bytes each.
const MOST_VECTORS: usize = 1 << 22;

/// Polynomials in one proof: in memory, each takes 8 KiB, together 1 GiB.
const MOST_POLYNOMIALS: usize = 1 << 17;

/// Openings in one proof.
const MOST_OPENINGS: usize = 1 << 20;

/// Entries of one tree; their text has at least 130 bytes each.
const MOST_ENTRIES: usize = 1 << 24;
