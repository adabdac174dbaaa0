#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::*;
use crate::same_multiples;
use crate::tau::{is_lagrange_basis, is_lagrange_basis_of_more, lagrange_bases, successive};
use frumious_curves::engine::PointFromX;
use frumious_curves::{Bls12_381, Bn254};
use frumious_field::{Field, PrimeField};

/// The lists, owned.
#[derive(Clone)]
struct Lists<E: ProvingEngine> {
    tau_g1: Vec<E::G1>,
    tau_g2: Vec<E::G2>,
    alpha: Vec<E::G1>,
    beta: Vec<E::G1>,
}

impl<E: ProvingEngine> Lists<E> {
    fn borrow(&self) -> TauLists<'_, E> {
        TauLists {
            tau_g1: (&self.tau_g1).into(),
            tau_g2: (&self.tau_g2).into(),
            alpha_tau_g1: (&self.alpha).into(),
            beta_tau_g1: (&self.beta).into(),
        }
    }

    fn in_g1(&mut self, number: usize) -> &mut Vec<E::G1> {
        [&mut self.tau_g1, &mut self.alpha, &mut self.beta]
            .into_iter()
            .nth(number)
            .unwrap()
    }
}

/// `first·tauⁱ` for each `i < n`.
fn multiples<A: Group>(first: u64, tau: A::Scalar, n: usize) -> Vec<A> {
    let power = |i: usize| A::Scalar::from_u64(first) * tau.pow_vartime(&[i as u64]);
    (0..n)
        .map(|i| A::from(A::multiply_vartime(&A::GENERATOR.into(), &power(i))))
        .collect()
}

fn powers<E: ProvingEngine>(n: usize, tau: E::Fr) -> Lists<E> {
    Lists {
        tau_g1: multiples(1, tau, 2 * n - 1),
        tau_g2: multiples(1, tau, n),
        alpha: multiples(5, tau, n),
        beta: multiples(7, tau, n),
    }
}

fn bases_of<A: MsmPoint + ScaledPoint + Group<Scalar: ScalarField>>(
    powers: &[A],
    last: u32,
) -> Vec<A> {
    let mut all = Vec::new();
    let mut visit = |points: &[A]| {
        all.extend_from_slice(points);
        Ok(())
    };
    lagrange_bases(powers.into(), 0..=last, &|_| (), &mut visit).unwrap();
    all
}

/// A point of the curve outside of the group.
fn outside<A: PointFromX<Base: PrimeField> + PartialEq>(is_in: impl Fn(&A) -> bool) -> A {
    let x = |k: u64| {
        let mut x = vec![A::Base::ZERO; A::DEGREE];
        x[0] = A::Base::from_u64(k);
        x
    };
    let points = (1..).filter_map(|k| A::lift_x_vartime(&x(k), false));
    points.take(100).find(|point| !is_in(point)).unwrap()
}

/// True by the checks of each list.
fn are_powers_one_by_one<E: ProvingEngine>(lists: &Lists<E>) -> bool {
    let (g2, tau) = (E::G2::GENERATOR, lists.tau_g2[1]);
    let steps = |list: &[E::G1]| {
        let (old, new) = (&list[..list.len() - 1], &list[1..]);
        same_multiples::<E>((old.into(), &tau), (new.into(), &g2)).unwrap()
    };
    lists.tau_g1[0] == E::G1::GENERATOR
        && lists.tau_g2[0] == g2
        && steps(&lists.tau_g1)
        && steps(&lists.alpha)
        && steps(&lists.beta)
        && successive::<E>((&lists.tau_g2).into(), &lists.tau_g1[1]).unwrap()
}

/// Calls `visit` for the list with the point in each place negated, at infinity, doubled, moved.
fn for_each_fault<A: Group>(good: &[A], mut visit: impl FnMut(&[A], &str)) {
    for k in 0..good.len() {
        let mut bad = good.to_vec();
        bad[k] = -good[k];
        visit(&bad, &format!("{k} negated"));
        bad[k] = A::default();
        visit(&bad, &format!("{k} at infinity"));
        bad[k] = A::from(A::double(&good[k].into()));
        visit(&bad, &format!("{k} doubled"));
        bad = good.to_vec();
        bad.swap(k, (k + 1) % good.len());
        visit(&bad, &format!("{k} moved"));
    }
}

