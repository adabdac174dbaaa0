//! The bytes of a `.ftape`: a header, then each part of the tape, little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `frtape01` |
//! | 32 | the modulus |
//! | 7·4 | number of constants, inputs, slots, instructions, results, messages; bytes of all messages |
//! | 32 each | constants, in Montgomery form |
//! | 12 each | instructions |
//! | 4 each | results: slots |
//! | 5 each and text | messages: 0, length and text, or 1 and a slot |

use crate::tape::{Event, Instruction, Tape, TapeField};

/// The bytes are no tape, or not one over this field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad tape: {problem} ({index})")]
pub struct BadTape {
    /// The problem.
    pub problem: &'static str,
    /// The offset of the part that has it, or the number of the instruction, result or message.
    pub index: usize,
}

impl<F: TapeField> Tape<F> {
    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let messages = self.messages();
        let counts = [
            self.constants.len(),
            self.inputs as usize,
            self.slots as usize,
            self.code.len(),
            self.results.len(),
            self.events.len(),
            messages.len(),
        ];
        let size = HEADER + 32 * counts[0] + 12 * counts[3] + 4 * counts[4] + counts[6];
        let mut bytes = Vec::with_capacity(size);
        bytes.extend_from_slice(MAGIC);
        bytes.extend(F::MODULUS_64.p.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(
            counts
                .iter()
                .flat_map(|count| (*count as u32).to_le_bytes()),
        );
        for constant in &self.constants {
            bytes.extend(
                constant
                    .to_words()
                    .iter()
                    .flat_map(|word| word.to_le_bytes()),
            );
        }
        for Instruction { head, a, b } in &self.code {
            bytes.extend([head, a, b].into_iter().flat_map(|part| part.to_le_bytes()));
        }
        bytes.extend(self.results.iter().flat_map(|slot| slot.to_le_bytes()));
        bytes.extend(messages);
        bytes
    }

    /// The tape in untrusted bytes. Running it reads and writes nothing but its slots, which are not more than the
    /// bytes account for.
    ///
    /// # Errors
    /// [`BadTape`] for everything else than what [`Tape::to_bytes`] may write.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadTape> {
        let mut reader = Reader { bytes, offset: 0 };
        if reader.take(MAGIC.len() as u64)? != MAGIC {
            return Err(reader.bad("it does not begin as one"));
        }
        if reader.words()? != F::MODULUS_64.p {
            return Err(reader.bad("it is over another field"));
        }
        let mut counts = [0; 7];
        for count in &mut counts {
            *count = reader.number()?;
        }
        let [constants, inputs, slots, code, results, events, _] = counts;
        let constants = reader.parts::<32>(constants)?;
        let constants: Option<Vec<F>> = constants.iter().map(|words| residue(words)).collect();
        let constants = constants.ok_or_else(|| reader.bad("a constant is not reduced"))?;
        let code = reader.parts::<12>(code)?;
        let code = code.iter().map(|bytes| {
            let part = |i: usize| u32_at(bytes, 4 * i);
            Instruction {
                head: part(0),
                a: part(1),
                b: part(2),
            }
        });
        let code = code.collect();
        let results = reader.parts::<4>(results)?;
        let results = results.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let results = results.collect();
        let events = reader.events(events)?;
        if reader.offset != bytes.len() {
            return Err(reader.bad("bytes follow"));
        }
        let tape = Self {
            constants,
            inputs,
            slots,
            code,
            results,
            events,
        };
        tape.checked()
    }

    fn messages(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for event in &self.events {
            match event {
                Event::Text(text) => {
                    bytes.push(0);
                    bytes.extend((text.len() as u32).to_le_bytes());
                    bytes.extend(text.as_bytes());
                }
                Event::Value(slot) => {
                    bytes.push(1);
                    bytes.extend(slot.to_le_bytes());
                }
            }
        }
        bytes
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn bad(&self, problem: &'static str) -> BadTape {
        BadTape {
            problem,
            index: self.offset,
        }
    }

    fn take(&mut self, len: u64) -> Result<&'a [u8], BadTape> {
        let rest = &self.bytes[self.offset..];
        if len > rest.len() as u64 {
            return Err(self.bad("it ends early"));
        }
        self.offset += len as usize;
        Ok(&rest[..len as usize])
    }

    fn number(&mut self) -> Result<u32, BadTape> {
        Ok(u32_at(self.take(4)?, 0))
    }

    fn words(&mut self) -> Result<[u64; 4], BadTape> {
        Ok(words(self.take(32)?))
    }

    /// `count` parts of `N` bytes each.
    fn parts<const N: usize>(&mut self, count: u32) -> Result<&'a [[u8; N]], BadTape> {
        let (parts, _) = self.take(u64::from(count) * N as u64)?.as_chunks();
        Ok(parts)
    }

    fn events(&mut self, count: u32) -> Result<Vec<Event<u32>>, BadTape> {
        let mut events = Vec::new(); // as long as the bytes, at most
        for _ in 0..count {
            let kind = self.take(1)?[0];
            let number = self.number()?;
            events.push(match kind {
                0 => {
                    let text = self.take(number.into())?;
                    let text = str::from_utf8(text);
                    Event::Text(text.map_err(|_| self.bad("a message is no text"))?.into())
                }
                1 => Event::Value(number),
                _ => return Err(self.bad("a message is of an unknown kind")),
            });
        }
        Ok(events)
    }
}

fn residue<F: TapeField>(bytes: &[u8; 32]) -> Option<F> {
    let words = words(bytes);
    crate::integer::less_than_vartime(&words, &F::MODULUS_64.p).then(|| F::from_words(words))
}

fn words(bytes: &[u8]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

const MAGIC: &[u8; 8] = b"frtape01";
const HEADER: usize = 8 + 32 + 7 * 4;
