//! Montgomery products for vectors that find both parts of a product of limbs together, column by column.
//!
//! Rows as in `montgomery` keep `2·L` columns, more than sixteen registers hold. Here two columns are open: one that is
//! summed up, and the next, which takes the high parts.
//!
//! A quotient costs a product of limbs that all others wait for. So the lowest column is cleared in another way as long
//! as possible. Its limb `t` is worth `t·(2^-52 mod p)` one column higher, and needs no quotient. That leaves up to
//! `2^52·p` too much, so the last two columns are cleared by quotients.
//!
//! Bound: with `S` the sum of products, the first `L - 2` columns leave less than `S/2^(52(L - 2)) + (2^52 + 2)·p`. The
//! others leave less than `S/R + (1 + 2^-50)·p`. With `S ≤ headroom·p²` that is below `2p`, as
//! [`Modulus52::new`](crate::Modulus52::new) checks that `headroom·p` is at most `(1 - 2^-49)·R`. Source: Montgomery
//! 1985.

use super::{Lanes, Prepared, splat};
use crate::modulus::{MASK_52, Modulus52, Prime};
use crate::vector::Vector;

/// A column that is open, with what exponents of doubles added to it.
#[derive(Clone, Copy, Debug)]
struct Column<V> {
    sum: V,
    exponents: u64,
}

impl<V: Vector> Column<V> {
    #[inline(always)]
    fn zero(cpu: V::Cpu) -> Self {
        Self {
            sum: V::splat(cpu, 0),
            exponents: 0,
        }
    }

    /// The column's number.
    #[inline(always)]
    fn value(self) -> V {
        self.sum.sub(V::splat(self.sum.cpu(), self.exponents))
    }

    /// Moves what is above 52 bits to the next column, and returns the number plus 2^62: that is not negative, so one
    /// shift does.
    #[inline(always)]
    fn carry(self, next: &mut Self) -> V {
        const OFFSET: u64 = 1 << 62;
        let exponents = self.exponents.wrapping_sub(OFFSET);
        let value = self.sum.sub(V::splat(self.sum.cpu(), exponents));
        next.sum = next.sum.add(value.shr(52));
        next.exponents = next.exponents.wrapping_add(OFFSET >> 52);
        value
    }

    /// Adds `a·b`, with the high part in the next column.
    #[inline(always)]
    fn add_product(&mut self, next: &mut Self, a: V::Factor, b: V::Factor) {
        (self.sum, next.sum) = V::add_product(self.sum, next.sum, a, b);
        self.exponents = self.exponents.wrapping_add(V::LOW_EXPONENT);
        next.exponents = next.exponents.wrapping_add(V::HIGH_EXPONENT);
    }

    /// Adds twice what another holds.
    #[inline(always)]
    fn add_twice(&mut self, other: Self) {
        self.sum = self.sum.add(other.sum.shl(1));
        self.exponents = self.exponents.wrapping_add(other.exponents << 1);
    }
}

/// A number that is reduced while its columns are summed up. No closure does for it: one is not compiled with the
/// instructions.
trait Columns<V>: Copy {
    /// Adds what the number has in column `c`, with the high parts in the next.
    fn add(&mut self, c: usize, column: &mut Column<V>, next: &mut Column<V>);
}

/// `a[0]·b[0] + a[1]·b[1] + ...`
#[derive(Clone, Copy)]
struct Products<V: Vector, const L: usize, const T: usize> {
    a: [[V::Factor; L]; T],
    b: [[V::Factor; L]; T],
}

impl<V: Vector, const L: usize, const T: usize> Products<V, L, T> {
    #[inline(always)]
    fn new<P: Prime<L>>(a: &[Lanes<P, V, L>; T], b: &[Lanes<P, V, L>; T]) -> Self {
        let (mut left, mut right) = ([factors(&a[0].limbs); T], [factors(&b[0].limbs); T]);
        each!(k in 1..T => {
            (left[k], right[k]) = (factors(&a[k].limbs), factors(&b[k].limbs));
        });
        Self { a: left, b: right }
    }
}

#[inline(always)]
fn factors<V: Vector, const L: usize>(limbs: &[V; L]) -> [V::Factor; L] {
    let mut factors = [limbs[0].to_factor(); L];
    each!(i in 1..L => {
        factors[i] = limbs[i].to_factor();
    });
    factors
}

impl<V: Vector, const L: usize, const T: usize> Columns<V> for Products<V, L, T> {
    #[inline(always)]
    fn add(&mut self, c: usize, column: &mut Column<V>, next: &mut Column<V>) {
        each!(k in 0..T => {
            unroll!(i in 0..L => {
                if i <= c && c - i < L {
                    column.add_product(next, self.a[k][i], self.b[k][c - i]);
                }
            });
        });
    }
}

/// `a²`: what two products give is summed up once, and doubled.
#[derive(Clone, Copy)]
struct Square<V: Vector, const L: usize> {
    a: [V::Factor; L],
    twice: Column<V>,
}

