//! The messages between parent and child. Numbers are little-endian.
//!
//! | from | bytes |
//! |---|---|
//! | parent, once | `memory u64`, `nanoseconds u64`, `log u8`, `record u8`, `values u8`, `rehearse u8`, then module and inputs, each after its `length u64` |
//! | child | `c` compiled; `s` and `curve u8`: started |
//! | child | `l` and a text: a line of the log |
//! | child | `e`, a blame and a text: no witness, and why |
//! | child | `v`, then `count u64` and so many values of 32 bytes: the wires when an assertion failed; `e` follows |
//! | child | `w`, then `count u64` and so many values of 32 bytes: the witness |
//! | child | `r`: the rehearsal is over |
//! | child | after the witness or the rehearsal: `length u64` and a recorded run, of length zero if there is none |
//!
//! A text is `length u32` and UTF-8. A blame is a byte, and what belongs to it:
//!
//! | byte | blame | followed by |
//! |---|---|---|
//! | 0 | the inputs | |
//! | 1, 2, 3 | the inputs do not satisfy the circuit | nothing; the `number u32` of a template; a component, as a text |
//! | 4 | the inputs leave signals out | the number of values expected, `u64` |
//! | 5, 6 | the module; a program that crashed | |

use std::io::{self, Read, Write};
use std::time::Duration;

use frumious_curves::PairingCurve;
use zeroize::Zeroizing;

use super::{Blame, Refusal, Wanted};
use crate::error::Place;
use crate::host::Limits;

/// The work of the child.
pub(super) struct Request<B> {
    pub(super) limits: Limits,
    pub(super) wanted: Wanted,
    pub(super) module: B,
    /// The text of the inputs.
    pub(super) inputs: B,
}

impl Request<&[u8]> {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let nanoseconds = u64::try_from(self.limits.time.as_nanos()).unwrap_or(u64::MAX);
        out.write_all(&self.limits.memory_bytes.to_le_bytes())?;
        out.write_all(&nanoseconds.to_le_bytes())?;
        let Wanted {
            log,
            record,
            values,
            rehearse,
        } = self.wanted;
        out.write_all(&[log, record, values, rehearse].map(u8::from))?;
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
        let [log, record, values, rehearse] = read_array::<4>(from)?.map(|flag| flag != 0);
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
            wanted: Wanted {
                log,
                record,
                values,
                rehearse,
            },
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
    /// The values of the wires when an assertion failed follow.
    Unfinished,
    Values(Values),
    /// The bytes of a recorded run follow, if there is one.
    Rehearsed,
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
            Message::Unfinished => "unfinished witness",
            Message::Rehearsed => "rehearsal",
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
                out.write_all(b"e")?;
                write_blame(out, &refusal.blame)?;
                write_text(out, &refusal.message)?;
            }
            Message::Witness | Message::Values(_) => out.write_all(b"w")?,
            Message::Unfinished => out.write_all(b"v")?,
            Message::Rehearsed => out.write_all(b"r")?,
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
                let blame = read_blame(from)?;
                let message = read_text(from)?;
                Message::Refused(Refusal { blame, message })
            }
            [b'w'] => Message::Witness,
            [b'v'] => Message::Unfinished,
            [b'r'] => Message::Rehearsed,
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

fn write_blame(out: &mut impl Write, blame: &Blame) -> io::Result<()> {
    match blame {
        Blame::Inputs => out.write_all(&[0]),
        Blame::Unsatisfied(None) => out.write_all(&[1]),
        Blame::Unsatisfied(Some(Place::Template(number))) => {
            out.write_all(&[2])?;
            out.write_all(&number.to_le_bytes())
        }
        Blame::Unsatisfied(Some(Place::Component(path))) => {
            out.write_all(&[3])?;
            write_text(out, path)
        }
        Blame::Missing { expected } => {
            out.write_all(&[4])?;
            out.write_all(&expected.to_le_bytes())
        }
        Blame::Module => out.write_all(&[5]),
        Blame::Crash => out.write_all(&[6]),
        Blame::Time => out.write_all(&[7]),
        Blame::Memory => out.write_all(&[8]),
        Blame::System => out.write_all(&[9]),
    }
}

fn read_blame(from: &mut impl Read) -> io::Result<Blame> {
    Ok(match read_array(from)? {
        [0] => Blame::Inputs,
        [1] => Blame::Unsatisfied(None),
        [2] => {
            let number = u32::from_le_bytes(read_array(from)?);
            Blame::Unsatisfied(Some(Place::Template(number)))
        }
        [3] => Blame::Unsatisfied(Some(Place::Component(read_text(from)?))),
        [4] => Blame::Missing {
            expected: read_u64(from)?,
        },
        [5] => Blame::Module,
        [6] => Blame::Crash,
        [7] => Blame::Time,
        [8] => Blame::Memory,
        [9] => Blame::System,
        _ => return Err(io::ErrorKind::InvalidData.into()),
    })
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

#[cfg(test)]
#[allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
mod tests {
    use super::*;

    fn blames() -> [Blame; 10] {
        [
            Blame::Inputs,
            Blame::Unsatisfied(None),
            Blame::Unsatisfied(Some(Place::Template(u32::MAX))),
            Blame::Unsatisfied(Some(Place::Component("main.c[0]".into()))),
            Blame::Missing { expected: 1 << 40 },
            Blame::Module,
            Blame::Crash,
            Blame::Time,
            Blame::Memory,
            Blame::System,
        ]
    }

    #[test]
    fn refusals_come_out_as_they_go_in() {
        for blame in blames() {
            let message = "why".to_owned();
            let refusal = Refusal { blame, message };
            let mut bytes = Vec::new();
            Message::Refused(refusal.clone()).write(&mut bytes).unwrap();
            let read = Message::read(&mut &bytes[..]).unwrap();
            assert!(matches!(read, Message::Refused(other) if other == refusal));
            for end in 0..bytes.len() {
                assert!(Message::read(&mut &bytes[..end]).is_err(), "{end}");
            }
        }
        assert!(Message::read(&mut &b"e\x0a\0\0\0\0"[..]).is_err());
    }
}
