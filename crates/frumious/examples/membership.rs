//! Membership in a Merkle tree, from the circuit to a Solidity contract.
//!
//! Run it with `cargo run --release -p frumious --example membership > Verifier.sol`. The statement is "I know a leaf
//! of the tree with this root, and its place": the root is public. Hashes are circomlib's Poseidon.

use frumious::curves::bn254::Fr;
use frumious::groth16::{ProveOptions, ProvingKey, prove, verify};
use frumious::r1cs::gadgets::merkle::{MerkleHash, MerklePath, SparseTree};
use frumious::r1cs::gadgets::{bits, poseidon};
use frumious::r1cs::{Circuit, Inputs, Names};
use frumious::snarkjs::groth16::{calldata, solidity_verifier};
use frumious::snarkjs::{proof_from_json, public_to_json};
use std::error::Error;

/// Height of the tree, which has 2^20 leaves.
const HEIGHT: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let names = Names::new()
        .public_input("root", 1)
        .private_input("leaf", 1)
        .private_input("place", HEIGHT as u32)
        .private_input("siblings", HEIGHT as u32);
    let circuit = Circuit::<Fr>::define(&names, |main, io| {
        for bit in &io["place"] {
            bits::assert_boolean(main, *bit);
        }
        let path = MerklePath {
            bits: &io["place"],
            siblings: &io["siblings"],
        };
        let hash = MerkleHash::poseidon(main);
        hash.assert_member(main, &[io["leaf"][0].into()], path, &[io["root"][0].into()]);
    });
    eprintln!("{} constraints", circuit.system().n_constraints());

    // The tree: empty places are zero, and take no memory.
    let hash = |left: &Fr, right: &Fr| poseidon::hash_native(&[*left, *right]);
    let mut tree = SparseTree::new(HEIGHT, Fr::ZERO, hash);
    for member in 0..5 {
        tree.set(1000 * member, Fr::from(77 + member));
    }

    let place = 3000;
    let place_bits: Vec<Fr> = (0..HEIGHT).map(|bit| Fr::from(place >> bit & 1)).collect();
    let mut inputs = Inputs::new();
    inputs.set("root", &[*tree.root()]);
    inputs.set("leaf", &[*tree.get(place)]);
    inputs.set("place", &place_bits);
    inputs.set("siblings", &tree.path(place));
    let witness = circuit.witness(&inputs)?;
    circuit.check(&witness)?; // names the constraint that does not hold

    // For demonstrations only; a contract that others rely on needs a key from a ceremony.
    let key = ProvingKey::dev(circuit.system())?;
    let (proof, public) = prove(&key, &witness, &ProveOptions::default())?;
    assert_eq!(public, [*tree.root()]);
    assert!(verify(key.verifying_key(), &public, &proof)?);

    // As snarkjs has them, and back.
    let json = frumious::snarkjs::groth16::proof_to_json(&proof);
    assert_eq!(proof_from_json(&json)?, proof);
    eprintln!("public.json: {}", public_to_json(&public));
    eprintln!("calldata: {}", calldata(&proof, &public));
    println!("{}", solidity_verifier(key.verifying_key()));

    // Somebody else's leaf at that place: the witness does not satisfy the circuit.
    inputs.set("leaf", &[Fr::from(78)]);
    let witness = circuit.witness(&inputs)?;
    assert!(circuit.check(&witness).is_err());
    assert!(prove(&key, &witness, &ProveOptions::default()).is_err());
    Ok(())
}
