//! Loops of constant length as straight code.

/// The block once for each `$i` below `$n`, a constant of at most 6, as straight code; or in a range of limbs.
macro_rules! unrolled {
    ($i:ident in 0..13 => $block:block) => {
        unrolled!($i, 13, $block, 0 1 2 3 4 5 6 7 8 9 10 11 12)
    };
    ($i:ident in 0..25 => $block:block) => {
        unrolled!($i, 25, $block, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)
    };
    ($i:ident in 13..25 => $block:block) => {
        unrolled!($i, 25, $block, 13 14 15 16 17 18 19 20 21 22 23 24)
    };
    ($i:ident in 0..$n:expr => $block:block) => {
        unrolled!($i, $n, $block, 0 1 2 3 4 5)
    };
    ($i:ident, $n:expr, $block:block, $($index:literal)*) => {$(
        if $index < $n {
            let $i: usize = $index;
            $block
        }
    )*};
}

pub(crate) use unrolled;
