//! The memory of a proof, known before it begins.

use super::ProveOptions;
use super::spill::SpilledVector;
use crate::{Error, ProvingEngine, ProvingKey, Witness};
use frumious_curves::engine::ScalarField;
use frumious_msm::{memory_bytes, memory_bytes_together};

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

/// The sums that are taken at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtOnce {
    /// All, side by side: the fastest on several threads.
    All,
    /// Those over H and C, as one: the fastest on one thread.
    HAndC,
    /// One: in the least memory, and of keys with several windows.
    One,
}

/// A way to make a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) vectors: Vectors,
    pub(super) sums: AtOnce,
}

impl Way {
    /// The fastest first.
    pub(super) const ALL: [Self; 6] = [
        Self::new(Vectors::Three, AtOnce::All),
        Self::new(Vectors::Three, AtOnce::HAndC),
        Self::new(Vectors::Three, AtOnce::One),
        Self::new(Vectors::Two, AtOnce::HAndC),
        Self::new(Vectors::Two, AtOnce::One),
        Self::new(Vectors::One, AtOnce::One),
    ];

    const fn new(vectors: Vectors, sums: AtOnce) -> Self {
        Self { vectors, sums }
    }

    /// True if a proof may be made so.
    fn is_possible<E: ProvingEngine>(self, key: &ProvingKey<E>, options: &ProveOptions) -> bool {
        let has_sums = match self.sums {
            AtOnce::All => {
                frumious_parallel::current_num_threads() > 1
                    && key.source().footprint().in_one_window
            }
            AtOnce::HAndC => key.source().footprint().in_one_window,
            AtOnce::One => true,
        };
        has_sums && (self.vectors != Vectors::One || options.spill.is_some())
    }
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
        let way = choose(self, witness, options)?;
        Ok(ProvingMemory {
            private: private(self, witness, way),
            mapped: self.source().footprint().mapped + mapped(witness),
            spilled: match way.vectors {
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
) -> Result<Way, Error> {
    let possible = Way::ALL.iter().copied();
    let mut ways = possible.filter(|way| way.is_possible(key, options));
    let limit = options.max_memory.unwrap_or(u64::MAX);
    let mut least = u64::MAX;
    let fastest = ways.find(|way| {
        if options.max_memory.is_none() {
            return true; // without the plans of the sums, which take some ms on many threads
        }
        let needed = private(key, witness, *way);
        least = least.min(needed);
        needed <= limit
    });
    fastest.ok_or(Error::MemoryLimit {
        needed: least,
        limit,
    })
}

/// Memory of the process's own that a proof takes.
pub(super) fn private<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    way: Way,
) -> u64 {
    let source = key.source().footprint();
    let vector = VALUE_BYTES * key.domain_size() as u64;
    let copies = match witness.is_copied() || source.leaves_out_entries {
        true => VALUE_BYTES * source.window_points.min(key.n_wires() as u64),
        false => 0,
    };
    let threads = frumious_parallel::current_num_threads() as u64;
    let window = source.window_points as usize;
    let sums = match way.sums {
        AtOnce::All => together::<E>(key, witness, window),
        // H's scalars are there beside the copies of C's.
        AtOnce::HAndC => {
            copies + memory_bytes::<E::G1>(2 * window).max(memory_bytes::<E::G2>(window))
        }
        AtOnce::One => memory_bytes::<E::G1>(window).max(memory_bytes::<E::G2>(window)),
    };
    let transforms = match way.vectors {
        Vectors::Three => 3 * vector,
        Vectors::Two => 2 * vector,
        Vectors::One => vector + threads * CHUNK_BYTES,
    };
    let given = VALUE_BYTES * witness.len() as u64 - mapped(witness);
    given + source.private + transforms.max(vector + sums).max(sums + copies)
}

/// Memory that the sums side by side take, but for the scalars of H.
fn together<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    window: usize,
) -> u64 {
    let wires = VALUE_BYTES * key.n_wires() as u64;
    let whole = if witness.is_copied() { wires } else { 0 };
    let gathered = match key.source().footprint().leaves_out_entries {
        true => 3 * wires.min(VALUE_BYTES * window as u64), // of A, B2 and C
        false => 0,
    };
    whole + gathered + memory_bytes_together::<E::G1, E::G2>(3, 2 * window) // H and C are one sum
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
