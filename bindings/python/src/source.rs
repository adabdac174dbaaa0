//! Files as Python has them: a path, or the content.

use std::path::{Path, PathBuf};

use frumious_app::failure::Failure;
use frumious_app::files::streams;
use frumious_app::key::{AnyKey, KeyBytes};
use frumious_app::witness::AnyWitness;
use frumious_curves::PairingCurve;
use frumious_mapping::FileBytes;
use pyo3::FromPyObject;
use pyo3::pybacked::PyBackedBytes;

/// A file that is read.
#[derive(FromPyObject)]
pub enum Source {
    /// Its content, which Python keeps.
    #[pyo3(transparent)]
    Content(PyBackedBytes),
    /// The place of it.
    #[pyo3(transparent)]
    Path(PathBuf),
}

impl Source {
    /// The path, or a name for messages about content.
    pub fn name<'a>(&'a self, content: &'a str) -> &'a Path {
        match self {
            Self::Path(path) => path,
            Self::Content(_) => Path::new(content),
        }
    }

    /// The bytes, and a name for messages.
    ///
    /// # Errors
    /// As [`streams::map`].
    pub fn bytes(&self, content: &str) -> Result<(FileBytes, PathBuf), Failure> {
        let bytes = match self {
            Self::Path(path) => streams::map(path)?,
            Self::Content(content) => content.to_vec().into(),
        };
        Ok((bytes, self.name(content).to_owned()))
    }

    /// The proving key.
    ///
    /// # Errors
    /// As [`AnyKey::open`].
    pub fn key(&self) -> Result<AnyKey, Failure> {
        let (bytes, name) = self.bytes("key")?;
        KeyBytes::of(bytes, &name)?.open()
    }

    /// The witness over a curve.
    ///
    /// # Errors
    /// As [`AnyWitness::open`].
    pub fn witness(&self, curve: PairingCurve) -> Result<AnyWitness, Failure> {
        match self {
            Self::Path(path) => AnyWitness::open(path, curve),
            Self::Content(content) => AnyWitness::of(content, curve, self.name("witness")),
        }
    }
}
