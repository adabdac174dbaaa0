//! The first megabytes of a program's heap, on huge pages.
//!
//! A program that calculates a small witness touches some 1,500 pages for the first time. Each takes 1.5 µs (Zen 4,
//! under a hypervisor): a fifth of all its time. A huge page is touched once for 512 of them.

/// Begins the heap of this process with two huge pages, where the system has them; else changes nothing that counts.
///
/// For programs, before they start a thread. Takes no memory by itself: what is never used is never backed. Blocks of
/// up to 8 MiB come from the heap from then on, and stay there when they are freed. The C library does so by itself,
/// once a block of that size was freed.
pub fn begin_heap_on_huge_pages() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::begin();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use std::ffi::c_void;
    use std::hint::black_box;

    /// A huge page of x86-64, and of AArch64 with small pages of 4 KiB.
    const HUGE: usize = 2 << 20;

    /// Huge pages that the heap begins with.
    const PAGES: usize = 2;

    /// The C library maps a block of this size by itself, until one was freed; smaller than its bound of 32 MiB.
    const SEEN: usize = 8 << 20;

    pub fn begin() {
        // SAFETY: blocks are freed once, and nothing is kept of them. The gap is never freed, so nothing else is there.
        // The advice is about which pages back a block that is allocated, not about its content.
        #[allow(unsafe_code)]
        unsafe {
            // From now on a smaller block comes from the heap: mallopt(3), M_MMAP_THRESHOLD. A compiler would leave out
            // a block that nobody sees.
            libc::free(black_box(libc::malloc(SEEN)));
            let first = libc::malloc(HUGE * (PAGES + 1));
            if first.is_null() {
                return;
            }
            let (from, to_boundary) = boundary_behind(first);
            libc::madvise(from, HUGE * PAGES, libc::MADV_HUGEPAGE);
            libc::free(first);
            // What is before the first huge page would be touched by small ones: let it be.
            if to_boundary > HEADER {
                black_box(libc::malloc(to_boundary - HEADER));
            }
        }
    }

    /// The first huge page that begins in a block, and its distance.
    fn boundary_behind(block: *mut c_void) -> (*mut c_void, usize) {
        let distance = (block as usize).next_multiple_of(HUGE) - block as usize;
        (block.wrapping_byte_add(distance), distance)
    }

    /// More than the C library keeps before a block.
    const HEADER: usize = 64;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Before and after, and twice, blocks of all sizes hold what is written to them.
    #[test]
    fn the_heap_holds_what_is_written() {
        let write = || {
            let sizes = (0..24).map(|k| (1_usize << k) + k);
            let blocks: Vec<Vec<u8>> = sizes.map(|size| vec![(size % 251) as u8; size]).collect();
            for block in &blocks {
                let size = block.len();
                assert!(block.iter().all(|byte| usize::from(*byte) == size % 251));
            }
            blocks
        };
        let before = write();
        begin_heap_on_huge_pages();
        let between = write();
        begin_heap_on_huge_pages();
        assert_eq!(before, between);
        assert_eq!(between, write());
    }
}
