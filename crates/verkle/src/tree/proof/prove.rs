//! Making proofs.

use super::claims::claims;
use super::kinds::ambiguous;
use super::walk::{NodeId, walk};
use super::{LABEL, MAX_STEMS, VerkleProof, check_limit};
use crate::tree::node::{Slot, Tree, stem_scalar, value_scalars};
use crate::tree::update::suffix_position;
use crate::tree::{Key, Place, TreeError, stem_of};
use crate::{DOMAIN, Opening, Prover, Transcript, Values};
use frumious_curves::bandersnatch::{Element, Fr, batch_to_affine_vartime};

impl Tree {
    /// Proves the values of these keys, or that they have none. Order and repetitions do not matter.
    ///
    /// Memory: 8 KiB for each node on the paths.
    ///
    /// # Errors
    /// - no keys, or keys of more stems than a proof may have: 65,536;
    /// - [`TreeError::NotCovered`] in a part of a tree, which lacks values that the prover needs.
    pub fn prove(&self, prover: &mut Prover<'_>, keys: &[Key]) -> Result<VerkleProof, TreeError> {
        if keys.is_empty() {
            return Err(TreeError::NoKeys);
        }
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        keys.dedup();
        let stems = keys.chunk_by(|a, b| stem_of(a) == stem_of(b)).count();
        check_limit(Place::StateDiff, stems, MAX_STEMS)?;
        let shown = walk(self, &keys)?;

        // Openings of a node lie behind each other, so each polynomial is made once.
        let nodes: Vec<&[(NodeId, u8)]> = shown.openings.chunk_by(|a, b| a.0 == b.0).collect();
        let polynomials = nodes
            .iter()
            .map(|openings| self.polynomial(openings[0].0))
            .collect::<Option<Vec<Values>>>()
            .ok_or(TreeError::NotCovered { key: keys[0] })?;
        let openings: Vec<Opening<'_>> = nodes
            .iter()
            .zip(&polynomials)
            .flat_map(|(openings, polynomial)| {
                openings.iter().map(move |(id, point)| Opening {
                    commitment: id.node(self).commitment,
                    polynomial,
                    point: *point,
                })
            })
            .collect();
        let multiproof = prover.prove(&mut Transcript::new(LABEL), &openings)?;

        let elements: Vec<Element> = shown
            .commitments
            .iter()
            .map(|id| id.node(self).commitment)
            .collect();
        Ok(VerkleProof {
            other_stems: shown.other_stems,
            statuses: shown.statuses,
            commitments: batch_to_affine_vartime(&elements),
            multiproof,
        })
    }

    /// These keys, and those that have to be proven with them for [`VerkleProof::verify`] to take the proof.
    /// Ascending, each once.
    ///
    /// One more for each inner node on the paths that nothing else tells from a leaf: mostly of absent stems whose
    /// place is empty. Its path goes through the node's index 0, where a leaf has the value 1.
    ///
    /// # Errors
    /// [`TreeError::NotCovered`], in a part of a tree.
    pub fn unambiguous_keys(&self, keys: &[Key]) -> Result<Vec<Key>, TreeError> {
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        keys.dedup();
        let openings = walk(self, &keys)?.openings;
        let mut ambiguous = ambiguous(self, &openings, &claims(self, &openings));
        ambiguous.sort_unstable();
        for place in 0..keys.len() {
            let key = keys[place];
            let mut inner = 0;
            for depth in 1..31 {
                let Some(Slot::Inner(child)) = self.inners[inner as usize].child(key[depth - 1])
                else {
                    break;
                };
                inner = child;
                if ambiguous.binary_search(&inner).is_ok() {
                    keys.push(core::array::from_fn(|i| if i < depth { key[i] } else { 0 }));
                }
            }
        }
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// All values that a node commits to, `None` if they are not all known.
    fn polynomial(&self, id: NodeId) -> Option<Values> {
        let mut values = [Fr::ZERO; DOMAIN];
        match id {
            NodeId::Inner(inner) => {
                let inner = &self.inners[inner as usize];
                for (index, slot) in &inner.children {
                    values[usize::from(*index)] = self.slot_hash(*slot);
                }
                inner.is_complete.then_some(values)
            }
            NodeId::Leaf(leaf) => {
                let leaf = &self.leaves[leaf as usize];
                values[0] = Fr::ONE;
                values[1] = stem_scalar(&leaf.stem);
                values[2] = leaf.halves[0].hash;
                values[3] = leaf.halves[1].hash;
                leaf.is_complete.then_some(values)
            }
            NodeId::Half(leaf, half) => {
                let leaf = &self.leaves[leaf as usize];
                for (suffix, value) in &leaf.values {
                    let (of_half, index) = suffix_position(*suffix);
                    if of_half == half {
                        let [low, high] = value_scalars(value.as_ref());
                        values[index] = low;
                        values[index + 1] = high;
                    }
                }
                leaf.is_complete.then_some(values)
            }
        }
    }
}
