//! A proving key of either curve.

use std::path::{Path, PathBuf};

use frumious_curves::PairingCurve;
use frumious_groth16::{ProveOptions, ProvingEngine, ProvingKey, Uncontributed, Witness};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::KeyFile;
use frumious_snarkjs::groth16::{check_digests, check_key, key_kind, proving_key};

use crate::curve::{self, Bls12_381, Bn254};
use crate::failure::{About, Code, Failure};
use crate::files::streams;
use crate::kind::{HEAD_BYTES, Kind};
use crate::over_curve;
use crate::places::Role;

/// A proving key, mapped, checked and ready for any number of proofs.
pub enum AnyKey {
    /// Over BN254.
    Bn254(Box<Key<Bn254>>),
    /// Over BLS12-381.
    Bls12_381(Box<Key<Bls12_381>>),
}

/// A proving key over one curve, with its file.
pub struct Key<E: ProvingEngine> {
    path: PathBuf,
    file: KeyFile<E>,
    proving: ProvingKey<E>,
}

/// The file of a proving key, whose curve is known and whose contents are not looked at yet.
pub struct KeyBytes {
    path: PathBuf,
    bytes: FileBytes,
    curve: PairingCurve,
}

impl KeyBytes {
    /// Maps the key at `path`, a `.zkey` or an `.fkey`.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 for a file that cannot be mapped, or is no proving key over a known curve.
    pub fn map(path: &Path) -> Result<Self, Failure> {
        Self::of(streams::map(path)?, path)
    }

    /// The key that these bytes are. `name` is for messages.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 if they are no proving key over a known curve. It names the kind that they are of.
    pub fn of(bytes: FileBytes, name: &Path) -> Result<Self, Failure> {
        let curve = curve::of(key_kind(&bytes), &bytes, name)
            .map_err(|failure| another_kind(&bytes, name).unwrap_or(failure))?;
        Ok(Self {
            path: name.to_owned(),
            bytes,
            curve,
        })
    }

    /// The curve.
    pub fn curve(&self) -> PairingCurve {
        self.curve
    }

    /// Makes sure that any later change of the file is noticed: [`FileBytes::settle`].
    pub fn settle(&self) {
        self.bytes.settle();
    }

    /// Checks and prepares the key.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 with the place of the first fault.
    pub fn open(self) -> Result<AnyKey, Failure> {
        Ok(match self.curve {
            PairingCurve::Bn254 => AnyKey::Bn254(Box::new(Key::new(self)?)),
            PairingCurve::Bls12_381 => AnyKey::Bls12_381(Box::new(Key::new(self)?)),
        })
    }
}

impl<E: ProvingEngine> Key<E> {
    fn new(key: KeyBytes) -> Result<Self, Failure> {
        let KeyBytes { path, bytes, .. } = key;
        let file = KeyFile::<E>::from_bytes(bytes).about(&path)?;
        let proving = proving_key(file.clone()).about(&path)?;
        Ok(Self {
            path,
            file,
            proving,
        })
    }

    /// The path it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file.
    pub fn file(&self) -> &KeyFile<E> {
        &self.file
    }

    /// The key to prove with.
    pub fn proving(&self) -> &ProvingKey<E> {
        &self.proving
    }

    /// The full check of the key, and of the digests that its container has.
    ///
    /// # Errors
    /// As [`Key::check`].
    pub fn check_whole(&self) -> Result<(), Failure> {
        check_digests(&self.file).about(&self.path)?;
        self.check()
    }

    /// The full check of the key.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 with the place of the first fault.
    pub fn check(&self) -> Result<(), Failure> {
        check_key(&self.file).about(&self.path)
    }
}

/// The key of one curve within an [`AnyKey`].
macro_rules! with_key {
    ($any:expr, $key:ident => $body:expr) => {
        match $any {
            AnyKey::Bn254($key) => $body,
            AnyKey::Bls12_381($key) => $body,
        }
    };
}

impl AnyKey {
    /// Maps, checks and prepares the key at `path`.
    ///
    /// # Errors
    /// As [`KeyBytes::map`] and [`KeyBytes::open`].
    pub fn open(path: &Path) -> Result<Self, Failure> {
        KeyBytes::map(path)?.open()
    }

    /// The curve.
    pub fn curve(&self) -> PairingCurve {
        match self {
            Self::Bn254(_) => PairingCurve::Bn254,
            Self::Bls12_381(_) => PairingCurve::Bls12_381,
        }
    }

    /// The path it was opened by.
    pub fn path(&self) -> &Path {
        with_key!(self, key => key.path())
    }

    /// The full check of the key.
    ///
    /// # Errors
    /// As [`Key::check`].
    pub fn check(&self) -> Result<(), Failure> {
        with_key!(self, key => key.check())
    }

    /// The full check of the key, and of the digests that its container has.
    ///
    /// # Errors
    /// As [`Key::check`].
    pub fn check_whole(&self) -> Result<(), Failure> {
        with_key!(self, key => key.check_whole())
    }

    /// The phase of the ceremony that nobody contributed to, if there is one.
    pub fn missing_contribution(&self) -> Option<Uncontributed> {
        with_key!(self, key => key.proving().verifying_key().missing_contribution())
    }

    /// Number of wires, the constant one included.
    pub fn n_wires(&self) -> usize {
        with_key!(self, key => key.proving().n_wires())
    }

    /// Number of public signals.
    pub fn n_public(&self) -> usize {
        with_key!(self, key => key.proving().n_public())
    }

    /// Size of the evaluation domain.
    pub fn domain_size(&self) -> usize {
        with_key!(self, key => key.proving().domain_size())
    }

    /// Private memory in bytes that a proof takes, whose witness is in memory, too.
    pub fn predicted_memory(&self) -> u64 {
        let witness = VALUE_BYTES * self.n_wires() as u64;
        let options = ProveOptions::default(); // without a limit, which could be too little
        let memory =
            with_key!(self, key => key.proving().memory(&Witness::from_le_bytes(&[]), &options));
        witness + memory.map_or(0, |memory| memory.private)
    }
}

/// Bytes of a value of a witness.
const VALUE_BYTES: u64 = 32;

/// The failure of bytes that are known to be no key.
fn another_kind(bytes: &[u8], name: &Path) -> Option<Failure> {
    let kind = Kind::of_bytes(&bytes[..bytes.len().min(HEAD_BYTES as usize)]);
    if kind.is_unknown() || Role::Key.accepts(kind) {
        return None;
    }
    let message = format!(
        "{} is {}; {}",
        name.display(),
        kind.name(),
        Role::Key.expected()
    );
    Some(Failure::new(Code::WrongKind, message))
}

/// The missing contribution of a key whose points are not looked at.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a malformed header.
pub fn missing_contribution(key: KeyBytes) -> Result<Option<Uncontributed>, Failure> {
    let KeyBytes { path, bytes, curve } = key;
    over_curve!(curve, E => {
        let file = KeyFile::<E>::from_bytes(bytes).about(&path)?;
        Ok(file.header().missing_contribution())
    })
}
