pragma circom 2.0.0;

// c = a * b, with b in public: one constraint, two public signals.
template Multiplier() {
    signal input a;
    signal input b;
    signal output c;
    c <== a * b;
}

component main {public [b]} = Multiplier();
