//! arkworks' Groth16 on the common circuit: a chain of squarings.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hint::black_box;
use std::rc::Rc;

use ark_bn254::{Bn254, Fr};
use ark_ff::{Field, UniformRand};
use ark_groth16::{Groth16, PreparedVerifyingKey, Proof, ProvingKey};
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystem, ConstraintSystemRef, Matrix, R1CS_PREDICATE_LABEL,
    SynthesisError, SynthesisMode,
};
use ark_snark::SNARK;
use ark_std::rand::{SeedableRng, rngs::StdRng};

use crate::row::{Row, Table};

/// Keeps every system's evaluation domain at the power of two: some count the public wires into it beside the
/// constraints.
pub const SLACK: usize = 8;

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

/// x^(2^n) = y with y public.
#[derive(Clone, Copy)]
struct Squarings {
    n: usize,
    x: Fr,
}

impl Squarings {
    fn result(&self) -> Fr {
        (0..self.n).fold(self.x, |x, _| x.square())
    }
}

impl ConstraintSynthesizer<Fr> for Squarings {
    fn generate_constraints(self, cs: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
        let y = cs.new_input_variable(|| Ok(self.result()))?;
        let mut value = self.x;
        let mut wire = cs.new_witness_variable(|| Ok(value))?;
        for i in 0..self.n {
            value.square_in_place();
            let next = if i + 1 == self.n {
                y
            } else {
                cs.new_witness_variable(|| Ok(value))?
            };
            cs.enforce_r1cs_constraint(|| wire.into(), || wire.into(), || next.into())?;
            wire = next;
        }
        Ok(())
    }
}

struct Circuit {
    circuit: Squarings,
    matrices: Vec<Matrix<Fr>>,
    assignment: Vec<Fr>,
    public: Vec<Fr>,
    rng: StdRng,
    key: Option<(ProvingKey<Bn254>, PreparedVerifyingKey<Bn254>)>,
    proof: Option<Proof<Bn254>>,
}

impl Circuit {
    fn new(log_size: usize) -> Self {
        let circuit = Squarings {
            n: (1 << log_size) - SLACK,
            x: Fr::from(3),
        };
        let cs = ConstraintSystem::<Fr>::new_ref();
        cs.set_mode(SynthesisMode::Prove {
            construct_matrices: true,
            generate_lc_assignments: false,
        });
        circuit
            .generate_constraints(cs.clone())
            .expect("the circuit is complete");
        cs.finalize();
        let matrices = cs
            .to_matrices()
            .expect("matrices are constructed in this mode")
            .remove(R1CS_PREDICATE_LABEL)
            .expect("R1CS is the default predicate");
        let public = cs.instance_assignment().expect("assigned in this mode");
        let assignment = [
            public.clone(),
            cs.witness_assignment().expect("assigned in this mode"),
        ]
        .concat();
        Self {
            circuit,
            matrices,
            assignment,
            public,
            rng: StdRng::seed_from_u64(1),
            key: None,
            proof: None,
        }
    }

    /// From the circuit to both keys, constraint synthesis included.
    fn set_up(&mut self) {
        (self.key, self.proof) = (None, None); // so that two keys need not be held at once
        let key = Groth16::<Bn254>::generate_random_parameters_with_reduction(
            self.circuit,
            &mut self.rng,
        )
        .expect("the circuit is complete");
        let verifying = Groth16::<Bn254>::process_vk(&key.vk).expect("a sound key");
        self.key = Some((key, verifying));
    }

    fn ensure_key(&mut self) {
        if self.key.is_none() {
            self.set_up();
        }
    }

    /// From matrices and whole assignment to the proof: synthesis is not counted, to arkworks' advantage.
    fn prove(&mut self) {
        let (r, s) = (Fr::rand(&mut self.rng), Fr::rand(&mut self.rng));
        let (key, _) = self.key.as_ref().expect("set up before");
        let proof = Groth16::<Bn254>::create_proof_with_reduction_and_matrices(
            key,
            r,
            s,
            &self.matrices,
            self.public.len(),
            self.circuit.n,
            &self.assignment,
        );
        self.proof = Some(black_box(proof.expect("the witness satisfies the circuit")));
    }

    fn ensure_proof(&mut self) {
        self.ensure_key();
        if self.proof.is_none() {
            self.prove();
        }
    }

    /// With e(α, β) and the lines of γ and δ computed beforehand.
    fn verify(&self) {
        let (_, key) = self.key.as_ref().expect("set up before");
        let proof = self.proof.as_ref().expect("proved before");
        let valid = Groth16::<Bn254>::verify_with_processed_vk(key, &self.public[1..], proof)
            .expect("well-formed inputs");
        assert!(valid, "arkworks' own proof is refused");
    }
}
