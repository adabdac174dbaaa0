//! Slow twins of the transforms, for tests and for readers: the definition, and the textbook algorithm.

use frumious_field::PrimeField;

/// `X_j = Σ_i c_i·(shift·root^j)^i` by the definition, for `j = 0 … n-1`: values of a polynomial on a coset.
///
/// `coefficients`: n elements, any n; `root` of order n makes it a Fourier transform. Cost: `n²` products.
pub fn dft<F: PrimeField>(coefficients: &[F], root: F, shift: F) -> Vec<F> {
    let mut point = shift;
    let mut values = Vec::with_capacity(coefficients.len());
    for _ in coefficients {
        values.push(evaluate(coefficients, point));
        point *= root;
    }
    values
}

/// `Σ c_i·point^i` by Horner's rule.
pub fn evaluate<F: PrimeField>(coefficients: &[F], point: F) -> F {
    coefficients
        .iter()
        .rev()
        .fold(F::ZERO, |sum, c| sum * point + *c)
}

/// Forward transform in place, natural order: bit reversal, then `log n` rounds of butterflies.
///
/// `values`: n elements, n a power of two; `root` of order n. Source: Cooley and Tukey 1965, as in any textbook.
///
/// # Panics
/// If the number of values is no power of two.
#[track_caller]
pub fn fft_radix2<F: PrimeField>(values: &mut [F], root: F) {
    let n = values.len();
    assert!(
        n.is_power_of_two(),
        "`values` has {n} elements, which is no power of two"
    );
    let log_n = n.trailing_zeros();
    for i in 0..n {
        let j = reverse_bits(i, log_n);
        if i < j {
            values.swap(i, j);
        }
    }
    for round in 1..=log_n {
        let size = 1 << round;
        let step = root.pow_vartime(&[(n / size) as u64]);
        for block in values.chunks_exact_mut(size) {
            let (low, high) = block.split_at_mut(size / 2);
            let mut twiddle = F::ONE;
            for (a, b) in low.iter_mut().zip(high) {
                let product = *b * twiddle;
                *b = *a - product;
                *a += product;
                twiddle *= step;
            }
        }
    }
}

/// The low `bits` bits of `index` in reverse order, bit by bit.
pub fn reverse_bits(index: usize, bits: u32) -> usize {
    (0..bits).fold(0, |reversed, bit| reversed << 1 | index >> bit & 1)
}
