//! Small circuits with a satisfying witness, and keys for them.

use frumious_circom::{R1cs, R1csBuilder, Wtns};
use frumious_curves::bn254::{Fr, G1Affine, G2Affine};
use frumious_field::Integer;
use frumious_groth16::{Coefficient, ProvingEngine, ProvingKey, SetupOptions};
use frumious_snarkjs::generic::KeyFile;
use frumious_snarkjs::groth16::{check_key, proving_key, setup_dev};
use frumious_snarkjs::{Zkey, ZkeyWriter};

/// A constraint system and values for its wires.
pub struct Circuit {
    pub r1cs: R1cs,
    pub values: Vec<Fr>,
}

impl Circuit {
    pub fn witness(&self) -> Wtns {
        witness_of(&self.values)
    }

    pub fn public(&self) -> &[Fr] {
        &self.values[1..=self.r1cs.n_public() as usize]
    }

    /// A key with secrets of its own.
    pub fn dev_zkey(&self) -> Zkey {
        let mut bytes = Vec::new();
        setup_dev(&self.r1cs, &mut bytes, &SetupOptions::default()).unwrap();
        Zkey::from_bytes(bytes).unwrap()
    }

    pub fn dev_key(&self) -> ProvingKey {
        proving_key(self.dev_zkey()).unwrap()
    }
}

/// A key that passes the full check.
pub fn checked<E: ProvingEngine>(file: impl Into<KeyFile<E>>) -> ProvingKey<E> {
    let file = file.into();
    check_key(&file).unwrap();
    proving_key(file).unwrap()
}

pub fn witness_of(values: &[Fr]) -> Wtns {
    Wtns::new(values.iter().copied().map(Integer::from).collect()).unwrap()
}

/// Reproducible field elements: `x ← x² + seed`.
pub struct Sequence {
    state: Fr,
    seed: Fr,
}

impl Sequence {
    pub fn new(seed: u64) -> Self {
        let seed = Fr::from_u64(seed) + Fr::ONE;
        Self { state: seed, seed }
    }

    pub fn element(&mut self) -> Fr {
        self.state = self.state.square() + self.seed;
        self.state
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        (self.element().to_canonical_limbs()[1] % u64::from(bound)) as u32
    }

    /// 0, 1, −1, small or any.
    fn coefficient(&mut self) -> Fr {
        match self.below(6) {
            0 => Fr::ZERO,
            1 | 2 => Fr::ONE,
            3 => Fr::ONE.neg(),
            4 => Fr::from_u64(self.below(1000).into()),
            _ => self.element(),
        }
    }
}

/// `n_constraints` products of random combinations of the earlier wires, each defining a new wire. Each public output
/// is then the last wire plus its own number. `n_private` ≥ 1.
pub fn random(
    seed: u64,
    [n_outputs, n_inputs, n_private]: [u32; 3],
    n_constraints: u32,
) -> Circuit {
    let mut sequence = Sequence::new(seed);
    let mut builder = R1csBuilder::new(n_outputs, n_inputs, n_private);
    let mut values = vec![Fr::ONE];
    values.resize(n_outputs as usize + 1, Fr::ZERO); // outputs: known at the end
    for i in 0..n_inputs + n_private {
        values.push(if i == 0 {
            Fr::ZERO
        } else {
            sequence.coefficient()
        });
    }
    for _ in 0..n_constraints - n_outputs.min(n_constraints) {
        let mut combination = || {
            let terms: Vec<(u32, Fr)> = (0..sequence.below(4))
                .map(|_| {
                    // not an output, whose value is not known yet; the constant often
                    let wire = sequence.below(values.len() as u32);
                    let wire = if wire <= n_outputs { 0 } else { wire };
                    (wire, sequence.coefficient())
                })
                .collect();
            let value = terms.iter().fold(Fr::ZERO, |sum, (wire, coefficient)| {
                sum + values[*wire as usize] * *coefficient
            });
            (terms, value)
        };
        let ((a, a_value), (b, b_value), (mut c, c_value)) =
            (combination(), combination(), combination());
        // a·b = c + wire
        let wire = builder.new_wire();
        c.push((wire, Fr::ONE));
        values.push(a_value * b_value - c_value);
        builder.constraint(&a, &b, &c);
    }
    let last = values.len() as u32 - 1;
    for output in 1..=n_outputs {
        let sum = [(last, Fr::ONE), (0, Fr::from_u64(output.into()))];
        builder.constraint(&sum, &[(0, Fr::ONE)], &[(output, Fr::ONE)]);
        values[output as usize] = values[last as usize] + Fr::from_u64(output.into());
    }
    let r1cs = builder.build();
    assert_eq!(r1cs.first_unsatisfied(&values), None);
    Circuit { r1cs, values }
}

/// Circuits that differ in their public signals, at the edges of their domains: 2, 4, 8, 16, 32, 512.
pub fn small() -> Vec<Circuit> {
    vec![
        random(1, [0, 0, 2], 1),    // no public signal, domain 2
        random(2, [1, 0, 2], 1),    // domain 4
        random(3, [0, 2, 1], 2),    // 2 + 2 rows: domain 8, not 4
        random(4, [1, 1, 1], 13),   // 13 + 2 + the constant's: fills domain 16
        random(5, [0, 0, 1], 16),   // domain 32
        random(6, [3, 20, 1], 300), // several tasks
    ]
}

/// The same key with its coefficients in another order: by wire, the last first.
pub fn with_unsorted_coefficients(zkey: &Zkey) -> Zkey {
    let mut coefficients: Vec<Coefficient<Fr>> = zkey
        .coefficients()
        .iter()
        .collect::<Result<_, _>>()
        .unwrap();
    coefficients.sort_by_key(|record| std::cmp::Reverse((record.wire, record.row)));
    rewrite(zkey, &coefficients)
}

/// The key's points with other coefficients.
pub fn rewrite(zkey: &Zkey, coefficients: &[Coefficient<Fr>]) -> Zkey {
    let g1 = |points: frumious_snarkjs::G1Points| -> Vec<G1Affine> {
        (0..points.len()).map(|i| points.get(i).unwrap()).collect()
    };
    let b2: Vec<G2Affine> = (0..zkey.b2().len())
        .map(|i| zkey.b2().get(i).unwrap())
        .collect();
    let mut out = ZkeyWriter::new(Vec::new(), zkey.header(), coefficients.len() as u32).unwrap();
    out.write_ic(&g1(zkey.ic())).unwrap();
    out.write_coefficients(coefficients).unwrap();
    out.write_a(&g1(zkey.a())).unwrap();
    out.write_b1(&g1(zkey.b1())).unwrap();
    out.write_b2(&b2).unwrap();
    out.write_c(&g1(zkey.c())).unwrap();
    out.write_h(&g1(zkey.h())).unwrap();
    Zkey::from_bytes(out.finish(&[0; 64]).unwrap()).unwrap()
}
