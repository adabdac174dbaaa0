//! A reader of JSON text that keeps no tree of it and names the path of what is wrong.
//!
//! Elements and entries are handed on one by one as they are met, with their text. So memory is what the caller keeps,
//! and a list that is too long is refused at its first element too many. The text of a value is looked at once for each
//! level above it, and formats here have four. Depth is no danger: nothing recurses that the format does not ask for.

mod error;
mod leaves;
mod walk;

use std::fmt;

use serde_json::value::RawValue;

pub use error::{Error, Problem};
pub use leaves::{hexadecimal, to_hexadecimal};

/// A value by its text, with its path from the root.
#[derive(Clone, Copy)]
pub struct Node<'t, 'p> {
    text: &'t str,
    path: Path<'p>,
}

/// Steps from the root, last step first.
#[derive(Clone, Copy)]
struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

/// The kind of a value, by its first character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Object,
    Array,
    Text,
    Number,
    /// true, false, null
    Word,
}

impl Kind {
    /// By the first character that is not blank; none at the end of an array.
    fn of(text: &str) -> Option<Self> {
        match text.trim_ascii_start().bytes().next()? {
            b'{' => Some(Self::Object),
            b'[' => Some(Self::Array),
            b'"' => Some(Self::Text),
            b'-' | b'0'..=b'9' => Some(Self::Number),
            b']' => None,
            _ => Some(Self::Word),
        }
    }
}

impl<'t, 'p> Node<'t, 'p> {
    /// The value of a whole document.
    pub fn root(text: &'t str) -> Result<Self, Error> {
        // A byte order mark is not JSON, but Windows editors leave one.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let path = Path {
            parent: None,
            step: Step::Root,
        };
        match serde_json::from_str::<&RawValue>(text) {
            Ok(raw) => Ok(Self {
                text: raw.get(),
                path,
            }),
            Err(error) => Err(path.error(Problem::Syntax(error.to_string()))),
        }
    }

    /// A broken rule at this value.
    pub fn error(&self, problem: Problem) -> Error {
        self.path.error(problem)
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        Kind::of(self.text).unwrap_or(Kind::Word)
    }

    /// The kind of this array's first element; none for an empty one, and for no array.
    pub fn first_kind(&self) -> Option<Kind> {
        Kind::of(self.text.strip_prefix('[')?)
    }

    /// The text of the value.
    pub fn json(&self) -> &'t str {
        self.text
    }

    /// Calls `read` on each element of this array of at most `most`, in order.
    pub fn elements<T>(
        &self,
        most: usize,
        mut read: impl FnMut(Node<'t, '_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        if self.kind() != Kind::Array {
            return Err(self.error(Problem::Expected("an array")));
        }
        let mut values = Vec::new();
        self.walk(|index, _, text| {
            let path = Path {
                parent: Some(&self.path),
                step: Step::Index(index),
            };
            if index == most {
                return Err(path.error(Problem::TooMany { most }));
            }
            values.push(read(Node { text, path })?);
            Ok(())
        })?;
        Ok(values)
    }

    /// Calls `read` on each entry of this object of at most `most`, in order. Keys may repeat.
    pub fn entries(
        &self,
        most: usize,
        mut read: impl FnMut(&str, Node<'t, '_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.kind() != Kind::Object {
            return Err(self.error(Problem::Expected("an object")));
        }
        self.walk(|index, key, text| {
            let path = Path {
                parent: Some(&self.path),
                step: Step::Key(key),
            };
            if index == most {
                return Err(path.error(Problem::TooMany { most }));
            }
            read(key, Node { text, path })
        })
    }

    /// The values of these keys in this object, which must have no other.
    pub fn fields<const N: usize>(
        &self,
        keys: [&'static str; N],
    ) -> Result<[Option<Node<'t, '_>>; N], Error> {
        let mut texts = [None; N];
        self.entries(N, |key, value| {
            let index = keys.iter().position(|known| *known == key);
            let index = index.ok_or_else(|| value.error(Problem::UnknownKey))?;
            match texts[index].replace(value.text) {
                None => Ok(()),
                Some(_) => Err(value.error(Problem::Repeated)),
            }
        })?;
        Ok(std::array::from_fn(|i| {
            texts[i].map(|text| Node {
                text,
                path: Path {
                    parent: Some(&self.path),
                    step: Step::Key(keys[i]),
                },
            })
        }))
    }

    /// The value of `key`, or the failure that it is missing.
    pub fn needed<'n>(
        &self,
        key: &'static str,
        field: Option<Node<'t, 'n>>,
    ) -> Result<Node<'t, 'n>, Error> {
        field.ok_or_else(|| {
            let path = Path {
                parent: Some(&self.path),
                step: Step::Key(key),
            };
            path.error(Problem::Expected("this key, which is missing"))
        })
    }

    /// The value of `key` in this object, whatever else there is.
    pub fn find(&self, key: &'static str) -> Result<Option<Node<'t, '_>>, Error> {
        let mut found = None;
        self.entries(usize::MAX, |name, value| {
            if name != key {
                return Ok(());
            }
            match found.replace(value.text) {
                None => Ok(()),
                Some(_) => Err(value.error(Problem::Repeated)),
            }
        })?;
        Ok(found.map(|text| Node {
            text,
            path: Path {
                parent: Some(&self.path),
                step: Step::Key(key),
            },
        }))
    }
}

impl Path<'_> {
    fn error(&self, problem: Problem) -> Error {
        Error {
            path: self.to_string(),
            problem,
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            Step::Root => f.write_str("$"),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Key(key) => match key.char_indices().nth(LONGEST_KEY_CHARS) {
                None => write!(f, ".{}", key.escape_debug()),
                Some((end, _)) => write!(f, ".{}…", key[..end].escape_debug()),
            },
        }
    }
}

/// Of a key that is longer, only the beginning is shown.
const LONGEST_KEY_CHARS: usize = 80;
