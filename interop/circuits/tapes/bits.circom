pragma circom 2.2.0;

include "bitify.circom";

// Bits of a number of 64 bits, and back; more bits fail an assertion.
template Bits() {
    signal input in;
    signal output bits[64];
    signal output back;
    bits <== Num2Bits(64)(in);
    back <== Bits2Num(64)(bits);
    back === in;
}

component main = Bits();
