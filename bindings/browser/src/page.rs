//! The functions that the page calls, and the one that it offers.
//!
//! | function | gives |
//! |---|---|
//! | `buffer(length)` | the address of so many bytes, which the page fills; 0 if there is no memory |
//! | `open(key)` | the number of a key from its file; 0 if it is refused |
//! | `close(number)` | nothing: the key's memory is free again |
//! | `prove(number, witness, verify)` | 1 if the answer is a proof |
//! | `verify(key, public, proof, uncontributed)` | 1 if the proof is valid, 0 if not, 2 if a part is refused |
//! | `verification_key(number)` | 1 if the answer is the verification key |
//! | `answer()`, `answer_length()` | the address of the last answer, JSON, and its length |
//! | `threads(count)` | 1 if the caller and `count - 1` workers are the threads of all work from now on |
//! | `work()` | never: the calling worker is a thread of those |
//!
//! The last two are in the module with threads alone. There all other functions are called by one worker.
//!
//! Buffers are named by their addresses, and taken by the call that they are given to. After a refusal the answer is
//! `{"code", "message"}`. The page offers `page.random(address, length)`, which fills bytes with random ones.

#![allow(unsafe_code)] // names that are not mangled, and the page's function

use crate::session::with;

#[unsafe(no_mangle)]
extern "C" fn buffer(length: usize) -> usize {
    with(|session| session.buffer(length))
}

#[unsafe(no_mangle)]
extern "C" fn open(key: usize) -> u32 {
    with(|session| session.open(key))
}

#[unsafe(no_mangle)]
extern "C" fn close(key: u32) {
    with(|session| session.close(key));
}

#[unsafe(no_mangle)]
extern "C" fn prove(key: u32, witness: usize, verify: u32) -> u32 {
    with(|session| session.prove(key, witness, verify != 0))
}

#[unsafe(no_mangle)]
extern "C" fn verify(key: usize, public: usize, proof: usize, uncontributed: u32) -> u32 {
    with(|session| session.verify(key, public, proof, uncontributed != 0))
}

#[unsafe(no_mangle)]
extern "C" fn verification_key(key: u32) -> u32 {
    with(|session| session.verification_key(key))
}

#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    with(|session| session.answer().as_ptr().expose_provenance())
}

#[unsafe(no_mangle)]
extern "C" fn answer_length() -> usize {
    with(|session| session.answer().len())
}

/// Waits until all have called [`work`].
#[cfg(target_feature = "atomics")]
#[unsafe(no_mangle)]
extern "C" fn threads(count: usize) -> u32 {
    frumious_parallel::lent::gather(count).is_ok().into()
}

#[cfg(target_feature = "atomics")]
#[unsafe(no_mangle)]
extern "C" fn work() {
    frumious_parallel::lent::lend();
}

#[cfg(target_arch = "wasm32")]
mod random {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        fn random(address: *mut u8, length: usize);
    }

    /// The source of random bytes of every crate (`--cfg getrandom_backend="custom"`). Wrong arguments of the page's
    /// function cannot be: it fills what it is told, or throws, which ends the instance.
    #[unsafe(no_mangle)]
    unsafe extern "Rust" fn __getrandom_v03_custom(
        address: *mut u8,
        length: usize,
    ) -> Result<(), getrandom::Error> {
        // SAFETY: getrandom's contract: `length` bytes at `address` may be written.
        unsafe { random(address, length) };
        Ok(())
    }
}
