//! Nanoseconds per element of products and squares in lanes: `cargo run --release -p frumious-simd --example products`.
//!
//! - scalar: products of `frumious-limbs`, one after the other, independent.
//! - product: products of blocks in lanes, independent. packed: from words to words, with three transpositions.
//! - chain: products that wait for each other, an eighth of their latency.
//! - squares: chains of squares, so many of them side by side; one alone shows the latency.
//!
//! One thread, all data in the first-level cache. Each figure is the least of many runs, as other work on the machine
//! only adds.

fn main() {
    let columns = [
        "scalar", "product", "packed", "chain", "squares4", "squares2", "squares1",
    ];
    let mut units = frumious_simd::Unit::all().peekable();
    if units.peek().is_none() {
        println!("SKIP: this CPU has no vector unit that we use");
    }
    for unit in units {
        println!("{unit:?}");
        print!("{:<24}", "ns per element");
        for column in columns {
            print!(" {column:>8}");
        }
        println!();
        measure::line::<measure::Bn254Fq, 5, 4>("BN254 Fq (254 bits)", unit);
        measure::line::<measure::Bls12Fr, 5, 4>("BLS12-381 Fr (255 bits)", unit);
        measure::line::<measure::Bls12Fq, 8, 6>("BLS12-381 Fq (381 bits)", unit);
    }
}

mod measure {
    use frumious_limbs::Modulus;
    use frumious_simd::kernels::{BlockProducts, Products, SquareChains};
    use frumious_simd::{Block, Kernel, LANES, Lanes, Modulus52, Prime, Unit, Vector};
    use std::hint::black_box;
    use std::marker::PhantomData;
    use std::time::Instant;

    /// A field with its modulus in words.
    pub trait Field<const L: usize, const W: usize>: Prime<L> {
        const SCALAR: Modulus<W>;
    }

    macro_rules! field {
        ($name:ident, $limbs:literal, $words:literal, $p:expr) => {
            #[derive(Clone, Copy, Debug)]
            pub struct $name;
            impl Prime<$limbs> for $name {
                const MODULUS: &'static Modulus52<$limbs> = &Modulus52::new::<$words>(&$p);
            }
            impl Field<$limbs, $words> for $name {
                const SCALAR: Modulus<$words> = Modulus::new($p);
            }
        };
    }

    field!(
        Bn254Fq,
        5,
        4,
        [
            0x3c20_8c16_d87c_fd47,
            0x9781_6a91_6871_ca8d,
            0xb850_45b6_8181_585d,
            0x3064_4e72_e131_a029,
        ]
    );
    field!(
        Bls12Fr,
        5,
        4,
        [
            0xffff_ffff_0000_0001,
            0x53bd_a402_fffe_5bfe,
            0x3339_d808_09a1_d805,
            0x73ed_a753_299d_7d48,
        ]
    );
    field!(
        Bls12Fq,
        8,
        6,
        [
            0xb9fe_ffff_ffff_aaab,
            0x1eab_fffe_b153_ffff,
            0x6730_d2a0_f6b0_f624,
            0x6477_4b84_f385_12bf,
            0x4b1b_a7b6_434b_acd7,
            0x1a01_11ea_397f_e69a,
        ]
    );

    /// `a = a·b·b·...`, `count` times: every product waits for the last.
    struct ProductChain<'a, P, const L: usize> {
        a: &'a mut Block<L>,
        b: &'a Block<L>,
        count: u32,
        prime: PhantomData<P>,
    }

    impl<P: Prime<L>, const L: usize> Kernel for ProductChain<'_, P, L> {
        type Output = ();

        #[inline(always)]
        fn run<V: Vector>(self, cpu: V::Cpu) {
            let mut a = Lanes::<P, V, L>::load_block::<2>(cpu, self.a);
            let b = Lanes::load_block::<2>(cpu, self.b);
            for _ in 0..self.count {
                a = a * b;
            }
            a.store_block(self.a);
        }
    }

    const BLOCKS: usize = 16;
    const ELEMENTS: usize = BLOCKS * LANES;
    const STEPS: u32 = 100;

    /// One line of the table.
    #[rustfmt::skip]
    pub fn line<P: Field<L, W>, const L: usize, const W: usize>(name: &str, unit: Unit) {
        let mut a = vec![Block([[3; LANES]; L]); BLOCKS];
        let b = vec![Block([[5; LANES]; L]); BLOCKS];
        let x = vec![element::<W>(7); ELEMENTS];
        let y = vec![element::<W>(9); ELEMENTS];
        let mut z = x.clone();
        let steps = f64::from(STEPS);
        print!("{name:<24}");
        print!(" {:>8.2}", least(20, || scalar_products::<P, L, W>(black_box(&x), black_box(&y), &mut z)));
        print!(" {:>8.2}", least(20, || unit.run(BlockProducts::<P, L>::new(black_box(&mut a), black_box(&b)))));
        print!(" {:>8.2}", least(20, || unit.run(Products::<P, L, W>::new(black_box(&x), black_box(&y), &mut z))));
        let prime = PhantomData::<P>;
        let chain = least(1, || unit.run(ProductChain { a: black_box(&mut a[0]), b: &b[0], count: STEPS, prime }));
        print!(" {:>8.2}", chain / steps * BLOCKS as f64);
        print!(" {:>8.2}", least(1, || unit.run(SquareChains::<P, L, 4>::new(black_box(&mut a), STEPS))) / steps);
        print!(" {:>8.2}", least(1, || unit.run(SquareChains::<P, L, 2>::new(black_box(&mut a), STEPS))) / steps);
        println!(" {:>8.2}", least(1, || unit.run(SquareChains::<P, L, 1>::new(black_box(&mut a), STEPS))) / steps);
    }

    #[inline(never)]
    fn scalar_products<P: Field<L, W>, const L: usize, const W: usize>(
        a: &[[u64; W]],
        b: &[[u64; W]],
        out: &mut [[u64; W]],
    ) {
        for ((a, b), out) in a.iter().zip(b).zip(out) {
            *out = P::SCALAR.mul(a, b);
        }
    }

    /// A number of `W` words below all three moduli.
    fn element<const W: usize>(word: u64) -> [u64; W] {
        let mut words = [word; W];
        words[W - 1] = 1;
        words
    }

    /// The least time of `run`, over many rounds of `repeat` runs each, in nanoseconds per element of all blocks.
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
