//! Debug builds refuse what the bounds do not allow.

#![cfg(debug_assertions)]

use crate::fields::{Bls12Fr, Bn254Fq};
use frumious_simd::{Block, Lanes, Model};

type Fq = Lanes<Bn254Fq, Model, 5>;
type Fr = Lanes<Bls12Fr, Model, 5>;

#[test]
fn bounds_up_to_the_headroom_are_allowed() {
    let two = Fr::load_block::<2>((), &Block::ZERO);
    let sixteen = two.double().double().double();
    sixteen.check_below::<16>();
    (sixteen * two).check_below::<2>();
    two.minus::<33>(sixteen).check_below::<35>();
}

#[test]
#[should_panic(
    expected = "the factors of a product: below 36 times the modulus, where 35 times is allowed"
)]
fn a_product_of_bounds_above_the_headroom_is_refused() {
    let six = Fr::load_block::<6>((), &Block::ZERO);
    let _ = six * six;
}

#[test]
#[should_panic(expected = "the factors of a square")]
fn a_square_above_the_headroom_is_refused() {
    let _ = Fq::load_block::<10>((), &Block::ZERO).square();
}

#[test]
#[should_panic(expected = "terms subtracted: below 3 times the modulus, where 2 times is allowed")]
fn an_offset_below_the_bound_is_refused() {
    let three = Fq::load_block::<3>((), &Block::ZERO);
    let _ = three.minus::<2>(three);
}

#[test]
#[should_panic(
    expected = "a value in lanes: below 96 times the modulus, where 84 times is allowed"
)]
fn a_sum_above_the_headroom_is_refused() {
    let _ = Fq::load_block::<48>((), &Block::ZERO).double();
}

#[test]
#[should_panic(expected = "a value to compare")]
fn comparison_needs_values_below_twice_the_modulus() {
    let _ = Fq::load_block::<3>((), &Block::ZERO).is_zero();
}

#[test]
#[should_panic(
    expected = "a value to store in words: below 6 times the modulus, where 5 times is allowed"
)]
fn words_hold_no_more_than_they_can() {
    Fq::load_block::<6>((), &Block::ZERO).store_words([[0u64; 4]; 8].each_mut());
}

#[test]
#[should_panic(expected = "lane 3 is not below 1 times the modulus")]
fn numbers_above_the_stated_bound_are_refused() {
    let mut block = Block::ZERO;
    for (limb, p) in block
        .0
        .iter_mut()
        .zip(<Bn254Fq as frumious_simd::Prime<5>>::MODULUS.p)
    {
        limb[3] = p;
    }
    let _ = Fq::load_block::<1>((), &block);
}

#[test]
#[should_panic(expected = "limb 2 of lane 7 is above 52 bits")]
fn limbs_above_52_bits_are_refused() {
    let mut block = Block::ZERO;
    block.0[2][7] = 1 << 52;
    let _ = Fq::load_block::<1>((), &block);
}

#[test]
fn a_better_bound_may_be_stated() {
    let eight = Fr::load_block::<8>((), &Block::ZERO);
    eight.assume_below::<1>().check_below::<1>();
}

#[test]
#[should_panic(expected = "lane 0 is not below 1 times the modulus")]
fn a_false_bound_is_refused() {
    let modulus = <Bls12Fr as frumious_simd::Prime<5>>::MODULUS;
    let block = Block(modulus.p.map(|limb| [limb; 8]));
    let _ = Fr::load_block::<2>((), &block).assume_below::<1>();
}

#[test]
#[should_panic(expected = "a bound that the caller relies on")]
fn a_bound_relied_on_is_checked() {
    Fr::load_block::<2>((), &Block::ZERO)
        .double()
        .check_below::<3>();
}

#[test]
#[should_panic(expected = "the number of terms")]
fn a_sum_of_too_many_terms_is_refused() {
    type Long = Lanes<crate::fields::Bls12Fq, Model, 8>;
    let one = Long::load_block::<1>((), &Block::ZERO);
    let _ = (0..600).fold(one.sum(), |sum, _| sum + one).carry::<0>();
}
