pragma circom 2.0.0;

// A withdrawal from a pool of equal deposits, as Tornado Cash has it: a leaf Pedersen(nullifier, secret) in a tree of
// 20 levels, its nullifier's hash public. Written from the published protocol (whitepaper, section 3).
include "circomlib/circuits/bitify.circom";
include "circomlib/circuits/mimcsponge.circom";
include "circomlib/circuits/pedersen.circom";

template Leaf() {
    signal input nullifier;
    signal input secret;
    signal output commitment;
    signal output nullifierHash;

    component nullifierBits = Num2Bits(248);
    component secretBits = Num2Bits(248);
    component both = Pedersen(496);
    component alone = Pedersen(248);
    nullifierBits.in <== nullifier;
    secretBits.in <== secret;
    for (var i = 0; i < 248; i++) {
        alone.in[i] <== nullifierBits.out[i];
        both.in[i] <== nullifierBits.out[i];
        both.in[i + 248] <== secretBits.out[i];
    }
    commitment <== both.out[0];
    nullifierHash <== alone.out[0];
}

template Level() {
    signal input below;
    signal input sibling;
    signal input isRight;
    signal output above;

    isRight * (1 - isRight) === 0;
    component hash = MiMCSponge(2, 220, 1);
    signal moved <== isRight * (sibling - below);
    hash.ins[0] <== below + moved;
    hash.ins[1] <== sibling - moved;
    hash.k <== 0;
    above <== hash.outs[0];
}

template Withdraw(levels) {
    signal input root;
    signal input nullifierHash;
    signal input recipient;
    signal input relayer;
    signal input fee;
    signal input refund;
    signal input nullifier;
    signal input secret;
    signal input siblings[levels];
    signal input isRight[levels];

    component leaf = Leaf();
    leaf.nullifier <== nullifier;
    leaf.secret <== secret;
    leaf.nullifierHash === nullifierHash;

    component level[levels];
    for (var i = 0; i < levels; i++) {
        level[i] = Level();
        if (i == 0) {
            level[i].below <== leaf.commitment;
        } else {
            level[i].below <== level[i - 1].above;
        }
        level[i].sibling <== siblings[i];
        level[i].isRight <== isRight[i];
    }
    root === level[levels - 1].above;

    // The others are bound by being in the proof's statement; squares keep a compiler from dropping them.
    signal squares[4];
    squares[0] <== recipient * recipient;
    squares[1] <== relayer * relayer;
    squares[2] <== fee * fee;
    squares[3] <== refund * refund;
}

component main {public [root, nullifierHash, recipient, relayer, fee, refund]} = Withdraw(20);
