//! SHA-256 of a message of so many blocks as a circuit built in Rust: `sha256 BLOCKS BASE` writes `BASE.r1cs` and
//! `BASE.wtns`.
//!
//! The message is private, its hash public. It is as long as a padded message of BLOCKS blocks can be, 512·BLOCKS − 65
//! bits, each of which is constrained to be one. 28 blocks nearly fill a domain of 2^19, 115 one of 2^21. For measuring
//! (`peers/provers`), and as an example of how a circuit of `frumious-r1cs` becomes files for other programs.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use frumious_circom::Wtns;
use frumious_circom::generic::write_system;
use frumious_curves::Bn254;
use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use frumious_r1cs::gadgets::{bits, sha256};
use frumious_r1cs::{Circuit, Inputs, Names};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [blocks, base] = &arguments[..] else {
        return Err("usage: sha256 BLOCKS BASE".into());
    };
    let blocks: u32 = blocks.parse()?;
    if blocks == 0 {
        return Err("a message has at least one block".into());
    }
    let circuit = circuit(512 * blocks - 65);
    let mut inputs = Inputs::new();
    let message: Vec<Fr> = (0..512 * blocks - 65).map(bit).collect();
    inputs.set("message", &message);
    let witness = circuit.witness(&inputs)?;
    circuit.check(&witness)?;

    let mut r1cs = BufWriter::new(File::create(format!("{base}.r1cs"))?);
    write_system::<Bn254>(circuit.system(), &mut r1cs)?;
    r1cs.flush()?;
    let mut wtns = BufWriter::new(File::create(format!("{base}.wtns"))?);
    Wtns::new(witness.iter().copied().map(Integer::from).collect())?.write(&mut wtns)?;
    wtns.flush()?;
    println!("{} constraints", circuit.system().n_constraints());
    Ok(())
}

fn circuit(message_bits: u32) -> Circuit<Fr> {
    let names = Names::new()
        .public_output("hash", 256)
        .private_input("message", message_bits);
    Circuit::define(&names, |component, io| {
        for signal in &io["message"] {
            bits::assert_boolean(component, *signal);
        }
        sha256::define_hash(component, &io["hash"], &io["message"]);
    })
}

/// Bits that look random: the lowest of the rounds of a generator of Steele, Lea and Flood (SplitMix64) for the numbers
/// of the bits.
fn bit(index: u32) -> Fr {
    let z = u64::from(index).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Fr::from_u64((z ^ (z >> 31)) & 1)
}
