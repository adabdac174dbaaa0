//! Our Groth16 on the common circuit: a chain of squarings, with a key from `setup_dev` in memory.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hint::black_box;
use std::rc::Rc;

use frumious_circom::{R1cs, R1csBuilder, Wtns};
use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use frumious_groth16::{Proof, ProveOptions, ProvingKey, SetupOptions};
use frumious_snarkjs::Zkey;
use frumious_snarkjs::groth16::{prove, proving_key, setup_dev};

use crate::ark::SLACK;
use crate::row::{Row, Table};

type Shared = Rc<RefCell<HashMap<usize, Rc<RefCell<Circuit>>>>>;

/// Adds setup, prove, verify for a chain of 2^SIZE - SLACK squarings. The three rows of a size share key and proof.
pub fn add_rows(table: &mut Table) {
    let shared = Shared::default();
    let of = {
        let shared = shared.clone();
        move |log_size: usize| {
            shared
                .borrow_mut()
                .entry(log_size)
                .or_insert_with(|| Rc::new(RefCell::new(Circuit::new(log_size))))
                .clone()
        }
    };
    let find = of.clone();
    table.add("groth16.setup", move |log_size| {
        let circuit = find(log_size);
        Row::new(1, move || circuit.borrow_mut().set_up())
    });
    let find = of.clone();
    table.add("groth16.prove", move |log_size| {
        let circuit = find(log_size);
        circuit.borrow_mut().ensure_key();
        Row::new(1, move || circuit.borrow_mut().prove())
    });
    table.add("groth16.verify", move |log_size| {
        let circuit = of(log_size);
        circuit.borrow_mut().ensure_proof();
        Row::new(1, move || circuit.borrow().verify())
    });
    table.forget = Box::new(move || shared.borrow_mut().clear());
}

/// x^(2^n) = y with y public: wire 1 is y, wire 2 is x, the powers between follow.
struct Circuit {
    r1cs: R1cs,
    witness: Wtns,
    key: Option<ProvingKey>,
    proof: Option<(Proof, Vec<Fr>)>,
}

impl Circuit {
    fn new(log_size: usize) -> Self {
        let n = (1 << log_size) - SLACK;
        let mut builder = R1csBuilder::new(1, 0, 1);
        let (mut wire, mut value) = (2, Fr::from_u64(3));
        let mut powers = vec![value];
        for i in 0..n {
            let next = if i + 1 == n { 1 } else { builder.new_wire() };
            builder.constraint(&[(wire, Fr::ONE)], &[(wire, Fr::ONE)], &[(next, Fr::ONE)]);
            value = value.square();
            powers.push(value);
            wire = next;
        }
        let result = powers.pop().expect("x at least");
        let wires = [vec![Fr::ONE, result], powers].concat();
        let witness = Wtns::new(wires.iter().copied().map(Integer::from).collect())
            .expect("values below the modulus, the first one");
        Self {
            r1cs: builder.build(),
            witness,
            key: None,
            proof: None,
        }
    }

    /// From the constraints to a key ready for proofs, written as a zkey and read again.
    fn set_up(&mut self) {
        (self.key, self.proof) = (None, None); // so that two keys need not be held at once
        let mut bytes = Vec::new();
        setup_dev(&self.r1cs, &mut bytes, &SetupOptions::default())
            .expect("a sound circuit");
        let zkey = Zkey::from_bytes(bytes).expect("our own key");
        self.key = Some(proving_key(zkey).expect("our own key"));
    }

    fn ensure_key(&mut self) {
        if self.key.is_none() {
            self.set_up();
        }
    }

    /// With our defaults: zero knowledge, and the proof verified before it is given out (which no peer does).
    fn prove(&mut self) {
        let key = self.key.as_ref().expect("set up before");
        let proof = prove(key, &self.witness, &ProveOptions::default());
        self.proof = Some(black_box(proof.expect("the witness satisfies the circuit")));
    }

    fn ensure_proof(&mut self) {
        self.ensure_key();
        if self.proof.is_none() {
            self.prove();
        }
    }

    /// With e(α, β) and the lines of γ and δ computed once.
    fn verify(&self) {
        let key = self
            .key
            .as_ref()
            .expect("set up before")
            .prepared_verifying_key();
        let (proof, public) = self.proof.as_ref().expect("proved before");
        assert!(
            key.verify(public, proof)
                .expect("as many signals as the key has"),
            "our own proof is refused"
        );
    }
}
