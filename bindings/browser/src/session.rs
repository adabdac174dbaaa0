//! The state between the page's calls: buffers that it fills, keys that stay open, the last answer.

use std::cell::RefCell;
use std::collections::BTreeMap;

use zeroize::Zeroizing;

use crate::groth16::{Key, Verifier};
use crate::refusal::Refusal;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

/// Does something with the session. A call does not come within another.
pub fn with<T>(act: impl FnOnce(&mut Session) -> T) -> T {
    SESSION.with_borrow_mut(act)
}

/// All that is kept.
#[derive(Default)]
pub struct Session {
    /// By address.
    buffers: BTreeMap<usize, Vec<u8>>,
    keys: BTreeMap<u32, Key>,
    last_key: u32,
    /// Of the last verdict, with its text: pages ask again under the same key.
    verifier: Option<(Vec<u8>, Verifier)>,
    answer: String,
}

impl Session {
    pub fn buffer(&mut self, length: usize) -> usize {
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(length.max(1)).is_err() {
            return 0;
        }
        bytes.resize(length, 0);
        let address = bytes.as_ptr().expose_provenance();
        self.buffers.insert(address, bytes);
        address
    }

    pub fn open(&mut self, key: usize) -> u32 {
        match self.taken(key).and_then(Key::open) {
            Ok(key) => {
                self.last_key += 1;
                self.keys.insert(self.last_key, key);
                self.last_key
            }
            Err(refusal) => self.refuse(&refusal, 0),
        }
    }

    pub fn close(&mut self, key: u32) {
        self.keys.remove(&key);
    }

    pub fn prove(&mut self, key: u32, witness: usize, verify: bool) -> u32 {
        let witness = self.taken(witness).map(Zeroizing::new);
        match witness.and_then(|witness| self.key(key)?.prove(&witness, verify)) {
            Ok(proved) => self.tell(proved),
            Err(refusal) => self.refuse(&refusal, 0),
        }
    }

    pub fn verification_key(&mut self, key: u32) -> u32 {
        match self.key(key).map(Key::verification_key) {
            Ok(json) => self.tell(json),
            Err(refusal) => self.refuse(&refusal, 0),
        }
    }

    pub fn verify(&mut self, key: usize, public: usize, proof: usize, uncontributed: bool) -> u32 {
        match self.verdict(key, public, proof, uncontributed) {
            Ok(valid) => valid.into(),
            Err(refusal) => self.refuse(&refusal, 2),
        }
    }

    fn verdict(
        &mut self,
        key: usize,
        public: usize,
        proof: usize,
        uncontributed: bool,
    ) -> Result<bool, Refusal> {
        let given = [key, public, proof].map(|address| self.taken(address));
        let [key, public, proof] = given;
        let (key, public, proof) = (key?, public?, proof?);
        let verifier = match self.verifier.take() {
            Some((known, verifier)) if known == key => verifier,
            _ => Verifier::new(&key)?,
        };
        let (_, verifier) = self.verifier.insert((key, verifier));
        verifier.verify(&public, &proof, uncontributed)
    }

    pub fn answer(&self) -> &str {
        &self.answer
    }

    /// The bytes at an address that [`buffer`](Self::buffer) gave, once.
    fn taken(&mut self, address: usize) -> Result<Vec<u8>, Refusal> {
        let bytes = self.buffers.remove(&address);
        bytes.ok_or_else(|| Refusal::bad_input("there is no such buffer"))
    }

    fn key(&self, key: u32) -> Result<&Key, Refusal> {
        let key = self.keys.get(&key);
        key.ok_or_else(|| Refusal::bad_input("the key is closed"))
    }

    fn tell(&mut self, answer: String) -> u32 {
        self.answer = answer;
        1
    }

    fn refuse(&mut self, refusal: &Refusal, status: u32) -> u32 {
        self.answer = refusal.to_json();
        status
    }
}
