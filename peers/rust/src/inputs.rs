//! The common inputs: every program of `peers/` draws the same values from the same stream (README.md, "Inputs").

/// Stream of first operands and of scalars.
pub const STREAM_A: u64 = 1;
/// Stream of second operands.
pub const STREAM_B: u64 = 2;
/// Stream of the two scalars that start a chain of points.
pub const STREAM_POINTS: u64 = 3;
/// Stream of a multiproof's polynomials and points.
pub const STREAM_OPENINGS: u64 = 4;
/// Stream of a tree's keys and values.
pub const STREAM_TREE: u64 = 5;

/// The SplitMix64 generator (Steele, Lea, Flood, OOPSLA 2014): small enough to be the same in every language.
pub struct SplitMix(u64);

impl SplitMix {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next word.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A plain integer below 2^253, hence below both BN254 moduli; least significant word first.
    pub fn integer(&mut self) -> [u64; 4] {
        let mut words = std::array::from_fn(|_| self.next());
        words[3] >>= 3;
        words
    }

    /// A number below `bound`, which is small against 2^64.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Four words, least significant byte first.
    pub fn bytes(&mut self) -> [u8; 32] {
        bytes_of(std::array::from_fn(|_| self.next()))
    }
}

/// `n` integers of a stream.
pub fn integers(stream: u64, n: usize) -> Vec<[u64; 4]> {
    let mut source = SplitMix::new(stream);
    (0..n).map(|_| source.integer()).collect()
}

/// The chain P0 = s·G, P[i+1] = 2·P[i] + t·G, given s·G and t·G: cheap to make, and without the coincidences of an
/// arithmetic progression, in which many pairs of points have the same sum.
pub fn chain<P: Copy>(
    n: usize,
    first: P,
    step: P,
    double: impl Fn(P) -> P,
    add: impl Fn(P, P) -> P,
) -> Vec<P> {
    let mut point = first;
    let mut points = Vec::with_capacity(n);
    for _ in 0..n {
        points.push(point);
        point = add(double(point), step);
    }
    points
}

/// Little-endian words as big-endian hex, the canonical form of results.
pub fn hex(words: [u64; 4]) -> String {
    words
        .iter()
        .rev()
        .map(|word| format!("{word:016x}"))
        .collect()
}

/// Words as bytes, least significant first.
pub fn bytes_of(words: [u64; 4]) -> [u8; 32] {
    std::array::from_fn(|i| words[i / 8].to_le_bytes()[i % 8])
}

/// Bytes as hex.
pub fn hex_bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes from hex of an even length.
pub fn bytes_from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}
