pragma circom 2.0.0;

include "poseidon_lengths.circom";

component main = Hashes(1, 11);
