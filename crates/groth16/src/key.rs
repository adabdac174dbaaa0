//! The proving key: a zkey, mapped or in memory, with what every proof needs worked out once.

mod points;
mod rows;
mod windows;

pub(crate) use points::{check_in_ranges, encoded};
pub(crate) use rows::Rows;
pub(crate) use windows::{RECORDS as WINDOW_RECORDS, Windows, first_window};

use crate::{Error, PreparedVerifyingKey, ProvingEngine};
use frumious_circom::generic::{VerifyingKey, Zkey};
use frumious_curves::Bn254;
use frumious_curves::engine::ScalarField;
use frumious_fft::Domain;
use frumious_field::PrimeField;

/// A proving key, ready for any number of proofs, also at once from several threads.
///
/// The key's points and coefficients stay where the [`Zkey`] has them (mapped or in memory) and are decoded as they are
/// used; besides, a key holds the twiddle factors of its domain and, only if the file's coefficients are not sorted by
/// row, four bytes for each of them.
pub struct ProvingKey<E: ProvingEngine = Bn254> {
    zkey: Zkey<E>,
    verifying_key: VerifyingKey<E>,
    prepared: PreparedVerifyingKey<E>,
    domain: Domain<E::Fr>,
    rows: Rows,
}

impl<E: ProvingEngine> ProvingKey<E> {
    /// Checks and indexes `zkey`.
    ///
    /// Checked here, in parallel: every coefficient record (matrix, row, wire and value in range) and that every
    /// coordinate of every point is below the modulus. That points lie on their curve is left to [`check`](Self::check):
    /// a proof from a key with other points does not verify, and is not returned.
    ///
    /// Errors: [`Error::Format`] naming the section and byte offset of the first fault found.
    pub fn new(zkey: Zkey<E>) -> Result<Self, Error> {
        points::check_canonical(&zkey)?;
        let rows = Rows::index(zkey.bytes(), &zkey.coefficients())?;
        let log_n = zkey.header().log_domain_size();
        let domain = snarkjs_domain(log_n).ok_or(Error::CircuitTooLarge {
            needed: log_n,
            available: E::Fr::TWO_ADICITY,
        })?;
        let verifying_key = zkey.verifying_key()?;
        let prepared = PreparedVerifyingKey::new(&verifying_key);
        Ok(Self {
            zkey,
            verifying_key,
            prepared,
            domain,
            rows,
        })
    }

    /// The full check of the key, in parallel: every point on its curve, points of G2 in the subgroup of order r, and
    /// sections B1 and B2 at infinity for the same wires. To be done once for a key from elsewhere.
    ///
    /// This does not show that the key belongs to a circuit: for that a ceremony's transcript is needed.
    pub fn check(&self) -> Result<(), Error> {
        points::check_groups(&self.zkey)
    }

    /// The key to verify proofs with.
    pub fn verifying_key(&self) -> &VerifyingKey<E> {
        &self.verifying_key
    }

    /// The same, prepared.
    pub fn prepared_verifying_key(&self) -> &PreparedVerifyingKey<E> {
        &self.prepared
    }

    /// The file behind the key.
    pub fn zkey(&self) -> &Zkey<E> {
        &self.zkey
    }

    /// Number of wires, the constant one included: the length of a witness.
    pub fn num_vars(&self) -> usize {
        self.zkey.header().n_vars as usize
    }

    /// Number of public signals, the constant one not included.
    pub fn num_public(&self) -> usize {
        self.zkey.header().n_public as usize
    }

    /// Size of the evaluation domain, a power of two.
    pub fn domain_size(&self) -> usize {
        self.domain.size()
    }

    /// Number of non-zero coefficients of A and B together.
    pub fn num_coefficients(&self) -> usize {
        self.zkey.coefficients().len()
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
