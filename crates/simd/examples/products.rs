//! Nanoseconds per element of products and squares in lanes: `cargo run --release -p frumious-simd --example products`.
//!
//! One thread, all data in the first-level cache; each figure is the least of many runs, as other work on the machine only adds.

#[cfg(target_arch = "x86_64")]
fn main() {
    let Some(cpu) = frumious_simd::Ifma::detect() else {
        println!("SKIP: this CPU has no AVX-512 IFMA");
        return;
    };
    println!(
        "{:<24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "ns per element", "product", "packed", "square", "4 chains", "2 chains", "1 chain"
    );
    measure::all::<measure::Bn254Fq, 5, 4>("BN254 Fq (254 bits)", cpu);
    measure::all::<measure::Bls12Fr, 5, 4>("BLS12-381 Fr (255 bits)", cpu);
    measure::all::<measure::Bls12Fq, 8, 6>("BLS12-381 Fq (381 bits)", cpu);
}

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    println!("SKIP: no AVX-512 IFMA on this architecture");
}

#[cfg(target_arch = "x86_64")]
mod measure {
    use frumious_simd::kernels::{BlockProducts, Products, SquareChains};
    use frumious_simd::{Block, Ifma, LANES, Modulus52, Prime};
    use std::hint::black_box;
    use std::time::Instant;

    #[derive(Clone, Copy, Debug)]
    pub struct Bn254Fq;
    impl Prime<5> for Bn254Fq {
        const MODULUS: &'static Modulus52<5> = &Modulus52::new(&[
            0x3c20_8c16_d87c_fd47,
            0x9781_6a91_6871_ca8d,
            0xb850_45b6_8181_585d,
            0x3064_4e72_e131_a029,
        ]);
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Bls12Fr;
    impl Prime<5> for Bls12Fr {
        const MODULUS: &'static Modulus52<5> = &Modulus52::new(&[
            0xffff_ffff_0000_0001,
            0x53bd_a402_fffe_5bfe,
            0x3339_d808_09a1_d805,
            0x73ed_a753_299d_7d48,
        ]);
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Bls12Fq;
    impl Prime<8> for Bls12Fq {
        const MODULUS: &'static Modulus52<8> = &Modulus52::new(&[
            0xb9fe_ffff_ffff_aaab,
            0x1eab_fffe_b153_ffff,
            0x6730_d2a0_f6b0_f624,
            0x6477_4b84_f385_12bf,
            0x4b1b_a7b6_434b_acd7,
            0x1a01_11ea_397f_e69a,
        ]);
    }

    const BLOCKS: usize = 16;
    const ELEMENTS: usize = BLOCKS * LANES;
    const SQUARES: u32 = 100;

    /// One line of the table.
    pub fn all<P: Prime<L>, const L: usize, const W: usize>(name: &str, cpu: Ifma) {
        let mut a = vec![Block([[3; LANES]; L]); BLOCKS];
        let b = vec![Block([[5; LANES]; L]); BLOCKS];
        let (x, y) = (vec![[7; W]; ELEMENTS], vec![[9; W]; ELEMENTS]);
        let (x, y): (Vec<[u64; W]>, Vec<[u64; W]>) = (clear_top(x), clear_top(y));
        let mut z = x.clone();
        let product = least(20, || {
            cpu.run(BlockProducts::<P, L>::new(black_box(&mut a), black_box(&b)))
        });
        let packed = least(20, || {
            cpu.run(Products::<P, L, W>::new(
                black_box(&x),
                black_box(&y),
                &mut z,
            ))
        });
        let square = least(20, || {
            cpu.run(SquareChains::<P, L, 4>::new(black_box(&mut a), 1))
        });
        let chains = [
            least(1, || {
                cpu.run(SquareChains::<P, L, 4>::new(black_box(&mut a), SQUARES))
            }),
            least(1, || {
                cpu.run(SquareChains::<P, L, 2>::new(black_box(&mut a), SQUARES))
            }),
            least(1, || {
                cpu.run(SquareChains::<P, L, 1>::new(black_box(&mut a), SQUARES))
            }),
        ];
        let [four, two, one] = chains.map(|time| time / f64::from(SQUARES));
        println!(
            "{name:<24} {product:>8.2} {packed:>8.2} {square:>8.2} {four:>8.2} {two:>8.2} {one:>8.2}"
        );
    }

    fn clear_top<const W: usize>(mut elements: Vec<[u64; W]>) -> Vec<[u64; W]> {
        for element in &mut elements {
            element[W - 1] = 1;
        }
        elements
    }

    /// The least time of `run`, over many rounds of `repeat` runs each, in nanoseconds per element.
    fn least(repeat: u32, mut run: impl FnMut()) -> f64 {
        let mut least = f64::INFINITY;
        for _ in 0..2_000 {
            let start = Instant::now();
            for _ in 0..repeat {
                run();
            }
            least = least.min(start.elapsed().as_secs_f64());
        }
        least * 1e9 / f64::from(repeat) / ELEMENTS as f64
    }
}
