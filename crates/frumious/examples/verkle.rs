//! Verkle: commit to 256 values, update some, prove openings of both commitments, verify.
//!
//! Run it with `cargo run --release -p frumious --example verkle`.

use frumious::curves::bandersnatch::Fr;
use frumious::verkle::{
    Claim, Committer, DOMAIN, Multiproof, Opening, Preset, Prover, Transcript, Verifier,
};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    // Tables over the basis; larger presets commit faster. `Committer::save` and `open` keep them on disk.
    let committer = Committer::new(Preset::Verifier)?;

    let old: [Fr; DOMAIN] = core::array::from_fn(|index| Fr::from(index * index));
    let old_commitment = committer.commit_values(&old);

    // Two values change. The commitment follows without the other 254.
    let mut new = old;
    (new[3], new[200]) = (Fr::from(1_000_000), -Fr::ONE);
    let changes = [3, 200].map(|index| (index, old[index], new[index]));
    let new_commitment = committer.update(&old_commitment, &changes)?;
    assert_eq!(new_commitment, committer.commit_values(&new));

    // One proof of 576 bytes for all openings.
    let opening = |commitment, polynomial, point| Opening {
        commitment,
        polynomial,
        point,
    };
    let openings = [
        opening(old_commitment, &old, 3),
        opening(new_commitment, &new, 3),
        opening(new_commitment, &new, 200),
        opening(new_commitment, &new, 255),
    ];
    let proof = Prover::new(&committer).prove(&mut Transcript::new(b"example"), &openings)?;
    let bytes = proof.to_bytes();

    // The verifier has commitments, indices, values and the bytes.
    let claims: Vec<Claim> = openings.iter().map(Opening::claim).collect();
    let proof = Multiproof::from_bytes(&bytes)?;
    let mut verifier = Verifier::new(&committer);
    assert!(verifier.verify(&mut Transcript::new(b"example"), &claims, &proof)?);

    let mut false_claims = claims.clone();
    false_claims[2].value = Fr::ZERO;
    assert!(!verifier.verify(&mut Transcript::new(b"example"), &false_claims, &proof)?);
    println!("{} openings in {} bytes", claims.len(), bytes.len());
    println!("commitment before {old_commitment}\n           after  {new_commitment}");
    Ok(())
}
