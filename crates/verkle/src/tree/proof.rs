//! Proofs of the values and absences of many keys below a root.
//!
//! For each stem a status says how deep its path goes and what is at its end. The commitments to all nodes on the paths
//! but the root are given, by ascending path. Where an absent stem's place is taken, the other stem is given. These
//! determine a part of the tree, and a list of openings of its commitments (see [`walk`]). A [`Multiproof`] under the
//! transcript label `vt` shows that the openings are true.
//!
//! Source: go-verkle `proof_ipa.go` and `tree.go`, `GetProofItems`; spec section 9.

mod binary;
mod claims;
mod kinds;
mod partial;
mod prove;
mod status;
mod walk;

pub use status::{Presence, StemStatus};

use super::node::{Tree, hash_all};
use super::{HashedKey, Key, Place, Problem, Stem, TreeError, Value};
use crate::{Multiproof, Transcript, Verifier};
use frumious_curves::bandersnatch::{AffineElement, BatchError, Element, batch_from_bytes_vartime};
use partial::Groups;
pub(super) use partial::check_limit;

/// Stems in one proof at most; the limit of the SSZ form (verkle-trie-ref, `ssz_format.py`).
pub(super) const MAX_STEMS: usize = 1 << 16;

/// Commitments for each stem at most: 30 inner nodes, a leaf, its two halves; the limit of the SSZ form.
pub(super) const MAX_COMMITMENTS_PER_STEM: usize = 33;

/// Label of the transcript.
const LABEL: &[u8] = b"vt";

/// Where the stems of a tree come from.
#[derive(Clone, Copy)]
enum Stems {
    /// From anyone.
    Any,
    /// All of them are hashes.
    Hashed,
}

/// A proof of the values and absences of keys.
///
/// The keys, values and the root are not part of it. It may be false, but its elements are elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerkleProof {
    /// Stems found in the place of absent ones, ascending, where no present stem of the proof shows them.
    pub other_stems: Vec<Stem>,
    /// For each stem, ascending, what its path leads to.
    pub statuses: Vec<StemStatus>,
    /// The commitments to the nodes on the paths, but for the root, by ascending path.
    pub commitments: Vec<AffineElement>,
    /// The openings.
    pub multiproof: Multiproof,
}

impl VerkleProof {
    /// True if the tree with this root has these values, and none at the keys with `None`. Whoever made the tree and
    /// the proof may have chosen any keys.
    ///
    /// `entries`: by ascending key, without repetitions, at least one.
    ///
    /// # Errors
    /// Entries out of order; a proof that does not fit them (counts, statuses, other stems, paths).
    /// [`Problem::Ambiguous`] for a node that may be a leaf passed off as an inner node. Some honest proofs have one,
    /// but none of [`Tree::unambiguous_keys`].
    pub fn verify(
        &self,
        verifier: &mut Verifier<'_>,
        root: &Element,
        entries: &[(Key, Option<Value>)],
    ) -> Result<bool, TreeError> {
        Ok(self.open(verifier, root, entries)?.is_some())
    }

