//! Randomness from the operating system.

use zeroize::Zeroizing;

/// The operating system gave no randomness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomError;

impl core::fmt::Display for RandomError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the operating system's random generator failed")
    }
}

impl core::error::Error for RandomError {}

/// `N` bytes from the operating system's generator, wiped on drop. Twice the length of a field's elements gives a bias
/// as small as the inverse of its order.
pub(crate) fn uniform_bytes<const N: usize>() -> Result<Zeroizing<[u8; N]>, RandomError> {
    let mut bytes = Zeroizing::new([0; N]);
    getrandom::fill(&mut bytes[..]).map_err(|_| RandomError)?;
    Ok(bytes)
}
