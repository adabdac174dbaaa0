//! Elements in vector lanes, eight at a time: between slices of a field's elements and `frumious_simd::Lanes`.
//!
//! A batch algorithm asks for the [`active`] unit once; with it it runs its kernel in lanes, without it the scalar
//! twin:
//!
//! ```
//! use frumious_field::{WordField, lanes};
//! use frumious_simd::{Kernel, Vector};
//!
//! struct Squares<'a, F>(&'a mut [[F; 8]]);
//! impl<F: WordField> Kernel for Squares<'_, F> {
//!     type Output = ();
//!     #[inline(always)]
//!     fn run<V: Vector>(self, cpu: V::Cpu) {
//!         for eight in self.0 {
//!             // Packed elements come in below 16p: one squaring brings them below 2p.
//!             let root = lanes::load::<F, V>(cpu, eight).reduce_weakly();
//!             lanes::store(root.square(), eight);
//!         }
//!     }
//! }
//!
//! fn square_all<F: WordField>(values: &mut [[F; 8]]) {
//!     match lanes::active() {
//!         Some(unit) => unit.run(Squares(values)),
//!         None => values.iter_mut().flatten().for_each(|value| *value = value.square()),
//!     }
//! }
//! ```

use crate::{Integer, PackedWords, WordField};
/// The vector unit in use, if one is: to be asked for once a batch.
pub use frumious_limbs::backend::lanes as active;
use frumious_simd::{LANES, Lanes, Vector};

/// Eight elements of a field of four words.
pub type Lanes5<F, V> = Lanes<F, V, 5>;

/// Eight elements of a field of six words.
pub type Lanes8<F, V> = Lanes<F, V, 8>;

/// Eight elements into lanes. Below `16p`: multiply by what is below `2p`, or `reduce_weakly` first.
#[inline(always)]
pub fn load<F: WordField, V: Vector>(cpu: V::Cpu, elements: &[F; LANES]) -> Lanes5<F, V> {
    Lanes::load_packed(cpu, rows(elements))
}

/// Eight reduced elements out of lanes, for values below `16p`.
#[inline(always)]
pub fn store<F: WordField, V: Vector>(lanes: Lanes5<F, V>, elements: &mut [F; LANES]) {
    lanes.store_packed(rows_mut(elements));
}

/// The words of eight elements, as rows for `Lanes`.
#[inline(always)]
pub fn rows<F: PackedWords<W>, const W: usize>(elements: &[F; LANES]) -> [&[u64; W]; LANES] {
    let [e0, e1, e2, e3, e4, e5, e6, e7] = elements; // by name: `array::map` leaves a call
    [
        e0.as_words(),
        e1.as_words(),
        e2.as_words(),
        e3.as_words(),
        e4.as_words(),
        e5.as_words(),
        e6.as_words(),
        e7.as_words(),
    ]
}

/// The words of eight elements, to be written by `Lanes`.
#[inline(always)]
pub fn rows_mut<F: PackedWords<W>, const W: usize>(
    elements: &mut [F; LANES],
) -> [&mut [u64; W]; LANES] {
    let [e0, e1, e2, e3, e4, e5, e6, e7] = elements;
    [
        e0.as_words_mut(),
        e1.as_words_mut(),
        e2.as_words_mut(),
        e3.as_words_mut(),
        e4.as_words_mut(),
        e5.as_words_mut(),
        e6.as_words_mut(),
        e7.as_words_mut(),
    ]
}

/// The words of eight integers, to be written by `Lanes` with numbers below the modulus.
#[inline(always)]
pub(crate) fn integers_mut<F>(integers: &mut [Integer<F>; LANES]) -> [&mut [u64; 4]; LANES] {
    let [e0, e1, e2, e3, e4, e5, e6, e7] = integers;
    [
        e0.words_mut(),
        e1.words_mut(),
        e2.words_mut(),
        e3.words_mut(),
        e4.words_mut(),
        e5.words_mut(),
        e6.words_mut(),
        e7.words_mut(),
    ]
}
