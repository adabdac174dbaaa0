//! Settings of a machine: the parameters, the search for the fastest, and the file that keeps them.
//!
//! Settings change the time of a proof, and never the proof. They are those of the whole process: set them before keys
//! are opened and proofs begin.

mod file;
mod search;
mod statistics;

use frumious_settings::Setting;
use std::collections::BTreeMap;

pub use file::{Loaded, Machine, USUAL_FILE, read, to_toml};
pub use search::{Measured, Outcome, Plan, grid, search};
pub use statistics::{LEAST_TURNS, Ratio};

/// A size that may be tuned.
#[derive(Clone, Copy, Debug)]
pub enum Parameter {
    /// Threads of a proof, of so many that the machine has.
    Threads(usize),
    /// A setting of a layer below.
    Setting(&'static Setting),
}

impl Parameter {
    /// Section and name in the file, with a dot between.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Threads(_) => "pool.threads",
            Self::Setting(setting) => setting.name(),
        }
    }

    /// The value without a file.
    pub fn usual(&self) -> usize {
        match self {
            Self::Threads(most) => *most,
            Self::Setting(setting) => setting.usual(),
        }
    }

    /// `value`, and up to `steps` values on either side of it.
    fn near(&self, value: usize, steps: u32) -> Vec<usize> {
        match self {
            Self::Threads(most) => {
                let halves = (0..=steps).map(|step| (value >> step).max(1));
                let mut values: Vec<usize> = halves.chain([value + 1, *most]).collect();
                values.retain(|threads| threads <= most);
                values.sort_unstable();
                values.dedup();
                values
            }
            Self::Setting(setting) => setting.near(value, steps),
        }
    }
}

/// All settings of the layers below.
pub fn settings() -> impl Iterator<Item = &'static Setting> {
    let msm = frumious_msm::SETTINGS.iter();
    msm.chain(&frumious_fft::SETTINGS)
        .chain(&frumious_snarkjs::SETTINGS)
        .chain(&frumious_mapping::SETTINGS)
        .copied()
}

/// The parameters that can change the time of a proof over a domain of `rows` rows on `threads` threads.
///
/// Others are left out: those of lanes without lanes, of scalar code beside lanes, and of windows larger than the key.
pub fn parameters(threads: usize, rows: usize) -> Vec<Parameter> {
    let several = (threads > 1).then_some(Parameter::Threads(threads));
    let settings = frumious_msm::settings_in_use(threads)
        .chain(frumious_fft::settings_in_use())
        .chain(frumious_snarkjs::settings_in_use(rows))
        .chain(frumious_mapping::SETTINGS);
    several
        .into_iter()
        .chain(settings.map(Parameter::Setting))
        .collect()
}

/// Values of parameters; those that are not named are the usual ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Values(BTreeMap<&'static str, usize>);

impl Values {
    /// The usual values.
    pub fn usual() -> Self {
        Self::default()
    }

    /// These values, but for that of `parameter`.
    pub fn with(&self, parameter: &Parameter, value: usize) -> Self {
        let mut values = self.clone();
        match value == parameter.usual() {
            true => values.0.remove(parameter.name()),
            false => values.0.insert(parameter.name(), value),
        };
        values
    }

    /// The value of a parameter.
    pub fn of(&self, parameter: &Parameter) -> usize {
        let value = self.0.get(parameter.name());
        value.copied().unwrap_or_else(|| parameter.usual())
    }

    /// Threads of a proof, unless the usual ones.
    pub fn threads(&self) -> Option<usize> {
        self.0.get(THREADS).copied()
    }

    /// Names and values that are not the usual ones.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.0.iter().map(|(name, value)| (*name, *value))
    }

    /// Makes them those of the process, but for the number of threads, which is up to who makes the pool.
    pub fn apply(&self) {
        for setting in settings() {
            let value = self.0.get(setting.name());
            let value = value.copied().unwrap_or_else(|| setting.usual());
            // Values come from ranges of settings, or were checked when a file was read.
            let set = setting.set(value);
            debug_assert!(set.is_ok(), "{set:?}");
        }
    }

    /// In words: names with values, or that they are the usual ones.
    pub fn describe(&self) -> String {
        if self.0.is_empty() {
            return "the usual values".to_owned();
        }
        let words = self.iter().map(|(name, value)| format!("{name} = {value}"));
        words.collect::<Vec<_>>().join(", ")
    }
}

const THREADS: &str = "pool.threads";

#[cfg(test)]
mod tests;
