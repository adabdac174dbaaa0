//! The contract's body over BN254: the precompiled contracts 6, 7 (EIP-196) and 8 (EIP-197).

use std::fmt::{self, Write};

use frumious_curves::PairingEngine;
use frumious_curves::engine::{Coordinates, ResidueField};
use frumious_groth16::VerifyingKey;

use super::{constants, hexadecimal, modulus, title_of_ic};

pub(super) fn write_body<E: PairingEngine>(out: &mut String, vk: &VerifyingKey<E>) -> fmt::Result {
    write_constants(out, vk)?;
    write_verify_proof(out, vk.n_public())?;
    if vk.n_public() > 0 {
        out.push_str(ACCUMULATE);
    }
    Ok(())
}

/// The moduli and the key. Coordinates in G2 have their imaginary part (`_IM`) and their real part (`_RE`).
fn write_constants<E: PairingEngine>(out: &mut String, vk: &VerifyingKey<E>) -> fmt::Result {
    constants(
        out,
        "The order of the group, and the modulus of the coordinates.",
        &[
            ("R".into(), hexadecimal(&modulus(E::Fr::MODULUS_WORDS))),
            ("Q".into(), hexadecimal(&modulus(E::Fq::MODULUS_WORDS))),
        ],
    )?;
    let alpha = named("ALPHA", ["X", "Y"], &vk.alpha_g1.coefficients());
    constants(out, "The verification key.", &alpha)?;
    for (name, point) in [
        ("BETA", &vk.beta_g2),
        ("GAMMA", &vk.gamma_g2),
        ("DELTA", &vk.delta_g2),
    ] {
        let parts = ["X_RE", "X_IM", "Y_RE", "Y_IM"];
        let mut coordinates = named(name, parts, &point.coefficients());
        coordinates.swap(0, 1); // the imaginary part first
        coordinates.swap(2, 3);
        constants(out, &format!("{name} in G2."), &coordinates)?;
    }
    for (index, point) in vk.ic.iter().enumerate() {
        let coordinates = named(&format!("IC{index}"), ["X", "Y"], &point.coefficients());
        constants(out, &title_of_ic(index), &coordinates)?;
    }
    Ok(())
}

/// Coefficients in decimal, each with its name.
fn named<F: ResidueField, const N: usize>(
    name: &str,
    parts: [&str; N],
    coefficients: &[F],
) -> Vec<(String, String)> {
    let values = coefficients.iter().map(ResidueField::to_decimal_vartime);
    let names = parts.iter().map(|part| format!("{name}_{part}"));
    names.zip(values).collect()
}

fn write_verify_proof(out: &mut String, n_public: usize) -> fmt::Result {
    out.push_str(VERIFY_DOC);
    out.push_str(VERIFY_START);
    if n_public > 0 {
        write!(out, ",\n        uint256[{n_public}] calldata _pubSignals")?;
    }
    out.push_str(VERIFY_CHECKS);
    for signal in 1..=n_public {
        writeln!(
            out,
            "        if (!accumulate(work, IC{signal}_X, IC{signal}_Y, _pubSignals[{}])) return false;",
            signal - 1
        )?;
    }
    out.push_str(VERIFY_PAIRING);
    Ok(())
}

const VERIFY_DOC: &str = "    \
    /// @notice Whether the proof is valid for the public signals.
    /// @dev Points are as in EIP-197: in G2 the imaginary part comes first. Numbers that are not below their modulus
    /// make the proof invalid, so that each statement has one encoding. Never reverts, unless gas runs out; a point off
    /// the curve makes the precompiled contract consume most of the gas.
";

const VERIFY_START: &str = "    \
    function verifyProof(
        uint256[2] calldata _pA,
        uint256[2][2] calldata _pB,
        uint256[2] calldata _pC";

const VERIFY_CHECKS: &str = "
    ) public view returns (bool) {
        if (_pA[0] >= Q || _pA[1] >= Q || _pC[0] >= Q || _pC[1] >= Q) return false;
        if (_pB[0][0] >= Q || _pB[0][1] >= Q || _pB[1][0] >= Q || _pB[1][1] >= Q) return false;

        // work[0], work[1]: the sum of the public signals' points; the rest is scratch.
        uint256[5] memory work;
        work[0] = IC0_X;
        work[1] = IC0_Y;
";

const VERIFY_PAIRING: &str = "
        uint256[24] memory pairs;
        pairs[0] = _pA[0];
        pairs[1] = _pA[1] == 0 ? 0 : Q - _pA[1];
        pairs[2] = _pB[0][0];
        pairs[3] = _pB[0][1];
        pairs[4] = _pB[1][0];
        pairs[5] = _pB[1][1];

        pairs[6] = ALPHA_X;
        pairs[7] = ALPHA_Y;
        pairs[8] = BETA_X_IM;
        pairs[9] = BETA_X_RE;
        pairs[10] = BETA_Y_IM;
        pairs[11] = BETA_Y_RE;

        pairs[12] = work[0];
        pairs[13] = work[1];
        pairs[14] = GAMMA_X_IM;
        pairs[15] = GAMMA_X_RE;
        pairs[16] = GAMMA_Y_IM;
        pairs[17] = GAMMA_Y_RE;

        pairs[18] = _pC[0];
        pairs[19] = _pC[1];
        pairs[20] = DELTA_X_IM;
        pairs[21] = DELTA_X_RE;
        pairs[22] = DELTA_Y_IM;
        pairs[23] = DELTA_Y_RE;

        bool success;
        uint256[1] memory result;
        assembly {
            success := staticcall(gas(), 8, pairs, 768, result, 32)
        }
        return success && result[0] == 1;
    }
";

const ACCUMULATE: &str = "
    /// @dev Adds signal * (x, y) to the point in work[0], work[1]; false when the signal is not a scalar.
    function accumulate(uint256[5] memory work, uint256 x, uint256 y, uint256 signal)
        private
        view
        returns (bool)
    {
        if (signal >= R) return false;
        work[2] = x;
        work[3] = y;
        work[4] = signal;
        bool multiplied;
        bool added;
        assembly {
            let product := add(work, 64)
            multiplied := staticcall(gas(), 7, product, 96, product, 64)
            added := staticcall(gas(), 6, work, 128, work, 64)
        }
        return multiplied && added;
    }
";
