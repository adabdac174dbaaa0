//! The five sums over the key.

use super::Phase;
use crate::engine::Group;
use crate::key::encoded;
use crate::{ProvingEngine, ProvingKey};
use frumious_msm::msm_vartime;
use zeroize::Zeroizing;

/// What the key's points, weighed by the witness and by the quotient, add up to.
pub(super) struct Sums<E: ProvingEngine> {
    /// Σ w_i·A_i over all wires.
    pub(super) a: Group<E::G1>,
    /// Σ w_i·B_i in G1 over all wires; none if the proof is not blinded.
    pub(super) b1: Option<Group<E::G1>>,
    /// Σ w_i·B_i in G2 over all wires.
    pub(super) b2: Group<E::G2>,
    /// Σ w_i·C_i over the wires that are not public, plus Σ h_i·H_i over the domain.
    pub(super) c: Group<E::G1>,
}

/// The sums, one after the other: each is parallel in itself, and only one set of buckets is alive at a time.
///
/// `witness`: canonical, one value for each wire; `h`: canonical, one for each domain element, dropped after its sum.
pub(super) fn compute_vartime<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &[[u64; 4]],
    h: Zeroizing<Vec<[u64; 4]>>,
    with_b1: bool,
    enter: impl Fn(Phase),
) -> Sums<E> {
    let zkey = key.zkey();
    enter(Phase::SumH);
    let sum_h = msm_vartime(&encoded(zkey.h()), &h).expect(LENGTHS);
    drop(h);
    enter(Phase::SumA);
    let a = msm_vartime(&encoded(zkey.a()), witness).expect(LENGTHS);
    let b1 = with_b1.then(|| {
        enter(Phase::SumB1);
        msm_vartime(&encoded(zkey.b1()), witness).expect(LENGTHS)
    });
    enter(Phase::SumB2);
    let b2 = msm_vartime(&encoded(zkey.b2()), witness).expect(LENGTHS);
    enter(Phase::SumC);
    let private = &witness[key.num_public() + 1..];
    let sum_c = msm_vartime(&encoded(zkey.c()), private).expect(LENGTHS);
    Sums {
        a,
        b1,
        b2,
        c: sum_c + sum_h,
    }
}

const LENGTHS: &str =
    "a Zkey's sections have the lengths its header says, and the witness was measured";
