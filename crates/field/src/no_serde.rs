//! In place of `serde`, for builds without that feature.

/// Gives a prime field nothing.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_serde {
    ($field:ident, $bytes:literal) => {};
}
