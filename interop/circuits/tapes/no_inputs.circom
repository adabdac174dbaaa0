pragma circom 2.2.0;

include "bitify.circom";

// Nothing is given: the circuit runs when it is reset.
template NoInputs() {
    signal output out[8];
    signal one <-- 1;
    one === 1;
    out <== Num2Bits(8)(200 + one);
}

component main = NoInputs();
