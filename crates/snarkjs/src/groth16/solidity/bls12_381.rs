//! The contract's body over BLS12-381, by precompiled contracts of EIP-2537. 0x0b adds two points of G1, 0x0c adds
//! multiples in G1, and 0x0f multiplies pairings.
//!
//! A coordinate is a number of 64 bytes: two words, `_HI` and `_LO`. In G2 the real part (`0`) comes before the
//! imaginary part (`1`), in contrast to EIP-197. Precompile 0x0c and 0x0f check that points are in their groups.

use std::fmt::{self, Write};

use frumious_curves::PairingEngine;
use frumious_curves::engine::{Coordinates, ResidueField};
use frumious_groth16::VerifyingKey;

use super::{constants, hexadecimal, modulus, title_of_ic};

pub(super) fn write_body<E: PairingEngine>(out: &mut String, vk: &VerifyingKey<E>) -> fmt::Result {
    write_constants(out, vk)?;
    write_verify_proof(out, vk.n_public())?;
    out.push_str(BELOW_Q);
    Ok(())
}

fn write_constants<E: PairingEngine>(out: &mut String, vk: &VerifyingKey<E>) -> fmt::Result {
    let q = two_words("Q", &modulus(E::Fq::MODULUS_WORDS));
    let r = ("R".to_owned(), hexadecimal(&modulus(E::Fr::MODULUS_WORDS)));
    let title = "The order of the group, and the modulus of the coordinates in two words.";
    constants(out, title, &[vec![r], q].concat())?;
    constants(
        out,
        "The verification key.",
        &words_of("ALPHA", IN_G1, &vk.alpha_g1),
    )?;
    for (name, point) in [
        ("BETA", &vk.beta_g2),
        ("GAMMA", &vk.gamma_g2),
        ("DELTA", &vk.delta_g2),
    ] {
        constants(
            out,
            &format!("{name} in G2."),
            &words_of(name, IN_G2, point),
        )?;
    }
    for (index, point) in vk.ic.iter().enumerate() {
        let words = words_of(&format!("IC{index}"), IN_G1, point);
        constants(out, &title_of_ic(index), &words)?;
    }
    Ok(())
}

/// The words of a point, each with its name.
fn words_of<P: Coordinates<Base: ResidueField>>(
    name: &str,
    parts: &[&str],
    point: &P,
) -> Vec<(String, String)> {
    let coefficients = point.coefficients();
    let named = parts.iter().zip(&coefficients);
    let words =
        named.map(|(part, value)| two_words(&format!("{name}_{part}"), &value.to_be_bytes()));
    words.flatten().collect()
}

/// A number of 48 bytes: the first 16, and the other 32.
fn two_words(name: &str, bytes: &[u8]) -> Vec<(String, String)> {
    let (high, low) = bytes.split_at(bytes.len() - 32);
    vec![
        (format!("{name}_HI"), hexadecimal(high)),
        (format!("{name}_LO"), hexadecimal(low)),
    ]
}

fn write_verify_proof(out: &mut String, n_public: usize) -> fmt::Result {
    out.push_str(VERIFY_DOC);
    if n_public > 0 {
        write!(out, ",\n        uint256[{n_public}] calldata _pubSignals")?;
    }
    out.push_str(VERIFY_CHECKS);
    assign(out, "sum", 0, "IC0", IN_G1)?;
    if n_public > 0 {
        writeln!(out, "\n        // Each signal's point, and the signal.")?;
        writeln!(out, "        uint256[{}] memory terms;", 5 * n_public)?;
        for signal in 1..=n_public {
            let at = 5 * (signal - 1);
            let argument = format!("_pubSignals[{}]", signal - 1);
            writeln!(out, "        if ({argument} >= R) return false;")?;
            assign(out, "terms", at, &format!("IC{signal}"), IN_G1)?;
            writeln!(out, "        terms[{}] = {argument};", at + 4)?;
        }
        write!(
            out,
            "{}",
            SUM.replace("BYTES", &(160 * n_public).to_string())
        )?;
    }
    out.push_str(PAIRS);
    for (pair, g1, g2) in [(1, "ALPHA", "BETA"), (2, "", "GAMMA"), (3, "", "DELTA")] {
        if !g1.is_empty() {
            assign(out, "pairs", 12 * pair, g1, IN_G1)?;
        }
        assign(out, "pairs", 12 * pair + 4, g2, IN_G2)?;
    }
    out.push_str(PAIRING);
    Ok(())
}

