//! The crates below, for the macros of this one: these are expanded in crates that do not depend on them.

pub use {frumious_limbs as limbs, frumious_simd as simd};
