//! Names of signals, as generators know them.

/// The name of a signal as the module knows it: FNV-1a of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignalHash(pub(crate) u64);

impl SignalHash {
    /// Source: Fowler, Noll, Vo; offset basis and prime as in RFC 9923. circom's script hashes the UTF-16
    /// units of the name, which for circom's identifiers are its bytes.
    pub(crate) fn of(name: &str) -> Self {
        Self(
            name.encode_utf16()
                .fold(0xcbf2_9ce4_8422_2325, |hash: u64, unit| {
                    (hash ^ u64::from(unit)).wrapping_mul(0x0100_0000_01b3)
                }),
        )
    }

    pub(crate) fn halves(self) -> (i32, i32) {
        let high = (self.0 >> 32) as u32;
        let low = self.0 as u32;
        (high.cast_signed(), low.cast_signed())
    }
}
