//! Products as functions of their own, whose instructions `.ci/targets aarch64` counts in the compiled program.

use core::hint::black_box;
use frumious_limbs::{Modulus, Prepared, PseudoMersenne, Wide, modular, unrolled};

/// The prime of BN254.
const FOUR: Modulus<4> = Modulus::new([
    0x3c20_8c16_d87c_fd47,
    0x9781_6a91_6871_ca8d,
    0xb850_45b6_8181_585d,
    0x3064_4e72_e131_a029,
]);

/// The prime of BLS12-381.
const SIX: Modulus<6> = Modulus::new([
    0xb9fe_ffff_ffff_aaab,
    0x1eab_fffe_b153_ffff,
    0x6730_d2a0_f6b0_f624,
    0x6477_4b84_f385_12bf,
    0x4b1b_a7b6_434b_acd7,
    0x1a01_11ea_397f_e69a,
]);

/// The prime of secp256k1.
const FOLDED: PseudoMersenne<0x1_0000_03d1> = PseudoMersenne;

/// A function for each `$name`, not inlined.
macro_rules! functions {
    ($($name:ident($($argument:ident: $type:ty),+) -> $result:ty = $value:expr;)*) => {$(
        #[inline(never)]
        fn $name($($argument: $type),+) -> $result {
            $value
        }
    )*};
}

type Four = [u64; 4];
type Six = [u64; 6];

functions! {
    four_mul(a: &Four, b: &Four) -> Four = FOUR.mul(a, b);
    four_lazy(a: &Four, b: &Four) -> Four = unrolled::mul_lazy(a, b, modular::in_memory(&FOUR));
    four_square(a: &Four) -> Four = FOUR.square(a);
    four_prepared(a: &Four, b: &Prepared<4>) -> Four = b.mul(a, &FOUR);
    four_two_products(a: &Four, b: &Four) -> Four = FOUR.sum_of_products([a, b], [b, a]);
    four_add(a: &Four, b: &Four) -> Four = FOUR.add(a, b);
    four_add_wide(a: &Four, b: &Four) -> Four = modular::add_wide(a, b, &FOUR.p);
    four_sub(a: &Four, b: &Four) -> Four = FOUR.sub(a, b);
    four_folded(a: &Four, b: &Four) -> Four = FOLDED.mul(a, b);
    six_mul(a: &Six, b: &Six) -> Six = SIX.mul(a, b);
    six_square(a: &Six) -> Six = SIX.square(a);
    six_two_products(a: &Six, b: &Six) -> Six = SIX.sum_of_products([a, b], [b, a]);
    six_add(a: &Six, b: &Six) -> Six = SIX.add(a, b);
    six_sub(a: &Six, b: &Six) -> Six = SIX.sub(a, b);
    six_wide(product: &mut Wide<6>, a: &Six, b: &Six) -> () = product.set_product(a, b);
    six_wide_square(square: &mut Wide<6>, a: &Six) -> () = square.set_square(a);
    six_reduction(value: &Wide<6>) -> Six = SIX.reduce_wide::<false>(value);
}

fn main() {
    let (a, b) = (black_box([1; 4]), black_box([2; 4]));
    black_box(four_mul(&a, &b));
    black_box(four_lazy(&a, &b));
    black_box(four_square(&a));
    black_box(four_prepared(&a, &Prepared::new(&b, &FOUR)));
    black_box(four_two_products(&a, &b));
    black_box(four_add(&a, &b));
    black_box(four_add_wide(&a, &b));
    black_box(four_sub(&a, &b));
    black_box(four_folded(&a, &b));
    let (a, b) = (black_box([1; 6]), black_box([2; 6]));
    black_box(six_mul(&a, &b));
    black_box(six_square(&a));
    black_box(six_two_products(&a, &b));
    black_box(six_add(&a, &b));
    black_box(six_sub(&a, &b));
    let mut wide = Wide::ZERO;
    six_wide(&mut wide, &a, &b);
    black_box(six_reduction(&wide));
    six_wide_square(&mut wide, &a);
    black_box(six_reduction(&wide));
}
