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

use crate::operation::TapeField;
use crate::tape::{BadTape, Event, Instruction, Tape};
use std::io::Read;

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
        Self::read(bytes, bytes.len() as u64)
    }

    /// As [`Tape::from_bytes`], from a source of `length` bytes, which is read once through and not kept.
    ///
    /// # Errors
    /// As [`Tape::from_bytes`]; [`BadTape`] too for a source that fails.
    pub fn read(source: impl Read, length: u64) -> Result<Self, BadTape> {
        let mut reader = Reader {
            source,
            left: length,
            offset: 0,
        };
        if reader.array()? != *MAGIC {
            return Err(reader.bad("it does not begin as one"));
        }
        if words(&reader.array()?) != F::MODULUS_64.p {
            return Err(reader.bad("it is over another field"));
        }
        let mut counts = [0; 7];
        for count in &mut counts {
            *count = u32::from_le_bytes(reader.array()?);
        }
        let [constants, inputs, slots, code, results, events, messages] = counts;
        let mut is_reduced = true;
        let constants = reader.parts(constants, |bytes: &[u8; 32]| {
            let words = words(bytes);
            is_reduced &= crate::integer::less_than_vartime(&words, &F::MODULUS_64.p);
            F::from_words(if is_reduced { words } else { [0; 4] })
        })?;
        if !is_reduced {
            return Err(reader.bad("a constant is not reduced"));
        }
        let code = reader.parts(code, |bytes: &[u8; 12]| {
            let (parts, _) = bytes.as_chunks::<4>();
            let [head, a, b] = core::array::from_fn(|i| u32::from_le_bytes(parts[i]));
            Instruction { head, a, b }
        })?;
        let results = reader.parts(results, |bytes: &[u8; 4]| u32::from_le_bytes(*bytes))?;
        if reader.left != u64::from(messages) {
            return Err(reader.bad("its messages have another length"));
        }
        let events = reader.events(events)?;
        if reader.left != 0 {
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

struct Reader<R> {
    source: R,
    left: u64,
    offset: usize,
}

impl<R: Read> Reader<R> {
    fn bad(&self, problem: &'static str) -> BadTape {
        BadTape {
            problem,
            index: self.offset,
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), BadTape> {
        let length = bytes.len() as u64;
        if length > self.left {
            return Err(self.bad("it ends early"));
        }
        let filled = self.source.read_exact(bytes);
        filled.map_err(|_| self.bad("it cannot be read"))?;
        self.left -= length;
        self.offset += bytes.len();
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BadTape> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// `count` parts of `N` bytes each.
    fn parts<T, const N: usize>(
        &mut self,
        count: u32,
        mut part: impl FnMut(&[u8; N]) -> T,
    ) -> Result<Vec<T>, BadTape> {
        // What is allocated is there to be read.
        if u64::from(count) * N as u64 > self.left {
            return Err(self.bad("it ends early"));
        }
        let count = count as usize;
        let mut parts = Vec::with_capacity(count);
        let mut buffer = vec![[0; N]; AT_ONCE.min(count)];
        while parts.len() < count {
            let read = AT_ONCE.min(count - parts.len());
            self.fill(buffer[..read].as_flattened_mut())?;
            parts.extend(buffer[..read].iter().map(&mut part));
        }
        Ok(parts)
    }

    fn events(&mut self, count: u32) -> Result<Vec<Event<u32>>, BadTape> {
        let mut events = Vec::new(); // as long as the bytes, at most
        for _ in 0..count {
            let [kind] = self.array()?;
            let number = u32::from_le_bytes(self.array()?);
            events.push(match kind {
                0 => {
                    let text = self.parts(number, |[byte]: &[u8; 1]| *byte)?;
                    let text = String::from_utf8(text);
                    Event::Text(text.map_err(|_| self.bad("a message is no text"))?)
                }
                1 => Event::Value(number),
                _ => return Err(self.bad("a message is of an unknown kind")),
            });
        }
        Ok(events)
    }
}

fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

/// Parts that are read at once.
const AT_ONCE: usize = 1 << 13;

const MAGIC: &[u8; 8] = b"frtape01";
/// Bytes before the constants.
const HEADER: usize = 8 + 32 + 7 * 4;
