pragma circom 2.2.0;

include "comparators.circom";

// circomlib's comparisons, of 32 bits: larger inputs fail an assertion.
template Comparisons() {
    signal input a;
    signal input b;
    signal output out[6];
    out[0] <== LessThan(32)([a, b]);
    out[1] <== LessEqThan(32)([a, b]);
    out[2] <== GreaterThan(32)([a, b]);
    out[3] <== GreaterEqThan(32)([a, b]);
    out[4] <== IsEqual()([a, b]);
    out[5] <== IsZero()(a);
}

component main {public [a]} = Comparisons();
