//! The facts about each kind of file.

use frumious_circom::curve::curve_name;
use frumious_circom::generic::{R1cs, Wtns};
use frumious_curves::PairingEngine;
use frumious_groth16::{Proof, ProvingEngine, VerifyingKey};
use frumious_snarkjs::generic::{KeyCoefficients, KeyFile, Ptau};
use serde_json::Value;

use super::Description;
use crate::contribution::State;

pub fn r1cs<E: PairingEngine>(r1cs: &R1cs<E>) -> Description {
    let [a, b, c] = r1cs.n_terms();
    let rows = u64::from(r1cs.n_constraints()) + u64::from(r1cs.n_public());
    Description {
        kind: "constraint system (r1cs)",
        facts: vec![
            ("curve", curve_name(E::CURVE).into()),
            ("constraints", r1cs.n_constraints().into()),
            ("wires", r1cs.n_wires().into()),
            ("public_outputs", r1cs.n_public_outputs().into()),
            ("public_inputs", r1cs.n_public_inputs().into()),
            ("private_inputs", r1cs.n_private_inputs().into()),
            ("labels", r1cs.n_labels().into()),
            ("terms_a", a.into()),
            ("terms_b", b.into()),
            ("terms_c", c.into()),
            // The smallest power of two above constraints and public signals.
            ("domain_size", (1_u64 << (rows.max(1).ilog2() + 1)).into()),
        ],
    }
}

/// The number of values only: they are secret.
pub fn wtns<E: PairingEngine>(wtns: &Wtns<E>) -> Description {
    Description {
        kind: "witness (wtns)",
        facts: vec![
            ("curve", curve_name(E::CURVE).into()),
            ("wires", wtns.len().into()),
        ],
    }
}

pub fn key<E: ProvingEngine>(key: &KeyFile<E>) -> Result<Description, frumious_circom::Error> {
    let header = key.header();
    let mut facts = vec![
        ("protocol", "groth16".into()),
        ("curve", curve_name(E::CURVE).into()),
        ("wires", header.n_wires.into()),
        ("public_signals", header.n_public.into()),
        ("domain_size", header.domain_size.into()),
        ("coefficients", key.coefficients().len().into()),
    ];
    if let KeyFile::Fkey(fkey) = key {
        let points = [fkey.a(), fkey.b1(), fkey.c()];
        let left_out = points.map(|points| points.len() - points.present().len());
        let b2 = fkey.b2();
        let left_out = left_out.iter().sum::<usize>() + b2.len() - b2.present().len();
        let coefficients = fkey.coefficients();
        let (stored_as, templates) = match coefficients {
            KeyCoefficients::Records(_) => ("records", 0),
            KeyCoefficients::Rows(_) => ("rows", 0),
            KeyCoefficients::Templates(rows) => ("templates", rows.n_templates()),
        };
        facts.push(("coefficients_stored_as", stored_as.into()));
        facts.push(("coefficients_bytes", coefficients.stored_length().into()));
        facts.push(("templates", templates.into()));
        facts.push(("points_left_out", left_out.into()));
        facts.push(("bytes", fkey.bytes().len().into()));
        facts.push(("bytes_as_zkey", fkey.zkey_length().into()));
    }
    facts.extend(state(State::of(key)?));
    if let Some(record) = key.contributions()? {
        let names = record.contributions.iter().map(|contribution| {
            let name = contribution.name.as_deref().unwrap_or("(no name)");
            match &contribution.beacon {
                Some(_) => Value::from(format!("{name} (beacon)")),
                None => Value::from(name),
            }
        });
        facts.push(("circuit_hash", hex(&record.circuit_hash).into()));
        facts.push(("contributions", names.collect()));
    }
    Ok(Description {
        kind: match key {
            KeyFile::Zkey(_) => "proving key (zkey)",
            KeyFile::Fkey(_) => "proving key (fkey)",
        },
        facts,
    })
}

pub fn ptau<E: PairingEngine>(ptau: &Ptau<E>) -> Result<Description, frumious_circom::Error> {
    let contributed = !ptau.lacks_contribution()?;
    Ok(Description {
        kind: "powers of tau (ptau)",
        facts: vec![
            ("curve", curve_name(E::CURVE).into()),
            ("power", ptau.power().into()),
            ("ceremony_power", ptau.ceremony_power().into()),
            ("prepared_for_phase_2", ptau.is_prepared().into()),
            ("contributed", contributed.into()),
        ],
    })
}

/// As the module says of itself; what it does not say in so many words is left out.
pub fn wasm(module: &frumious_wasm::Description) -> Description {
    let version = match (module.version, module.minor_and_patch) {
        (Some(version), Some((minor, patch))) => Some(format!("{version}.{minor}.{patch}").into()),
        (Some(version), None) => Some(Value::from(version.to_string())),
        (None, _) => None,
    };
    let pages = |pages: u64| Value::from(pages.saturating_mul(PAGE_BYTES));
    let memory = module.memory_pages;
    let facts = [
        ("circom_version", version),
        ("curve", module.curve.map(|curve| curve_name(curve).into())),
        ("input_values", module.input_size.map(Value::from)),
        ("wires", module.witness_size.map(Value::from)),
        ("functions", Some(module.functions.into())),
        ("code_bytes", Some(module.code_bytes.into())),
        ("data_bytes", Some(module.data_bytes.into())),
        ("memory_bytes", memory.map(|(least, _)| pages(least))),
        (
            "most_memory_bytes",
            memory.and_then(|(_, most)| most.map(pages)),
        ),
        ("imports", Some(module.imports.into())),
        ("exports", Some(module.exports.into())),
    ];
    Description {
        kind: match module.version {
            Some(_) => "witness generator (wasm)",
            None => "WebAssembly module (wasm)",
        },
        facts: facts
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .collect(),
    }
}

pub fn proof<E: PairingEngine>(_: &Proof<E>) -> Description {
    Description {
        kind: "proof (JSON)",
        facts: vec![
            ("protocol", "groth16".into()),
            ("curve", curve_name(E::CURVE).into()),
        ],
    }
}

pub fn verifying_key<E: PairingEngine>(key: &VerifyingKey<E>) -> Description {
    Description {
        kind: "verification key (JSON)",
        facts: [
            ("protocol", "groth16".into()),
            ("curve", curve_name(E::CURVE).into()),
            ("public_signals", key.n_public().into()),
        ]
        .into_iter()
        .chain(
            key.missing_contribution()
                .map_or_else(Vec::new, |missing| state(State::Unfinished(missing))),
        )
        .collect(),
    }
}

/// The progress of a key; if anybody can forge proofs under it, the danger in words too.
fn state(state: State) -> Vec<(&'static str, Value)> {
    let contributed = !matches!(state, State::Unfinished(_));
    let mut facts = vec![("contributed", contributed.into())];
    if let Some(danger) = state.danger() {
        facts.push(("state", danger.into()));
    }
    facts
}

/// Their curve is not known.
pub fn public<F>(public: &[F]) -> Description {
    Description {
        kind: "public signals (JSON)",
        facts: vec![("public_signals", public.len().into())],
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Size of a page of WebAssembly's memory.
const PAGE_BYTES: u64 = 1 << 16;
