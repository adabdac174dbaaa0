//! Tables for as much work as there is: they take time to build, and the larger they are the less each commitment
//! takes.

use frumious_msm::fixed;
use frumious_verkle::{Budget, Committer, Preset};

use crate::arguments::verkle::Tables;
use crate::progress::Progress;
use frumious_app::failure::{About, Failure};
use frumious_app::places::{Places, Role};
use frumious_app::verkle;

/// The work, as a number of commitments to 256 values that take as long.
#[derive(Clone, Copy)]
pub struct Work(usize);

impl Work {
    /// Commitments to this many values in all.
    pub fn of_values(values: usize) -> Self {
        Self(values.div_ceil(256))
    }

    /// A tree: two values for each entry, about eight more for the leaf and on the way to the root.
    pub fn of_tree(entries: usize, stems: usize) -> Self {
        Self::of_values(2 * entries + 8 * stems)
    }

    /// A proof, its verification, and as many commitments before.
    pub fn of_proof(commitments: usize) -> Self {
        Self(PROOF + commitments)
    }

    /// A verification.
    pub fn of_verification() -> Self {
        Self(1)
    }

    fn preset(self) -> Preset {
        match self.0 {
            0..100 => Preset::Verifier,
            100..2_000 => Preset::Small,
            _ => Preset::Default,
        }
    }
}

/// The files of a command with that of its tables: read if it is there, made if it is not.
pub fn placed<'a>(places: Places<'a>, tables: &'a Tables) -> Places<'a> {
    match &tables.tables {
        Some(path) if path.exists() => places.input("--tables", Role::Tables, path),
        Some(path) => places.output("--tables", Role::Tables, path),
        None => places,
    }
}

/// The tables, in a phase of their own: built, or from their file.
pub fn committer(tables: &Tables, work: Work, progress: &Progress) -> Result<Committer, Failure> {
    progress.begin("tables");
    let cannot = |error: fixed::Error| Failure::bad_input(error.to_string());
    match &tables.tables {
        // Also what cannot be mapped, such as a directory: it is not to be written to.
        Some(path) if path.exists() => Committer::open(path).map_err(cannot).about(path),
        Some(path) => {
            let committer = build(tables, Preset::Default)?;
            committer.save(path).map_err(cannot).about(path)?;
            Ok(committer)
        }
        None => build(tables, work.preset()),
    }
}

/// Builds tables of the size asked for, or else by a preset.
fn build(tables: &Tables, preset: Preset) -> Result<Committer, Failure> {
    match tables.memory {
        Some(mib) => verkle::build(Budget::mib(mib.into())),
        None => verkle::build(preset),
    }
}

/// A proof commits to two vectors of 256 values, and in each of 8 rounds to two halves of one.
const PROOF: usize = 11;
