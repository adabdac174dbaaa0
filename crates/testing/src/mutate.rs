//! Deterministic mutations of a seed, of the kinds that break parsers.

/// A xorshift64* generator (Vigna 2016): small, and the same on every machine.
pub struct Generator(u64);

impl Generator {
    /// Starts from a seed. Those that differ in the lowest bit only are one.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// The next number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let scrambled = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d);
        (scrambled >> 16) as usize % bound
    }
}

/// Applies one to four mutations.
pub fn mutate(seed: &[u8], random: &mut Generator) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        mutate_once(&mut bytes, random);
    }
    bytes
}

fn mutate_once(bytes: &mut Vec<u8>, random: &mut Generator) {
    if bytes.is_empty() {
        bytes.push(random.below(256) as u8);
        return;
    }
    let at = random.below(bytes.len());
    let length = 1 + random.below(bytes.len() - at).min(random.below(64));
    match random.below(9) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.below(256) as u8,
        2 => bytes.truncate(at),
        3 => drop(bytes.drain(at..at + length)),
        // A piece again, somewhere else.
        4 => {
            let piece = bytes[at..at + length].to_vec();
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, piece);
        }
        // A piece over another.
        5 => {
            let to = random.below(bytes.len() - length + 1);
            bytes.copy_within(at..at + length, to);
        }
        // Zeros or ones.
        6 => {
            let fill = [0, 0xff][random.below(2)];
            bytes[at..at + length].fill(fill);
        }
        // A length, count or index at the edge of what its type holds.
        7 => overwrite(
            bytes,
            at,
            &edge(random).to_le_bytes()[..[4, 8][random.below(2)]],
        ),
        // A bracket, quote or digit, for JSON.
        _ => bytes[at] = b"[]{}\",:0129-e.\\n "[random.below(17)],
    }
}

/// `2^k` and its neighbours, small numbers, and their negatives.
fn edge(random: &mut Generator) -> u64 {
    let power = 1u64 << random.below(64);
    let near = power.wrapping_add(random.below(3) as u64).wrapping_sub(1);
    match random.below(3) {
        0 => near,
        1 => near.wrapping_neg(),
        _ => random.below(40) as u64,
    }
}

fn overwrite(bytes: &mut [u8], at: usize, value: &[u8]) {
    for (byte, value) in bytes[at..].iter_mut().zip(value) {
        *byte = *value;
    }
}