fn check_powers<E: ProvingEngine>() {
    let tau = E::Fr::from_u64(1_234_567);
    // Two, three; a group and one more; several groups.
    for n in [2, 3, GROUP, GROUP + 1, 3 * GROUP] {
        let good = powers::<E>(n, tau);
        let hold = |lists: &Lists<E>| are_powers(&lists.borrow()).unwrap();
        assert!(hold(&good), "{n}");
        if ![2, GROUP + 1].contains(&n) {
            continue;
        }
        for number in 0..3 {
            let list = good.clone().in_g1(number).clone();
            for_each_fault(&list, |bad, fault| {
                let mut lists = good.clone();
                *lists.in_g1(number) = bad.to_vec();
                // α and β are those of the first point: of two points one may be another power's.
                let expected = bad == list || are_powers_one_by_one(&lists);
                assert_eq!(hold(&lists), expected, "list {number} of {n}: {fault}");
            });
        }
        for_each_fault(&good.tau_g2, |bad, fault| {
            let mut lists = good.clone();
            lists.tau_g2 = bad.to_vec();
            assert!(!hold(&lists), "G2 of {n}: {fault}");
        });
        // Powers of another τ in one list.
        let other = powers::<E>(n, tau + E::Fr::ONE);
        for number in 0..3 {
            let mut lists = good.clone();
            *lists.in_g1(number) = other.clone().in_g1(number).clone();
            assert!(!hold(&lists), "{number}");
        }
        let mut lists = good.clone();
        lists.tau_g2 = other.tau_g2;
        assert!(!hold(&lists));
        // All lists have another factor.
        let mut lists = good.clone();
        for list in [0, 1, 2] {
            for point in lists.in_g1(list) {
                *point = E::G1::double(&(*point).into()).into();
            }
        }
        assert!(!hold(&lists));
    }
    // Lengths of nothing, of one, and that do not fit.
    let good = powers::<E>(4, tau);
    for (g1, g2, alpha, beta) in [
        (0, 0, 0, 0),
        (1, 1, 1, 1),
        (6, 4, 4, 4),
        (7, 3, 4, 4),
        (7, 4, 3, 4),
        (7, 4, 4, 3),
        (7, 0, 0, 0),
    ] {
        let mut lists = good.clone();
        lists.tau_g1.truncate(g1);
        lists.tau_g2.truncate(g2);
        lists.alpha.truncate(alpha);
        lists.beta.truncate(beta);
        assert!(
            !are_powers(&lists.borrow()).unwrap(),
            "{g1} {g2} {alpha} {beta}"
        );
    }
}

fn check_bases<E: ProvingEngine>() {
    let tau = E::Fr::from_u64(1_234_567);
    for log_n in 1..=2 {
        let n = 1 << log_n;
        let powers = powers::<E>(n, tau);
        let bases = |in_g1: &[E::G1]| Lists::<E> {
            tau_g1: bases_of(in_g1, log_n + 1),
            tau_g2: bases_of(&powers.tau_g2, log_n),
            alpha: bases_of(&powers.alpha, log_n),
            beta: bases_of(&powers.beta, log_n),
        };
        let hold = |bases: &Lists<E>, are_cut| {
            are_lagrange_bases(&powers.borrow(), &bases.borrow(), are_cut).unwrap()
        };
        let good = bases(&powers.tau_g1);
        let of_all = bases(&multiples(1, tau, 2 * n));
        assert!(hold(&good, false) && hold(&good, true));
        assert!(hold(&of_all, true) && !hold(&of_all, false));
        for (good, are_cut) in [(&good, false), (&of_all, true)] {
            for number in 0..3 {
                let list = good.clone().in_g1(number).clone();
                for_each_fault(&list, |bad, fault| {
                    let mut lists = good.clone();
                    *lists.in_g1(number) = bad.to_vec();
                    let expected = are_bases_one_by_one(&powers, &lists, are_cut);
                    assert_eq!(hold(&lists, are_cut), expected, "{number} of {n}: {fault}");
                });
            }
            for_each_fault(&good.tau_g2, |bad, fault| {
                let mut lists = good.clone();
                lists.tau_g2 = bad.to_vec();
                let expected = are_bases_one_by_one(&powers, &lists, are_cut);
                assert_eq!(hold(&lists, are_cut), expected, "G2 of {n}: {fault}");
            });
        }
        for short in 0..4 {
            let mut lists = good.clone();
            match short {
                3 => drop(lists.tau_g2.pop()),
                number => drop(lists.in_g1(number).pop()),
            }
            assert!(!hold(&lists, false), "list {short} is short");
        }
    }
}

