pragma circom 2.0.0;

include "poseidon.circom";

// n Poseidon hashes of two elements in a chain: x := Poseidon(x, salt[i]).
template PoseidonChain(n) {
    signal input x;
    signal input salt[n];
    signal output last;
    component hash[n];
    for (var i = 0; i < n; i++) {
        hash[i] = Poseidon(2);
        hash[i].inputs[0] <== i == 0 ? x : hash[i - 1].out;
        hash[i].inputs[1] <== salt[i];
    }
    last <== hash[n - 1].out;
}

component main = PoseidonChain(4);
