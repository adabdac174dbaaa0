//! Blinding without the sum over part B1: a proof without blinding becomes a uniform one of the same statement.
//!
//! Let (A, B, C) be the proof with r = s = 0. For ρ ≠ 0 and η, uniform in Fr,
//!
//! ```text
//! A' = ρ⁻¹·A      B' = ρ·(B + η·δ)      C' = C + η·A
//! ```
//!
//! is a proof, too: e(A', B') = e(A, B)·e(A, δ)^η and e(C', δ) = e(C, δ)·e(A, δ)^η. If A is not infinity, A' is uniform
//! in G1 without infinity, and B' is uniform in G2 whatever A' is. The equation determines C'. SOUNDNESS.md compares
//! that with r and s. Source: rerandomisation of Groth16's proofs, eprint 2020/811, section 2.4.

use crate::engine::Projective;
use crate::{Error, KeyHeader, Proof, ProvingEngine};
use frumious_curves::Group;
use frumious_curves::engine::ScalarField;
use frumious_field::declassify;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// ρ, its inverse, and η: secret, new for every proof. Forgotten on drop; not printable.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct Rerandomisation<F: Zeroize> {
    rho: F,
    rho_inverse: F,
    eta: F,
}

impl<F: ScalarField> Rerandomisation<F> {
    /// Both from the operating system's generator: ρ over Fr without zero, η over the whole of Fr.
    pub(super) fn random() -> Result<Self, Error> {
        loop {
            if let Some(drawn) = Self::new(F::random()?, F::random()?) {
                return Ok(drawn);
            }
        }
    }

    /// None if ρ is zero. Constant time.
    pub(super) fn new(rho: F, eta: F) -> Option<Self> {
        let inverse = rho.invert();
        // public: that another ρ is drawn, once in 2^254 times, tells nothing of that one
        declassify(inverse.is_some().into()).then(|| Self {
            rho,
            rho_inverse: inverse.unwrap_or(F::ZERO),
            eta,
        })
    }

    /// A uniform proof of the statement of `proof`, whose A is not infinity. Constant time in ρ and η.
    ///
    /// A and B must be in their groups: a multiple of another point is not uniform, and tells of ρ.
    pub(super) fn apply<E: ProvingEngine<Fr = F>>(
        &self,
        header: &KeyHeader<E>,
        proof: &Proof<E>,
    ) -> Proof<E> {
        let (g1, g2) = (Operations::of::<E::G1>(), Operations::of::<E::G2>());
        let points = (proof.a.into(), proof.b.into(), proof.c.into());
        let (a, b, c) = self.points(points, &header.delta_g2.into(), &g1, &g2);
        Proof {
            a: E::G1::from(a),
            b: E::G2::from(b),
            c: E::G1::from(c),
        }
    }
}

impl<F: Zeroize> Rerandomisation<F> {
    /// `(ρ⁻¹·A, ρ·(B + η·δ), C + η·A)`, in any groups.
    fn points<P, Q>(
        &self,
        (a, b, c): (P, Q, P),
        delta: &Q,
        g1: &Operations<P, F>,
        g2: &Operations<Q, F>,
    ) -> (P, Q, P) {
        let blind = (g2.times)(delta, &self.eta);
        (
            (g1.times)(&a, &self.rho_inverse),
            (g2.times)(&(g2.plus)(&b, &blind), &self.rho),
            (g1.plus)(&c, &(g1.times)(&a, &self.eta)),
        )
    }
}

/// The operations of a group: of one on a curve, or of exponents in a test.
struct Operations<P, F> {
    plus: fn(&P, &P) -> P,
    times: fn(&P, &F) -> P,
}

impl<F> Operations<(), F> {
    /// Those of a group on a curve, in constant time.
    fn of<G: Group<Scalar = F>>() -> Operations<Projective<G>, F> {
        Operations {
            plus: |left, right| *left + *right,
            times: G::multiply,
        }
    }
}

