//! BLAKE2b-512 whose state can be written down and taken up: files keep the state of a response's hash.
//!
//! The libraries at hand hide the state, so the compression stands here; the tests compare it with one of them. The
//! state as bytes is `buffer[128] | h[8] u64 | compressed u64 | buffered u64 | 0 u64`, little-endian. Bytes of the
//! buffer behind those that wait are left from earlier blocks, and files keep them, too. So it matters when
//! [`ResumableHash::update`] uses the buffer. It does for a block that does not come whole in one update, and for the
//! last of each update. Source: RFC 7693; the layout observed of snarkjs 0.7.6.

/// A hash in work.
#[derive(Clone)]
pub(crate) struct ResumableHash {
    buffer: [u8; BLOCK],
    chain: [u64; 8],
    /// Bytes that are compressed.
    compressed: u64,
    /// Bytes of the buffer that wait.
    waiting: usize,
}

impl ResumableHash {
    pub fn new() -> Self {
        let mut chain = INITIAL;
        chain[0] ^= 0x0101_0000 ^ 64; // no key, 64 bytes of digest
        Self {
            buffer: [0; BLOCK],
            chain,
            compressed: 0,
            waiting: 0,
        }
    }

    pub fn update(&mut self, mut bytes: &[u8]) {
        if self.waiting + bytes.len() > BLOCK && self.waiting > 0 {
            let (first, rest) = bytes.split_at(BLOCK - self.waiting);
            self.buffer[self.waiting..].copy_from_slice(first);
            let block = self.buffer;
            self.compress(&block, BLOCK as u64, false);
            self.waiting = 0;
            bytes = rest;
        }
        while self.waiting == 0 && bytes.len() > BLOCK {
            let (block, rest) = bytes.split_at(BLOCK);
            self.compress(block, BLOCK as u64, false);
            bytes = rest;
            if self.compressed.is_multiple_of(1 << 23) {
                frumious_parallel::check_cancelled();
            }
        }
        self.buffer[self.waiting..self.waiting + bytes.len()].copy_from_slice(bytes);
        self.waiting += bytes.len();
    }

    pub fn finalize(mut self) -> [u8; 64] {
        let mut block = [0; BLOCK];
        block[..self.waiting].copy_from_slice(&self.buffer[..self.waiting]);
        self.compress(&block, self.waiting as u64, true);
        let mut digest = [0; 64];
        for (bytes, word) in digest.as_chunks_mut::<8>().0.iter_mut().zip(self.chain) {
            *bytes = word.to_le_bytes();
        }
        digest
    }

    /// The state.
    pub fn to_bytes(&self) -> [u8; STATE] {
        let mut state = [0; STATE];
        state[..BLOCK].copy_from_slice(&self.buffer);
        let words = self.chain.iter().copied();
        let words = words.chain([self.compressed, self.waiting as u64]);
        let places = state[BLOCK..].as_chunks_mut::<8>().0;
        for (bytes, word) in places.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        state
    }

