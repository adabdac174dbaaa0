pragma circom 2.0.0;

include "mimc.circom";
include "mimcsponge.circom";

// The cipher, its hash of 1, 2 and 3 inputs, two outputs of a sponge from one input, one from three.
template Hashes() {
    signal input in[3];
    signal input key;
    signal output cipher;
    signal output multi[3];
    signal output pair[2];
    signal output three;

    component mimc7 = MiMC7(91);
    mimc7.x_in <== in[0];
    mimc7.k <== key;
    cipher <== mimc7.out;

    component chain[3];
    for (var n = 1; n <= 3; n++) {
        chain[n - 1] = MultiMiMC7(n, 91);
        for (var i = 0; i < n; i++) {
            chain[n - 1].in[i] <== in[i];
        }
        chain[n - 1].k <== key;
        multi[n - 1] <== chain[n - 1].out;
    }

    component one = MiMCSponge(1, 220, 2);
    one.ins[0] <== in[0];
    one.k <== key;
    pair <== one.outs;

    component all = MiMCSponge(3, 220, 1);
    all.ins <== in;
    all.k <== key;
    three <== all.outs[0];
}

component main = Hashes();
