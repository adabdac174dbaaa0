//! What a proof takes of the machine's memory, known before it begins.

use super::ProveOptions;
use super::spill::SpilledVector;
use crate::key::{Rows, WINDOW_RECORDS};
use crate::{Error, ProvingEngine, ProvingKey};
use frumious_circom::generic::{KeyCoefficients, Wtns};
use frumious_curves::engine::PairingGroup;

/// Memory that a proof takes, in bytes. Predicted from sizes alone; what the program, its stacks and the allocator take besides is some tens of megabytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvingMemory {
    /// Memory of the process's own: vectors, buckets, copies of scalars, and the witness unless it is mapped.
    pub private: u64,
    /// Pages of mapped files that are resident at once, which the operating system can take back at any time: parts of the key and the witness.
    pub mapped: u64,
    /// Bytes of the temporary file, zero if none is made.
    pub spilled: u64,
}

/// How many vectors of the domain are in memory at once.
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
    /// The memory that [`prove()`](crate::prove()) takes with this key and witness. If [`ProveOptions::max_memory`] has no room for three vectors of the domain the
    /// proof takes a few percent longer.
    ///
    /// Errors: [`Error::MemoryLimit`] if that is too little.
    pub fn memory(
        &self,
        witness: &Wtns<E>,
        options: &ProveOptions,
    ) -> Result<ProvingMemory, Error> {
        let vectors = choose(self, witness, options)?;
        Ok(ProvingMemory {
            private: private(self, witness, vectors),
            mapped: self.mapped(witness),
            spilled: match vectors {
                Vectors::One => SpilledVector::stored_bytes(self.domain_size()),
                Vectors::Two | Vectors::Three => 0,
            },
        })
    }

    /// Sections that fit a window stay resident, of others one window does.
    fn mapped(&self, witness: &Wtns<E>) -> u64 {
        let file = self.file();
        let witness = witness.mapped().map_or(0, |file| file.len() as u64);
        if !file.bytes().is_mapped() {
            return witness;
        }
        let window = |records: usize, bytes: usize| (records.min(WINDOW_RECORDS) * bytes) as u64;
        let [a, b1, c] = [file.a(), file.b1(), file.c()].map(|section| section.present());
        let in_g1 = [a, b1, c, file.h()];
        let in_g1 = in_g1.map(|section| window(section.len(), E::G1::BYTES));
        let in_g2 = window(file.b2().present().len(), E::G2::BYTES);
        let coefficients = match file.coefficients() {
            KeyCoefficients::Records(records) => records.bytes(0..records.len()).len(),
            KeyCoefficients::Rows(rows) => rows.stored_length(),
            KeyCoefficients::Templates(_) => 0, // they are private memory
        } as u64;
        let blocks = (self.domain_size() / super::rows::ROWS_PER_BLOCK).max(1) as u64;
        in_g1.iter().sum::<u64>() + in_g2 + coefficients / blocks + witness
    }
}

/// The fastest way within the memory that is allowed.
pub(super) fn choose<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Wtns<E>,
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

pub(super) fn private<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Wtns<E>,
    vectors: Vectors,
) -> u64 {
    let vector = VALUE_BYTES * key.domain_size() as u64;
    let window = key.num_vars().min(WINDOW_RECORDS) as u64;
    let file = key.file();
    let [a, b1, c] = [file.a(), file.b1(), file.c()].map(|section| section.entries().is_some());
    let leaves_out = a || b1 || c || file.b2().entries().is_some();
    let copies = match witness.mapped().is_some() || leaves_out {
        true => VALUE_BYTES * window,
        false => 0,
    };
    let threads = frumious_parallel::current_num_threads() as u64;
    let points = key.domain_size().max(key.num_vars()).min(WINDOW_RECORDS) as u64;
    let sums = points * CENSUS_BYTES + threads * BUCKET_BYTES;
    let transforms = match vectors {
        Vectors::Three => 3 * vector,
        Vectors::Two => 2 * vector,
        Vectors::One => vector + threads * CHUNK_BYTES,
    };
    let order = match key.rows() {
        Rows::Sorted => 0,
        Rows::Permuted(order) => 4 * order.len() as u64,
    };
    let templates = match file.coefficients() {
        KeyCoefficients::Templates(rows) => rows.memory() as u64,
        KeyCoefficients::Records(_) | KeyCoefficients::Rows(_) => 0,
    };
    let given = match witness.mapped() {
        Some(_) => 0,
        None => VALUE_BYTES * witness.len() as u64,
    };
    given + order + templates + transforms.max(vector + sums).max(sums + copies)
}

/// A field element, or a scalar.
const VALUE_BYTES: u64 = 32;

/// Buffers of a thread that reads or writes the temporary file, rounded up.
const CHUNK_BYTES: u64 = 1 << 18;

/// What a sum keeps of each scalar, rounded up.
const CENSUS_BYTES: u64 = 3;

/// Buckets and batches of a thread, at most (`frumious-msm` says what they are).
const BUCKET_BYTES: u64 = 12 << 20;
