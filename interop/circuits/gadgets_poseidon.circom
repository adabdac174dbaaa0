pragma circom 2.0.0;

include "poseidon.circom";

// Poseidon of the first 1, 2, ... 16 inputs.
template Hashes() {
    signal input in[16];
    signal output out[16];
    component hash[16];
    for (var n = 1; n <= 16; n++) {
        hash[n - 1] = Poseidon(n);
        for (var i = 0; i < n; i++) {
            hash[n - 1].inputs[i] <== in[i];
        }
        out[n - 1] <== hash[n - 1].out;
    }
}

component main = Hashes();