/// Assigns the words of a point to elements of an array.
fn assign(out: &mut String, array: &str, start: usize, name: &str, parts: &[&str]) -> fmt::Result {
    let words = parts.iter().flat_map(|part| [(part, "HI"), (part, "LO")]);
    for (index, (part, half)) in (start..).zip(words) {
        writeln!(out, "        {array}[{index}] = {name}_{part}_{half};")?;
    }
    Ok(())
}

const IN_G1: &[&str] = &["X", "Y"];
const IN_G2: &[&str] = &["X0", "X1", "Y0", "Y1"];

const VERIFY_DOC: &str = "    \
    /// @notice Whether the proof is valid for the public signals.
    /// @dev Points are as in EIP-2537: a coordinate has two words, in G2 the real part comes first. Numbers that are
    /// not below their modulus make the proof invalid, so that each statement has one encoding. Never reverts, unless
    /// gas runs out; a point outside its group makes the precompiled contract consume most of the gas.
    function verifyProof(
        uint256[4] calldata _pA,
        uint256[8] calldata _pB,
        uint256[4] calldata _pC";

const VERIFY_CHECKS: &str = "
    ) public view returns (bool) {
        if (!isBelowQ(_pA[0], _pA[1]) || !isBelowQ(_pA[2], _pA[3])) return false;
        if (!isBelowQ(_pB[0], _pB[1]) || !isBelowQ(_pB[2], _pB[3])) return false;
        if (!isBelowQ(_pB[4], _pB[5]) || !isBelowQ(_pB[6], _pB[7])) return false;
        if (!isBelowQ(_pC[0], _pC[1]) || !isBelowQ(_pC[2], _pC[3])) return false;

        bool success;
        // sum[0] to sum[3]: the sum of the public signals' points; the rest is scratch.
        uint256[8] memory sum;
";

const SUM: &str = "        \
        assembly {
            success := staticcall(gas(), 0x0c, terms, BYTES, add(sum, 128), 128)
            success := and(success, eq(returndatasize(), 128))
        }
        if (!success) return false;
        assembly {
            success := staticcall(gas(), 0x0b, sum, 256, sum, 128)
            success := and(success, eq(returndatasize(), 128))
        }
        if (!success) return false;
";

const PAIRS: &str = "
        uint256[48] memory pairs;
        assembly {
            calldatacopy(pairs, _pA, 128)
            calldatacopy(add(pairs, 128), _pB, 256)
            calldatacopy(add(pairs, 1152), _pC, 128)
        }
        pairs[24] = sum[0];
        pairs[25] = sum[1];
        pairs[26] = sum[2];
        pairs[27] = sum[3];
        // -A: its y is Q - y, unless A is infinity.
        if (pairs[2] != 0 || pairs[3] != 0) {
            uint256 high = pairs[2];
            uint256 low = pairs[3];
            uint256 borrow = low > Q_LO ? 1 : 0;
            uint256 qHigh = Q_HI;
            uint256 qLow = Q_LO;
            assembly {
                high := sub(sub(qHigh, high), borrow)
                low := sub(qLow, low)
            }
            pairs[2] = high;
            pairs[3] = low;
        }
";

const PAIRING: &str = "
        uint256[1] memory result;
        assembly {
            success := staticcall(gas(), 0x0f, pairs, 1536, result, 32)
            success := and(success, eq(returndatasize(), 32))
        }
        return success && result[0] == 1;
    }
";

const BELOW_Q: &str = "
    /// @dev Whether the number in two words is below the modulus of the coordinates.
    function isBelowQ(uint256 high, uint256 low) private pure returns (bool) {
        return high < Q_HI || (high == Q_HI && low < Q_LO);
    }
";
