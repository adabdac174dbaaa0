//! The memory of a proof, known before it begins.

use super::ProveOptions;
use super::spill::SpilledVector;
use crate::{Error, ProvingEngine, ProvingKey, Witness};
use frumious_curves::engine::ScalarField;
use frumious_msm::memory_bytes;

/// Memory that a proof takes, in bytes. Predicted from sizes alone; what the program, its stacks and the allocator take
/// besides is some tens of megabytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvingMemory {
    /// Memory of the process's own: vectors, buckets, copies of scalars, and the witness unless it is mapped.
    pub private: u64,
    /// Pages of mapped files that are resident at once: parts of the key and the witness. The operating system can take
    /// them back at any time.
    pub mapped: u64,
    /// Bytes of the temporary file, zero if none is made.
    pub spilled: u64,
}

/// The number of vectors of the domain in memory at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vectors {
    /// The fastest way.
    Three,
    /// Rows are evaluated twice.
    Two,
    /// Rows are evaluated three times, and another vector is in a file.
    One,
}

impl<E: ProvingEngine> ProvingKey<E> {
    /// The memory that [`prove()`](crate::prove()) takes with this key and witness. If [`ProveOptions::max_memory`] has
    /// no room for three vectors of the domain the proof takes a few percent longer.
    ///
    /// # Errors
    /// [`Error::MemoryLimit`] if [`ProveOptions::max_memory`] is too little.
    pub fn memory(
        &self,
        witness: &Witness<'_, E::Fr>,
        options: &ProveOptions,
    ) -> Result<ProvingMemory, Error> {
        let vectors = choose(self, witness, options)?;
        Ok(ProvingMemory {
            private: private(self, witness, vectors),
            mapped: self.source().footprint().mapped + mapped(witness),
            spilled: match vectors {
                Vectors::One => SpilledVector::stored_bytes(self.domain_size()),
                Vectors::Two | Vectors::Three => 0,
            },
        })
    }
}

/// The fastest way within the memory that is allowed.
pub(super) fn choose<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    options: &ProveOptions,
) -> Result<Vectors, Error> {
    let Some(limit) = options.max_memory else {
        return Ok(Vectors::Three);
    };
    let ways = [Vectors::Three, Vectors::Two, Vectors::One];
    let ways = match options.spill {
        Some(_) => &ways[..],
        None => &ways[..2],
    };
    let needed = ways.iter().map(|way| private(key, witness, *way));
    let least = needed.clone().min().unwrap_or_default();
    let fastest = ways.iter().zip(needed).find(|(_, needed)| *needed <= limit);
    let way = fastest.map(|(way, _)| *way);
    way.ok_or(Error::MemoryLimit {
        needed: least,
        limit,
    })
}

/// Memory of the process's own that a proof takes.
pub(super) fn private<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    vectors: Vectors,
) -> u64 {
    let source = key.source().footprint();
    let vector = VALUE_BYTES * key.domain_size() as u64;
    let copies = match witness.is_copied() || source.leaves_out_entries {
        true => VALUE_BYTES * source.window_points.min(key.n_wires() as u64),
        false => 0,
    };
    let threads = frumious_parallel::current_num_threads() as u64;
    let window = source.window_points as usize;
    let sums = memory_bytes::<E::G1>(window).max(memory_bytes::<E::G2>(window));
    let transforms = match vectors {
        Vectors::Three => 3 * vector,
        Vectors::Two => 2 * vector,
        Vectors::One => vector + threads * CHUNK_BYTES,
    };
    let given = VALUE_BYTES * witness.len() as u64 - mapped(witness);
    given + source.private + transforms.max(vector + sums).max(sums + copies)
}

/// Bytes of the witness that lie in pages of a file.
fn mapped<F: ScalarField>(witness: &Witness<'_, F>) -> u64 {
    match witness.is_encoded() {
        true => VALUE_BYTES * witness.len() as u64,
        false => 0,
    }
}

/// A field element, or a scalar.
const VALUE_BYTES: u64 = 32;

/// Buffers of a thread that reads or writes the temporary file, rounded up.
const CHUNK_BYTES: u64 = 1 << 18;
