//! Which nodes of a proof are shown to be inner nodes.
//!
//! A commitment does not say whether it is an inner node, a leaf or a half of one; a proof tells only by its paths. But
//! something of each node is opened, and some values stand in no leaf, others in no half:
//!
//! | index | in a leaf | in a half |
//! |---|---|---|
//! | 0 | 1 | 0, or from `2^128` on below `2^129` |
//! | 1 | a stem, below `2^248` | below `2^128` |
//! | 2, 3 | the hash of a half | as at 0 and 1 |
//! | from 4 on | 0 | as at 0 and 1 |
//!
//! The root is an inner node. A child of an inner node is an inner node or a leaf, never a half. By induction over the
//! paths, the others passed off as inner nodes are inner nodes if each has an opened value that no leaf has:
//!
//! - at 0 any but 1
//! - at 1 one from `2^248` on
//! - from 4 on any but 0
//! - at 2 or 3 the hash of a node that cannot be a half

use super::walk::NodeId;
use crate::Claim;
use crate::tree::node::{Slot, Tree};
use frumious_curves::bandersnatch::Fr;

/// The nodes below the root that are passed off as inner nodes and, by all that is opened of them, may be leaves. Each
/// once.
///
/// `claims`: one for each opening.
pub(super) fn ambiguous(tree: &Tree, openings: &[(NodeId, u8)], claims: &[Claim]) -> Vec<u32> {
    // Openings of a node lie behind each other.
    let mut inners: Vec<(u32, &[Claim])> = Vec::new();
    let mut start = 0;
    for group in openings.chunk_by(|a, b| a.0 == b.0) {
        let end = start + group.len();
        if let (NodeId::Inner(inner), _) = group[0] {
            inners.push((inner, &claims[start..end]));
        }
        start = end;
    }
    let mut may_be_half = vec![false; tree.inners.len()];
    for (inner, claims) in &inners {
        may_be_half[*inner as usize] = claims.iter().all(is_of_half);
    }
    let may_be_leaf = |&(inner, claims): &(u32, &[Claim])| {
        claims.iter().all(|claim| match claim.point {
            2 | 3 => match tree.inners[inner as usize].child(claim.point) {
                Some(Slot::Inner(child)) => may_be_half[child as usize],
                // What is shown as a leaf has a 1 at index 0, which no half has.
                Some(Slot::Leaf(_)) => false,
                Some(Slot::Empty) | None => true,
            },
            _ => is_of_leaf(claim),
        })
    };
    let below_root = inners.iter().filter(|(inner, _)| *inner != 0);
    below_root
        .filter(|inner| may_be_leaf(inner))
        .map(|(inner, _)| *inner)
        .collect()
}

/// True if a leaf may have this value, at another index than 2 and 3.
fn is_of_leaf(claim: &Claim) -> bool {
    match claim.point {
        0 => claim.value == Fr::ONE,
        1 => claim.value.to_bytes()[31] == 0,
        _ => claim.value == Fr::ZERO,
    }
}

/// True if a half may have this value.
fn is_of_half(claim: &Claim) -> bool {
    let bytes = claim.value.to_bytes();
    let (above, is_low) = (&bytes[16..], claim.point.is_multiple_of(2));
    let is_there = is_low && above[0] == 1 && above[1..].iter().all(|&byte| byte == 0);
    is_there || claim.value == Fr::ZERO || !is_low && above.iter().all(|&byte| byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::bandersnatch::Element;

    fn claim(point: u8, bytes: [u8; 32]) -> Claim {
        Claim {
            commitment: Element::IDENTITY,
            point,
            value: Fr::from_bytes_reduced(&bytes),
        }
    }

    /// `2^bits`, and the number before it.
    fn power(bits: usize) -> [[u8; 32]; 2] {
        let power = core::array::from_fn(|i| u8::from(i == bits / 8) << (bits % 8));
        let before = core::array::from_fn(|i| if i < bits / 8 { 0xff } else { 0 });
        [power, before]
    }

    #[test]
    fn values_of_leaves_at_their_bounds() {
        let ([one, zero], [beyond, stem]) = (power(0), power(248));
        assert!(is_of_leaf(&claim(0, one)) && !is_of_leaf(&claim(0, zero)));
        assert!(is_of_leaf(&claim(1, stem)) && !is_of_leaf(&claim(1, beyond)));
        for point in [4, 5, 255] {
            assert!(is_of_leaf(&claim(point, zero)) && !is_of_leaf(&claim(point, one)));
        }
    }

    #[test]
    fn values_of_halves_at_their_bounds() {
        let ([one, zero], [bit, below], [end, _]) = (power(0), power(128), power(129));
        let mut last = below;
        last[16] = 1;
        for point in [0, 2, 254] {
            let of_half = [zero, bit, last].map(|bytes| is_of_half(&claim(point, bytes)));
            assert_eq!(of_half, [true; 3]);
            let not = [one, below, end].map(|bytes| is_of_half(&claim(point, bytes)));
            assert_eq!(not, [false; 3]);
        }
        for point in [1, 3, 255] {
            let of_half = [zero, one, below].map(|bytes| is_of_half(&claim(point, bytes)));
            assert_eq!(of_half, [true; 3]);
            let not = [bit, last, end].map(|bytes| is_of_half(&claim(point, bytes)));
            assert_eq!(not, [false; 3]);
        }
    }
}
