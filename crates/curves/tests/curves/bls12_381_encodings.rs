//! Bytes of points of BLS12-381: known answers, every malformed form, and the vectors of ethereum/bls12-381-tests.

use frumious_curves::EncodingError::{InvalidFlags, NonCanonical, NotInSubgroup, NotOnCurve};
use frumious_curves::bls12_381::{Fq, G1Affine, G1Projective, G2Affine};
use frumious_curves::{EncodingError, bls12_381::Fr};

fn hex<const N: usize>(text: &str) -> [u8; N] {
    let bytes: Vec<u8> = (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("hexadecimal digits"))
        .collect();
    bytes.try_into().expect("the length")
}

/// The generators as zcash writes them (zkcrypto `bls12_381`, test vectors;
/// draft-irtf-cfrg-pairing-friendly-curves-11).
#[test]
fn generators() {
    let g1 = hex::<48>(
        "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
    );
    assert_eq!(G1Affine::GENERATOR.to_compressed(), g1);
    assert_eq!(G1Affine::from_compressed(&g1), Ok(G1Affine::GENERATOR));
    let g2 = hex::<96>(
        "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e\
         024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8",
    );
    assert_eq!(G2Affine::GENERATOR.to_compressed(), g2);
    assert_eq!(G2Affine::from_compressed(&g2), Ok(G2Affine::GENERATOR));
    let uncompressed = hex::<96>(
        "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb\
         08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1",
    );
    assert_eq!(G1Affine::GENERATOR.to_uncompressed(), uncompressed);
    // the other y has the other flag
    assert_eq!((-G1Affine::GENERATOR).to_compressed()[0], g1[0] ^ 0x20);
    assert_eq!((-G2Affine::GENERATOR).to_compressed()[0], g2[0] ^ 0x20);
}

