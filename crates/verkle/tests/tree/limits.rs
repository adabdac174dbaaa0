//! What proofs of this format do not show, and what little can be done about it.

use crate::committer;
use crate::proofs::{prove, verify};
use frumious_curves::bandersnatch::{AffineElement, Element, Fr};
use frumious_verkle::tree::{Place, Presence, Problem, StemStatus, Tree, TreeError, VerkleProof};
use frumious_verkle::{Opening, Prover, Transcript, Values};

/// A proof from chosen openings.
fn forged(
    status: (Presence, u8),
    commitments: &[AffineElement],
    openings: &[Opening<'_>],
) -> VerkleProof {
    let mut transcript = Transcript::new(b"vt");
    let multiproof = Prover::new(committer()).prove(&mut transcript, openings);
    VerkleProof {
        other_stems: Vec::new(),
        statuses: vec![StemStatus::new(status.0, status.1).expect("a depth")],
        commitments: commitments.to_vec(),
        multiproof: multiproof.expect("openings"),
    }
}

/// The inner nodes of a path are not shown to be inner nodes. A leaf commits to zero from index 4 on, so an untruthful prover
/// can walk through it as if it were an inner node without a child there, and the stem that is in it seems to be absent.
///
/// go-verkle v0.2.2 accepts this proof too (its `Verify`, tried with this very example). The format has no opening by which a verifier could tell;
/// this test is here so that nobody trusts absences more than they deserve.
#[test]
fn a_present_stem_can_be_shown_absent() {
    let key = [200; 32];
    let tree = Tree::from_entries(committer(), &[(key, [1; 32])]);
    let honest = prove(&tree, &[key]);
    let leaf = honest.commitments[0];
    let half = Element::from(honest.commitments[1]).map_to_scalar_field();

    let mut root_values: Values = [Fr::ZERO; 256];
    root_values[200] = leaf.map_to_scalar_field();
    let mut leaf_values: Values = [Fr::ZERO; 256];
    let mut stem = key;
    stem[31] = 0;
    leaf_values[0] = Fr::ONE;
    leaf_values[1] = Fr::from_bytes_reduced(&stem);
    leaf_values[3] = half; // suffix 200 is in the second half
    let opening = |commitment, polynomial| Opening {
        commitment,
        polynomial,
        point: 200,
    };
    let openings = [
        opening(tree.root(), &root_values),
        opening(leaf.into(), &leaf_values),
    ];
    let proof = forged((Presence::AbsentEmpty, 2), &[leaf], &openings);
    assert_eq!(verify(&proof, &tree.root(), &[(key, None)]), Ok(true));
    assert_eq!(tree.get(&key), Ok(Some([1; 32])));
}

/// The same with the neutral element as an "inner node" in an empty place would let a new leaf be put deeper than it belongs: a
/// wrong root after the block. That can be told, as no honest node but an empty half has this commitment.
#[test]
fn empty_inner_nodes_are_refused() {
    let tree = Tree::from_entries(committer(), &[([1; 32], [1; 32])]);
    let zeros: Values = [Fr::ZERO; 256];
    let mut root_values = zeros;
    root_values[1] = {
        let proof = prove(&tree, &[[1; 32]]);
        proof.commitments[0].map_to_scalar_field()
    };
    let key = [200; 32];
    let opening = |commitment, polynomial| Opening {
        commitment,
        polynomial,
        point: 200,
    };
    let openings = [
        opening(tree.root(), &root_values),
        opening(Element::IDENTITY, &zeros),
    ];
    let proof = forged(
        (Presence::AbsentEmpty, 2),
        &[AffineElement::IDENTITY],
        &openings,
    );
    let refused = Err(TreeError::Malformed {
        place: Place::Commitment(0),
        problem: Problem::Neutral,
    });
    assert_eq!(verify(&proof, &tree.root(), &[(key, None)]), refused);
    // The honest one, at depth 1.
    let proof = forged((Presence::AbsentEmpty, 1), &[], &openings[..1]);
    assert_eq!(verify(&proof, &tree.root(), &[(key, None)]), Ok(true));
}
