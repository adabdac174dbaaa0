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

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_parallel::{Cancellation, with_threads};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// Counts how often it was wiped.
    struct Counted<'a>(&'a AtomicUsize);

    impl Zeroize for Counted<'_> {
        fn zeroize(&mut self) {
            self.0.fetch_add(1, Relaxed);
        }
    }

    const LENGTHS: [usize; 5] = [0, 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5];

    fn secret(counts: &[AtomicUsize]) -> Zeroizing<Vec<Counted<'_>>> {
        Zeroizing::new(counts.iter().map(Counted).collect())
    }

    fn counts(len: usize) -> Vec<AtomicUsize> {
        std::iter::repeat_with(AtomicUsize::default)
            .take(len)
            .collect()
    }

    #[test]
    fn every_element_is_wiped_once() {
        for (threads, len) in [1, 3].into_iter().flat_map(|n| LENGTHS.map(|len| (n, len))) {
            let counts = counts(len);
            with_threads(threads, || wipe(secret(&counts))).expect("threads");
            assert!(counts.iter().all(|count| count.load(Relaxed) == 1));
        }
    }

    /// Of work that is to stop no task begins; the elements are wiped all the same.
    #[test]
    fn every_element_is_wiped_if_the_proof_is_cancelled() {
        for len in LENGTHS {
            let counts = counts(len);
            let cancellation = Cancellation::new();
            let stopped = cancellation.run(|| {
                cancellation.cancel();
                wipe(secret(&counts));
            });
            assert_eq!(stopped.is_err(), len > 0, "none of no elements is stopped");
            assert!(counts.iter().all(|count| count.load(Relaxed) > 0));
        }
    }
}
