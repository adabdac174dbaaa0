//! The proving key: read from a [`KeySource`], with what every proof needs worked out once.

mod header;
mod sink;
mod source;
mod vectors;

pub use header::{KeyHeader, Part};
pub use sink::{KeySink, Position};
pub(crate) use source::Filled;
pub use source::{
    Entries, Footprint, KeySource, PointWindow, RowBatch, RowReader, RowWindow, RowWindowVisitor,
};
pub use vectors::KeyVectors;

use crate::domain::domain;
use crate::{Error, PreparedVerifyingKey, ProvingEngine, VerifyingKey};
use frumious_curves::Bn254;
use frumious_fft::Domain;

/// A proving key, ready for any number of proofs, also at once from several threads.
///
/// Points and coefficients stay in their source. Besides, a key holds the twiddle factors of its domain.
pub struct ProvingKey<E: ProvingEngine = Bn254> {
    source: Box<dyn KeySource<E>>,
    verifying_key: VerifyingKey<E>,
    prepared: PreparedVerifyingKey<E>,
    domain: Domain<E::Fr>,
}

impl<E: ProvingEngine> ProvingKey<E> {
    /// Prepares a key.
    ///
    /// # Errors
    /// As [`PreparedVerifyingKey::new`]; [`Error::CircuitTooLarge`] for a domain that the field has not.
    pub fn new(source: Box<dyn KeySource<E>>) -> Result<Self, Error> {
        let header = source.header();
        let domain = domain(header.log_domain_size())?;
        let mut ic = Vec::new();
        source.g1(Part::Ic, &mut |window| {
            ic.extend((0..window.points.len()).map(|index| window.points.get(index)));
        });
        let verifying_key = header.verifying_key(ic);
        let prepared = PreparedVerifyingKey::new(&verifying_key)?;
        Ok(Self {
            source,
            verifying_key,
            prepared,
            domain,
        })
    }

    /// The key to verify proofs with.
    pub fn verifying_key(&self) -> &VerifyingKey<E> {
        &self.verifying_key
    }

    /// True if a phase of the ceremony lacks every contribution, so that anyone can forge proofs under the key:
    /// see [`VerifyingKey::missing_contribution`].
    pub fn lacks_contribution(&self) -> bool {
        self.verifying_key.lacks_contribution()
    }

    /// The key to verify proofs with, prepared.
    pub fn prepared_verifying_key(&self) -> &PreparedVerifyingKey<E> {
        &self.prepared
    }

    /// Where the key's points and coefficients come from.
    pub fn source(&self) -> &dyn KeySource<E> {
        &*self.source
    }

    /// Number of wires, the constant one included: the length of a witness.
    pub fn n_wires(&self) -> usize {
        self.source.header().n_wires as usize
    }

    /// Number of public signals, the constant one not included.
    pub fn n_public(&self) -> usize {
        self.source.header().n_public as usize
    }

    /// Size of the evaluation domain, a power of two.
    pub fn domain_size(&self) -> usize {
        self.domain.size()
    }

    pub(crate) fn domain(&self) -> &Domain<E::Fr> {
        &self.domain
    }
}
