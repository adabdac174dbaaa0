#![allow(clippy::unwrap_used)]

use super::key::Column;
use super::*;
use crate::domain::coset_shift;
use crate::{KeyVectors, Position};
use frumious_curves::bn254::Fr;
use frumious_curves::engine::ScalarField;
use frumious_curves::{Bn254, bls12_381};
use frumious_field::PrimeField;
use frumious_r1cs::{BodyBuilder, Interface, SystemBuilder};

/// The use of part H: the values of a multiple P of Z on the coset, summed with it, are P(τ)/δ. With the shift of
/// the largest domain as well, which no test can afford.
#[test]
fn quotient_basis_evaluates_multiples_of_z() {
    for log_n in [1, 2, 6] {
        let domain = Domain::<Fr>::new(log_n).unwrap();
        let n = domain.size();
        let secrets = Secrets::random_for(&domain).unwrap();
        // Q of degree n − 2, P = (X^n − 1)·Q
        let q: Vec<Fr> = (0..n as u64 - 1).map(|i| Fr::from_u64(i * i + 5)).collect();
        let p_at = |x: Fr| {
            let q_at = q.iter().rev().fold(Fr::ZERO, |sum, c| sum * x + *c);
            (x.pow_vartime(&[n as u64]) - Fr::ONE) * q_at
        };
        for shift in [coset_shift(log_n), coset_shift(Fr::TWO_ADICITY)] {
            let basis = secrets.quotient_basis(&domain, shift);
            let mut x = shift;
            let mut sum = Fr::ZERO;
            for h in basis.values(0..n).iter() {
                sum += p_at(x) * *h;
                x *= domain.root();
            }
            assert_eq!(sum * secrets.delta, p_at(secrets.tau), "2^{log_n}");
        }
    }
}

/// In one pass and in many, by one thread and by several: the same as term by term.
#[test]
fn columns_are_sums_over_rows() {
    let n_wires = 5000;
    let mut builder = SystemBuilder::<Fr>::new();
    let mut main = BodyBuilder::main();
    main.own_wires(n_wires - 1);
    for row in 0..10_000_u64 {
        let term = |i: u64| {
            let wire = (row * 7919 + i * 104_729) % u64::from(n_wires);
            let k = Fr::from_u64(row % 5 * i);
            (main.wire(wire as u32), if row % 2 == 0 { k } else { -k })
        };
        let terms: Vec<_> = (1..7).map(term).collect();
        let [a, b, c] = [&terms[..(row % 4) as usize], &terms[1..3], &terms[4..]];
        builder.constrain(&mut main, a, b, c);
    }
    let interface = Interface {
        public_outputs: 2,
        public_inputs: 3,
        private_inputs: n_wires - 6,
    };
    let system = builder.finish(main, interface);
    let domain = domain::<Fr>(14).unwrap();
    let secrets = Secrets::random_for(&domain).unwrap();
    let lagrange = secrets.domain_basis(&domain).values(0..domain.size());
    let mut expected = [(); 3].map(|()| vec![Fr::ZERO; n_wires as usize]);
    system.for_each_row(0..10_000, |row, terms| {
        for (column, terms) in expected.iter_mut().zip([terms.a, terms.b, terms.c]) {
            for term in terms {
                let coefficient = system.pool().values()[term.coefficient as usize];
                column[term.wire as usize] += lagrange[row as usize] * coefficient;
            }
        }
    });
    for wire in 0..6 {
        expected[0][wire] += lagrange[10_000 + wire];
    }
    let [a, b, mut c] = expected;
    for wire in 0..n_wires as usize {
        c[wire] += secrets.beta * a[wire] + secrets.alpha * b[wire];
        if wire > 5 {
            c[wire] *= secrets.delta_inverse;
        }
    }
    let expected = [a, b, c];
    for threads in [1, 3] {
        frumious_parallel::with_threads(threads, || {
            check_columns(&system, &secrets, &domain, &expected);
        })
        .unwrap();
    }
}

fn check_columns(
    circuit: &dyn ConstraintSource<Fr>,
    secrets: &Secrets<Fr>,
    domain: &Domain<Fr>,
    expected: &[Vec<Fr>; 3],
) {
    let blocks = circuit.blocks();
    // With room for all products, for some, and for none: then row by row.
    for (room, blocks_at_once) in [(1 << 16, 2), (5000, 1), (0, 2)] {
        let mut plan = Plan::new::<Bn254>(circuit, None).unwrap();
        plan.wires_per_pass = Some(1);
        let mut sink = KeyVectors::<Bn254>::new();
        let mut key = Key {
            circuit,
            blocks: &*blocks,
            basis: secrets.domain_basis(domain),
            secrets,
            progress: Progress::new(None),
            plan,
            together: None,
            column: Zeroizing::default(),
            work: (0..blocks_at_once).map(|_| Products::new(room)).collect(),
            start: Position::START,
            out: &mut sink,
        };
        let columns = [Column::A, Column::B, Column::C];
        for (column, expected) in columns.into_iter().zip(expected) {
            for range in [0..6, 6..3000, 3000..5000] {
                let values = key.evaluate(column, range.clone());
                assert_eq!(*values, expected[range], "by ranges");
            }
        }
        key.evaluate_together();
        for (column, expected) in columns.into_iter().zip(expected) {
            assert_eq!(key.together.as_ref().unwrap().of(column), expected);
        }
    }
}

#[test]
fn coset_shift_has_twice_the_domain_as_its_order() {
    check::<Fr>();
    check::<bls12_381::Fr>();
    fn check<F: ScalarField>() {
        for log_n in 0..F::TWO_ADICITY {
            let power = coset_shift::<F>(log_n).pow_vartime(&[1 << log_n]);
            assert_eq!(power, -F::ONE, "2^{log_n}");
        }
        assert_eq!(coset_shift::<F>(F::TWO_ADICITY), F::from_u64(25));
    }
}
