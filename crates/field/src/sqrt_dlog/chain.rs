//! Powers to a fixed exponent by an addition chain of windows, kept as data so that it can be checked and counted.

use crate::Field;

/// An addition chain: some small powers first, then windows from the top of the exponent down.
#[derive(Clone, Copy, Debug)]
pub struct PowerChain {
    /// Small powers: entry `n` is power `n + 1`, the product of two earlier ones; power 0 is the base.
    pub small: &'static [(u8, u8)],
    /// The power that the windows start from.
    pub first: u8,
    /// Squarings, at least one, then a product with a small power.
    pub windows: &'static [(u8, u8)],
}

impl PowerChain {
    /// Most small powers that a chain can have, the base included.
    pub(super) const MAX_SMALL: usize = 16;

    /// The base to the exponent of this chain; `square_repeated` squares an element so many times. Time: constant if
    /// that is.
    pub fn power<F: Field>(&self, base: &F, square_repeated: impl Fn(&F, u32) -> F) -> F {
        let mut small = [*base; Self::MAX_SMALL];
        for (n, &(i, j)) in self.small.iter().enumerate() {
            small[n + 1] = if i == j {
                small[i as usize].square()
            } else {
                small[i as usize] * small[j as usize]
            };
        }
        let mut power = small[self.first as usize];
        for &(squarings, index) in self.windows {
            power = square_repeated(&power, u32::from(squarings)) * small[index as usize];
        }
        power
    }

    /// The exponent that the chain reaches, to be compared with the wanted one in a constant.
    ///
    /// # Panics
    /// If the chain has too many small powers or a window without a squaring, or passes `N` words.
    pub const fn exponent<const N: usize>(&self) -> [u64; N] {
        assert!(self.small.len() < Self::MAX_SMALL, "too many small powers");
        let mut small = [[0; N]; Self::MAX_SMALL];
        small[0][0] = 1;
        let mut n = 0;
        while n < self.small.len() {
            let (i, j) = self.small[n];
            small[n + 1] = sum(&small[i as usize], &small[j as usize]);
            n += 1;
        }
        let mut exponent = small[self.first as usize];
        let mut n = 0;
        while n < self.windows.len() {
            let (squarings, index) = self.windows[n];
            assert!(squarings > 0, "a window begins with a squaring");
            let mut left = squarings;
            while left > 0 {
                exponent = sum(&exponent, &exponent);
                left -= 1;
            }
            exponent = sum(&exponent, &small[index as usize]);
            n += 1;
        }
        exponent
    }

    /// Squarings and other products that [`PowerChain::power`] takes.
    pub const fn cost(&self) -> (usize, usize) {
        let (mut squarings, mut products) = (0, self.windows.len());
        let mut n = 0;
        while n < self.small.len() {
            if self.small[n].0 == self.small[n].1 {
                squarings += 1;
            } else {
                products += 1;
            }
            n += 1;
        }
        let mut n = 0;
        while n < self.windows.len() {
            squarings += self.windows[n].0 as usize;
            n += 1;
        }
        (squarings, products)
    }
}

const fn sum<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let (sum, carry) = frumious_limbs::words::add(a, b);
    assert!(carry == 0, "the exponent outgrows its words");
    sum
}
