//! A check that entries are the sums that they should be.

use frumious_curves::bandersnatch::{AffineElement, Fq, TableEntry};
use frumious_field::vector;

/// Sums at a time: their columns, of 4 KiB each, stay in the caches.
pub(super) const BLOCK: usize = 128;

/// The first place where `sums` has not the sum of the pair there, of at most [`BLOCK`]. Without an inversion: with
/// `δ = d·x₁x₂y₁y₂`, as in `sums_vartime`,
///
/// ```text
/// x₃·(1 + δ) = ±(x₁y₂ + y₁x₂)      y₃·(1 − δ) = ±(y₁y₂ + 5·x₁x₂)      dxy₃ = d·x₃·y₃
/// ```
///
/// with one sign in both, as `(x, y)` and `(-x, -y)` are the same element. Ten products a sum, by columns, so that
/// lanes have them. As neither `1 + δ` nor `1 − δ` is zero for points of the group, no other `(x₃, y₃)` will do.
pub(super) fn first_wrong_sum_vartime(
    pairs: &[(TableEntry, TableEntry)],
    sums: &[TableEntry],
) -> Option<usize> {
    let n = pairs.len().min(sums.len());
    let column = |value: &dyn Fn(usize) -> Fq| -> [Fq; BLOCK] {
        core::array::from_fn(|i| if i < n { value(i) } else { Fq::ZERO })
    };
    let (mut x1, y1) = (column(&|i| pairs[i].0.x), column(&|i| pairs[i].0.y));
    let (mut x2, y2) = (column(&|i| pairs[i].1.x), column(&|i| pairs[i].1.y));
    let mut delta = column(&|i| pairs[i].0.dxy);
    let (x3, y3) = (column(&|i| sums[i].x), column(&|i| sums[i].y));

    let [mut e, mut h, mut product] = [[Fq::ZERO; BLOCK]; 3];
    vector::multiply(&x1[..n], &y2[..n], &mut e[..n]);
    vector::multiply(&y1[..n], &x2[..n], &mut product[..n]);
    vector::add_assign(&mut e[..n], &product[..n]); // x₁y₂ + y₁x₂
    vector::multiply(&y1[..n], &y2[..n], &mut h[..n]);
    vector::multiply_assign(&mut x1[..n], &x2[..n]);
    for (h, a) in h[..n].iter_mut().zip(&x1) {
        *h += a.double().double() + *a; // y₁y₂ + 5·x₁x₂
    }
    vector::multiply_assign(&mut x2[..n], &y2[..n]);
    vector::multiply_assign(&mut delta[..n], &x2[..n]);

    let mut own_e = column(&|i| Fq::ONE + delta[i]);
    vector::multiply_assign(&mut own_e[..n], &x3[..n]);
    let mut own_h = column(&|i| Fq::ONE - delta[i]);
    vector::multiply_assign(&mut own_h[..n], &y3[..n]);
    vector::multiply(&x3[..n], &y3[..n], &mut product[..n]);
    vector::scale(&mut product[..n], &AffineElement::D);
    (0..n).find(|&i| {
        let is_sum = own_e[i] == e[i] && own_h[i] == h[i] || own_e[i] == -e[i] && own_h[i] == -h[i];
        !is_sum || product[i] != sums[i].dxy
    })
}
