//! The base field, encodings, the map to scalars, variable-base MSM; SIZE is the number of elements.

use std::hint::black_box;

use frumious_curves::bandersnatch::{
    AffineElement, Fq, Fr, batch_from_bytes_vartime, batch_map_to_scalar_field_vartime,
    batch_to_affine_vartime, batch_to_bytes_vartime,
};
use frumious_msm::bandersnatch::msm_vartime;

use super::{digest, draw_points, draw_scalars};
use crate::inputs::{STREAM_A, hex, integers};
use crate::row::{Row, Table};

/// Adds the rows.
pub fn add_rows(table: &mut Table) {
    add_field(table);
    table.add("verkle.decode", |n| {
        decode(n, |encodings, out| {
            for (out, bytes) in out.iter_mut().zip(encodings) {
                *out = AffineElement::from_bytes_vartime(bytes).expect("an encoding");
            }
        })
    });
    table.add("verkle.decode.batch", |n| {
        decode(n, |encodings, out| {
            *out = batch_from_bytes_vartime(encodings).expect("encodings");
        })
    });
    table.add("verkle.encode.batch", |n| {
        let points = draw_points(n);
        let again = points.clone();
        Row::new(1, move || batch_to_bytes_vartime(black_box(&points)))
            .with_check(move || digest(batch_to_bytes_vartime(&again)))
    });
    table.add("verkle.map.batch", |n| {
        let points = draw_points(n);
        let again = points.clone();
        Row::new(1, move || {
            batch_map_to_scalar_field_vartime(black_box(&points))
        })
        .with_check(move || {
            digest(
                batch_map_to_scalar_field_vartime(&again)
                    .iter()
                    .map(Fr::to_bytes),
            )
        })
    });
    table.add("verkle.msm", |n| {
        let points = batch_to_affine_vartime(&draw_points(n));
        let scalars = draw_scalars(STREAM_A, n);
        let run =
            move || msm_vartime(black_box(&points), black_box(&scalars)).expect("equal lengths");
        let again = run.clone();
        Row::new(1, run).with_check(move || digest([again().to_bytes()]))
    });
}

/// Decodes `n` different encodings.
fn decode(n: usize, run: fn(&[[u8; 32]], &mut Vec<AffineElement>)) -> Row {
    let encodings = batch_to_bytes_vartime(&draw_points(n));
    let again = encodings.clone();
    let mut out = vec![AffineElement::IDENTITY; n];
    Row::new(n, move || {
        run(black_box(&encodings), &mut out);
        black_box(&mut out);
    })
    .with_check(move || {
        let mut out = vec![AffineElement::IDENTITY; n];
        run(&again, &mut out);
        digest(out.iter().map(AffineElement::to_bytes))
    })
}

/// Rows of the base field; the variable-time forms, as the group uses them.
fn add_field(table: &mut Table) {
    let same = |a: &Fq| *a;
    table.add("verkle.fq.sqrt", move |n| {
        each(
            n,
            Fq::square,
            |a| a.sqrt_vartime().expect("a square"),
            Fq::square, // either root is right
        )
    });
    table.add("verkle.fq.invert", move |n| {
        each(n, same, |a| a.invert_vartime().expect("not zero"), same)
    });
    table.add("verkle.fq.legendre", move |n| {
        each(
            n,
            same,
            |a| match a.legendre_vartime() {
                -1 => -Fq::ONE,
                0 => Fq::ZERO,
                _ => Fq::ONE,
            },
            same,
        )
    });
}

/// One operation on each of `n` prepared elements; the check is the sum of what is judged of the results.
fn each(
    n: usize,
    prepare: impl Fn(&Fq) -> Fq,
    op: impl Fn(&Fq) -> Fq + Copy + 'static,
    judge: impl Fn(&Fq) -> Fq + 'static,
) -> Row {
    let draw = |words| Fq::from_canonical_limbs(words).expect("inputs are below the modulus");
    let values = integers(STREAM_A, n).into_iter().map(draw);
    let values: Vec<Fq> = values.map(|value| prepare(&value)).collect();
    let again = values.clone();
    let mut out = vec![Fq::ZERO; n];
    Row::new(n, move || {
        for (out, value) in out.iter_mut().zip(black_box(&values)) {
            *out = op(value);
        }
        black_box(&mut out);
    })
    .with_check(move || {
        let results = again.iter().map(|value| judge(&op(value)));
        hex(&results
            .fold(Fq::ZERO, |sum, result| sum + result)
            .to_canonical_limbs())
    })
}
