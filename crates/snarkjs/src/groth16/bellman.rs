//! Parameters of a circuit's ceremony in the form of bellman's programs: `.mpcparams`.
//!
//! | part | holds |
//! |---|---|
//! | header | α₁ β₁ β₂ γ₂ δ₁ δ₂ |
//! | IC, H, L, A, B1, B2 | a count u32, then points: nPublic+1, domainSize−1, nVars−nPublic−1, nVars, nVars, nVars |
//! | contributions | hash of the circuit, 64 bytes; a count u32; records |
//!
//! A record is `deltaAfter G1 | g1_s G1 | g1_sx G1 | g2_spx G2 | transcript[64]`. Numbers are most significant byte
//! first. Points have all coordinates; of B2 and the other points of G2 the imaginary part comes first. L is part C of
//! a `.zkey`. H is in powers of τ: [`quotient_powers_vartime`](frumious_groth16::quotient_powers_vartime). Names and
//! beacons of contributions, and the coefficients, are in no such file: an import takes them from the key before.
//!
//! Source: observed of snarkjs 0.7.6.
//!
//! | chapter | holds |
//! |---|---|
//! | `file` | a file, read and checked |
//! | `points` | its points, decoded and encoded |
//! | `export` | a file of a key |
//! | `contribute` | a file with one contribution more |
//! | `import` | a key of a file |

mod contribute;
mod export;
mod file;
mod import;
mod points;

pub use contribute::contribute;
pub use export::export;
pub use file::MpcParams;
pub use import::{ImportedKey, MpcFault, import};
