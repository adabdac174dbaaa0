//! What a verifier reads: the proof and the verification key.

use std::path::Path;

use frumious_curves::{PairingCurve, PairingEngine};

use crate::contribution::Uncontributed;
use crate::curve::{curve_name, of_name};
use crate::error::{Error, FileKind, Problem};
use crate::json::{Document, Layout, Node};
use frumious_mapping::FileBytes;

/// A Groth16 proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<E: PairingEngine> {
    /// A in G1.
    pub a: E::G1,
    /// B in G2.
    pub b: E::G2,
    /// C in G1.
    pub c: E::G1,
}

/// A Groth16 verification key; `ic.len() - 1` public signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey<E: PairingEngine> {
    /// α in G1.
    pub alpha_g1: E::G1,
    /// β in G2.
    pub beta_g2: E::G2,
    /// γ in G2.
    pub gamma_g2: E::G2,
    /// δ in G2.
    pub delta_g2: E::G2,
    /// `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/γ` of the constant and of each public signal; never empty.
    pub ic: Vec<E::G1>,
}

impl<E: PairingEngine> Proof<E> {
    /// Reads the JSON file at `path`.
    ///
    /// # Errors
    /// As [`FileBytes::map`] and [`Proof::from_json`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        open(path.as_ref(), Self::from_json)
    }

    /// Reads a proof as snarkjs or rapidsnark (which leaves "curve" out) writes it.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the path of the value: text that is not JSON, another protocol or curve, a number that
    /// is not a string of decimal digits below q, coordinates that are no point of the group.
    pub fn from_json(json: impl AsRef<[u8]>) -> Result<Self, Error> {
        let document = Document::parse(FileKind::ProofJson, json.as_ref())?;
        let root = document.root();
        expect_groth16_over::<E>(&root)?;
        Ok(Self {
            a: root.key("pi_a")?.point()?,
            b: root.key("pi_b")?.point()?,
            c: root.key("pi_c")?.point()?,
        })
    }

    /// The proof as JSON, byte for byte as snarkjs writes it (no newline at the end).
    pub fn to_json(&self) -> String {
        Layout::object([
            ("pi_a", Layout::point(&self.a)),
            ("pi_b", Layout::point(&self.b)),
            ("pi_c", Layout::point(&self.c)),
            ("protocol", Layout::text("groth16")),
            ("curve", Layout::text(curve_name(E::CURVE))),
        ])
        .to_string()
    }
}

impl<E: PairingEngine> VerifyingKey<E> {
    /// Number of public signals.
    pub fn n_public(&self) -> usize {
        self.ic.len().saturating_sub(1)
    }

    /// Whether a phase of the ceremony lacks every contribution, so that anyone can prove any statement under the key.
    pub fn lacks_contribution(&self) -> bool {
        self.missing_contribution().is_some()
    }

    /// The phase of the ceremony that nobody contributed to, if there is one.
    pub fn missing_contribution(&self) -> Option<Uncontributed> {
        Uncontributed::of::<E>(
            &self.alpha_g1,
            &self.beta_g2,
            &self.gamma_g2,
            &self.delta_g2,
        )
    }

    /// Reads the JSON file at `path`.
    ///
    /// # Errors
    /// As [`FileBytes::map`] and [`VerifyingKey::from_json`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        open(path.as_ref(), Self::from_json)
    }

    /// Reads a verification key as snarkjs writes it. "vk_alphabeta_12" follows from the rest and is ignored.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the path of the value, for the reasons of [`Proof::from_json`] and for three more:
    /// - α, β, γ or δ is at infinity: anything could be proved;
    /// - the point of a public signal in "IC" is at infinity: the signal could have any value;
    /// - "IC" has another number of points than "nPublic" plus one.
    pub fn from_json(json: impl AsRef<[u8]>) -> Result<Self, Error> {
        let document = Document::parse(FileKind::VerifyingKeyJson, json.as_ref())?;
        let root = document.root();
        expect_groth16_over::<E>(&root)?;
        let n_public = root.key("nPublic")?;
        let points = root.key("IC")?;
        let ic: Vec<E::G1> = points
            .elements()?
            .enumerate()
            .map(|(index, point)| match index {
                0 => point.point(), // of the constant 1, which needs no point
                _ => point.finite_point(),
            })
            .collect::<Result<_, _>>()?;
        if ic.is_empty() {
            return Err(points.error(Problem::Expected("at least one point")));
        }
        if n_public.integer()? != ic.len() as u64 - 1 {
            return Err(n_public.error(Problem::Expected(
                "one less than the number of points in IC",
            )));
        }
        Ok(Self {
            alpha_g1: root.key("vk_alpha_1")?.finite_point()?,
            beta_g2: root.key("vk_beta_2")?.finite_point()?,
            gamma_g2: root.key("vk_gamma_2")?.finite_point()?,
            delta_g2: root.key("vk_delta_2")?.finite_point()?,
            ic,
        })
    }

    /// The key as JSON, byte for byte as snarkjs writes it (no newline at the end).
    ///
    /// "vk_alphabeta_12" is the pairing e(α, β), by its coefficients in the tower `Fq12 = Fq6[w]`, `Fq6 = Fq2[v]`,
    /// `Fq2 = Fq[u]`.
    pub fn to_json(&self) -> String {
        let alpha_beta = E::multi_pairing(&[(self.alpha_g1, &E::prepare(&self.beta_g2))]);
        let coefficients = E::gt_coefficients(&alpha_beta);
        let fq6 = |half: &[E::Fq]| Layout::array(half.chunks(2).map(Layout::coordinate));
        Layout::object([
            ("protocol", Layout::text("groth16")),
            ("curve", Layout::text(curve_name(E::CURVE))),
            ("nPublic", Layout::Integer(self.n_public() as u64)),
            ("vk_alpha_1", Layout::point(&self.alpha_g1)),
            ("vk_beta_2", Layout::point(&self.beta_g2)),
            ("vk_gamma_2", Layout::point(&self.gamma_g2)),
            ("vk_delta_2", Layout::point(&self.delta_g2)),
            (
                "vk_alphabeta_12",
                Layout::array(coefficients.chunks(6).map(fq6)),
            ),
            ("IC", Layout::array(self.ic.iter().map(Layout::point))),
        ])
        .to_string()
    }
}

fn open<T>(path: &Path, parse: impl FnOnce(FileBytes) -> Result<T, Error>) -> Result<T, Error> {
    parse(FileBytes::read(path)?).map_err(|error| error.in_file(path))
}

/// The protocol is required, the curve only checked: rapidsnark, which has but BN254, leaves it out. snarkjs knows several names for one.
fn expect_groth16_over<E: PairingEngine>(root: &Node<'_>) -> Result<(), Error> {
    let protocol = root.key("protocol")?;
    if protocol.text()? != "groth16" {
        return Err(protocol.error(Problem::Expected("\"groth16\"")));
    }
    match root.optional_key("curve")? {
        Some(curve) if of_name(curve.text()?) != Some(E::CURVE) => {
            Err(curve.error(Problem::Expected(match E::CURVE {
                PairingCurve::Bn254 => "\"bn128\"",
                PairingCurve::Bls12_381 => "\"bls12381\"",
            })))
        }
        _ => Ok(()),
    }
}
