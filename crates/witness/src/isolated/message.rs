//! The messages between parent and child. Numbers are little-endian.
//!
//! | from | bytes |
//! |---|---|
//! | parent, once | `memory u64`, `nanoseconds u64`, `log u8`, `record u8`, then module and inputs, each after its `length u64` |
//! | child | `c` compiled; `s` and `curve u8`: started |
//! | child | `l` and a text: a line of the log |
//! | child | `e`, `blame u8` and a text: no witness, and why |
//! | child | `w`, then `count u64` and so many values of 32 bytes: the witness |
//! | child | after the witness: `length u64` and a recorded run, of length zero if there is none |
//!
//! A text is `length u32` and UTF-8.

use std::io::{self, Read, Write};
use std::time::Duration;

use frumious_curves::PairingCurve;
use zeroize::Zeroizing;

use super::{Blame, Refusal};
use crate::host::Limits;

/// The work of the child.
pub(super) struct Request<B> {
    pub(super) limits: Limits,
    pub(super) log: bool,
    /// True if a recorded run is wanted.
    pub(super) record: bool,
    pub(super) module: B,
    /// The text of the inputs.
    pub(super) inputs: B,
}

impl Request<&[u8]> {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let nanoseconds = u64::try_from(self.limits.time.as_nanos()).unwrap_or(u64::MAX);
        out.write_all(&self.limits.memory_bytes.to_le_bytes())?;
        out.write_all(&nanoseconds.to_le_bytes())?;
        out.write_all(&[u8::from(self.log), u8::from(self.record)])?;
        for part in [self.module, self.inputs] {
            out.write_all(&(part.len() as u64).to_le_bytes())?;
            out.write_all(part)?;
        }
        Ok(())
    }
}

impl Request<Zeroizing<Vec<u8>>> {
    pub(super) fn read(from: &mut impl Read) -> io::Result<Self> {
        let limits = Limits {
            memory_bytes: read_u64(from)?,
            time: Duration::from_nanos(read_u64(from)?),
        };
        let [log, record] = read_array::<2>(from)?.map(|flag| flag != 0);
        let mut part = || {
            let length = read_u64(from)?;
            // At once, so that no copy is left behind; the parent is to be believed.
            let mut bytes = Zeroizing::new(Vec::with_capacity(length as usize));
            from.take(length).read_to_end(&mut bytes)?;
            match bytes.len() as u64 == length {
                true => Ok(bytes),
                false => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
            }
        };
        let (module, inputs) = (part()?, part()?);
        Ok(Self {
            limits,
            log,
            record,
            module,
            inputs,
        })
    }
}

/// The answer of the child.
pub(super) enum Message {
    Compiled,
    Started(PairingCurve),
    Log(String),
    Refused(Refusal),
    /// The values follow.
    Witness,
    Values(Values),
    /// The bytes of a recorded run, if there is one.
    Run(Vec<u8>),
}

impl Message {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Message::Compiled => "compiled",
            Message::Started(_) => "started",
            Message::Log(_) => "log",
            Message::Refused(_) => "refused",
            Message::Witness | Message::Values(_) => "witness",
            Message::Run(_) => "recorded run",
        }
    }

    /// Writes a message, but for the values.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Message::Compiled => out.write_all(b"c")?,
            Message::Started(curve) => out.write_all(&[b's', curve_number(*curve)])?,
            Message::Log(line) => {
                out.write_all(b"l")?;
                write_text(out, line)?;
            }
            Message::Refused(refusal) => {
                let blame = match refusal.blame {
                    Blame::Inputs => 0,
                    Blame::Unsatisfied => 1,
                    Blame::Module => 2,
                };
                out.write_all(&[b'e', blame])?;
                write_text(out, &refusal.message)?;
            }
            Message::Witness | Message::Values(_) => out.write_all(b"w")?,
            Message::Run(bytes) => {
                out.write_all(&(bytes.len() as u64).to_le_bytes())?;
                out.write_all(bytes)?;
            }
        }
        out.flush()
    }

    /// The next message, but for the values, which [`Values::read`] reads.
    pub(super) fn read(from: &mut impl Read) -> io::Result<Self> {
        Ok(match read_array(from)? {
            [b'c'] => Message::Compiled,
            [b's'] => Message::Started(match read_array(from)? {
                [0] => PairingCurve::Bn254,
                [1] => PairingCurve::Bls12_381,
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }),
            [b'l'] => Message::Log(read_text(from)?),
            [b'e'] => {
                let blame = match read_array(from)? {
                    [0] => Blame::Inputs,
                    [1] => Blame::Unsatisfied,
                    _ => Blame::Module,
                };
                let message = read_text(from)?;
                Message::Refused(Refusal { blame, message })
            }
            [b'w'] => Message::Witness,
            _ => return Err(io::ErrorKind::InvalidData.into()),
        })
    }
}

