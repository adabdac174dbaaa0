//! Where there is no ADX: a token that nothing makes, so that callers need no condition of their own.

use crate::{Modulus, Prepared, Wide};

/// Proof of BMI2 and ADX, which this architecture has not.
#[derive(Clone, Copy, Debug)]
pub enum Adx {}

/// Methods that are never called.
macro_rules! never {
    ($($name:ident[$($generic:tt)*]($($type:ty),*) -> $output:ty;)*) => {
        impl Adx {
            /// None.
            pub fn detect() -> Option<Self> {
                None
            }

            /// None.
            pub(crate) fn detected_before() -> Option<Self> {
                None
            }

            $(
                #[doc = "Never called."]
                pub fn $name<$($generic)*>(self, $(_: $type),*) -> $output {
                    match self {}
                }
            )*
        }
    };
}

never! {
    mul_lazy[const N: usize](&[u64; N], &[u64; N], &Modulus<N>) -> [u64; N];
    mul_prepared[const N: usize](&[u64; N], &Prepared<N>, &Modulus<N>) -> [u64; N];
    mul_any[const N: usize](&[u64; N], &[u64; N], &Modulus<N>) -> [u64; N];
    mul[const N: usize](&[u64; N], &[u64; N], &Modulus<N>) -> [u64; N];
    square[const N: usize](&[u64; N], &Modulus<N>) -> [u64; N];
    square_repeated[const N: usize](&[u64; N], u32, &Modulus<N>) -> [u64; N];
    sum_of_products_lazy[const N: usize, const K: usize]([&[u64; N]; K], [&[u64; N]; K], &Modulus<N>) -> [u64; N];
    mul_folded[const C: u64](&[u64; 4], &[u64; 4]) -> [u64; 4];
    square_folded[const C: u64](&[u64; 4]) -> [u64; 4];
    square_folded_lazy[const C: u64](&[u64; 4]) -> [u64; 4];
    mul_folded_three[const C0: u64, const C1: u64](&[u64; 4], &[u64; 4]) -> [u64; 4];
    square_folded_three[const C0: u64, const C1: u64](&[u64; 4]) -> [u64; 4];
    mul_six[const N: usize](&[u64; N], &[u64; N], &Modulus<N>) -> [u64; N];
    mul_six_folded[const N: usize](&[u64; N], &[u64; N], &Modulus<N>) -> [u64; N];
    square_six[const N: usize](&[u64; N], &Modulus<N>) -> [u64; N];
    square_six_repeated[const N: usize](&[u64; N], u32, &Modulus<N>) -> [u64; N];
    mul_wide_six[const N: usize](&[u64; N], &[u64; N], &mut Wide<N>) -> ();
    square_wide_six[const N: usize](&[u64; N], &mut Wide<N>) -> ();
    reduce_wide_six[const TWICE: bool, const N: usize](&Wide<N>, &Modulus<N>) -> [u64; N];
}
