//! Wiping of large vectors.

use frumious_parallel::{for_each_chunk_mut, trace};
use zeroize::{Zeroize, Zeroizing};

/// Wipes a vector on all threads and gives it back. One thread takes as long for 32 MB as 64 threads for a transform.
///
/// If the proof is cancelled meanwhile, the drop of `secret` wipes all of it.
pub(super) fn wipe<T: Zeroize + Send>(mut secret: Zeroizing<Vec<T>>) {
    for_each_chunk_mut(&mut secret, CHUNK, |_, chunk| {
        trace::moves(|| size_of_val(chunk) as u64);
        chunk.iter_mut().zeroize();
    });
    // Taken out, as its drop would wipe it a second time.
    drop(std::mem::take(&mut *secret));
}

const CHUNK: usize = 1 << 12;
