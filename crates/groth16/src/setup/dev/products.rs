//! Products of coefficients and Lagrange polynomials on their way to the columns: in bins, in memory that is bounded
//! and used again.

use zeroize::{Zeroize, ZeroizeOnDrop};

use frumious_curves::engine::ScalarField;

/// The products of a block of rows, by bin. A bin is a list of chunks, so none is ever moved, and how much memory all
/// of them take is known before.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct Products<F: ScalarField> {
    /// Chunks of [`CHUNK`] entries; as long as chunks were ever in use.
    places: Vec<u32>,
    values: Vec<F>,
    #[zeroize(skip)]
    bins: Vec<Bin>,
    n_bins: usize,
    n_chunks: usize,
    most_chunks: usize,
}

#[derive(Default)]
struct Bin {
    chunks: Vec<u32>,
    /// Entries of the last chunk.
    len: usize,
}

impl<F: ScalarField> Products<F> {
    /// For at most `capacity` products, and up to a chunk for each bin.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            places: Vec::new(),
            values: Vec::new(),
            bins: Vec::new(),
            n_bins: 0,
            n_chunks: 0,
            most_chunks: capacity.div_ceil(CHUNK),
        }
    }

    /// Memory of such products in `n_bins` bins.
    pub(super) fn bytes(capacity: usize, n_bins: usize) -> u64 {
        let chunks = capacity.div_ceil(CHUNK) + n_bins;
        (chunks * CHUNK * (size_of::<F>() + 4) + 64 * n_bins + 8 * chunks) as u64
    }

    /// Empties it, for so many bins.
    pub(super) fn clear(&mut self, n_bins: usize) {
        // All at once: a vector that grows by itself leaves what it held in freed memory.
        let entries = (self.most_chunks + n_bins) * CHUNK;
        if self.values.capacity() < entries {
            self.places.zeroize();
            self.values.zeroize();
            self.places = Vec::with_capacity(entries);
            self.values = Vec::with_capacity(entries);
        }
        if self.bins.len() < n_bins {
            self.bins.resize_with(n_bins, Bin::default);
        }
        for bin in &mut self.bins {
            bin.chunks.clear();
            bin.len = CHUNK;
        }
        (self.n_bins, self.n_chunks) = (n_bins, 0);
    }

    /// True if there is room for so many more, whatever their bins.
    pub(super) fn has_room(&self, count: usize) -> bool {
        // Each bin's last chunk may be full.
        self.n_chunks + count.div_ceil(CHUNK) + self.n_bins.min(count)
            <= self.most_chunks + self.n_bins
    }

    /// The caller has asked [`has_room`](Self::has_room).
    #[inline(always)]
    pub(super) fn push(&mut self, bin: usize, place: usize, value: F) {
        if self.bins[bin].len == CHUNK {
            self.next_chunk(bin);
        }
        let bin = &mut self.bins[bin];
        let chunk = bin.chunks[bin.chunks.len() - 1] as usize;
        let at = chunk * CHUNK + bin.len;
        self.places[at] = place as u32;
        self.values[at] = value;
        bin.len += 1;
    }

    #[inline(never)]
    fn next_chunk(&mut self, bin: usize) {
        let entries = (self.n_chunks + 1) * CHUNK;
        if self.values.len() < entries {
            assert!(entries <= self.values.capacity(), "there was no room");
            self.places.resize(entries, 0);
            self.values.resize(entries, F::ZERO);
        }
        self.bins[bin].chunks.push(self.n_chunks as u32);
        self.bins[bin].len = 0;
        self.n_chunks += 1;
    }

    /// Adds a bin's products to their places.
    pub(super) fn add_to(&self, bin: usize, part: &mut [F]) {
        let bin = &self.bins[bin];
        for (k, chunk) in bin.chunks.iter().enumerate() {
            let start = *chunk as usize * CHUNK;
            let len = if k + 1 == bin.chunks.len() {
                bin.len
            } else {
                CHUNK
            };
            let entries = start..start + len;
            for (place, value) in self.places[entries.clone()]
                .iter()
                .zip(&self.values[entries])
            {
                part[*place as usize] += *value;
            }
        }
    }
}

/// Products of a chunk: 4.5 KB. Of a block of usual circuits there are some fifty thousand.
const CHUNK: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::bn254::Fr;

    /// Filled to the brim, again and again with other numbers of bins: sums are those of each product by itself.
    #[test]
    fn products_come_out_of_the_bins_they_were_put_in() {
        let mut products = Products::<Fr>::new(1000);
        let mut most = 0;
        for (round, n_bins) in [3, 12, 1, 12].into_iter().enumerate() {
            products.clear(n_bins);
            let mut expected = vec![[Fr::ZERO; 7]; n_bins];
            let mut pushed = 0;
            while products.has_room(5) {
                for k in pushed..pushed + 5 {
                    // a bin that gets most of them, and others
                    let bin = if k % 3 == 0 { k % n_bins } else { n_bins / 2 };
                    let value = Fr::from_u64((k * k + round) as u64);
                    products.push(bin, k % 7, value);
                    expected[bin][k % 7] += value;
                }
                pushed += 5;
            }
            assert!(pushed > 500, "{pushed}");
            assert!(!products.has_room(2000));
            for (bin, expected) in expected.iter().enumerate() {
                let mut part = [Fr::ONE; 7];
                products.add_to(bin, &mut part);
                assert_eq!(part, expected.map(|sum| sum + Fr::ONE));
            }
            most = most.max(n_bins);
            let held = products.values.capacity() * 32 + products.places.capacity() * 4;
            assert!(held as u64 <= Products::<Fr>::bytes(1000, most));
        }
    }
}
