//! Big integers of fixed length on `[u64; N]`, little-endian 64-bit words, and Montgomery arithmetic over them.
//!
//! The inside of every prime field: [`montgomery::Modulus`] derives its constants from the modulus at compile time. It
//! gives product, square, sum and inverse of residues that are always kept below the modulus. Constant time unless a
//! name ends in `_vartime`.
//!
//! There are two scalar backends, equal in every bit of every result: [`portable`] in plain Rust, and [`adx`] in
//! assembly (MULX, ADCX, ADOX). [`backend`] chooses once per process. Elsewhere `Adx` is a token that nothing makes.
//! On AArch64 the portable backend runs the assembly of `aarch64`, as every such CPU can.
//!
//! Products are inlined in a release. With debug assertions they are functions of their own: tests then compile in a
//! fifth of the time. So they are in WebAssembly, where a page loads all that is inlined.

#![deny(unsafe_code)] // allowed in `aarch64`, `adx`, `x86_64`, `valgrind` (assembly) and `prefetch`, and nowhere else

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
pub mod adx;
#[cfg(not(target_arch = "x86_64"))]
#[path = "adx/absent.rs"]
pub mod adx;
pub mod backend;
mod binary_gcd;
mod columns;
pub mod decimal;
mod declassify;
pub mod invert;
pub mod legendre;
pub mod modular;
pub mod montgomery;
pub mod portable;
mod power;
pub mod prefetch;
mod prepared;
pub mod primitives;
pub mod products;
pub mod pseudo_mersenne;
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
mod registers;
mod straight;
pub mod unrolled;
#[cfg(frumious_under_valgrind)]
pub mod valgrind;
mod wide;
pub mod words;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use backend::Backend;
pub use declassify::declassify;
pub use montgomery::Modulus;
pub use prefetch::prefetch;
pub use prepared::Prepared;
pub use pseudo_mersenne::PseudoMersenne;
pub use wide::Wide;