macro_rules! malformed {
    ($name:ident, $affine:ident, $length:literal) => {
        mod $name {
            use super::*;

            const GOOD: $affine = $affine::GENERATOR;

            /// The generator's bytes with other flags.
            fn compressed(flags: u8) -> Result<$affine, EncodingError> {
                let mut bytes = GOOD.to_compressed();
                bytes[0] = bytes[0] & 0x1f | flags;
                $affine::from_compressed(&bytes)
            }

            fn uncompressed(flags: u8) -> Result<$affine, EncodingError> {
                let mut bytes = GOOD.to_uncompressed();
                bytes[0] = bytes[0] & 0x1f | flags;
                $affine::from_uncompressed(&bytes)
            }

            #[test]
            fn flags() {
                for flags in [0x00, 0x20, 0x40, 0x60, 0xc0, 0xe0] {
                    assert_eq!(compressed(flags), Err(InvalidFlags), "{flags:x}");
                }
                assert_eq!(compressed(0x80), Ok(GOOD));
                assert_eq!(compressed(0xa0), Ok(-GOOD));
                for flags in [0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0] {
                    assert_eq!(uncompressed(flags), Err(InvalidFlags), "{flags:x}");
                }
                assert_eq!(uncompressed(0), Ok(GOOD));
            }

            #[test]
            fn infinity() {
                let mut short = [0; $length];
                let mut long = [0; 2 * $length];
                // zeros without flags are no infinity, nor a point
                assert_eq!($affine::from_compressed(&short), Err(InvalidFlags));
                assert_eq!($affine::from_uncompressed(&long), Err(NotOnCurve));
                (short[0], long[0]) = (0xc0, 0x40);
                assert_eq!($affine::IDENTITY.to_compressed(), short);
                assert_eq!($affine::IDENTITY.to_uncompressed(), long);
                assert_eq!($affine::from_compressed(&short), Ok($affine::IDENTITY));
                assert_eq!($affine::from_uncompressed(&long), Ok($affine::IDENTITY));
                for at in [1, $length / 2, $length - 1] {
                    let mut bytes = short;
                    bytes[at] = 1;
                    assert_eq!($affine::from_compressed(&bytes), Err(InvalidFlags));
                }
                for at in [1, $length, 2 * $length - 1] {
                    let mut bytes = long;
                    bytes[at] = 0x80;
                    assert_eq!($affine::from_uncompressed(&bytes), Err(InvalidFlags));
                }
                for bit in [0x01, 0x10, 0x20] {
                    let (mut bytes, mut both) = (short, long);
                    bytes[0] |= bit;
                    both[0] |= bit;
                    assert_eq!($affine::from_compressed(&bytes), Err(InvalidFlags));
                    assert_eq!($affine::from_uncompressed(&both), Err(InvalidFlags));
                }
            }

            #[test]
            fn coordinates() {
                // each 48 bytes in turn become p, p + 1 and the largest that the flags leave
                let mut p = (-Fq::ONE).to_be_bytes();
                p[47] += 1;
                let mut after_p = p;
                after_p[47] += 1;
                let mut largest = [0xff; 48];
                largest[0] = 0x1f;
                for value in [p, after_p, largest] {
                    for at in (0..2 * $length).step_by(48) {
                        let mut bytes = GOOD.to_uncompressed();
                        bytes[at..at + 48].copy_from_slice(&value);
                        assert_eq!($affine::from_uncompressed(&bytes), Err(NonCanonical));
                    }
                    for at in (0..$length).step_by(48) {
                        let mut bytes = GOOD.to_compressed();
                        bytes[at..at + 48].copy_from_slice(&value);
                        bytes[0] = bytes[0] & 0x1f | 0x80;
                        assert_eq!($affine::from_compressed(&bytes), Err(NonCanonical));
                    }
                }
                let mut bytes = GOOD.to_uncompressed();
                bytes[2 * $length - 1] ^= 1;
                assert_eq!($affine::from_uncompressed(&bytes), Err(NotOnCurve));
                // every x gives a point outside the group, or none; both are met
                let mut errors = Vec::new();
                for k in 1..20 {
                    let mut bytes = [0; $length];
                    (bytes[0], bytes[$length - 1]) = (0x80, k);
                    errors.extend($affine::from_compressed(&bytes).err());
                }
                assert_eq!(errors.len(), 19);
                assert!(errors.contains(&NotOnCurve) && errors.contains(&NotInSubgroup));
            }
        }
    };
}
malformed!(g1, G1Affine, 48);
malformed!(g2, G2Affine, 96);

/// Each file has the bytes of a public key and, unless it is malformed, says so.
#[test]
fn vectors_of_ethereum() {
    let Some(folder) = frumious_testing::shared("vectors/bls/deserialization_G1") else {
        return;
    };
    let mut seen = [0, 0];
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a file");
        let case: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let bytes = case["input"]["pubkey"]
            .as_str()
            .expect("hexadecimal digits");
        let expected = case["output"].as_bool().expect("a truth value");
        let point = (bytes.len() == 96).then(|| G1Affine::from_compressed(&hex(bytes)));
        let valid = matches!(point, Some(Ok(_)));
        assert_eq!(valid, expected, "{text}");
        if let Some(Ok(point)) = point {
            assert_eq!(point.to_compressed(), hex::<48>(bytes));
        }
        seen[usize::from(valid)] += 1;
    }
    assert!(seen[0] >= 10 && seen[1] >= 2, "{seen:?}");
}

/// Random points have both signs of y.
#[test]
fn signs() {
    let mut point = G1Projective::GENERATOR;
    let mut largest = 0;
    for _ in 0..50 {
        point = point.mul_vartime(&Fr::from_u64(0x1234_5678_9abc_def1));
        let affine = point.to_affine();
        largest += u32::from(affine.to_compressed()[0] >> 5 & 1);
        assert_eq!(
            G1Affine::from_compressed(&affine.to_compressed()),
            Ok(affine)
        );
    }
    assert!((10..40).contains(&largest));
}
