//! The speed of proofs on this machine, by one of a small circuit on all threads.

use std::time::{Duration, Instant};

use frumious_app::failure::Failure;
use frumious_app::quantities::{bytes, count, duration};
use frumious_curves::bn254::Fr;
use frumious_groth16::{ProveOptions, SetupOptions};
use frumious_snarkjs::Zkey;
use frumious_snarkjs::groth16::{prove, proving_key, setup_dev};

use crate::demo::circuit::Chain;

/// Constraints for each second.
#[derive(Clone, Copy)]
pub struct Speed {
    constraints: u32,
    time: Duration,
}

impl Speed {
    /// Makes a key and two proofs, of which the faster counts.
    pub fn measure() -> Result<Self, Failure> {
        let chain = Chain::filling_domain(LOG_SIZE);
        let circuit = chain.constraints();
        let secret = Fr::from_u64(7);
        let witness = chain.witness(secret, Fr::from_u64(chain.hashes().into()))?;
        let mut zkey = Vec::new();
        setup_dev(&circuit, &mut zkey, &SetupOptions::default())?;
        let key = proving_key(Zkey::from_bytes(zkey)?)?;
        let mut time = Duration::MAX;
        for _ in 0..2 {
            let start = Instant::now();
            prove(&key, &witness, &ProveOptions::default())?;
            time = time.min(start.elapsed());
        }
        Ok(Self {
            constraints: circuit.n_constraints(),
            time,
        })
    }

    /// Constraints a second.
    pub fn rate(self) -> f64 {
        f64::from(self.constraints) / self.time.as_secs_f64().max(1e-9)
    }

    /// The speed in words. Larger circuits have a higher one, so it is no promise that is broken.
    pub fn for_people(self) -> String {
        let million = Duration::from_secs_f64(1e6 / self.rate());
        format!(
            "about {} constraints a second: a million takes {} or less, and {} (yours: frumious bench prove KEY)",
            count(self.rate() as u64),
            duration(million),
            bytes(MEMORY_OF_A_MILLION),
        )
    }
}

/// 96 bytes for each of 2^20 rows: `docs/memory.md`.
const MEMORY_OF_A_MILLION: u64 = 96 << 20;

/// Of the domain.
const LOG_SIZE: u32 = 12;
