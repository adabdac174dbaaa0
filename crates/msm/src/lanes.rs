//! The lane backend: buckets whose points are added eight at a time.
//!
//! | module | idea |
//! |---|---|
//! | [`coordinate`] | what is asked of the field of the coordinates |
//! | `slots` | points in lane form in memory |
//! | `addition` | the batch addition |
//! | `inversion` | its one inversion |
//! | `jacobian`, `double_and_add` | products of points and scalars, in registers to their end |
//! | `copies` | points into slots and back |
//! | `on_curve` | whether points are on their curve |
//! | `digits` | digits of eight scalars at a time |
//! | `entries`, `buckets` | which additions make up a batch |
//! | `scratch` | the memory of a thread for batches |
//! | `runner` | the backend as the methods see it |

mod addition;
mod buckets;
pub mod coordinate;
mod copies;
mod digits;
pub(crate) mod double_and_add;
mod entries;
mod fq2;
mod inversion;
mod jacobian;
pub(crate) mod on_curve;
mod runner;
mod scratch;
mod slots;

pub(crate) use runner::{InLanes, MAX_POINTS};
