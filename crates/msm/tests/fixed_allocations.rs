//! Commitments to at most 256 points work on the stack alone.

#![allow(unsafe_code)] // a counting allocator
#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bandersnatch::{AffineElement, Element, Fr, batch_to_affine_vartime};
use frumious_msm::fixed::{Banderwagon, Budget, FixedBase};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: everything is left to the system's allocator; counting touches no memory of the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // During the end of a thread there is no counter any more, and nothing to count for.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn commitments_allocate_nothing() {
    let elements: Vec<Element> =
        core::iter::successors(Some(Element::GENERATOR), |last| Some(last.double()))
            .take(256)
            .collect();
    let points: Vec<AffineElement> = batch_to_affine_vartime(&elements);
    // Small tables have combs of many bits a point, which need most room; larger ones have windows.
    for mib in [4, 24, 60] {
        let table = FixedBase::<Banderwagon>::new_vartime(&points, Budget::mib(mib)).unwrap();
        let mut value = Fr::from_u64(3);
        let scalars: Vec<Fr> = (0..256)
            .map(|_| {
                value = value.square() + Fr::ONE;
                value
            })
            .collect();
        let changes = [(3, Fr::ZERO, scalars[9])];
        let before = ALLOCATIONS.get();
        let mut sum = Element::IDENTITY;
        for n in [0, 1, 2, 5, 17, 100, 256] {
            sum += table.commit_vartime(&scalars[..n]).unwrap();
        }
        sum = table.update_vartime(&sum, &changes).unwrap();
        assert_eq!(ALLOCATIONS.get(), before, "{mib} MiB");
        assert!(!bool::from(sum.is_identity()));
    }
}
