//! Inverted values are wiped: no memory that is given back has one of them.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use frumious_curves::bn254::Fr;
use frumious_field::WordField;
use frumious_tape::{Operation, Recording, Replayer, Tape, Value, replay_batch};

/// The only test of its program: every thread's memory is looked at.
#[test]
fn no_value_is_left_in_memory_that_is_given_back() {
    // Elements whose four words are nobody else's.
    let element = |seed: u64| Fr::from_u64(seed).pow_vartime(&[0x1234_5678_9abc_def1]);
    let runs: Vec<Vec<Fr>> = (0..8)
        .map(|run| {
            (0..INPUTS)
                .map(|input| element(INPUTS * run + input + 2))
                .collect()
        })
        .collect();
    let tape = growing_groups(&runs[0]);

    let mut secrets: Vec<[u64; 4]> = Vec::new();
    for inputs in &runs {
        // The values that are inverted, as far as they are inputs, and their inverses.
        for value in inputs {
            let inverse = value.invert_vartime().expect("it is not zero");
            secrets.extend([value.to_words(), inverse.to_words()]);
        }
    }
    secrets.sort_unstable();
    assert!(SECRETS.set(secrets).is_ok());

    WATCHED.store(true, SeqCst);
    drop(Box::new([runs[0][0]; 3]));
    assert_eq!(FOUND.swap(0, SeqCst), 3, "the watch sees what is left");

    let mut replayer = Replayer::new();
    drop(replayer.replay(&tape, &runs[0]).expect("it has no guards"));
    assert_eq!(FOUND.swap(0, SeqCst), 0, "one run");
    drop(replayer);
    assert_eq!(FOUND.swap(0, SeqCst), 0, "what is kept between runs");

    let inputs: Vec<&[Fr]> = runs.iter().map(|inputs| &inputs[..]).collect();
    let ended = replay_batch(&tape, &inputs, |_, _| {});
    assert!(ended.iter().all(Result::is_ok));
    assert_eq!(FOUND.swap(0, SeqCst), 0, "eight runs");
    WATCHED.store(false, SeqCst);
}

/// Inversions of inputs: one, then three, then nine and so on, each group after the one before.
fn growing_groups(inputs: &[Fr]) -> Tape<Fr> {
    let mut recording = Recording::new();
    let values: Vec<Value> = inputs
        .iter()
        .map(|input| recording.input(*input).expect("it is short"))
        .collect();
    let mut apply = |operation, a, b| {
        let result = recording.apply(operation, a, b).expect("it is short");
        result.expect("no division of integers")
    };
    let (mut rest, mut count) = (&values[..], 1);
    let mut results: Vec<Value> = Vec::new();
    let mut last: Option<[Value; 2]> = None;
    while let Some((group, others)) = rest.split_at_checked(count) {
        // A product of one, for which the group before has to be done.
        let one = last.map(|[value, inverse]| apply(Operation::Mul, value, inverse));
        for value in group {
            let value = one.map_or(*value, |one| apply(Operation::Mul, *value, one));
            let inverse = apply(Operation::Inverse, value, value);
            results.push(inverse);
            last = Some([value, inverse]);
        }
        (rest, count) = (others, 3 * count);
    }
    Tape::new(&recording, &results).expect("it is short")
}

/// Of groups of 1, 3, 9, 27 and 81.
const INPUTS: u64 = 121;

/// In order.
static SECRETS: OnceLock<Vec<[u64; 4]>> = OnceLock::new();
static WATCHED: AtomicBool = AtomicBool::new(false);
static FOUND: AtomicUsize = AtomicUsize::new(0);

/// Looks for secrets in all memory that is given back.
struct Watching;

#[global_allocator]
static WATCHING: Watching = Watching;

// SAFETY: every call goes to the system's allocator unchanged; looking allocates nothing.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Memory that was given back before is not to be found a second time.
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if WATCHED.load(SeqCst) && pointer.cast::<u64>().is_aligned() {
            // SAFETY: the block has that many bytes, is aligned for words, and was zeroed when it was allocated.
            let words = unsafe { core::slice::from_raw_parts(pointer.cast(), layout.size() / 8) };
            look(words);
        }
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn look(words: &[u64]) {
    let Some(secrets) = SECRETS.get() else { return };
    let found = words.windows(4).filter(|four| {
        let four: &[u64; 4] = (*four).try_into().expect("four words");
        secrets.binary_search(four).is_ok()
    });
    FOUND.fetch_add(found.count(), SeqCst);
}
