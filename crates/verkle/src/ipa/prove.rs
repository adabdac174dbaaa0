//! The prover's side.

use super::{Combination, ROUNDS, begin, fold_challenge, unfold};
use crate::polynomial::lagrange_coefficients;
use crate::{Committer, DOMAIN, IpaProof, Transcript, Values};
use frumious_curves::bandersnatch::{AffineElement, Element, Fr, batch_to_affine_vartime};
use frumious_field::vector;

/// Proves the value of the polynomial at `point`, any scalar, with the commitment and the value bound by the
/// transcript.
///
/// `commitment` is the one of `values`; a false one is not noticed here and gives a proof that no verifier accepts.
pub fn prove(
    committer: &Committer,
    transcript: &mut Transcript,
    commitment: &Element,
    values: &Values,
    point: &Fr,
) -> IpaProof {
    let mut a = *values;
    let mut b = lagrange_coefficients(point);
    let value = vector::inner_product(&a, &b);
    let w = begin(transcript, &commitment.to_bytes(), point, &value);

    let mut scalars = [Fr::ONE; DOMAIN / 2]; // of the original elements, by the high bits of their index
    let mut l = [AffineElement::IDENTITY; ROUNDS];
    let mut r = [AffineElement::IDENTITY; ROUNDS];
    for round in 0..ROUNDS {
        let half = DOMAIN >> (round + 1);
        let (a_l, a_r) = a[..2 * half].split_at_mut(half);
        let (b_l, b_r) = b[..2 * half].split_at_mut(half);
        let folded = &scalars[..1 << round];
        let (left, right) = frumious_parallel::join(
            || cross_term(committer, a_r, b_l, folded, Side::Left, &w),
            || cross_term(committer, a_l, b_r, folded, Side::Right, &w),
        );
        let affine = batch_to_affine_vartime(&[left, right]);
        (l[round], r[round]) = (affine[0], affine[1]);

        let x = fold_challenge(transcript, &l[round].to_bytes(), &r[round].to_bytes());
        let inverse = inverse_or_zero(&x);
        vector::add_scaled(a_l, &x, a_r);
        vector::add_scaled(b_l, &inverse, b_r);
        if round + 1 < ROUNDS {
            unfold(&mut scalars, 1 << round, &inverse);
        }
    }
    IpaProof { l, r, a: a[0] }
}

/// Which half of each folded element's originals.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// `<a, G_side> + <a, b>·w·Q`, where element `i` of `G_side` is the sum of `folded[e]` times the originals `i` of the
/// side's half of block `e`.
fn cross_term(
    committer: &Committer,
    a: &[Fr],
    b: &[Fr],
    folded: &[Fr],
    side: Side,
    w: &Fr,
) -> Element {
    let half = a.len();
    let mut combination: Combination = [Fr::ZERO; DOMAIN + 1];
    for (block, scalar) in combination.chunks_exact_mut(2 * half).zip(folded) {
        let (left, right) = block.split_at_mut(half);
        let originals = match side {
            Side::Left => left,
            Side::Right => right,
        };
        for (original, a) in originals.iter_mut().zip(a) {
            *original = *scalar * *a;
        }
    }
    combination[DOMAIN] = vector::inner_product(a, b) * *w;
    committer.combine(&combination)
}

/// A challenge is zero with probability `2^-253`; then, as in go-ipa, its inverse counts as zero and the proof may
/// fail.
fn inverse_or_zero(challenge: &Fr) -> Fr {
    challenge.invert_vartime().unwrap_or(Fr::ZERO)
}
