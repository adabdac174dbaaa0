//! Rate of AVX-512 IFMA: the 512-bit products that this CPU begins a cycle, two on Zen 5, one on Zen 4.

use frumious_simd::{Ifma, Kernel, Vector};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Products a cycle, or none where the CPU has no such instructions.
///
/// The clock is a chain of squarings of a 64-bit word, each of which waits three cycles for the one before. Both
/// take turns, and the fastest of each counts, so that other programs and changes of frequency disturb little.
pub fn products_a_cycle() -> Option<f64> {
    let cpu = Ifma::detect()?;
    let (mut products, mut cycles) = (Duration::MAX, Duration::MAX);
    for _ in 0..TURNS {
        products = products.min(time(|| cpu.run(Products)));
        cycles = cycles.min(time(|| squarings(black_box(3))));
    }
    let nanoseconds_a_product = products.as_secs_f64() / f64::from(STEPS * SUMS as u32);
    let nanoseconds_a_cycle = cycles.as_secs_f64() / f64::from(STEPS * CYCLES_A_SQUARING);
    Some(nanoseconds_a_cycle / nanoseconds_a_product)
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn squarings(mut x: u64) -> u64 {
    for _ in 0..STEPS {
        x = x.wrapping_mul(x);
    }
    x
}

/// Products into independent sums.
struct Products;

impl Kernel for Products {
    type Output = u64;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> u64 {
        let (a, b) = (V::splat(cpu, black_box(3)), V::splat(cpu, black_box(5)));
        let mut sums = [V::splat(cpu, black_box(0)); SUMS];
        for _ in 0..STEPS {
            for sum in &mut sums {
                *sum = sum.madd52lo(a, b);
            }
        }
        let mut lanes = [0; 8];
        let total = sums.into_iter().fold(a, |total, sum| total.xor(sum));
        total.store(&mut lanes);
        lanes[0]
    }
}

/// More than are in flight: a product takes four cycles.
const SUMS: usize = 12;
const STEPS: u32 = 20_000;
const TURNS: u32 = 30;
/// Of the multiplier of 64-bit words, of every x86-64 CPU with these instructions.
const CYCLES_A_SQUARING: u32 = 3;
