//! A prover and a verifier that are used again allocate next to nothing: buffers of theirs are kept.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

#[path = "support/common.rs"]
mod support;

use frumious_msm::bandersnatch::msm_vartime;
use frumious_verkle::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use support::{Random, claims, committer, open};

/// The only test of its program: every thread's allocations count.
#[test]
fn second_proofs() {
    let mut random = Random(31);
    let polynomials: Vec<Values> = (0..300).map(|_| random.polynomial()).collect();
    let which: Vec<_> = (0..3000).map(|i| (i % 300, random.next() as u8)).collect();
    let openings = open(&polynomials, &which);
    let claims = claims(&openings);
    let (mut prover, mut verifier) = (Prover::new(committer()), Verifier::new(committer()));
    let mut prove = || {
        prover
            .prove(&mut Transcript::new(b"allocations"), &openings)
            .unwrap()
    };
    let mut verify = |proof: &Multiproof| {
        let accepted = verifier.verify(&mut Transcript::new(b"allocations"), &claims, proof);
        assert_eq!(accepted, Ok(true));
    };
    frumious_parallel::with_threads(1, || {
        let (first, proof) = counted(&mut prove);
        let (second, again) = counted(&mut prove);
        assert_eq!(again, proof);
        eprintln!("prove: first {first:?}, second {second:?}");
        // the first has buffers for 3,000 openings and the sums of 256 points, 2 MiB
        assert!(first.bytes > 2 << 20, "{first:?}");
        assert!(second.bytes < 10_000 && second.calls < 50, "{second:?}");

        let (first, ()) = counted(|| verify(&proof));
        let (second, ()) = counted(|| verify(&proof));
        // the sum over the commitments alone
        let elements: Vec<_> = claims[..300]
            .iter()
            .map(|c| c.commitment.to_affine())
            .collect();
        let scalars: Vec<_> = elements.iter().map(|_| random.scalar()).collect();
        let (sum, _) = counted(|| msm_vartime(&elements, &scalars).unwrap());
        eprintln!("verify: first {first:?}, second {second:?}, of which the sum {sum:?}");
        assert!(second.bytes < first.bytes);
        // Half as much again: lanes keep the scratch of their batches beside the sum.
        assert!(
            second.bytes < sum.bytes + sum.bytes / 2 + 50_000,
            "{second:?}, {sum:?}"
        );
    })
    .unwrap();
}

#[derive(Debug)]
struct Allocations {
    calls: usize,
    bytes: usize,
}

fn counted<T>(run: impl FnOnce() -> T) -> (Allocations, T) {
    let before = (CALLS.load(Relaxed), BYTES.load(Relaxed));
    let result = run();
    let allocations = Allocations {
        calls: CALLS.load(Relaxed) - before.0,
        bytes: BYTES.load(Relaxed) - before.1,
    };
    (allocations, result)
}

static CALLS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

/// Counts what is allocated.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: every call goes to the system's allocator unchanged; counting allocates nothing.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        BYTES.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}
