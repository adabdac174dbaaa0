//! What a verifier reads: the proof and the verification key.

use std::path::Path;

use frumious_curves::bn254::pairing::pairing;
use frumious_curves::bn254::{Fq6, Fq12, G1Affine, G2Affine};

use crate::error::{Error, FileKind, Problem};
use crate::json::{Document, Layout, Node};
use frumious_mapping::FileBytes;

/// A Groth16 proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// A in G1.
    pub a: G1Affine,
    /// B in G2.
    pub b: G2Affine,
    /// C in G1.
    pub c: G1Affine,
}

/// A Groth16 verification key; `ic.len() - 1` public signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey {
    /// α in G1.
    pub alpha_g1: G1Affine,
    /// β in G2.
    pub beta_g2: G2Affine,
    /// γ in G2.
    pub gamma_g2: G2Affine,
    /// δ in G2.
    pub delta_g2: G2Affine,
    /// `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/γ` of the constant and of each public signal; never empty.
    pub ic: Vec<G1Affine>,
}

impl Proof {
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
        expect_groth16_over_bn254(&root)?;
        Ok(Self {
            a: root.key("pi_a")?.g1()?,
            b: root.key("pi_b")?.g2()?,
            c: root.key("pi_c")?.g1()?,
        })
    }

    /// The proof as JSON, byte for byte as snarkjs writes it (no newline at the end).
    pub fn to_json(&self) -> String {
        Layout::object([
            ("pi_a", Layout::g1(&self.a)),
            ("pi_b", Layout::g2(&self.b)),
            ("pi_c", Layout::g1(&self.c)),
            ("protocol", Layout::text("groth16")),
            ("curve", Layout::text("bn128")),
        ])
        .to_string()
    }
}

impl VerifyingKey {
    /// Number of public signals.
    pub fn n_public(&self) -> usize {
        self.ic.len().saturating_sub(1)
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
    /// [`Error::Malformed`] with the path of the value: as [`Proof::from_json`]; and α, β, γ or δ at infinity, where
    /// anything could be proved; and a number of points in "IC" other than "nPublic" plus one.
    pub fn from_json(json: impl AsRef<[u8]>) -> Result<Self, Error> {
        let document = Document::parse(FileKind::VerifyingKeyJson, json.as_ref())?;
        let root = document.root();
        expect_groth16_over_bn254(&root)?;
        let n_public = root.key("nPublic")?;
        let points = root.key("IC")?;
        let ic: Vec<G1Affine> = points
            .elements()?
            .map(|point| point.g1())
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
            alpha_g1: root.key("vk_alpha_1")?.finite_g1()?,
            beta_g2: root.key("vk_beta_2")?.finite_g2()?,
            gamma_g2: root.key("vk_gamma_2")?.finite_g2()?,
            delta_g2: root.key("vk_delta_2")?.finite_g2()?,
            ic,
        })
    }

    /// The key as JSON, byte for byte as snarkjs writes it (no newline at the end).
    ///
    /// "vk_alphabeta_12" is the pairing e(α, β), by its coefficients in the tower `Fq12 = Fq6[w]`, `Fq6 = Fq2[v]`,
    /// `Fq2 = Fq[u]`.
    pub fn to_json(&self) -> String {
        let alpha_beta = pairing(&self.alpha_g1, &self.beta_g2);
        let fq6 = |value: &Fq6| Layout::array([&value.c0, &value.c1, &value.c2].map(Layout::fq2));
        let fq12 = |value: &Fq12| Layout::array([&value.c0, &value.c1].map(fq6));
        Layout::object([
            ("protocol", Layout::text("groth16")),
            ("curve", Layout::text("bn128")),
            ("nPublic", Layout::Integer(self.n_public() as u64)),
            ("vk_alpha_1", Layout::g1(&self.alpha_g1)),
            ("vk_beta_2", Layout::g2(&self.beta_g2)),
            ("vk_gamma_2", Layout::g2(&self.gamma_g2)),
            ("vk_delta_2", Layout::g2(&self.delta_g2)),
            ("vk_alphabeta_12", fq12(alpha_beta.as_fq12())),
            ("IC", Layout::array(self.ic.iter().map(Layout::g1))),
        ])
        .to_string()
    }
}

fn open<T>(path: &Path, parse: impl FnOnce(FileBytes) -> Result<T, Error>) -> Result<T, Error> {
    parse(FileBytes::read(path)?).map_err(|error| error.in_file(path))
}

/// The protocol is required, the curve only checked: rapidsnark leaves it out. snarkjs knows three names for it.
fn expect_groth16_over_bn254(root: &Node<'_>) -> Result<(), Error> {
    let protocol = root.key("protocol")?;
    if protocol.text()? != "groth16" {
        return Err(protocol.error(Problem::Expected("\"groth16\"")));
    }
    match root.optional_key("curve")? {
        Some(curve) if !["bn128", "bn254", "altbn128"].contains(&curve.text()?) => {
            Err(curve.error(Problem::Expected("\"bn128\"")))
        }
        _ => Ok(()),
    }
}
