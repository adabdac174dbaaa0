//! BabyJubJub: the twisted Edwards curve `168700·x² + y² = 1 + 168696·x²·y²` over BN254's scalar field (EIP-2494).
//!
//! It has `8·l` points with `l` prime. `a = 168700` is a square and `d = 168696` is none, so the addition law has no
//! exceptions. Source: Bernstein et al., "Twisted Edwards curves", eprint 2008/013, section 6.
//!
//! Where a proof says that exceptions cannot occur, circuits compute on the Montgomery curve `v² = u³ + 168698·u² + u`
//! instead, with `u = (1 + y)/(1 - y)` and `v = u/x`. An addition takes 3 constraints there, and 6 in Edwards form.
//!
//! | module | what |
//! |---|---|
//! | [`point`] | points outside of circuits |
//! | [`scalar`] | integers modulo `l` |
//! | [`edwards`] | in circuits: complete addition, doubling, whether a point is on the curve |
//! | [`montgomery`] | in circuits: points of order `l`, incomplete addition |
//! | [`fixed`] | in circuits: multiples of [`Point::BASE8`] |
//! | [`variable`] | in circuits: multiples of any point of order `l` |

pub mod edwards;
pub mod fixed;
pub mod montgomery;
pub mod point;
pub mod scalar;
pub mod variable;

pub use edwards::CircuitPoint;
pub use montgomery::PrimeOrderPoint;
pub use point::Point;
pub use scalar::Scalar;
