//! Times proofs of random openings, as go-ipa's benchmark does: CPU time of one thread, the least of several runs.
//!
//! `RAYON_NUM_THREADS=1 cargo run --release -p frumious-verkle --example multiproof -- [openings …]`

use frumious_curves::bandersnatch::{Element, Fr};
use frumious_verkle::{Claim, Committer, Opening, Preset, Prover, Transcript, Values, Verifier};
use std::error::Error;
use std::sync::LazyLock;
use std::time::Instant;

/// Distinct polynomials; beyond, they repeat at other points.
const POLYNOMIALS: usize = 16_384;

fn main() -> Result<(), Box<dyn Error>> {
    let mut sizes: Vec<usize> = std::env::args()
        .skip(1)
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    if sizes.is_empty() {
        sizes = vec![1, 2_000, 16_000, 128_000];
    }
    let start = cpu_time();
    let committer = Committer::new(Preset::Full)?;
    println!("tables: {:.0} ms", 1e3 * (cpu_time() - start));

    let mut random = Random(1);
    let count = POLYNOMIALS.min(sizes.iter().copied().max().unwrap_or(1));
    let polynomials: Vec<Box<Values>> = (0..count).map(|_| random.polynomial()).collect();
    // Not their commitments (those would take long), but as good for timing the prover; the verifier then answers false.
    let mut commitment = Element::GENERATOR;
    for size in sizes {
        let openings: Vec<Opening<'_>> = (0..size)
            .map(|i| {
                commitment = commitment.double();
                Opening {
                    commitment,
                    polynomial: &polynomials[i % count],
                    point: random.next() as u8,
                }
            })
            .collect();
        let claims: Vec<Claim> = openings.iter().map(Opening::claim).collect();
        let mut prover = Prover::new(&committer);
        let mut proof = prover.prove(&mut Transcript::new(b"bench"), &openings)?;
        let runs = if size > 10_000 { 5 } else { 15 };
        let prove = least(runs, || {
            proof = prover.prove(&mut Transcript::new(b"bench"), &openings)?;
            Ok(())
        })?;
        let mut verifier = Verifier::new(&committer);
        let verify = least(runs, || {
            let accepted = verifier.verify(&mut Transcript::new(b"bench"), &claims, &proof)?;
            assert!(
                !accepted,
                "the commitments were not those of the polynomials"
            );
            Ok(())
        })?;
        println!("{size:>7} openings: prove {prove:8.2} ms, verify {verify:8.2} ms");
    }
    Ok(())
}

/// The least time of a run in milliseconds.
fn least(
    runs: usize,
    mut run: impl FnMut() -> Result<(), frumious_verkle::Error>,
) -> Result<f64, frumious_verkle::Error> {
    let mut least = f64::MAX;
    for _ in 0..runs {
        let start = cpu_time();
        run()?;
        least = least.min(1e3 * (cpu_time() - start));
    }
    Ok(least)
}

/// Seconds that all threads were on a CPU, as Linux counts them; elsewhere the time of the clock.
fn cpu_time() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let clock = START.elapsed().as_secs_f64();
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return clock;
    };
    let time = |thread: std::fs::DirEntry| {
        let statistics = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        statistics.split(' ').next()?.parse::<f64>().ok()
    };
    1e-9 * threads.flatten().filter_map(time).sum::<f64>()
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn polynomial(&mut self) -> Box<Values> {
        Box::new(core::array::from_fn(|_| {
            let mut bytes = [0; 64];
            for word in bytes.chunks_exact_mut(8) {
                word.copy_from_slice(&self.next().to_le_bytes());
            }
            Fr::from_uniform_bytes(&bytes)
        }))
    }
}
