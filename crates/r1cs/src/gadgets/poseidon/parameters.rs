//! Round constants and matrices for BN254's scalar field, made as the paper's authors make them.
//!
//! Source: "Poseidon: A New Hash Function for Zero-Knowledge Proof Systems" (eprint 2019/458), appendix F for the Grain
//! generator and section 2.3 for the Cauchy matrix. Numbers of partial rounds: circomlib's `poseidon.circom`, which are
//! the paper's for 128 bits of security, x^5.

use std::sync::OnceLock;

use frumious_curves::bn254::Fr;
use frumious_field::PrimeField;

/// Full rounds, half of them before the partial ones and half after.
pub(super) const FULL_ROUNDS: usize = 8;

/// Partial rounds for states of 2 to 17 elements.
const PARTIAL_ROUNDS: [usize; 16] = [
    56, 57, 56, 60, 60, 63, 64, 63, 60, 66, 60, 65, 70, 60, 64, 68,
];

/// The most elements of a state.
pub(super) const MAX_WIDTH: usize = 17;

/// A permutation of states of some width.
pub(super) struct Parameters {
    pub(super) width: usize,
    pub(super) partial_rounds: usize,
    /// The constants that are added before each round: `constants[round][i]`.
    pub(super) constants: Vec<Vec<Fr>>,
    /// The matrix that the state is multiplied by after each round, and its inverse: `matrix[row][column]`.
    pub(super) matrix: Vec<Vec<Fr>>,
    pub(super) inverse: Vec<Vec<Fr>>,
}

impl Parameters {
    /// Those of a width from 2 to [`MAX_WIDTH`], made at the first call.
    pub(super) fn of_width(width: usize) -> &'static Self {
        static ALL: [OnceLock<Parameters>; MAX_WIDTH + 1] =
            [const { OnceLock::new() }; MAX_WIDTH + 1];
        ALL[width].get_or_init(|| Self::generate(width))
    }

    fn generate(width: usize) -> Self {
        let partial_rounds = PARTIAL_ROUNDS[width - 2];
        let mut grain = Grain::new(width, partial_rounds);
        let constants = (0..FULL_ROUNDS + partial_rounds)
            .map(|_| (0..width).map(|_| grain.below_modulus()).collect())
            .collect();
        let matrix = cauchy_matrix(&mut grain, width);
        let inverse = invert(&matrix);
        Self {
            width,
            partial_rounds,
            constants,
            matrix,
            inverse,
        }
    }

    pub(super) fn rounds(&self) -> usize {
        FULL_ROUNDS + self.partial_rounds
    }

    /// True if all elements go through the S-box in a round, not only the first.
    pub(super) fn is_full(&self, round: usize) -> bool {
        round < FULL_ROUNDS / 2 || round >= FULL_ROUNDS / 2 + self.partial_rounds
    }
}

/// `1/(x_i + y_j)` for distinct `x` and `y` from the generator.
fn cauchy_matrix(grain: &mut Grain, width: usize) -> Vec<Vec<Fr>> {
    loop {
        let values: Vec<Fr> = (0..2 * width).map(|_| grain.any()).collect();
        let (x, y) = values.split_at(width);
        let row = |x: &Fr| -> Option<Vec<Fr>> {
            let entries = y.iter().map(|y| (*x + *y).invert_vartime());
            entries.collect()
        };
        if let Some(matrix) = x.iter().map(row).collect() {
            return matrix;
        }
    }
}

/// The inverse of an invertible matrix, by Gauß and Jordan.
fn invert(matrix: &[Vec<Fr>]) -> Vec<Vec<Fr>> {
    let width = matrix.len();
    let mut rows: Vec<Vec<Fr>> = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let unit = (0..width).map(|j| if i == j { Fr::ONE } else { Fr::ZERO });
            row.iter().copied().chain(unit).collect()
        })
        .collect();
    for column in 0..width {
        let pivot = (column..width).find(|row| rows[*row][column] != Fr::ZERO);
        rows.swap(column, pivot.expect("Cauchy matrices are invertible"));
        let inverse = rows[column][column].invert_vartime().expect("not zero");
        rows[column].iter_mut().for_each(|entry| *entry *= inverse);
        let pivot = rows[column].clone();
        for (_, row) in rows
            .iter_mut()
            .enumerate()
            .filter(|(row, _)| *row != column)
        {
            let factor = row[column];
            for (entry, pivot) in row.iter_mut().zip(&pivot) {
                *entry -= factor * *pivot;
            }
        }
    }
    rows.into_iter().map(|row| row[width..].to_vec()).collect()
}

/// The Grain shift register of 80 bits, in self-shrinking mode.
struct Grain {
    /// Bit i is the one that is `i` steps old.
    state: u128,
}

impl Grain {
    fn new(width: usize, partial_rounds: usize) -> Self {
        // Field: prime; S-box: x^5; bits of the modulus; width; rounds; ones.
        let fields = [
            (1, 2),
            (0, 4),
            (u128::from(Fr::MODULUS_BITS), 12),
            (width as u128, 12),
            (FULL_ROUNDS as u128, 10),
            (partial_rounds as u128, 10),
            ((1 << 30) - 1, 30),
        ];
        // The first bit of all is the oldest: the highest of the 80.
        let state = fields
            .iter()
            .fold(0, |state, (value, bits)| state << bits | value);
        let mut grain = Self { state };
        (0..160).for_each(|_| {
            grain.step();
        });
        grain
    }

    fn step(&mut self) -> bool {
        let bit = |i: u32| self.state >> (79 - i) & 1;
        let new = bit(62) ^ bit(51) ^ bit(38) ^ bit(23) ^ bit(13) ^ bit(0);
        self.state = (self.state << 1 | new) & ((1 << 80) - 1);
        new == 1
    }

    /// Of pairs of bits whose first is one, the second.
    fn bit(&mut self) -> bool {
        loop {
            let (first, second) = (self.step(), self.step());
            if first {
                return second;
            }
        }
    }

    /// An integer of as many bits as the modulus, the highest bit first.
    fn integer(&mut self) -> [u64; 4] {
        let mut words = [0; 4];
        for i in (0..Fr::MODULUS_BITS as usize).rev() {
            words[i / 64] |= u64::from(self.bit()) << (i % 64);
        }
        words
    }

    /// The next integer that is below the modulus.
    fn below_modulus(&mut self) -> Fr {
        loop {
            let words = self.integer();
            if let Some(value) = Fr::from_canonical_limbs(words).into_option() {
                return value;
            }
        }
    }

    /// The next integer modulo the modulus.
    fn any(&mut self) -> Fr {
        let words = self.integer();
        let base = Fr::from_u64(1 << 32).square();
        words
            .iter()
            .rev()
            .fold(Fr::ZERO, |value, word| value * base + Fr::from_u64(*word))
    }
}
