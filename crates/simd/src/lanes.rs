//! Eight residues modulo one prime, side by side.

/// A function of vectors `V`, compiled as [`Vector::APART`] says: known when a kernel is compiled, which then holds one
/// form only. Generics stand in brackets and must follow from arguments and result; an argument holds a `V` or a
/// `V::Cpu`.
macro_rules! apart {
    (products: $($function:tt)*) => {
        apart!(@PRODUCTS $($function)*);
    };
    (@$way:ident $(#[$attribute:meta])* $visible:vis fn $name:ident[$($generics:tt)*]($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$attribute])*
        #[inline(always)]
        $visible fn $name<$($generics)*>($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn inlined<$($generics)*>($($argument: $type),*) $(-> $result)? $body

            #[inline(never)]
            fn apart<$($generics)*>($($argument: $type),*) $(-> $result)? {
                inlined($($argument),*)
            }

            #[inline(never)]
            #[cfg_attr(
                target_arch = "x86_64",
                target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")
            )]
            fn with_ifma<$($generics)*>($($argument: $type),*) $(-> $result)? {
                inlined($($argument),*)
            }

            #[inline(never)]
            #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,bmi2"))]
            fn with_fma<$($generics)*>($($argument: $type),*) $(-> $result)? {
                core::hint::black_box(&mut $crate::vector::Line(0));
                inlined($($argument),*)
            }

            // Blocks in `if const`, and not a `match`: of those that are not taken nothing is compiled.
            if const { matches!(V::$way, $crate::vector::Apart::Inlined) } {
                return $body;
            }
            if const { matches!(V::$way, $crate::vector::Apart::Plain) } {
                return apart($($argument),*);
            }
            if const { matches!(V::$way, $crate::vector::Apart::WithFma) } {
                #[allow(unsafe_code, unused_unsafe)] // safe where there are no such instructions
                // SAFETY: an argument of type `V`, or its token, proves the instructions.
                return unsafe { with_fma($($argument),*) };
            }
            #[allow(unsafe_code, unused_unsafe)] // safe where there are no such instructions
            // SAFETY: `V` is the register alone, and an argument of that type, or its token, proves the instructions.
            unsafe {
                with_ifma($($argument),*)
            }
        }
    };
    ($($function:tt)*) => {
        apart!(@APART $($function)*);
    };
}

#[macro_use]
mod unroll;

mod factor;
mod memory;
mod montgomery;
mod numbers;
mod paired;
mod reduce;
mod sum;
mod wide;

pub use factor::{Factor, LaneFactor, Prepared};
pub use sum::Sum;
pub use wide::Wide;

use crate::block::Block;
use crate::bound::Bound;
use crate::modulus::{MASK_52, Prime};
use crate::vector::{Mask, Vector};
use core::marker::PhantomData;
use core::ops::{Add, Mul};

/// Eight elements of the field of `P`, one in each lane of `L` vectors: limb i of element k is lane k of vector i.
///
/// An element `x` stands in lane form, `x·R mod p` with `R = 2^(52L)`, and is reduced lazily. The number may be any
/// multiple of `p` higher, below a bound `b·p` that each operation states. What holds always:
///
/// - every limb is below 2^52, as the products drop what is above; so the number is below `R`;
/// - `b` is at most [`headroom`](crate::Modulus52::headroom), `floor(R/p)`. It is 84 for BN254, 35 for the scalar field
///   of BLS12-381, 141 for that of Bandersnatch, 2^35 for the base field of BLS12-381;
/// - factors below `b·p` and `c·p` need `b·c ≤ headroom`, and then their product is below `2p`.
///
/// Debug builds carry `b` along in each value and panic where an operation is not allowed; release builds carry
/// nothing. Constant time throughout: no branch and no address depends on a value.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<P, V, const L: usize> {
    limbs: [V; L],
    bound: Bound,
    prime: PhantomData<P>,
}

impl<P: Prime<L>, V: Vector, const L: usize> Lanes<P, V, L> {
    /// The number with these limbs, all below 2^52, which is below `bound·p`.
    #[inline(always)]
    fn new(limbs: [V; L], bound: Bound) -> Self {
        bound.check(P::MODULUS.headroom, "a value in lanes");
        Self {
            limbs,
            bound,
            prime: PhantomData,
        }
    }

    /// The proof that the values were made with.
    #[inline(always)]
    pub fn cpu(self) -> V::Cpu {
        self.limbs[0].cpu()
    }

    /// Eight zeros. Below `p`.
    #[inline(always)]
    pub fn zero(cpu: V::Cpu) -> Self {
        Self::new([V::splat(cpu, 0); L], Bound::below(1))
    }

    /// Eight ones. Below `p`.
    #[inline(always)]
    pub fn one(cpu: V::Cpu) -> Self {
        Self::splat(cpu, &P::MODULUS.one)
    }

    /// One constant in every lane, in lane form and below `p`: see
    /// [`Modulus52::lane_form`](crate::Modulus52::lane_form).
    #[inline(always)]
    pub fn splat(cpu: V::Cpu, limbs: &[u64; L]) -> Self {
        Self::new(splat(cpu, limbs), Bound::below(1)).verified()
    }

