//! secp256k1: fields, multiplications, ECDSA, Schnorr.

use frumious_curves::secp256k1::{Affine, Fq, Fr, Projective};
use frumious_field::batch_invert_vartime;
use frumious_signatures::schnorr::Signature as Schnorr;
use frumious_signatures::{SecretKey, ecdsa};

use super::bench_field;
use crate::field::{self, BenchField};
use crate::inputs::hex_bytes;
use crate::row::{Row, Table, for_each_kept};
use crate::secp256k1::{messages, scalars};

bench_field!(Fq);
bench_field!(Fr);

/// Adds the rows.
pub fn add_rows(table: &mut Table) {
    field::add_rows::<Fq>(table, "secp.fq");
    field::add_rows::<Fr>(table, "secp.fr");
    multiplications(table, "secp.mul", Projective::mul);
    multiplications(table, "secp.mul_vartime", Projective::mul_vartime);
    table.add("secp.keygen", |n| {
        let keys: Vec<SecretKey> = scalars(n).iter().map(secret).collect();
        let last = keys[n - 1].clone();
        Row::new(n, move || for_each_kept(&keys, SecretKey::public_key))
            .with_check(move || hex_bytes(&last.public_key().to_compressed()))
    });
    add_ecdsa(table);
    add_schnorr(table);
}

/// Affine results, as the peers'.
fn multiplications(table: &mut Table, id: &str, multiply: fn(&Projective, &Fr) -> Projective) {
    table.add(id, move |n| {
        let (key, _) = messages(0);
        let point = Projective::from(*secret(&key).public_key().point());
        let scalars: Vec<Fr> = scalars(n).iter().map(Fr::from_be_bytes_mod).collect();
        let last = scalars[n - 1];
        let multiply = move |scalar: &Fr| -> Affine { multiply(&point, scalar).to_affine() };
        Row::new(n, move || for_each_kept(&scalars, multiply))
            .with_check(move || hex_bytes(&multiply(&last).to_sec1_compressed()))
    });
}

fn add_ecdsa(table: &mut Table) {
    table.add("secp.ecdsa.sign", |n| {
        let (key, digests) = messages(n);
        let (key, last) = (secret(&key), digests[n - 1]);
        let again = key.clone();
        Row::new(n, move || {
            for_each_kept(&digests, |digest| key.sign_ecdsa(digest))
        })
        .with_check(move || hex_bytes(&again.sign_ecdsa(&last).to_bytes()))
    });
    table.add("secp.ecdsa.verify", |n| {
        let (key, digests) = messages(n);
        let key = secret(&key);
        let public = key.public_key();
        let signed: Vec<_> = digests
            .into_iter()
            .map(|digest| (digest, key.sign_ecdsa(&digest)))
            .collect();
        Row::new(n, move || {
            for_each_kept(&signed, |(digest, signature)| {
                assert!(public.verify_ecdsa(digest, signature));
            });
        })
    });
    table.add("secp.ecdsa.recover", |n| {
        let (key, digests) = messages(n);
        let key = secret(&key);
        let signed: Vec<_> = digests
            .into_iter()
            .map(|digest| (digest, key.sign_ecdsa_recoverable(&digest)))
            .collect();
        let last = signed[n - 1];
        let recover = |(digest, (signature, id)): &([u8; 32], (ecdsa::Signature, _))| {
            ecdsa::recover(digest, signature, *id).expect("a signature")
        };
        Row::new(n, move || for_each_kept(&signed, recover))
            .with_check(move || hex_bytes(&recover(&last).to_compressed()))
    });
}

fn signed(key: &SecretKey, digest: &[u8; 32]) -> Schnorr {
    key.sign_schnorr(digest, &[0; 32])
        .expect("not of probability 2^-256")
}

fn add_schnorr(table: &mut Table) {
    table.add("secp.schnorr.sign", |n| {
        let (key, digests) = messages(n);
        let (key, last) = (secret(&key), digests[n - 1]);
        let again = key.clone();
        Row::new(n, move || {
            for_each_kept(&digests, |digest| signed(&key, digest))
        })
        .with_check(move || hex_bytes(&signed(&again, &last).to_bytes()))
    });
    table.add("secp.schnorr.verify", |n| {
        let (key, digests) = messages(n);
        let key = secret(&key);
        let public = key.public_key().x_only();
        let signed: Vec<([u8; 32], Schnorr)> = digests
            .into_iter()
            .map(|digest| (digest, signed(&key, &digest)))
            .collect();
        Row::new(n, move || {
            for_each_kept(&signed, |(digest, signature)| {
                assert!(public.verify_schnorr(digest, signature));
            });
        })
    });
}

fn secret(bytes: &[u8; 32]) -> SecretKey {
    SecretKey::from_bytes(bytes).expect("in range")
}
