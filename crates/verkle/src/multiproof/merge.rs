//! Equal commitments of a statement, found by a hash table.

use core::hash::BuildHasher;
use frumious_curves::bandersnatch::{AffineElement, Element, Fr, WeierstrassAffine};
use frumious_msm::bandersnatch::{convert_vartime, msm_converted_vartime, msm_vartime};
use std::hash::RandomState;

/// Distinct elements with the sums of their weights.
#[derive(Debug, Default)]
pub(super) struct Merged {
    elements: Vec<AffineElement>,
    /// The elements as they are summed, but those since the last [`convert_vartime`](Merged::convert_vartime); none as
    /// long as they are few.
    converted: Vec<WeierstrassAffine>,
    weights: Vec<Fr>,
    /// The encodings of the elements.
    encodings: Vec<[u8; 32]>,
    /// For each commitment the number of its element.
    numbers: Vec<usize>,
    /// One above the number of an element, zero where there is none; a power of two, at most half full.
    slots: Vec<usize>,
    key: [u64; 4],
}

impl Merged {
    /// Forgets everything and makes room for `count` commitments.
    ///
    /// Where they fall in the table depends on a key drawn anew, so that nobody can choose commitments that collide
    /// there. The result does not.
    pub(super) fn clear(&mut self, count: usize) {
        let random = RandomState::new();
        self.key = [0u64, 1, 2, 3].map(|i| random.hash_one(i));
        self.elements.clear();
        self.converted.clear();
        self.weights.clear();
        self.encodings.clear();
        self.numbers.clear();
        self.slots.clear();
        self.slots.resize((2 * count).next_power_of_two(), 0);
    }

    /// The next of the `count` commitments, with its encoding.
    pub(super) fn push_vartime(&mut self, commitment: &AffineElement, encoding: &[u8; 32]) {
        let slot = self.find(encoding);
        let number = self.slots[slot].checked_sub(1).unwrap_or_else(|| {
            self.elements.push(*commitment);
            self.encodings.push(*encoding);
            self.slots[slot] = self.elements.len();
            self.elements.len() - 1
        });
        self.numbers.push(number);
    }

    /// Converts the elements that are new, unless all of them are few.
    pub(super) fn convert_vartime(&mut self) {
        if self.elements.len() <= FEW {
            return;
        }
        let new = &self.elements[self.converted.len()..];
        self.converted.extend(convert_vartime(new));
    }

    /// Gives each element the sum of the weights of its commitments.
    pub(super) fn weigh(&mut self, weights: &[Fr]) {
        self.weights.clear();
        if self.elements.len() == weights.len() {
            self.weights.extend(weights);
            return;
        }
        self.weights.resize(self.elements.len(), Fr::ZERO);
        for (number, weight) in self.numbers.iter().zip(weights) {
            self.weights[*number] += *weight;
        }
    }

    /// The sum of all elements times their weights, after [`convert_vartime`](Merged::convert_vartime).
    pub(super) fn sum_vartime(&self) -> Element {
        let sum = if self.elements.len() <= FEW {
            msm_vartime(&self.elements, &self.weights)
        } else {
            msm_converted_vartime(&self.converted, &self.weights)
        };
        sum.expect("as many weights as elements")
    }

    /// The slot of the element with that encoding, or the empty one where it belongs.
    fn find(&self, encoding: &[u8; 32]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(&words(encoding), &self.key) as usize & mask;
        while let Some(element) = self.slots[slot].checked_sub(1) {
            if self.encodings[element] == *encoding {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// Sums of at most this many terms are made of products of elements, which need no conversion (see
/// `frumious_msm::bandersnatch`).
const FEW: usize = 2;

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
    use frumious_curves::bandersnatch::Element;

    /// `distinct` commitments in turn, merged with weights 1, 2, 3, …, against sums by remainder.
    #[test]
    fn equal_commitments_add_up() {
        let mut merged = Merged::default();
        for (count, distinct) in [(1, 1), (2, 1), (2, 2), (1000, 1), (3000, 700), (700, 700)] {
            let commitments: Vec<AffineElement> = (1..=distinct as u64)
                .map(|i| Element::GENERATOR.mul_vartime(&Fr::from_u64(i)).to_affine())
                .collect();
            merged.clear(count);
            for i in 0..count {
                let commitment = &commitments[i % distinct];
                let either = if i % 3 == 0 {
                    *commitment
                } else {
                    other(commitment)
                };
                merged.push_vartime(&either, &either.to_bytes());
            }
            let weights: Vec<Fr> = (1..=count as u64).map(Fr::from_u64).collect();
            merged.weigh(&weights);
            assert_eq!(merged.elements.len(), distinct);
            for i in 0..distinct {
                let element = Element::from(merged.elements[i]);
                assert_eq!(element, Element::from(commitments[i]));
                let own = weights[i..].iter().step_by(distinct);
                assert_eq!(merged.weights[i], own.fold(Fr::ZERO, |sum, w| sum + *w));
            }
        }
    }

    /// The same element by a sum, whose representative may be the other one.
    fn other(point: &AffineElement) -> AffineElement {
        (Element::from(*point) + Element::GENERATOR - Element::GENERATOR).to_affine()
    }
}
