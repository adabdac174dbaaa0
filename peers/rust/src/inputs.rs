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

/// Stream of witness-like scalars.
pub const STREAM_WITNESS: u64 = 6;

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

/// Scalars as provers meet them. `Bits`: circuits of hashes by bits; `Mixed`: circuits of field arithmetic.
#[derive(Clone, Copy)]
pub enum Witness {
    /// 60 of 100 are 0, 40 are 1.
    Bits,
    /// 96 of 100 are uniform, the others 0 or 1.
    Mixed,
}

impl Witness {
    /// Both, with the endings of their rows' names.
    pub const ALL: [(&'static str, Self); 2] = [("bits", Self::Bits), ("mixed", Self::Mixed)];

    /// `n` scalars, the same each time.
    pub fn draw(self, n: usize) -> Vec<[u64; 4]> {
        let mut source = SplitMix::new(STREAM_WITNESS);
        (0..n).map(|_| self.next(&mut source)).collect()
    }

    fn next(self, source: &mut SplitMix) -> [u64; 4] {
        let lot = source.below(100);
        match self {
            Self::Bits => [u64::from(lot >= 60), 0, 0, 0],
            Self::Mixed if lot >= 96 => [lot as u64 & 1, 0, 0, 0],
            Self::Mixed => source.integer(),
        }
    }
}

/// `n` numbers below the modulus of BLS12-381's base field: 380 bits of a stream each, taken as Montgomery residues.
pub fn residues_381(stream: u64, n: usize) -> Vec<[u64; 6]> {
    let mut source = SplitMix::new(stream);
    let mut next = || {
        let mut words = std::array::from_fn(|_| source.next());
        words[5] >>= 4;
        words
    };
    (0..n).map(|_| next()).collect()
}

/// The part that is compared of products of [`residues_381`]: the sums of their words.
pub fn sum_of_residues(residues: &[[u64; 6]]) -> String {
    let mut sums = [0_u64; 6];
    for residue in residues {
        sums.iter_mut()
            .zip(residue)
            .for_each(|(sum, word)| *sum = sum.wrapping_add(*word));
    }
    sums.iter().rev().map(|sum| format!("{sum:016x}")).collect()
}

/// The chain P0 = s·G, P[i+1] = 2·P[i] + t·G, from s·G and t·G. It is cheap to make, and has no coincidences. In an
/// arithmetic progression many pairs of points would have the same sum.
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
pub fn hex(words: &[u64]) -> String {
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
