//! Reads a JSON document, and names the path of what is wrong in it.

use super::tree::Tree;
use frumious_circom::{Error, FileKind, Problem};
use frumious_curves::EncodingError;
use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_field::Field;

/// A parsed document.
pub(crate) struct Document {
    file: FileKind,
    value: Tree,
}

/// A value in a document, with its path from the root.
pub(crate) struct Node<'a> {
    file: FileKind,
    value: &'a Tree,
    path: String,
}

impl Document {
    /// Parses the text. Nesting is limited by `serde_json` (to 128), memory to 40 times the text's length.
    pub(crate) fn parse(file: FileKind, json: &[u8]) -> Result<Self, Error> {
        // A byte order mark is not JSON, but Windows editors leave one.
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        match serde_json::from_slice(json) {
            Ok(value) => Ok(Self { file, value }),
            Err(error) => Err(Error::json(file, "$", syntax(&error))),
        }
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.node("$")
    }

    /// The value, which has this path.
    pub(crate) fn node(&self, path: &str) -> Node<'_> {
        Node {
            file: self.file,
            value: &self.value,
            path: path.into(),
        }
    }
}

impl<'a> Node<'a> {
    /// A broken rule at this value.
    pub(crate) fn error(&self, problem: Problem) -> Error {
        Error::json(self.file, self.path.as_str(), problem)
    }

