//! The arguments of the Solidity verifier's `verifyProof`. Those of BN254 are as `snarkjs zkey export soliditycalldata`
//! prints them.

use frumious_curves::engine::{BigEndianEncoding, Coordinates, ResidueField};
use frumious_curves::{PairingCurve, PairingEngine};

use frumious_groth16::Proof;

/// One line of arrays, numbers as quoted 64-digit hexadecimal, and no newline. Infinity is all zeros.
///
/// - BN254: `[a],[[b]],[c],[public]`. The two halves of each coordinate of B are swapped: EIP-197 puts the imaginary
///   part first. snarkjs would print infinity as coordinates (0, 1), which the precompiles refuse.
/// - BLS12-381: `[a],[b],[c],[public]`. A coordinate has two words, and in B the real part comes first (EIP-2537).
pub fn calldata<E: PairingEngine>(proof: &Proof<E>, public: &[E::Fr]) -> String {
    let public: Vec<String> = public
        .iter()
        .map(|signal| quoted(&signal.to_be_bytes()))
        .collect();
    let public = public.join(",");
    let Proof { a, b, c } = proof;
    let [a, b, c] = match E::CURVE {
        PairingCurve::Bn254 => {
            let b = words(&b.to_big_endian_bytes());
            let [x, y] = [&b[..2], &b[2..]].map(array);
            [
                array(&words(&a.to_big_endian_bytes())),
                format!("[{x},{y}]"),
                array(&words(&c.to_big_endian_bytes())),
            ]
        }
        PairingCurve::Bls12_381 => [padded(a), padded(b), padded(c)],
    };
    format!("{a},{b},{c},[{public}]")
}

/// The words of a point over BLS12-381, each coordinate behind 16 bytes of zeros.
fn padded<P: Coordinates<Base: ResidueField>>(point: &P) -> String {
    let bytes = point.coefficients().into_iter().flat_map(|coefficient| {
        let bytes = coefficient.to_be_bytes();
        [vec![0; 64 - bytes.len()], bytes].concat()
    });
    array(&words(&bytes.collect::<Vec<u8>>()))
}

fn array(words: &[String]) -> String {
    format!("[{}]", words.join(", "))
}

/// Each 32 bytes as a quoted number.
fn words(bytes: &[u8]) -> Vec<String> {
    bytes.chunks(32).map(quoted).collect()
}

fn quoted(word: &[u8]) -> String {
    let digits: String = word.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"0x{digits}\"")
}
