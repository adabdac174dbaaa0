//! Files as JavaScript has them: a path, or the content.

use std::path::{Path, PathBuf};

use frumious_app::failure::Failure;
use frumious_app::files::streams;
use frumious_app::key::{AnyKey, KeyBytes};
use frumious_app::witness::AnyWitness;
use frumious_curves::PairingCurve;
use frumious_mapping::FileBytes;
use napi::bindgen_prelude::{Either, Uint8Array};
use zeroize::Zeroizing;

/// What JavaScript gives.
pub type Given = Either<String, Uint8Array>;

/// A file that is read, by this name in messages.
pub enum Source {
    /// Where it is.
    Path(PathBuf),
    /// Its content, copied as it was when the function was called.
    Content(Zeroizing<Vec<u8>>, &'static str),
}

impl Source {
    /// `name` is for messages about content.
    pub fn of(given: Given, name: &'static str) -> Self {
        match given {
            Either::A(path) => Self::Path(path.into()),
            Either::B(content) => Self::Content(Zeroizing::new(content.to_vec()), name),
        }
    }

    /// The path, or the name.
    pub fn name(&self) -> &Path {
        match self {
            Self::Path(path) => path,
            Self::Content(_, name) => Path::new(name),
        }
    }

    /// The content; a file is mapped.
    ///
    /// # Errors
    /// A [`Failure`] for a file that cannot be read.
    pub fn bytes(self) -> Result<FileBytes, Failure> {
        match self {
            Self::Path(path) => streams::map(&path),
            Self::Content(mut content, _) => Ok(std::mem::take(&mut *content).into()),
        }
    }

    /// The proving key.
    ///
    /// # Errors
    /// As [`AnyKey::open`].
    pub fn key(self) -> Result<AnyKey, Failure> {
        let name = self.name().to_owned();
        KeyBytes::of(self.bytes()?, &name)?.open()
    }

    /// The witness over a curve.
    ///
    /// # Errors
    /// As [`AnyWitness::open`].
    pub fn witness(&self, curve: PairingCurve) -> Result<AnyWitness, Failure> {
        match self {
            Self::Path(path) => AnyWitness::open(path, curve),
            Self::Content(content, name) => AnyWitness::of(content, curve, Path::new(name)),
        }
    }
}
