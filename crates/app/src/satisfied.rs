//! The check of a witness against its circuit.

use std::collections::BTreeSet;
use std::path::Path;

use frumious_circom::generic::{R1cs, Wtns};
use frumious_curves::PairingEngine;
use zeroize::Zeroizing;

use crate::failure::{About, Failure};
use crate::witness::AnyWitness;

/// Makes sure that a witness satisfies the circuit at `path`.
///
/// # Errors
/// [`Failure::Rejected`] with the number of the first constraint that does not hold, and with its signals. They have
/// the names in the `.sym` beside the circuit, if there is one. No value is told. [`Failure::BadInput`] for a bad file,
/// and for a circuit of another size.
pub fn check(witness: &AnyWitness, path: &Path) -> Result<(), Failure> {
    match witness {
        AnyWitness::Bn254(witness) => check_over(witness, path),
        AnyWitness::Bls12_381(witness) => check_over(witness, path),
    }
}

fn check_over<E: PairingEngine>(witness: &Wtns<E>, path: &Path) -> Result<(), Failure> {
    let circuit = R1cs::<E>::open(path).about(path)?;
    if circuit.n_wires() as usize != witness.len() {
        let (wires, values) = (circuit.n_wires(), witness.len());
        return Err(Failure::BadInput(format!(
            "{}: the circuit has {wires} wires, the witness {values} values",
            path.display()
        )));
    }
    let values = Zeroizing::new(witness.to_fr());
    let Some(index) = circuit.first_unsatisfied(&values) else {
        return Ok(());
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
    let names = names(&path.with_extension("sym"), &wires);
    let total = circuit.n_constraints();
    Err(Failure::Rejected(format!(
        "{}: constraint {} of {total} does not hold, of {names}",
        path.display(),
        index + 1
    )))
}

/// The signals of some wires, as a list. A `.sym` has a signal a line: label, wire, component and name. The wire of a
/// signal that was simplified away is -1. Source: circom's documentation, "sym file".
fn names(symbols: &Path, wires: &BTreeSet<u32>) -> String {
    let text = std::fs::read_to_string(symbols).unwrap_or_default();
    let name = |wire: &u32| {
        let of_wire = |line: &&str| {
            let mut fields = line.splitn(4, ',').skip(1);
            fields.next().and_then(|field| field.parse().ok()) == Some(*wire)
        };
        let line = text.lines().find(of_wire);
        let name = line.and_then(|line| line.splitn(4, ',').nth(3));
        name.map_or_else(|| format!("wire {wire}"), printable)
    };
    let shown: Vec<String> = wires.iter().take(MOST_NAMES).map(name).collect();
    match wires.len().checked_sub(MOST_NAMES) {
        Some(more @ 1..) => format!("{} and {more} more", shown.join(", ")),
        _ => shown.join(", "),
    }
}

/// Nothing that could steer a terminal.
fn printable(name: &str) -> String {
    name.chars()
        .map(|character| match character.is_control() {
            true => char::REPLACEMENT_CHARACTER,
            false => character,
        })
        .collect()
}

/// Signals that are named.
const MOST_NAMES: usize = 8;
