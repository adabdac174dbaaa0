//! Under valgrind, which has no AVX-512: the token stands for the model, so that whatever asks for lanes runs in them
//! all the same. Built with `--cfg frumious_under_valgrind` alone, as only `.ci/ct` and `.ci/memory` do.

use crate::model::Model;
use crate::vector::Kernel;

/// Stands for AVX-512 IFMA where `FRUMIOUS_BACKEND` asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Ifma(());

impl Ifma {
    /// The token, if the environment names the backend.
    pub fn detect() -> Option<Self> {
        crate::cpu::has_ifma().then_some(Self(()))
    }

    /// Does the work of `kernel` over the model.
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        Model::run(kernel)
    }
}