    /// The value of `key` in this object.
    pub(crate) fn key(&self, key: &str) -> Result<Node<'a>, Error> {
        self.optional_key(key)?.ok_or_else(|| {
            let path = format!("{}.{key}", self.path);
            Error::json(
                self.file,
                path,
                Problem::Expected("this key, which is missing"),
            )
        })
    }

    /// The value of `key` in this object, if there is one.
    pub(crate) fn optional_key(&self, key: &str) -> Result<Option<Node<'a>>, Error> {
        if !matches!(self.value, Tree::Object(_)) {
            return Err(self.error(Problem::Expected("an object")));
        }
        Ok(self.value.get(key).map(|value| Node {
            file: self.file,
            value,
            path: format!("{}.{key}", self.path),
        }))
    }

    /// The elements of this array.
    pub(crate) fn elements(&self) -> Result<impl ExactSizeIterator<Item = Node<'a>>, Error> {
        let Tree::Array(array) = self.value else {
            return Err(self.error(Problem::Expected("an array")));
        };
        Ok(array.iter().enumerate().map(|(index, value)| Node {
            file: self.file,
            value,
            path: format!("{}[{index}]", self.path),
        }))
    }

    /// The `N` elements of this array, `what` in the error.
    fn tuple<const N: usize>(&self, what: &'static str) -> Result<[Node<'a>; N], Error> {
        let elements: Vec<Node<'a>> = match self.value {
            Tree::Array(array) if array.len() == N => self.elements()?.collect(),
            _ => return Err(self.error(Problem::Expected(what))),
        };
        Ok(elements.try_into().ok().expect("the length was checked"))
    }

    /// Nothing.
    ///
    /// # Errors
    /// Any value but null.
    pub(crate) fn null(&self) -> Result<(), Error> {
        match self.value {
            Tree::Null => Ok(()),
            _ => Err(self.error(Problem::Expected("null"))),
        }
    }

    /// This string.
    pub(crate) fn text(&self) -> Result<&'a str, Error> {
        match self.value {
            Tree::Text(text) => Ok(text),
            _ => Err(self.error(Problem::Expected("a string"))),
        }
    }

    /// This number, a JSON number, not a string.
    pub(crate) fn integer(&self) -> Result<u64, Error> {
        match self.value {
            Tree::Number(number) => Ok(*number),
            _ => Err(self.error(Problem::Expected("a whole number"))),
        }
    }

    /// This decimal string as an element of a field.
    pub(crate) fn number<F: ResidueField>(&self) -> Result<F, Error> {
        F::from_decimal_vartime(self.decimal()?).ok_or_else(|| self.error(Problem::NotCanonical))
    }

    /// The elements of a coordinate: a number in G1, an array of two in G2.
    fn coordinate<P: PairingGroup<Base: ResidueField>>(&self) -> Result<Vec<P::Base>, Error> {
        if P::DEGREE == 1 {
            return Ok(vec![self.number()?]);
        }
        let [c0, c1] = self.tuple("an array of two numbers")?;
        Ok(vec![c0.number()?, c1.number()?])
    }

    /// This point, checked.
    pub(crate) fn point<P: PairingGroup<Base: ResidueField>>(&self) -> Result<P, Error> {
        self.point_by(P::from_coefficients)
    }

    /// This point on its curve, whose group nobody looked at.
    pub(crate) fn point_on_curve<P: PairingGroup<Base: ResidueField>>(&self) -> Result<P, Error> {
        self.point_by(P::from_coefficients_on_curve)
    }

    fn point_by<P: PairingGroup<Base: ResidueField>>(
        &self,
        from_coefficients: fn(&[P::Base]) -> Result<P, EncodingError>,
    ) -> Result<P, Error> {
        let [in_g1, in_g2] = [
            "a point: an array of three numbers",
            "a point: an array of three pairs of numbers",
        ];
        let [x, y, z] = self.tuple(if P::DEGREE == 1 { in_g1 } else { in_g2 })?;
        let x = x.coordinate::<P>()?;
        let y = y.coordinate::<P>()?;
        let z = z.coordinate::<P>()?;
        let is = |coordinate: &[P::Base], constant: P::Base| {
            coordinate[0] == constant && coordinate[1..].iter().all(|c| *c == P::Base::ZERO)
        };
        let (zero, one) = (P::Base::ZERO, P::Base::ONE);
        if is(&x, zero) && is(&y, one) && is(&z, zero) {
            return Ok(P::default());
        }
        if !is(&z, one) {
            return Err(self.error(Problem::Expected(if P::DEGREE == 1 {
                "an affine point, whose third number is 1"
            } else {
                "an affine point, whose third pair is 1, 0"
            })));
        }
        // In memory (0, 0) is infinity, in JSON it is a point off the curve.
        let point = if is(&x, zero) && is(&y, zero) {
            Err(EncodingError::NotOnCurve)
        } else {
            from_coefficients(&[x, y].concat())
        };
        point.map_err(|reason| self.error(Problem::Point(reason)))
    }

    /// This point, checked, and not at infinity.
    pub(crate) fn finite_point<P: PairingGroup<Base: ResidueField>>(&self) -> Result<P, Error> {
        let point: P = self.point()?;
        if point == P::default() {
            return Err(self.error(Problem::Infinity));
        }
        Ok(point)
    }

    /// This string, of decimal digits without leading zeros.
    fn decimal(&self) -> Result<&'a str, Error> {
        match self.value {
            Tree::Text(text) if is_decimal(text) => Ok(text),
            _ => Err(self.error(Problem::Expected("a string of decimal digits"))),
        }
    }
}

/// A broken rule of JSON. serde_json quotes a string of the wrong type as a whole, whatever its length.
pub(super) fn syntax(error: &serde_json::Error) -> Problem {
    let text = error.to_string();
    Problem::Syntax(match text.char_indices().nth(LONGEST_MESSAGE) {
        None => text,
        Some((end, _)) => {
            let (line, column) = (error.line(), error.column());
            format!("{}… at line {line} column {column}", &text[..end])
        }
    })
}

/// Characters.
const LONGEST_MESSAGE: usize = 200;

fn is_decimal(text: &str) -> bool {
    let has_leading_zero = text.len() > 1 && text.starts_with('0');
    !text.is_empty() && !has_leading_zero && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn long_strings_are_not_told_whole() {
        let text = format!("\n\"{}\"", "x".repeat(100_000));
        let error = serde_json::from_str::<u32>(&text).unwrap_err();
        let Problem::Syntax(told) = syntax(&error) else {
            panic!("{error}");
        };
        assert!(told.starts_with("invalid type: string \"xxx"), "{told}");
        assert!(
            told.ends_with("x… at line 2 column 100002") && told.len() < 300,
            "{told}"
        );
    }
}
