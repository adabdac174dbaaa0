pragma circom 2.2.0;

include "comparators.circom";

// Quotient and remainder by hints.
template Division() {
    signal input a;
    signal input b;
    signal output q;
    signal output r;
    q <-- a \ b;
    r <-- a % b;
    a === q * b + r;
    signal less <== LessThan(64)([r, b]);
    less === 1;
}

component main = Division();
