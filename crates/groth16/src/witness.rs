//! The witness: a value for each wire.

use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use std::ops::Range;
use zeroize::{Zeroize, Zeroizing};

/// The values of all wires, borrowed; the first is 1. Made of a slice, array or vector of field elements or of
/// [`Integer`]s by [`From`], or of [bytes](Self::from_le_bytes).
///
/// Whoever owns them wipes them. Integers are used as they are; elements and bytes are copied a window at a time.
#[derive(Clone, Copy)]
pub struct Witness<'a, F> {
    values: Values<'a, F>,
}

/// Where the values are.
#[derive(Clone, Copy)]
enum Values<'a, F> {
    Integers(&'a [Integer<F>]),
    Elements(&'a [F]),
    Encoded(&'a [[u8; 32]]),
}

impl<'a, F: ScalarField> Witness<'a, F> {
    /// Values in memory: elements or [`Integer`]s.
    pub fn new(values: impl Into<Self>) -> Self {
        values.into()
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
            Values::Elements(values) => values.len(),
            Values::Encoded(values) => values.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if the prover copies the values.
    pub(crate) fn is_copied(&self) -> bool {
        !matches!(self.values, Values::Integers(_))
    }

    /// True for values as bytes, which lie in a file.
    pub(crate) fn is_encoded(&self) -> bool {
        matches!(self.values, Values::Encoded(_))
    }

    /// The values, if they are integers in memory.
    pub(crate) fn integers(&self) -> Option<&'a [Integer<F>]> {
        match self.values {
            Values::Integers(values) => Some(values),
            Values::Elements(_) | Values::Encoded(_) => None,
        }
    }

    /// Value `index`.
    ///
    /// # Panics
    /// When `index >= len`.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> Integer<F> {
        match self.values {
            Values::Integers(values) => values[index],
            Values::Elements(values) => values[index].into(),
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
        if let Values::Integers(values) = self.values {
            return &values[range];
        }
        buffer.clear();
        buffer.reserve_exact(range.len()); // at once: a reallocation would leave a copy behind
        match self.values {
            Values::Encoded(values) => buffer.extend(values[range].iter().map(decode)),
            Values::Elements(values) => {
                buffer.extend(values[range].iter().copied().map(Integer::from));
            }
            Values::Integers(_) => {}
        }
        buffer
    }

    /// The public signals: values 1 to `n_public`. `None` when the witness has too few values.
    pub fn public(&self, n_public: usize) -> Option<Vec<F>> {
        let end = n_public.checked_add(1)?;
        (end <= self.len()).then(|| {
            let public = (1..end).map(|index| self.get(index).to_element());
            public.collect()
        })
    }
}

impl<'a, F> From<&'a [F]> for Witness<'a, F> {
    fn from(values: &'a [F]) -> Self {
        let values = Values::Elements(values);
        Self { values }
    }
}

impl<'a, F> From<&'a [Integer<F>]> for Witness<'a, F> {
    fn from(values: &'a [Integer<F>]) -> Self {
        let values = Values::Integers(values);
        Self { values }
    }
}

/// Gives a container of values what their slice has.
macro_rules! impl_from_container {
    ($value:ty, $container:ty $(, $n:ident)?) => {
        impl<'a, F $(, const $n: usize)?> From<&'a $container> for Witness<'a, F> {
            fn from(values: &'a $container) -> Self {
                let values: &'a [$value] = values;
                values.into()
            }
        }
    };
}

impl_from_container!(F, [F; N], N);
impl_from_container!(F, Vec<F>);
impl_from_container!(Integer<F>, [Integer<F>; N], N);
impl_from_container!(Integer<F>, Vec<Integer<F>>);

impl<'a, F: Copy> From<&Witness<'a, F>> for Witness<'a, F> {
    fn from(witness: &Witness<'a, F>) -> Self {
        *witness
    }
}

impl<'a, F: Zeroize> From<&'a Zeroizing<Vec<F>>> for Witness<'a, F> {
    fn from(values: &'a Zeroizing<Vec<F>>) -> Self {
        let values: &'a Vec<F> = values;
        values.into()
    }
}

/// The value of 32 bytes if it is below r, or zero.
#[inline(always)]
fn decode<F: ScalarField>(bytes: &[u8; 32]) -> Integer<F> {
    let (words, _) = bytes.as_chunks::<8>();
    let words = std::array::from_fn(|i| u64::from_le_bytes(words[i]));
    Integer::new_vartime(words).unwrap_or(Integer::ZERO)
}
