//! Decisions that depend on a secret and are public: declared one by one, where they are made, as libsecp256k1 does.

/// The decision, public from here on: what follows may branch on it. The secret that it depends on stays one.
///
/// The caller says beside it why everybody may know the outcome: that a signature was made tells that its nonce was
/// not zero. In programs built with `--cfg frumious_under_valgrind` memcheck learns that this one value is defined; in
/// all others nothing happens.
#[inline(always)]
#[must_use]
pub fn declassify(decision: bool) -> bool {
    #[cfg(frumious_under_valgrind)]
    return crate::valgrind::defined(decision);
    #[cfg(not(frumious_under_valgrind))]
    decision
}
