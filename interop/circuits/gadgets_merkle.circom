pragma circom 2.0.0;

include "mimcsponge.circom";
include "poseidon.circom";
include "switcher.circom";

// Roots of the trees with a leaf at the place of some bits, by Poseidon and by MiMC's sponge.
template Roots(depth) {
    signal input leaf;
    signal input bits[depth];
    signal input siblings[depth];
    signal output poseidon;
    signal output mimc;

    component sides[2][depth];
    component hashes[depth];
    component sponges[depth];
    for (var i = 0; i < depth; i++) {
        for (var kind = 0; kind < 2; kind++) {
            sides[kind][i] = Switcher();
            sides[kind][i].sel <== bits[i];
            sides[kind][i].R <== siblings[i];
        }
        sides[0][i].L <== i == 0 ? leaf : hashes[i - 1].out;
        hashes[i] = Poseidon(2);
        hashes[i].inputs[0] <== sides[0][i].outL;
        hashes[i].inputs[1] <== sides[0][i].outR;

        sides[1][i].L <== i == 0 ? leaf : sponges[i - 1].outs[0];
        sponges[i] = MiMCSponge(2, 220, 1);
        sponges[i].ins[0] <== sides[1][i].outL;
        sponges[i].ins[1] <== sides[1][i].outR;
        sponges[i].k <== 0;
    }
    poseidon <== hashes[depth - 1].out;
    mimc <== sponges[depth - 1].outs[0];
}

component main = Roots(8);
