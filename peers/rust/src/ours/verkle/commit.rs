//! Commitments by the tables, and making the tables; see `commitRows` in `peers/go-verkle/group.go`.

use std::cell::RefCell;
use std::rc::Rc;

use frumious_curves::bandersnatch::{Element, Fr};
use frumious_verkle::Committer;

use super::{budget, committer, committer_64_mib, digest, draw_scalars};
use crate::inputs::STREAM_A;
use crate::row::{Row, Table};

/// Adds the rows.
pub fn add_rows(table: &mut Table) {
    for (suffix, supply) in [("", fresh_sets as fn(usize) -> usize), (".warm", |_| 4)] {
        table.add(format!("verkle.commit.first{suffix}"), move |k| {
            commit(committer(), k, k, supply(k))
        });
        table.add(format!("verkle.commit.spread{suffix}"), move |k| {
            commit(committer(), k, 256, supply(k))
        });
    }
    table.add("verkle.commit.mib64", |k| {
        commit(committer_64_mib(), k, k, fresh_sets(k))
    });
    table.add("verkle.tables", |_| {
        let made = Rc::new(RefCell::new(None));
        let held = made.clone();
        Row::new(1, move || {
            made.replace(None); // so that two need not be held at once
            made.replace(Some(Committer::new(budget()).expect("memory for tables")));
        })
        .with_held(move || held.borrow().as_ref().map_or(0, Committer::memory_bytes))
    });
}

/// Commitments to vectors of `length` with `k` scalars at equal distances, going round `sets` sets of scalars.
fn commit(committer: &'static Committer, k: usize, length: usize, sets: usize) -> Row {
    let (distance, batch) = (length / k, (64 / k).max(1));
    let scalars = draw_scalars(STREAM_A, sets * k);
    let mut vector = vec![Fr::ZERO; length];
    let one = move |set: usize| {
        for (j, scalar) in scalars[set * k..][..k].iter().enumerate() {
            vector[j * distance] = *scalar;
        }
        committer.commit(&vector).expect("at most 256 values")
    };
    let (mut one, mut again, mut next) = (one.clone(), one, 0);
    Row::new(batch, move || {
        let mut last = Element::IDENTITY;
        for _ in 0..batch {
            last = one(next);
            next = (next + 1) % sets;
        }
        last
    })
    .with_check(move || {
        let sum: Element = (0..sets.min(64)).map(&mut again).sum();
        digest([sum.to_bytes()])
    })
}

/// Sets of `k` scalars, so many that table entries come from memory: 2^17 scalars, and 512 sets at least.
fn fresh_sets(k: usize) -> usize {
    ((1 << 17) / k).max(512)
}
