//! The check of a witness against its circuit.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use frumious_circom::FileKind;
use frumious_circom::generic::{R1cs, Wtns};
use frumious_curves::PairingEngine;
use frumious_curves::engine::ResidueField;
use frumious_mapping::FileBytes;
use zeroize::Zeroizing;

use crate::curve;
use crate::failure::{About, Code, Failure};
use crate::files::streams;
use crate::symbols::{Symbols, listed};
use crate::witness::AnyWitness;

/// The size of a circuit that a witness satisfies.
#[derive(Clone, Copy, Debug)]
pub struct Satisfied {
    /// Number of constraints, which all hold.
    pub n_constraints: u32,
    /// Number of wires.
    pub n_wires: u32,
}

/// The part of a failed constraint that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The names of its signals.
    Names,
    /// Their values too, which are secrets.
    Values,
}

/// Makes sure that the witness at `witness` satisfies the circuit at `circuit`.
///
/// # Errors
/// As [`check`]; for a bad witness. With `told` it tells the values of the constraint's signals, too.
pub fn check_files(
    circuit: &Path,
    witness: &Path,
    symbols: &Path,
    told: Told,
) -> Result<Satisfied, Failure> {
    let bytes = streams::map(circuit)?;
    let curve = curve::of(FileKind::R1cs, &bytes, circuit)?;
    let values = AnyWitness::open(witness, curve)?;
    check_bytes(&values, bytes, circuit, symbols, told).map_err(|failure| match failure.code() {
        Code::Unsatisfied => failure.about(witness),
        _ => failure,
    })
}

/// Makes sure that a witness satisfies the circuit at `path`.
///
/// # Errors
/// A [`Failure`] with the number of the first constraint that does not hold, and with its signals: `Unsatisfied`. They
/// have the names in `symbols`, a `.sym`, if it is there. No value is told. For a bad file, and for a circuit of
/// another size.
pub fn check(witness: &AnyWitness, path: &Path, symbols: &Path) -> Result<Satisfied, Failure> {
    check_bytes(witness, streams::map(path)?, path, symbols, Told::Names)
}

fn check_bytes(
    witness: &AnyWitness,
    bytes: FileBytes,
    path: &Path,
    symbols: &Path,
    told: Told,
) -> Result<Satisfied, Failure> {
    match witness {
        AnyWitness::Bn254(witness) => check_over(witness, bytes, path, symbols, told),
        AnyWitness::Bls12_381(witness) => check_over(witness, bytes, path, symbols, told),
    }
}

fn check_over<E: PairingEngine>(
    witness: &Wtns<E>,
    bytes: FileBytes,
    path: &Path,
    symbols: &Path,
    told: Told,
) -> Result<Satisfied, Failure> {
    let circuit = R1cs::<E>::from_bytes(bytes).about(path)?;
    if circuit.n_wires() as usize != witness.len() {
        let (wires, values) = (circuit.n_wires(), witness.len());
        return Err(Failure::bad_input(format!(
            "{}: the circuit has {wires} wires, the witness {values} values: they are of two circuits",
            path.display()
        )));
    }
    let values = Zeroizing::new(witness.to_fr());
    let Some(index) = circuit.first_unsatisfied(&values) else {
        return Ok(Satisfied {
            n_constraints: circuit.n_constraints(),
            n_wires: circuit.n_wires(),
        });
    };
    let wires: BTreeSet<u32> =
        circuit
            .constraints()
            .nth(index)
            .map_or_else(BTreeSet::new, |constraint| {
                let sides = [constraint.a, constraint.b, constraint.c];
                let terms = sides.into_iter().flat_map(|side| side.terms());
                terms
                    .map(|term| term.wire)
                    .filter(|wire| *wire != 0)
                    .collect()
            });
    let value = |wire: u32| match told {
        Told::Names => None,
        Told::Values => values
            .get(wire as usize)
            .map(|value| value.to_decimal_vartime()),
    };
    let names = names(symbols, &wires, value);
    let total = circuit.n_constraints();
    Err(Failure::new(
        Code::Unsatisfied,
        format!(
            "{}: constraint {} of {total} does not hold, of {names}",
            path.display(),
            index + 1
        ),
    ))
}

/// The signals of some wires, as a list, with those values that are to be told.
fn names(symbols: &Path, wires: &BTreeSet<u32>, value: impl Fn(u32) -> Option<String>) -> String {
    let symbols = Symbols::read(symbols);
    let mut found: BTreeMap<u32, &str> = BTreeMap::new();
    for symbol in symbols.all() {
        if let Some(wire) = symbol.wire.filter(|wire| wires.contains(wire)) {
            found.entry(wire).or_insert(symbol.name);
        }
    }
    let name = |wire: &u32| {
        let name = found.get(wire).copied();
        let name = name.map_or_else(|| format!("wire {wire}"), str::to_owned);
        match value(*wire) {
            Some(value) => format!("{name} = {value}"),
            None => name,
        }
    };
    listed(wires.iter().map(name))
}
