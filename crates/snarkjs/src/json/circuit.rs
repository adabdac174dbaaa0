//! Constraint systems and witnesses as JSON, which nobody here reads: a line for each value, written as it comes.

use frumious_circom::generic::{R1cs, Wtns};
use frumious_circom::{Error, FileKind};
use frumious_curves::PairingEngine;
use frumious_curves::engine::ResidueField;
use frumious_field::Field;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use zeroize::Zeroizing;

/// Writes a constraint system: the bytes of `snarkjs r1cs export json`.
///
/// Terms of a combination are in the order of their wires, as in any object of JavaScript; of several with one wire the
/// last counts.
///
/// # Errors
/// [`Error::Write`] when `out` fails.
pub fn write_r1cs_json<E: PairingEngine>(r1cs: &R1cs<E>, out: impl Write) -> Result<(), Error> {
    let mut out = BufWriter::new(out);
    r1cs_json(r1cs, &mut out)
        .and_then(|()| out.flush())
        .map_err(|source| write_error(FileKind::R1cs, source))
}

fn r1cs_json<E: PairingEngine>(r1cs: &R1cs<E>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{{\n \"n8\": {},", size_of::<E::Fr>())?;
    writeln!(out, " \"prime\": \"{}\",", E::CURVE.scalar_modulus())?;
    for (name, value) in [
        ("nVars", r1cs.n_wires().into()),
        ("nOutputs", r1cs.n_public_outputs().into()),
        ("nPubInputs", r1cs.n_public_inputs().into()),
        ("nPrvInputs", r1cs.n_private_inputs().into()),
        ("nLabels", r1cs.n_labels()),
        ("nConstraints", r1cs.n_constraints().into()),
    ] {
        writeln!(out, " \"{name}\": {value},")?;
    }
    write!(out, " \"useCustomGates\": false,\n \"constraints\": [")?;
    let mut between = "";
    for constraint in r1cs.constraints() {
        frumious_parallel::check_cancelled();
        write!(out, "{between}\n  [")?;
        between = ",";
        for (index, combination) in [constraint.a, constraint.b, constraint.c]
            .iter()
            .enumerate()
        {
            let comma = if index == 0 { "" } else { "," };
            write!(out, "{comma}\n   {{")?;
            let terms = combination.terms();
            let terms: BTreeMap<u32, E::Fr> = terms
                .map(|term| (term.wire, term.coefficient.to_element()))
                .collect();
            let mut between = "";
            for (wire, coefficient) in terms {
                let value = coefficient.to_decimal_vartime();
                write!(out, "{between}\n    \"{wire}\": \"{value}\"")?;
                between = ",";
            }
            write!(out, "\n   }}")?;
        }
        write!(out, "\n  ]")?;
    }
    write!(out, "\n ],\n \"map\": [")?;
    let mut between = "";
    for wire in 0..r1cs.n_wires() {
        write!(out, "{between}\n  {}", r1cs.label(wire))?;
        between = ",";
    }
    write!(
        out,
        "\n ],\n \"customGates\": [\n ],\n \"customGatesUses\": [\n ]\n}}"
    )
}

/// Writes a constraint system as text, a constraint a line: the lines of `snarkjs r1cs print`, without what its logger
/// puts before them. `names` gives the name of a wire, none for a wire that has none.
///
/// # Errors
/// [`Error::Write`] when `out` fails.
pub fn write_r1cs_text<E: PairingEngine>(
    r1cs: &R1cs<E>,
    names: impl Fn(u32) -> Option<String>,
    out: impl Write,
) -> Result<(), Error> {
    let mut out = BufWriter::new(out);
    r1cs_text(r1cs, names, &mut out)
        .and_then(|()| out.flush())
        .map_err(|source| write_error(FileKind::R1cs, source))
}

fn r1cs_text<E: PairingEngine>(
    r1cs: &R1cs<E>,
    names: impl Fn(u32) -> Option<String>,
    out: &mut impl Write,
) -> io::Result<()> {
    for constraint in r1cs.constraints() {
        frumious_parallel::check_cancelled();
        let combinations = [constraint.a, constraint.b, constraint.c];
        let [a, b, c] = combinations.map(|combination| {
            let terms: BTreeMap<u32, E::Fr> = combination
                .terms()
                .map(|term| (term.wire, term.coefficient.to_element()))
                .collect();
            let terms = terms.into_iter().map(|(wire, coefficient)| {
                let name = match wire {
                    0 => "1".to_owned(),
                    wire => names(wire).unwrap_or_else(|| "undefined".to_owned()),
                };
                match coefficient == E::Fr::ONE {
                    true => name,
                    false => format!("{}{name}", coefficient.to_decimal_vartime()),
                }
            });
            terms.collect::<Vec<_>>().join(" +")
        });
        writeln!(out, "[ {a} ] * [ {b} ] - [ {c} ] = 0")?;
    }
    Ok(())
}

/// Writes a witness, which is secret: the bytes of `snarkjs wtns export json`.
///
/// # Errors
/// [`Error::Write`] when `out` fails.
pub fn write_witness_json<E: PairingEngine>(
    witness: &Wtns<E>,
    mut out: impl Write,
) -> Result<(), Error> {
    witness_json(witness, &mut out)
        .and_then(|()| out.flush())
        .map_err(|source| write_error(FileKind::Wtns, source))
}

fn witness_json<E: PairingEngine>(witness: &Wtns<E>, out: &mut impl Write) -> io::Result<()> {
    let mut lines = Zeroizing::new(String::with_capacity(CHUNK + LONGEST));
    lines.push('[');
    for wire in 0..witness.len() {
        if lines.len() > CHUNK {
            frumious_parallel::check_cancelled();
            out.write_all(lines.as_bytes())?;
            lines.clear();
        }
        let value = Zeroizing::new(witness.get(wire).to_element().to_decimal_vartime());
        lines.push_str(if wire == 0 { "\n \"" } else { ",\n \"" });
        lines.push_str(&value);
        lines.push('"');
    }
    lines.push_str("\n]");
    out.write_all(lines.as_bytes())
}

fn write_error(file: FileKind, source: io::Error) -> Error {
    Error::Write { file, source }
}

/// Bytes that are written at once.
const CHUNK: usize = 1 << 16;

/// More than a line has.
const LONGEST: usize = 128;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_circom::generic::R1csBuilder;
    use frumious_curves::Bn254;
    use frumious_curves::bn254::Fr;
    use frumious_field::Integer;

    /// The text that snarkjs 0.7.6 wrote for this circuit, less its labels.
    const MULTIPLIER: &str = r#"{
 "n8": 32,
 "prime": "21888242871839275222246405745257275088548364400416034343698204186575808495617",
 "nVars": 4,
 "nOutputs": 1,
 "nPubInputs": 1,
 "nPrvInputs": 1,
 "nLabels": 4,
 "nConstraints": 1,
 "useCustomGates": false,
 "constraints": [
  [
   {
    "2": "5",
    "3": "21888242871839275222246405745257275088548364400416034343698204186575808495616"
   },
   {
   },
   {
    "1": "21888242871839275222246405745257275088548364400416034343698204186575808495616"
   }
  ]
 ],
 "map": [
  0,
  1,
  2,
  3
 ],
 "customGates": [
 ],
 "customGatesUses": [
 ]
}"#;

    #[test]
    fn systems_are_in_the_layout_of_snarkjs() {
        let mut builder = R1csBuilder::<Bn254>::new(1, 1, 1);
        let five = Fr::from_u64(5);
        let a = [(3, -Fr::ONE), (2, -Fr::ONE), (2, five)];
        builder.constraint(&a, &[], &[(1, -Fr::ONE)]);
        let mut out = Vec::new();
        write_r1cs_json(&builder.build(), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), MULTIPLIER);
    }

    #[test]
    fn witnesses_are_in_the_layout_of_snarkjs() {
        let write = |values: &[u64]| {
            let values = values
                .iter()
                .map(|value| Integer::from(Fr::from_u64(*value)));
            let witness = Wtns::<Bn254>::new(values.collect()).unwrap();
            let mut out = Vec::new();
            write_witness_json(&witness, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(write(&[1]), "[\n \"1\"\n]");
        assert_eq!(write(&[1, 33, 0]), "[\n \"1\",\n \"33\",\n \"0\"\n]");
        let many = vec![1; 100_000]; // more than a chunk
        let expected = vec![" \"1\""; 100_000].join(",\n");
        assert_eq!(write(&many), format!("[\n{expected}\n]"));
    }
}
