//! The five sums over the key.

use super::Phase;
use crate::ProvingKey;
use crate::key::{KeyG1, KeyG2};
use frumious_curves::bn254::{G1Projective, G2Projective};
use frumious_msm::msm_vartime;
use zeroize::Zeroizing;

/// What the key's points, weighed by the witness and by the quotient, add up to.
pub(super) struct Sums {
    /// Σ w_i·A_i over all wires.
    pub(super) a: G1Projective,
    /// Σ w_i·B_i in G1 over all wires; none if the proof is not blinded.
    pub(super) b1: Option<G1Projective>,
    /// Σ w_i·B_i in G2 over all wires.
    pub(super) b2: G2Projective,
    /// Σ w_i·C_i over the wires that are not public, plus Σ h_i·H_i over the domain.
    pub(super) c: G1Projective,
}

/// The sums, one after the other: each is parallel in itself, and only one set of buckets is alive at a time.
///
/// `witness`: canonical, one value for each wire; `h`: canonical, one for each domain element, dropped after its sum.
pub(super) fn compute_vartime(
    key: &ProvingKey,
    witness: &[[u64; 4]],
    h: Zeroizing<Vec<[u64; 4]>>,
    with_b1: bool,
    enter: impl Fn(Phase),
) -> Sums {
    let zkey = key.zkey();
    enter(Phase::SumH);
    let sum_h = msm_vartime(&KeyG1(zkey.h()), &h).expect(LENGTHS);
    drop(h);
    enter(Phase::SumA);
    let a = msm_vartime(&KeyG1(zkey.a()), witness).expect(LENGTHS);
    let b1 = with_b1.then(|| {
        enter(Phase::SumB1);
        msm_vartime(&KeyG1(zkey.b1()), witness).expect(LENGTHS)
    });
    enter(Phase::SumB2);
    let b2 = msm_vartime(&KeyG2(zkey.b2()), witness).expect(LENGTHS);
    enter(Phase::SumC);
    let private = &witness[key.num_public() + 1..];
    let sum_c = msm_vartime(&KeyG1(zkey.c()), private).expect(LENGTHS);
    Sums {
        a,
        b1,
        b2,
        c: sum_c + sum_h,
    }
}

const LENGTHS: &str =
    "a Zkey's sections have the lengths its header says, and the witness was measured";
