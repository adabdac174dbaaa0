//! Working memory of a commitment: on the stack as long as it is small.

/// Calls `f` with `length` copies of `value`; those are on the stack if there are at most `SMALL`, or at most `LARGE`.
#[inline]
pub(super) fn with_scratch<const SMALL: usize, const LARGE: usize, T: Copy, R>(
    length: usize,
    value: T,
    f: impl FnOnce(&mut [T]) -> R,
) -> R {
    if length <= SMALL {
        f(&mut [value; SMALL][..length])
    } else if length <= LARGE {
        f(&mut [value; LARGE][..length])
    } else {
        f(&mut vec![value; length])
    }
}