impl<V: Vector, const L: usize> Columns<V> for Square<V, L> {
    #[inline(always)]
    fn add(&mut self, c: usize, column: &mut Column<V>, next: &mut Column<V>) {
        let a = self.a;
        let mut twice_next = Column::zero(column.sum.cpu());
        unroll!(i in 0..L => {
            if 2 * i < c && c - i < L {
                self.twice.add_product(&mut twice_next, a[i], a[c - i]);
            }
            if 2 * i == c {
                column.add_product(next, a[i], a[i]);
            }
        });
        column.add_twice(self.twice);
        self.twice = twice_next;
    }
}

/// The limbs of `(a[0]·b[0] + a[1]·b[1] + ...)/R`: below 2^52 if `CARRIED`, else with their carries.
#[inline(always)]
pub(super) fn sum_of_products<
    P: Prime<L>,
    V: Vector,
    const L: usize,
    const T: usize,
    const CARRIED: bool,
>(
    a: &[Lanes<P, V, L>; T],
    b: &[Lanes<P, V, L>; T],
) -> [V; L] {
    let products = Products::new(a, b);
    reduced::<V, L, CARRIED>(a[0].cpu(), P::MODULUS, products)
}

/// The limbs of `a²/R` like [`sum_of_products`].
#[inline(always)]
pub(super) fn square<P: Prime<L>, V: Vector, const L: usize, const CARRIED: bool>(
    a: &Lanes<P, V, L>,
) -> [V; L] {
    let cpu = a.cpu();
    let square = Square {
        a: factors(&a.limbs),
        twice: Column::zero(cpu),
    };
    reduced::<V, L, CARRIED>(cpu, P::MODULUS, square)
}

/// The limbs of a number over `R` like [`sum_of_products`].
#[inline(always)]
#[allow(unused_assignments)] // in the last turns of the loop
fn reduced<V: Vector, const L: usize, const CARRIED: bool>(
    cpu: V::Cpu,
    modulus: &Modulus52<L>,
    mut number: impl Columns<V>,
) -> [V; L] {
    let lower = factors(&splat::<V, L>(cpu, &modulus.one_limb_lower));
    let p = factors(&splat::<V, L>(cpu, &modulus.p));
    let p_neg_inv = V::splat(cpu, modulus.p_neg_inv).to_factor();
    let mask = V::splat(cpu, MASK_52);
    let (mut cleared, mut limbs) = ([p_neg_inv; L], [mask; L]);
    let mut column = Column::zero(cpu);
    unroll!(columns c in 0..2 * L => {
        let mut next = Column::zero(cpu);
        number.add(c, &mut column, &mut next);
        unroll!(k in 0..L => {
            if k + 2 < L && k < c && c - k <= L {
                column.add_product(&mut next, cleared[k], lower[c - 1 - k]);
            }
            if k + 2 >= L && k < c && c - k < L {
                column.add_product(&mut next, cleared[k], p[c - k]);
            }
        });
        if c + 2 < L {
            cleared[c] = column.carry(&mut next).and(mask).to_factor();
        } else if c < L {
            cleared[c] = V::low_product(column.value().and(mask).to_factor(), p_neg_inv);
            column.add_product(&mut next, cleared[c], p[0]);
            column.carry(&mut next);
        } else if CARRIED && c + 1 < 2 * L {
            limbs[c - L] = column.carry(&mut next).and(mask);
        } else {
            limbs[c - L] = column.value();
        }
        column = next;
    });
    limbs
}

/// The limbs, with carries, of `(x[0]·c[0] + x[1]·c[1] + ...)/2^52` less an offset, for rows `c[j]` of a prepared
/// factor: the lowest column is cleared by a quotient.
#[inline(always)]
pub(super) fn product_by_rows<V: Vector, const L: usize>(
    x: &[V; L],
    c: &impl Prepared<L>,
    offset: &[u64; L],
    modulus: &Modulus52<L>,
) -> [V; L] {
    let cpu = x[0].cpu();
    let x = factors(x);
    let p = factors(&splat::<V, L>(cpu, &modulus.p));
    let p_neg_inv = V::splat(cpu, modulus.p_neg_inv).to_factor();
    let mask = V::splat(cpu, MASK_52);
    let mut limbs = [mask; L];
    let mut quotient = p_neg_inv;
    let mut column = Column::<V>::zero(cpu);
    unroll!(i in 0..L => {
        let mut next = Column::<V>::zero(cpu);
        next.exponents = offset[i];
        each!(j in 0..L => {
            column.add_product(&mut next, x[j], c.limb::<V>(cpu, j, i).to_factor());
        });
        if i == 0 {
            quotient = V::low_product(column.value().and(mask).to_factor(), p_neg_inv);
        }
        column.add_product(&mut next, quotient, p[i]);
        if i == 0 {
            column.carry(&mut next);
        } else {
            limbs[i - 1] = column.value();
        }
        column = next;
    });
    limbs[L - 1] = column.value();
    limbs
}
