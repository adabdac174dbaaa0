//! Proof and verification key as JSON.

use std::path::Path;

use frumious_curves::{PairingCurve, PairingEngine};

use crate::json::{Document, Layout, Node};
use frumious_circom::curve::{curve_name, of_name};
use frumious_circom::{Error, FileKind, Problem};
use frumious_groth16::{Proof, VerifyingKey};
use frumious_mapping::FileBytes;

/// Reads the JSON file at `path`.
///
/// # Errors
/// As [`FileBytes::map`] and [`proof_from_json`].
pub fn open_proof<E: PairingEngine>(path: impl AsRef<Path>) -> Result<Proof<E>, Error> {
    open(path.as_ref(), proof_from_json)
}

/// Reads a proof as snarkjs or rapidsnark (which leaves "curve" out) writes it.
///
/// # Errors
/// [`Error::Malformed`] with the path of the value: for
/// - text that is not JSON;
/// - another protocol or curve;
/// - a number that is not a string of decimal digits below q;
/// - coordinates of no point of the group.
pub fn proof_from_json<E: PairingEngine>(json: impl AsRef<[u8]>) -> Result<Proof<E>, Error> {
    let document = Document::parse(FileKind::ProofJson, json.as_ref())?;
    proof_of(&document.root(), Membership::Checked)
}

/// As [`proof_from_json`], of points on their curves: whether they are in their groups is for the reader to check, as
/// verification does.
pub(super) fn proof_on_curves_from_json<E: PairingEngine>(json: &[u8]) -> Result<Proof<E>, Error> {
    let document = Document::parse(FileKind::ProofJson, json)?;
    proof_of(&document.root(), Membership::Unknown)
}

/// Reads a proof with its public signals: `{"proof": …, "publicSignals": […]}`, the object that the function
/// `groth16.prove` of snarkjs's library returns.
///
/// # Errors
/// [`Error::Malformed`] with the path of the value, as [`proof_from_json`] and
/// [`public_from_json`](crate::generic::public_from_json).
pub fn statement_from_json<E: PairingEngine>(
    json: impl AsRef<[u8]>,
) -> Result<(Proof<E>, Vec<E::Fr>), Error> {
    statement_of(json.as_ref(), Membership::Checked)
}

/// As [`statement_from_json`], of points on their curves: see [`proof_on_curves_from_json`].
pub(super) fn statement_on_curves_from_json<E: PairingEngine>(
    json: &[u8],
) -> Result<(Proof<E>, Vec<E::Fr>), Error> {
    statement_of(json, Membership::Unknown)
}

fn statement_of<E: PairingEngine>(
    json: &[u8],
    membership: Membership,
) -> Result<(Proof<E>, Vec<E::Fr>), Error> {
    let document = Document::parse(FileKind::ProofJson, json)?;
    let root = document.root();
    let proof = proof_of(&root.key("proof")?, membership)?;
    let signals = root.key("publicSignals")?;
    let signals = signals.elements()?.map(|signal| signal.number());
    Ok((proof, signals.collect::<Result<_, _>>()?))
}

/// The knowledge of points that were read.
#[derive(Clone, Copy)]
enum Membership {
    /// They are in their groups.
    Checked,
    /// They are on their curves.
    Unknown,
}

fn proof_of<E: PairingEngine>(root: &Node<'_>, membership: Membership) -> Result<Proof<E>, Error> {
    expect_groth16_over::<E>(root)?;
    let [a, b, c] = [root.key("pi_a")?, root.key("pi_b")?, root.key("pi_c")?];
    Ok(match membership {
        Membership::Checked => Proof {
            a: a.point()?,
            b: b.point()?,
            c: c.point()?,
        },
        Membership::Unknown => Proof {
            a: a.point_on_curve()?,
            b: b.point_on_curve()?,
            c: c.point_on_curve()?,
        },
    })
}

/// The proof as JSON, byte for byte as snarkjs writes it (no newline at the end).
pub fn proof_to_json<E: PairingEngine>(proof: &Proof<E>) -> String {
    Layout::object([
        ("pi_a", Layout::point(&proof.a)),
        ("pi_b", Layout::point(&proof.b)),
        ("pi_c", Layout::point(&proof.c)),
        ("protocol", Layout::text("groth16")),
        ("curve", Layout::text(curve_name(E::CURVE))),
    ])
    .to_string()
}

/// Reads the JSON file at `path`.
///
/// # Errors
/// As [`FileBytes::map`] and [`verifying_key_from_json`].
pub fn open_verifying_key<E: PairingEngine>(
    path: impl AsRef<Path>,
) -> Result<VerifyingKey<E>, Error> {
    open(path.as_ref(), verifying_key_from_json)
}

/// Reads a verification key as snarkjs writes it. "vk_alphabeta_12" follows from the rest and is ignored.
///
/// # Errors
/// [`Error::Malformed`] with the path of the value, for the reasons of [`proof_from_json`] and for three more:
/// - α, β, γ or δ is at infinity: anything could be proved;
/// - the point of a public signal in "IC" is at infinity: the signal could have any value;
/// - "IC" has another number of points than "nPublic" plus one.
pub fn verifying_key_from_json<E: PairingEngine>(
    json: impl AsRef<[u8]>,
) -> Result<VerifyingKey<E>, Error> {
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
    Ok(VerifyingKey {
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
pub fn verifying_key_to_json<E: PairingEngine>(key: &VerifyingKey<E>) -> String {
    let alpha_beta = E::multi_pairing(&[(key.alpha_g1, &E::prepare(&key.beta_g2))]);
    let coefficients = E::gt_coefficients(&alpha_beta);
    let fq6 = |half: &[E::Fq]| Layout::array(half.chunks(2).map(Layout::coordinate));
    Layout::object([
        ("protocol", Layout::text("groth16")),
        ("curve", Layout::text(curve_name(E::CURVE))),
        ("nPublic", Layout::Integer(key.n_public() as u64)),
        ("vk_alpha_1", Layout::point(&key.alpha_g1)),
        ("vk_beta_2", Layout::point(&key.beta_g2)),
        ("vk_gamma_2", Layout::point(&key.gamma_g2)),
        ("vk_delta_2", Layout::point(&key.delta_g2)),
        (
            "vk_alphabeta_12",
            Layout::array(coefficients.chunks(6).map(fq6)),
        ),
        ("IC", Layout::array(key.ic.iter().map(Layout::point))),
    ])
    .to_string()
}

fn open<T>(path: &Path, parse: impl FnOnce(FileBytes) -> Result<T, Error>) -> Result<T, Error> {
    parse(FileBytes::read(path)?).map_err(|error| error.in_file(path))
}

/// The protocol is required, the curve only checked: rapidsnark, which has but BN254, leaves it out. snarkjs knows
/// several names for one.
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
