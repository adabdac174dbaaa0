//! The tests of this crate's public face, in one program: a program each takes longer to build than to run.

mod bandersnatch_fields;
mod banderwagon;
mod bls12_381_arkworks;
mod bls12_381_encodings;
mod bls12_381_fields;
mod bls12_381_groups;
mod bls12_381_hash_to_curve;
mod bls12_381_pairing;
mod bls12_381_tower;
mod bn254_arkworks;
mod bn254_fields;
mod bn254_groups;
mod bn254_pairing;
mod bn254_tower;
mod bn254_vectors;
mod engine;
mod roots_of_unity;
mod secp256k1_fields;
mod secp256k1_groups;
mod secp256k1_peers;
