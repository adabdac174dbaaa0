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
use crate::{Error, PreparedVerifyingKey, ProvingEngine, SetupOptions, VerifyingKey, setup_dev};
use frumious_curves::Bn254;
use frumious_curves::engine::ScalarField;
use frumious_fft::Domain;
use frumious_r1cs::ConstraintSource;

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
    /// As [`PreparedVerifyingKey::new`]; [`Error::CircuitTooLarge`] for a domain that the field has not; those of the
    /// source.
    #[inline(never)]
    pub fn new(source: Box<dyn KeySource<E>>) -> Result<Self, Error> {
        let header = source.header();
        let domain = domain(header.log_domain_size())?;
        let mut ic = Vec::new();
        let read = source.g1(Part::Ic, &mut |window| {
            ic.extend((0..window.points.len()).map(|index| window.points.get(index)));
        });
        read.map_err(Error::Source)?;
        let verifying_key = header.verifying_key(ic);
        let prepared = PreparedVerifyingKey::new(&verifying_key)?;
        Ok(Self {
            source,
            verifying_key,
            prepared,
            domain,
        })
    }

    /// **Unsafe: for tests and demonstrations only.** A key for `circuit` in memory, from secrets drawn here: see
    /// [`setup_dev`]. The field of the circuit tells the curve.
    ///
    /// ```
    /// # mod frumious {
    /// #     pub use ::frumious_curves as curves;
    /// #     pub use ::frumious_groth16 as groth16;
    /// #     pub use ::frumious_r1cs as r1cs;
    /// # }
    /// use frumious::curves::bn254::Fr;
    /// use frumious::groth16::{ProveOptions, ProvingKey, prove};
    /// use frumious::r1cs::{Circuit, Inputs, Names};
    ///
    /// // "I know a root of the public number"
    /// let names = Names::new().public_output("square", 1).private_input("root", 1);
    /// let circuit = Circuit::<Fr>::define(&names, |main, io| {
    ///     main.define_product(io["square"][0], io["root"][0], io["root"][0]);
    /// });
    /// let key = ProvingKey::dev(circuit.system())?;
    ///
    /// let mut inputs = Inputs::new();
    /// inputs.set("root", &[Fr::from(12)]);
    /// let (proof, public) = prove(&key, &circuit.witness(&inputs)?, &ProveOptions::default())?;
    /// assert_eq!(public, [Fr::from(144)]);
    /// assert!(key.prepared_verifying_key().verify(&public, &proof)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`setup_dev`] and [`ProvingKey::new`].
    pub fn dev<F>(circuit: &impl ConstraintSource<F>) -> Result<Self, Error>
    where
        F: ScalarField<Engine = E>,
        E: ProvingEngine<Fr = F>,
    {
        let mut key = KeyVectors::new();
        setup_dev(circuit, &mut key, &SetupOptions::default())?;
        Self::new(Box::new(key))
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
