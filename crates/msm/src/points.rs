//! Where the points come from.

use frumious_field::limbs::prefetch;

/// Random access to a sequence of affine points, which may be decoded from bytes at each call.
///
/// [`msm_vartime`](crate::msm_vartime) reads each point once in a first pass, and then twice for each window in
/// which its scalar has a digit, nearly in order of the index. So `get` should cost no more than loads and shifts:
/// a check that the bytes are canonical or on the curve belongs elsewhere.
pub trait Points<A>: Sync {
    /// Number of points; does not change during a call.
    fn len(&self) -> usize;

    /// The point at `index`, which is below [`len`](Points::len). Infinity is `(0, 0)`.
    fn get(&self, index: usize) -> A;

    /// Whether there are no points.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A hint that the point at `index` will soon be asked for; `frumious_limbs::prefetch` of its bytes is meant.
    /// It is worth a tenth to a third of the whole when the points do not fit the cache.
    fn prefetch(&self, _index: usize) {}
}

impl<A: Copy + Sync> Points<A> for [A] {
    fn len(&self) -> usize {
        <[A]>::len(self)
    }

    #[inline(always)]
    fn get(&self, index: usize) -> A {
        self[index]
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        prefetch(&self[index]);
    }
}

impl<A: Copy + Sync> Points<A> for Vec<A> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    #[inline(always)]
    fn get(&self, index: usize) -> A {
        self[index]
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        prefetch(&self[index]);
    }
}