    /// The part of the tree that the proof shows, if it is true: entries, other stems and the commitments on the paths.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn open(
        &self,
        verifier: &mut Verifier<'_>,
        root: &Element,
        entries: &[(Key, Option<Value>)],
    ) -> Result<Option<Tree>, TreeError> {
        self.open_with(verifier, root, entries, Stems::Any)
    }

    /// As [`verify`](Self::verify), for a tree in which the stem of **every** key is a hash, not only those of the
    /// entries. Takes all proofs of the format that are true.
    ///
    /// Values are shown (a false one costs some 2^124 hashes). **Absence in an empty place of any node but the root is
    /// not**: see [the module](super).
    ///
    /// # Errors
    /// As [`verify`](Self::verify), but for ambiguous nodes.
    pub fn verify_hashed(
        &self,
        verifier: &mut Verifier<'_>,
        root: &Element,
        entries: &[(HashedKey, Option<Value>)],
    ) -> Result<bool, TreeError> {
        Ok(self.open_hashed(verifier, root, entries)?.is_some())
    }

    /// As [`open`](Self::open), under the conditions of [`verify_hashed`](Self::verify_hashed).
    ///
    /// # Errors
    /// As [`verify_hashed`](Self::verify_hashed).
    pub fn open_hashed(
        &self,
        verifier: &mut Verifier<'_>,
        root: &Element,
        entries: &[(HashedKey, Option<Value>)],
    ) -> Result<Option<Tree>, TreeError> {
        let bytes = |(key, value): &(HashedKey, Option<Value>)| (key.to_bytes(), *value);
        let entries: Vec<(Key, Option<Value>)> = entries.iter().map(bytes).collect();
        self.open_with(verifier, root, &entries, Stems::Hashed)
    }

    fn open_with(
        &self,
        verifier: &mut Verifier<'_>,
        root: &Element,
        entries: &[(Key, Option<Value>)],
        stems: Stems,
    ) -> Result<Option<Tree>, TreeError> {
        let groups = Groups::new(entries)?;
        let mut tree = partial::shape(self, &groups)?;
        let shown = walk::walk(&tree, groups.keys())?;
        self.assign_commitments(&mut tree, root, &shown.commitments)?;
        debug_assert_eq!(shown.statuses, self.statuses);
        debug_assert_eq!(shown.other_stems, self.other_stems);
        let claims = claims::claims(&tree, &shown.openings);
        if matches!(stems, Stems::Any)
            && let Some(&inner) = kinds::ambiguous(&tree, &shown.openings, &claims).first()
        {
            let is_it = |id: &walk::NodeId| *id == walk::NodeId::Inner(inner);
            let place = shown.commitments.iter().position(is_it);
            let place = Place::Commitment(place.expect("below the root all inner nodes are given"));
            return Err(place.error(Problem::Ambiguous));
        }
        let mut transcript = Transcript::new(LABEL);
        let is_true = verifier.verify(&mut transcript, &claims, &self.multiproof)?;
        Ok(is_true.then_some(tree))
    }

    /// Gives the nodes their commitments, which are in the order of `nodes`.
    fn assign_commitments(
        &self,
        tree: &mut Tree,
        root: &Element,
        nodes: &[walk::NodeId],
    ) -> Result<(), TreeError> {
        if nodes.len() != self.commitments.len() {
            return Err(Place::Commitments.error(Problem::Count {
                expected: nodes.len(),
                found: self.commitments.len(),
            }));
        }
        let elements: Vec<Element> = self.commitments.iter().map(|&c| c.into()).collect();
        let hashes = hash_all(&elements);
        for (i, (id, (element, hash))) in nodes.iter().zip(elements.iter().zip(&hashes)).enumerate()
        {
            // An inner node below the root has two stems below it, a leaf commits to 1 at index 0. A neutral element in their place would
            // let the tree be deeper than it is. Only a half may be empty.
            let is_half = matches!(id, walk::NodeId::Half(..));
            if !is_half && bool::from(element.is_identity()) {
                return Err(Place::Commitment(i).error(Problem::Neutral));
            }
            let node = id.node_mut(tree);
            node.commitment = *element;
            node.hash = *hash;
        }
        let node = walk::NodeId::Inner(0).node_mut(tree);
        node.commitment = *root;
        node.hash = root.map_to_scalar_field();
        Ok(())
    }
}

/// The elements with these encodings, decoded in parallel; of several errors the first.
pub(super) fn decode_all(encodings: &[[u8; 32]]) -> Result<Vec<AffineElement>, BatchError> {
    // A decoding takes some microseconds.
    const GROUP: usize = 16;
    if encodings.len() <= GROUP {
        return batch_from_bytes_vartime(encodings);
    }
    let share = encodings
        .len()
        .div_ceil(4 * frumious_parallel::current_num_threads())
        .max(GROUP);
    let shares: Vec<&[[u8; 32]]> = encodings.chunks(share).collect();
    let decoded = frumious_parallel::map_indices(shares.len(), |i| {
        batch_from_bytes_vartime(shares[i]).map_err(|error| BatchError {
            index: error.index + share * i,
            ..error
        })
    });
    Ok(decoded.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}
