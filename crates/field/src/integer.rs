//! Integers below a modulus, and the forms that words of an element may have.
//!
//! With `R = 2^256`, four words say an element `x` in three ways. Each has a type, so that none is taken for another:
//!
//! | words | type |
//! |---|---|
//! | `x` | [`Integer`]: exponents, scalars of sums over a group, values of a witness |
//! | `x·R` | the element itself, by [`WordField::to_words`] |
//! | `x·R²` | [`TwiceMontgomery`]: coefficients in keys |
//!
//! A Montgomery product of two forms divides by `R`. So `x·R²` times the integer `y` is the element `x·y`, by one
//! product where conversion would take two. This is the one product that is legal between different forms.

use crate::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption, WordField};
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::ops::Mul;
use frumious_limbs::words;
use zeroize::DefaultIsZeroes;

/// An integer below the modulus of `F`: four words of 64 bits, the least significant first, not in Montgomery form.
///
/// ```
/// # mod frumious { pub use ::frumious_field as field; }
/// use frumious::field::{Integer, PrimeField, WordField};
///
/// fn check<F: PrimeField + WordField>() {
///     let five = Integer::from(F::from_u64(5));
///     assert_eq!(five, Integer::from_u64(5));
///     assert_eq!(five.to_element(), F::from_u64(5));
///     assert!(bool::from(Integer::<F>::new(F::MODULUS_64.p).is_none()));
/// }
/// ```
#[repr(transparent)]
pub struct Integer<F> {
    words: [u64; 4],
    field: PhantomData<fn() -> F>,
}

impl<F> Integer<F> {
    /// 0.
    pub const ZERO: Self = Self::from_words_unchecked([0; 4]);
    /// 1.
    pub const ONE: Self = Self::from_words_unchecked([1, 0, 0, 0]);

    /// The integer of these words, which the caller has made sure is below the modulus. Any other leads to wrong
    /// results, to no panic and to no undefined behaviour.
    #[inline(always)]
    pub const fn from_words_unchecked(words: [u64; 4]) -> Self {
        Self {
            words,
            field: PhantomData,
        }
    }

    /// The words, the least significant first.
    #[inline(always)]
    pub const fn words(&self) -> &[u64; 4] {
        &self.words
    }

    /// The words, for kernels: the number that is written must be below the modulus.
    #[inline(always)]
    pub(crate) const fn words_mut(&mut self) -> &mut [u64; 4] {
        &mut self.words
    }
}

impl<F: WordField> Integer<F> {
    /// The integer of these words; none unless it is below the modulus. Time: constant.
    #[inline]
    pub fn new(words: [u64; 4]) -> CtOption<Self> {
        let is_below = words::less_than(&words, &F::MODULUS_64.p);
        CtOption::new(Self::from_words_unchecked(words), is_below)
    }

    /// As [`Integer::new`]; time depends on the words.
    #[inline(always)]
    pub fn new_vartime(words: [u64; 4]) -> Option<Self> {
        let p = &F::MODULUS_64.p;
        // The highest word decides but for one number in 2^60.
        let is_below = words[3] < p[3] || words::less_than_vartime(&words, p);
        is_below.then_some(Self::from_words_unchecked(words))
    }

    /// The integer `value`.
    pub const fn from_u64(value: u64) -> Self {
        const { assert!(F::MODULUS_64.bits > 64) };
        Self::from_words_unchecked([value, 0, 0, 0])
    }

    /// The element. Cost: one product.
    #[inline]
    pub fn to_element(self) -> F {
        let modulus = F::MODULUS_64;
        F::from_words(modulus.mul(&self.words, &modulus.r2))
    }

    /// The integer `element·R mod p`, whose words are those of the element.
    #[inline(always)]
    pub fn montgomery_form(element: F) -> Self {
        Self::from_words_unchecked(element.to_words())
    }

    /// The element `self/R`, the inverse of [`Integer::montgomery_form`].
    #[inline(always)]
    pub fn to_element_of_form(self) -> F {
        F::from_words(self.words)
    }
}

impl<F: WordField> From<F> for Integer<F> {
    #[inline]
    fn from(element: F) -> Self {
        Self::from_words_unchecked(F::MODULUS_64.from_montgomery(element.as_words()))
    }
}

