//! Bandersnatch: the twisted Edwards curve `-5·x² + y² = 1 + d·x²·y²` over the scalar field of BLS12-381, and
//! Banderwagon, its prime-order group.
//!
//! The curve has order `4r`. Banderwagon takes the points of the subgroup of prime order `r` and their sums with
//! `(0, -1)`, two and two as one element. [`Element`] is the only group type, and no value of it is outside of the
//! group.
//!
//! | module | idea |
//! |---|---|
//! | `fr` | scalars; coordinates are [`bls12_381::Fr`](crate::bls12_381::Fr) |
//! | `element`, `affine` | elements in extended and affine coordinates, entries of tables |
//! | `group` | both forms as one group |
//! | `multiply` | one scalar times one element |
//! | `encoding` | 32 and 64 bytes |
//! | `scalar_map` | from elements to scalars |
//! | `batch` | many of the latter with one inversion |
//! | `weierstrass` | the form in which batches of affine additions are cheapest |
//!
//! Source: Masson, Sanso, Zhang, "Bandersnatch", eprint 2021/1152.

mod affine;
mod batch;
mod element;
mod encoding;
mod fr;
mod group;
mod multiply;
mod scalar_map;
mod weierstrass;

pub use affine::{AffineElement, TableEntry};
pub use batch::{
    BatchError, batch_encode_affine_into_vartime, batch_from_bytes_vartime,
    batch_from_uncompressed_vartime, batch_map_to_scalar_field_vartime,
    batch_to_affine_into_vartime, batch_to_affine_vartime, batch_to_bytes_vartime,
};
pub use element::Element;
pub use fr::Fr;
pub use weierstrass::WeierstrassAffine;

/// The field of coordinates. An alias and no re-export, so that the compiler's messages call the type by its name.
pub type Fq = crate::bls12_381::Fr;