/// The proof that `rho`, which is not zero, and `eta` make of one whose points are the generators. For `frumious-ct`:
/// the two are secret.
#[doc(hidden)]
pub fn rerandomise_for_tests<E: ProvingEngine>(rho: E::Fr, eta: E::Fr) -> Proof<E> {
    let (g1, g2) = (E::G1::GENERATOR, E::G2::GENERATOR);
    let proof = Proof {
        a: g1,
        b: g2,
        c: g1,
    };
    let drawn = Rerandomisation::new(rho, eta).expect("it is not zero");
    drawn.apply(&KeyHeader::of_generators(), &proof)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
mod tests {
    use super::*;
    use frumious_curves::{Bls12_381, Bn254, PairingEngine};
    use frumious_field::{Field, PrimeField};
    use std::collections::{BTreeMap, BTreeSet};

    /// The order of toy groups, whose elements are their logarithms: e(a, b) = a·b.
    const P: u32 = 7;

    fn toy() -> Operations<u32, u32> {
        Operations {
            plus: |left, right| (left + right) % P,
            times: |point, scalar| point * scalar % P,
        }
    }

    fn toy_points(rho: u32, eta: u32, proof: (u32, u32, u32), delta: u32) -> (u32, u32, u32) {
        let rho_inverse = (1..P).find(|inverse| rho * inverse % P == 1).unwrap();
        let drawn = Rerandomisation {
            rho,
            rho_inverse,
            eta,
        };
        drawn.points(proof, &delta, &toy(), &toy())
    }

    /// a·b − c·δ, which the statement determines.
    fn statement((a, b, c): (u32, u32, u32), delta: u32) -> u32 {
        (a * b + (P - c) * delta) % P
    }

    /// All proofs with r = s = 0, all δ: over all ρ and η each proof of the statement with A ≠ 0 comes once.
    #[test]
    fn proofs_are_uniform_among_those_of_the_statement() {
        for (a, b, c, delta) in all(|a, _, _, delta| a != 0 && delta != 0) {
            let proof = (a, b, c);
            let mut seen = BTreeSet::new();
            for rho in 1..P {
                for eta in 0..P {
                    seen.insert(toy_points(rho, eta, proof, delta));
                }
            }
            let expected: BTreeSet<(u32, u32, u32)> = all(|_, _, _, other| other == delta)
                .map(|(a, b, c, _)| (a, b, c))
                .filter(|other| other.0 != 0 && statement(*other, delta) == statement(proof, delta))
                .collect();
            assert_eq!(seen, expected, "{proof:?}, {delta}");
            assert_eq!(seen.len() as u32, (P - 1) * P);
        }
    }

    /// So are those by r and s, with A = 0 among them: the two distributions differ by 1/P.
    #[test]
    fn the_distance_from_blinding_by_r_and_s_is_that_of_one_point() {
        for (a, b, c, delta) in all(|a, _, _, delta| a != 0 && delta != 0) {
            let mut weights: BTreeMap<(u32, u32, u32), i64> = BTreeMap::new();
            let (each, other) = (i64::from(P), i64::from(P - 1)); // of a whole of P²·(P − 1)
            for r in 0..P {
                for s in 0..P {
                    let (blinded_a, blinded_b) = ((a + r * delta) % P, (b + s * delta) % P);
                    let blinded_c = (c + s * blinded_a + r * b) % P;
                    *weights
                        .entry((blinded_a, blinded_b, blinded_c))
                        .or_default() += other;
                }
            }
            for rho in 1..P {
                for eta in 0..P {
                    *weights
                        .entry(toy_points(rho, eta, (a, b, c), delta))
                        .or_default() -= each;
                }
            }
            let distance: i64 = weights.values().map(|weight| weight.abs()).sum();
            // Half of the sum, over P²·(P − 1), is 1/P.
            assert_eq!(distance, 2 * i64::from(P * (P - 1)));
        }
    }

    /// All a, b, c and δ that satisfy a condition.
    fn all(
        is_wanted: impl Fn(u32, u32, u32, u32) -> bool,
    ) -> impl Iterator<Item = (u32, u32, u32, u32)> {
        let all = (0..P.pow(4)).map(|k| (k % P, k / P % P, k / P / P % P, k / P / P / P));
        all.filter(move |(a, b, c, delta)| is_wanted(*a, *b, *c, *delta))
    }

    /// Over the curves the points are those that their logarithms tell, for edge values too.
    fn agrees_with_logarithms<E: ProvingEngine>() {
        let scalar = |k: u64| E::Fr::from_u64(k);
        let (one, log) = (
            E::Fr::ONE,
            [scalar(11), -scalar(5), scalar(1 << 40), scalar(3)],
        );
        let g1 = |log: &E::Fr| E::G1::from(E::G1::multiply(&E::G1::GENERATOR.into(), log));
        let g2 = |log: &E::Fr| E::G2::from(E::G2::multiply(&E::G2::GENERATOR.into(), log));
        let [a, b, c, delta] = log;
        let mut header = KeyHeader::<E>::of_generators();
        header.delta_g2 = g2(&delta);
        let proof = Proof {
            a: g1(&a),
            b: g2(&b),
            c: g1(&c),
        };
        for (rho, eta) in [
            (one, E::Fr::ZERO),
            (-one, one),
            (scalar(77), -one),
            (-scalar(9), scalar(1 << 50)),
        ] {
            let drawn = Rerandomisation::new(rho, eta).unwrap();
            let expected = Proof {
                a: g1(&(rho.invert().unwrap() * a)),
                b: g2(&(rho * (b + eta * delta))),
                c: g1(&(c + eta * a)),
            };
            assert_eq!(drawn.apply(&header, &proof), expected);
        }
        assert!(Rerandomisation::<E::Fr>::new(E::Fr::ZERO, one).is_none());
    }

    #[test]
    fn points_agree_with_their_logarithms() {
        agrees_with_logarithms::<Bn254>();
        agrees_with_logarithms::<Bls12_381>();
    }

    /// No two proofs alike: ρ and η are drawn anew.
    #[test]
    fn factors_are_drawn_anew() {
        type F = <Bn254 as PairingEngine>::Fr;
        let drawn = [(); 8].map(|()| Rerandomisation::<F>::random().unwrap());
        for (k, one) in drawn.iter().enumerate() {
            assert!(one.rho * one.rho_inverse == F::ONE);
            for other in &drawn[..k] {
                assert!(one.rho != other.rho && one.eta != other.eta);
            }
        }
    }
}
