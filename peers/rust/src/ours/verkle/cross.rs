//! Our side of the driver's cross-checks of commitments and multiproofs; cases are drawn as in
//! `peers/go-verkle/cross.go`.

use frumious_curves::bandersnatch::{AffineElement, Element, Fq, Fr};
use frumious_verkle::{Claim, DOMAIN, Multiproof, Opening, Prover, Transcript, Values, Verifier};

use super::{LABEL, committer, draw_scalar};
use crate::inputs::{SplitMix, bytes_from_hex, hex, hex_bytes};
use crate::row::Table;

pub const ACCEPTED: &str = "accepted";
pub const REFUSED: &str = "refused";
pub const MALFORMED: &str = "malformed";

/// Adds the crossings.
pub fn add(table: &mut Table) {
    table.crossings.insert("verkle.group", group);
    table.crossings.insert("verkle.decode", decode);
    table.crossings.insert("verkle.prove", prove);
    table.crossings.insert("verkle.verify", verify);
}

/// The generator of the case whose seed is the only argument.
pub fn seeded(arguments: &[&str]) -> Result<SplitMix, String> {
    let [seed] = arguments else {
        return Err("one seed is wanted".into());
    };
    let seed = seed.parse().map_err(|_| format!("no seed: {seed}"))?;
    Ok(SplitMix::new(seed))
}

fn one(arguments: &[&str]) -> Result<Vec<u8>, String> {
    let [text] = arguments else {
        return Err("one string of hex is wanted".into());
    };
    bytes_from_hex(text).ok_or_else(|| "not hex".into())
}

/// A commitment to 1..256 scalars at random places, a multiple of the generator and a sum, encoded and mapped to
/// scalars. Then the Legendre symbol and the smaller square root of a random element.
fn group(arguments: &[&str]) -> Result<String, String> {
    let mut source = seeded(arguments)?;
    let mut values = [Fr::ZERO; DOMAIN];
    for _ in 0..1 + source.below(DOMAIN) {
        let at = source.below(DOMAIN);
        values[at] = draw_scalar(&mut source);
    }
    let commitment = committer().commit_values(&values);
    let multiple = Element::GENERATOR.mul_vartime(&draw_scalar(&mut source));
    let points = [commitment, multiple, commitment.double() + multiple];
    let points = points.map(|point| {
        let scalar = point.map_to_scalar_field().to_bytes();
        format!("{}:{}", hex_bytes(&point.to_bytes()), hex_bytes(&scalar))
    });
    let x = Fq::from_canonical_limbs(source.integer()).expect("inputs are below the modulus");
    let root = x.sqrt_vartime().map(|root| {
        let largest = bool::from(root.is_lexicographically_largest());
        let smaller = if largest { -root } else { root };
        hex(&smaller.to_canonical_limbs())
    });
    let root = root.unwrap_or_else(|| "none".into());
    Ok(format!(
        "{}:{}:{root}",
        points.join(":"),
        x.legendre_vartime()
    ))
}

/// 32 bytes compressed or 64 bytes uncompressed, both as untrusted; the canonical encoding, or "refused".
fn decode(arguments: &[&str]) -> Result<String, String> {
    let raw = one(arguments)?;
    let point = if let Ok(bytes) = <&[u8; 32]>::try_from(&raw[..]) {
        AffineElement::from_bytes_vartime(bytes)
    } else if let Ok(bytes) = <&[u8; 64]>::try_from(&raw[..]) {
        AffineElement::from_uncompressed_canonical(bytes)
    } else {
        return Err("32 or 64 bytes are wanted".into());
    };
    Ok(point.map_or(REFUSED.into(), |point| hex_bytes(&point.to_bytes())))
}

/// A random multiproof, as statement (number of openings as four bytes, least significant first; commitment, point,
/// value of each) and proof.
fn prove(arguments: &[&str]) -> Result<String, String> {
    let mut source = seeded(arguments)?;
    let polynomials = draw_polynomials(&mut source);
    let commit = |values: &Values| committer().commit_values(values);
    let commitments: Vec<Element> = polynomials.iter().map(commit).collect();
    let count = openings_count(&mut source, polynomials.len());
    let openings: Vec<Opening<'_>> = (0..count)
        .map(|_| {
            let which = source.below(polynomials.len());
            let point = source.next() as u8;
            let near = source.below(2) == 0; // so that points repeat
            Opening {
                commitment: commitments[which],
                polynomial: &polynomials[which],
                point: if near { point % 4 } else { point },
            }
        })
        .collect();
    let mut out = (count as u32).to_le_bytes().to_vec();
    for claim in openings.iter().map(Opening::claim) {
        out.extend(claim.commitment.to_bytes());
        out.push(claim.point);
        out.extend(claim.value.to_bytes());
    }
    let mut prover = Prover::new(committer());
    let proof = prover.prove(&mut Transcript::new(LABEL), &openings);
    out.extend(proof.map_err(|error| error.to_string())?.to_bytes());
    Ok(hex_bytes(&out))
}

/// 1..32 polynomials: one in sixteen is zero, a quarter has eight values at most, a quarter has values of 64 bits, the
/// others are dense.
fn draw_polynomials(source: &mut SplitMix) -> Vec<Values> {
    let count = 1 + source.below(32);
    let draw = |_| {
        let mut values = [Fr::ZERO; DOMAIN];
        match source.below(16) {
            0 => {}
            1..5 => {
                for _ in 0..8 {
                    let at = source.below(DOMAIN);
                    values[at] = draw_scalar(source);
                }
            }
            5..9 => values.fill_with(|| Fr::from_u64(source.next())),
            _ => values.fill_with(|| draw_scalar(source)),
        }
        values
    };
    (0..count).map(draw).collect()
}

/// Mostly some dozens, sometimes some hundreds.
fn openings_count(source: &mut SplitMix, polynomials: usize) -> usize {
    if source.below(32) == 0 {
        200 + source.below(300)
    } else {
        1 + source.below(2 * polynomials)
    }
}

/// The verdict on a statement and proof in the form of [`prove`].
fn verify(arguments: &[&str]) -> Result<String, String> {
    let raw = one(arguments)?;
    let Some((claims, proof)) = read_statement(&raw) else {
        return Ok(MALFORMED.into());
    };
    let mut verifier = Verifier::new(committer());
    let verdict = verifier.verify(&mut Transcript::new(LABEL), &claims, &proof);
    let accepted = verdict.map_err(|error| error.to_string())?;
    Ok(if accepted { ACCEPTED } else { REFUSED }.into())
}

fn read_statement(raw: &[u8]) -> Option<(Vec<Claim>, Multiproof)> {
    let (count, mut rest) = raw.split_first_chunk()?;
    let mut claims = Vec::new();
    for _ in 0..u32::from_le_bytes(*count) {
        let (commitment, after) = rest.split_first_chunk()?;
        let (point, after) = after.split_first()?;
        let (value, after) = after.split_first_chunk()?;
        claims.push(Claim {
            commitment: Element::from_bytes_vartime(commitment).ok()?,
            point: *point,
            value: Fr::from_bytes(value).into_option()?,
        });
        rest = after;
    }
    Some((claims, Multiproof::from_bytes(rest).ok()?))
}
