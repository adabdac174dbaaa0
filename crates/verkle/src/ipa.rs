//! The inner product argument: that a committed polynomial has a value at a point, in 8 rounds.
//!
//! Each round halves the vectors: with `a = (a_L, a_R)` and so on, the prover sends the cross terms
//! `L = <a_R, G_L> + <a_R, b_L>·Q'` and `R = <a_L, G_R> + <a_L, b_R>·Q'`, gets a challenge `x`. Both go on with
//! `a_L + x·a_R`, `b_L + x⁻¹·b_R`, `G_L + x⁻¹·G_R`. Source: Bünz et al., eprint 2017/1066, section 3, in the form of
//! go-ipa `ipa/prover.go` and `ipa/verifier.go`; spec section 6.
//!
//! The basis is never folded. Folded elements are sums of the original ones times products of challenges. So every
//! cross term, and the verifier's equation, is one sum over the original basis through its tables.

mod prove;
mod verify;

pub use crate::proof::ROUNDS;
pub use prove::prove;
pub use verify::verify;
pub(crate) use verify::{Preparation, Statement, verify_prepared_vartime};

use crate::{DOMAIN, Transcript};
use frumious_curves::bandersnatch::Fr;

/// Scalars of the basis, and behind them the one of `Q`.
type Combination = [Fr; DOMAIN + 1];

/// Appends the statement; the challenge that ties its value to `Q`, `Q' = w·Q`.
fn begin(transcript: &mut Transcript, commitment: &[u8; 32], point: &Fr, value: &Fr) -> Fr {
    transcript.domain_separator(b"ipa");
    transcript.append(b"C", commitment);
    transcript.append_scalar(b"input point", point);
    transcript.append_scalar(b"output point", value);
    transcript.challenge(b"w")
}

/// Appends the cross terms of a round; the challenge it is folded with.
fn fold_challenge(transcript: &mut Transcript, l: &[u8; 32], r: &[u8; 32]) -> Fr {
    transcript.append(b"L", l);
    transcript.append(b"R", r);
    transcript.challenge(b"x")
}

/// Doubles the scalars of the original elements in one folded element, for one more round. They are `(s, s/x)`,
/// interleaved, since the first round's challenge belongs to an index's top bit.
///
/// `scalars` holds them at its first `len` places, and afterwards at its first `2·len`.
fn unfold(scalars: &mut [Fr], len: usize, inverse: &Fr) {
    for i in (0..len).rev() {
        scalars[2 * i + 1] = scalars[i] * *inverse;
        scalars[2 * i] = scalars[i];
    }
}
