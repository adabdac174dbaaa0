//! Verification keys, proofs and public signals in the byte layouts of other libraries, compressed points only.
//!
//! | | arkworks | gnark | Sui |
//! |---|---|---|---|
//! | key | α, β, γ, δ, number of IC (8 bytes, least significant first), IC | α, β in G1, β, γ, δ in G1, δ, number of IC (4 bytes, most significant first), IC, two numbers of commitments, which are zero | as arkworks |
//! | proof | A, B, C | A, B, C, number of commitments, which is zero (4 bytes), a point at infinity | as arkworks |
//! | signals | number (8 bytes), signals | number of public ones, number of secret ones, which is zero, number of all (4 bytes each), signals | signals |
//! | a signal | 32 bytes, least significant first | 32 bytes, most significant first | as arkworks |
//!
//! Points: see `point`. Sources:
//!
//! - ark-groth16 0.6.0, `data_structures.rs`, with ark-serialize 0.6.0
//! - gnark 0.16.1, `backend/groth16/bn254/marshal.go` and `backend/witness`
//! - the reference of Sui's Move module `sui::groth16`: arkworks' compressed form, and scalars one after another
//!
//! Aptos has no layout of whole keys and proofs. Its points and scalars (`FormatG1Compr` and so on) are arkworks'.

mod point;
mod read;

use frumious_circom::{Error, FileKind, Problem};
use frumious_curves::PairingEngine;
use frumious_curves::engine::ResidueField;
use frumious_groth16::{Proof, VerifyingKey};

use point::{append, append_number};
use read::Reader;

/// The library whose layout it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteLayout {
    /// `CanonicalSerialize` of ark-groth16's types, compressed.
    Arkworks,
    /// `WriteTo` of gnark's types, and `MarshalBinary` of its public witness.
    Gnark,
    /// The arguments of Sui's `groth16::prepare_verifying_key` and `verify_groth16_proof`.
    Sui,
}

/// A verification key as bytes.
///
/// gnark's has β and δ in G1, too, which verifying does not take: `in_g1`, or infinity if they are not known.
pub fn verifying_key_to_bytes<E: PairingEngine>(
    key: &VerifyingKey<E>,
    in_g1: Option<[E::G1; 2]>,
    layout: ByteLayout,
) -> Vec<u8> {
    let [beta_g1, delta_g1] = in_g1.unwrap_or_default();
    let mut bytes = Vec::new();
    append(&mut bytes, &key.alpha_g1, layout, E::CURVE);
    if layout == ByteLayout::Gnark {
        append(&mut bytes, &beta_g1, layout, E::CURVE);
    }
    append(&mut bytes, &key.beta_g2, layout, E::CURVE);
    append(&mut bytes, &key.gamma_g2, layout, E::CURVE);
    if layout == ByteLayout::Gnark {
        append(&mut bytes, &delta_g1, layout, E::CURVE);
    }
    append(&mut bytes, &key.delta_g2, layout, E::CURVE);
    append_count(&mut bytes, key.ic.len(), layout);
    for point in &key.ic {
        append(&mut bytes, point, layout, E::CURVE);
    }
    if layout == ByteLayout::Gnark {
        append_count(&mut bytes, 0, layout);
        append_count(&mut bytes, 0, layout);
    }
    bytes
}

/// Reads a verification key.
///
/// # Errors
/// [`Error::Malformed`] with the byte, for
/// - an end that is too early or too late;
/// - coordinates not below q, or of no point of the group;
/// - α, β, γ, δ or the point of a public signal at infinity;
/// - no IC point, or commitments of gnark.
pub fn verifying_key_from_bytes<E: PairingEngine>(
    bytes: &[u8],
    layout: ByteLayout,
) -> Result<VerifyingKey<E>, Error> {
    let mut reader = Reader::new::<E>(FileKind::VerifyingKeyJson, bytes, layout);
    let is_gnark = layout == ByteLayout::Gnark;
    let alpha_g1 = reader.finite_point()?;
    if is_gnark {
        reader.point::<E::G1>()?;
    }
    let beta_g2 = reader.finite_point()?;
    let gamma_g2 = reader.finite_point()?;
    if is_gnark {
        reader.point::<E::G1>()?;
    }
    let delta_g2 = reader.finite_point()?;
    let count = reader.count(reader.point_bytes::<E::G1>())?;
    let mut ic = Vec::with_capacity(count);
    for index in 0..count {
        ic.push(match index {
            0 => reader.point()?, // of the constant 1, which needs no point
            _ => reader.finite_point()?,
        });
    }
    if ic.is_empty() {
        return Err(reader.error_before(0, Problem::Expected("at least one point of IC")));
    }
    if is_gnark {
        reader.no_commitments()?;
        reader.no_commitments()?;
    }
    reader.end()?;
    Ok(VerifyingKey {
        alpha_g1,
        beta_g2,
        gamma_g2,
        delta_g2,
        ic,
    })
}