/// `x·R² mod p` for an element `x`: its Montgomery form, taken twice, with `R = 2^256`.
///
/// ```
/// # mod frumious { pub use ::frumious_field as field; }
/// use frumious::field::{Integer, TwiceMontgomery, WordField};
///
/// fn check<F: WordField>(x: F, y: F) {
///     assert_eq!(TwiceMontgomery::from(x) * Integer::from(y), x * y);
/// }
/// ```
#[repr(transparent)]
pub struct TwiceMontgomery<F> {
    words: [u64; 4],
    field: PhantomData<fn() -> F>,
}

impl<F> TwiceMontgomery<F> {
    /// The form whose words are these, which the caller has made sure are below the modulus. Any others lead to wrong
    /// results, to no panic and to no undefined behaviour.
    #[inline(always)]
    pub const fn from_words_unchecked(words: [u64; 4]) -> Self {
        Self {
            words,
            field: PhantomData,
        }
    }

    /// The words, the least significant first.
    #[inline(always)]
    pub const fn words(&self) -> &[u64; 4] {
        &self.words
    }
}

impl<F: WordField> TwiceMontgomery<F> {
    /// The form whose words are these; none unless they are below the modulus. Time: constant.
    #[inline]
    pub fn new(words: [u64; 4]) -> CtOption<Self> {
        let is_below = words::less_than(&words, &F::MODULUS_64.p);
        CtOption::new(Self::from_words_unchecked(words), is_below)
    }

    /// The element `x`. Cost: one product.
    #[inline]
    pub fn to_element(self) -> F {
        self * Integer::ONE
    }

    /// The element `x·R`, whose form this is.
    #[inline(always)]
    pub fn to_element_of_form(self) -> F {
        F::from_words(self.words)
    }
}

impl<F: WordField> From<F> for TwiceMontgomery<F> {
    #[inline]
    fn from(element: F) -> Self {
        let modulus = F::MODULUS_64;
        Self::from_words_unchecked(modulus.mul(element.as_words(), &modulus.r2))
    }
}

impl<F: WordField> From<Integer<F>> for TwiceMontgomery<F> {
    /// By one product with `R³`.
    #[inline]
    fn from(integer: Integer<F>) -> Self {
        let r3 = const { F::MODULUS_64.mul_const(&F::MODULUS_64.r2, &F::MODULUS_64.r2) };
        Self::from_words_unchecked(F::MODULUS_64.mul(&integer.words, &r3))
    }
}

impl<F: WordField> Mul<Integer<F>> for TwiceMontgomery<F> {
    type Output = F;

    /// `x·integer`. Cost: one product.
    #[inline(always)]
    fn mul(self, integer: Integer<F>) -> F {
        F::from_words(F::MODULUS_64.mul(&self.words, &integer.words))
    }
}

/// The traits of plain words, whatever traits `F` has.
macro_rules! impl_words {
    ($type:ident) => {
        impl<F> Clone for $type<F> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<F> Copy for $type<F> {}

        impl<F> Default for $type<F> {
            #[inline(always)]
            fn default() -> Self {
                Self::from_words_unchecked([0; 4])
            }
        }

        impl<F> ConstantTimeEq for $type<F> {
            #[inline]
            fn ct_eq(&self, other: &Self) -> Choice {
                self.words[..].ct_eq(&other.words[..])
            }
        }

        impl<F> ConditionallySelectable for $type<F> {
            #[inline]
            fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
                Self::from_words_unchecked(words::select(&a.words, &b.words, choice))
            }
        }

        impl<F> PartialEq for $type<F> {
            /// In constant time; the result is public.
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                let pairs = self.words.iter().zip(&other.words);
                pairs.fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
            }
        }

        impl<F> Eq for $type<F> {}

        impl<F> Hash for $type<F> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.words.hash(state);
            }
        }

        impl<F> fmt::Debug for $type<F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let [w0, w1, w2, w3] = self.words;
                write!(f, "0x{w3:016x}{w2:016x}{w1:016x}{w0:016x}")
            }
        }

        impl<F> DefaultIsZeroes for $type<F> {}
    };
}

impl_words!(Integer);
impl_words!(TwiceMontgomery);
