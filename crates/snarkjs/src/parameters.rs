//! Records of contributions in both phases of a ceremony: points, and at the end who made it.
//!
//! The end is `type u32 | length u32 | params[length]`. The params are `1 | length u8 | name`, `2 | iterationsExp u8`,
//! `3 | length u8 | beacon hash`, their tags ascending.

use frumious_circom::container::{Cursor, Section};
use frumious_circom::{Error, Problem};
use frumious_curves::engine::PairingGroup;

/// The end of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameters {
    /// True if the contribution says that it is a random beacon's.
    pub is_beacon: bool,
    /// Name the contributor gave, if any.
    pub name: Option<String>,
    /// The beacon's hash, and the base-two logarithm of the number of iterations.
    pub beacon: Option<(Vec<u8>, u8)>,
}

impl Parameters {
    pub fn read(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let is_beacon = cursor.u32()? == BEACON;
        let length = cursor.u32()?;
        let start = cursor.offset();
        let bytes = cursor.take(length.into())?;
        let mut parameters = Self {
            is_beacon,
            name: None,
            beacon: None,
        };
        parameters.read_records(Cursor::new(Section {
            offset: start,
            bytes,
            ..*cursor.section()
        }))?;
        Ok(parameters)
    }

    fn read_records(&mut self, mut params: Cursor<'_>) -> Result<(), Error> {
        let (mut iterations, mut last) = (0, 0);
        while !params.is_at_end() {
            let tag = params.u8()?;
            if (1..=last).contains(&tag) {
                let problem = Problem::Expected("parameters in ascending order");
                return Err(params.error_before(1, problem));
            }
            last = tag;
            match tag {
                1 => {
                    let length = params.u8()?;
                    let name = params.take(length.into())?;
                    self.name = Some(String::from_utf8_lossy(name).into_owned());
                }
                2 => iterations = params.u8()?,
                3 => {
                    let length = params.u8()?;
                    self.beacon = Some((params.take(length.into())?.to_vec(), iterations));
                }
                other => {
                    let problem = Problem::OutOfRange {
                        what: "parameter type",
                        value: other.into(),
                        bound: 4,
                    };
                    return Err(params.error_before(1, problem));
                }
            }
        }
        Ok(())
    }

    /// Writes the end of a record.
    pub fn append_to(&self, record: &mut Vec<u8>) {
        record.extend((if self.is_beacon { BEACON } else { 0 }).to_le_bytes());
        let mut params = Vec::new();
        let length =
            |bytes: &[u8]| u8::try_from(bytes.len()).expect("it was cut to a byte's length");
        if let Some(name) = &self.name {
            params.extend([1, length(name.as_bytes())]);
            params.extend(name.as_bytes());
        }
        if let Some((hash, iterations)) = &self.beacon {
            params.extend([2, *iterations, 3, length(hash)]);
            params.extend(hash);
        }
        record.extend((params.len() as u32).to_le_bytes());
        record.extend(params);
    }
}

/// The next point of a record, checked to be in its group.
pub(crate) fn point<P: PairingGroup>(cursor: &mut Cursor<'_>) -> Result<P, Error> {
    let size = P::BYTES as u64;
    P::from_montgomery_bytes(cursor.take(size)?)
        .map_err(|reason| cursor.error_before(size, Problem::Point(reason)))
}

/// The first 64 UTF-16 units of a name, at most 192 bytes.
pub(crate) fn cut(name: &str) -> String {
    let units: Vec<u16> = name.encode_utf16().take(64).collect();
    String::from_utf16_lossy(&units)
}

/// The type of a beacon's contribution; any other is a person's.
const BEACON: u32 = 1;