/// A proof as bytes.
pub fn proof_to_bytes<E: PairingEngine>(proof: &Proof<E>, layout: ByteLayout) -> Vec<u8> {
    let mut bytes = Vec::new();
    append(&mut bytes, &proof.a, layout, E::CURVE);
    append(&mut bytes, &proof.b, layout, E::CURVE);
    append(&mut bytes, &proof.c, layout, E::CURVE);
    if layout == ByteLayout::Gnark {
        append_count(&mut bytes, 0, layout);
        append(&mut bytes, &E::G1::default(), layout, E::CURVE);
    }
    bytes
}

/// Reads a proof.
///
/// # Errors
/// [`Error::Malformed`] with the byte, for the reasons of [`verifying_key_from_bytes`]; a proof's points may be
/// infinity.
pub fn proof_from_bytes<E: PairingEngine>(
    bytes: &[u8],
    layout: ByteLayout,
) -> Result<Proof<E>, Error> {
    let mut reader = Reader::new::<E>(FileKind::ProofJson, bytes, layout);
    let proof = Proof {
        a: reader.point()?,
        b: reader.point()?,
        c: reader.point()?,
    };
    if layout == ByteLayout::Gnark {
        reader.no_commitments()?;
        reader.point::<E::G1>()?; // of no commitment
    }
    reader.end()?;
    Ok(proof)
}

/// Public signals as bytes, without the constant 1.
pub fn public_to_bytes<F: ResidueField>(public: &[F], layout: ByteLayout) -> Vec<u8> {
    let mut bytes = Vec::new();
    match layout {
        ByteLayout::Arkworks => append_count(&mut bytes, public.len(), layout),
        ByteLayout::Gnark => {
            for count in [public.len(), 0, public.len()] {
                append_count(&mut bytes, count, layout);
            }
        }
        ByteLayout::Sui => {}
    }
    for signal in public {
        append_number(&mut bytes, signal, layout == ByteLayout::Gnark);
    }
    bytes
}

/// Reads public signals.
///
/// # Errors
/// [`Error::Malformed`] with the byte: for an end that is too early or too late, a signal not below r, signals of
/// gnark that are secret.
pub fn public_from_bytes<E: PairingEngine>(
    bytes: &[u8],
    layout: ByteLayout,
) -> Result<Vec<E::Fr>, Error> {
    let mut reader = Reader::new::<E>(FileKind::PublicJson, bytes, layout);
    let count = match layout {
        ByteLayout::Arkworks => reader.count(SIGNAL_BYTES)?,
        ByteLayout::Gnark => {
            let public = reader.count(SIGNAL_BYTES)?;
            if reader.count(SIGNAL_BYTES)? != 0 {
                let problem = Problem::Expected("public signals only, no secret ones");
                return Err(reader.error_before(COUNT_BYTES_OF_GNARK, problem));
            }
            let all = reader.count(SIGNAL_BYTES)?;
            if all != public {
                let problem = Problem::Expected("as many signals as are public");
                return Err(reader.error_before(COUNT_BYTES_OF_GNARK, problem));
            }
            all
        }
        ByteLayout::Sui => bytes.len().div_ceil(SIGNAL_BYTES),
    };
    let signals = (0..count)
        .map(|_| reader.number())
        .collect::<Result<_, _>>()?;
    reader.end()?;
    Ok(signals)
}

fn append_count(bytes: &mut Vec<u8>, count: usize, layout: ByteLayout) {
    match layout {
        ByteLayout::Gnark => {
            let count = u32::try_from(count).expect("so many points do not fit memory");
            bytes.extend(count.to_be_bytes());
        }
        ByteLayout::Arkworks | ByteLayout::Sui => bytes.extend((count as u64).to_le_bytes()),
    }
}

/// Bytes of a number of entries.
const COUNT_BYTES_OF_GNARK: usize = 4;

/// Bytes of a signal, over both curves.
const SIGNAL_BYTES: usize = 32;
