//! The witness: a value for each wire.

use frumious_curves::engine::ScalarField;
use frumious_field::WordField;
use std::marker::PhantomData;
use std::ops::Range;
use zeroize::Zeroizing;

/// The values of all wires, borrowed: plain integers below r, the first of which is 1.
///
/// Whoever owns them wipes them. A value that is not below r counts as zero: then the proof is false, and no fault.
#[derive(Clone, Copy)]
pub struct Witness<'a, F> {
    values: Values<'a>,
    field: PhantomData<fn() -> F>,
}

/// Where the values are.
#[derive(Clone, Copy)]
enum Values<'a> {
    Integers(&'a [[u64; 4]]),
    Encoded(&'a [[u8; 32]]),
}

impl<'a, F: ScalarField> Witness<'a, F> {
    /// Values in memory: words, the least significant first.
    pub fn new(values: &'a [[u64; 4]]) -> Self {
        Self {
            values: Values::Integers(values),
            field: PhantomData,
        }
    }

    /// Values as 32 bytes each, the least significant first, at any alignment: those of a mapped file.
    ///
    /// They are copied a window at a time.
    pub fn from_le_bytes(values: &'a [[u8; 32]]) -> Self {
        Self {
            values: Values::Encoded(values),
            field: PhantomData,
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        match self.values {
            Values::Integers(values) => values.len(),
            Values::Encoded(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether [`chunk`](Self::chunk) copies.
    pub(crate) fn is_copied(&self) -> bool {
        matches!(self.values, Values::Encoded(_))
    }

    /// Value `index`.
    ///
    /// # Panics
    /// When `index >= len`.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> [u64; 4] {
        match self.values {
            Values::Integers(values) => canonical::<F>(values[index]),
            Values::Encoded(values) => decode::<F>(&values[index]),
        }
    }

    /// The values `range`, copied into `buffer` if they are not in memory; whoever owns `buffer` wipes it.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    pub(crate) fn chunk<'b>(
        &'b self,
        range: Range<usize>,
        buffer: &'b mut Zeroizing<Vec<[u64; 4]>>,
    ) -> &'b [[u64; 4]] {
        match self.values {
            Values::Integers(values) => &values[range],
            Values::Encoded(values) => {
                buffer.clear();
                buffer.reserve_exact(range.len()); // at once: a reallocation would leave a copy behind
                buffer.extend(values[range].iter().map(decode::<F>));
                buffer
            }
        }
    }

    /// The public signals: values 1 to `n_public`. `None` when the witness has too few values.
    pub(crate) fn public(&self, n_public: usize) -> Option<Vec<F>> {
        let end = n_public.checked_add(1)?;
        (end <= self.len()).then(|| (1..end).map(|index| self.element(index)).collect())
    }

    fn element(&self, index: usize) -> F {
        F::from_canonical_limbs(self.get(index))
            .into_option()
            .expect("values that are not below r count as zero")
    }
}

#[inline]
fn decode<F: ScalarField>(bytes: &[u8; 32]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    canonical::<F>(std::array::from_fn(|i| u64::from_le_bytes(words[i])))
}

/// The value if it is below r, or zero.
#[inline]
fn canonical<F: ScalarField>(value: [u64; 4]) -> [u64; 4] {
    let modulus = &<F as WordField>::MODULUS_64.p;
    // The highest word decides but for one value in 2^60.
    let is_below = value[3] < modulus[3] || value.iter().rev().lt(modulus.iter().rev());
    match is_below {
        true => value,
        false => [0; 4],
    }
}
