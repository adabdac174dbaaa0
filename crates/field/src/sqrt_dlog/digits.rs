//! Digits of logarithms, found by keys.

/// The digit of an element by its key, by perfect hashing.
#[derive(Debug)]
pub(super) struct Digits {
    /// By slot: the digit whose key hashes to it.
    slots: Box<[u8; 1 << SLOT_BITS]>,
    /// The hash: a key times this, leading bits.
    multiplier: u64,
}

impl Digits {
    /// A multiplier under which no two keys share a slot, and the digit of each slot. Panics if the keys are not
    /// distinct, or if none of many multipliers will do.
    pub(super) fn new(keys: &[(u64, u8)]) -> Self {
        let mut slots = Box::new([0; 1 << SLOT_BITS]);
        let mut used = vec![false; 1 << SLOT_BITS];
        let mut multiplier = 0x9e37_79b9_7f4a_7c15u64; // odd, without pattern: 2^64 over the golden ratio
        for _ in 0..1 << 14 {
            used.fill(false);
            slots.fill(0);
            let distinct = keys.iter().all(|&(key, digit)| {
                let slot = slot(key, multiplier);
                slots[slot] = digit;
                !core::mem::replace(&mut used[slot], true)
            });
            if distinct {
                return Self { slots, multiplier };
            }
            multiplier = multiplier.wrapping_mul(0xd134_2543_de82_ef95) | 1; // of a good congruential generator
        }
        panic!("elements of the small group share their table keys");
    }

    /// The digit of the element with this key; without meaning for a key of no digit.
    #[inline(always)]
    pub(super) fn of(&self, key: u64) -> u8 {
        self.slots[slot(key, self.multiplier)]
    }
}

#[inline(always)]
fn slot(key: u64, multiplier: u64) -> usize {
    (key.wrapping_mul(multiplier) >> (64 - SLOT_BITS)) as usize
}

/// Leading bits that a key is hashed to: 256 random keys are all distinct in them once in 55 trials.
const SLOT_BITS: u32 = 13;
