//! The pool of lent threads, in a process of its own: there is one such pool in a process.
#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_parallel::{
    current_num_threads, for_each_chunk_mut, join, keep_awake, lent, map_indices,
};
use std::collections::HashSet;
use std::sync::{Barrier, Mutex};
use std::thread;

/// Threads that come before the pool is gathered, and after.
#[test]
fn the_pool_is_of_lent_threads() {
    let lender = || {
        thread::Builder::new()
            .name("lent".into())
            .spawn(lent::lend)
            .unwrap()
    };
    lender();
    thread::spawn(move || {
        thread::sleep(std::time::Duration::from_millis(50));
        lender();
    });
    lent::gather(3).unwrap();
    assert_eq!(current_num_threads(), 3);

    // Three tasks that wait for each other are on three threads: this one, and two lent ones.
    let together = Barrier::new(3);
    let seen = Mutex::new(HashSet::new());
    for_each_chunk_mut(&mut [0; 3], 1, |_, _| {
        together.wait();
        let name = thread::current().name().map(str::to_owned);
        seen.lock()
            .unwrap()
            .insert((thread::current().id(), name.as_deref() == Some("lent")));
    });
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), 3);
    assert_eq!(seen.iter().filter(|(_, is_lent)| *is_lent).count(), 2);

    let squares = map_indices(1000, |i| keep_awake(|| i * i));
    let (low, high) = join(
        || squares[..500].iter().sum::<usize>(),
        || squares[500..].iter().sum::<usize>(),
    );
    assert_eq!(low + high, (0..1000).map(|i| i * i).sum());

    assert!(lent::gather(2).is_err(), "there is a pool");
}