/// True by the checks of each domain.
fn are_bases_one_by_one<E: ProvingEngine>(
    powers: &Lists<E>,
    bases: &Lists<E>,
    are_cut: bool,
) -> bool {
    fn domains<A: MsmPoint + Group<Scalar: ScalarField>>(
        powers: &[A],
        bases: &[A],
        logs: Range<u32>,
    ) -> bool {
        logs.into_iter().all(|log| {
            let size = 1 << log;
            let powers = &powers[..powers.len().min(size)];
            is_lagrange_basis(powers.into(), (&bases[size - 1..2 * size - 1]).into()).unwrap()
        })
    }
    let log_n = powers.tau_g2.len().ilog2();
    let size = 2 << log_n;
    let last = &bases.tau_g1[size - 1..];
    let largest = match are_cut {
        true => {
            is_lagrange_basis_of_more::<E>((&powers.tau_g1).into(), last.into(), &powers.tau_g2[1])
                .unwrap()
        }
        false => is_lagrange_basis((&powers.tau_g1).into(), last.into()).unwrap(),
    };
    largest
        && domains(&powers.tau_g1, &bases.tau_g1, 0..log_n + 1)
        && domains(&powers.tau_g2, &bases.tau_g2, 0..log_n + 1)
        && domains(&powers.alpha, &bases.alpha, 0..log_n + 1)
        && domains(&powers.beta, &bases.beta, 0..log_n + 1)
}

/// r times a point of the curve, which is infinity in the group: a part that pairings do not see.
fn torsion<A: Group>(point: A) -> A {
    let less_one = Integer::from(-A::Scalar::ONE); // r - 1
    let mut sum = A::Projective::from(point);
    let words = less_one.words();
    let bits = (0..256).rev().map(|k| words[k / 64] >> (k % 64) & 1);
    for bit in bits.skip_while(|bit| *bit == 0).skip(1) {
        sum = A::double(&sum);
        if bit == 1 {
            sum = point.plus(&sum);
        }
    }
    A::from(point.plus(&sum))
}

/// Points of G2 outside of their group, in each place. Both lists, powers and bases.
fn check_outside<E>(is_in: impl Fn(&E::G2) -> bool)
where
    E: ProvingEngine<G2: PointFromX<Base: PrimeField>>,
{
    let log_n = 3;
    let powers = powers::<E>(1 << log_n, E::Fr::from_u64(3));
    let bases = Lists::<E> {
        tau_g1: bases_of(&powers.tau_g1, log_n + 1),
        tau_g2: bases_of(&powers.tau_g2, log_n),
        alpha: bases_of(&powers.alpha, log_n),
        beta: bases_of(&powers.beta, log_n),
    };
    let hold = |lists: &Lists<E>| match lists.tau_g2.len() {
        8 => are_powers(&lists.borrow()).unwrap(),
        _ => are_lagrange_bases(&powers.borrow(), &lists.borrow(), false).unwrap(),
    };
    let point = torsion(outside::<E::G2>(&is_in));
    assert!(point != E::G2::default() && !is_in(&point));
    for good in [&powers, &bases] {
        assert!(hold(good));
        for k in 0..good.tau_g2.len() {
            let mut lists = good.clone();
            lists.tau_g2[k] = E::G2::from(point.plus(&lists.tau_g2[k].into()));
            assert!(!hold(&lists), "{k}");
            // Its opposite elsewhere does not hide it.
            let other = (k + 1) % lists.tau_g2.len();
            lists.tau_g2[other] = E::G2::from((-point).plus(&lists.tau_g2[other].into()));
            assert!(!hold(&lists), "{k} and {other}");
        }
    }
}

#[test]
fn false_powers_are_told() {
    check_powers::<Bn254>();
    check_powers::<Bls12_381>();
}

#[test]
fn false_bases_are_told() {
    check_bases::<Bn254>();
    check_bases::<Bls12_381>();
}

#[test]
fn points_outside_of_g2_are_told() {
    check_outside::<Bn254>(|point| point.is_in_subgroup().into());
    check_outside::<Bls12_381>(|point| point.is_in_subgroup().into());
}
