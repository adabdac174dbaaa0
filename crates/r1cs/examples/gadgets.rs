//! Runs a gadget on some inputs: `gadgets NAME VALUE...`, integers below r in decimal digits, for BN254.
//!
//! Prints `{"outputs": ["…"], "constraints": n}`: the outputs of the circuit, whose witness satisfied it, and its size.
//! `interop/` compares them with circomlib's.
//!
//! | name | values | outputs |
//! |---|---|---|
//! | `sha256` | bits | 256 bits |
//! | `poseidon` | inputs | the hash |
//! | `mimc7` | x, key | one |
//! | `multi_mimc7` | key, inputs | the hash |
//! | `mimc_sponge` | number of outputs, key, inputs | so many |
//! | `merkle_poseidon`, `merkle_mimc_sponge` | old leaf, new leaf, bits, as many siblings | both roots |

use std::process::ExitCode;

use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::merkle::{MerkleHash, MerklePath};
use frumious_r1cs::gadgets::{mimc, poseidon, sha256};
use frumious_r1cs::{Circuit, Component, Inputs, InputsAndOutputs, LinearCombination, Names};

type Sum = LinearCombination<Fr>;

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<String, String> {
    let (name, values) = arguments.split_first().ok_or("no gadget is named")?;
    let values = values
        .iter()
        .map(|text| Fr::from_decimal_vartime(text).ok_or(format!("{text} is no integer below r")));
    let values: Vec<Fr> = values.collect::<Result<_, String>>()?;
    match (&name[..], &values[..]) {
        ("sha256", bits) => show(bits, 256, |c, io| {
            sha256::define_hash(c, &io["out"], &io["in"]);
        }),
        ("poseidon", inputs @ [_, ..]) => show(inputs, 1, |c, io| {
            poseidon::define_hash(c, io["out"][0], &sums(io, 0));
        }),
        ("mimc7", inputs @ [_, _]) => show(inputs, 1, |c, io| {
            let [x, key] = [0, 1].map(|i| io["in"][i]);
            let out = mimc::mimc7(c, x, key);
            c.define_linear(io["out"][0], out);
        }),
        ("multi_mimc7", inputs @ [_, ..]) => show(inputs, 1, |c, io| {
            let out = mimc::multi_mimc7(c, &sums(io, 1), io["in"][0]);
            c.define_linear(io["out"][0], out);
        }),
        ("mimc_sponge", [n_outputs, inputs @ ..]) if inputs.len() > 1 => {
            let [n_outputs, ..] = n_outputs.to_canonical_limbs();
            show(inputs, n_outputs as u32, |c, io| {
                mimc::define_sponge(c, &io["out"], &sums(io, 1), io["in"][0]);
            })
        }
        ("merkle_poseidon", inputs @ [_, _, ..]) => show_update(inputs, MerkleHash::poseidon),
        ("merkle_mimc_sponge", inputs @ [_, _, ..]) => show_update(inputs, MerkleHash::mimc_sponge),
        _ => Err(format!("no gadget {name} of {} values", values.len())),
    }
}

fn show_update(
    inputs: &[Fr],
    hash: impl FnOnce(&mut Component<'_, Fr>) -> MerkleHash,
) -> Result<String, String> {
    show(inputs, 2, |c, io| {
        let hash = hash(c);
        let (leaves, path) = io["in"].split_at(2);
        let (bits, siblings) = path.split_at(path.len() / 2);
        let path = MerklePath { bits, siblings };
        let roots = hash.update(c, &[leaves[0].into()], &[leaves[1].into()], path);
        for (out, root) in io["out"].iter().zip(roots.concat()) {
            c.define_linear(*out, root);
        }
    })
}

/// The inputs from place `from` on.
fn sums(io: &InputsAndOutputs, from: usize) -> Vec<Sum> {
    io["in"][from..].iter().map(Sum::from).collect()
}

/// The outputs of a circuit of these inputs, and its size.
fn show(
    values: &[Fr],
    n_outputs: u32,
    define: impl FnOnce(&mut Component<'_, Fr>, &InputsAndOutputs),
) -> Result<String, String> {
    let names = Names::new()
        .public_output("out", n_outputs)
        .private_input("in", values.len() as u32);
    let circuit = Circuit::define(&names, define);
    let mut inputs = Inputs::new();
    inputs.set("in", values);
    let witness = circuit
        .witness(&inputs)
        .map_err(|error| error.to_string())?;
    circuit.check(&witness).map_err(|error| error.to_string())?;
    let outputs = &witness[1..1 + n_outputs as usize];
    let outputs: Vec<String> = outputs
        .iter()
        .map(|value| format!("\"{}\"", value.to_decimal_vartime()))
        .collect();
    let constraints = circuit.system().n_constraints();
    Ok(format!(
        "{{\"outputs\": [{}], \"constraints\": {constraints}}}",
        outputs.join(", ")
    ))
}
