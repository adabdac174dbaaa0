//! Equal commitments of a statement, found by a hash table.

use super::openings::Prepared;
use frumious_curves::bandersnatch::{AffineElement, Fr};

/// Distinct elements with the sums of their weights.
#[derive(Debug, Default)]
pub(super) struct Merged {
    pub(super) elements: Vec<AffineElement>,
    pub(super) weights: Vec<Fr>,
    /// For each element an opening of it.
    openings: Vec<usize>,
    /// One above the number of an element, zero where there is none; a power of two, at most half full.
    slots: Vec<usize>,
}

impl Merged {
    /// The distinct commitments in the order in which they first occur, each with the sum of its openings' weights.
    ///
    /// `key` is a challenge that depends on all openings, so that nobody can choose commitments that collide in the table:
    /// whatever is chosen, they fall like random ones.
    pub(super) fn merge_vartime(&mut self, openings: &[Prepared], weights: &[Fr], key: &Fr) {
        let key = words(&key.to_bytes());
        self.elements.clear();
        self.weights.clear();
        self.openings.clear();
        self.slots.clear();
        self.slots
            .resize((2 * openings.len()).next_power_of_two(), 0);
        for (i, (opening, weight)) in openings.iter().zip(weights).enumerate() {
            let slot = self.find(openings, opening.encoding(), &key);
            match self.slots[slot].checked_sub(1) {
                Some(known) => self.weights[known] += *weight,
                None => {
                    self.elements.push(opening.commitment);
                    self.weights.push(*weight);
                    self.openings.push(i);
                    self.slots[slot] = self.elements.len();
                }
            }
        }
    }

    /// The slot of the element with that encoding, or the empty one where it belongs.
    fn find(&self, openings: &[Prepared], encoding: &[u8; 32], key: &[u64; 4]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(&words(encoding), key) as usize & mask;
        while let Some(element) = self.slots[slot].checked_sub(1) {
            if openings[self.openings[element]].encoding() == encoding {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// `(w₀ + k₀)·(w₁ + k₁) + (w₂ + k₂)·(w₃ + k₃)`, folded; source: Black et al., "UMAC" (Crypto 1999), the function NH.
fn hash(words: &[u64; 4], key: &[u64; 4]) -> u64 {
    let [a, b, c, d] = core::array::from_fn(|i| u128::from(words[i].wrapping_add(key[i])));
    let sum = (a * b).wrapping_add(c * d);
    sum as u64 ^ (sum >> 64) as u64
}

fn words(bytes: &[u8; 32]) -> [u64; 4] {
    core::array::from_fn(|i| u64::from_le_bytes(core::array::from_fn(|j| bytes[8 * i + j])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Claim;
    use crate::multiproof::openings;
    use frumious_curves::bandersnatch::Element;

    /// Claims of `distinct` commitments in turn, merged with weights 1, 2, 3, …, against sums by remainder.
    #[test]
    fn equal_commitments_add_up() {
        let mut merged = Merged::default();
        for (count, distinct) in [(1, 1), (2, 1), (2, 2), (1000, 1), (3000, 700), (700, 700)] {
            let commitments: Vec<Element> = (1..=distinct as u64)
                .map(|i| Element::GENERATOR.mul_vartime(&Fr::from_u64(i)))
                .collect();
            let mut prepared = Vec::new();
            openings::prepare(&mut prepared, count, |i| Claim {
                // by coordinates with another Z
                commitment: commitments[i % distinct] + Element::GENERATOR - Element::GENERATOR,
                point: i as u8,
                value: Fr::ZERO,
            });
            let weights: Vec<Fr> = (1..=count as u64).map(Fr::from_u64).collect();
            for key in [Fr::ZERO, Fr::from_u64(12).invert().expect("not zero")] {
                merged.merge_vartime(&prepared, &weights, &key);
                assert_eq!(merged.elements.len(), distinct);
                for i in 0..distinct {
                    assert_eq!(Element::from(merged.elements[i]), commitments[i]);
                    let own = weights[i..].iter().step_by(distinct);
                    assert_eq!(merged.weights[i], own.fold(Fr::ZERO, |sum, w| sum + *w));
                }
            }
        }
    }
}
