//! The arguments of the Solidity verifier's `verifyProof`, as `snarkjs zkey export soliditycalldata` prints them.

use frumious_curves::Bn254;
use frumious_curves::bn254::Fr;

use frumious_groth16::Proof;

/// One line: `[a], [[b]], [c], [public]`, numbers as quoted 64-digit hexadecimal, and no newline.
///
/// The two halves of each coordinate of B are swapped: EIP-197 puts the imaginary part first. Infinity is all zeros
/// (EIP-196), where snarkjs would print coordinates (0, 1), which the precompiles refuse.
pub fn calldata(proof: &Proof<Bn254>, public: &[Fr]) -> String {
    let [ax, ay] = words(&proof.a.to_eip197_bytes());
    let [bx1, bx0, by1, by0] = words(&proof.b.to_eip197_bytes());
    let [cx, cy] = words(&proof.c.to_eip197_bytes());
    let public: Vec<String> = public
        .iter()
        .map(|signal| quoted(&signal.to_be_bytes()))
        .collect();
    let public = public.join(",");
    format!("[{ax}, {ay}],[[{bx1}, {bx0}],[{by1}, {by0}]],[{cx}, {cy}],[{public}]")
}

/// Each 32 bytes of an encoded point as a quoted number.
fn words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [String; WORDS] {
    let (words, _) = bytes.as_chunks::<32>();
    std::array::from_fn(|i| quoted(&words[i]))
}

fn quoted(word: &[u8; 32]) -> String {
    let digits: String = word.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"0x{digits}\"")
}
