//! The properties of these parsers.
//!
//! Reading returns; when it returns a value, using the value does not panic either, and what is written from it is read
//! back the same. Encodings are unique where the format says so.

use frumious_curves::bandersnatch::{AffineElement, Fr};
use frumious_verkle::tree::{ExecutionWitness, HashedKey, Tree, VerkleProof};
use frumious_verkle::{Claim, Committer, Multiproof, Preset, Transcript, Verifier};
use std::sync::LazyLock;

/// Any bytes as elements: 32 bytes in both ways of decoding, 64 bytes in the three forms.
pub fn elements(bytes: &[u8]) {
    if let Some(encoding) = bytes.first_chunk::<32>() {
        let element = AffineElement::from_bytes_vartime(encoding);
        assert_eq!(element, AffineElement::from_bytes(encoding));
        if let Ok(element) = element {
            assert_eq!(element.to_bytes(), *encoding);
            let uncompressed = element.to_uncompressed();
            assert_eq!(AffineElement::from_uncompressed(&uncompressed), Ok(element));
            let uncompressed = element.to_uncompressed_le();
            assert_eq!(
                AffineElement::from_uncompressed_le(&uncompressed),
                Ok(element)
            );
        }
    }
    let Some(encoding) = bytes.first_chunk::<64>() else {
        return;
    };
    let element = AffineElement::from_uncompressed(encoding);
    if let Ok(element) = element {
        assert_eq!(element.to_uncompressed(), *encoding);
        assert_eq!(AffineElement::from_bytes(&element.to_bytes()), Ok(element));
    }
    if let Ok(canonical) = AffineElement::from_uncompressed_canonical(encoding) {
        assert_eq!(element, Ok(canonical));
        assert_eq!(encoding[..32], canonical.to_bytes());
    }
    if let Ok(element) = AffineElement::from_uncompressed_le(encoding) {
        assert_eq!(element.to_uncompressed_le(), *encoding);
        assert_eq!(AffineElement::from_bytes(&element.to_bytes()), Ok(element));
    }
}

/// Any bytes as a proof of openings.
pub fn multiproof(bytes: &[u8]) {
    let Ok(proof) = Multiproof::from_bytes(bytes) else {
        return;
    };
    assert_eq!(proof.to_bytes(), bytes);
    let claim = Claim {
        commitment: proof.d.into(),
        point: bytes[0],
        value: Fr::from_u64(7),
    };
    let mut transcript = Transcript::new(b"verkle");
    Verifier::new(&COMMITTER)
        .verify(&mut transcript, &[claim], &proof)
        .unwrap();
}

/// Any bytes as a proof of many keys, in the binary form of rust-verkle.
pub fn tree_proof(bytes: &[u8]) {
    let Ok(proof) = VerkleProof::from_bytes(bytes) else {
        return;
    };
    assert_eq!(proof.to_bytes(), bytes);
    let (entries, root) = statement();
    let verifier = &mut Verifier::new(&COMMITTER);
    let _ = proof.open(verifier, &root, &entries);
    let hashed: Vec<_> = entries
        .iter()
        .map(|(key, value)| (HashedKey::assume_hashed(*key), *value))
        .collect();
    let _ = proof.open_hashed(verifier, &root, &hashed);
}

/// Any bytes as the JSON of an execution witness.
pub fn witness_json(bytes: &[u8]) {
    let Ok(witness) = ExecutionWitness::from_json(bytes) else {
        return;
    };
    let json = witness.to_json();
    assert_eq!(
        ExecutionWitness::from_json(json.as_bytes()).unwrap(),
        witness
    );
    let (_, root) = statement();
    let mut verifier = Verifier::new(&COMMITTER);
    let _ = witness.post_root(&COMMITTER, &mut verifier, &root.to_bytes());
}

/// A tree of a few stems, some with a long common path.
pub fn tree() -> &'static Tree {
    static TREE: LazyLock<Tree> = LazyLock::new(|| {
        let entry = |first: u8, last: u8, suffix: u8| {
            let mut key = [7; 32];
            (key[0], key[30], key[31]) = (first, last, suffix);
            (key, [suffix ^ first; 32])
        };
        let entries = [
            entry(0, 0, 0),
            entry(0, 1, 255),
            entry(1, 0, 1),
            entry(255, 9, 127),
            entry(255, 9, 128),
        ];
        Tree::from_entries(&COMMITTER, &entries)
    });
    &TREE
}

/// Keys of [`tree`] with what is there: present, absent beside others, absent because of another stem, absent.
pub fn keys() -> Vec<[u8; 32]> {
    let mut keys: Vec<[u8; 32]> = [(0, 0, 0), (0, 0, 1), (1, 5, 1), (9, 9, 9), (255, 9, 128)]
        .iter()
        .map(|(first, last, suffix)| {
            let mut key = [7; 32];
            (key[0], key[30], key[31]) = (*first, *last, *suffix);
            key
        })
        .collect();
    keys.sort_unstable();
    keys
}

/// The committer of all trees here.
pub static COMMITTER: LazyLock<Committer> =
    LazyLock::new(|| Committer::new(Preset::Verifier).unwrap());

type Statement = (
    Vec<([u8; 32], Option<[u8; 32]>)>,
    frumious_curves::bandersnatch::Element,
);

fn statement() -> Statement {
    let entries = keys()
        .into_iter()
        .map(|key| (key, tree().get(&key).unwrap()))
        .collect();
    (entries, tree().root())
}
