//! BLS12-381: for now its scalar field, which is the base field of Bandersnatch.

mod fr;

pub use fr::Fr;
