//! The witness: a value for each wire.

use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use std::ops::Range;
use zeroize::Zeroizing;

/// The values of all wires, borrowed; the first is 1.
///
/// Whoever owns them wipes them.
#[derive(Clone, Copy)]
pub struct Witness<'a, F> {
    values: Values<'a, F>,
}

/// Where the values are.
#[derive(Clone, Copy)]
enum Values<'a, F> {
    Integers(&'a [Integer<F>]),
    Encoded(&'a [[u8; 32]]),
}

impl<'a, F: ScalarField> Witness<'a, F> {
    /// Values in memory.
    pub fn new(values: &'a [Integer<F>]) -> Self {
        Self {
            values: Values::Integers(values),
        }
    }

    /// Values as 32 bytes each, the least significant first, at any alignment: those of a mapped file.
    ///
    /// They are copied a window at a time. A value that is not below r counts as zero: then the proof is false.
    pub fn from_le_bytes(values: &'a [[u8; 32]]) -> Self {
        Self {
            values: Values::Encoded(values),
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        match self.values {
            Values::Integers(values) => values.len(),
            Values::Encoded(values) => values.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if the prover copies the values.
    pub(crate) fn is_copied(&self) -> bool {
        matches!(self.values, Values::Encoded(_))
    }

    /// Value `index`.
    ///
    /// # Panics
    /// When `index >= len`.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> Integer<F> {
        match self.values {
            Values::Integers(values) => values[index],
            Values::Encoded(values) => decode(&values[index]),
        }
    }

    /// The values `range`, copied into `buffer` if they are not in memory; whoever owns `buffer` wipes it.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    pub(crate) fn chunk<'b>(
        &'b self,
        range: Range<usize>,
        buffer: &'b mut Zeroizing<Vec<Integer<F>>>,
    ) -> &'b [Integer<F>] {
        match self.values {
            Values::Integers(values) => &values[range],
            Values::Encoded(values) => {
                buffer.clear();
                buffer.reserve_exact(range.len()); // at once: a reallocation would leave a copy behind
                buffer.extend(values[range].iter().map(decode));
                buffer
            }
        }
    }

    /// The public signals: values 1 to `n_public`. `None` when the witness has too few values.
    pub(crate) fn public(&self, n_public: usize) -> Option<Vec<F>> {
        let end = n_public.checked_add(1)?;
        (end <= self.len()).then(|| {
            let public = (1..end).map(|index| self.get(index).to_element());
            public.collect()
        })
    }
}

/// The value of 32 bytes if it is below r, or zero.
#[inline(always)]
fn decode<F: ScalarField>(bytes: &[u8; 32]) -> Integer<F> {
    let (words, _) = bytes.as_chunks::<8>();
    let words = std::array::from_fn(|i| u64::from_le_bytes(words[i]));
    Integer::new_vartime(words).unwrap_or(Integer::ZERO)
}