/// The bytes of a recorded run, at most `most`.
pub(super) fn read_run(from: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let length = read_u64(from)?;
    if length > most {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    match bytes.len() as u64 == length {
        true => Ok(bytes),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// The values of a witness, wiped when dropped.
pub(super) struct Values(Zeroizing<Vec<[u64; 4]>>);

impl Values {
    pub(super) const VALUE_BYTES: u64 = 32;

    pub(super) fn into_inner(mut self) -> Vec<[u64; 4]> {
        std::mem::take(&mut *self.0)
    }

    /// Writes `count` values, which `value` gives.
    pub(super) fn write(
        out: &mut impl Write,
        count: usize,
        value: impl Fn(usize) -> [u64; 4],
    ) -> io::Result<()> {
        out.write_all(&(count as u64).to_le_bytes())?;
        let mut buffer = Zeroizing::new(Vec::with_capacity(BUFFER_VALUES * 32));
        for start in (0..count).step_by(BUFFER_VALUES) {
            buffer.clear();
            for index in start..count.min(start + BUFFER_VALUES) {
                for word in value(index) {
                    buffer.extend_from_slice(&word.to_le_bytes());
                }
            }
            out.write_all(&buffer)?;
        }
        out.flush()
    }

    /// Reads values, of which there are at most `most`.
    pub(super) fn read(from: &mut impl Read, most: u64) -> io::Result<Self> {
        let count = read_u64(from)?;
        if count > most {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let count = usize::try_from(count).map_err(io::Error::other)?;
        let mut values = Zeroizing::new(Vec::new());
        values.try_reserve_exact(count).map_err(io::Error::other)?;
        let mut buffer = Zeroizing::new(vec![0; BUFFER_VALUES * 32]);
        while values.len() < count {
            let bytes = &mut buffer[..32 * BUFFER_VALUES.min(count - values.len())];
            from.read_exact(bytes)?;
            let (words, _) = bytes.as_chunks();
            let (records, _) = words.as_chunks();
            values.extend(
                records
                    .iter()
                    .map(|words: &[[u8; 8]; 4]| words.map(u64::from_le_bytes)),
            );
        }
        Ok(Self(values))
    }
}

fn curve_number(curve: PairingCurve) -> u8 {
    match curve {
        PairingCurve::Bn254 => 0,
        PairingCurve::Bls12_381 => 1,
    }
}

fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    let length = u32::try_from(text.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(text.as_bytes())
}

fn read_text(from: &mut impl Read) -> io::Result<String> {
    let length = u32::from_le_bytes(read_array(from)?);
    if length > LONGEST_TEXT {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn read_u64(from: &mut impl Read) -> io::Result<u64> {
    Ok(u64::from_le_bytes(read_array(from)?))
}

fn read_array<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// 64 KiB, as much as a pipe holds.
const BUFFER_VALUES: usize = 1 << 11;

/// More than a line of the log or an account of a failure has.
const LONGEST_TEXT: u32 = 1 << 22;
