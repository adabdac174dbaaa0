//! The texts of a proof and of its public signals, and the caller's room for them.
//!
//! The length of a proof varies by some digits. A caller whose buffers are too short for any proof of the witness is
//! told so before the proof is made. The sizes that are told suffice for every proof of it.

use frumious_app::key::AnyKey;
use frumious_app::prove::{public_signals, shortest_proof};
use frumious_app::witness::AnyWitness;

use crate::buffers::Room;

/// Where a proof and its public signals go, in this order.
pub struct Texts<'a> {
    pub rooms: [Room<'a>; 2],
    /// The form of the JSON.
    pub form: fn(&str) -> String,
}

impl Texts<'_> {
    /// False if no proof of this witness fits; then the sizes that suffice are told.
    pub fn may_fit(&mut self, key: &AnyKey, witness: &AnyWitness) -> bool {
        let Some(signals) = public_signals(key, witness) else {
            return true; // the prover says what is wrong
        };
        let (shortest, _) = shortest_proof(key.curve());
        let texts = [shortest, signals].map(|text| (self.form)(&text));
        self.fit(key, &texts)
    }

    /// Writes the proof and its signals. False if one does not fit; then the sizes that suffice are told.
    pub fn write(&mut self, key: &AnyKey, texts: [&str; 2]) -> bool {
        let texts = texts.map(self.form);
        let fit = self.fit(key, &texts);
        if fit {
            for (room, text) in self.rooms.iter_mut().zip(&texts) {
                room.write(text);
            }
        }
        fit
    }

    fn fit(&mut self, key: &AnyKey, texts: &[String; 2]) -> bool {
        let [proof, public] = &mut self.rooms;
        let fit = proof.fits(&texts[0]) && public.fits(&texts[1]);
        if !fit {
            let (shortest, more) = shortest_proof(key.curve());
            proof.tell_needed((self.form)(&shortest).len() + more);
            public.tell_needed(texts[1].len());
        }
        fit
    }
}
