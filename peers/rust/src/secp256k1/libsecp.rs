//! libsecp256k1 through the crate `secp256k1`.

use secp256k1::ecdsa::RecoverableSignature;
use secp256k1::{Keypair, Message, PublicKey, Scalar, SecretKey, ecdsa, schnorr};

use super::{internals, messages, scalars};
use crate::inputs::hex_bytes;
use crate::row::{Row, Table, for_each_kept};

/// All rows. It multiplies a public point in variable time only, and gives affine points.
pub fn table() -> Table {
    let mut table = Table::new();
    internals::add_rows(&mut table);
    for id in ["secp.mul", "secp.mul_vartime"] {
        table.add(id, |n| {
            let (key, _) = messages(0);
            let point = public(&key);
            let scalars = scalars(n).into_iter();
            let scalars: Vec<Scalar> = scalars
                .map(|bytes| Scalar::from_be_bytes(bytes).expect("below the order"))
                .collect();
            let last = scalars[n - 1];
            let multiply = move |scalar: &Scalar| point.mul_tweak(scalar).expect("not zero");
            Row::new(n, move || for_each_kept(&scalars, multiply))
                .with_check(move || hex_bytes(&multiply(&last).serialize()))
        });
    }
    table.add("secp.keygen", |n| {
        let scalars = scalars(n).into_iter();
        let keys: Vec<SecretKey> = scalars.map(secret).collect();
        let last = keys[n - 1];
        Row::new(n, move || for_each_kept(&keys, PublicKey::from_secret_key))
            .with_check(move || hex_bytes(&PublicKey::from_secret_key(&last).serialize()))
    });
    table.add("secp.ecdsa.sign", |n| {
        let (key, digests) = messages(n);
        let key = secret(key);
        let last = digests[n - 1];
        let sign = move |digest: &[u8; 32]| ecdsa::sign(Message::from_digest(*digest), &key);
        Row::new(n, move || for_each_kept(&digests, sign))
            .with_check(move || hex_bytes(&sign(&last).serialize_compact()))
    });
    table.add("secp.ecdsa.verify", |n| {
        let (key, digests) = messages(n);
        let (key, public) = (secret(key), public(&key));
        let signed: Vec<_> = digests
            .into_iter()
            .map(Message::from_digest)
            .map(|message| (message, ecdsa::sign(message, &key)))
            .collect();
        Row::new(n, move || {
            for_each_kept(&signed, |(message, signature)| {
                ecdsa::verify(signature, *message, &public).expect("a signature")
            });
        })
    });
    table.add("secp.ecdsa.recover", |n| {
        let (key, digests) = messages(n);
        let key = secret(key);
        let signed: Vec<_> = digests
            .into_iter()
            .map(Message::from_digest)
            .map(|message| {
                (
                    message,
                    RecoverableSignature::sign_ecdsa_recoverable(message, &key),
                )
            })
            .collect();
        let last = signed[n - 1];
        let recover = |(message, signature): &(Message, RecoverableSignature)| {
            signature.recover_ecdsa(*message).expect("a signature")
        };
        Row::new(n, move || for_each_kept(&signed, recover))
            .with_check(move || hex_bytes(&recover(&last).serialize()))
    });
    table.add("secp.schnorr.sign", |n| {
        let (key, digests) = messages(n);
        let last = digests[n - 1];
        // a pair holds the public key already: making it is part of signing with a secret key alone
        let sign = move |digest: &[u8; 32]| {
            let pair = Keypair::from_secret_bytes(key).expect("in range");
            schnorr::sign_with_aux_rand(digest, &pair, &[0; 32])
        };
        Row::new(n, move || for_each_kept(&digests, sign))
            .with_check(move || hex_bytes(&sign(&last).to_byte_array()))
    });
    table.add("secp.schnorr.verify", |n| {
        let (key, digests) = messages(n);
        let pair = Keypair::from_secret_bytes(key).expect("in range");
        let public = pair.x_only_public_key().0;
        let signed: Vec<_> = digests
            .into_iter()
            .map(|digest| {
                (
                    digest,
                    schnorr::sign_with_aux_rand(&digest, &pair, &[0; 32]),
                )
            })
            .collect();
        Row::new(n, move || {
            for_each_kept(&signed, |(digest, signature)| {
                schnorr::verify(signature, digest, &public).expect("a signature")
            });
        })
    });
    table
}

fn secret(bytes: [u8; 32]) -> SecretKey {
    SecretKey::from_secret_bytes(bytes).expect("in range")
}

fn public(key: &[u8; 32]) -> PublicKey {
    PublicKey::from_secret_key(&secret(*key))
}
