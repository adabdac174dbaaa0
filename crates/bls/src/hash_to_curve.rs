//! Messages to points of G1 and G2: the suites `BLS12381G1_XMD:SHA-256_SSWU_RO_`, `…_NU_` and those of G2.
//!
//! A message is expanded to bytes, these are reduced to field elements, and `map_to_group` or `map_pair_to_group` of
//! the curve's points makes a point of them. `tag` separates the uses of one hash function (`DST` in the RFC): each
//! protocol has its own, of at least 16 bytes. All functions here **panic if the tag is empty**, which the RFC forbids
//! (section 3.1): it would separate nothing.
//!
//! Constant time in the message, but for its length. Source: RFC 9380, sections 3, 5 and 8.8.

use frumious_curves::bls12_381::{Fq, Fq2, G1Projective, G2Projective};
use sha2::{Digest, Sha256};

/// Bytes of a digest.
const DIGEST: usize = 32;
/// Bytes of a block of the hash function.
const BLOCK: usize = 64;
/// Bytes that give a coordinate: 512 bits, so that residues are uniform up to 2^-131.
const ELEMENT: usize = 64;

/// `hash_to_curve`: a point of G1, as good as one drawn at random.
pub fn hash_to_g1(message: &[u8], tag: &[u8]) -> G1Projective {
    let [u0, u1] = hash_to_fq(message, tag);
    G1Projective::map_pair_to_group([&u0, &u1])
}

/// `hash_to_curve`: a point of G2, as good as one drawn at random.
pub fn hash_to_g2(message: &[u8], tag: &[u8]) -> G2Projective {
    let [u0, u1] = hash_to_fq2(message, tag);
    G2Projective::map_pair_to_group([&u0, &u1])
}

/// `encode_to_curve`: a point of G1 for less work, not uniform. Only for protocols that allow it.
pub fn encode_to_g1(message: &[u8], tag: &[u8]) -> G1Projective {
    let [u] = hash_to_fq(message, tag);
    G1Projective::map_to_group(&u)
}

/// `encode_to_curve`: a point of G2 for less work, not uniform. Only for protocols that allow it.
pub fn encode_to_g2(message: &[u8], tag: &[u8]) -> G2Projective {
    let [u] = hash_to_fq2(message, tag);
    G2Projective::map_to_group(&u)
}

/// `hash_to_field` for G1, `COUNT <= 127` elements. Source: RFC 9380, section 5.2.
pub fn hash_to_fq<const COUNT: usize>(message: &[u8], tag: &[u8]) -> [Fq; COUNT] {
    const { assert!(COUNT * ELEMENT <= LONGEST) };
    let mut bytes = [[0; ELEMENT]; COUNT];
    expand_message_xmd(message, tag, bytes.as_flattened_mut());
    bytes.map(|bytes| reduce(&bytes))
}

/// `hash_to_field` for G2, `COUNT <= 63` elements. Source: RFC 9380, section 5.2.
pub fn hash_to_fq2<const COUNT: usize>(message: &[u8], tag: &[u8]) -> [Fq2; COUNT] {
    const { assert!(2 * COUNT * ELEMENT <= LONGEST) };
    let mut bytes = [[[0; ELEMENT]; 2]; COUNT];
    let flat = bytes.as_flattened_mut().as_flattened_mut();
    expand_message_xmd(message, tag, flat);
    bytes.map(|[c0, c1]| Fq2::new(reduce(&c0), reduce(&c1)))
}

/// The integer with these bytes, most significant first, modulo `p`.
fn reduce(bytes: &[u8; ELEMENT]) -> Fq {
    let mut wide = [0; 96];
    for (to, from) in wide.iter_mut().zip(bytes.iter().rev()) {
        *to = *from;
    }
    Fq::from_uniform_bytes(&wide)
}

/// Bytes that one expansion can give.
const LONGEST: usize = 255 * DIGEST;

/// Fills `output` with bytes that depend on all of the message, the tag and the output's length.
///
/// Source: RFC 9380, section 5.3.1, with SHA-256; a tag of more than 255 bytes is hashed first (section 5.3.3).
///
/// # Panics
/// If `tag` is empty, or `output` longer than 8160 bytes.
#[track_caller]
pub fn expand_message_xmd(message: &[u8], tag: &[u8], output: &mut [u8]) {
    assert!(
        !tag.is_empty(),
        "a domain separation tag has at least one byte: `tag` is empty"
    );
    let length = output.len();
    assert!(
        length <= LONGEST,
        "`output` has {length} bytes, and must have {LONGEST} at most"
    );
    let hashed_tag: [u8; DIGEST];
    let tag = if tag.len() > 255 {
        hashed_tag = digest(&[b"H2C-OVERSIZE-DST-", tag]);
        &hashed_tag[..]
    } else {
        tag
    };
    let tag_length = [tag.len() as u8];
    let length = (output.len() as u16).to_be_bytes();
    let start = digest(&[&[0; BLOCK], message, &length, &[0], tag, &tag_length]);
    let mut previous = [0; DIGEST];
    for (chunk, index) in output.chunks_mut(DIGEST).zip(1..=255u8) {
        let mixed: [u8; DIGEST] = core::array::from_fn(|i| start[i] ^ previous[i]);
        previous = digest(&[&mixed, &[index], tag, &tag_length]);
        chunk.copy_from_slice(&previous[..chunk.len()]);
    }
}

/// SHA-256 of the parts one after another.
fn digest(parts: &[&[u8]]) -> [u8; DIGEST] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}
