//! Claims that the openings of a proof show.

use super::walk::NodeId;
use crate::Claim;
use crate::tree::node::{Slot, Tree, stem_scalar, value_scalars};
use frumious_curves::bandersnatch::Fr;

/// The claim of each opening.
pub(super) fn claims(tree: &Tree, openings: &[(NodeId, u8)]) -> Vec<Claim> {
    let claim = |&(id, point): &(NodeId, u8)| Claim {
        commitment: id.node(tree).commitment,
        point,
        value: value(tree, id, point),
    };
    openings.iter().map(claim).collect()
}

/// A value that a node commits to at an index.
fn value(tree: &Tree, id: NodeId, point: u8) -> Fr {
    match id {
        NodeId::Inner(inner) => {
            let slot = tree.inners[inner as usize].child(point);
            tree.slot_hash(slot.unwrap_or(Slot::Empty))
        }
        NodeId::Leaf(leaf) => {
            let leaf = &tree.leaves[leaf as usize];
            match point {
                0 => Fr::ONE,
                1 => stem_scalar(&leaf.stem),
                2 | 3 => leaf.halves[usize::from(point) - 2].hash,
                _ => Fr::ZERO,
            }
        }
        NodeId::Half(leaf, half) => {
            let suffix = point / 2 + 128 * half as u8;
            let value = tree.leaves[leaf as usize].value(suffix).flatten();
            value_scalars(value.as_ref())[usize::from(point % 2)]
        }
    }
}
