//! Every way to commit gives what the definition gives, and what is out of range is an error.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

#[path = "support/naive.rs"]
mod naive;
#[path = "support/common.rs"]
mod support;

use frumious_curves::bandersnatch::{Element, Fr};
use frumious_verkle::*;
use support::{Random, committer};

#[test]
fn dense_sparse_and_updated() {
    let mut random = Random(21);
    for length in [0, 1, 2, 5, 6, 100, 255, 256] {
        let values: Vec<Fr> = (0..length).map(|_| random.scalar()).collect();
        let expected = naive::commit(&values);
        assert_eq!(committer().commit(&values), Ok(expected));

        let mut terms: Vec<_> = values.iter().copied().enumerate().collect();
        terms.reverse();
        assert_eq!(committer().commit_sparse(&terms), Ok(expected));
        let changes: Vec<_> = terms
            .iter()
            .map(|(index, value)| (*index, Fr::ZERO, *value))
            .collect();
        assert_eq!(
            committer().update(&Element::IDENTITY, &changes),
            Ok(expected)
        );
        let back: Vec<_> = changes
            .iter()
            .map(|(index, old, new)| (*index, *new, *old))
            .collect();
        assert_eq!(committer().update(&expected, &back), Ok(Element::IDENTITY));

        let mut all = [Fr::ZERO; DOMAIN];
        all[..length].copy_from_slice(&values);
        assert_eq!(committer().commit_values(&all), expected);
    }
    let twice = [(3, Fr::ONE), (200, Fr::ONE), (3, Fr::ONE)];
    let expected = naive::sum(
        &[naive::basis()[3], naive::basis()[200]],
        &[Fr::from_u64(2), Fr::ONE],
    );
    assert_eq!(committer().commit_sparse(&twice), Ok(expected));
}

#[test]
fn out_of_range() {
    // Q, behind the basis in the tables, is none of the values' elements
    let found = committer().commit(&[Fr::ONE; 257]);
    assert_eq!(found, Err(Error::TooManyValues { found: 257 }));
    for index in [256, 257, usize::MAX] {
        let terms = [(0, Fr::ONE), (index, Fr::ONE)];
        assert_eq!(
            committer().commit_sparse(&terms),
            Err(Error::Index { index })
        );
        let changes = [(0, Fr::ONE, Fr::ZERO), (index, Fr::ONE, Fr::ZERO)];
        assert_eq!(
            committer().update(&Element::GENERATOR, &changes),
            Err(Error::Index { index })
        );
    }
}

#[test]
fn presets_agree() {
    let mut random = Random(22);
    let polynomials = [random.polynomial(), random.polynomial()];
    let openings = support::open(&polynomials, &[(0, 1), (1, 2)]);
    let small = Committer::new(Preset::Verifier).unwrap();
    assert!(small.memory_bytes() <= 8 << 20, "{}", small.memory_bytes());
    for polynomial in &polynomials {
        assert_eq!(
            small.commit_values(polynomial),
            committer().commit_values(polynomial)
        );
    }
    let mut transcript = Transcript::new(b"presets");
    let proof = Prover::new(committer())
        .prove(&mut transcript, &openings)
        .unwrap();
    let claims = support::claims(&openings);
    let mut transcript = Transcript::new(b"presets");
    assert_eq!(
        Verifier::new(&small).verify(&mut transcript, &claims, &proof),
        Ok(true)
    );
}

#[test]
fn saved_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables");
    let built = Committer::new(Preset::Verifier).unwrap();
    built.save(&path).unwrap();
    let opened = Committer::open(&path).unwrap();
    assert_eq!(opened.memory_bytes(), built.memory_bytes());
    let values = Random(23).polynomial();
    assert_eq!(opened.commit_values(&values), built.commit_values(&values));

    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert!(Committer::open(&path).is_err());
    assert!(Committer::open(folder.path().join("none")).is_err());
}
