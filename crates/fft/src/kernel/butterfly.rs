//! One stage of a sub-block (radix 2), or two stages of several adjacent sub-blocks (radix 4).
//!
//! Input: `values` holds one sub-block, or `count` of equal length, numbered from `block`; the length of each is a
//! multiple of the radix; `twiddles[b]` as in the parent module, up to the last sub-block of the last stage done.

use frumious_field::KernelField;

/// One stage, decimation in frequency.
pub(super) fn dif_radix2<V: KernelField>(values: &mut [V], block: usize, twiddles: &[V]) {
    let (low, high) = values.split_at_mut(values.len() / 2);
    let pairs = low.iter_mut().zip(high);
    if block == 0 {
        pairs.for_each(|(x, y)| (*x, *y) = (*x + *y, *x - *y));
    } else {
        let t = twiddles[block];
        pairs.for_each(|(x, y)| {
            let ty = *y * t;
            (*x, *y) = (*x + ty, *x - ty);
        });
    }
}

/// One stage, decimation in time.
pub(super) fn dit_radix2<V: KernelField>(values: &mut [V], block: usize, twiddles: &[V]) {
    let (low, high) = values.split_at_mut(values.len() / 2);
    let pairs = low.iter_mut().zip(high);
    if block == 0 {
        pairs.for_each(|(x, y)| (*x, *y) = (*x + *y, *x - *y));
    } else {
        let t = twiddles[block];
        pairs.for_each(|(x, y)| {
            (*x, *y) = (*x + *y, (*x - *y) * t);
        });
    }
}

/// Two stages, decimation in frequency.
pub(super) fn dif_radix4<V: KernelField>(
    values: &mut [V],
    block: usize,
    count: usize,
    twiddles: &[V],
) {
    let len = values.len() / count;
    if len == 4 {
        let quads = values.as_chunks_mut::<4>().0;
        for (b, [x0, x1, x2, x3]) in (block..).zip(quads) {
            if b == 0 {
                dif_quad_first(x0, x1, x2, x3, twiddles[1]);
            } else {
                dif_quad(x0, x1, x2, x3, Three::of(b, twiddles));
            }
        }
        return;
    }
    for (b, values) in (block..).zip(values.chunks_exact_mut(len)) {
        let quads = quarters(values);
        if b == 0 {
            let i = twiddles[1];
            quads.for_each(|(((x0, x1), x2), x3)| dif_quad_first(x0, x1, x2, x3, i));
        } else {
            let t = Three::of(b, twiddles);
            quads.for_each(|(((x0, x1), x2), x3)| dif_quad(x0, x1, x2, x3, t));
        }
    }
}

/// Two stages, decimation in time.
pub(super) fn dit_radix4<V: KernelField>(
    values: &mut [V],
    block: usize,
    count: usize,
    twiddles: &[V],
) {
    let len = values.len() / count;
    if len == 4 {
        let quads = values.as_chunks_mut::<4>().0;
        for (b, [x0, x1, x2, x3]) in (block..).zip(quads) {
            if b == 0 {
                dit_quad_first(x0, x1, x2, x3, twiddles[1]);
            } else {
                dit_quad(x0, x1, x2, x3, Three::of(b, twiddles));
            }
        }
        return;
    }
    for (b, values) in (block..).zip(values.chunks_exact_mut(len)) {
        let quads = quarters(values);
        if b == 0 {
            let i = twiddles[1];
            quads.for_each(|(((x0, x1), x2), x3)| dit_quad_first(x0, x1, x2, x3, i));
        } else {
            let t = Three::of(b, twiddles);
            quads.for_each(|(((x0, x1), x2), x3)| dit_quad(x0, x1, x2, x3, t));
        }
    }
}

/// The twiddles of two stages: of the sub-block, and of its two halves.
#[derive(Clone, Copy)]
struct Three<V> {
    whole: V,
    low: V,
    high: V,
}

impl<V: KernelField> Three<V> {
    #[inline(always)]
    fn of(block: usize, twiddles: &[V]) -> Self {
        Self {
            whole: twiddles[block],
            low: twiddles[2 * block],
            high: twiddles[2 * block + 1],
        }
    }
}

#[inline(always)]
fn dif_quad<V: KernelField>(x0: &mut V, x1: &mut V, x2: &mut V, x3: &mut V, t: Three<V>) {
    let (u2, u3) = (*x2 * t.whole, *x3 * t.whole);
    let (y0, y2) = (*x0 + u2, *x0 - u2);
    let (y1, y3) = ((*x1 + u3) * t.low, (*x1 - u3) * t.high);
    (*x0, *x1) = (y0 + y1, y0 - y1);
    (*x2, *x3) = (y2 + y3, y2 - y3);
}

/// As [`dif_quad`] for sub-block 0, whose twiddles are 1, 1 and `i`, the fourth root of unity.
#[inline(always)]
fn dif_quad_first<V: KernelField>(x0: &mut V, x1: &mut V, x2: &mut V, x3: &mut V, i: V) {
    let (y0, y2) = (*x0 + *x2, *x0 - *x2);
    let (y1, y3) = (*x1 + *x3, (*x1 - *x3) * i);
    (*x0, *x1) = (y0 + y1, y0 - y1);
    (*x2, *x3) = (y2 + y3, y2 - y3);
}

#[inline(always)]
fn dit_quad<V: KernelField>(x0: &mut V, x1: &mut V, x2: &mut V, x3: &mut V, t: Three<V>) {
    let (y0, y1) = (*x0 + *x1, (*x0 - *x1) * t.low);
    let (y2, y3) = (*x2 + *x3, (*x2 - *x3) * t.high);
    (*x0, *x2) = (y0 + y2, (y0 - y2) * t.whole);
    (*x1, *x3) = (y1 + y3, (y1 - y3) * t.whole);
}

/// As [`dit_quad`] for sub-block 0.
#[inline(always)]
fn dit_quad_first<V: KernelField>(x0: &mut V, x1: &mut V, x2: &mut V, x3: &mut V, i: V) {
    let (y0, y1) = (*x0 + *x1, *x0 - *x1);
    let (y2, y3) = (*x2 + *x3, (*x2 - *x3) * i);
    (*x0, *x2) = (y0 + y2, y0 - y2);
    (*x1, *x3) = (y1 + y3, y1 - y3);
}

type Quad<'a, V> = (((&'a mut V, &'a mut V), &'a mut V), &'a mut V);

/// Elements `j`, `j + len/4`, `j + len/2`, `j + 3·len/4` together.
#[inline(always)]
fn quarters<V>(values: &mut [V]) -> impl Iterator<Item = Quad<'_, V>> {
    let half = values.len() / 2;
    let (low, high) = values.split_at_mut(half);
    let (x0, x1) = low.split_at_mut(half / 2);
    let (x2, x3) = high.split_at_mut(half / 2);
    x0.iter_mut().zip(x1).zip(x2).zip(x3)
}
