//! Randomness from the operating system.

use zeroize::Zeroizing;

/// The operating system gave no randomness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the operating system's random generator failed")]
pub struct RandomError;

/// 64 bytes from the operating system's generator, wiped on drop: enough for a field of 256 bits with bias 2^-256.
pub(crate) fn uniform_bytes() -> Result<Zeroizing<[u8; 64]>, RandomError> {
    let mut bytes = Zeroizing::new([0; 64]);
    getrandom::fill(&mut bytes[..]).map_err(|_| RandomError)?;
    Ok(bytes)
}
