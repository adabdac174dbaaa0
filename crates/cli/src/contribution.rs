//! The option to work with a key that proves nothing. `setup`, `prove` and `convert` warn of such a key, `inspect`
//! tells.

use std::path::Path;

use clap::Args;
use frumious_app::contribution;
use frumious_app::failure::Failure;
use frumious_app::observer::Observer;
use frumious_groth16::Uncontributed as Missing;

/// The option to work with a key that proves nothing.
#[derive(Args, Clone, Copy)]
pub struct Uncontributed {
    /// UNSAFE, for tests only: take a key without a contribution, under which anyone can forge proofs
    #[arg(long = "allow-uncontributed")]
    allowed: bool,
}

impl Uncontributed {
    /// Refuses the key at `path` if it lacks a contribution; where that is allowed, warns.
    pub fn refuse(
        self,
        missing: Option<Missing>,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<(), Failure> {
        let how = "give --allow-uncontributed for a test";
        contribution::refuse(missing, path, self.allowed, how, observer)
    }
}