    /// Numbers in lane form below `K·p`, all limbs below 2^52.
    #[inline(always)]
    pub fn load_block<const K: u64>(cpu: V::Cpu, block: &Block<L>) -> Self {
        let mut limbs = [V::splat(cpu, 0); L];
        each!(i in 0..L => {
            limbs[i] = V::load(cpu, &block.0[i]);
        });
        Self::new(limbs, Bound::below(K)).verified()
    }

    /// The numbers as they are, in lane form and not reduced.
    #[inline(always)]
    pub fn store_block(self, block: &mut Block<L>) {
        each!(i in 0..L => {
            self.limbs[i].store(&mut block.0[i]);
        });
    }

    /// The same values under the bound `K·p`, where the caller knows better than the operations they came from.
    /// Debug builds check the numbers themselves.
    #[inline(always)]
    pub fn assume_below<const K: u64>(self) -> Self {
        Self::new(self.limbs, Bound::below(K)).verified()
    }

    /// Debug builds panic if the bound that was tracked for these values is above `K·p`.
    #[inline(always)]
    pub fn check_below<const K: u64>(self) {
        self.bound.check(K, "a bound that the caller relies on");
    }

    /// `other` in the lanes of `mask`, `self` in the others. Below the weaker of both bounds.
    #[inline(always)]
    pub fn select(self, other: Self, mask: Mask) -> Self {
        let mut limbs = self.limbs;
        each!(i in 0..L => {
            limbs[i] = limbs[i].select(other.limbs[i], mask);
        });
        Self::new(limbs, self.bound.or(other.bound))
    }

    /// The element of lane `(i + by) mod 8` in lane i: to combine what lanes hold.
    #[inline(always)]
    pub fn rotate(self, by: usize) -> Self {
        let mut limbs = self.limbs;
        each!(i in 0..L => {
            limbs[i] = limbs[i].rotate(by);
        });
        Self::new(limbs, self.bound)
    }

    /// `2·self`. Below the double bound.
    #[inline(always)]
    pub fn double(self) -> Self {
        self + self
    }

    /// `self - other + K·p`, for `other` below `K·p`. Below the bound of `self` plus `K·p`.
    #[inline(always)]
    pub fn minus<const K: u64>(self, other: Self) -> Self {
        (self.sum() - other).carry::<K>()
    }

    /// `K·p - self`, for `self` below `K·p`. Below `(K + 1)·p`: zero becomes `K·p`.
    #[inline(always)]
    pub fn negate<const K: u64>(self) -> Self {
        Self::zero(self.cpu()).minus::<K>(self)
    }

    /// `-self + K·p` in the lanes of `mask`, `self` in the others, for `self` below `K·p`.
    #[inline(always)]
    pub fn negate_where<const K: u64>(self, mask: Mask) -> Self {
        self.select(self.negate::<K>(), mask)
    }

    /// Debug builds panic unless all limbs are below 2^52 and all numbers below the bound.
    #[inline(always)]
    fn verified(self) -> Self {
        #[cfg(debug_assertions)]
        {
            let mut block = Block::ZERO;
            self.store_block(&mut block);
            self.bound.verify(&block, P::MODULUS);
        }
        self
    }
}

impl<P: Prime<L>, V: Vector, const L: usize> Add for Lanes<P, V, L> {
    type Output = Self;

    /// The sum, below the sum of the bounds.
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        (self.sum() + other).carry::<0>()
    }
}

impl<P: Prime<L>, V: Vector, const L: usize> Mul for Lanes<P, V, L> {
    type Output = Self;

    /// The Montgomery product `self·other/R`, for factors whose bounds have a product up to the headroom. Below `2p`.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::sum_of_products([self], [other])
    }
}

/// The same limbs in every lane.
#[inline(always)]
fn splat<V: Vector, const L: usize>(cpu: V::Cpu, limbs: &[u64; L]) -> [V; L] {
    let mut vectors = [V::splat(cpu, 0); L];
    each!(i in 0..L => {
        vectors[i] = V::splat(cpu, limbs[i]);
    });
    vectors
}

apart! {
/// Moves what is above 52 bits of each limb, seen as a signed number, to the next limb; the last limb keeps everything.
///
/// The limbs may be any of absolute value below 2^62. If the number is in `0..R`, all limbs are below 2^52 after it.
fn carry[V: Vector, const L: usize](limbs: [V; L]) -> [V; L] {
    let cpu = limbs[0].cpu();
    let mask = V::splat(cpu, MASK_52);
    let mut carried = limbs;
    each!(i in 0..L - 1 => {
        if const { V::PAIRED } {
            // No signed shift there: 2^62 more, of which the next limb has 2^10 too much.
            let above = if i == 0 { 1 << 62 } else { (1 << 62) - (1 << 10) };
            carried[i] = carried[i].add(V::splat(cpu, above));
            carried[i + 1] = carried[i + 1].add(carried[i].shr(52));
            if i + 2 == L {
                carried[i + 1] = carried[i + 1].sub(V::splat(cpu, 1 << 10));
            }
        } else {
            carried[i + 1] = carried[i + 1].add(carried[i].sar(52));
        }
        carried[i] = carried[i].and(mask);
    });
    carried
}
}
