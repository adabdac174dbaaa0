pragma circom 2.0.0;

include "sha256/sha256.circom";

// Messages of bits whose padding goes into one block, or needs another.
template Hashes() {
    signal input in[448];
    signal output bit[256];
    signal output one[256];
    signal output two[256];

    component hash[3];
    hash[0] = Sha256(1);
    hash[1] = Sha256(447);
    hash[2] = Sha256(448);
    hash[0].in[0] <== in[0];
    for (var i = 0; i < 447; i++) {
        hash[1].in[i] <== in[i];
    }
    hash[2].in <== in;
    bit <== hash[0].out;
    one <== hash[1].out;
    two <== hash[2].out;
}

component main = Hashes();
