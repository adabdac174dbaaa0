//! The fields of the tests, big integers in limbs, and values at the edges.

use frumious_simd::{Block, LANES, Modulus52, Prime};
use num_bigint::BigUint;

/// A field of the tests: its modulus in words too.
pub trait Field<const L: usize, const W: usize>: Prime<L> {
    const P: [u64; W];
}

macro_rules! field {
    ($(#[$doc:meta])* $name:ident, $limbs:literal, $words:literal, $p:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Prime<$limbs> for $name {
            const MODULUS: &'static Modulus52<$limbs> = &Modulus52::new::<$words>(&$p);
        }

        impl Field<$limbs, $words> for $name {
            const P: [u64; $words] = $p;
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
        0x3064_4e72_e131_a029
    ]
);
field!(
    Bn254Fr,
    5,
    4,
    [
        0x43e1_f593_f000_0001,
        0x2833_e848_79b9_7091,
        0xb850_45b6_8181_585d,
        0x3064_4e72_e131_a029
    ]
);
field!(
    /// The base field of Bandersnatch too.
    Bls12Fr, 5, 4, [0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48]
);
field!(
    BandersnatchFr,
    5,
    4,
    [
        0x74fd_06b5_2876_e7e1,
        0xff8f_8700_7419_0471,
        0x0cce_7602_0268_7600,
        0x1cfb_69d4_ca67_5f52
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

/// Makes a test of each name for every field: `each_field!(a_test => function)` calls `function::<Field, L, W>()`.
macro_rules! each_field {
    ($($name:ident),*) => {
        $(mod $name {
            use crate::fields::*;
            #[test]
            fn bn254_fq() { super::super::$name::<Bn254Fq, 5, 4>(); }
            #[test]
            fn bn254_fr() { super::super::$name::<Bn254Fr, 5, 4>(); }
            #[test]
            fn bls12_fr() { super::super::$name::<Bls12Fr, 5, 4>(); }
            #[test]
            fn bandersnatch_fr() { super::super::$name::<BandersnatchFr, 5, 4>(); }
            #[test]
            fn bls12_fq() { super::super::$name::<Bls12Fq, 8, 6>(); }
        })*
    };
}
pub(crate) use each_field;

/// The number in words.
pub fn big(words: &[u64]) -> BigUint {
    words
        .iter()
        .rev()
        .fold(BigUint::ZERO, |sum, word| (sum << 64) + word)
}

/// The modulus.
pub fn modulus<P: Field<L, W>, const L: usize, const W: usize>() -> BigUint {
    big(&P::P)
}

/// The product of elements in packed form, by the portable scalar code. The assembly does not compile under
/// AddressSanitizer, nor where it is inlined among aligned blocks, for want of registers.
pub fn scalar_product<P: Field<L, W>, const L: usize, const W: usize>(
    a: &[u64; W],
    b: &[u64; W],
) -> [u64; W] {
    let modulus = frumious_limbs::Modulus::<W>::new(P::P);
    let product = frumious_limbs::portable::mul_lazy(a, b, &modulus.p, modulus.p_neg_inv);
    frumious_limbs::modular::reduce_once(&product, &modulus.p)
}

/// The words of a number that fits.
pub fn words<const W: usize>(number: &BigUint) -> [u64; W] {
    let digits = number.to_u64_digits();
    assert!(digits.len() <= W, "the number fits");
    core::array::from_fn(|i| digits.get(i).copied().unwrap_or(0))
}

/// The limbs of 52 bits of a number that fits.
pub fn limbs<const L: usize>(number: &BigUint) -> [u64; L] {
    assert!(number.bits() <= 52 * L as u64, "the number fits");
    core::array::from_fn(|i| {
        let limb: BigUint = (number >> (52 * i)) & BigUint::from((1u64 << 52) - 1);
        limb.try_into().expect("52 bits")
    })
}

/// Number k of a block, whose limbs must be below 2^52.
pub fn lane<const L: usize>(block: &Block<L>, k: usize) -> BigUint {
    (0..L).rev().fold(BigUint::ZERO, |sum, i| {
        assert!(block.0[i][k] < 1 << 52, "limb {i} of lane {k}");
        (sum << 52) + block.0[i][k]
    })
}

/// A block of eight numbers.
pub fn block<const L: usize>(numbers: &[BigUint; LANES]) -> Block<L> {
    let mut block = Block::ZERO;
    for (k, number) in numbers.iter().enumerate() {
        for (i, limb) in limbs::<L>(number).into_iter().enumerate() {
            block.0[i][k] = limb;
        }
    }
    block
}

/// Numbers below `limit`: around multiples of `p` and powers of two, with limbs of all ones and all zeros, and random
/// ones. A multiple of eight in number.
pub fn edges(p: &BigUint, limit: &BigUint) -> Vec<BigUint> {
    let one = BigUint::from(1u8);
    let mut numbers = vec![limit - 1u8];
    for multiple in 0u32..=16 {
        numbers.extend([p * multiple, p * multiple + 1u8]);
        if multiple > 0 {
            numbers.push(p * multiple - 1u8);
        }
    }
    let mut all_ones = BigUint::ZERO;
    let mut alternating = BigUint::ZERO;
    for i in 0..limit.bits().div_ceil(52) {
        let power: BigUint = &one << (52 * i);
        numbers.extend([
            power.clone(),
            &power - 1u8,
            &power + 1u8,
            &power << 51,
            limit - &power.clone().min(limit.clone()),
        ]);
        all_ones += (&power << 52) - &power;
        numbers.push(all_ones.clone());
        alternating += if i % 2 == 0 {
            (&power << 52) - &power
        } else {
            BigUint::ZERO
        };
        numbers.push(alternating.clone());
    }
    numbers.push((&one << 64) - 1u8);
    numbers.push(&one << 128);
    numbers.retain(|number| number < limit);
    let mut random = Random(0x5eed);
    numbers.extend((0..16).map(|_| random.below(limit)));
    while numbers.len() % LANES != 0 {
        numbers.push(random.below(limit));
    }
    numbers
}

/// Blocks of pairs of the numbers: each of `a` with many of `b`, the first ones with all.
pub fn pairs<const L: usize>(a: &[BigUint], b: &[BigUint]) -> Vec<(Block<L>, Block<L>)> {
    let mut blocks = Vec::new();
    for eight in a.chunks_exact(LANES) {
        let first = core::array::from_fn(|k| eight[k].clone());
        for start in 0..b.len() {
            let second = core::array::from_fn(|k| b[(start + k) % b.len()].clone());
            blocks.push((block(&first), block(&second)));
        }
    }
    blocks
}

/// Splitmix64, for numbers that are the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: &BigUint) -> BigUint {
        let words: Vec<u64> = (0..=limit.bits() / 64 + 1).map(|_| self.word()).collect();
        big(&words) % limit
    }
}
