//! Inputs and the values of wires are wiped: no memory that is given back has one of them.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::baby_jubjub::{CircuitPoint, Point, PrimeOrderPoint, variable};
use frumious_r1cs::gadgets::{bits, poseidon, sha256};
use frumious_r1cs::{Circuit, Inputs, Label, LinearCombination, Names};

type Sum = LinearCombination<Fr>;

/// The only test of its program: every thread's memory is looked at.
#[test]
fn no_value_is_left_in_memory_that_is_given_back() {
    let names = Names::new()
        .private_input("scalar", 1)
        .private_input("message", 1);
    let circuit = Circuit::define(&names, |c, io| {
        let (scalar, message) = (io["scalar"][0], io["message"][0]);
        let pair = c.template("pair", 2, 1, |t, inputs, outputs| {
            let sums = [0, 1].map(|i| Sum::from(inputs[i]));
            poseidon::define_hash(t, outputs[0], &sums);
        });
        // side by side, then one alone
        let label = |index| Label::indexed("pair", index);
        let hashes = [0, 1].map(|index| {
            let other = Sum::constant(Fr::from_u64(index.into()));
            c.instance(&pair, label(index), &[scalar.into(), other])[0]
        });
        c.instance(&pair, label(2), &hashes.map(Sum::from));
        let point = CircuitPoint::constant(&Point::GENERATOR);
        let point = PrimeOrderPoint::eight_times(c, &point);
        variable::mul(c, &point, scalar);
        let digits = bits::to_bits_strict(c, message);
        sha256::hash(c, &digits);
    });
    // Elements whose four words are nobody else's.
    let element = |seed: u64| Fr::from_u64(seed).pow_vartime(&[0x1234_5678_9abc_def1]);
    let (scalar, message) = (element(5), element(7));
    let set = |inputs: &mut Inputs<Fr>| {
        inputs.set("scalar", &[scalar]);
        inputs.extend("message", &[message]);
    };

    // What to look for: the values of all wires that are not small or public, in both forms, and the words that are
    // hashed.
    let mut inputs = Inputs::new();
    set(&mut inputs);
    let witness = circuit.witness(&inputs).expect("all inputs are there");
    assert_eq!(circuit.check(&witness), Ok(()));
    let mut secrets: Vec<[u64; 4]> = Vec::new();
    let known = [Point::GENERATOR.x, Point::GENERATOR.y, Fr::ONE, -Fr::ONE];
    for value in witness.iter().filter(|value| !known.contains(value)) {
        let integer = value.to_canonical_limbs();
        if integer[2] != 0 && integer[3] != 0 {
            secrets.extend([integer, words_of(value)]);
        }
    }
    secrets.push(hashed_words(&message));
    secrets.sort_unstable();
    assert!(SECRETS.set(secrets).is_ok());

    WATCHED.store(true, SeqCst);
    let block = Box::new([scalar; 3]);
    drop(block);
    assert_eq!(FOUND.swap(0, SeqCst), 3, "the watch sees what is left");

    let mut inputs = Inputs::new();
    set(&mut inputs);
    for _ in 0..9 {
        inputs.extend("grown", &[scalar, message]);
    }
    drop(inputs);
    assert_eq!(FOUND.swap(0, SeqCst), 0, "inputs");

    let mut inputs = Inputs::new();
    set(&mut inputs);
    let again = circuit.witness(&inputs).expect("all inputs are there");
    assert_eq!(FOUND.swap(0, SeqCst), 0, "while the witness is computed");
    assert_eq!(again, witness);
    drop((again, witness, inputs));
    assert_eq!(FOUND.swap(0, SeqCst), 0, "the witness");
    WATCHED.store(false, SeqCst);
}

/// The Montgomery form.
fn words_of(value: &Fr) -> [u64; 4] {
    use frumious_field::WordField;
    value.to_words()
}

/// The first eight words of 32 bits of the message's block, two in one of 64. Padding begins with bit 254.
fn hashed_words(message: &Fr) -> [u64; 4] {
    let mut limbs = message.to_canonical_limbs();
    limbs[3] |= 1 << 62;
    // Of each word the first bit is the most significant one.
    limbs.map(|limb| {
        let [low, high] = [limb as u32, (limb >> 32) as u32].map(u32::reverse_bits);
        u64::from(high) << 32 | u64::from(low)
    })
}

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
