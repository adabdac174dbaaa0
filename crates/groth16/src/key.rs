//! The proving key: a zkey or an fkey, mapped or in memory, with what every proof needs worked out once.

mod points;
mod rows;
mod windows;

pub use points::check_digests;
pub(crate) use points::{check_in_ranges, encoded};
pub(crate) use rows::Rows;
pub(crate) use windows::{RECORDS as WINDOW_RECORDS, Windows, first_window};

use crate::{Error, PreparedVerifyingKey, ProvingEngine};
use frumious_circom::generic::{KeyFile, VerifyingKey, Zkey};
use frumious_curves::Bn254;
use frumious_curves::engine::ScalarField;
use frumious_fft::Domain;
use frumious_field::PrimeField;

/// A proving key, ready for any number of proofs, also at once from several threads.
///
/// The key's points and coefficients stay where the [`KeyFile`] has them (mapped or in memory) and are decoded as they are
/// used; besides, a key holds the twiddle factors of its domain and, only if the file's coefficients are not sorted by
/// row, four bytes for each of them.
pub struct ProvingKey<E: ProvingEngine = Bn254> {
    file: KeyFile<E>,
    verifying_key: VerifyingKey<E>,
    prepared: PreparedVerifyingKey<E>,
    domain: Domain<E::Fr>,
    rows: Rows,
}

impl<E: ProvingEngine> ProvingKey<E> {
    /// Checks and indexes `zkey`, as [`from_file`](Self::from_file) does.
    pub fn new(zkey: Zkey<E>) -> Result<Self, Error> {
        Self::from_file(zkey.into())
    }

    /// Checks and indexes the key in `file`.
    ///
    /// Checked here, in parallel: every coefficient record (matrix, row, wire and value in range) and that every
    /// coordinate of every point is below the modulus. That points lie on their curve is left to [`check`](Self::check):
    /// a proof made of other points is outside its groups or does not verify, and is not returned. So are the checksums of an fkey; they are looked at, too, if a proof does
    /// not verify, to tell a corrupt key from a wrong witness.
    ///
    /// Errors: [`Error::Format`] naming the section and byte offset of the first fault found.
    pub fn from_file(file: KeyFile<E>) -> Result<Self, Error> {
        points::check_canonical(&file)?;
        let rows = Rows::index(file.bytes(), &file.coefficients())?;
        let log_n = file.header().log_domain_size();
        let domain = snarkjs_domain(log_n).ok_or(Error::CircuitTooLarge {
            needed: log_n,
            available: E::Fr::TWO_ADICITY,
        })?;
        let verifying_key = file.verifying_key()?;
        let prepared = PreparedVerifyingKey::new(&verifying_key)?;
        Ok(Self {
            file,
            verifying_key,
            prepared,
            domain,
            rows,
        })
    }

    /// The full check of the key, in parallel: every point on its curve, points of G2 in the subgroup of order r, and
    /// sections B1 and B2 at infinity for the same wires; and the checksums of an fkey. To be done once for a key from elsewhere.
    ///
    /// This does not show that the key belongs to a circuit: for that a ceremony's transcript is needed.
    pub fn check(&self) -> Result<(), Error> {
        points::check_digests(&self.file)?;
        points::check_groups(&self.file)
    }

    /// The key to verify proofs with.
    pub fn verifying_key(&self) -> &VerifyingKey<E> {
        &self.verifying_key
    }

    /// Whether a phase of the ceremony lacks every contribution, so that anyone can forge proofs under the key:
    /// see [`VerifyingKey::missing_contribution`].
    pub fn lacks_contribution(&self) -> bool {
        self.verifying_key.lacks_contribution()
    }

    /// The same, prepared.
    pub fn prepared_verifying_key(&self) -> &PreparedVerifyingKey<E> {
        &self.prepared
    }

    /// The file behind the key.
    pub fn file(&self) -> &KeyFile<E> {
        &self.file
    }

    /// Number of wires, the constant one included: the length of a witness.
    pub fn num_vars(&self) -> usize {
        self.file.header().n_vars as usize
    }

    /// Number of public signals, the constant one not included.
    pub fn num_public(&self) -> usize {
        self.file.header().n_public as usize
    }

    /// Size of the evaluation domain, a power of two.
    pub fn domain_size(&self) -> usize {
        self.domain.size()
    }

    /// Number of non-zero coefficients of A and B together.
    pub fn num_coefficients(&self) -> usize {
        self.file.coefficients().len()
    }

    pub(crate) fn domain(&self) -> &Domain<E::Fr> {
        &self.domain
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }
}

/// The domain of 2^`log_n` elements over the roots of unity of snarkjs, if the field has so many.
pub(crate) fn snarkjs_domain<F: ScalarField>(log_n: u32) -> Option<Domain<F>> {
    Domain::with_root_of_unity(F::NONRESIDUE_ROOT, log_n).ok()
}
