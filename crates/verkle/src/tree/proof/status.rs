//! The end of the path of a stem, in a byte.

/// The end of the path of a stem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// An inner node without a child there.
    AbsentEmpty,
    /// The leaf of another stem.
    AbsentOther,
    /// The leaf of the stem.
    Present,
}

/// The status byte of a stem: what its path leads to, and the path's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StemStatus {
    presence: Presence,
    depth: u8,
}

impl StemStatus {
    /// The status; `None` for a depth outside of 1 to 31.
    pub fn new(presence: Presence, depth: u8) -> Option<Self> {
        (1..=31)
            .contains(&depth)
            .then_some(Self { presence, depth })
    }

    /// The status of a byte: the depth in the upper five bits, 0, 1 or 2 in the others. `None` for all other bytes.
    pub fn from_byte(byte: u8) -> Option<Self> {
        let presence = match byte & 7 {
            0 => Presence::AbsentEmpty,
            1 => Presence::AbsentOther,
            2 => Presence::Present,
            _ => return None,
        };
        Self::new(presence, byte >> 3)
    }

    /// The byte.
    pub fn to_byte(&self) -> u8 {
        let presence = match self.presence {
            Presence::AbsentEmpty => 0,
            Presence::AbsentOther => 1,
            Presence::Present => 2,
        };
        self.depth << 3 | presence
    }

    /// The end of the path.
    pub fn presence(&self) -> Presence {
        self.presence
    }

    /// Bytes of the stem that the path has, 1 to 31.
    pub fn depth(&self) -> usize {
        self.depth.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes() {
        let valid: Vec<u8> = (0..=255)
            .filter(|&byte| StemStatus::from_byte(byte).is_some_and(|s| s.to_byte() == byte))
            .collect();
        let expected: Vec<u8> = (1..32)
            .flat_map(|d| [8 * d, 8 * d + 1, 8 * d + 2])
            .collect();
        assert_eq!(valid, expected);
        assert_eq!(StemStatus::new(Presence::Present, 0), None);
        assert_eq!(StemStatus::new(Presence::Present, 32), None);
    }
}