    /// The hash with that state; none if it cannot be a state.
    pub fn from_bytes(state: &[u8; STATE]) -> Option<Self> {
        let (buffer, words) = state.split_first_chunk::<BLOCK>()?;
        let mut numbers = [0; 11];
        for (number, bytes) in numbers.iter_mut().zip(words.as_chunks::<8>().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        let [chain @ .., compressed, waiting, zero] = numbers;
        let is_state = waiting <= BLOCK as u64
            && zero == 0
            && compressed.is_multiple_of(BLOCK as u64)
            && compressed <= u64::MAX / 2;
        is_state.then_some(Self {
            buffer: *buffer,
            chain,
            compressed,
            waiting: waiting as usize,
        })
    }

    /// One block, of which `length` bytes are content.
    fn compress(&mut self, block: &[u8], length: u64, is_last: bool) {
        self.compressed += length;
        let mut message = [0; 16];
        for (word, bytes) in message.iter_mut().zip(block.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        let mut v = [0; 16];
        v[..8].copy_from_slice(&self.chain);
        v[8..].copy_from_slice(&INITIAL);
        v[12] ^= self.compressed;
        if is_last {
            v[14] = !v[14];
        }
        // Twelve rounds, each with its own order of the words: in a loop they would take twice as long.
        round::<0>(&mut v, &message);
        round::<1>(&mut v, &message);
        round::<2>(&mut v, &message);
        round::<3>(&mut v, &message);
        round::<4>(&mut v, &message);
        round::<5>(&mut v, &message);
        round::<6>(&mut v, &message);
        round::<7>(&mut v, &message);
        round::<8>(&mut v, &message);
        round::<9>(&mut v, &message);
        round::<0>(&mut v, &message);
        round::<1>(&mut v, &message);
        for (k, word) in self.chain.iter_mut().enumerate() {
            *word ^= v[k] ^ v[k + 8];
        }
    }
}

/// Mixes columns, then diagonals, with two words of the message each.
#[inline(always)]
fn round<const ROUND: usize>(v: &mut [u64; 16], message: &[u64; 16]) {
    let word = |k: usize| message[usize::from(const { SIGMA[ROUND] }[k])];
    mix(v, [0, 4, 8, 12], [word(0), word(1)]);
    mix(v, [1, 5, 9, 13], [word(2), word(3)]);
    mix(v, [2, 6, 10, 14], [word(4), word(5)]);
    mix(v, [3, 7, 11, 15], [word(6), word(7)]);
    mix(v, [0, 5, 10, 15], [word(8), word(9)]);
    mix(v, [1, 6, 11, 12], [word(10), word(11)]);
    mix(v, [2, 7, 8, 13], [word(12), word(13)]);
    mix(v, [3, 4, 9, 14], [word(14), word(15)]);
}

#[inline(always)]
fn mix(v: &mut [u64; 16], [a, b, c, d]: [usize; 4], words: [u64; 2]) {
    for (word, [first, second]) in words.into_iter().zip([[32, 24], [16, 63]]) {
        v[a] = v[a].wrapping_add(v[b]).wrapping_add(word);
        v[d] = (v[d] ^ v[a]).rotate_right(first);
        v[c] = v[c].wrapping_add(v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(second);
    }
}

/// Bytes of a block.
const BLOCK: usize = 128;

/// Bytes of a state.
pub(crate) const STATE: usize = 216;

/// The initial chain: that of SHA-512.
const INITIAL: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// The order of the message's words in each round.
const SIGMA: [[u8; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use blake2::{Blake2b512, Digest};

    #[test]
    fn digests_are_those_of_the_library() {
        let bytes: Vec<u8> = (0..1000_u32).map(|k| (k * k % 251) as u8).collect();
        for length in [0, 1, 127, 128, 129, 255, 256, 257, 1000] {
            let expected: [u8; 64] = Blake2b512::digest(&bytes[..length]).into();
            for piece in [1, 7, 64, 127, 128, 129, 300, 1000] {
                let mut hash = ResumableHash::new();
                for bytes in bytes[..length].chunks(piece) {
                    hash.update(bytes);
                    hash.update(&[]);
                    hash = ResumableHash::from_bytes(&hash.to_bytes()).unwrap();
                }
                assert_eq!(hash.finalize(), expected, "{length} by {piece}");
            }
        }
    }

    #[test]
    fn states_that_cannot_be_are_refused() {
        let good = ResumableHash::new().to_bytes();
        assert!(ResumableHash::from_bytes(&good).is_some());
        // Compressed bytes that are no blocks, or too many; more that wait than a block has; a word that is zero.
        for (at, byte) in [(192, 1), (199, 0x80), (200, 129), (201, 1), (208, 1)] {
            let mut bad = good;
            bad[at] = byte;
            assert!(ResumableHash::from_bytes(&bad).is_none(), "{at}");
        }
        let mut full = good;
        full[200] = 128;
        let expected: [u8; 64] = Blake2b512::digest([0; 128]).into();
        assert_eq!(
            ResumableHash::from_bytes(&full).unwrap().finalize(),
            expected
        );
    }
}
