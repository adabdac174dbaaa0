pragma circom 2.0.0;

// SHA-256 of 2,048 bytes: 33 blocks with the padding.
include "circomlib/circuits/sha256/sha256.circom";

component main = Sha256(16384);
