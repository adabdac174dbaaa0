//! The Fiat-Shamir transcript: what the prover sent so far, hashed into challenges.
//!
//! The state is the concatenation of labels and messages, without lengths or separators, in one SHA-256. a challenge
//! ends it and starts the next with itself. Source: go-ipa `common/transcript.go`; spec section 4.

use frumious_curves::bandersnatch::{Element, Fr};
use sha2::{Digest, Sha256};

/// A transcript between challenges.
///
/// Because nothing separates messages, binding rests on each protocol appending a fixed sequence of labels and
/// messages of fixed length.
#[derive(Clone, Debug)]
pub struct Transcript {
    state: Sha256,
}

impl Transcript {
    /// A transcript of the protocol `label`: `b"vt"` for tree proofs, `b"verkle"` in rust-verkle's foreign interface.
    pub fn new(label: &[u8]) -> Self {
        Self {
            state: Sha256::new_with_prefix(label),
        }
    }

    /// Appends a label alone: the start of a part of the protocol.
    pub fn domain_separator(&mut self, label: &[u8]) {
        self.state.update(label);
    }

    /// Appends a scalar.
    pub fn append_scalar(&mut self, label: &[u8], scalar: &Fr) {
        self.append(label, &scalar.to_bytes());
    }

    /// Appends an element, which costs an inversion; with its encoding at hand, use [`append`](Self::append).
    pub fn append_element(&mut self, label: &[u8], element: &Element) {
        self.append(label, &element.to_bytes());
    }

    /// Appends the encoding of a scalar or of an element.
    pub fn append(&mut self, label: &[u8], encoding: &[u8; 32]) {
        self.state.update(label);
        self.state.update(encoding);
    }

    /// Appends bytes that already hold labels and messages in order.
    pub(crate) fn append_record(&mut self, record: &[u8]) {
        self.state.update(record);
    }

    /// A scalar that depends on all that was appended, and is itself appended.
    pub fn challenge(&mut self, label: &[u8]) -> Fr {
        self.state.update(label);
        let digest: [u8; 32] = self.state.finalize_reset().into();
        let challenge = Fr::from_bytes_reduced(&digest);
        self.append_scalar(label, &challenge);
        challenge
    }
}
