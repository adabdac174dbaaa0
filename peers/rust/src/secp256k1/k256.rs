//! k256 (RustCrypto). It shows no base field, and has constant-time multiplications only.

use k256::ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier};
use k256::ecdsa::{Signature, SigningKey, VerifyingKey};
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::sec1::ToSec1Point;
use k256::{ProjectivePoint, Scalar};

use super::{messages, scalars};
use crate::inputs::hex_bytes;
use crate::row::{Row, Table, for_each_kept};

/// All rows.
pub fn table() -> Table {
    let mut table = Table::new();
    for id in ["secp.mul", "secp.mul_vartime"] {
        table.add(id, |n| {
            let (key, _) = messages(0);
            let point = ProjectivePoint::GENERATOR * scalar(&key);
            let scalars: Vec<Scalar> = self::scalars(n).iter().map(scalar).collect();
            let last = scalars[n - 1];
            Row::new(n, move || for_each_kept(&scalars, |scalar| point * scalar))
                .with_check(move || compressed(&(point * last)))
        });
    }
    table.add("secp.keygen", |n| {
        let scalars: Vec<Scalar> = scalars(n).iter().map(scalar).collect();
        let last = scalars[n - 1];
        let multiply = |scalar: &Scalar| (ProjectivePoint::GENERATOR * scalar).to_affine();
        Row::new(n, move || for_each_kept(&scalars, multiply))
            .with_check(move || compressed(&multiply(&last).into()))
    });
    table.add("secp.ecdsa.sign", |n| {
        let (key, digests) = messages(n);
        let last = digests[n - 1];
        let sign = move |key: &SigningKey, digest: &[u8; 32]| -> Signature {
            key.sign_prehash(digest).expect("a digest")
        };
        let signer = signing(&key);
        Row::new(n, move || {
            for_each_kept(&digests, |digest| sign(&signer, digest))
        })
        .with_check(move || hex_bytes(&sign(&signing(&key), &last).to_bytes()))
    });
    table.add("secp.ecdsa.verify", |n| {
        let (key, digests) = messages(n);
        let key = signing(&key);
        let public = *key.verifying_key();
        let signed: Vec<([u8; 32], Signature)> = digests
            .into_iter()
            .map(|digest| (digest, key.sign_prehash(&digest).expect("a digest")))
            .collect();
        Row::new(n, move || {
            for_each_kept(&signed, |(digest, signature)| {
                public
                    .verify_prehash(digest, signature)
                    .expect("a signature")
            });
        })
    });
    table.add("secp.ecdsa.recover", |n| {
        let (key, digests) = messages(n);
        let key = signing(&key);
        let signed: Vec<_> = digests
            .into_iter()
            .map(|digest| (digest, key.sign_prehash_recoverable(&digest)))
            .collect();
        let last = signed[n - 1];
        let recover = |(digest, (signature, id)): &([u8; 32], (Signature, _))| {
            VerifyingKey::recover_from_prehash(digest, signature, *id).expect("a signature")
        };
        Row::new(n, move || for_each_kept(&signed, recover))
            .with_check(move || hex_bytes(recover(&last).to_sec1_point(true).as_bytes()))
    });
    table
}

fn scalar(bytes: &[u8; 32]) -> Scalar {
    Scalar::from_repr((*bytes).into()).expect("below the order")
}

fn signing(key: &[u8; 32]) -> SigningKey {
    SigningKey::from_slice(key).expect("in range")
}

fn compressed(point: &ProjectivePoint) -> String {
    hex_bytes(point.to_affine().to_sec1_point(true).as_bytes())
}
