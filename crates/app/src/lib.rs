#![forbid(unsafe_code)]
//! The application: what a command, a server and a binding share. Files in, files out.
//!
//! | chapter | holds |
//! |---|---|
//! | [`key`], [`witness`] | a proving key, a witness of either curve as one type; witnesses computed by a child process |
//! | [`batch`], [`prepared`] | many witnesses of one circuit; a generator that stays loaded |
//! | [`generating`] | a witness that is wanted once, for a binding |
//! | [`circuit`] | a key with its generator, loaded once for many proofs |
//! | [`cache`] | recorded runs of witness generators, kept between processes |
//! | [`prove`](mod@prove), [`verify`](mod@verify), [`setup`](mod@setup), [`convert`] | tasks over files |
//! | [`shards`] | one proof over several machines: its pieces, in bytes |
//! | [`layouts`] | keys, proofs and signals in the byte layouts of other libraries |
//! | [`export`] | verification keys, contracts and their arguments |
//! | [`phase1`] | powers of tau: contributions, beacons, verification, Lagrange bases |
//! | [`phase2`] | contributions to keys, beacons, and their verification |
//! | [`bellman`] | ceremonies with bellman's programs: parameters of keys, contributions to them |
//! | [`files`], [`partial`] | outputs that come into being whole or not at all; long ones that go on after a kill |
//! | [`fleet`] | the program of the Python package that proves on many machines: where it is, its version |
//! | [`inputs`] | inputs as people write them: repeated names, missing signals |
//! | [`satisfied`] | the first constraint that a witness does not satisfy, by its signals |
//! | [`observer`], [`quantities`] | phases, progress, notes; durations and sizes in words |
//! | [`failure`] | every error as an exit code and one line |
//! | [`contribution`] | refusals of and warnings about keys that anyone can forge proofs under |
//! | [`inspect`] | facts about a file of any kind |
//! | [`kind`], [`places`] | the kind of any file; which kind belongs where, and what may be replaced |
//! | [`algebra`], [`verkle`](mod@verkle) | sums over groups, transforms; commitments and multiproofs: all in bytes |
//! | [`tuning`] | settings of a machine: the search for the fastest, and the file that keeps them |
//! | [`memory`], [`limits`], [`secrecy`] | memory as the operating system counts it; limits of containers; no core dumps |
//!
//! A task stops within 0.2 s when its `frumious_parallel::Cancellation` asks it to: see [`cancellable`].

pub mod algebra;
pub mod batch;
pub mod bellman;
pub mod cache;
pub mod circuit;
pub mod contribution;
pub mod convert;
pub mod cores;
pub mod curve;
pub mod export;
pub mod failure;
pub mod files;
pub mod fleet;
pub mod generating;
pub mod inputs;
pub mod inspect;
pub mod key;
pub mod kind;
pub mod layouts;
pub mod limits;
pub mod memory;
pub mod observer;
pub mod partial;
pub mod phase1;
pub mod phase2;
pub mod places;
pub mod prepared;
pub mod prove;
pub mod quantities;
pub mod satisfied;
pub mod secrecy;
pub mod setup;
pub mod shards;
pub mod source;
pub mod symbols;
pub mod tuning;
pub mod verify;
pub mod verkle;
pub mod witness;

use failure::Failure;
use frumious_parallel::Cancellation;

/// Runs a task that `cancellation` can stop.
///
/// A task that is stopped leaves its outputs as a failure does: whole or not at all, and resumable ones as far as they
/// are.
///
/// # Errors
/// A [`Failure`] of exit code 3; those of the task.
pub fn cancellable<T>(
    cancellation: &Cancellation,
    task: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Failure> {
    match cancellation.run(task) {
        Ok(done) => done,
        Err(frumious_parallel::Cancelled) => Err(Failure::interrupted()),
    }
}
