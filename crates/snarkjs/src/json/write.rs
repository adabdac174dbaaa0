//! Writes JSON as snarkjs does, which is not with `JSON.stringify` but with the package bfj, `space: 1`.

use std::fmt;

use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_field::Field;

/// A JSON value to be written; keys stay in their order.
pub(crate) enum Layout {
    Object(Vec<(&'static str, Layout)>),
    Array(Vec<Layout>),
    /// A string that needs no escapes.
    Text(String),
    Integer(u64),
}

impl Layout {
    pub(crate) fn object<const N: usize>(entries: [(&'static str, Layout); N]) -> Self {
        Layout::Object(entries.into())
    }

    pub(crate) fn array(elements: impl IntoIterator<Item = Layout>) -> Self {
        Layout::Array(elements.into_iter().collect())
    }

    pub(crate) fn text(text: &str) -> Self {
        Layout::Text(text.into())
    }

    pub(crate) fn number(value: &impl ResidueField) -> Self {
        Layout::Text(value.to_decimal_vartime())
    }

    /// One number, or an array of several.
    pub(crate) fn coordinate<F: ResidueField>(coefficients: &[F]) -> Self {
        match coefficients {
            [number] => Layout::number(number),
            several => Layout::array(several.iter().map(Layout::number)),
        }
    }

    /// Three coordinates, of which the last is 1, or 0 for the point at infinity.
    pub(crate) fn point<P: PairingGroup<Base: ResidueField>>(point: &P) -> Self {
        let constant = |value: P::Base| {
            let mut coordinate = vec![P::Base::ZERO; P::DEGREE];
            coordinate[0] = value;
            coordinate
        };
        let (zero, one) = (constant(P::Base::ZERO), constant(P::Base::ONE));
        let coordinates = if *point == P::default() {
            [zero.clone(), one, zero]
        } else {
            let mut x = point.coefficients();
            let y = x.split_off(P::DEGREE);
            [x, y, one]
        };
        Layout::array(coordinates.iter().map(|c| Layout::coordinate(c)))
    }

    /// Writes the value within others, so many levels deep.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        match self {
            Layout::Object(entries) => {
                write_list(f, depth, ['{', '}'], entries, |f, (key, value)| {
                    write!(f, "\"{key}\": ")?;
                    value.write(f, depth + 1)
                })
            }
            Layout::Array(elements) => write_list(f, depth, ['[', ']'], elements, |f, element| {
                element.write(f, depth + 1)
            }),
            Layout::Text(text) => write!(f, "\"{text}\""),
            Layout::Integer(value) => write!(f, "{value}"),
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

/// The items of a list, each on a line of its own, and the brackets on others, even when the list is empty.
fn write_list<T>(
    f: &mut fmt::Formatter<'_>,
    depth: usize,
    brackets: [char; 2],
    items: &[T],
    write_item: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    write!(f, "{}", brackets[0])?;
    for (index, item) in items.iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        write!(f, "{separator}\n{:1$}", "", depth + 1)?;
        write_item(f, item)?;
    }
    write!(f, "\n{:depth$}", "")?;
    write!(f, "{}", brackets[1])
}
