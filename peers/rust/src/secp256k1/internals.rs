//! libsecp256k1's fields, which its API does not show, by the loops in `internals.c`. An element of the base field has
//! five words of 52 bits and is not kept reduced; a scalar has four words.

#![allow(unsafe_code)] // its functions are C

use std::hint::black_box;

use crate::inputs::{STREAM_A, STREAM_B, bytes_of, hex_bytes, integers};
use crate::row::{Row, Table};

type Loop<const N: usize> =
    unsafe extern "C" fn(*mut [u64; N], *const [u64; N], *const [u64; N], usize);
type Chain<const N: usize> = unsafe extern "C" fn(*mut [u64; N], *const [u64; N], usize);
type Read<const N: usize> = unsafe extern "C" fn(*mut [u64; N], *const u8) -> i32;
type Write<const N: usize> = unsafe extern "C" fn(*mut u8, *const [u64; N]);

macro_rules! declare {
    ($type:ty, $read:ident, $write:ident: $($name:ident $chain:ident,)*) => {
        unsafe extern "C" {
            $(
                fn $name(out: *mut $type, a: *const $type, b: *const $type, n: usize);
                #[allow(dead_code)] // roots have no row of a chain
                fn $chain(x: *mut $type, a: *const $type, n: usize);
            )*
            fn $read(out: *mut $type, bytes: *const u8) -> i32;
            fn $write(bytes: *mut u8, a: *const $type);
        }
    };
}

declare! { [u64; 5], peers_fe_read, peers_fe_write:
    peers_fe_add peers_fe_add_chain,
    peers_fe_sub peers_fe_sub_chain,
    peers_fe_neg peers_fe_neg_chain,
    peers_fe_mul peers_fe_mul_chain,
    peers_fe_square peers_fe_square_chain,
    peers_fe_invert peers_fe_invert_chain,
    peers_fe_invert_vartime peers_fe_invert_vartime_chain,
    peers_fe_sqrt peers_fe_sqrt_chain,
}

declare! { [u64; 4], peers_sc_read, peers_sc_write:
    peers_sc_add peers_sc_add_chain,
    peers_sc_neg peers_sc_neg_chain,
    peers_sc_mul peers_sc_mul_chain,
    peers_sc_invert peers_sc_invert_chain,
    peers_sc_invert_vartime peers_sc_invert_vartime_chain,
}

/// Adds the rows of both fields. Scalars have no difference, square or root of their own.
pub fn add_rows(table: &mut Table) {
    let fe = Kind {
        read: peers_fe_read,
        write: peers_fe_write,
        add: peers_fe_add_chain,
    };
    let sc = Kind {
        read: peers_sc_read,
        write: peers_sc_write,
        add: peers_sc_add_chain,
    };
    fe.rows(table, "secp.fq.add", peers_fe_add, peers_fe_add_chain);
    fe.rows(table, "secp.fq.sub", peers_fe_sub, peers_fe_sub_chain);
    fe.rows(table, "secp.fq.neg", peers_fe_neg, peers_fe_neg_chain);
    fe.rows(table, "secp.fq.mul", peers_fe_mul, peers_fe_mul_chain);
    fe.rows(
        table,
        "secp.fq.square",
        peers_fe_square,
        peers_fe_square_chain,
    );
    fe.rows(
        table,
        "secp.fq.invert",
        peers_fe_invert,
        peers_fe_invert_chain,
    );
    fe.rows(
        table,
        "secp.fq.invert_vartime",
        peers_fe_invert_vartime,
        peers_fe_invert_vartime_chain,
    );
    table.add("secp.fq.sqrt", move |n| {
        let a = fe.draw(STREAM_A, n);
        let mut squares = vec![[0; 5]; n];
        // SAFETY: arrays of n elements that were read.
        unsafe { peers_fe_square(squares.as_mut_ptr(), a.as_ptr(), a.as_ptr(), n) };
        let mut row = fe.throughput(n, peers_fe_sqrt, squares);
        row.check = None; // which root is not specified
        row
    });
    sc.rows(table, "secp.fr.add", peers_sc_add, peers_sc_add_chain);
    sc.rows(table, "secp.fr.neg", peers_sc_neg, peers_sc_neg_chain);
    sc.rows(table, "secp.fr.mul", peers_sc_mul, peers_sc_mul_chain);
    sc.rows(
        table,
        "secp.fr.invert",
        peers_sc_invert,
        peers_sc_invert_chain,
    );
    sc.rows(
        table,
        "secp.fr.invert_vartime",
        peers_sc_invert_vartime,
        peers_sc_invert_vartime_chain,
    );
}

/// Functions of one field: elements are read, written, and added up for the check.
#[derive(Clone, Copy)]
struct Kind<const N: usize> {
    read: Read<N>,
    write: Write<N>,
    add: Chain<N>,
}

impl<const N: usize> Kind<N> {
    /// Independent operations, and a chain.
    fn rows(self, table: &mut Table, name: &str, array: Loop<N>, chain: Chain<N>) {
        table.add(name, move |n| {
            self.throughput(n, array, self.draw(STREAM_A, n))
        });
        table.add(format!("{name}.latency"), move |n| {
            let (start, a) = (self.draw(STREAM_B, 1)[0], self.draw(STREAM_A, n));
            let again = a.clone();
            let mut carried = start;
            Row::new(n, move || {
                // SAFETY: one element, and an array of n.
                unsafe { chain(&mut carried, black_box(a.as_ptr()), n) };
            })
            .with_check(move || {
                let mut x = start;
                // SAFETY: as above.
                unsafe { chain(&mut x, again.as_ptr(), n) };
                self.hex(&x)
            })
        });
    }

    /// As [`crate::field::throughput`]: each pass pairs the elements anew.
    fn throughput(self, n: usize, array: Loop<N>, a: Vec<[u64; N]>) -> Row {
        let b = self.draw(STREAM_B, n);
        let (a_again, b_again) = (a.clone(), b.clone());
        let (twice, mut shift) = ([&b[..], &b[..]].concat(), 0);
        let mut out = vec![[0; N]; n];
        Row::new(n, move || {
            let b = &twice[shift..shift + n];
            // SAFETY: three arrays of n elements, all of them read before but the first, which is written.
            unsafe { array(out.as_mut_ptr(), black_box(a.as_ptr()), b.as_ptr(), n) };
            black_box(&mut out);
            shift = (shift + 1) % n;
        })
        .with_check(move || {
            let mut out = vec![[0; N]; n];
            let mut sum = [0; N]; // zero
            // SAFETY: as above; sums are normalised, so their number does not matter.
            unsafe {
                array(out.as_mut_ptr(), a_again.as_ptr(), b_again.as_ptr(), n);
                (self.add)(&mut sum, out.as_ptr(), n);
            }
            self.hex(&sum)
        })
    }

    fn draw(self, stream: u64, n: usize) -> Vec<[u64; N]> {
        let read = |words| {
            let mut bytes = bytes_of(words);
            bytes.reverse();
            let mut element = [0; N];
            // SAFETY: 32 bytes, and an element to write.
            let canonical = unsafe { (self.read)(&mut element, bytes.as_ptr()) };
            assert_eq!(canonical, 1, "inputs are below the modulus");
            element
        };
        integers(stream, n).into_iter().map(read).collect()
    }

    fn hex(self, element: &[u64; N]) -> String {
        let mut bytes = [0; 32];
        // SAFETY: 32 bytes to write, and an element.
        unsafe { (self.write)(bytes.as_mut_ptr(), element) };
        hex_bytes(&bytes)
    }
}
