//! The circuit: N transfers between accounts that are leaves of a Merkle tree of depth 24.
//!
//! A transfer takes an amount from a sender to a receiver. Its constraints are the sender's signature, and ranges of
//! the amount and of both balances after it. Four ways lead from a leaf to the root: both accounts before and after.
//! The roots make a chain from `rootIn` to `rootOut`, and so do hashes of the transfers to `batchHash`. Statement,
//! names and results are those of the circom circuit `Rollup(N, 24)` that the benchmarks of other provers run.

use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::merkle::{MerkleHash, MerklePath};
use frumious_r1cs::gadgets::{bits, eddsa, poseidon};
use frumious_r1cs::{Circuit, Component, Label, LinearCombination, Names, Signal, Template};

type Sum = LinearCombination<Fr>;

/// Levels of the tree.
pub const DEPTH: usize = 24;

/// Bits of balances and amounts.
const BALANCE_BITS: usize = 64;

/// The inputs of a transfer of one signal, in the order in which the template has them.
pub const SINGLE: [&str; 14] = [
    "idxS", "axS", "ayS", "balS", "nonceS", "idxR", "axR", "ayR", "balR", "nonceR", "amount",
    "R8x", "R8y", "S",
];

/// Those of a signal for each level.
pub const PATHS: [&str; 2] = ["sibS", "sibR"];

/// The circuit for `transfers` of them, at least one.
pub fn circuit(transfers: u32) -> Circuit<Fr> {
    let mut names = Names::new()
        .public_output("rootOut", 1)
        .public_output("batchHash", 1)
        .public_input("rootIn", 1);
    for name in SINGLE {
        names = names.private_input(name, transfers);
    }
    for name in PATHS {
        names = names.private_input(name, transfers * DEPTH as u32);
    }
    Circuit::define(&names, |main, io| {
        let transfer = transfer(main);
        let batch_hash = main.template("batch_hash", 2, 1, |t, inputs, outputs| {
            poseidon::define_hash(t, outputs[0], &[inputs[0].into(), inputs[1].into()]);
        });
        let mut root = Sum::from(io["rootIn"][0]);
        let mut hash = Sum::ZERO;
        for number in 0..transfers {
            let i = number as usize;
            let mut inputs = vec![root];
            inputs.extend(SINGLE.iter().map(|name| io[name][i].into()));
            for name in PATHS {
                let path = &io[name][i * DEPTH..][..DEPTH];
                inputs.extend(path.iter().map(Sum::from));
            }
            let label = Label::indexed("transfer", number);
            let outputs = main.instance(&transfer, label, &inputs);
            root = outputs[0].into();
            let label = Label::indexed("batch_hash", number);
            hash = main.instance(&batch_hash, label, &[hash, outputs[1].into()])[0].into();
        }
        main.define_linear(io["rootOut"][0], root);
        main.define_linear(io["batchHash"][0], hash);
    })
}

/// From the root before, [`SINGLE`] and [`PATHS`] to the root after and the hash of the transfer, which is what is
/// signed.
fn transfer(main: &mut Component<'_, Fr>) -> Template {
    let n_inputs = 1 + SINGLE.len() + PATHS.len() * DEPTH;
    let tree = MerkleHash::poseidon(main);
    let signature = eddsa::template(main);
    main.template("transfer", n_inputs as u32, 2, |t, inputs, outputs| {
        let (root_before, inputs) = (inputs[0], &inputs[1..]);
        let (single, paths) = inputs.split_at(SINGLE.len());
        let of = |name: &str| {
            let place = SINGLE.iter().position(|single| *single == name);
            single[place.expect("one of the names")]
        };
        let amount = Sum::from(of("amount"));
        let balance_sender = Sum::from(of("balS")) - &amount;
        let balance_receiver = Sum::from(of("balR")) + &amount;
        for value in [&amount, &balance_sender, &balance_receiver] {
            bits::to_bits(t, value, BALANCE_BITS);
        }

        let message = outputs[1];
        let signed = ["idxS", "idxR", "axR", "amount", "nonceS"].map(|name| Sum::from(of(name)));
        poseidon::define_hash(t, message, &signed);
        let signed = [of("axS"), of("ayS"), of("R8x"), of("R8y"), of("S"), message];
        t.instance(&signature, Label::new("signature"), &signed.map(Sum::from));

        let mut leaf = |key: [&str; 2], balance: Sum, nonce: Sum| {
            let [x, y] = key.map(|name| Sum::from(of(name)));
            Sum::from(poseidon::hash(t, &[x, y, balance, nonce]))
        };
        let sender = ["axS", "ayS"];
        let receiver = ["axR", "ayR"];
        let nonce = Sum::from(of("nonceS"));
        let leaves = [
            [
                leaf(sender, of("balS").into(), nonce.clone()),
                leaf(sender, balance_sender, nonce + Signal::ONE),
            ],
            [
                leaf(receiver, of("balR").into(), of("nonceR").into()),
                leaf(receiver, balance_receiver, of("nonceR").into()),
            ],
        ];
        let mut root = root_before;
        let paths = paths.chunks_exact(DEPTH);
        for (([old, new], siblings), index) in leaves.into_iter().zip(paths).zip(["idxS", "idxR"]) {
            let bits = bits::to_bits(t, of(index), DEPTH);
            let path = MerklePath {
                bits: &bits,
                siblings,
            };
            let [before, after] = tree.update(t, &[old], &[new], path);
            t.assert_equal(before[0], root);
            root = after[0];
        }
        t.define_linear(outputs[0], root);
    })
}
